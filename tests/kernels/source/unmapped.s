// Lane 5 of the second wave reads 4 bytes at the address in the argument; all other lanes are switched off.
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.amdhsa_code_object_version 5
.include "kernel.inc"
.text
kernel_begin unmapped
  s_load_b64 s[4:5], s[0:1], 0x0
  v_cmp_eq_u32_e32 vcc_lo, 37, v0
  s_waitcnt lgkmcnt(0)
  s_and_saveexec_b32 s3, vcc_lo
  v_mov_b32_e32 v1, 0
  global_load_b32 v2, v1, s[4:5]
  s_waitcnt vmcnt(0)
  s_endpgm
kernel_end unmapped
