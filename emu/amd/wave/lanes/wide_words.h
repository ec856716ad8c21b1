#pragma once
// Eight lanes at a time by hand, for the few ops that compilers vectorise badly.
#if defined(__AVX2__)
#include <immintrin.h>

#include "emu/amd/wave/gang.h"
#include "emu/amd/wave/numerics/types.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

/// All ones in the lanes of part 0..3 of a slot whose bit is set.
MOCKGPU_LANE __m256i lanes_of(U32 bits, unsigned part) {
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i shifted = _mm256_set1_epi32(static_cast<int>(bits >> (part * 8)));
  return _mm256_cmpeq_epi32(_mm256_and_si256(shifted, bit), bit);
}

/// Writes the lanes that have EXEC.
MOCKGPU_LANE void put_words(U32* at, __m256i value, U32 exec, unsigned part) {
  auto* const to = reinterpret_cast<__m256i*>(at);
  *to = exec == ~0u ? value : _mm256_blendv_epi8(*to, value, lanes_of(exec, part));
}

/// A source of a record: eight lanes of it, the low or the high dwords.
template <bool kUniform>
struct WideWords {
  const U32* at;
  U32 step;
  U32 high_at;
  WideWords(const Record* record, Gang* gang, unsigned index) {
    const U32 offset = record->src[index];
    if constexpr (kUniform) {
      const Uniform source = uniform(record, gang, offset);
      at = source.at;
      step = source.step;
      high_at = step != 0 ? kSlots : 1;
    } else {
      at = row(gang, offset);
      step = kLanes;
      high_at = kRowWords;
    }
  }
  __m256i low(unsigned slot, unsigned part) const { return load(at + slot * step, part); }
  __m256i high(unsigned slot, unsigned part) const { return load(at + slot * step + high_at, part); }

 private:
  static __m256i load(const U32* from, unsigned part) {
    if constexpr (kUniform) {
      return _mm256_set1_epi32(static_cast<int>(*from));
    } else {
      return *reinterpret_cast<const __m256i*>(from + part * 8);
    }
  }
};

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
#endif
