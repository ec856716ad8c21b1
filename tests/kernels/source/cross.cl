#include "base.h"
// Across lanes: DPP, permutes, ballots. Every work-item writes one result per step.
#define DPP(at, old, control, rows, banks, zero) \
  o[i * RESULTS + at] = (uint)__builtin_amdgcn_update_dpp((int)(old), (int)a, control, rows, banks, zero)

#define RESULTS 15
kernel void dpp(global const uint *x, global uint *o) {
  uint i = GID_X(), a = x[i];
  DPP(0, 7u, 0x1b, 0xf, 0xf, true);    // quad_perm:[3,2,1,0]
  DPP(1, 7u, 0x103, 0xf, 0xf, true);   // row_shl:3
  DPP(2, 7u, 0x105, 0xf, 0xf, false);  // the same with the old value where nothing comes in
  DPP(3, 7u, 0x11f, 0xf, 0xf, true);   // row_shr:15
  DPP(4, a, 0x112, 0xf, 0xf, false);
  DPP(5, 7u, 0x124, 0xf, 0xf, true);   // row_ror:4
  DPP(6, 7u, 0x140, 0xf, 0xf, true);   // row_mirror
  DPP(7, 7u, 0x141, 0xf, 0xf, true);   // row_half_mirror
  DPP(8, 7u, 0x15a, 0xf, 0xf, true);   // row_share:10
  DPP(9, 7u, 0x167, 0xf, 0xf, true);   // row_xmask:7
  DPP(10, 9u, 0x1b, 0x2, 0xf, false);  // only the second row
  DPP(11, 9u, 0x1b, 0xf, 0x6, false);  // only banks 1 and 2
  o[i * RESULTS + 12] = (uint)__builtin_amdgcn_mov_dpp8((int)a, 0x1f58d1);  // the next lane of eight
  o[i * RESULTS + 13] = a + (uint)__builtin_amdgcn_update_dpp(0, (int)a, 0x111, 0xf, 0xf, true);
  uint odd = 1u;
  if (a & 1u) odd = (uint)__builtin_amdgcn_update_dpp(5, (int)a, 0xb1, 0xf, 0xf, true);  // quad_perm:[1,0,3,2] under EXEC
  o[i * RESULTS + 14] = odd;
}
#undef RESULTS

#define RESULTS 8
kernel void permutes(global const uint *x, global uint *o) {
  uint i = GID_X(), a = x[i], lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
  o[i * RESULTS + 0] = (uint)__builtin_amdgcn_permlane16((int)a, (int)a, 0x76543210, 0x89abcdef, true, false);
  o[i * RESULTS + 1] = (uint)__builtin_amdgcn_permlanex16((int)a, (int)a, 0x01234567, 0xfedcba98, true, false);
  o[i * RESULTS + 2] = (uint)__builtin_amdgcn_ds_bpermute((int)((lane * 5u + 3u) * 4u), (int)a);
  o[i * RESULTS + 3] = (uint)__builtin_amdgcn_ds_permute((int)((lane * 5u + 3u) * 4u), (int)a);
  o[i * RESULTS + 4] = (uint)__builtin_amdgcn_ds_swizzle((int)a, 0x041f);  // and 31, or 0, xor 1
  o[i * RESULTS + 5] = (uint)__builtin_amdgcn_ds_swizzle((int)a, 0x0c58);  // and 24, or 2, xor 3
  o[i * RESULTS + 6] = (uint)__builtin_amdgcn_ds_swizzle((int)a, 0x801b);  // quad_perm:[3,2,1,0]
  uint value = 0xffffffffu;
  if (lane & 2u) value = (uint)__builtin_amdgcn_ds_bpermute((int)((lane ^ 1u) * 4u), (int)a);
  o[i * RESULTS + 7] = value;
}
#undef RESULTS

kernel void ballots(global const uint *x, global ulong *o) {
  uint i = GID_X(), a = x[i];
  o[i * 6 + 0] = __builtin_amdgcn_ballot_w64((a & 3u) == 1u);
  ulong inner = 0;
  if (a & 4u) inner = __builtin_amdgcn_ballot_w64((a & 8u) != 0u) ^ (ulong)__builtin_amdgcn_readfirstlane((int)(a & 0xffffu));
  o[i * 6 + 1] = inner;
  o[i * 6 + 2] = __builtin_amdgcn_mbcnt_hi(0x0f0f0f0fu, __builtin_amdgcn_mbcnt_lo(0x33333333u, 5u));
  uint written = a;
  __asm volatile("v_writelane_b32 %0, 33, 9" : "+v"(written));
  o[i * 6 + 3] = written;
  o[i * 6 + 4] = (uint)__builtin_amdgcn_readlane((int)a, (int)(__builtin_amdgcn_readfirstlane((int)a) & 31));
  // The compilers' idiom for a loop over distinct values.
  ulong rounds = 0;
  uint mine = a % 5u;
  for (;;) {
    uint first = (uint)__builtin_amdgcn_readfirstlane((int)mine);
    rounds = rounds * 8u + first + 1u;
    if (first == mine) break;
  }
  o[i * 6 + 5] = rounds;
}
