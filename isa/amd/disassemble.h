#pragma once
#include <string>

#include "isa/amd/instruction.h"

namespace mockgpu::isa::amd {

/// The instruction in LLVM 22's syntax, one line, single spaces: `v_add_f32_e32 v2, v2, v3`.
/// Branches print their simm16 as an unsigned number.
std::string disassemble(const Target& target, const Instruction& instruction, bool wave64);

}  // namespace mockgpu::isa::amd
