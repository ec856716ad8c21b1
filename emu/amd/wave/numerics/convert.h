#pragma once

#include "emu/amd/wave/numerics/half.h"
#include "emu/amd/wave/numerics/nan.h"
#include "emu/amd/wave/numerics/rounding.h"
#include "emu/amd/wave/numerics/types.h"

// Conversions. To integers: towards zero unless named otherwise, saturating, NaN gives 0 (RDNA3.5 ISA 16.12).

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

MOCKGPU_LANE I32 to_i32(F32 x) {
  const bool fits = x >= -2147483648.0f && x < 2147483648.0f;
  const I32 inside = static_cast<I32>(fits ? x : 0.0f);
  const I32 high = x >= 2147483648.0f ? 0x7fffffff : inside;
  return x < -2147483648.0f ? static_cast<I32>(0x80000000u) : high;
}
MOCKGPU_LANE U32 to_u32(F32 x) {
  // Values from 2^31 on are converted 2^31 lower, so that one signed conversion does it on every level.
  const bool upper = x >= 2147483648.0f;
  const bool fits = x > 0.0f && x < 4294967296.0f;
  const F32 shifted = upper ? x - 2147483648.0f : x;
  const U32 inside = static_cast<U32>(static_cast<I32>(fits ? shifted : 0.0f)) + (upper ? 0x80000000u : 0u);
  const U32 low = x > 0.0f ? inside : 0u;
  return x >= 4294967296.0f ? 0xffffffffu : low;
}
MOCKGPU_LANE I32 to_i32(F64 x) {
  const bool fits = x > -2147483649.0 && x < 2147483648.0;
  const I32 inside = static_cast<I32>(fits ? x : 0.0);
  const I32 high = x >= 2147483648.0 ? 0x7fffffff : inside;
  return x <= -2147483649.0 ? static_cast<I32>(0x80000000u) : high;
}
MOCKGPU_LANE U32 to_u32(F64 x) {
  const bool fits = x > 0.0 && x < 4294967296.0;
  const U32 inside = static_cast<U32>(static_cast<I64>(fits ? x : 0.0));
  return x >= 4294967296.0 ? 0xffffffffu : inside;
}
/// A saturating conversion to a type of at most 24 bits.
MOCKGPU_LANE I32 to_narrow(F32 x, I32 low, I32 high) {
  const F32 least = static_cast<F32>(low);
  const F32 most = static_cast<F32>(high);
  const F32 above = x > least ? x : least;
  const F32 inside = above < most ? above : most;
  return static_cast<I32>(is_nan(x) ? 0.0f : inside);
}

// v_cvt_floor_i32_f32 (flr) and v_cvt_nearest_i32_f32 (rpi): floor(x) and floor(x + 0.5), the sum exact.
MOCKGPU_LANE I32 to_i32_floor(F32 x) { return to_i32(raw_floor(x)); }
MOCKGPU_LANE I32 to_i32_nearest(F32 x) { return to_i32(raw_floor(static_cast<F64>(x) + 0.5)); }

// To floats: rounded as MXCSR says; f16 results as kRound says.
MOCKGPU_LANE F32 to_f32(I32 x) { return static_cast<F32>(x); }
MOCKGPU_LANE F32 to_f32(U32 x) { return static_cast<F32>(x); }
MOCKGPU_LANE F64 to_f64(I32 x) { return static_cast<F64>(x); }
MOCKGPU_LANE F64 to_f64(U32 x) { return static_cast<F64>(x); }
/// A NaN keeps its sign and the upper part of its payload, and becomes quiet.
MOCKGPU_LANE F32 to_f32(F64 x) {
  const U64 b = bits_of(x);
  const U32 nan =
      static_cast<U32>(b >> 32 & 0x80000000u) | kNanF32 | (static_cast<U32>(b >> 29) & 0x003fffffu);
  return is_nan(x) ? f32_of(nan) : static_cast<F32>(x);
}
MOCKGPU_LANE F64 to_f64(F32 x) {
  const U64 b = bits_of(x);
  const U64 nan = (b & 0x80000000u) << 32 | kNanF64 | (b & 0x003fffffu) << 29;
  return is_nan(x) ? f64_of(nan) : static_cast<F64>(x);
}
/// v_cvt_f32_f16: as to_f32, with a signalling NaN quieted.
MOCKGPU_LANE F32 cvt_f32_f16(F16 x) { return quiet(to_f32(x)); }
MOCKGPU_LANE F32 cvt_f32_bf16(BF16 x) { return quiet(to_f32(x)); }

MOCKGPU_LANE I16 to_i16(F16 x) { return static_cast<I16>(to_narrow(to_f32(x), -32768, 32767)); }
MOCKGPU_LANE U16 to_u16(F16 x) { return static_cast<U16>(to_narrow(to_f32(x), 0, 65535)); }
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 to_f16(I16 x) {
  return to_f16<kRound>(static_cast<F32>(x));
}
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 to_f16(U16 x) {
  return to_f16<kRound>(static_cast<F32>(x));
}

MOCKGPU_LANE F32 cvt_f32_ubyte(U32 x, U32 byte) {
  return static_cast<F32>(static_cast<I32>((x >> (8 * byte)) & 0xff));
}
/// A signed nibble in sixteenths.
MOCKGPU_LANE F32 cvt_off_f32_i4(U32 x) {
  const I32 nibble = static_cast<I32>(x << 28) >> 28;
  return static_cast<F32>(nibble) * 0.0625f;
}

// Packed results, the first source in the low half.
MOCKGPU_LANE U32 cvt_pk_rtz_f16_f32(F32 a, F32 b) {
  return pack(to_f16<Round::kZero>(a), to_f16<Round::kZero>(b));
}
MOCKGPU_LANE U32 cvt_pk_i16_f32(F32 a, F32 b) {
  return pack16(static_cast<U16>(to_narrow(a, -32768, 32767)), static_cast<U16>(to_narrow(b, -32768, 32767)));
}
MOCKGPU_LANE U32 cvt_pk_u16_f32(F32 a, F32 b) {
  return pack16(static_cast<U16>(to_narrow(a, 0, 65535)), static_cast<U16>(to_narrow(b, 0, 65535)));
}

// Normalised integers: clamp, scale, round to nearest even once; the product is exact in f64. NaN gives 0.
MOCKGPU_LANE U16 to_snorm16(F32 x) {
  const F64 above = x > -1.0f ? static_cast<F64>(x) : -1.0;
  const F64 inside = above < 1.0 ? above : 1.0;
  const I32 scaled = static_cast<I32>(raw_rndne(inside * 32767.0));
  return static_cast<U16>(is_nan(x) ? 0 : scaled);
}
MOCKGPU_LANE U16 to_unorm16(F32 x) {
  const F64 above = x > 0.0f ? static_cast<F64>(x) : 0.0;
  const F64 inside = above < 1.0 ? above : 1.0;
  return static_cast<U16>(static_cast<I32>(raw_rndne(inside * 65535.0)));
}
MOCKGPU_LANE U16 to_snorm16(F16 x) { return to_snorm16(to_f32(x)); }
MOCKGPU_LANE U16 to_unorm16(F16 x) { return to_unorm16(to_f32(x)); }
template <typename F>
MOCKGPU_LANE U32 cvt_pk_norm_i16(F a, F b) {
  return pack16(to_snorm16(a), to_snorm16(b));
}
template <typename F>
MOCKGPU_LANE U32 cvt_pk_norm_u16(F a, F b) {
  return pack16(to_unorm16(a), to_unorm16(b));
}

/// To an unsigned byte, saturating and rounded to nearest even (the manual names no rounding; kernels that
/// pack pixels rely on nearest), put into byte `select & 3` of `rest`.
MOCKGPU_LANE U32 cvt_pk_u8_f32(F32 x, U32 select, U32 rest) {
  const U32 shift = (select & 3) * 8;
  const U32 byte = static_cast<U32>(to_narrow(raw_rndne(x), 0, 255));
  return (rest & ~(0xffu << shift)) | (byte << shift);
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
