// Vector ALU, dot products with accumulation.
#include "emu/amd/wave/lanes/rounded.h"
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/dot.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

// op_sel and neg act on the halves of the first two sources, so they are read as pairs.
static U32 whole(PairU16 x) { return pack16(x.low, x.high); }

static constexpr auto kDot2F16 = [](PairU16 a, PairU16 b, F32 c) {
  return dot2_f32_f16(whole(a), whole(b), c);
};
static constexpr auto kDot2Bf16 = [](PairU16 a, PairU16 b, F32 c) {
  return dot2_f32_bf16(whole(a), whole(b), c);
};
/// neg[0] and neg[1] say which sources are signed.
template <bool kSaturate>
static constexpr auto kDot4 = [](U32 a, U32 b, U32 c, RawBits bits) {
  return dot4_i32_iu8(a, b, c, (bits.value & 1) != 0, (bits.value & 2) != 0, kSaturate);
};
template <bool kSaturate>
static constexpr auto kDot8 = [](U32 a, U32 b, U32 c, RawBits bits) {
  return dot8_i32_iu4(a, b, c, (bits.value & 1) != 0, (bits.value & 2) != 0, kSaturate);
};

static constexpr auto kPlain = Environment::plain;

static constexpr VectorRow kDotRows[] = {
    in_environment<kPlain>(Op::v_dot2_f32_f16, kDot2F16),
    in_environment<kPlain>(Op::v_dot2acc_f32_f16, kDot2F16),
    in_environment<kPlain>(Op::v_dot2_f32_bf16, kDot2Bf16),
    in_environment<kPlain>(Op::v_dot2acc_f32_bf16, kDot2Bf16),
    {Op::v_dot2_f16_f16,
     [](PairU16 a, PairU16 b, F16 c, Round round) {
       return rounded(round, [=]<Round kRound>() { return dot2_f16_f16<kRound>(whole(a), whole(b), c); });
     }},
    in_environment<kPlain>(
        Op::v_dot2_bf16_bf16,
        [](PairU16 a, PairU16 b, BF16 c) { return dot2_bf16_bf16(whole(a), whole(b), c); }),
    {Op::v_dot4_i32_iu8, kDot4<false>},
    {Op::v_dot8_i32_iu4, kDot8<false>},
    {Op::v_dot4_u32_u8, [](U32 a, U32 b, U32 c, RawBits) { return dot4_u32_u8(a, b, c, false); }},
    {Op::v_dot8_u32_u4, [](U32 a, U32 b, U32 c, RawBits) { return dot8_u32_u4(a, b, c, false); }},
};
const VectorChapter kDotOps = chapter(kDotRows);

static constexpr VectorRow kSaturatingDotRows[] = {
    {Op::v_dot4_i32_iu8, kDot4<true>},
    {Op::v_dot8_i32_iu4, kDot8<true>},
    {Op::v_dot4_u32_u8, [](U32 a, U32 b, U32 c, RawBits) { return dot4_u32_u8(a, b, c, true); }},
    {Op::v_dot8_u32_u4, [](U32 a, U32 b, U32 c, RawBits) { return dot8_u32_u4(a, b, c, true); }},
};
const VectorChapter kSaturatingDotOps = chapter(kSaturatingDotRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
