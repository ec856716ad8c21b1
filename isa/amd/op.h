#pragma once
// The operations alone, without the decoded instruction: for code that may not include standard headers.
#include <cstdint>

namespace mockgpu::isa::amd {

/// What an instruction does, whatever its encoding or generation: the rows of ops.inc. `Op::v_add_f32` is the
/// same for VOP2, VOP3, DPP and VOPD. VOPD halves use the op of the instruction that they stand for.
enum class Op : std::uint16_t {
#define MOCKGPU_OP(name, ...) name,
#include "isa/amd/ops.inc"
#undef MOCKGPU_OP
  count
};

}  // namespace mockgpu::isa::amd
