#include "tests/bench/native.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace mockgpu::bench {

#if defined(__x86_64__)

#define MOCKGPU_AVX2 __attribute__((target("avx2,fma")))

bool has_native() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

MOCKGPU_AVX2 std::uint64_t native_peak() {
  constexpr std::uint64_t kIterations = 2'000'000;
  constexpr int kChains = 12;
  __m256 chains[kChains];
  for (int i = 0; i < kChains; ++i) chains[i] = _mm256_set1_ps(static_cast<float>(i));
  __m256 factor = _mm256_set1_ps(0.999f), offset = _mm256_set1_ps(0.5f);
  // The compiler must not see that the loop could be shortened.
  asm volatile("" : "+x"(factor), "+x"(offset));
  for (std::uint64_t i = 0; i < kIterations; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < kChains; ++k) chains[k] = _mm256_fmadd_ps(chains[k], factor, offset);
  }
  __m256 sum = chains[0];
  for (int i = 1; i < kChains; ++i) sum = _mm256_add_ps(sum, chains[i]);
  asm volatile("" : : "x"(sum));
  return kIterations * kChains * 8;
}

MOCKGPU_AVX2 void native_hash(std::uint32_t* out, std::uint32_t items, std::uint32_t iterations) {
  constexpr int kVectors = 8;
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i multiplier = _mm256_set1_epi32(1664525);
  for (std::uint32_t block = 0; block < items; block += kVectors * 8) {
    __m256i x[kVectors];
#pragma GCC unroll 8
    for (int k = 0; k < kVectors; ++k) {
      const __m256i id = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(block) + k * 8), lanes);
      x[k] = _mm256_add_epi32(_mm256_mullo_epi32(id, _mm256_set1_epi32(static_cast<int>(2654435761u))),
                              _mm256_set1_epi32(1));
    }
    for (std::uint32_t i = 0; i < iterations; ++i) {
      const __m256i count = _mm256_set1_epi32(static_cast<int>(i));
#pragma GCC unroll 8
      for (int k = 0; k < kVectors; ++k) {
        x[k] = _mm256_xor_si256(x[k], _mm256_slli_epi32(x[k], 13));
        x[k] = _mm256_xor_si256(x[k], _mm256_srli_epi32(x[k], 17));
        x[k] = _mm256_xor_si256(x[k], _mm256_slli_epi32(x[k], 5));
        x[k] = _mm256_add_epi32(_mm256_mullo_epi32(x[k], multiplier), count);
      }
    }
#pragma GCC unroll 8
    for (int k = 0; k < kVectors; ++k) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + block + k * 8), x[k]);
    }
  }
}

MOCKGPU_AVX2 void native_fma(float* out, std::uint32_t items, float b, float c, std::uint32_t iterations) {
  constexpr int kChains = 8;
  const __m256 lanes = _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256 factor = _mm256_set1_ps(b), offset = _mm256_set1_ps(c);
  for (std::uint32_t item = 0; item < items; item += 8) {
    __m256 a[kChains];
    const __m256 start = _mm256_add_ps(_mm256_set1_ps(static_cast<float>(item % 256)), lanes);
#pragma GCC unroll 8
    for (int k = 0; k < kChains; ++k) a[k] = _mm256_add_ps(start, _mm256_set1_ps(static_cast<float>(k)));
    for (std::uint32_t i = 0; i < iterations; ++i) {
#pragma GCC unroll 8
      for (int k = 0; k < kChains; ++k) a[k] = _mm256_fmadd_ps(a[k], factor, offset);
    }
    const __m256 low = _mm256_add_ps(_mm256_add_ps(a[0], a[1]), _mm256_add_ps(a[2], a[3]));
    const __m256 high = _mm256_add_ps(_mm256_add_ps(a[4], a[5]), _mm256_add_ps(a[6], a[7]));
    _mm256_storeu_ps(out + item, _mm256_add_ps(low, high));
  }
}

#else

bool has_native() { return false; }
std::uint64_t native_peak() { return 0; }
void native_hash(std::uint32_t*, std::uint32_t, std::uint32_t) {}
void native_fma(float*, std::uint32_t, float, float, std::uint32_t) {}

#endif

}  // namespace mockgpu::bench
