#pragma once
// The accessors of simulated memory: the one place that touches global memory, LDS and scratch. They work at
// any alignment and are exempt from the thread sanitizer, because a racy GPU kernel is not a race of ours.
// Everything is in a namespace of its own in that of the level.
#include "emu/amd/wave/gang.h"
#include "emu/amd/wave/translate.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

#if defined(__SANITIZE_THREAD__)
#define MOCKGPU_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MOCKGPU_THREAD_SANITIZER 1
#endif
#endif

// An accessor that is inlined takes the instrumentation of its caller, so under the sanitizer it is a call.
#if defined(MOCKGPU_THREAD_SANITIZER)
#define MOCKGPU_ACCESS __attribute__((noinline, no_sanitize("thread"))) inline
#else
#define MOCKGPU_ACCESS __attribute__((always_inline)) inline
#endif

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {

using Byte = std::byte;
using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

typedef U32 Vector __attribute__((vector_size(32), may_alias));                 ///< eight lanes of a row
typedef U32 AnyVector __attribute__((vector_size(32), may_alias, aligned(1)));  ///< the same in memory
typedef U32 Quad __attribute__((vector_size(16), may_alias));
typedef U32 AnyQuad __attribute__((vector_size(16), may_alias, aligned(1)));

template <class T>
struct __attribute__((packed, may_alias)) Unaligned {
  T value;
};

template <class T>
MOCKGPU_ACCESS T peek(const Byte* at) {
  return reinterpret_cast<const Unaligned<T>*>(at)->value;
}
template <class T>
MOCKGPU_ACCESS void poke(Byte* at, T value) {
  reinterpret_cast<Unaligned<T>*>(at)->value = value;
}
MOCKGPU_ACCESS Vector peek_vector(const Byte* at) { return *reinterpret_cast<const AnyVector*>(at); }
MOCKGPU_ACCESS void poke_vector(Byte* at, Vector value) { *reinterpret_cast<AnyVector*>(at) = value; }
typedef U16 Half8 __attribute__((vector_size(16), may_alias));
typedef U16 AnyHalf8 __attribute__((vector_size(16), may_alias, aligned(1)));
typedef U8 Byte8 __attribute__((vector_size(8), may_alias));
typedef U8 AnyByte8 __attribute__((vector_size(8), may_alias, aligned(1)));
MOCKGPU_ACCESS Half8 peek_half8(const Byte* at) { return *reinterpret_cast<const AnyHalf8*>(at); }
MOCKGPU_ACCESS void poke_half8(Byte* at, Half8 value) { *reinterpret_cast<AnyHalf8*>(at) = value; }
MOCKGPU_ACCESS Byte8 peek_byte8(const Byte* at) { return *reinterpret_cast<const AnyByte8*>(at); }
MOCKGPU_ACCESS void poke_byte8(Byte* at, Byte8 value) { *reinterpret_cast<AnyByte8*>(at) = value; }
MOCKGPU_ACCESS Quad peek_quad(const Byte* at) { return *reinterpret_cast<const AnyQuad*>(at); }
MOCKGPU_ACCESS void poke_quad(Byte* at, Quad value) { *reinterpret_cast<AnyQuad*>(at) = value; }

// ---- rows: registers, not simulated memory

inline Vector& row_vector(U32* lanes) { return *reinterpret_cast<Vector*>(lanes); }
inline Vector row_vector(const U32* lanes) { return *reinterpret_cast<const Vector*>(lanes); }
inline Quad& row_quad(U32* lanes) { return *reinterpret_cast<Quad*>(lanes); }

inline Vector broadcast(U32 value) { return Vector{value, value, value, value, value, value, value, value}; }

inline bool all_zero(Vector v) {
#if defined(__AVX__)
  return _mm256_testz_si256(reinterpret_cast<__m256i>(v), reinterpret_cast<__m256i>(v));
#else
  typedef U64 Wide __attribute__((vector_size(32)));
  const Wide w = reinterpret_cast<Wide>(v);
  return (w[0] | w[1] | w[2] | w[3]) == 0;
#endif
}

/// All ones in the lanes of block `block` (eight lanes) that are in `lanes`.
inline Vector lane_mask(U32 lanes, unsigned block) {
  const Vector bit = {1, 2, 4, 8, 16, 32, 64, 128};
  return reinterpret_cast<Vector>((broadcast(lanes >> (8 * block)) & bit) == bit);
}

inline unsigned lowest(U32 lanes) { return static_cast<unsigned>(__builtin_ctz(lanes)); }
inline unsigned highest(U32 lanes) { return 31 - static_cast<unsigned>(__builtin_clz(lanes)); }

/// Lanes are looked at in halves of a slot: tiles of 16 work-items give each half a pattern of its own.
inline constexpr unsigned kHalf = kLanes / 2;
inline constexpr U32 kHalfLanes = (1u << kHalf) - 1;

/// Whether every lane l in `lanes` of kCount lanes holds start + l * step (modulo 2^32).
template <unsigned kCount = kLanes>
inline bool is_ramp(const U32* values, U32 start, U32 step, U32 lanes = ~0u) {
  const Vector count = {0, 1, 2, 3, 4, 5, 6, 7};
  Vector expected = broadcast(start) + count * step;
  Vector wrong = broadcast(0);
  const bool all = (~lanes << (32 - kCount)) == 0;
  for (unsigned block = 0; block < kCount / 8; ++block) {
    Vector difference = row_vector(values + 8 * block) ^ expected;
    if (!all) difference &= lane_mask(lanes, block);
    wrong |= difference;
    expected += 8 * step;
  }
  return all_zero(wrong);
}

/// Whether both halves of a slot hold their first lane's value plus l * kStep (modulo 2^32).
template <U32 kStep>
inline bool are_two_ramps(const U32* values) {
  const Vector rise = {0, kStep, 2 * kStep, 3 * kStep, 4 * kStep, 5 * kStep, 6 * kStep, 7 * kStep};
  const Vector low = broadcast(values[0]) + rise, high = broadcast(values[kHalf]) + rise;
  return all_zero(((row_vector(values) ^ low) | (row_vector(values + 8) ^ (low + 8 * kStep))) |
                  ((row_vector(values + 16) ^ high) | (row_vector(values + 24) ^ (high + 8 * kStep))));
}

inline Vector larger(Vector a, Vector b) { return a > b ? a : b; }

/// The greatest of value - minus (modulo 2^32) among `lanes` of kCount lanes; 0 if there are none.
template <unsigned kCount = kLanes>
inline U32 greatest(const U32* values, U32 minus, U32 lanes) {
  Vector most = broadcast(0);
  const bool all = (~lanes << (32 - kCount)) == 0;
  for (unsigned block = 0; block < kCount / 8; ++block) {
    Vector v = row_vector(values + 8 * block) - minus;
    if (!all) v &= lane_mask(lanes, block);
    most = larger(v, most);
  }
  most = larger(most, __builtin_shufflevector(most, most, 4, 5, 6, 7, 0, 1, 2, 3));
  most = larger(most, __builtin_shufflevector(most, most, 2, 3, 0, 1, 6, 7, 4, 5));
  most = larger(most, __builtin_shufflevector(most, most, 1, 0, 3, 2, 5, 4, 7, 6));
  return most[0];
}

// ---- translation

/// Host address of `size` bytes at a GPU address, or null. One compare if they are in the range used last.
inline Byte* find(Gang* gang, unsigned cache, U64 address, U64 size, U8 rights) {
  const CachedRange& range = gang->ranges[cache];
  const U64 inside = address - range.begin;
  if (inside < range.bytes && range.bytes - inside >= size) return range.host + inside;
  return resolve(gang, cache, address, size, rights);
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
