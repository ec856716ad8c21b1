#include "base.h"
// Every atomic on global memory, with the orders and scopes that the language has.
#define ATOMIC(op, type, at, value, order, scope) \
  __opencl_atomic_##op((global atomic_##type *)&(at), value, __ATOMIC_##order, __OPENCL_MEMORY_SCOPE_##scope)

kernel void atomics32(global uint *s, global const int *x, global float *f) {
  int a = x[GID_X()];
  ATOMIC(fetch_add, uint, s[0], (uint)a, RELAXED, DEVICE);
  ATOMIC(fetch_sub, uint, s[1], (uint)a, ACQUIRE, DEVICE);
  ATOMIC(fetch_and, uint, s[2], (uint)a | 0xff0000ffu, RELEASE, ALL_SVM_DEVICES);
  ATOMIC(fetch_or, uint, s[3], (uint)a & 0x0f0f0f0fu, ACQ_REL, DEVICE);
  ATOMIC(fetch_xor, uint, s[4], (uint)a, SEQ_CST, ALL_SVM_DEVICES);
  ATOMIC(fetch_min, int, s[5], a, RELAXED, DEVICE);
  ATOMIC(fetch_max, int, s[6], a, RELAXED, DEVICE);
  ATOMIC(fetch_min, uint, s[7], (uint)a, RELAXED, DEVICE);
  ATOMIC(fetch_max, uint, s[8], (uint)a, RELAXED, DEVICE);
  uint ticket = __builtin_amdgcn_atomic_inc32((global uint *)&s[9], 40u, __ATOMIC_RELAXED, "agent");
  __builtin_amdgcn_atomic_dec32((global uint *)&s[10], 40u, __ATOMIC_RELAXED, "agent");
  ATOMIC(fetch_add, uint, s[11], ticket, RELAXED, DEVICE);
  uint was = ATOMIC(exchange, uint, s[12], (uint)a, RELAXED, DEVICE);
  ATOMIC(fetch_add, uint, s[13], was, RELAXED, DEVICE);  // what was exchanged away: all values but the last
  // A sum by compare-exchange.
  uint seen = __opencl_atomic_load((global atomic_uint *)&s[14], __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
  while (!__opencl_atomic_compare_exchange_weak((global atomic_uint *)&s[14], &seen, seen + (uint)a, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE)) {}
  if (GID_X() == 3u) ATOMIC(store, uint, s[15], 99u, RELEASE, DEVICE);
  ATOMIC(fetch_add, uint, s[32 + WG_X()], 1u, ACQ_REL, WORK_GROUP);
  ATOMIC(fetch_add, uint, s[64 + GID_X()], (uint)a, SEQ_CST, SUB_GROUP);
  __builtin_amdgcn_global_atomic_fadd_f32(&f[0], 0.25f);
  float kept = __builtin_amdgcn_global_atomic_fadd_f32(&f[1], 1.0f);
  ATOMIC(fetch_min, float, f[2], (float)a, RELAXED, DEVICE);
  ATOMIC(fetch_max, float, f[3], (float)a, RELAXED, DEVICE);
  ATOMIC(fetch_add, float, f[4], kept, RELAXED, DEVICE);
}

kernel void atomics64(global ulong *s, global const int *x) {
  long a = (long)x[GID_X()] * 0x10001;
  ATOMIC(fetch_add, ulong, s[0], (ulong)a, RELAXED, DEVICE);
  ATOMIC(fetch_sub, ulong, s[1], (ulong)a, ACQUIRE, DEVICE);
  ATOMIC(fetch_and, ulong, s[2], (ulong)a | 0xff0000ff00fful, RELEASE, DEVICE);
  ATOMIC(fetch_or, ulong, s[3], (ulong)a & 0x0f0f0f0f0f0f0f0ful, ACQ_REL, DEVICE);
  ATOMIC(fetch_xor, ulong, s[4], (ulong)a, SEQ_CST, ALL_SVM_DEVICES);
  ATOMIC(fetch_min, long, s[5], a, RELAXED, DEVICE);
  ATOMIC(fetch_max, long, s[6], a, RELAXED, DEVICE);
  ATOMIC(fetch_min, ulong, s[7], (ulong)a, RELAXED, DEVICE);
  ATOMIC(fetch_max, ulong, s[8], (ulong)a, RELAXED, DEVICE);
  ulong was = ATOMIC(exchange, ulong, s[9], (ulong)a, RELAXED, DEVICE);
  ATOMIC(fetch_add, ulong, s[10], was, RELAXED, DEVICE);
  ulong seen = __opencl_atomic_load((global atomic_ulong *)&s[11], __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
  while (!__opencl_atomic_compare_exchange_weak((global atomic_ulong *)&s[11], &seen, seen + (ulong)a, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE)) {}
  // A sum of doubles by compare-exchange: exact, whatever the order.
  ATOMIC(fetch_add, double, s[12], (double)a, RELAXED, DEVICE);
}
