#include "base.h"
// f16 and bf16 arithmetic; MODE's rounding and denormals; the NaN rule.
typedef half half2v __attribute__((ext_vector_type(2)));

kernel void half_arithmetic(global const ushort *x, global ushort *o) {
  uint i = GID_X();
  half a = __builtin_astype(x[i], half), b = __builtin_astype(x[i ^ 1], half), c = __builtin_astype(x[i ^ 2], half);
  o[i * 10 + 0] = as_ushort((half)(a + b));
  o[i * 10 + 1] = as_ushort((half)(a - b));
  o[i * 10 + 2] = as_ushort((half)(a * b));
  o[i * 10 + 3] = as_ushort((half)__builtin_fmaf16(a, b, c));
  o[i * 10 + 4] = as_ushort((half)__builtin_floorf16(a));
  o[i * 10 + 5] = as_ushort((half)__builtin_rintf16(a));
  o[i * 10 + 6] = (ushort)((uint)(a < b) | (uint)(a == c) << 1 | (uint)(a >= c) << 2);
  half2v p = (half2v)(a, b), q = (half2v)(b, c), sum = p + q, product = p * q;
  o[i * 10 + 7] = as_ushort((half)sum.y);
  o[i * 10 + 8] = as_ushort((half)product.y);
  o[i * 10 + 9] = as_ushort((half)((float)a * (float)a));
}

kernel void half_conversions(global const float *x, global ushort *h, global float *f, global short *s) {
  uint i = GID_X();
  half a = (half)x[i];
  h[i * 4 + 0] = as_ushort(a);
  h[i * 4 + 1] = as_ushort((half)(short)x[i]);
  h[i * 4 + 2] = as_ushort((half)(ushort)(short)__builtin_fabsf(x[i]));
  h[i * 4 + 3] = as_ushort((half)((double)x[i] * 1.0009765625));
  f[i] = (float)a;
  s[i] = (short)a;
}

kernel void bfloat_arithmetic(global const __bf16 *x, global __bf16 *o) {
  uint i = GID_X();
  float a = (float)x[i], b = (float)x[i ^ 1];
  o[i * 3 + 0] = (__bf16)(a + b);
  o[i * 3 + 1] = (__bf16)(a * b);
  o[i * 3 + 2] = (__bf16)__builtin_fmaf(a, b, 1.0f);
}

// MODE bits 1:0 round f32, 3:2 round f64 and f16, 5:4 and 7:6 allow denormals of the same.
#define IN_MODE(mode, code, result, ...)                       \
  __asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), " #mode "\n" code \
                 "\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0" : "=v"(result) : __VA_ARGS__)
#define ROUNDED(n, mode)                                                       \
  IN_MODE(mode, "v_add_f32 %0, %1, %2", f, "v"(a), "v"(b));                    \
  o[i * 24 + n * 6 + 0] = as_uint(f);                                          \
  IN_MODE(mode, "v_fma_f32 %0, %1, %2, %1", f, "v"(a), "v"(b));                \
  o[i * 24 + n * 6 + 1] = as_uint(f);                                          \
  IN_MODE(mode, "v_mul_f32 %0, %1, %2", f, "v"(a), "v"(b));                    \
  o[i * 24 + n * 6 + 2] = as_uint(f);                                          \
  IN_MODE(mode, "v_mul_f64 %0, %1, %2", d, "v"(wide), "v"(other));             \
  o[i * 24 + n * 6 + 3] = (uint)as_ulong(d);                                   \
  o[i * 24 + n * 6 + 4] = (uint)(as_ulong(d) >> 32);                           \
  IN_MODE(mode, "v_cvt_f32_f64 %0, %1", f, "v"(wide));                         \
  o[i * 24 + n * 6 + 5] = as_uint(f)
kernel void rounding_modes(global const float *x, global const double *y, global uint *o) {
  uint i = GID_X();
  float a = x[i], b = x[i ^ 1], f;
  double wide = y[i], other = y[i ^ 1], d;
  ROUNDED(0, 0xf0);
  ROUNDED(1, 0xf5);
  ROUNDED(2, 0xfa);
  ROUNDED(3, 0xff);
}

kernel void denormal_modes(global const uint *x, global uint *o) {
  uint i = GID_X();
  float a = as_float(x[i]), b = as_float(x[i ^ 1]), f;
  IN_MODE(0xf0, "v_mul_f32 %0, %1, %2", f, "v"(a), "v"(b));
  o[i * 5 + 0] = as_uint(f);
  IN_MODE(0xc0, "v_mul_f32 %0, %1, %2", f, "v"(a), "v"(b));
  o[i * 5 + 1] = as_uint(f);
  IN_MODE(0xc0, "v_add_f32 %0, %1, %2", f, "v"(a), "v"(b));
  o[i * 5 + 2] = as_uint(f);
  IN_MODE(0xd0, "v_add_f32 %0, %1, %2", f, "v"(a), "v"(b));  // flush results only
  o[i * 5 + 3] = as_uint(f);
  IN_MODE(0xe0, "v_add_f32 %0, %1, %2", f, "v"(a), "v"(b));  // flush sources only
  o[i * 5 + 4] = as_uint(f);
}

#define NAN_OP(n, code, ...)                       \
  __asm volatile(code : "=v"(f) : __VA_ARGS__);    \
  o[i * 6 + n] = as_uint(f)
kernel void nans(global const uint *x, global uint *o, global ulong *p) {
  uint i = GID_X();
  float a = as_float(x[i]), b = as_float(x[i ^ 1]), c = as_float(x[i ^ 2]), f;
  NAN_OP(0, "v_add_f32 %0, %1, %2", "v"(a), "v"(b));
  NAN_OP(1, "v_sub_f32 %0, %1, %2", "v"(a), "v"(b));
  NAN_OP(2, "v_mul_f32 %0, %1, %2", "v"(a), "v"(b));
  NAN_OP(3, "v_fma_f32 %0, %1, %2, %3", "v"(a), "v"(b), "v"(c));
  NAN_OP(4, "v_sqrt_f32 %0, %1", "v"(a));
  NAN_OP(5, "v_add_f32 %0, -%1, %2", "v"(a), "v"(b));
  double wide = as_double((ulong)x[i] << 32 | 5u), other = as_double((ulong)x[i ^ 1] << 32 | 9u), d;
  __asm volatile("v_add_f64 %0, %1, %2" : "=v"(d) : "v"(wide), "v"(other));
  p[i * 2 + 0] = as_ulong(d);
  __asm volatile("v_fma_f64 %0, %1, %2, %1" : "=v"(d) : "v"(wide), "v"(other));
  p[i * 2 + 1] = as_ulong(d);
}
