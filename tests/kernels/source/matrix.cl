#include "base.h"
// Dot products and WMMA in every type.
typedef half half2v __attribute__((ext_vector_type(2)));
typedef short short2v __attribute__((ext_vector_type(2)));
typedef half v16h __attribute__((ext_vector_type(16)));
typedef half v8h __attribute__((ext_vector_type(8)));
typedef short v16s __attribute__((ext_vector_type(16)));
typedef short v8s __attribute__((ext_vector_type(8)));
typedef float v8f __attribute__((ext_vector_type(8)));
typedef float v4f __attribute__((ext_vector_type(4)));
typedef int v2i __attribute__((ext_vector_type(2)));
typedef int v4i __attribute__((ext_vector_type(4)));
typedef int v8i __attribute__((ext_vector_type(8)));

kernel void integer_dots(global const uint *x, global int *o) {
  uint i = GID_X();
  int a = (int)x[i], b = (int)x[i ^ 1], c = (int)(x[i ^ 2] >> 4);
  o[i * 8 + 0] = __builtin_amdgcn_sudot4(true, a, true, b, c, false);
  o[i * 8 + 1] = __builtin_amdgcn_sudot4(true, a, false, b, c, false);
  o[i * 8 + 2] = __builtin_amdgcn_sudot4(false, a, true, b, c, true);
  o[i * 8 + 3] = (int)__builtin_amdgcn_udot4((uint)a, (uint)b, (uint)c, false);
  o[i * 8 + 4] = __builtin_amdgcn_sudot8(true, a, true, b, c, false);
  o[i * 8 + 5] = __builtin_amdgcn_sudot8(false, a, true, b, 0x7fffff00, true);
  o[i * 8 + 6] = (int)__builtin_amdgcn_udot8((uint)a, (uint)b, (uint)c, false);
  o[i * 8 + 7] = (int)__builtin_amdgcn_udot4((uint)a, (uint)b, 0xffffff00u, true);
}

kernel void float_dots(global const uint *x, global const uint *y, global float *o) {
  uint i = GID_X();
  half2v a = __builtin_astype(x[i], half2v), b = __builtin_astype(x[i ^ 1], half2v);
  short2v c = __builtin_astype(y[i], short2v), d = __builtin_astype(y[i ^ 1], short2v);
  o[i * 4 + 0] = __builtin_amdgcn_fdot2(a, b, 0.25f, false);
  o[i * 4 + 1] = __builtin_amdgcn_fdot2_f32_bf16(c, d, 0.5f, false);
  o[i * 4 + 2] = (float)__builtin_amdgcn_fdot2_f16_f16(a, b, (half)0.25f);
  uint sum = (ushort)__builtin_amdgcn_fdot2_bf16_bf16(c, d, (short)0x3f80);
  o[i * 4 + 3] = as_float(sum << 16);
}

// All lanes with the same number modulo 16 hold row `lane` of A and column `lane` of B; the accumulator's row of
// an element is element * (lanes / 16) + lane / 16.
#if __AMDGCN_WAVEFRONT_SIZE__ == 64
#define WMMA(type) __builtin_amdgcn_wmma_##type##_w64
#define ELEMENTS 4
#define STEP 4
typedef v4f Floats;
typedef v4i Integers;
typedef v8h Halves;
typedef v8s Shorts;
#else
#define WMMA(type) __builtin_amdgcn_wmma_##type##_w32
#define ELEMENTS 8
#define STEP 2
typedef v8f Floats;
typedef v8i Integers;
typedef v16h Halves;
typedef v16s Shorts;
#endif

kernel void wmma_f32(global const half *a, global const half *b, global const short *c, global const short *d, global float *o) {
  uint lane = LID_X() & 15u, high = LID_X() >> 4;
  v16h ha, hb;
  v16s sa, sb;
  for (uint k = 0; k < 16u; ++k) {
    ha[k] = a[lane * 16u + k];
    hb[k] = b[k * 16u + lane];
    sa[k] = c[lane * 16u + k];
    sb[k] = d[k * 16u + lane];
  }
  Floats start, sum;
  for (uint e = 0; e < ELEMENTS; ++e) start[e] = (float)(int)(e + high + lane);
  sum = WMMA(f32_16x16x16_f16)(ha, hb, start);
  for (uint e = 0; e < ELEMENTS; ++e) o[(e * STEP + high) * 16u + lane] = sum[e] - start[e];
  sum = WMMA(f32_16x16x16_bf16)(sa, sb, start);
  for (uint e = 0; e < ELEMENTS; ++e) o[256u + (e * STEP + high) * 16u + lane] = sum[e] - start[e];
}

kernel void wmma_16(global const half *a, global const half *b, global const short *c, global const short *d, global half *o, global short *p) {
  uint lane = LID_X() & 15u, high = LID_X() >> 4;
  v16h ha, hb;
  v16s sa, sb;
  Halves hc = 1;
  Shorts sc = 0;
  for (uint k = 0; k < 16u; ++k) {
    ha[k] = a[lane * 16u + k];
    hb[k] = b[k * 16u + lane];
    sa[k] = c[lane * 16u + k];
    sb[k] = d[k * 16u + lane];
  }
  hc = WMMA(f16_16x16x16_f16)(ha, hb, hc, false);
  hc = WMMA(f16_16x16x16_f16)(ha, hb, hc, true);
  sc = WMMA(bf16_16x16x16_bf16)(sa, sb, sc, false);
  sc = WMMA(bf16_16x16x16_bf16)(sa, sb, sc, true);
  for (uint e = 0; e < ELEMENTS * 2u; ++e) {
    uint at = (e & 1u) * 256u + (e / 2u * STEP + high) * 16u + lane;
    o[at] = hc[e];
    p[at] = sc[e];
  }
}

kernel void wmma_integers(global const v4i *a, global const v4i *b, global int *o) {
  uint lane = LID_X() & 15u, high = LID_X() >> 4;
  v4i bytes_a = a[lane], bytes_b = b[lane];
  v2i bits_a = bytes_a.xy, bits_b = bytes_b.xy;
  Integers start, sum[6];
  for (uint e = 0; e < ELEMENTS; ++e) start[e] = (int)(e * 1000u + lane);
  sum[0] = WMMA(i32_16x16x16_iu8)(true, bytes_a, true, bytes_b, start, false);
  sum[1] = WMMA(i32_16x16x16_iu8)(false, bytes_a, true, bytes_b, start, false);
  for (uint e = 0; e < ELEMENTS; ++e) start[e] = 0x7fffff00;
  sum[2] = WMMA(i32_16x16x16_iu8)(false, bytes_a, false, bytes_b, start, true);
  for (uint e = 0; e < ELEMENTS; ++e) start[e] = (int)(e * 1000u + lane);
  sum[3] = WMMA(i32_16x16x16_iu4)(true, bits_a, true, bits_b, start, false);
  sum[4] = WMMA(i32_16x16x16_iu4)(true, bits_a, false, bits_b, start, false);
  sum[5] = WMMA(i32_16x16x16_iu4)(false, bits_a, false, bits_b, start, false);
  for (uint n = 0; n < 6u; ++n)
    for (uint e = 0; e < ELEMENTS; ++e) o[n * 256u + (e * STEP + high) * 16u + lane] = sum[n][e] - (n == 2u ? 0 : start[e]);
}
