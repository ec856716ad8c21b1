#pragma once

#include "emu/amd/wave/numerics/exponent.h"
#include "emu/amd/wave/numerics/half.h"
#include "emu/amd/wave/numerics/nan.h"
#include "emu/amd/wave/numerics/types.h"

// v_div_scale, v_div_fmas, v_div_fixup and v_trig_preop_f64. When MODE flushes f32 denormals the caller
// flushes the f32 sources of div_scale and div_fixup first.
//
// DIV-1, how div_scale reads. The manual's pseudocode compares with a value "DENORM" and was checked on
// hardware at single points only. We take the reading under which the compilers' division sequence is
// correctly rounded for all operands:
//   - a zero source gives NaN and the flag (hardware; the pseudocode forgets the flag);
//   - "S2/S1 is denormal" is a test of exponents, true from a difference of -126 (-1022) down (hardware
//   scales 2^-126/1);
//   - "1/S1 is denormal" is meant in the format itself, and then a scaled denominator is scaled down.

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

/// The scaled operand, and the lane's bit of VCC: whether div_fmas must scale back.
template <typename F>
struct DivScale {
  F value;
  bool post_scale;
};

/// What div_scale's rules need to know of the operands; exponents of nonzero finite values are those of
/// frexp.
struct DivCase {
  bool denormal_denominator;
  bool reciprocal_denormal;
  I32 field_difference;  // of the exponent fields, S2 - S1
  I32 difference;        // of the true exponents
  I32 numerator_field;
};
struct DivLimits {
  I32 large;     // difference from which on the quotient is near overflow
  I32 denormal;  // ... down to which it may be denormal
  I32 tiny;      // numerator exponent field that is tiny
  I32 step;      // scaling
};
/// The exponent to scale S0 by, and the flag.
struct DivStep {
  I32 scale;
  bool flag;
};
inline DivStep div_step(const DivCase& c, const DivLimits& limits, bool s0_is_s1, bool s0_is_s2) {
  if (c.field_difference >= limits.large) return {s0_is_s1 ? limits.step : 0, true};
  if (c.denormal_denominator) return {limits.step, false};
  const bool denormal_quotient = c.difference <= limits.denormal;
  if (c.reciprocal_denormal && denormal_quotient) return {s0_is_s1 ? -limits.step : 0, true};
  if (c.reciprocal_denormal) return {-limits.step, false};
  if (denormal_quotient) return {s0_is_s2 ? limits.step : 0, true};
  if (c.numerator_field <= limits.tiny) return {limits.step, false};
  return {0, false};
}

MOCKGPU_LANE I32 exponent_field(F32 x) { return static_cast<I32>((bits_of(x) >> 23) & 0xff); }
MOCKGPU_LANE I32 exponent_field(F64 x) { return static_cast<I32>((bits_of(x) >> 52) & 0x7ff); }

/// s0 is the value to scale (the denominator s1 or the numerator s2 again).
inline DivScale<F32> div_scale(F32 s0, F32 s1, F32 s2) {
  const U32 denominator = bits_of(s1) & 0x7fffffffu;
  const U32 numerator = bits_of(s2) & 0x7fffffffu;
  if (denominator == 0 || numerator == 0) return {f32_of(kNanF32), true};
  const DivCase c{denominator<0x00800000u, denominator> 0x7e800000u && denominator < 0x7f800000u,
                  exponent_field(s2) - exponent_field(s1), frexp_exp(s2) - frexp_exp(s1), exponent_field(s2)};
  const DivStep step = div_step(c, {96, -126, 23, 64}, s0 == s1, s0 == s2);
  return {step.scale == 0 ? s0 : ldexp(s0, step.scale), step.flag};
}
inline DivScale<F64> div_scale(F64 s0, F64 s1, F64 s2) {
  const U64 denominator = bits_of(s1) & 0x7fffffffffffffffu;
  const U64 numerator = bits_of(s2) & 0x7fffffffffffffffu;
  if (denominator == 0 || numerator == 0) return {f64_of(kNanF64), true};
  const DivCase c{
      denominator<0x0010000000000000u, denominator> 0x7fd0000000000000u && denominator < 0x7ff0000000000000u,
      exponent_field(s2) - exponent_field(s1), frexp_exp(s2) - frexp_exp(s1), exponent_field(s2)};
  const DivStep step = div_step(c, {768, -1022, 53, 128}, s0 == s1, s0 == s2);
  return {step.scale == 0 ? s0 : ldexp(s0, step.scale), step.flag};
}

/// fma(a, b, c), scaled by 2^64 or 2^-64 if the lane's VCC bit is set (up if c >= 2 in magnitude), one
/// rounding.
inline F32 div_fmas(F32 a, F32 b, F32 c, bool post_scale) {
  if (!post_scale) return fix_nan(__builtin_fmaf(a, b, c), a, b, c);
  // The product is exact in f64; the sum is rounded to odd there, scaled, and rounded to f32.
  const F64 x = static_cast<F64>(a) * static_cast<F64>(b);
  const F64 y = static_cast<F64>(c);
  const F64 sum = x + y;
  const F64 part = sum - x;
  const F64 error = (x - (sum - part)) + (y - part);
  const bool inexact = error < 0.0 || error > 0.0;
  const bool too_far = (error < 0.0) != (sum < 0.0);
  const F64 odd = inexact ? f64_of((bits_of(sum) - (too_far ? 1u : 0u)) | 1u) : sum;
  const F64 scale = exponent_field(c) > 127 ? 0x1p64 : 0x1p-64;
  return fix_nan(static_cast<F32>(odd * scale), a, b, c);
}
/// The same with 2^128 or 2^-128.
inline F64 div_fmas(F64 a, F64 b, F64 c, bool post_scale) {
  const F64 sum = __builtin_fma(a, b, c);
  if (!post_scale) return fix_nan(sum, a, b, c);
  if (exponent_field(c) > 1023) return fix_nan(sum * 0x1p128, a, b, c);
  // A denormal result would be rounded twice, which goes wrong if `sum` is a tie of the denormal grid only
  // because it was rounded itself. Then the error a*b + c - sum decides.
  const F64 scaled = sum * 0x1p-128;
  const F64 left = sum - scaled * 0x1p128;
  const F64 half = 0x1p-947;  // of the last place of a denormal, before scaling
  const F64 product = a * b;
  const F64 product_error = __builtin_fma(a, b, -product);
  const F64 rough = product + c;
  const F64 part = rough - product;
  const F64 rough_error = (product - (rough - part)) + (c - part);
  const F64 error = ((rough - sum) + rough_error) + product_error;
  const F64 up = left == half && error > 0.0 ? 0x1p-1074 : 0.0;
  const F64 down = left == -half && error < 0.0 ? 0x1p-1074 : 0.0;
  return fix_nan((scaled + up) - down, a, b, c);
}

/// q is the quotient estimate, d the denominator, n the numerator. A NaN estimate where no rule applies means
/// overflow.
inline F32 div_fixup(F32 q, F32 d, F32 n) {
  const U32 sign = (bits_of(d) ^ bits_of(n)) & 0x80000000u;
  const U32 size_d = bits_of(d) & 0x7fffffffu;
  const U32 size_n = bits_of(n) & 0x7fffffffu;
  const U32 infinity = 0x7f800000u;
  if (is_nan(n)) return quiet(n);
  if (is_nan(d)) return quiet(d);
  if ((size_d == 0 && size_n == 0) || (size_d == infinity && size_n == infinity)) return f32_of(kNanF32);
  if (size_d == 0 || size_n == infinity) return f32_of(sign | infinity);
  if (size_d == infinity || size_n == 0) return f32_of(sign);
  if (exponent_field(n) - exponent_field(d) < -150) return f32_of(sign);
  if (is_nan(q)) return f32_of(sign | infinity);
  return f32_of((bits_of(q) & 0x7fffffffu) | sign);
}
inline F64 div_fixup(F64 q, F64 d, F64 n) {
  const U64 sign = (bits_of(d) ^ bits_of(n)) & 0x8000000000000000u;
  const U64 size_d = bits_of(d) & 0x7fffffffffffffffu;
  const U64 size_n = bits_of(n) & 0x7fffffffffffffffu;
  const U64 infinity = 0x7ff0000000000000u;
  if (is_nan(n)) return quiet(n);
  if (is_nan(d)) return quiet(d);
  if ((size_d == 0 && size_n == 0) || (size_d == infinity && size_n == infinity)) return f64_of(kNanF64);
  if (size_d == 0 || size_n == infinity) return f64_of(sign | infinity);
  if (size_d == infinity || size_n == 0) return f64_of(sign);
  if (exponent_field(n) - exponent_field(d) < -1075) return f64_of(sign);
  if (is_nan(q)) return f64_of(sign | infinity);
  return f64_of((bits_of(q) & 0x7fffffffffffffffu) | sign);
}
inline F16 div_fixup(F16 q, F16 d, F16 n) {
  const U16 sign = static_cast<U16>((d.bits ^ n.bits) & 0x8000);
  const U16 size_d = d.bits & 0x7fff;
  const U16 size_n = n.bits & 0x7fff;
  const U16 infinity = 0x7c00;
  if (is_nan(n)) return quiet(n);
  if (is_nan(d)) return quiet(d);
  if ((size_d == 0 && size_n == 0) || (size_d == infinity && size_n == infinity)) return F16{kNanF16};
  if (size_d == 0 || size_n == infinity) return F16{static_cast<U16>(sign | infinity)};
  if (size_d == infinity || size_n == 0) return F16{sign};
  return quiet(F16{static_cast<U16>((q.bits & 0x7fff) | sign)});
}

/// 53 bits of 2/pi from bit 53 * (segment & 31) on (further for a large x), towards zero, at their place
/// value; scaled by 2^128 for x from 2^945 on, whose own scaling would lose bits.
inline F64 trig_preop(F64 x, U32 segment) {
  // 2/pi cut to 1201 bits behind the point, most significant first.
  constexpr U64 kTwoOverPi[20] = {
      0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u,
      0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu, 0xe88235f52ebb4484u,
      0xe99c7026b45f7e41u, 0x3991d639835339f4u, 0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu,
      0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du, 0x7527bac7ebe5f17bu,
      0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b0000u, 0x0000000000000000u};
  const I32 exponent = exponent_field(x);
  const I32 shift = static_cast<I32>(segment & 31) * 53 + (exponent > 1077 ? exponent - 1077 : 0);
  const U32 word = static_cast<U32>(shift) >> 6;
  const U32 bit = static_cast<U32>(shift) & 63;
  const U64 first = word < 20 ? kTwoOverPi[word] : 0;
  const U64 second = word + 1 < 20 ? kTwoOverPi[word + 1] : 0;
  const U64 window = bit == 0 ? first : (first << bit) | (second >> (64 - bit));
  const F64 digits = static_cast<F64>(static_cast<I64>(window >> 11));
  return ldexp(digits, -53 - shift + (exponent >= 1968 ? 128 : 0));
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
