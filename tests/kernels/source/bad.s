// Kernels that do one wrong thing each. The argument is an address: work-item 5 of the second wave uses it, all other
// work-items do nothing, unless said otherwise.
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.amdhsa_code_object_version 5
.include "kernel.inc"
.text

.macro only_one
  s_load_b64 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 7
  s_waitcnt lgkmcnt(0)
  v_cmpx_eq_u32_e32 37, v0
.endm

kernel_begin store_at
  only_one
  global_store_b32 v1, v2, s[4:5]
  s_waitcnt_vscnt null, 0x0
  s_endpgm
kernel_close store_at

kernel_begin store_block_at
  only_one
  global_store_b128 v1, v[2:5], s[4:5]
  s_waitcnt_vscnt null, 0x0
  s_endpgm
kernel_close store_block_at

kernel_begin load_at
  only_one
  global_load_b64 v[2:3], v1, s[4:5]
  s_waitcnt vmcnt(0)
  s_endpgm
kernel_close load_at

kernel_begin scalar_load_at
  s_load_b64 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_load_b128 s[4:7], s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  s_endpgm
kernel_close scalar_load_at

kernel_begin atomic_at
  only_one
  global_atomic_add_u32 v1, v2, s[4:5]
  s_waitcnt_vscnt null, 0x0
  s_endpgm
kernel_close atomic_at

kernel_begin wide_atomic_at
  only_one
  v_mov_b32_e32 v3, 0
  global_atomic_add_u64 v4, v[2:3], s[4:5]
  s_waitcnt_vscnt null, 0x0
  s_endpgm
kernel_close wide_atomic_at

// All waves jump to the address.
kernel_begin jump_to
  s_load_b64 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_setpc_b64 s[4:5]
kernel_close jump_to

// Beyond the end of the program's memory, by a branch and by running on.
kernel_begin branch_out
  s_branch 0x7fff
  s_endpgm
kernel_close branch_out

// Names a register that the descriptor does not allocate.
kernel_begin register_beyond
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v200, v1
  s_endpgm
kernel_close register_beyond

// Private memory that the descriptor does not ask for.
kernel_begin private_beyond
  only_one
  scratch_store_b32 off, v2, off offset:4000
  s_waitcnt_vscnt null, 0x0
  s_endpgm
kernel_close private_beyond

// Group memory: 512 bytes are allocated at launch. Every lane writes far outside and one dword inside, reads both
// back, and stores what it read at the address: 0 and its own number.
kernel_begin group_beyond
  s_load_b64 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_add_nc_u32_e32 v2, 0x8000, v1
  v_mov_b32_e32 v3, 0x55
  v_mov_b32_e32 v4, 0x77
  s_waitcnt lgkmcnt(0)
  ds_store_b32 v1, v0
  ds_store_b32 v2, v3
  ds_load_b32 v4, v2
  ds_load_b32 v5, v1
  s_waitcnt lgkmcnt(0)
  v_lshlrev_b32_e32 v1, 3, v0
  global_store_b64 v1, v[4:5], s[4:5]
  s_endpgm
kernel_close group_beyond
