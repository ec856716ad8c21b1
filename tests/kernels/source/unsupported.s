// A kernel with a graphics instruction, which a compute queue has no use for: it decodes but has no semantics.
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.amdhsa_code_object_version 5
.include "kernel.inc"
.text
kernel_begin unsupported
  v_mov_b32_e32 v1, 1.0
  exp mrt0 v1, v1, v1, v1 done
  s_endpgm
kernel_end unsupported
