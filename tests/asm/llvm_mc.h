#pragma once
// LLVM's assembler as a reference: one process for a list of instructions.
#include <string>
#include <string_view>
#include <vector>

namespace mockgpu::tests::llvm_mc {

/// What llvm-mc makes of one line: bytes as hex digits, or its error.
struct Encoded {
  std::string hex;
  std::string error;
};

/// Whether `llvm-mc-<version>` is installed.
bool is_installed(unsigned version);

/// Assembles each line for `target` ("gfx1100"); the result has as many entries. Parts of an encoding that
/// depend on symbols are "??".
std::vector<Encoded> assemble(unsigned version, std::string_view target, bool wave64,
                              const std::vector<std::string>& lines);

}  // namespace mockgpu::tests::llvm_mc
