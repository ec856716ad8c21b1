#pragma once

#include "emu/amd/wave/numerics/half.h"
#include "emu/amd/wave/numerics/nan.h"
#include "emu/amd/wave/numerics/types.h"

// add, sub, mul, fma and the output modifiers. f32 and f64 round and flush as MXCSR says; f16 is exact or
// rounded to odd in f32 and then rounded once as `kRound` says (MXCSR must round to nearest).

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

MOCKGPU_LANE F32 add(F32 a, F32 b) { return fix_nan(a + b, a, b); }
MOCKGPU_LANE F64 add(F64 a, F64 b) { return fix_nan(a + b, a, b); }
MOCKGPU_LANE F32 sub(F32 a, F32 b) { return fix_nan(a - b, a, b); }
MOCKGPU_LANE F64 sub(F64 a, F64 b) { return fix_nan(a - b, a, b); }
MOCKGPU_LANE F32 mul(F32 a, F32 b) { return fix_nan(a * b, a, b); }
MOCKGPU_LANE F64 mul(F64 a, F64 b) { return fix_nan(a * b, a, b); }
MOCKGPU_LANE F32 fma(F32 a, F32 b, F32 c) { return fix_nan(__builtin_fmaf(a, b, c), a, b, c); }
MOCKGPU_LANE F64 fma(F64 a, F64 b, F64 c) { return fix_nan(__builtin_fma(a, b, c), a, b, c); }

/// Multiply, round, add, round: v_mad and v_mac of generations before gfx10 (which also flush denormals: see
/// README.md).
MOCKGPU_LANE F32 mad(F32 a, F32 b, F32 c) {
  const F32 product = mul(a, b);
  return add(product, c);
}

// DX9 rules ("legacy"): zero times anything, also infinity or NaN, is +0.
MOCKGPU_LANE F32 mul_dx9_zero(F32 a, F32 b) { return a == 0.0f ? 0.0f : b == 0.0f ? 0.0f : mul(a, b); }
MOCKGPU_LANE F32 fma_dx9_zero(F32 a, F32 b, F32 c) {
  return a == 0.0f ? quiet(c) : b == 0.0f ? quiet(c) : fma(a, b, c);
}
MOCKGPU_LANE F32 mad_dx9_zero(F32 a, F32 b, F32 c) { return add(mul_dx9_zero(a, b), c); }

/// v_mullit_f32: the product of a lighting calculation. -MAX_FLOAT where b or c rule it out; zero times
/// anything is zero.
MOCKGPU_LANE F32 mullit(F32 a, F32 b, F32 c) {
  const F32 lowest = f32_of(0xff7fffffu);
  const F32 lit = c > 0.0f ? mul_dx9_zero(a, b) : lowest;
  return b > lowest ? lit : lowest;
}

/// An exact zero sum of terms with different signs is -0 when rounding down, +0 otherwise.
template <Round kRound>
MOCKGPU_LANE F32 zero_sum(F32 sum, F32 a, F32 b) {
  if constexpr (kRound == Round::kDown) {
    const bool opposite = ((bits_of(a) ^ bits_of(b)) & 0x80000000u) != 0;
    return sum == 0.0f && opposite ? f32_of(0x80000000u) : sum;
  } else {
    (void)a;
    (void)b;
    return sum;
  }
}

// The sum of two f16 needs up to 41 bits, but 24 bits rounded to nearest and then to nearest 11 give the same
// result as one rounding (24 >= 2 * 11 + 2); the directed modes go through round-to-odd.
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 add(F16 a, F16 b) {
  const F32 x = to_f32(a);
  const F32 y = to_f32(b);
  if constexpr (kRound == Round::kNearestEven) {
    return to_f16(fix_nan(x + y, x, y));
  } else {
    const F32 sum = zero_sum<kRound>(add_to_odd(x, y), x, y);
    return to_f16<kRound>(fix_nan(sum, x, y));
  }
}
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 sub(F16 a, F16 b) {
  const F32 x = to_f32(a);
  const F32 y = to_f32(b);
  if constexpr (kRound == Round::kNearestEven) {
    return to_f16(fix_nan(x - y, x, y));
  } else {
    const F32 sum = zero_sum<kRound>(add_to_odd(x, -y), x, -y);
    return to_f16<kRound>(fix_nan(sum, x, y));
  }
}
/// The product of two f16 is exact in f32.
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 mul(F16 a, F16 b) {
  const F32 x = to_f32(a);
  const F32 y = to_f32(b);
  return to_f16<kRound>(fix_nan(x * y, x, y));
}
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 fma(F16 a, F16 b, F16 c) {
  const F32 x = to_f32(a);
  const F32 y = to_f32(b);
  const F32 z = to_f32(c);
  const F32 product = x * y;
  const F32 sum = zero_sum<kRound>(add_to_odd(product, z), product, z);
  return to_f16<kRound>(fix_nan(sum, x, y, z));
}
/// v_mad_f16, v_mac_f16 of generations before gfx10: two roundings.
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 mad(F16 a, F16 b, F16 c) {
  return add<kRound>(mul<kRound>(a, b), c);
}

// The CLAMP modifier of float results: to [0, 1], NaN and -0 to +0.
MOCKGPU_LANE F32 clamp(F32 x) {
  const F32 low = x > 0.0f ? x : 0.0f;
  return low < 1.0f ? low : 1.0f;
}
MOCKGPU_LANE F64 clamp(F64 x) {
  const F64 low = x > 0.0 ? x : 0.0;
  return low < 1.0 ? low : 1.0;
}
MOCKGPU_LANE F16 clamp(F16 x) {
  // Negative values have larger bits than any NaN.
  const U32 low = x.bits > 0x7c00 ? 0u : x.bits;
  return F16{static_cast<U16>(low < 0x3c00 ? low : 0x3c00u)};
}

// The OMOD modifier: 1 times 2, 2 times 4, 3 divided by 2, 0 none. When it applies at all is the caller's
// affair.
MOCKGPU_LANE F32 omod(F32 x, U32 code) {
  const F32 factor = code == 1 ? 2.0f : code == 2 ? 4.0f : code == 3 ? 0.5f : 1.0f;
  return fix_nan(x * factor, x);
}
MOCKGPU_LANE F64 omod(F64 x, U32 code) {
  const F64 factor = code == 1 ? 2.0 : code == 2 ? 4.0 : code == 3 ? 0.5 : 1.0;
  return fix_nan(x * factor, x);
}
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 omod(F16 x, U32 code) {
  return to_f16<kRound>(omod(to_f32(x), code));
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
