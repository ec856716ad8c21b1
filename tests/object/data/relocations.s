// Data that the loader must relocate: the places and what each must hold afterwards are in code_object tests.
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.amdhsa_code_object_version 5
.text
.globl start
.type start,@function
.p2align 8
start:
  s_endpgm
.Lstart_end:
.size start, .Lstart_end - start
.type helper,@function
helper:
  s_nop 0
  s_setpc_b64 s[30:31]
.Lhelper_end:
.size helper, .Lhelper_end - helper

.data
.globl table
.type table,@object
.p2align 3
table:
  .quad local_value + 8    // RELATIVE64
  .quad exported + 4       // ABS64
  .quad missing            // ABS64, undefined
  .quad optional           // ABS64, undefined and weak
.size table, . - table
local_value:
  .quad 0x1122334455667788
  .quad 0
.globl exported
.type exported,@object
exported:
  .quad 0
.size exported, 8
.weak optional

.bss
.globl zeros
.type zeros,@object
.p2align 3
zeros:
  .zero 64
.size zeros, 64

.rodata
.p2align 6
.amdhsa_kernel start
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
