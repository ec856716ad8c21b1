#pragma once

#include <cstdint>

// Lane functions are compiled once per level (instruction-set flags); each level has its own namespace, so
// that the linker can never take the body of one level for another.
#ifndef MOCKGPU_LEVEL
#define MOCKGPU_LEVEL baseline
#endif

// Lane functions must vanish into the loops of their handlers, or these would not vectorise.
#define MOCKGPU_LANE [[gnu::always_inline]] inline

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using I8 = std::int8_t;
using I16 = std::int16_t;
using I32 = std::int32_t;
using I64 = std::int64_t;
using F32 = float;
using F64 = double;

/// IEEE binary16: 1 sign, 5 exponent (bias 15), 10 mantissa bits.
struct F16 {
  U16 bits;
};

/// bfloat16: the upper half of an F32.
struct BF16 {
  U16 bits;
};

/// Rounding mode, encoded as in each 2-bit field of MODE.FP_ROUND.
enum class Round : U8 { kNearestEven = 0, kUp = 1, kDown = 2, kZero = 3 };

MOCKGPU_LANE U32 bits_of(F32 x) { return __builtin_bit_cast(U32, x); }
MOCKGPU_LANE U64 bits_of(F64 x) { return __builtin_bit_cast(U64, x); }
MOCKGPU_LANE F32 f32_of(U32 bits) { return __builtin_bit_cast(F32, bits); }
MOCKGPU_LANE F64 f64_of(U64 bits) { return __builtin_bit_cast(F64, bits); }

// A choice between values, spelled so that loops over it vectorise also for the 16-bit structs.
MOCKGPU_LANE F32 select(bool condition, F32 yes, F32 no) { return condition ? yes : no; }
MOCKGPU_LANE F64 select(bool condition, F64 yes, F64 no) { return condition ? yes : no; }
MOCKGPU_LANE F16 select(bool condition, F16 yes, F16 no) {
  const U32 bits = condition ? U32{yes.bits} : U32{no.bits};
  return F16{static_cast<U16>(bits)};
}
MOCKGPU_LANE BF16 select(bool condition, BF16 yes, BF16 no) {
  const U32 bits = condition ? U32{yes.bits} : U32{no.bits};
  return BF16{static_cast<U16>(bits)};
}

// The halves of a packed register.
MOCKGPU_LANE U16 lo16(U32 x) { return static_cast<U16>(x); }
MOCKGPU_LANE U16 hi16(U32 x) { return static_cast<U16>(x >> 16); }
MOCKGPU_LANE U32 pack16(U16 low, U16 high) { return static_cast<U32>(low) | (static_cast<U32>(high) << 16); }
MOCKGPU_LANE F16 lo_f16(U32 x) { return F16{lo16(x)}; }
MOCKGPU_LANE F16 hi_f16(U32 x) { return F16{hi16(x)}; }
MOCKGPU_LANE BF16 lo_bf16(U32 x) { return BF16{lo16(x)}; }
MOCKGPU_LANE BF16 hi_bf16(U32 x) { return BF16{hi16(x)}; }
MOCKGPU_LANE U32 pack(F16 low, F16 high) { return pack16(low.bits, high.bits); }
MOCKGPU_LANE U32 pack(BF16 low, BF16 high) { return pack16(low.bits, high.bits); }

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
