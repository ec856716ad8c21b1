// Vector ALU, 32-bit multiplications with 64-bit products. Compilers shuffle a lot for these, so the vector
// form is written out.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/lanes/wide_words.h"
#include "emu/amd/wave/numerics/integer.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

/// The sum and its carry, on dwords.
static WithBit<Pair> add_wide(Pair a, Pair b) {
  const U32 low = a.low + b.low;
  const U32 carry = low < a.low ? 1u : 0u;
  const U32 high = a.high + b.high;
  const U32 all = high + carry;
  return {{low, all}, ((high < a.high) | (all < high)) != 0};
}

static constexpr auto kMulHigh = [](U32 a, U32 b) { return mul_hi_u32(a, b); };
static constexpr auto kMad = [](U32 a, U32 b, Pair c) { return add_wide({a * b, mul_hi_u32(a, b)}, c); };

#if defined(__AVX2__)

/// Eight lanes.
static inline __m256i high_products(__m256i a, __m256i b) {
  const __m256i even = _mm256_mul_epu32(a, b);
  const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
  return _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
}
/// All ones where a < b, unsigned.
static inline __m256i below(__m256i a, __m256i b) {
  const __m256i not_below = _mm256_cmpeq_epi32(_mm256_max_epu32(a, b), a);
  return _mm256_xor_si256(not_below, _mm256_set1_epi32(-1));
}
template <unsigned kUniform>
[[gnu::flatten]] static HandlerResult run_mul_high(const Record* record, Gang* gang) {
  const WideWords<(kUniform & 1) != 0> a(record, gang, 0);
  const WideWords<(kUniform & 2) != 0> b(record, gang, 1);
  U32* const dst = row(gang, record->dst);
  for (U32 left = gang->active; left != 0; left &= left - 1) {
    const unsigned slot = static_cast<unsigned>(__builtin_ctz(left));
    const U32 exec = exec_of(gang, slot);
    for (unsigned part = 0; part < 4; ++part) {
      put_words(dst + slot * kLanes + part * 8, high_products(a.low(slot, part), b.low(slot, part)), exec,
                part);
    }
  }
  MOCKGPU_NEXT(record, gang);
}

template <unsigned kUniform>
[[gnu::flatten]] static HandlerResult run_mad(const Record* record, Gang* gang) {
  const WideWords<(kUniform & 1) != 0> a(record, gang, 0);
  const WideWords<(kUniform & 2) != 0> b(record, gang, 1);
  const WideWords<(kUniform & 4) != 0> c(record, gang, 2);
  U32* const dst = row(gang, record->dst);
  const U32 carry_mask = static_cast<U32>(record->aux >> 32);
  for (U32 left = gang->active; left != 0; left &= left - 1) {
    const unsigned slot = static_cast<unsigned>(__builtin_ctz(left));
    const U32 exec = exec_of(gang, slot);
    U32 carries = 0;
    for (unsigned part = 0; part < 4; ++part) {
      const __m256i x = a.low(slot, part);
      const __m256i y = b.low(slot, part);
      const __m256i product_low = _mm256_mullo_epi32(x, y);
      const __m256i product_high = high_products(x, y);
      const __m256i low = _mm256_add_epi32(product_low, c.low(slot, part));
      const __m256i high = _mm256_add_epi32(product_high, c.high(slot, part));
      const __m256i carry = below(low, product_low);  // -1 where it carries
      const __m256i all = _mm256_sub_epi32(high, carry);
      const __m256i out = _mm256_or_si256(below(high, product_high), below(all, high));
      carries |= static_cast<U32>(_mm256_movemask_ps(_mm256_castsi256_ps(out))) << (part * 8);
      U32* const to = dst + slot * kLanes + part * 8;
      put_words(to, low, exec, part);
      put_words(to + kRowWords, all, exec, part);
    }
    set_mask(gang, carry_mask, slot, carries & exec);
  }
  MOCKGPU_NEXT(record, gang);
}

static constexpr VectorRow mul_high() {
  VectorEntry entry = Traits<decltype(kMulHigh)>::shape();
  entry.run[0] = run_mul_high<0>;
  entry.run[1] = run_mul_high<1>;
  entry.run[2] = run_mul_high<2>;
  return {Op::v_mul_hi_u32, entry};
}
static constexpr VectorRow mad() {
  VectorEntry entry = Traits<decltype(kMad)>::shape();
  entry.run[0] = run_mad<0>;
  entry.run[1] = run_mad<1>;
  entry.run[2] = run_mad<2>;
  entry.run[3] = run_mad<3>;
  entry.run[4] = run_mad<4>;
  entry.run[5] = run_mad<5>;
  entry.run[6] = run_mad<6>;
  return {Op::v_mad_u64_u32, entry};
}

#else

static constexpr VectorRow mul_high() { return hot(Op::v_mul_hi_u32, kMulHigh); }
static constexpr VectorRow mad() { return hot(Op::v_mad_u64_u32, kMad); }

#endif

static constexpr VectorRow kMultiplyRows[] = {
    mul_high(),
    {Op::v_mul_hi_i32, [](U32 a, U32 b) { return mul_hi_i32(a, b); }},
    mad(),
    {Op::v_mad_i64_i32,
     [](U32 a, U32 b, U64 c) {
       const WideResult wide = mad_i64_i32(a, b, c);
       return WithBit<U64>{wide.value, wide.carry};
     }},
};
const VectorChapter kMultiplyOps = chapter(kMultiplyRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
