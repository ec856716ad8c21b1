// Vector ALU, two 16-bit operations in a dword (VOP3P), and mixed precision.
#include "emu/amd/wave/lanes/rounded.h"
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/arithmetic.h"
#include "emu/amd/wave/numerics/integer.h"
#include "emu/amd/wave/numerics/minmax.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

// A body for one half makes one for both.
template <class F>
struct Halves2 {
  PairU16 operator()(PairU16 a, PairU16 b) const { return {F{}(a.low, b.low), F{}(a.high, b.high)}; }
};
template <class F>
struct Halves3 {
  PairU16 operator()(PairU16 a, PairU16 b, PairU16 c) const {
    return {F{}(a.low, b.low, c.low), F{}(a.high, b.high, c.high)};
  }
};
template <class F, class Mode>
struct FloatHalves2 {
  PairF16 operator()(PairF16 a, PairF16 b, Mode mode) const {
    return {F{}(a.low, b.low, mode), F{}(a.high, b.high, mode)};
  }
};
template <class F, class Mode>
struct FloatHalves3 {
  PairF16 operator()(PairF16 a, PairF16 b, PairF16 c, Mode mode) const {
    return {F{}(a.low, b.low, c.low, mode), F{}(a.high, b.high, c.high, mode)};
  }
};
template <class F>
static constexpr VectorRow packed2(Op op, F) {
  return {op, Halves2<F>{}};
}
template <class F>
static constexpr VectorRow packed3(Op op, F) {
  return {op, Halves3<F>{}};
}
template <class Mode, class F>
static constexpr VectorRow packed_float2(Op op, F) {
  return {op, FloatHalves2<F, Mode>{}};
}
template <class Mode, class F>
static constexpr VectorRow packed_float3(Op op, F) {
  return {op, FloatHalves3<F, Mode>{}};
}

static constexpr auto kFmaHalf = [](F16 a, F16 b, F16 c, Round round) {
  return rounded(round, [=]<Round kRound>() { return fma<kRound>(a, b, c); });
};
static constexpr auto kMixHalf = [](F32 a, F32 b, F32 c, Round round) {
  return rounded(round, [=]<Round kRound>() { return to_f16<kRound>(fma(a, b, c)); });
};

static constexpr VectorRow kPackedRows[] = {
    packed2(Op::v_pk_add_u16, [](U16 a, U16 b) { return add_u16(a, b); }),
    packed2(Op::v_pk_add_i16, [](U16 a, U16 b) { return add_u16(a, b); }),
    packed2(Op::v_pk_sub_u16, [](U16 a, U16 b) { return sub_u16(a, b); }),
    packed2(Op::v_pk_sub_i16, [](U16 a, U16 b) { return sub_u16(a, b); }),
    packed2(Op::v_pk_mul_lo_u16, [](U16 a, U16 b) { return mul_lo_u16(a, b); }),
    packed3(Op::v_pk_mad_u16, [](U16 a, U16 b, U16 c) { return mad_u16(a, b, c); }),
    packed3(Op::v_pk_mad_i16, [](U16 a, U16 b, U16 c) { return mad_u16(a, b, c); }),
    packed2(Op::v_pk_lshlrev_b16, [](U16 n, U16 x) { return lshl_b16(x, n); }),
    packed2(Op::v_pk_lshrrev_b16, [](U16 n, U16 x) { return lshr_b16(x, n); }),
    packed2(Op::v_pk_ashrrev_i16, [](U16 n, U16 x) { return ashr_i16(x, n); }),
    packed2(Op::v_pk_min_u16, [](U16 a, U16 b) { return a < b ? a : b; }),
    packed2(Op::v_pk_max_u16, [](U16 a, U16 b) { return a > b ? a : b; }),
    packed2(Op::v_pk_min_i16, [](U16 a, U16 b) { return static_cast<I16>(a) < static_cast<I16>(b) ? a : b; }),
    packed2(Op::v_pk_max_i16, [](U16 a, U16 b) { return static_cast<I16>(a) > static_cast<I16>(b) ? a : b; }),

    packed_float2<Round>(Op::v_pk_add_f16,
                         [](F16 a, F16 b, Round round) {
                           return rounded(round, [=]<Round kRound>() { return add<kRound>(a, b); });
                         }),
    packed_float2<Round>(Op::v_pk_mul_f16,
                         [](F16 a, F16 b, Round round) {
                           return rounded(round, [=]<Round kRound>() { return mul<kRound>(a, b); });
                         }),
    packed_float3<Round>(Op::v_pk_fma_f16, kFmaHalf),
    packed_float3<Round>(Op::v_pk_fmac_f16, kFmaHalf),
    packed_float2<Ieee>(
        Op::v_pk_min_f16,
        [](F16 a, F16 b, Ieee ieee) { return select(ieee.on, min_ieee(a, b), min_num(a, b)); }),
    packed_float2<Ieee>(
        Op::v_pk_max_f16,
        [](F16 a, F16 b, Ieee ieee) { return select(ieee.on, max_ieee(a, b), max_num(a, b)); }),

    // Sources have become f32; the f32 mode holds for the product and sum, the f16 mode for the last step.
    {Op::v_fma_mix_f32, [](F32 a, F32 b, F32 c) { return fma(a, b, c); }},
    in_environment<Environment::narrow>(Op::v_fma_mixlo_f16, kMixHalf),
    in_environment<Environment::narrow>(Op::v_fma_mixhi_f16, kMixHalf),
};
const VectorChapter kPackedOps = chapter(kPackedRows);

static constexpr VectorRow kSaturatingPackedRows[] = {
    packed2(Op::v_pk_add_u16, [](U16 a, U16 b) { return add_u16_sat(a, b); }),
    packed2(Op::v_pk_add_i16, [](U16 a, U16 b) { return add_i16_sat(a, b); }),
    packed2(Op::v_pk_sub_u16, [](U16 a, U16 b) { return sub_u16_sat(a, b); }),
    packed2(Op::v_pk_sub_i16, [](U16 a, U16 b) { return sub_i16_sat(a, b); }),
    packed2(Op::v_pk_mul_lo_u16, [](U16 a, U16 b) { return mul_lo_u16_sat(a, b); }),
    packed3(Op::v_pk_mad_u16, [](U16 a, U16 b, U16 c) { return mad_u16_sat(a, b, c); }),
    packed3(Op::v_pk_mad_i16, [](U16 a, U16 b, U16 c) { return mad_i16_sat(a, b, c); }),
};
const VectorChapter kSaturatingPackedOps = chapter(kSaturatingPackedRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
