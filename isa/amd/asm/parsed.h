#pragma once
#include <optional>

#include "isa/amd/asm/expression.h"
#include "isa/amd/instruction.h"

namespace mockgpu::isa::amd {

/// A value in an instruction that is not known yet: the target of a branch (simm16) or a literal.
struct PendingValue {
  bool is_branch = false;
  Expression expression;
  bool is_wide = false;  ///< a literal of 64 bits
};

/// One instruction as text says it. Where a value is pending, the instruction holds 0, and a literal last.
struct ParsedInstruction {
  Instruction instruction;
  std::optional<PendingValue> pending;
  std::vector<std::byte> bytes;
  std::string warning;  ///< what it says that the instruction cannot hold; usually empty
};

/// Reads one instruction in LLVM's syntax and encodes it, in the smallest encoding that holds it unless a
/// suffix (`_e32`, `_e64`, `_dpp`) says otherwise. Throws a Mismatch that says what would be legal.
ParsedInstruction parse_instruction(const Target& target, bool wave64, std::string_view text,
                                    const SymbolScope& symbols);

}  // namespace mockgpu::isa::amd
