#pragma once

#include "emu/amd/wave/numerics/arithmetic.h"
#include "emu/amd/wave/numerics/half.h"
#include "emu/amd/wave/numerics/integer.h"
#include "emu/amd/wave/numerics/minmax.h"
#include "emu/amd/wave/numerics/types.h"

// VOP3P: two 16-bit operations in a dword, and mixed-precision fma. op_sel, neg and neg_hi have been applied
// to the sources.

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

/// The sources of one packed result half, chosen by op_sel (low result) or op_sel_hi (high result).
MOCKGPU_LANE U32 select_halves(U32 x, bool low_from_high, bool high_from_high) {
  return pack16(low_from_high ? hi16(x) : lo16(x), high_from_high ? hi16(x) : lo16(x));
}

MOCKGPU_LANE U32 pk_add_u16(U32 a, U32 b) {
  return pack16(add_u16(lo16(a), lo16(b)), add_u16(hi16(a), hi16(b)));
}
MOCKGPU_LANE U32 pk_sub_u16(U32 a, U32 b) {
  return pack16(sub_u16(lo16(a), lo16(b)), sub_u16(hi16(a), hi16(b)));
}
MOCKGPU_LANE U32 pk_mul_lo_u16(U32 a, U32 b) {
  return pack16(mul_lo_u16(lo16(a), lo16(b)), mul_lo_u16(hi16(a), hi16(b)));
}
MOCKGPU_LANE U32 pk_mad_u16(U32 a, U32 b, U32 c) {
  return pack16(mad_u16(lo16(a), lo16(b), lo16(c)), mad_u16(hi16(a), hi16(b), hi16(c)));
}
// With CLAMP: saturated to the type.
MOCKGPU_LANE U32 pk_add_u16_sat(U32 a, U32 b) {
  return pack16(add_u16_sat(lo16(a), lo16(b)), add_u16_sat(hi16(a), hi16(b)));
}
MOCKGPU_LANE U32 pk_sub_u16_sat(U32 a, U32 b) {
  return pack16(sub_u16_sat(lo16(a), lo16(b)), sub_u16_sat(hi16(a), hi16(b)));
}
MOCKGPU_LANE U32 pk_add_i16_sat(U32 a, U32 b) {
  return pack16(add_i16_sat(lo16(a), lo16(b)), add_i16_sat(hi16(a), hi16(b)));
}
MOCKGPU_LANE U32 pk_sub_i16_sat(U32 a, U32 b) {
  return pack16(sub_i16_sat(lo16(a), lo16(b)), sub_i16_sat(hi16(a), hi16(b)));
}
MOCKGPU_LANE U32 pk_mul_lo_u16_sat(U32 a, U32 b) {
  return pack16(mul_lo_u16_sat(lo16(a), lo16(b)), mul_lo_u16_sat(hi16(a), hi16(b)));
}
MOCKGPU_LANE U32 pk_mad_u16_sat(U32 a, U32 b, U32 c) {
  return pack16(mad_u16_sat(lo16(a), lo16(b), lo16(c)), mad_u16_sat(hi16(a), hi16(b), hi16(c)));
}
MOCKGPU_LANE U32 pk_mad_i16_sat(U32 a, U32 b, U32 c) {
  return pack16(mad_i16_sat(lo16(a), lo16(b), lo16(c)), mad_i16_sat(hi16(a), hi16(b), hi16(c)));
}
MOCKGPU_LANE U32 pk_min_u16(U32 a, U32 b) {
  return pack16(min_int(lo16(a), lo16(b)), min_int(hi16(a), hi16(b)));
}
MOCKGPU_LANE U32 pk_max_u16(U32 a, U32 b) {
  return pack16(max_int(lo16(a), lo16(b)), max_int(hi16(a), hi16(b)));
}
MOCKGPU_LANE U16 min_i16(U16 a, U16 b) { return static_cast<I16>(a) < static_cast<I16>(b) ? a : b; }
MOCKGPU_LANE U16 max_i16(U16 a, U16 b) { return static_cast<I16>(a) > static_cast<I16>(b) ? a : b; }
MOCKGPU_LANE U32 pk_min_i16(U32 a, U32 b) {
  return pack16(min_i16(lo16(a), lo16(b)), min_i16(hi16(a), hi16(b)));
}
MOCKGPU_LANE U32 pk_max_i16(U32 a, U32 b) {
  return pack16(max_i16(lo16(a), lo16(b)), max_i16(hi16(a), hi16(b)));
}
// Shifts of value by count, the low 4 bits of each half.
MOCKGPU_LANE U32 pk_lshl_b16(U32 x, U32 n) {
  return pack16(lshl_b16(lo16(x), lo16(n)), lshl_b16(hi16(x), hi16(n)));
}
MOCKGPU_LANE U32 pk_lshr_b16(U32 x, U32 n) {
  return pack16(lshr_b16(lo16(x), lo16(n)), lshr_b16(hi16(x), hi16(n)));
}
MOCKGPU_LANE U32 pk_ashr_i16(U32 x, U32 n) {
  return pack16(ashr_i16(lo16(x), lo16(n)), ashr_i16(hi16(x), hi16(n)));
}

template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE U32 pk_add_f16(U32 a, U32 b) {
  return pack(add<kRound>(lo_f16(a), lo_f16(b)), add<kRound>(hi_f16(a), hi_f16(b)));
}
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE U32 pk_mul_f16(U32 a, U32 b) {
  return pack(mul<kRound>(lo_f16(a), lo_f16(b)), mul<kRound>(hi_f16(a), hi_f16(b)));
}
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE U32 pk_fma_f16(U32 a, U32 b, U32 c) {
  return pack(fma<kRound>(lo_f16(a), lo_f16(b), lo_f16(c)), fma<kRound>(hi_f16(a), hi_f16(b), hi_f16(c)));
}
MOCKGPU_LANE U32 pk_min_num_f16(U32 a, U32 b) {
  return pack(min_num(lo_f16(a), lo_f16(b)), min_num(hi_f16(a), hi_f16(b)));
}
MOCKGPU_LANE U32 pk_max_num_f16(U32 a, U32 b) {
  return pack(max_num(lo_f16(a), lo_f16(b)), max_num(hi_f16(a), hi_f16(b)));
}
MOCKGPU_LANE U32 pk_min_ieee_f16(U32 a, U32 b) {
  return pack(min_ieee(lo_f16(a), lo_f16(b)), min_ieee(hi_f16(a), hi_f16(b)));
}
MOCKGPU_LANE U32 pk_max_ieee_f16(U32 a, U32 b) {
  return pack(max_ieee(lo_f16(a), lo_f16(b)), max_ieee(hi_f16(a), hi_f16(b)));
}
MOCKGPU_LANE U32 pk_minimum_f16(U32 a, U32 b) {
  return pack(minimum(lo_f16(a), lo_f16(b)), minimum(hi_f16(a), hi_f16(b)));
}
MOCKGPU_LANE U32 pk_maximum_f16(U32 a, U32 b) {
  return pack(maximum(lo_f16(a), lo_f16(b)), maximum(hi_f16(a), hi_f16(b)));
}
/// The CLAMP modifier of packed f16 results.
MOCKGPU_LANE U32 pk_clamp_f16(U32 x) { return pack(clamp(lo_f16(x)), clamp(hi_f16(x))); }

/// A source of v_fma_mix: {op_sel_hi, op_sel} = 0x the whole dword as f32, 10 the low, 11 the high half as
/// f16. ABS is neg_hi and NEG is neg; both come after the conversion.
MOCKGPU_LANE F32 mix_source(U32 dword, bool op_sel, bool op_sel_hi, bool absolute, bool negative) {
  const F32 half = to_f32(F16{op_sel ? hi16(dword) : lo16(dword)});
  const F32 value = op_sel_hi ? half : f32_of(dword);
  const F32 magnitude = absolute ? abs(value) : value;
  return negative ? neg(magnitude) : magnitude;
}
/// v_fma_mixlo_f16, v_fma_mixhi_f16: the f32 result of fma rounded again to f16, as the manual's two steps
/// say.
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 fma_mix_f16(F32 a, F32 b, F32 c) {
  return to_f16<kRound>(fma(a, b, c));
}
/// v_mad_mixlo_f16, v_mad_mixhi_f16 of gfx900.
template <Round kRound = Round::kNearestEven>
MOCKGPU_LANE F16 mad_mix_f16(F32 a, F32 b, F32 c) {
  return to_f16<kRound>(mad(a, b, c));
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
