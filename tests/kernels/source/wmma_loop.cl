#include "base.h"
// Benchmark: one wave32 issues 4 independent WMMA per iteration, 16x16x16 multiply-accumulates each.
typedef half v16h __attribute__((ext_vector_type(16)));
typedef float v8f __attribute__((ext_vector_type(8)));
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void wmmaloop(global const half *A, global float *C, uint iterations) {
  uint l = LID_X() & 15;
  v16h a, b;
  v8f c0 = 0, c1 = 1, c2 = 2, c3 = 3;
  for (int k = 0; k < 16; k++) { a[k] = A[l * 16 + k]; b[k] = A[k * 16 + l]; }
#pragma unroll 1
  for (uint i = 0; i < iterations; i++) {
    c0 = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c0);
    c1 = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c1);
    c2 = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c2);
    c3 = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c3);
  }
  for (int e = 0; e < 8; e++) C[GID_X() * 8 + e] = (c0[e] + c1[e]) + (c2[e] + c3[e]);
}
