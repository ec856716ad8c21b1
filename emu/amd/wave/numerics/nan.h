#pragma once

#include "emu/amd/wave/numerics/types.h"

// NAN-1: the result of an operation with NaN sources is the first one in operand order, quieted, sign and
// payload kept; an invalid operation gives the positive default NaN. Hosts differ here (x86 makes the
// negative one, and a compiler may swap operands), so every arithmetic result passes through fix_nan.

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

inline constexpr U16 kNanF16 = 0x7e00;
inline constexpr U16 kNanBf16 = 0x7fc0;
inline constexpr U32 kNanF32 = 0x7fc00000u;
inline constexpr U64 kNanF64 = 0x7ff8000000000000u;

MOCKGPU_LANE bool is_nan(F32 x) { return x != x; }
MOCKGPU_LANE bool is_nan(F64 x) { return x != x; }
MOCKGPU_LANE bool is_nan(F16 x) { return (x.bits & 0x7fff) > 0x7c00; }
MOCKGPU_LANE bool is_nan(BF16 x) { return (x.bits & 0x7fff) > 0x7f80; }

// Signalling NaNs lie between infinity and the first quiet NaN; one unsigned compare finds them.
MOCKGPU_LANE bool is_signalling(F32 x) { return (bits_of(x) & 0x7fffffffu) - 0x7f800001u < 0x003fffffu; }
MOCKGPU_LANE bool is_signalling(F64 x) {
  return (bits_of(x) & 0x7fffffffffffffffu) - 0x7ff0000000000001u < 0x0007ffffffffffffu;
}
MOCKGPU_LANE bool is_signalling(F16 x) { return (x.bits & 0x7fffu) - 0x7c01u < 0x01ffu; }

/// A NaN with its quiet bit set; any other value unchanged.
MOCKGPU_LANE F32 quiet(F32 x) { return f32_of(bits_of(x) | (is_nan(x) ? 0x00400000u : 0u)); }
MOCKGPU_LANE F64 quiet(F64 x) { return f64_of(bits_of(x) | (is_nan(x) ? U64{0x0008000000000000u} : U64{0})); }
MOCKGPU_LANE F16 quiet(F16 x) { return F16{static_cast<U16>(x.bits | (is_nan(x) ? 0x0200 : 0))}; }
MOCKGPU_LANE BF16 quiet(BF16 x) { return BF16{static_cast<U16>(x.bits | (is_nan(x) ? 0x0040 : 0))}; }

/// `result` if it is a number, else the NaN that NAN-1 asks for, given the sources in operand order.
MOCKGPU_LANE F32 fix_nan(F32 result, F32 a) {
  const U32 nan = is_nan(a) ? bits_of(a) | 0x00400000u : kNanF32;
  return is_nan(result) ? f32_of(nan) : result;
}
MOCKGPU_LANE F32 fix_nan(F32 result, F32 a, F32 b) {
  const U32 nan = is_nan(b) ? bits_of(b) | 0x00400000u : kNanF32;
  const U32 first = is_nan(a) ? bits_of(a) | 0x00400000u : nan;
  return is_nan(result) ? f32_of(first) : result;
}
MOCKGPU_LANE F32 fix_nan(F32 result, F32 a, F32 b, F32 c) {
  const U32 nan = is_nan(c) ? bits_of(c) | 0x00400000u : kNanF32;
  const U32 second = is_nan(b) ? bits_of(b) | 0x00400000u : nan;
  const U32 first = is_nan(a) ? bits_of(a) | 0x00400000u : second;
  return is_nan(result) ? f32_of(first) : result;
}
MOCKGPU_LANE F64 fix_nan(F64 result, F64 a) {
  const U64 nan = is_nan(a) ? bits_of(a) | 0x0008000000000000u : kNanF64;
  return is_nan(result) ? f64_of(nan) : result;
}
MOCKGPU_LANE F64 fix_nan(F64 result, F64 a, F64 b) {
  const U64 nan = is_nan(b) ? bits_of(b) | 0x0008000000000000u : kNanF64;
  const U64 first = is_nan(a) ? bits_of(a) | 0x0008000000000000u : nan;
  return is_nan(result) ? f64_of(first) : result;
}
MOCKGPU_LANE F64 fix_nan(F64 result, F64 a, F64 b, F64 c) {
  const U64 nan = is_nan(c) ? bits_of(c) | 0x0008000000000000u : kNanF64;
  const U64 second = is_nan(b) ? bits_of(b) | 0x0008000000000000u : nan;
  const U64 first = is_nan(a) ? bits_of(a) | 0x0008000000000000u : second;
  return is_nan(result) ? f64_of(first) : result;
}

// Denormals to zero of the same sign: what MODE.FP_DENORM asks for on inputs or outputs when it flushes.
// Functions marked "bits" in README.md do not look at MXCSR, so their callers flush with these.
MOCKGPU_LANE F32 flush(F32 x) {
  const U32 b = bits_of(x);
  return f32_of((b & 0x7f800000u) == 0 ? b & 0x80000000u : b);
}
MOCKGPU_LANE F64 flush(F64 x) {
  const U64 b = bits_of(x);
  return f64_of((b & 0x7ff0000000000000u) == 0 ? b & 0x8000000000000000u : b);
}
MOCKGPU_LANE F16 flush(F16 x) {
  return F16{static_cast<U16>((x.bits & 0x7c00) == 0 ? x.bits & 0x8000 : x.bits)};
}
MOCKGPU_LANE BF16 flush(BF16 x) {
  return BF16{static_cast<U16>((x.bits & 0x7f80) == 0 ? x.bits & 0x8000 : x.bits)};
}

// Source modifiers: abs first, then neg. They act on the sign bit, also of a NaN.
MOCKGPU_LANE F32 abs(F32 x) { return f32_of(bits_of(x) & 0x7fffffffu); }
MOCKGPU_LANE F64 abs(F64 x) { return f64_of(bits_of(x) & 0x7fffffffffffffffu); }
MOCKGPU_LANE F16 abs(F16 x) { return F16{static_cast<U16>(x.bits & 0x7fff)}; }
MOCKGPU_LANE F32 neg(F32 x) { return f32_of(bits_of(x) ^ 0x80000000u); }
MOCKGPU_LANE F64 neg(F64 x) { return f64_of(bits_of(x) ^ 0x8000000000000000u); }
MOCKGPU_LANE F16 neg(F16 x) { return F16{static_cast<U16>(x.bits ^ 0x8000)}; }
MOCKGPU_LANE BF16 neg(BF16 x) { return BF16{static_cast<U16>(x.bits ^ 0x8000)}; }

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
