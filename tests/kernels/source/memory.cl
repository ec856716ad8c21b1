#include "base.h"
// Addressing: flat pointers into all apertures, every width of global accesses, buffer resources.

typedef ulong __attribute__((may_alias)) AnyUlong;

// Work-item i works on group memory, private memory or global memory, through one pointer.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void flat(global const uint *x, global uint *o) {
  local uint s[64 * 4];
  uint mine[4];
  uint l = LID_X(), i = GID_X(), a = x[i];
  uint *p = a % 3u == 0u ? (uint *)&s[l * 4u] : a % 3u == 1u ? (uint *)mine : (uint *)&o[i * 4u];
  for (uint k = 0; k < 4u; ++k) p[k] = a + k;
  for (uint k = 0; k < 8u; ++k) p[(a >> k) & 3u] += p[k & 3u] ^ k;
  *((uchar *)p + (a & 7u)) = (uchar)(a * 29u);
  *(AnyUlong *)(p + 2) += 0x100000003ul;
  if (a % 3u != 1u) __opencl_atomic_fetch_add((atomic_uint *)&p[a & 3u], 9u, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
  uint r0 = p[0], r1 = p[1], r2 = p[2], r3 = p[3];
  o[i * 4u + 0u] = r0;
  o[i * 4u + 1u] = r1;
  o[i * 4u + 2u] = r2;
  o[i * 4u + 3u] = r3;
}

kernel void widths(global const uchar *x, global uchar *o) {
  uint i = GID_X();
  global const uchar *from = x + i * 64u;
  global uchar *to = o + i * 64u;
  to[0] = (uchar)(from[0] + 1u);
  ((global short *)to)[1] = (short)(((global const signed char *)from)[1] * 3);
  ((global uint *)to)[1] = ((global const ushort *)from)[1] + ((global const uint *)from)[1];
  ((global ulong *)to)[1] = ((global const ulong *)from)[1] ^ (ulong)(long)((global const short *)from)[6];
  ((global uint4 *)to)[1] = ((global const uint4 *)from)[1].wzyx;
  uint t0 = ((global const uint *)from)[8], t1 = ((global const uint *)from)[9], t2 = ((global const uint *)from)[10];
  ((global uint *)to)[8] = t2;
  ((global uint *)to)[9] = t0;
  ((global uint *)to)[10] = t1;
  *(global ushort *)(to + 45) = *(global const ushort *)(from + 47);
  *(global uint *)(to + 49) = *(global const uint *)(from + 51);
  *(global ulong *)(to + 55) = *(global const ulong *)(from + 53);
}

// Raw buffers: reads beyond the end give 0, writes there are dropped.
kernel void buffers(global uint *x, global uint *o) {
  uint i = GID_X();
  __amdgpu_buffer_rsrc_t from = __builtin_amdgcn_make_buffer_rsrc(x, 0, 256, 0x31004fac);
  uint sum = __builtin_amdgcn_raw_buffer_load_b32(from, (int)(i * 4u), 0, 0);
  sum += 3u * __builtin_amdgcn_raw_buffer_load_b8(from, (int)i, 8, 0);
  sum += 5u * __builtin_amdgcn_raw_buffer_load_b16(from, (int)(i * 2u), 4, 0);
  uint2 two = __builtin_amdgcn_raw_buffer_load_b64(from, (int)(i * 8u), 0, 0);
  uint3 three = __builtin_amdgcn_raw_buffer_load_b96(from, (int)(i * 16u), 0, 0);
  uint4 four = __builtin_amdgcn_raw_buffer_load_b128(from, (int)(i * 16u), 0, 0);
  o[i * 4 + 0] = sum;
  o[i * 4 + 1] = two.x + 3u * two.y;
  o[i * 4 + 2] = three.x + 3u * three.y + 5u * three.z;
  o[i * 4 + 3] = four.x + 3u * four.y + 5u * four.z + 7u * four.w;
  __amdgpu_buffer_rsrc_t words = __builtin_amdgcn_make_buffer_rsrc(o + 1024, 0, 512, 0x31004fac);
  __amdgpu_buffer_rsrc_t bytes = __builtin_amdgcn_make_buffer_rsrc(o + 1024 + 128, 0, 512, 0x31004fac);
  __amdgpu_buffer_rsrc_t halves = __builtin_amdgcn_make_buffer_rsrc(o + 1024 + 256, 0, 512, 0x31004fac);
  __builtin_amdgcn_raw_buffer_store_b32(i * 17u, words, (int)(i * 4u), 0, 0);
  __builtin_amdgcn_raw_buffer_store_b8((uchar)i, bytes, (int)(i * 4u + 1u), 0, 0);
  __builtin_amdgcn_raw_buffer_store_b16((ushort)(i * 3u), halves, (int)(i * 4u), 2, 0);
}

// A structured buffer: 20 records of 12 bytes, bound by index and by offset inside the record.
#define RESOURCE                        \
  "v_readfirstlane_b32 s36, %[low]\n"   \
  "v_readfirstlane_b32 s37, %[high]\n"  \
  "s_mov_b32 s38, 20\n"                 \
  "s_mov_b32 s39, 0x00016fac\n"
#define BASE [low] "v"((uint)base), [high] "v"((uint)(base >> 32) | 12u << 16)
kernel void records(global uint *x, global uint *o) {
  uint i = GID_X(), first, second, third;
  ulong base = (ulong)x;
  uint2 address = (uint2)(i, 8u);
  __asm volatile(RESOURCE
                 "buffer_load_b32 %0, %[index], s[36:39], 0 idxen\n"
                 "buffer_load_b32 %1, %[index], s[36:39], 0 idxen offset:4\n"
                 "buffer_load_b32 %2, %[both], s[36:39], 0 idxen offen\n"
                 "s_waitcnt vmcnt(0)"
                 : "=&v"(first), "=&v"(second), "=&v"(third)
                 : [index] "v"(i), [both] "v"(address), BASE
                 : "memory", "s36", "s37", "s38", "s39");
  o[i * 4 + 0] = first;
  o[i * 4 + 1] = second;
  o[i * 4 + 2] = third;
  address.y = (i & 7u) * 2u;
  __asm volatile(RESOURCE
                 "buffer_load_u16 %0, %[both], s[36:39], 0 idxen offen\n"
                 "s_waitcnt vmcnt(0)"
                 : "=&v"(first)
                 : [both] "v"(address), BASE
                 : "memory", "s36", "s37", "s38", "s39");
  o[i * 4 + 3] = first;
}
