// Vector ALU, v_perm_b32.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/lanes/wide_words.h"
#include "emu/amd/wave/numerics/integer.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static constexpr auto kPerm = [](U32 a, U32 b, U32 c) { return perm_b32(a, b, c); };

#if defined(__AVX2__)

static inline __m256i permute(__m256i s0, __m256i s1, __m256i selector) {
  // Byte shuffles work within 16 bytes: the first byte of each lane there.
  const __m256i lane = _mm256_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0, 0, 0, 0, 4, 4,
                                        4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
  const __m256i one = _mm256_set1_epi8(1);
  const __m256i two = _mm256_set1_epi8(2);
  const __m256i three = _mm256_set1_epi8(3);
  // 0..7: bytes of s1, then of s0. Blends look at bit 7 of each byte.
  const __m256i byte_at = _mm256_add_epi8(lane, _mm256_and_si256(selector, three));
  const __m256i bytes = _mm256_blendv_epi8(_mm256_shuffle_epi8(s1, byte_at), _mm256_shuffle_epi8(s0, byte_at),
                                           _mm256_slli_epi32(selector, 5));
  // 8..11: the signs of bytes 1 and 3 of s1, then of s0.
  const __m256i low_bit = _mm256_and_si256(selector, one);
  const __m256i sign_at = _mm256_add_epi8(_mm256_add_epi8(lane, one), _mm256_add_epi8(low_bit, low_bit));
  const __m256i signs = _mm256_blendv_epi8(_mm256_shuffle_epi8(s1, sign_at), _mm256_shuffle_epi8(s0, sign_at),
                                           _mm256_slli_epi32(_mm256_and_si256(selector, two), 6));
  const __m256i sign = _mm256_cmpgt_epi8(_mm256_setzero_si256(), signs);
  // 12: 0. Above: 0xff.
  const __m256i twelve = _mm256_set1_epi8(12);
  const __m256i above =
      _mm256_xor_si256(_mm256_cmpeq_epi8(_mm256_min_epu8(selector, twelve), selector), _mm256_set1_epi8(-1));
  const __m256i constant = _mm256_cmpeq_epi8(_mm256_max_epu8(selector, twelve), selector);
  const __m256i high = _mm256_blendv_epi8(sign, above, constant);
  const __m256i low = _mm256_cmpeq_epi8(_mm256_min_epu8(selector, _mm256_set1_epi8(7)), selector);
  return _mm256_blendv_epi8(high, bytes, low);
}

template <unsigned kUniform>
[[gnu::flatten]] static HandlerResult run_perm(const Record* record, Gang* gang) {
  const WideWords<false> a(record, gang, 0);
  const WideWords<false> b(record, gang, 1);
  const WideWords<kUniform == 4> c(record, gang, 2);
  U32* const dst = row(gang, record->dst);
  for (U32 left = gang->active; left != 0; left &= left - 1) {
    const unsigned slot = static_cast<unsigned>(__builtin_ctz(left));
    const U32 exec = exec_of(gang, slot);
    for (unsigned part = 0; part < 4; ++part) {
      put_words(dst + slot * kLanes + part * 8,
                permute(a.low(slot, part), b.low(slot, part), c.low(slot, part)), exec, part);
    }
  }
  MOCKGPU_NEXT(record, gang);
}

static constexpr VectorRow perm() {
  VectorEntry entry = Traits<decltype(kPerm)>::shape();
  entry.run[0] = run_perm<0>;
  entry.run[4] = run_perm<4>;
  return {Op::v_perm_b32, entry};
}

#else

static constexpr VectorRow perm() { return {Op::v_perm_b32, kPerm}; }

#endif

static constexpr VectorRow kPermuteRows[] = {perm()};
const VectorChapter kPermuteOps = chapter(kPermuteRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
