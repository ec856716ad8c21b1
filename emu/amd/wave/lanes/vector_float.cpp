// Vector ALU, f32.
#include "emu/amd/wave/lanes/float_handlers.h"
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/arithmetic.h"
#include "emu/amd/wave/numerics/cube.h"
#include "emu/amd/wave/numerics/exponent.h"
#include "emu/amd/wave/numerics/minmax.h"
#include "emu/amd/wave/numerics/rounding.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static constexpr auto kFma = [](auto a, auto b, auto c) { return fused(a, b, c); };

static constexpr auto min2 = [](BitsF32 a, BitsF32 b, Ieee ieee) {
  return BitsF32{ieee.on ? min_ieee(a.value, b.value) : min_num(a.value, b.value)};
};
static constexpr auto max2 = [](BitsF32 a, BitsF32 b, Ieee ieee) {
  return BitsF32{ieee.on ? max_ieee(a.value, b.value) : max_num(a.value, b.value)};
};

static constexpr VectorRow kFloatRows[] = {
    float2(Op::v_add_f32, [](auto a, auto b) { return a + b; }),
    float2(Op::v_sub_f32, [](auto a, auto b) { return a - b; }),
    float2(Op::v_subrev_f32, [](auto a, auto b) { return b - a; }),
    float2(Op::v_mul_f32, [](auto a, auto b) { return a * b; }),
    float3(Op::v_fma_f32, kFma),
    float3(Op::v_fmac_f32, kFma),
    float3(Op::v_fmaak_f32, kFma),
    float3(Op::v_fmamk_f32, kFma),
    {Op::v_mul_dx9_zero_f32, [](F32 a, F32 b) { return mul_dx9_zero(a, b); }},
    {Op::v_fma_dx9_zero_f32, [](F32 a, F32 b, F32 c) { return fma_dx9_zero(a, b, c); }},
    {Op::v_fmac_dx9_zero_f32, [](F32 a, F32 b, F32 c) { return fma_dx9_zero(a, b, c); }},
    {Op::v_mullit_f32, [](F32 a, F32 b, F32 c) { return mullit(a, b, c); }},

    typical_float2(Op::v_min_f32, Smaller{}, min2),
    typical_float2(Op::v_max_f32, Greater{}, max2),
    {Op::v_min3_f32,
     [](BitsF32 a, BitsF32 b, BitsF32 c, Ieee ieee) { return min2(min2(a, b, ieee), c, ieee); }},
    {Op::v_max3_f32,
     [](BitsF32 a, BitsF32 b, BitsF32 c, Ieee ieee) { return max2(max2(a, b, ieee), c, ieee); }},
    {Op::v_med3_f32,
     [](BitsF32 a, BitsF32 b, BitsF32 c, Ieee ieee) {
       return BitsF32{ieee.on ? med3_ieee(a.value, b.value, c.value) : med3_num(a.value, b.value, c.value)};
     }},
    {Op::v_maxmin_f32,
     [](BitsF32 a, BitsF32 b, BitsF32 c, Ieee ieee) { return min2(max2(a, b, ieee), c, ieee); }},
    {Op::v_minmax_f32,
     [](BitsF32 a, BitsF32 b, BitsF32 c, Ieee ieee) { return max2(min2(a, b, ieee), c, ieee); }},

    {Op::v_trunc_f32, [](BitsF32 a) { return BitsF32{trunc(a.value)}; }},
    {Op::v_floor_f32, [](BitsF32 a) { return BitsF32{floor(a.value)}; }},
    {Op::v_ceil_f32, [](BitsF32 a) { return BitsF32{ceil(a.value)}; }},
    {Op::v_rndne_f32, [](BitsF32 a) { return BitsF32{rndne(a.value)}; }},
    {Op::v_fract_f32, [](BitsF32 a) { return BitsF32{fract(a.value)}; }},

    {Op::v_frexp_exp_i32_f32, [](BitsF32 a) { return frexp_exp(a.value); }},
    {Op::v_frexp_mant_f32, [](BitsF32 a) { return BitsF32{frexp_mant(a.value)}; }},
    {Op::v_ldexp_f32, [](F32 a, I32 n) { return ldexp(a, n); }},

    {Op::v_cubeid_f32,
     [](BitsF32 a, BitsF32 b, BitsF32 c) { return BitsF32{cubeid(a.value, b.value, c.value)}; }},
    {Op::v_cubesc_f32,
     [](BitsF32 a, BitsF32 b, BitsF32 c) { return BitsF32{cubesc(a.value, b.value, c.value)}; }},
    {Op::v_cubetc_f32,
     [](BitsF32 a, BitsF32 b, BitsF32 c) { return BitsF32{cubetc(a.value, b.value, c.value)}; }},
    {Op::v_cubema_f32,
     [](BitsF32 a, BitsF32 b, BitsF32 c) { return BitsF32{cubema(a.value, b.value, c.value)}; }},
};
const VectorChapter kFloatOps = chapter(kFloatRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
