#pragma once
#include <cstddef>
#include <vector>

#include "isa/amd/instruction.h"

namespace mockgpu::isa::amd {

/// The bytes of an instruction, the inverse of `decode`: fields that the form lacks or does not use hold what
/// LLVM writes there. Empty if the target has no such form. Operands must fit their fields: the assembler's
/// parser sees to that, and what `decode` made does.
std::vector<std::byte> encode(const Target& target, const Instruction& instruction);

}  // namespace mockgpu::isa::amd
