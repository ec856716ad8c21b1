#pragma once

#include "emu/amd/wave/numerics/half.h"
#include "emu/amd/wave/numerics/nan.h"
#include "emu/amd/wave/numerics/types.h"

// frexp, ldexp, and the class test of v_cmp_class. frexp and class compare bits: callers flush denormal
// inputs where MODE says so. As in C, frexp of zero, infinity or NaN has exponent 0 and that value as its
// mantissa.

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

MOCKGPU_LANE I32 frexp_exp(F32 x) {
  const U32 magnitude = bits_of(x) & 0x7fffffffu;
  if (magnitude == 0 || magnitude >= 0x7f800000u) return 0;
  const I32 exponent = static_cast<I32>(magnitude >> 23);
  return exponent != 0 ? exponent - 126 : -117 - static_cast<I32>(__builtin_clz(magnitude));
}
MOCKGPU_LANE F32 frexp_mant(F32 x) {
  const U32 sign = bits_of(x) & 0x80000000u;
  const U32 magnitude = bits_of(x) & 0x7fffffffu;
  if (magnitude == 0 || magnitude >= 0x7f800000u) return quiet(x);
  const U32 mantissa = magnitude >= 0x00800000u ? magnitude : magnitude << (__builtin_clz(magnitude) - 8);
  return f32_of(sign | 0x3f000000u | (mantissa & 0x007fffffu));
}
MOCKGPU_LANE I32 frexp_exp(F64 x) {
  const U64 magnitude = bits_of(x) & 0x7fffffffffffffffu;
  if (magnitude == 0 || magnitude >= 0x7ff0000000000000u) return 0;
  const I32 exponent = static_cast<I32>(magnitude >> 52);
  return exponent != 0 ? exponent - 1022 : -1010 - static_cast<I32>(__builtin_clzll(magnitude));
}
MOCKGPU_LANE F64 frexp_mant(F64 x) {
  const U64 sign = bits_of(x) & 0x8000000000000000u;
  const U64 magnitude = bits_of(x) & 0x7fffffffffffffffu;
  if (magnitude == 0 || magnitude >= 0x7ff0000000000000u) return quiet(x);
  const U64 mantissa =
      magnitude >= 0x0010000000000000u ? magnitude : magnitude << (__builtin_clzll(magnitude) - 11);
  return f64_of(sign | 0x3fe0000000000000u | (mantissa & 0x000fffffffffffffu));
}
MOCKGPU_LANE I16 frexp_exp(F16 x) { return static_cast<I16>(frexp_exp(to_f32(x))); }
MOCKGPU_LANE F16 frexp_mant(F16 x) { return to_f16(frexp_mant(to_f32(x))); }

/// x * 2^n with one rounding: f32 values are scaled exactly in f64 and rounded to f32 as MXCSR says.
MOCKGPU_LANE F32 ldexp(F32 x, I32 n) {
  const I32 bounded = n < -400 ? -400 : n > 400 ? 400 : n;
  const F64 scale = f64_of(static_cast<U64>(bounded + 1023) << 52);
  return fix_nan(static_cast<F32>(static_cast<F64>(x) * scale), x);
}
MOCKGPU_LANE F64 power_of_two(I32 n) { return f64_of(static_cast<U64>(n + 1023) << 52); }
MOCKGPU_LANE F64 ldexp(F64 x, I32 n) {
  F64 y = x;
  I32 left = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
  // Factors before the last one are exact, or their result is too small (or infinite) for the rest to matter:
  // downwards each step leaves 53 bits above the smallest normal number.
  for (int step = 0; step < 2; ++step) {
    if (left > 1023) {
      y *= power_of_two(1023);
      left -= 1023;
    } else if (left < -1022) {
      y *= power_of_two(-969);
      left += 969;
    }
  }
  left = left < -1022 ? -1022 : left > 1023 ? 1023 : left;
  return fix_nan(y * power_of_two(left), x);
}
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 ldexp(F16 x, I16 n) {
  const I32 bounded = n < -60 ? -60 : n > 60 ? 60 : n;
  const F32 scale = f32_of(static_cast<U32>(bounded + 127) << 23);
  const F32 value = to_f32(x);
  return to_f16<kRound>(fix_nan(value * scale, value));
}

// Bits of the mask of v_cmp_class.
inline constexpr U32 kClassSignallingNan = 1u << 0;
inline constexpr U32 kClassQuietNan = 1u << 1;
inline constexpr U32 kClassNegativeInfinity = 1u << 2;
inline constexpr U32 kClassNegativeNormal = 1u << 3;
inline constexpr U32 kClassNegativeDenormal = 1u << 4;
inline constexpr U32 kClassNegativeZero = 1u << 5;
inline constexpr U32 kClassPositiveZero = 1u << 6;
inline constexpr U32 kClassPositiveDenormal = 1u << 7;
inline constexpr U32 kClassPositiveNormal = 1u << 8;
inline constexpr U32 kClassPositiveInfinity = 1u << 9;

/// The class bit of a value given by sign and what is left of it, for a format with that infinity and
/// smallest normal.
MOCKGPU_LANE U32 class_bit(bool negative, U64 magnitude, U64 infinity, U64 smallest_normal, U64 quiet_bit) {
  const U32 zero = negative ? kClassNegativeZero : kClassPositiveZero;
  const U32 denormal = negative ? kClassNegativeDenormal : kClassPositiveDenormal;
  const U32 normal = negative ? kClassNegativeNormal : kClassPositiveNormal;
  const U32 infinite = negative ? kClassNegativeInfinity : kClassPositiveInfinity;
  const U32 nan = (magnitude & quiet_bit) != 0 ? kClassQuietNan : kClassSignallingNan;
  const U32 finite = magnitude == 0 ? zero : magnitude < smallest_normal ? denormal : normal;
  return magnitude > infinity ? nan : magnitude == infinity ? infinite : finite;
}
MOCKGPU_LANE U32 class_of(F32 x) {
  const U32 b = bits_of(x);
  return class_bit((b >> 31) != 0, b & 0x7fffffffu, 0x7f800000u, 0x00800000u, 0x00400000u);
}
MOCKGPU_LANE U32 class_of(F64 x) {
  const U64 b = bits_of(x);
  return class_bit((b >> 63) != 0, b & 0x7fffffffffffffffu, 0x7ff0000000000000u, 0x0010000000000000u,
                   0x0008000000000000u);
}
MOCKGPU_LANE U32 class_of(F16 x) {
  return class_bit((x.bits & 0x8000) != 0, x.bits & 0x7fffu, 0x7c00u, 0x0400u, 0x0200u);
}
template <typename F>
MOCKGPU_LANE bool is_class(F x, U32 mask) {
  return (class_of(x) & mask) != 0;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
