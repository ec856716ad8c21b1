#pragma once

#include "emu/amd/wave/numerics/arithmetic.h"
#include "emu/amd/wave/numerics/dot.h"
#include "emu/amd/wave/numerics/half.h"
#include "emu/amd/wave/numerics/integer.h"
#include "emu/amd/wave/numerics/types.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#include <immintrin.h>
#define MOCKGPU_WMMA_AVX2 1
#endif

// WMMA of gfx11, wave32: D = A * B + C, all 16 x 16, on raw registers.
//
// A register is 32 consecutive dwords, one per lane; a matrix is consecutive registers `stride` dwords apart.
// Lane i < 16 of A (B) holds row (column) i, its 16 values of K in order, low bits first: 8 registers of 2
// for f16 and bf16, 4 of 4 for iu8, 2 of 8 for iu4. Lanes 16-31 repeat them and are not read. Element (m, n)
// of C and D is lane n + 16 * (m & 1) of register m >> 1: row m is 16 consecutive dwords. 16-bit C and D use
// one half of each dword, chosen by op_sel[2]; the other half of D is kept. D may be the registers of C or
// alias A and B. EXEC is ignored.
//
// WMMA-1, the order of accumulation. Hardware's is not public. Ours: acc = C (f16 and bf16 widened to f32);
// for k = 0..15 in order, acc = acc + A[m][k] * B[k][n], product and sum each rounded to f32 (an f16 product
// is exact, a bf16 one is unless it leaves f32's range); 16-bit results are rounded once at the end. Round to
// nearest even, denormals kept: MXCSR must be in its default state. NaN results follow NAN-1 step by step.
// Integers are exact; CLAMP saturates the final sum.

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

/// Where a matrix lies: `stride` dwords from one of its registers to the next.
struct WmmaSource {
  const U32* data;
  U32 stride;
};
struct WmmaResult {
  U32* data;
  U32 stride;
};
struct WmmaModifiers {
  U32 flip_a =
      0;  // neg / neg_hi: sign bits to flip in each dword of A (0x8000 low half, 0x80000000 high half)
  U32 flip_b = 0;
  bool abs_c = false;     // neg_hi[2]
  bool neg_c = false;     // neg[2]; f32 and 16-bit C
  bool high_c = false;    // op_sel[2]: 16-bit C and D are in the high halves
  bool signed_a = false;  // integer forms: neg[0], neg[1]
  bool signed_b = false;
  bool clamp = false;
};

MOCKGPU_LANE const U32* wmma_row(WmmaSource c, U32 m) { return c.data + (m >> 1) * c.stride + (m & 1) * 16; }
MOCKGPU_LANE U32* wmma_row(WmmaResult d, U32 m) { return d.data + (m >> 1) * d.stride + (m & 1) * 16; }

/// Widens 16 x 16 packed 16-bit values to out[k][i], i the row of A or column of B.
template <typename H>
MOCKGPU_LANE void wmma_widen(WmmaSource in, U32 flip, F32 out[16][16]) {
  for (U32 v = 0; v < 8; ++v) {
    const U32* lanes = in.data + v * in.stride;
    F32* low = out[2 * v];
    F32* high = out[2 * v + 1];
    for (U32 i = 0; i < 16; ++i) {
      const U32 pair = lanes[i] ^ flip;
      low[i] = to_f32(H{lo16(pair)});
      high[i] = to_f32(H{hi16(pair)});
    }
  }
}

#ifdef MOCKGPU_WMMA_AVX2
template <>
MOCKGPU_LANE void wmma_widen<F16>(WmmaSource in, U32 flip, F32 out[16][16]) {
  const __m256i flips = _mm256_set1_epi32(static_cast<int>(flip));
  const __m256i low_half = _mm256_set1_epi32(0xffff);
  for (U32 v = 0; v < 8; ++v) {
    const U32* lanes = in.data + v * in.stride;
    const __m256i x0 = _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(lanes)), flips);
    const __m256i x1 =
        _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(lanes + 8)), flips);
    const __m256i low = _mm256_packus_epi32(_mm256_and_si256(x0, low_half), _mm256_and_si256(x1, low_half));
    const __m256i high = _mm256_packus_epi32(_mm256_srli_epi32(x0, 16), _mm256_srli_epi32(x1, 16));
    // The packs work within 128-bit halves: put lanes 0-7 before 8-15.
    const __m256i low16 = _mm256_permute4x64_epi64(low, 0xd8);
    const __m256i high16 = _mm256_permute4x64_epi64(high, 0xd8);
    _mm256_storeu_ps(&out[2 * v][0], _mm256_cvtph_ps(_mm256_castsi256_si128(low16)));
    _mm256_storeu_ps(&out[2 * v][8], _mm256_cvtph_ps(_mm256_extracti128_si256(low16, 1)));
    _mm256_storeu_ps(&out[2 * v + 1][0], _mm256_cvtph_ps(_mm256_castsi256_si128(high16)));
    _mm256_storeu_ps(&out[2 * v + 1][8], _mm256_cvtph_ps(_mm256_extracti128_si256(high16, 1)));
  }
}

/// acc + a * b; an exact product may be fused.
template <bool kExactProduct>
MOCKGPU_LANE __m256 wmma_step(__m256 a, __m256 b, __m256 acc) {
  if constexpr (kExactProduct) {
    return _mm256_fmadd_ps(a, b, acc);
  } else {
    return _mm256_add_ps(acc, _mm256_mul_ps(a, b));
  }
}
/// d[m][n] = c[m][n] + sum over k of a[k][m] * b[k][n], in the order of WMMA-1, in blocks of four rows that
/// stay in registers. True if any element is a NaN.
template <bool kExactProduct>
MOCKGPU_LANE bool wmma_multiply(const F32 a[16][16], const F32 b[16][16], const F32 c[16][16],
                                F32 d[16][16]) {
  __m256 unordered = _mm256_setzero_ps();
  for (U32 m = 0; m < 16; m += 4) {
    __m256 s00 = _mm256_loadu_ps(&c[m][0]);
    __m256 s01 = _mm256_loadu_ps(&c[m][8]);
    __m256 s10 = _mm256_loadu_ps(&c[m + 1][0]);
    __m256 s11 = _mm256_loadu_ps(&c[m + 1][8]);
    __m256 s20 = _mm256_loadu_ps(&c[m + 2][0]);
    __m256 s21 = _mm256_loadu_ps(&c[m + 2][8]);
    __m256 s30 = _mm256_loadu_ps(&c[m + 3][0]);
    __m256 s31 = _mm256_loadu_ps(&c[m + 3][8]);
    for (U32 k = 0; k < 16; ++k) {
      const __m256 b0 = _mm256_loadu_ps(&b[k][0]);
      const __m256 b1 = _mm256_loadu_ps(&b[k][8]);
      const __m256 a0 = _mm256_broadcast_ss(&a[k][m]);
      s00 = wmma_step<kExactProduct>(a0, b0, s00);
      s01 = wmma_step<kExactProduct>(a0, b1, s01);
      const __m256 a1 = _mm256_broadcast_ss(&a[k][m + 1]);
      s10 = wmma_step<kExactProduct>(a1, b0, s10);
      s11 = wmma_step<kExactProduct>(a1, b1, s11);
      const __m256 a2 = _mm256_broadcast_ss(&a[k][m + 2]);
      s20 = wmma_step<kExactProduct>(a2, b0, s20);
      s21 = wmma_step<kExactProduct>(a2, b1, s21);
      const __m256 a3 = _mm256_broadcast_ss(&a[k][m + 3]);
      s30 = wmma_step<kExactProduct>(a3, b0, s30);
      s31 = wmma_step<kExactProduct>(a3, b1, s31);
    }
    _mm256_storeu_ps(&d[m][0], s00);
    _mm256_storeu_ps(&d[m][8], s01);
    _mm256_storeu_ps(&d[m + 1][0], s10);
    _mm256_storeu_ps(&d[m + 1][8], s11);
    _mm256_storeu_ps(&d[m + 2][0], s20);
    _mm256_storeu_ps(&d[m + 2][8], s21);
    _mm256_storeu_ps(&d[m + 3][0], s30);
    _mm256_storeu_ps(&d[m + 3][8], s31);
    const __m256 u0 =
        _mm256_or_ps(_mm256_cmp_ps(s00, s01, _CMP_UNORD_Q), _mm256_cmp_ps(s10, s11, _CMP_UNORD_Q));
    const __m256 u1 =
        _mm256_or_ps(_mm256_cmp_ps(s20, s21, _CMP_UNORD_Q), _mm256_cmp_ps(s30, s31, _CMP_UNORD_Q));
    unordered = _mm256_or_ps(unordered, _mm256_or_ps(u0, u1));
  }
  return _mm256_movemask_ps(unordered) != 0;
}
#else
/// The same without intrinsics.
template <bool kExactProduct>
MOCKGPU_LANE bool wmma_multiply(const F32 a[16][16], const F32 b[16][16], const F32 c[16][16],
                                F32 d[16][16]) {
  U32 any = 0;
  for (U32 m = 0; m < 16; ++m) {
    F32 acc[16];
    for (U32 n = 0; n < 16; ++n) acc[n] = c[m][n];
    for (U32 k = 0; k < 16; ++k) {
      const F32 x = a[k][m];
      for (U32 n = 0; n < 16; ++n) acc[n] += x * b[k][n];
    }
    for (U32 n = 0; n < 16; ++n) {
      d[m][n] = acc[n];
      any |= acc[n] != acc[n] ? 1u : 0u;
    }
  }
  return any != 0;
}
#endif

/// One element again, with the NaN of NAN-1 at each step; hosts choose other NaNs.
inline F32 wmma_nan_element(const F32 a[16][16], const F32 b[16][16], F32 c, U32 m, U32 n) {
  F32 acc = c;
  for (U32 k = 0; k < 16; ++k) {
    const F32 x = a[k][m];
    const F32 y = b[k][n];
    acc = fix_nan(x * y + acc, x, y, acc);
  }
  return acc;
}

/// The product with c, into d. NaNs are rare: one test finds whether any element needs care.
template <bool kExactProduct>
MOCKGPU_LANE void wmma_float(const F32 a[16][16], const F32 b[16][16], const F32 c[16][16], F32 d[16][16]) {
  if (!wmma_multiply<kExactProduct>(a, b, c, d)) return;
  for (U32 m = 0; m < 16; ++m) {
    for (U32 n = 0; n < 16; ++n) {
      if (is_nan(d[m][n])) d[m][n] = wmma_nan_element(a, b, c[m][n], m, n);
    }
  }
}

// A product of two f16 has at most 22 bits.
MOCKGPU_LANE constexpr bool wmma_exact_product(F16) { return true; }
MOCKGPU_LANE constexpr bool wmma_exact_product(BF16) { return false; }

MOCKGPU_LANE F32 wmma_modify_c(F32 x, const WmmaModifiers& mods) {
  const U32 magnitude = bits_of(x) & (mods.abs_c ? 0x7fffffffu : 0xffffffffu);
  return f32_of(magnitude ^ (mods.neg_c ? 0x80000000u : 0u));
}

/// v_wmma_f32_16x16x16_f16 (H = F16) and _bf16 (H = BF16).
template <typename H>
inline void wmma_f32_16x16x16(WmmaSource a, WmmaSource b, WmmaSource c, WmmaResult d,
                              const WmmaModifiers& mods) {
  F32 wide_a[16][16];
  F32 wide_b[16][16];
  F32 wide_c[16][16];
  F32 wide_d[16][16];
  wmma_widen<H>(a, mods.flip_a, wide_a);
  wmma_widen<H>(b, mods.flip_b, wide_b);
  for (U32 m = 0; m < 16; ++m) {
    const U32* row = wmma_row(c, m);
    for (U32 n = 0; n < 16; ++n) wide_c[m][n] = wmma_modify_c(f32_of(row[n]), mods);
  }
  wmma_float<wmma_exact_product(H{})>(wide_a, wide_b, wide_c, wide_d);
  for (U32 m = 0; m < 16; ++m) {
    U32* row = wmma_row(d, m);
    for (U32 n = 0; n < 16; ++n) row[n] = bits_of(wide_d[m][n]);
  }
}

MOCKGPU_LANE U32 narrow_bits(F32 x, F16) { return to_f16(x).bits; }
MOCKGPU_LANE U32 narrow_bits(F32 x, BF16) { return to_bf16(x).bits; }

/// A row of 16-bit values, the low or high halves of 16 dwords, widened.
template <typename H>
MOCKGPU_LANE void wmma_load_halves(const U32* row, bool high, F32 out[16]) {
  for (U32 n = 0; n < 16; ++n) out[n] = to_f32(H{high ? hi16(row[n]) : lo16(row[n])});
}
/// 16 values rounded into the low or high halves of a row; the other halves stay.
template <typename H>
MOCKGPU_LANE void wmma_store_halves(U32* row, bool high, const F32 in[16]) {
  const U32 shift = high ? 16 : 0;
  const U32 kept = high ? 0x0000ffffu : 0xffff0000u;
  for (U32 n = 0; n < 16; ++n) row[n] = (row[n] & kept) | (narrow_bits(in[n], H{}) << shift);
}
#ifdef MOCKGPU_WMMA_AVX2
template <>
MOCKGPU_LANE void wmma_load_halves<F16>(const U32* row, bool high, F32 out[16]) {
  const __m128i shift = _mm_cvtsi32_si128(high ? 16 : 0);
  const __m256i low_half = _mm256_set1_epi32(0xffff);
  const __m256i x0 = _mm256_srl_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)), shift);
  const __m256i x1 = _mm256_srl_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + 8)), shift);
  const __m256i packed = _mm256_packus_epi32(_mm256_and_si256(x0, low_half), _mm256_and_si256(x1, low_half));
  const __m256i halves = _mm256_permute4x64_epi64(packed, 0xd8);
  _mm256_storeu_ps(out, _mm256_cvtph_ps(_mm256_castsi256_si128(halves)));
  _mm256_storeu_ps(out + 8, _mm256_cvtph_ps(_mm256_extracti128_si256(halves, 1)));
}
template <>
MOCKGPU_LANE void wmma_store_halves<F16>(U32* row, bool high, const F32 in[16]) {
  const __m128i shift = _mm_cvtsi32_si128(high ? 16 : 0);
  const __m256i kept = _mm256_set1_epi32(static_cast<int>(high ? 0x0000ffffu : 0xffff0000u));
  for (U32 n = 0; n < 16; n += 8) {
    __m256i* at = reinterpret_cast<__m256i*>(row + n);
    const __m128i half = _mm256_cvtps_ph(_mm256_loadu_ps(in + n), _MM_FROUND_TO_NEAREST_INT);
    const __m256i placed = _mm256_sll_epi32(_mm256_cvtepu16_epi32(half), shift);
    _mm256_storeu_si256(at, _mm256_or_si256(_mm256_and_si256(_mm256_loadu_si256(at), kept), placed));
  }
}
#endif

/// v_wmma_f16_16x16x16_f16 (H = F16) and v_wmma_bf16_16x16x16_bf16 (H = BF16).
template <typename H>
inline void wmma_half_16x16x16(WmmaSource a, WmmaSource b, WmmaSource c, WmmaResult d,
                               const WmmaModifiers& mods) {
  F32 wide_a[16][16];
  F32 wide_b[16][16];
  F32 wide_c[16][16];
  F32 wide_d[16][16];
  wmma_widen<H>(a, mods.flip_a, wide_a);
  wmma_widen<H>(b, mods.flip_b, wide_b);
  for (U32 m = 0; m < 16; ++m) {
    wmma_load_halves<H>(wmma_row(c, m), mods.high_c, wide_c[m]);
    for (U32 n = 0; n < 16; ++n) wide_c[m][n] = wmma_modify_c(wide_c[m][n], mods);
  }
  wmma_float<wmma_exact_product(H{})>(wide_a, wide_b, wide_c, wide_d);
  for (U32 m = 0; m < 16; ++m) wmma_store_halves<H>(wmma_row(d, m), mods.high_c, wide_d[m]);
}

/// sum[m][n] = sum over 8 pairs of values in a[pair][m] and b[pair][n]; a pair is one dword of two 16-bit
/// integers. At most 21 bits.
MOCKGPU_LANE void wmma_multiply_pairs(const I32 a[8][16], const I32 b[8][16], I32 sum[16][16]) {
#ifdef MOCKGPU_WMMA_AVX2
  for (U32 m = 0; m < 16; m += 2) {
    __m256i s00 = _mm256_setzero_si256();
    __m256i s01 = _mm256_setzero_si256();
    __m256i s10 = _mm256_setzero_si256();
    __m256i s11 = _mm256_setzero_si256();
    for (U32 k = 0; k < 8; ++k) {
      const __m256i b0 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&b[k][0]));
      const __m256i b1 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&b[k][8]));
      const __m256i a0 = _mm256_set1_epi32(a[k][m]);
      const __m256i a1 = _mm256_set1_epi32(a[k][m + 1]);
      s00 = _mm256_add_epi32(s00, _mm256_madd_epi16(a0, b0));
      s01 = _mm256_add_epi32(s01, _mm256_madd_epi16(a0, b1));
      s10 = _mm256_add_epi32(s10, _mm256_madd_epi16(a1, b0));
      s11 = _mm256_add_epi32(s11, _mm256_madd_epi16(a1, b1));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&sum[m][0]), s00);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&sum[m][8]), s01);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&sum[m + 1][0]), s10);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&sum[m + 1][8]), s11);
  }
#else
  for (U32 m = 0; m < 16; ++m) {
    for (U32 n = 0; n < 16; ++n) sum[m][n] = 0;
    for (U32 k = 0; k < 8; ++k) {
      const I32 low = static_cast<I16>(a[k][m]);
      const I32 high = a[k][m] >> 16;
      for (U32 n = 0; n < 16; ++n) {
        sum[m][n] += low * static_cast<I16>(b[k][n]) + high * (b[k][n] >> 16);
      }
    }
  }
#endif
}

/// Values i and i + 1 of a register of 8-bit (4-bit) elements, extended to 16 bits each.
template <U32 kBits>
MOCKGPU_LANE I32 wmma_pair(U32 x, U32 i, U32 sign_bit) {
  constexpr U32 kMask = (1u << kBits) - 1;
  // (v ^ s) - s extends from the sign bit s, and does nothing for s = 0.
  const U32 low = (((x >> (kBits * i)) & kMask) ^ sign_bit) - sign_bit;
  const U32 high = (((x >> (kBits * (i + 1))) & kMask) ^ sign_bit) - sign_bit;
  return static_cast<I32>((high << 16) | (low & 0xffffu));
}

/// v_wmma_i32_16x16x16_iu8 (kBits = 8) and _iu4 (kBits = 4).
template <U32 kBits>
inline void wmma_i32_16x16x16(WmmaSource a, WmmaSource b, WmmaSource c, WmmaResult d,
                              const WmmaModifiers& mods) {
  constexpr U32 kPerDword = 32 / kBits;
  const U32 sign_a = mods.signed_a ? 1u << (kBits - 1) : 0u;
  const U32 sign_b = mods.signed_b ? 1u << (kBits - 1) : 0u;
  I32 pairs_a[8][16];
  I32 pairs_b[8][16];
  I32 sum[16][16];
  for (U32 pair = 0; pair < 8; ++pair) {
    const U32 element = 2 * pair;
    const U32* lanes_a = a.data + element / kPerDword * a.stride;
    const U32* lanes_b = b.data + element / kPerDword * b.stride;
    const U32 at = element % kPerDword;
    for (U32 i = 0; i < 16; ++i) {
      pairs_a[pair][i] = wmma_pair<kBits>(lanes_a[i], at, sign_a);
      pairs_b[pair][i] = wmma_pair<kBits>(lanes_b[i], at, sign_b);
    }
  }
  wmma_multiply_pairs(pairs_a, pairs_b, sum);
  for (U32 m = 0; m < 16; ++m) {
    const U32* row_c = wmma_row(c, m);
    U32* row_d = wmma_row(d, m);
    if (mods.clamp) {
      for (U32 n = 0; n < 16; ++n) row_d[n] = accumulate_i32(sum[m][n], row_c[n], true);
    } else {
      for (U32 n = 0; n < 16; ++n) row_d[n] = static_cast<U32>(sum[m][n]) + row_c[n];
    }
  }
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
