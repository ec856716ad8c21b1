#include "tests/numerics/level_table.h"

#include "emu/amd/wave/numerics/approx.h"
#include "emu/amd/wave/numerics/arithmetic.h"
#include "emu/amd/wave/numerics/convert.h"
#include "emu/amd/wave/numerics/cube.h"
#include "emu/amd/wave/numerics/division.h"
#include "emu/amd/wave/numerics/dot.h"
#include "emu/amd/wave/numerics/exponent.h"
#include "emu/amd/wave/numerics/integer.h"
#include "emu/amd/wave/numerics/minmax.h"
#include "emu/amd/wave/numerics/packed.h"
#include "emu/amd/wave/numerics/wmma.h"

namespace numerics_test::MOCKGPU_LEVEL {
namespace {

using namespace mockgpu::emu::amd::MOCKGPU_LEVEL;

// The sources as each type, for the rows below.
struct Lane {
  U64 a64;
  U64 b64;
  U64 c64;
  U32 a() const { return static_cast<U32>(a64); }
  U32 b() const { return static_cast<U32>(b64); }
  U32 c() const { return static_cast<U32>(c64); }
  F32 fa() const { return f32_of(a()); }
  F32 fb() const { return f32_of(b()); }
  F32 fc() const { return f32_of(c()); }
  F64 da() const { return f64_of(a64); }
  F64 db() const { return f64_of(b64); }
  F64 dc() const { return f64_of(c64); }
  F16 ha() const { return lo_f16(a()); }
  F16 hb() const { return lo_f16(b()); }
  F16 hc() const { return lo_f16(c()); }
};

inline U64 out(F32 x) { return bits_of(x); }
inline U64 out(F64 x) { return bits_of(x); }
inline U64 out(F16 x) { return x.bits; }
inline U64 out(BF16 x) { return x.bits; }
inline U64 out(U32 x) { return x; }
inline U64 out(I32 x) { return static_cast<U32>(x); }
inline U64 out(U16 x) { return x; }
inline U64 out(I16 x) { return static_cast<U16>(x); }
inline U64 out(U64 x) { return x; }

#define ROW(operand, expression)                                                                   \
  {                                                                                                \
#expression, Operand::operand, [](const U64* a, const U64* b, const U64* c, U64* d, int count) { \
     for (int i = 0; i < count; ++i) {                                                              \
       const Lane x{a[i], b[i], c[i]};                                                              \
       d[i] = out(expression);                                                                      \
     }                                                                                              \
   } \
  }

const LevelRow kRows[] = {
    ROW(kF32, add(x.fa(), x.fb())),
    ROW(kF32, sub(x.fa(), x.fb())),
    ROW(kF32, mul(x.fa(), x.fb())),
    ROW(kF32, fma(x.fa(), x.fb(), x.fc())),
    ROW(kF32, mad(x.fa(), x.fb(), x.fc())),
    ROW(kF32, mul_dx9_zero(x.fa(), x.fb())),
    ROW(kF32, fma_dx9_zero(x.fa(), x.fb(), x.fc())),
    ROW(kF32, mullit(x.fa(), x.fb(), x.fc())),
    ROW(kF32, clamp(x.fa())),
    ROW(kF32, omod(x.fa(), x.b() & 3)),
    ROW(kF32, min_num(x.fa(), x.fb())),
    ROW(kF32, max_ieee(x.fa(), x.fb())),
    ROW(kF32, minimum(x.fa(), x.fb())),
    ROW(kF32, med3_ieee(x.fa(), x.fb(), x.fc())),
    ROW(kF32, trunc(x.fa())),
    ROW(kF32, floor(x.fa())),
    ROW(kF32, ceil(x.fa())),
    ROW(kF32, rndne(x.fa())),
    ROW(kF32, fract(x.fa())),
    ROW(kF32, frexp_exp(x.fa())),
    ROW(kF32, frexp_mant(x.fa())),
    ROW(kF32, ldexp(x.fa(), static_cast<I32>(x.b() % 600) - 300)),
    ROW(kF32, class_of(x.fa())),
    ROW(kF32, to_i32(x.fa())),
    ROW(kF32, to_u32(x.fa())),
    ROW(kF32, to_i32_floor(x.fa())),
    ROW(kF32, to_i32_nearest(x.fa())),
    ROW(kF32, to_f16(x.fa())),
    ROW(kF32, to_f16<Round::kUp>(x.fa())),
    ROW(kF32, to_bf16(x.fa())),
    ROW(kF32, to_f64(x.fa())),
    ROW(kF32, cvt_pk_rtz_f16_f32(x.fa(), x.fb())),
    ROW(kF32, cvt_pk_i16_f32(x.fa(), x.fb())),
    ROW(kF32, cvt_pk_norm_i16(x.fa(), x.fb())),
    ROW(kF32, cvt_pk_norm_u16(x.fa(), x.fb())),
    ROW(kF32, cvt_pk_u8_f32(x.fa(), x.b(), x.c())),
    ROW(kF32, rcp(x.fa())),
    ROW(kF32, rsq(x.fa())),
    ROW(kF32, sqrt(x.fa())),
    ROW(kF32, exp(x.fa())),
    ROW(kF32, log(x.fa())),
    ROW(kF32, sin(x.fa())),
    ROW(kF32, cos(x.fa())),
    ROW(kF32, div_scale(x.fa(), x.fa(), x.fb()).value),
    ROW(kF32, div_fmas(x.fa(), x.fb(), x.fc(), true)),
    ROW(kF32, div_fixup(x.fa(), x.fb(), x.fc())),
    ROW(kF32, cubeid(x.fa(), x.fb(), x.fc())),
    ROW(kF32, cubesc(x.fa(), x.fb(), x.fc())),
    ROW(kF32, cubetc(x.fa(), x.fb(), x.fc())),
    ROW(kF32, cubema(x.fa(), x.fb(), x.fc())),
    ROW(kF64, add(x.da(), x.db())),
    ROW(kF64, mul(x.da(), x.db())),
    ROW(kF64, fma(x.da(), x.db(), x.dc())),
    ROW(kF64, min_ieee(x.da(), x.db())),
    ROW(kF64, max_num(x.da(), x.db())),
    ROW(kF64, trunc(x.da())),
    ROW(kF64, floor(x.da())),
    ROW(kF64, ceil(x.da())),
    ROW(kF64, rndne(x.da())),
    ROW(kF64, fract(x.da())),
    ROW(kF64, frexp_mant(x.da())),
    ROW(kF64, ldexp(x.da(), static_cast<I32>(x.b() % 4600) - 2300)),
    ROW(kF64, to_i32(x.da())),
    ROW(kF64, to_u32(x.da())),
    ROW(kF64, to_f32(x.da())),
    ROW(kF64, rcp(x.da())),
    ROW(kF64, rsq(x.da())),
    ROW(kF64, sqrt(x.da())),
    ROW(kF64, div_scale(x.da(), x.da(), x.db()).value),
    ROW(kF64, div_fmas(x.da(), x.db(), x.dc(), true)),
    ROW(kF64, div_fixup(x.da(), x.db(), x.dc())),
    ROW(kF64, trig_preop(x.da(), x.b())),
    ROW(kF16, add(x.ha(), x.hb())),
    ROW(kF16, sub<Round::kDown>(x.ha(), x.hb())),
    ROW(kF16, mul(x.ha(), x.hb())),
    ROW(kF16, fma(x.ha(), x.hb(), x.hc())),
    ROW(kF16, fma<Round::kZero>(x.ha(), x.hb(), x.hc())),
    ROW(kF16, min_ieee(x.ha(), x.hb())),
    ROW(kF16, med3_num(x.ha(), x.hb(), x.hc())),
    ROW(kF16, clamp(x.ha())),
    ROW(kF16, fract(x.ha())),
    ROW(kF16, rndne(x.ha())),
    ROW(kF16, frexp_exp(x.ha())),
    ROW(kF16, ldexp(x.ha(), static_cast<I16>(x.b()))),
    ROW(kF16, cvt_f32_f16(x.ha())),
    ROW(kF16, to_i16(x.ha())),
    ROW(kF16, to_u16(x.ha())),
    ROW(kF16, rcp(x.ha())),
    ROW(kF16, rsq(x.ha())),
    ROW(kF16, sqrt(x.ha())),
    ROW(kF16, exp(x.ha())),
    ROW(kF16, log(x.ha())),
    ROW(kF16, sin(x.ha())),
    ROW(kF16, cos(x.ha())),
    ROW(kF16, div_fixup(x.ha(), x.hb(), x.hc())),
    ROW(kF16, pk_add_f16(x.a(), x.b())),
    ROW(kF16, pk_fma_f16(x.a(), x.b(), x.c())),
    ROW(kF16, dot2_f32_f16(x.a(), x.b(), x.fc())),
    ROW(kF16, dot2_f16_f16(x.a(), x.b(), x.hc())),
    ROW(kF16, fma_mix_f16(mix_source(x.a(), true, true, false, true), x.fb(), x.fc())),
    ROW(kInteger, dot2_f32_bf16(x.a(), x.b(), x.fc())),
    ROW(kInteger, dot2_bf16_bf16(x.a(), x.b(), lo_bf16(x.c()))),
    ROW(kInteger, dot4_i32_iu8(x.a(), x.b(), x.c(), true, false, true)),
    ROW(kInteger, dot8_i32_iu4(x.a(), x.b(), x.c(), true, true, false)),
    ROW(kInteger, to_f32(static_cast<I32>(x.a()))),
    ROW(kInteger, to_f32(x.a())),
    ROW(kInteger, bfe_i32(x.a(), x.b(), x.c())),
    ROW(kInteger, perm_b32(x.a(), x.b(), x.c() & 0x0f0f0f0fu)),
    ROW(kInteger, bcnt_u32_b32(x.a(), x.b())),
    ROW(kInteger, clz_i32_u32(x.a() >> (x.b() & 31))),
    ROW(kInteger, mul_hi_i32(x.a(), x.b())),
    ROW(kInteger, mad_i64_i32(x.a(), x.b(), x.c64).value),
    ROW(kInteger, sad_u8(x.a(), x.b(), x.c())),
    ROW(kInteger, mqsad_pk_u16_u8(x.a64, x.b(), x.c64)),
    ROW(kInteger, pk_mad_i16_sat(x.a(), x.b(), x.c())),
    ROW(kInteger, alignbit_b32(x.a(), x.b(), x.c())),
};

#define MATRIX(operand, name, call)                                                           \
  {                                                                                           \
    name, Operand::operand, [](const U32* a, const U32* b, const U32* c, U32* d) {            \
      WmmaModifiers mods;                                                                     \
      mods.signed_a = true;                                                                   \
      call(WmmaSource{a, 32}, WmmaSource{b, 32}, WmmaSource{c, 32}, WmmaResult{d, 32}, mods); \
    }                                                                                         \
  }

const LevelMatrix kMatrices[] = {
    MATRIX(kF16, "f32_f16", wmma_f32_16x16x16<F16>),
    MATRIX(kInteger, "f32_bf16", wmma_f32_16x16x16<BF16>),
    MATRIX(kF16, "f16_f16", wmma_half_16x16x16<F16>),
    MATRIX(kInteger, "bf16_bf16", wmma_half_16x16x16<BF16>),
    MATRIX(kInteger, "i32_iu8", wmma_i32_16x16x16<8>),
    MATRIX(kInteger, "i32_iu4", wmma_i32_16x16x16<4>),
};

}  // namespace

std::span<const LevelRow> level_rows() { return kRows; }
std::span<const LevelMatrix> level_matrices() { return kMatrices; }

}  // namespace numerics_test::MOCKGPU_LEVEL
