#pragma once

#include "emu/amd/wave/numerics/half.h"
#include "emu/amd/wave/numerics/nan.h"
#include "emu/amd/wave/numerics/types.h"

// Minimum, maximum, median. -0 < +0 throughout. Three families (RDNA3.5 ISA chapter 16.12, RDNA4 ISA):
//   min_num / max_num   one NaN: the other source; two: the first, quieted. MODE.IEEE = 0, and the *_num_*
//   opcodes of gfx12. min_ieee / max_ieee MODE.IEEE = 1 (the default of compute kernels up to gfx11): as
//   above, but a signalling NaN is the
//                       result, quieted; the first one in operand order.
//   minimum / maximum   gfx12 and later: any NaN is the result (NAN-1).
// All of them compare bits: callers flush f32 inputs where MODE.FP_DENORM says so.

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

// Integers in the order of the floats they stand for, with -0 below +0.
MOCKGPU_LANE I32 order_of(F32 x) {
  const I32 b = static_cast<I32>(bits_of(x));
  return b ^ ((b >> 31) & 0x7fffffff);
}
MOCKGPU_LANE I64 order_of(F64 x) {
  const I64 b = static_cast<I64>(bits_of(x));
  return b ^ ((b >> 63) & 0x7fffffffffffffff);
}
MOCKGPU_LANE I32 order_of(F16 x) {
  const I32 b = static_cast<I16>(x.bits);
  return b ^ ((b >> 31) & 0x7fff);
}

template <typename F>
MOCKGPU_LANE F min_num(F a, F b) {
  const F less = select(order_of(a) < order_of(b), a, b);
  const F one = select(is_nan(a), b, less);
  return select(is_nan(b), quiet(a), one);
}
template <typename F>
MOCKGPU_LANE F max_num(F a, F b) {
  const F greater = select(order_of(a) > order_of(b), a, b);
  const F one = select(is_nan(a), b, greater);
  return select(is_nan(b), quiet(a), one);
}

template <typename F>
MOCKGPU_LANE F min_ieee(F a, F b) {
  const F result = min_num(a, b);
  const F second = select(is_signalling(b), quiet(b), result);
  return select(is_signalling(a), quiet(a), second);
}
template <typename F>
MOCKGPU_LANE F max_ieee(F a, F b) {
  const F result = max_num(a, b);
  const F second = select(is_signalling(b), quiet(b), result);
  return select(is_signalling(a), quiet(a), second);
}

template <typename F>
MOCKGPU_LANE F minimum(F a, F b) {
  const F less = select(order_of(a) < order_of(b), a, b);
  const F second = select(is_nan(b), quiet(b), less);
  return select(is_nan(a), quiet(a), second);
}
template <typename F>
MOCKGPU_LANE F maximum(F a, F b) {
  const F greater = select(order_of(a) > order_of(b), a, b);
  const F second = select(is_nan(b), quiet(b), greater);
  return select(is_nan(a), quiet(a), second);
}

template <typename F>
MOCKGPU_LANE F min3_num(F a, F b, F c) {
  return min_num(min_num(a, b), c);
}
template <typename F>
MOCKGPU_LANE F max3_num(F a, F b, F c) {
  return max_num(max_num(a, b), c);
}
template <typename F>
MOCKGPU_LANE F min3_ieee(F a, F b, F c) {
  return min_ieee(min_ieee(a, b), c);
}
template <typename F>
MOCKGPU_LANE F max3_ieee(F a, F b, F c) {
  return max_ieee(max_ieee(a, b), c);
}
template <typename F>
MOCKGPU_LANE F minimum3(F a, F b, F c) {
  return minimum(minimum(a, b), c);
}
template <typename F>
MOCKGPU_LANE F maximum3(F a, F b, F c) {
  return maximum(maximum(a, b), c);
}

// IEEE equality, in which the zeros are equal.
MOCKGPU_LANE bool same_value(F32 a, F32 b) { return a == b; }
MOCKGPU_LANE bool same_value(F64 a, F64 b) { return a == b; }
MOCKGPU_LANE bool same_value(F16 a, F16 b) { return to_f32(a) == to_f32(b); }

/// `yes` if one of a, b, c is a NaN (without &&, which would not vectorise).
template <typename F>
MOCKGPU_LANE F select_any_nan(F a, F b, F c, F yes, F no) {
  return select(is_nan(a), yes, select(is_nan(b), yes, select(is_nan(c), yes, no)));
}

/// The maximum of what is left when one source equal to the greatest is taken away; with a NaN, min3.
template <typename F>
MOCKGPU_LANE F med3_num(F a, F b, F c) {
  const F top = max3_num(a, b, c);
  const F rest_a = max_num(b, c);
  const F rest_b = max_num(a, c);
  const F rest_c = max_num(a, b);
  const F middle = select(same_value(top, a), rest_a, select(same_value(top, b), rest_b, rest_c));
  return select_any_nan(a, b, c, min3_num(a, b, c), middle);
}
template <typename F>
MOCKGPU_LANE F med3_ieee(F a, F b, F c) {
  return select_any_nan(a, b, c, min3_ieee(a, b, c), med3_num(a, b, c));
}

template <typename I>
MOCKGPU_LANE I min_int(I a, I b) {
  return a < b ? a : b;
}
template <typename I>
MOCKGPU_LANE I max_int(I a, I b) {
  return a > b ? a : b;
}
template <typename I>
MOCKGPU_LANE I min3_int(I a, I b, I c) {
  return min_int(min_int(a, b), c);
}
template <typename I>
MOCKGPU_LANE I max3_int(I a, I b, I c) {
  return max_int(max_int(a, b), c);
}
template <typename I>
MOCKGPU_LANE I med3_int(I a, I b, I c) {
  return max_int(min_int(a, b), min_int(max_int(a, b), c));
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
