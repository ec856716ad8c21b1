#pragma once

#include "emu/amd/wave/numerics/nan.h"
#include "emu/amd/wave/numerics/types.h"

// f16 and bf16 <-> f32, in integer arithmetic: no MXCSR setting can disturb them, and loops over them
// vectorise.

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

/// Exact; NaN payloads move with their signalling bit.
MOCKGPU_LANE F32 to_f32(F16 h) {
  const U32 magnitude = static_cast<U32>(h.bits & 0x7fff) << 13;
  const U32 sign = static_cast<U32>(h.bits & 0x8000) << 16;
  const U32 exponent = magnitude & 0x0f800000u;
  const U32 rebias = exponent == 0x0f800000u ? 224u << 23 : 112u << 23;
  // A denormal m * 2^-24 is (2^-14 + m * 2^-24) - 2^-14, both normal in f32.
  const F32 denormal = f32_of(magnitude + (113u << 23)) - f32_of(113u << 23);
  return f32_of((exponent == 0 ? bits_of(denormal) : magnitude + rebias) | sign);
}

MOCKGPU_LANE F32 to_f32(BF16 h) { return f32_of(static_cast<U32>(h.bits) << 16); }

/// One rounding. Overflow gives infinity or the largest finite value as the mode says; NaN payloads are cut
/// and quieted.
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 to_f16(F32 x) {
  const U32 b = bits_of(x);
  const U32 magnitude = b & 0x7fffffffu;
  const U32 sign = (b >> 16) & 0x8000u;
  const I32 exponent = static_cast<I32>(magnitude >> 23);
  // The significand is cut by 13 bits, or by more where the result is denormal; 25 is as good as any larger
  // shift.
  const I32 below = 126 - exponent;
  const U32 shift = static_cast<U32>(below < 13 ? 13 : (below > 25 ? 25 : below));
  const U32 implicit = exponent == 0 ? 0u : 0x00800000u;
  const U32 significand = (magnitude & 0x007fffffu) | implicit;
  const U32 kept = significand >> shift;
  const U32 lost = significand & ((1u << shift) - 1);
  const U32 half = 1u << (shift - 1);
  U32 up = 0;
  if constexpr (kRound == Round::kNearestEven) {
    up = (lost + (kept & 1) > half) ? 1u : 0u;
  } else if constexpr (kRound == Round::kUp) {
    up = (lost != 0 && sign == 0) ? 1u : 0u;
  } else if constexpr (kRound == Round::kDown) {
    up = (lost != 0 && sign != 0) ? 1u : 0u;
  }
  // `kept` of a normal result holds the implicit bit, which is the exponent's first unit.
  const I32 exponent16 = exponent - 113 < 0 ? 0 : exponent - 113;
  U32 result = kept + up + (static_cast<U32>(exponent16) << 10);
  U32 overflow = 0x7c00u;
  if constexpr (kRound == Round::kZero) {
    overflow = 0x7bffu;
  } else if constexpr (kRound == Round::kUp) {
    overflow = sign == 0 ? 0x7c00u : 0x7bffu;
  } else if constexpr (kRound == Round::kDown) {
    overflow = sign == 0 ? 0x7bffu : 0x7c00u;
  }
  result = result > overflow || exponent >= 143 ? overflow : result;
  result = magnitude == 0x7f800000u ? 0x7c00u : result;
  result = magnitude > 0x7f800000u ? 0x7e00u | ((magnitude >> 13) & 0x03ffu) : result;
  return F16{static_cast<U16>(result | sign)};
}

template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE BF16 to_bf16(F32 x) {
  const U32 b = bits_of(x);
  const U32 magnitude = b & 0x7fffffffu;
  const U32 sign = b & 0x80000000u;
  const U32 lost = magnitude & 0xffffu;
  U32 up = 0;
  if constexpr (kRound == Round::kNearestEven) {
    up = (lost + ((magnitude >> 16) & 1) > 0x8000u) ? 1u : 0u;
  } else if constexpr (kRound == Round::kUp) {
    up = (lost != 0 && sign == 0) ? 1u : 0u;
  } else if constexpr (kRound == Round::kDown) {
    up = (lost != 0 && sign != 0) ? 1u : 0u;
  }
  const U32 rounded = (magnitude >> 16) + (magnitude < 0x7f800000u ? up : 0u);
  const U32 nan = (magnitude >> 16) | 0x0040u;
  return BF16{static_cast<U16>((magnitude > 0x7f800000u ? nan : rounded) | (sign >> 16))};
}

/// The same with the mode as a value, for the modes that have no fast path.
MOCKGPU_LANE F16 to_f16(F32 x, Round round) {
  switch (round) {
    case Round::kUp: return to_f16<Round::kUp>(x);
    case Round::kDown: return to_f16<Round::kDown>(x);
    case Round::kZero: return to_f16<Round::kZero>(x);
    default: return to_f16<Round::kNearestEven>(x);
  }
}
MOCKGPU_LANE BF16 to_bf16(F32 x, Round round) {
  switch (round) {
    case Round::kUp: return to_bf16<Round::kUp>(x);
    case Round::kDown: return to_bf16<Round::kDown>(x);
    case Round::kZero: return to_bf16<Round::kZero>(x);
    default: return to_bf16<Round::kNearestEven>(x);
  }
}

/// a + b with the last bit of the result set if it is inexact ("round to odd"). Rounding that once more to a
/// format with at least two bits less gives the same as rounding the exact sum. Needs MXCSR to round to
/// nearest; the values met here (f16 values and their products) never make an f32 denormal.
MOCKGPU_LANE F32 add_to_odd(F32 a, F32 b) {
  const F32 sum = a + b;
  const F32 part = sum - a;
  const F32 error = (a - (sum - part)) + (b - part);
  // False for the NaN that infinities make of the error.
  const bool inexact = error < 0.0f || error > 0.0f;
  const bool too_far = (error < 0.0f) != (sum < 0.0f);
  const U32 cut = bits_of(sum) - (too_far ? 1u : 0u);
  return inexact ? f32_of(cut | 1u) : sum;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
