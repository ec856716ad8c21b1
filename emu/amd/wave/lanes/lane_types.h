#pragma once
// How the parameter and result types of a lane body map to register rows.
#include "emu/amd/wave/gang.h"
#include "emu/amd/wave/numerics/nan.h"
#include "emu/amd/wave/numerics/types.h"
#include "emu/amd/wave/vector_table.h"

// Rows may overlap only lane by lane, so no iteration of a lane loop depends on another one.
#if defined(__clang__)
#define MOCKGPU_LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define MOCKGPU_LANE_LOOP _Pragma("GCC ivdep")
#endif

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

// ---- types of bodies beyond numbers

/// A lane's bit of a mask.
struct Bit {
  bool set;
  /// Spelled with masks: choices between values that come from memory do not vectorise.
  U32 choose(U32 yes, U32 no) const {
    const U32 mask = 0u - static_cast<U32>(set);
    return (yes & mask) | (no & ~mask);
  }
};
/// An f32 (f64) of a body that looks at bits: MXCSR does not flush it, so the machinery does, as source and
/// result.
struct BitsF32 {
  F32 value;
};
struct BitsF64 {
  F64 value;
};
/// Two dwords of a 64-bit operand.
struct Pair {
  U32 low, high;
};
/// The halves of a packed operand.
struct PairF16 {
  F16 low, high;
};
struct PairU16 {
  U16 low, high;
};
/// A result and the lane's bit of the second result.
template <class T>
struct WithBit {
  T value;
  bool bit;
};

// Parameters that are no operands. They follow the operands.

/// MODE.FP_ROUND of f16 and f64 is a `Round`; MODE.IEEE:
struct Ieee {
  bool on;
};
/// Lane number in the wave: 0..31, or 0..63 in wave64.
struct LaneNumber {
  U32 value;
};
/// Raw modifier bits in Record::op.
struct RawBits {
  U32 value;
};

/// What is the same for all lanes of a gang.
struct Common {
  U32 flush_in32, flush_out32;  ///< the bits that stay of a denormal: the sign or all
  U32 flush_in16, flush_out16;
  U64 flush_in64, flush_out64;
  Round round;
  Ieee ieee;
  RawBits raw;
};

/// Whether the parts of MODE that matter are those of compute kernels: nearest even, denormals kept, IEEE.
template <bool kNarrow, bool kWide, bool kIeee>
inline bool typical_mode(const Gang* gang) {
  constexpr U32 kDefault = 0x1f80;
  bool typical = (!kNarrow || gang->mxcsr == kDefault) && (!kWide || gang->mxcsr_wide == kDefault);
  if constexpr (kIeee) {
    const U32 any = gang->active != 0 ? static_cast<U32>(__builtin_ctz(gang->active)) : 0;
    typical = typical && (gang->sgpr[kRowMode][any] & 0x200) != 0;
  }
  return typical;
}
[[gnu::always_inline]] inline Common typical_common(const Record* record) {
  return {~0u, ~0u, 0xffffu, 0xffffu, ~U64{0}, ~U64{0}, Round::kNearestEven, {true}, {record->op}};
}
inline Common common_of(const Record* record, const Gang* gang) {
  constexpr U32 kDaz = 0x0040, kFtz = 0x8000;
  // MXCSR's rounding: 0 nearest, 1 down, 2 up, 3 to zero.
  constexpr Round kRounds[] = {Round::kNearestEven, Round::kDown, Round::kUp, Round::kZero};
  const U32 any = gang->active != 0 ? static_cast<U32>(__builtin_ctz(gang->active)) : 0;
  Common common = typical_common(record);
  if ((gang->mxcsr & kDaz) != 0) common.flush_in32 = 0x80000000u;
  if ((gang->mxcsr & kFtz) != 0) common.flush_out32 = 0x80000000u;
  if ((gang->mxcsr_wide & kDaz) != 0) common.flush_in16 = 0x8000u, common.flush_in64 = U64{1} << 63;
  if ((gang->mxcsr_wide & kFtz) != 0) common.flush_out16 = 0x8000u, common.flush_out64 = U64{1} << 63;
  common.round = kRounds[(gang->mxcsr_wide >> 13) & 3];
  common.ieee.on = (gang->sgpr[kRowMode][any] & 0x200) != 0;
  return common;
}

inline U32 flush32(U32 x, U32 keep) { return x & ((x & 0x7f800000u) == 0 ? keep : ~0u); }
inline U32 flush16(U32 x, U32 keep) { return x & ((x & 0x7c00u) == 0 ? keep : ~0u); }

inline U64 flush64(U64 x, U64 keep) { return x & ((x & 0x7ff0000000000000u) == 0 ? keep : ~U64{0}); }

// ---- reading and writing: dwords as they lie in rows <-> values of a body

template <class T>
struct Lane;

struct Lane32 {
  static constexpr LaneType type = LaneType::b32;
  static constexpr ClampType clamp = ClampType::none;
  static constexpr bool wide = false;
};
template <>
struct Lane<U32> : Lane32 {
  static U32 get(U32 low, U32, const Common&) { return low; }
  static U32 put(U32 value, U32, const Common&) { return value; }
};
template <>
struct Lane<I32> : Lane32 {
  static I32 get(U32 low, U32, const Common&) { return static_cast<I32>(low); }
  static U32 put(I32 value, U32, const Common&) { return static_cast<U32>(value); }
};
template <>
struct Lane<F32> : Lane32 {
  static constexpr ClampType clamp = ClampType::f32;
  static F32 get(U32 low, U32, const Common&) { return f32_of(low); }
  static U32 put(F32 value, U32, const Common&) { return bits_of(value); }
};
template <>
struct Lane<BitsF32> : Lane32 {
  static constexpr ClampType clamp = ClampType::f32;
  static BitsF32 get(U32 low, U32, const Common& common) { return {f32_of(flush32(low, common.flush_in32))}; }
  static U32 put(BitsF32 value, U32, const Common& common) {
    return flush32(bits_of(value.value), common.flush_out32);
  }
};

struct Lane16 {
  static constexpr LaneType type = LaneType::b16;
  static constexpr ClampType clamp = ClampType::none;
  static constexpr bool wide = false;
};
template <>
struct Lane<U16> : Lane16 {
  static U16 get(U32 low, U32, const Common&) { return static_cast<U16>(low); }
  static U32 put(U16 value, U32 old, const Common&) { return (old & 0xffff0000u) | value; }
};
template <>
struct Lane<I16> : Lane16 {
  static I16 get(U32 low, U32, const Common&) { return static_cast<I16>(low); }
  static U32 put(I16 value, U32 old, const Common&) { return (old & 0xffff0000u) | static_cast<U16>(value); }
};
template <>
struct Lane<F16> : Lane16 {
  static constexpr ClampType clamp = ClampType::f16;
  static F16 get(U32 low, U32, const Common& common) {
    return F16{static_cast<U16>(flush16(low & 0xffffu, common.flush_in16))};
  }
  static U32 put(F16 value, U32 old, const Common& common) {
    return (old & 0xffff0000u) | flush16(value.bits, common.flush_out16);
  }
};
template <>
struct Lane<BF16> : Lane16 {
  static BF16 get(U32 low, U32, const Common&) { return BF16{static_cast<U16>(low)}; }
  static U32 put(BF16 value, U32 old, const Common&) { return (old & 0xffff0000u) | value.bits; }
};

struct LanePacked {
  static constexpr LaneType type = LaneType::packed16;
  static constexpr ClampType clamp = ClampType::none;
  static constexpr bool wide = false;
};
template <>
struct Lane<PairU16> : LanePacked {
  static PairU16 get(U32 low, U32, const Common&) { return {lo16(low), hi16(low)}; }
  static U32 put(PairU16 value, U32, const Common&) { return pack16(value.low, value.high); }
};
template <>
struct Lane<PairF16> : LanePacked {
  static constexpr ClampType clamp = ClampType::packed_f16;
  static PairF16 get(U32 low, U32, const Common& common) {
    return {F16{static_cast<U16>(flush16(low & 0xffffu, common.flush_in16))},
            F16{static_cast<U16>(flush16(low >> 16, common.flush_in16))}};
  }
  static U32 put(PairF16 value, U32, const Common& common) {
    return flush16(value.low.bits, common.flush_out16) | flush16(value.high.bits, common.flush_out16) << 16;
  }
};

struct Lane64 {
  static constexpr LaneType type = LaneType::b64;
  static constexpr ClampType clamp = ClampType::none;
  static constexpr bool wide = true;
};
template <>
struct Lane<U64> : Lane64 {
  static U64 get(U32 low, U32 high, const Common&) { return static_cast<U64>(high) << 32 | low; }
  static Pair put(U64 value, const Common&) {
    return {static_cast<U32>(value), static_cast<U32>(value >> 32)};
  }
};
template <>
struct Lane<I64> : Lane64 {
  static I64 get(U32 low, U32 high, const Common&) {
    return static_cast<I64>(static_cast<U64>(high) << 32 | low);
  }
  static Pair put(I64 value, const Common&) {
    return {static_cast<U32>(value), static_cast<U32>(static_cast<U64>(value) >> 32)};
  }
};
template <>
struct Lane<F64> : Lane64 {
  static constexpr ClampType clamp = ClampType::f64;
  static F64 get(U32 low, U32 high, const Common&) { return f64_of(static_cast<U64>(high) << 32 | low); }
  static Pair put(F64 value, const Common&) {
    return {static_cast<U32>(bits_of(value)), static_cast<U32>(bits_of(value) >> 32)};
  }
};
template <>
struct Lane<BitsF64> : Lane64 {
  static constexpr ClampType clamp = ClampType::f64;
  static BitsF64 get(U32 low, U32 high, const Common& common) {
    return {f64_of(flush64(static_cast<U64>(high) << 32 | low, common.flush_in64))};
  }
  static Pair put(BitsF64 value, const Common& common) {
    const U64 bits = flush64(bits_of(value.value), common.flush_out64);
    return {static_cast<U32>(bits), static_cast<U32>(bits >> 32)};
  }
};
template <>
struct Lane<Pair> : Lane64 {
  static Pair get(U32 low, U32 high, const Common&) { return {low, high}; }
  static Pair put(Pair value, const Common&) { return value; }
};

template <>
struct Lane<Bit> {
  static constexpr LaneType type = LaneType::mask;
};

// ---- the floating-point environment

/// `narrow`: MXCSR as the engine keeps it, for f32. `wide`: that of f64. `plain`: nearest even without
/// flushing, for bodies that bring their own rounding.
enum class Environment : U8 { narrow, wide, plain };

inline void set_mxcsr(U32 value) {
#if defined(__x86_64__)
  // Rows are memory, so arithmetic on them stays between two of these.
  asm volatile("ldmxcsr %0" : : "m"(value) : "memory");
#else
  (void)value;
#endif
}

template <Environment kEnvironment>
inline void enter(const Gang* gang) {
  if constexpr (kEnvironment == Environment::wide) {
    if (gang->split_mode) set_mxcsr(gang->mxcsr_wide);
  } else if constexpr (kEnvironment == Environment::plain) {
    if (gang->mxcsr != 0x1f80) set_mxcsr(0x1f80);
  }
}
template <Environment kEnvironment>
inline void leave(const Gang* gang) {
  if constexpr (kEnvironment == Environment::wide) {
    if (gang->split_mode) set_mxcsr(gang->mxcsr);
  } else if constexpr (kEnvironment == Environment::plain) {
    if (gang->mxcsr != 0x1f80) set_mxcsr(gang->mxcsr);
  }
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
