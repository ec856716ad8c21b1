#pragma once

#include "emu/amd/wave/numerics/arithmetic.h"
#include "emu/amd/wave/numerics/half.h"
#include "emu/amd/wave/numerics/integer.h"
#include "emu/amd/wave/numerics/types.h"

// Dot products with accumulation.
//
// DOT-1, how the float forms round. The manual gives tmp = S2; tmp += S0.lo * S1.lo; tmp += S0.hi * S1.hi and
// says nothing of intermediate precision. Ours: each step is one fused multiply-add with one rounding to the
// accumulator's format, the low half first. Integer forms are exact; the sum wraps, or saturates once at the
// end with CLAMP.

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

/// acc + a * b where the product is exact in f32 (f16) or needs f64 (bf16 near the ends of the range).
MOCKGPU_LANE F32 dot_step(F16 a, F16 b, F32 acc) {
  const F32 x = to_f32(a);
  const F32 y = to_f32(b);
  return fix_nan(x * y + acc, x, y, acc);
}
MOCKGPU_LANE F32 dot_step(BF16 a, BF16 b, F32 acc) { return fma(to_f32(a), to_f32(b), acc); }
/// v_dot2_f32_f16, v_dot2c_f32_f16, v_dot2acc_f32_f16.
MOCKGPU_LANE F32 dot2_f32_f16(U32 a, U32 b, F32 c) {
  return dot_step(hi_f16(a), hi_f16(b), dot_step(lo_f16(a), lo_f16(b), c));
}
/// v_dot2_f32_bf16 and its accumulating forms.
MOCKGPU_LANE F32 dot2_f32_bf16(U32 a, U32 b, F32 c) {
  return dot_step(hi_bf16(a), hi_bf16(b), dot_step(lo_bf16(a), lo_bf16(b), c));
}
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 dot2_f16_f16(U32 a, U32 b, F16 c) {
  return fma<kRound>(hi_f16(a), hi_f16(b), fma<kRound>(lo_f16(a), lo_f16(b), c));
}

/// An f64 to bf16, nearest even, one rounding (via f32 there would be two).
MOCKGPU_LANE BF16 to_bf16(F64 x) {
  const U64 b = bits_of(x);
  const U64 magnitude = b & 0x7fffffffffffffffu;
  const U64 sign = (b >> 48) & 0x8000u;
  const I64 exponent = static_cast<I64>(magnitude >> 52) - (1023 - 127);
  const I64 below = exponent < 1 ? 46 - exponent : 45;
  const U64 shift = static_cast<U64>(below > 54 ? 54 : below);
  const U64 significand = (magnitude & 0x000fffffffffffffu) | 0x0010000000000000u;
  const U64 kept = significand >> shift;
  const U64 lost = significand & ((U64{1} << shift) - 1);
  const U64 half = U64{1} << (shift - 1);
  const U64 base = exponent < 1 ? 0 : static_cast<U64>(exponent - 1) << 7;
  const U64 rounded = kept + base + (lost + (kept & 1) > half ? 1u : 0u);
  const U64 finite = magnitude == 0 ? 0 : exponent > 254 ? 0x7f80u : rounded > 0x7f80u ? 0x7f80u : rounded;
  const U64 nan = 0x7fc0u | ((magnitude >> 45) & 0x3fu);
  const U64 result = magnitude > 0x7ff0000000000000u ? nan : finite;
  return BF16{static_cast<U16>(result | sign)};
}
/// A bf16 multiply-add with one rounding: exact product, sum to odd in f64.
MOCKGPU_LANE BF16 fma(BF16 a, BF16 b, BF16 c) {
  const F32 x = to_f32(a);
  const F32 y = to_f32(b);
  const F32 z = to_f32(c);
  const F64 product = static_cast<F64>(x) * static_cast<F64>(y);
  const F64 addend = static_cast<F64>(z);
  const F64 sum = product + addend;
  const F64 part = sum - product;
  const F64 error = (product - (sum - part)) + (addend - part);
  const U64 too_far = (error < 0.0) != (sum < 0.0) ? 1u : 0u;
  const F64 odd = error < 0.0 ? f64_of((bits_of(sum) - too_far) | 1u)
                              : (error > 0.0 ? f64_of((bits_of(sum) - too_far) | 1u) : sum);
  const F32 nan = fix_nan(f32_of(kNanF32), x, y, z);
  return is_nan(sum) ? to_bf16(nan) : to_bf16(odd);
}
MOCKGPU_LANE BF16 dot2_bf16_bf16(U32 a, U32 b, BF16 c) {
  return fma(hi_bf16(a), hi_bf16(b), fma(lo_bf16(a), lo_bf16(b), c));
}

// Element i of a packed register, extended.
MOCKGPU_LANE I32 element8(U32 x, U32 i, bool is_signed) {
  const U32 byte = (x >> (8 * i)) & 0xff;
  return is_signed ? static_cast<I32>(byte << 24) >> 24 : static_cast<I32>(byte);
}
MOCKGPU_LANE I32 element4(U32 x, U32 i, bool is_signed) {
  const U32 nibble = (x >> (4 * i)) & 0xf;
  return is_signed ? static_cast<I32>(nibble << 28) >> 28 : static_cast<I32>(nibble);
}
// Sums of products without the accumulator: at most 19 bits, no overflow.
MOCKGPU_LANE I32 dot4_8(U32 a, U32 b, bool signed_a, bool signed_b) {
  I32 sum = 0;
  for (U32 i = 0; i < 4; ++i) sum += element8(a, i, signed_a) * element8(b, i, signed_b);
  return sum;
}
MOCKGPU_LANE I32 dot8_4(U32 a, U32 b, bool signed_a, bool signed_b) {
  I32 sum = 0;
  for (U32 i = 0; i < 8; ++i) sum += element4(a, i, signed_a) * element4(b, i, signed_b);
  return sum;
}
MOCKGPU_LANE U32 accumulate_i32(I32 sum, U32 c, bool saturate) {
  const U32 wrapped = static_cast<U32>(sum) + c;
  return saturate ? saturate_i32(I64{sum} + static_cast<I32>(c)) : wrapped;
}
MOCKGPU_LANE U32 accumulate_u32(U32 sum, U32 c, bool saturate) {
  const U32 wrapped = sum + c;
  return saturate && wrapped < sum ? ~0u : wrapped;
}
/// v_dot4_i32_iu8 (neg[0], neg[1] say which sources are signed), v_dot4_i32_i8 (both are).
MOCKGPU_LANE U32 dot4_i32_iu8(U32 a, U32 b, U32 c, bool signed_a, bool signed_b, bool saturate) {
  return accumulate_i32(dot4_8(a, b, signed_a, signed_b), c, saturate);
}
MOCKGPU_LANE U32 dot4_u32_u8(U32 a, U32 b, U32 c, bool saturate) {
  return accumulate_u32(static_cast<U32>(dot4_8(a, b, false, false)), c, saturate);
}
MOCKGPU_LANE U32 dot8_i32_iu4(U32 a, U32 b, U32 c, bool signed_a, bool signed_b, bool saturate) {
  return accumulate_i32(dot8_4(a, b, signed_a, signed_b), c, saturate);
}
MOCKGPU_LANE U32 dot8_u32_u4(U32 a, U32 b, U32 c, bool saturate) {
  return accumulate_u32(static_cast<U32>(dot8_4(a, b, false, false)), c, saturate);
}
/// v_dot2_i32_i16, v_dot2_u32_u16 (gfx906 to cdna, rdna1/2): the exact sum needs 33 bits.
MOCKGPU_LANE U32 dot2_i32_i16(U32 a, U32 b, U32 c, bool saturate) {
  const I64 low = I64{static_cast<I16>(lo16(a))} * static_cast<I16>(lo16(b));
  const I64 high = I64{static_cast<I16>(hi16(a))} * static_cast<I16>(hi16(b));
  const I64 sum = low + high + static_cast<I32>(c);
  return saturate ? saturate_i32(sum) : static_cast<U32>(sum);
}
MOCKGPU_LANE U32 dot2_u32_u16(U32 a, U32 b, U32 c, bool saturate) {
  const U64 low = static_cast<U64>(lo16(a)) * lo16(b);
  const U64 high = static_cast<U64>(hi16(a)) * hi16(b);
  const U64 sum = low + high + c;
  return saturate && sum > 0xffffffffu ? ~0u : static_cast<U32>(sum);
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
