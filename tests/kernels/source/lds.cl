#include "base.h"
// Group memory: every width, rounds of exchange between waves, every atomic, unaligned fields.
#define LANES 64

kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void lds_widths(global const uint *x, global uint *o) {
  local uchar b[LANES];
  local ushort h[LANES];
  local uint w[LANES];
  local ulong q[LANES];
  local uint3 t[LANES];
  local uint4 v[LANES];
  uint l = LID_X(), i = GID_X(), a = x[i];
  b[l] = (uchar)a;
  h[l] = (ushort)(a >> 3);
  w[l] = a * 3u;
  q[l] = (ulong)a << 17;
  t[l] = (uint3)(a, a + 1u, a + 2u);
  v[l] = (uint4)(a ^ 1u, a ^ 2u, a ^ 4u, a ^ 8u);
  wg_barrier();
  uint n = (l * 7u + 3u) % LANES;
  o[i * 6 + 0] = b[n] + ((uint)(int)((local signed char *)b)[n] << 1);
  o[i * 6 + 1] = h[n] + ((uint)(int)((local short *)h)[n] << 1);
  o[i * 6 + 2] = w[n] ^ w[(n + 16u) % LANES];
  o[i * 6 + 3] = (uint)q[n] ^ (uint)(q[n] >> 32);
  uint3 tn = t[n];
  o[i * 6 + 4] = tn.x + 3u * tn.y + 5u * tn.z;
  uint4 vn = v[n];
  o[i * 6 + 5] = vn.x + 3u * vn.y + 5u * vn.z + 7u * vn.w;
}

kernel __attribute__((reqd_work_group_size(192, 1, 1))) void lds_rounds(global const uint *x, global uint *o) {
  local uint s[192];
  uint l = LID_X(), a = x[GID_X()];
  for (uint k = 1; k < 9u; ++k) {
    s[l] = a;
    wg_barrier();
    if (a & 1u) a += s[(l + k * 31u) % 192u];
    else a = a * 5u + s[191u - l];
    wg_barrier();
  }
  o[GID_X()] = a;
}

#define LDS_ATOMIC(op, type, at, value) \
  __opencl_atomic_##op((local atomic_##type *)&(at), value, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP)
kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void lds_atomics(global const int *x, global uint *o, global ulong *p) {
  local uint s[16];
  local ulong q[8];
  local float f[1];
  uint l = LID_X();
  int a = x[GID_X()];
  if (l < 16u) s[l] = l == 2u || l == 7u ? ~0u : 0u;
  if (l < 8u) q[l] = l == 2u || l == 5u ? ~0ul : 0ul;
  if (l == 0u) f[0] = 0.5f;
  wg_barrier();
  LDS_ATOMIC(fetch_add, uint, s[0], (uint)a);
  LDS_ATOMIC(fetch_sub, uint, s[1], (uint)a);
  LDS_ATOMIC(fetch_and, uint, s[2], (uint)a | 0xff0000ffu);
  LDS_ATOMIC(fetch_or, uint, s[3], (uint)a & 0x0f0f0f0fu);
  LDS_ATOMIC(fetch_xor, uint, s[4], (uint)a);
  LDS_ATOMIC(fetch_min, int, s[5], a);
  LDS_ATOMIC(fetch_max, int, s[6], a);
  LDS_ATOMIC(fetch_min, uint, s[7], (uint)a);
  LDS_ATOMIC(fetch_max, uint, s[8], (uint)a);
  uint tickets = __builtin_amdgcn_atomic_inc32((local uint *)&s[9], 40u, __ATOMIC_RELAXED, "workgroup");
  __builtin_amdgcn_atomic_dec32((local uint *)&s[10], 40u, __ATOMIC_RELAXED, "workgroup");
  LDS_ATOMIC(fetch_add, uint, s[11], tickets);
  if (l == 5u) LDS_ATOMIC(exchange, uint, s[12], (uint)a);
  uint expected = 0;
  if (l % 16u == 3u) __opencl_atomic_compare_exchange_strong((local atomic_uint *)&s[13], &expected, 77u, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP);
  LDS_ATOMIC(fetch_add, uint, s[14], expected);
  LDS_ATOMIC(fetch_add, ulong, q[0], (ulong)(long)a << 20);
  LDS_ATOMIC(fetch_sub, ulong, q[1], (ulong)(uint)a << 20);
  LDS_ATOMIC(fetch_and, ulong, q[2], ((ulong)(uint)a << 20) | 0xfffful);
  LDS_ATOMIC(fetch_or, ulong, q[3], ((ulong)(uint)a << 20) & 0x0f0f0f0f0f0f0f0ful);
  LDS_ATOMIC(fetch_xor, ulong, q[4], (ulong)(uint)a << 20);
  LDS_ATOMIC(fetch_min, ulong, q[5], (ulong)(uint)a << 20);
  LDS_ATOMIC(fetch_max, long, q[6], (long)a * 1024);
  __builtin_amdgcn_ds_faddf(f, 0.25f, 0, 0, false);
  wg_barrier();
  if (l < 15u) o[WG_X() * 16 + l] = s[l];
  if (l == 15u) o[WG_X() * 16 + 15u] = as_uint(f[0]);
  if (l < 7u) p[WG_X() * 7 + l] = q[l];
}

struct __attribute__((packed)) Odd {
  uchar a;
  uint b;
  ulong c;
  ushort d;
};
kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void lds_unaligned(global const uint *x, global uint *o) {
  local struct Odd s[LANES];
  uint l = LID_X(), a = x[GID_X()];
  s[l].a = (uchar)a;
  s[l].b = a * 7u;
  s[l].c = (ulong)a * 0x100000001ul + 5ul;
  s[l].d = (ushort)(a >> 16);
  wg_barrier();
  uint n = LANES - 1u - l;
  o[GID_X()] = s[n].a + s[n].b + (uint)s[n].c + (uint)(s[n].c >> 32) * 3u + s[n].d;
}
