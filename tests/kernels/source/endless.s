// Never ends: every wave branches to itself.
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.amdhsa_code_object_version 5
.include "kernel.inc"
.text
kernel_begin endless
  v_mov_b32_e32 v1, 0
.Lagain:
  v_add_nc_u32_e32 v1, 1, v1
  s_branch .Lagain
  s_endpgm
kernel_end endless
