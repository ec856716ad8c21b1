// A kernel whose third instruction is no instruction of gfx1100 (SOP1 opcode 0xff).
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.amdhsa_code_object_version 5
.include "kernel.inc"
.text
kernel_begin undecodable
  v_mov_b32_e32 v1, 1.0
  s_nop 0
  .long 0xbe80ff00
  s_endpgm
kernel_end undecodable
