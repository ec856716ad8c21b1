// Vector ALU, f16.
#include "emu/amd/wave/lanes/rounded.h"
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/arithmetic.h"
#include "emu/amd/wave/numerics/exponent.h"
#include "emu/amd/wave/numerics/minmax.h"
#include "emu/amd/wave/numerics/rounding.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static constexpr auto kHalfFma = [](F16 a, F16 b, F16 c, Round round) {
  return rounded(round, [=]<Round kRound>() { return fma<kRound>(a, b, c); });
};
static constexpr auto kSub = [](F16 a, F16 b, Round round) {
  return rounded(round, [=]<Round kRound>() { return sub<kRound>(a, b); });
};
static constexpr auto half_min2 = [](F16 a, F16 b, Ieee ieee) {
  return select(ieee.on, min_ieee(a, b), min_num(a, b));
};
static constexpr auto half_max2 = [](F16 a, F16 b, Ieee ieee) {
  return select(ieee.on, max_ieee(a, b), max_num(a, b));
};

static constexpr VectorRow kHalfRows[] = {
    {Op::v_add_f16,
     [](F16 a, F16 b, Round round) {
       return rounded(round, [=]<Round kRound>() { return add<kRound>(a, b); });
     }},
    {Op::v_sub_f16, kSub},
    // The first NaN in operand order, not in the order of the subtraction.
    {Op::v_subrev_f16,
     [](F16 a, F16 b, Round round) { return select(is_nan(a), quiet(a), kSub(b, a, round)); }},
    {Op::v_mul_f16,
     [](F16 a, F16 b, Round round) {
       return rounded(round, [=]<Round kRound>() { return mul<kRound>(a, b); });
     }},
    {Op::v_fma_f16, kHalfFma},
    {Op::v_fmac_f16, kHalfFma},
    {Op::v_fmaak_f16, kHalfFma},
    {Op::v_fmamk_f16, kHalfFma},

    {Op::v_min_f16, half_min2},
    {Op::v_max_f16, half_max2},
    {Op::v_min3_f16,
     [](F16 a, F16 b, F16 c, Ieee ieee) { return half_min2(half_min2(a, b, ieee), c, ieee); }},
    {Op::v_max3_f16,
     [](F16 a, F16 b, F16 c, Ieee ieee) { return half_max2(half_max2(a, b, ieee), c, ieee); }},
    {Op::v_med3_f16,
     [](F16 a, F16 b, F16 c, Ieee ieee) { return select(ieee.on, med3_ieee(a, b, c), med3_num(a, b, c)); }},
    {Op::v_maxmin_f16,
     [](F16 a, F16 b, F16 c, Ieee ieee) { return half_min2(half_max2(a, b, ieee), c, ieee); }},
    {Op::v_minmax_f16,
     [](F16 a, F16 b, F16 c, Ieee ieee) { return half_max2(half_min2(a, b, ieee), c, ieee); }},

    {Op::v_trunc_f16, [](F16 a) { return trunc(a); }},
    {Op::v_floor_f16, [](F16 a) { return floor(a); }},
    {Op::v_ceil_f16, [](F16 a) { return ceil(a); }},
    {Op::v_rndne_f16, [](F16 a) { return rndne(a); }},
    {Op::v_fract_f16,
     [](F16 a, Round round) { return rounded(round, [=]<Round kRound>() { return fract<kRound>(a); }); }},
    {Op::v_frexp_exp_i16_f16, [](F16 a) { return frexp_exp(a); }},
    {Op::v_frexp_mant_f16, [](F16 a) { return frexp_mant(a); }},
    {Op::v_ldexp_f16,
     [](F16 a, I16 n, Round round) {
       return rounded(round, [=]<Round kRound>() { return ldexp<kRound>(a, n); });
     }},
};
const VectorChapter kHalfOps = chapter(kHalfRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
