#pragma once

#include "emu/amd/wave/numerics/half.h"
#include "emu/amd/wave/numerics/nan.h"
#include "emu/amd/wave/numerics/types.h"

// To integral values: trunc, floor, ceil, rndne (ties to even), fract. Exact, whatever MXCSR says about
// rounding; callers flush denormal inputs where MODE says so. The builtins are single instructions where
// SSE4.1 is there; elsewhere they would be library calls, so the same values are made from bits.

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

MOCKGPU_LANE F32 portable_trunc(F32 x) {
  const U32 b = bits_of(x);
  const I32 exponent = static_cast<I32>((b >> 23) & 0xff);
  const I32 fraction_bits = 150 - exponent;
  const U32 n = static_cast<U32>(fraction_bits < 0 ? 0 : fraction_bits > 23 ? 23 : fraction_bits);
  return f32_of(exponent < 127 ? b & 0x80000000u : b & ~((1u << n) - 1));
}
MOCKGPU_LANE F64 portable_trunc(F64 x) {
  const U64 b = bits_of(x);
  const I64 exponent = static_cast<I64>((b >> 52) & 0x7ff);
  const I64 fraction_bits = 1075 - exponent;
  const U64 n = static_cast<U64>(fraction_bits < 0 ? 0 : fraction_bits > 52 ? 52 : fraction_bits);
  return f64_of(exponent < 1023 ? b & 0x8000000000000000u : b & ~((U64{1} << n) - 1));
}

/// `step` away from zero where the value lies beyond `base`, else base with its sign of zero.
template <typename F>
MOCKGPU_LANE F portable_floor(F x) {
  const F base = portable_trunc(x);
  return x < base ? base - F{1} : base;
}
template <typename F>
MOCKGPU_LANE F portable_ceil(F x) {
  const F base = portable_trunc(x);
  return x > base ? base + F{1} : base;
}
#ifdef __SSE4_1__
MOCKGPU_LANE F32 raw_trunc(F32 x) { return __builtin_truncf(x); }
MOCKGPU_LANE F64 raw_trunc(F64 x) { return __builtin_trunc(x); }
MOCKGPU_LANE F32 raw_floor(F32 x) { return __builtin_floorf(x); }
MOCKGPU_LANE F64 raw_floor(F64 x) { return __builtin_floor(x); }
MOCKGPU_LANE F32 raw_ceil(F32 x) { return __builtin_ceilf(x); }
MOCKGPU_LANE F64 raw_ceil(F64 x) { return __builtin_ceil(x); }
#else
MOCKGPU_LANE F32 raw_trunc(F32 x) { return portable_trunc(x); }
MOCKGPU_LANE F64 raw_trunc(F64 x) { return portable_trunc(x); }
MOCKGPU_LANE F32 raw_floor(F32 x) { return portable_floor(x); }
MOCKGPU_LANE F64 raw_floor(F64 x) { return portable_floor(x); }
MOCKGPU_LANE F32 raw_ceil(F32 x) { return portable_ceil(x); }
MOCKGPU_LANE F64 raw_ceil(F64 x) { return portable_ceil(x); }
#endif

/// From floor, so that it vectorises: x - floor(x) is exact for |x| < 2^22 and needed there only.
MOCKGPU_LANE F32 raw_rndne(F32 x) {
  const F32 low = raw_floor(x);
  const F32 rest = x - low;
  const F32 half = low * 0.5f;
  const F32 tie = raw_floor(half) != half ? low + 1.0f : low;
  const F32 rounded = rest > 0.5f ? low + 1.0f : rest == 0.5f ? tie : low;
  // Zero keeps the sign of x; beyond 2^23 all values are integers.
  const U32 signed_bits = bits_of(rounded) | (bits_of(x) & 0x80000000u);
  return abs(x) < 8388608.0f ? f32_of(signed_bits) : x;
}
MOCKGPU_LANE F64 raw_rndne(F64 x) {
  const F64 low = raw_floor(x);
  const F64 rest = x - low;
  const F64 half = low * 0.5;
  const F64 tie = raw_floor(half) != half ? low + 1.0 : low;
  const F64 rounded = rest > 0.5 ? low + 1.0 : rest == 0.5 ? tie : low;
  const U64 signed_bits = bits_of(rounded) | (bits_of(x) & 0x8000000000000000u);
  return abs(x) < 4503599627370496.0 ? f64_of(signed_bits) : x;
}

MOCKGPU_LANE F32 trunc(F32 x) { return fix_nan(raw_trunc(x), x); }
MOCKGPU_LANE F64 trunc(F64 x) { return fix_nan(raw_trunc(x), x); }
MOCKGPU_LANE F32 floor(F32 x) { return fix_nan(raw_floor(x), x); }
MOCKGPU_LANE F64 floor(F64 x) { return fix_nan(raw_floor(x), x); }
MOCKGPU_LANE F32 ceil(F32 x) { return fix_nan(raw_ceil(x), x); }
MOCKGPU_LANE F64 ceil(F64 x) { return fix_nan(raw_ceil(x), x); }
MOCKGPU_LANE F32 rndne(F32 x) { return fix_nan(raw_rndne(x), x); }
MOCKGPU_LANE F64 rndne(F64 x) { return fix_nan(raw_rndne(x), x); }
MOCKGPU_LANE F16 trunc(F16 x) { return to_f16(trunc(to_f32(x))); }
MOCKGPU_LANE F16 floor(F16 x) { return to_f16(floor(to_f32(x))); }
MOCKGPU_LANE F16 ceil(F16 x) { return to_f16(ceil(to_f32(x))); }
MOCKGPU_LANE F16 rndne(F16 x) { return to_f16(rndne(to_f32(x))); }

/// x - floor(x), never 1: the result is at most the greatest value below 1. An infinity is an invalid
/// operation.
MOCKGPU_LANE F32 fract(F32 x) {
  const F32 rest = x - raw_floor(x);
  const F32 below_one = f32_of(0x3f7fffffu);
  return fix_nan(rest > below_one ? below_one : rest, x);
}
MOCKGPU_LANE F64 fract(F64 x) {
  const F64 rest = x - raw_floor(x);
  const F64 below_one = f64_of(0x3fefffffffffffffu);
  return fix_nan(rest > below_one ? below_one : rest, x);
}
/// The difference of f16 values below 2^11 is exact in f32 but for tiny negative ones, which f32 rounds up
/// to 1.
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 fract(F16 x) {
  const F32 f = to_f32(x);
  const F32 rest = add_to_odd(f, -raw_floor(f));
  const F16 rounded = to_f16<kRound>(fix_nan(rest, f));
  return F16{rounded.bits == 0x3c00 ? U16{0x3bff} : rounded.bits};
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
