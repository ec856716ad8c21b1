#pragma once
#include <string>
#include <string_view>

#include "isa/amd/instruction.h"

namespace mockgpu::isa::amd {

/// What an instruction may not do although its encoding has room for it: thrown by `check_legality`.
struct Violation {
  int operand = -1;                ///< its place in Instruction::operands, or -1
  std::string_view modifier = {};  ///< the modifier to blame, if no operand is
  std::string message;
  std::string legal = {};
};

/// Throws a Violation for the first rule that a decoded or parsed instruction breaks: how many scalars one
/// instruction reads, aligned register tuples, banks of dual instructions, controls of DPP and SDWA,
/// modifiers that the target or the kind of access lacks. Facts: AMD's ISA documents and LLVM 22's assembler.
void check_legality(const Target& target, bool wave64, const Instruction& instruction);

}  // namespace mockgpu::isa::amd
