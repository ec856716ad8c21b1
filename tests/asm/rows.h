#pragma once
// The golden rows as the assembler's tests need them.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "isa/amd/instruction.h"

namespace mockgpu::tests::asm_rows {

/// A row of tests/isa/golden, or of the folder that MOCKGPU_GOLDEN names: an encoding of LLVM's own tests and
/// what LLVM 22 prints for it.
struct Row {
  std::string hex;
  std::string text;
  bool wave64 = false;
  /// Whether llvm-mc-22 assembles the text to these bytes; tests/asm/not_canonical.tsv lists the others
  /// (ignored bits, odd SGPR pairs, 16-bit integers with float constants).
  bool canonical = true;
};

/// A golden file and the target that its rows are for.
struct Column {
  const char* name;    ///< as in `rdna3.tsv`
  const char* target;  ///< as in `gfx1100`
};

/// The columns whose generation the form tables know.
std::vector<Column> columns();

std::vector<Row> read_rows(const Column& column);

std::string to_hex(const std::vector<std::byte>& bytes);
std::vector<std::byte> from_hex(std::string_view hex);

}  // namespace mockgpu::tests::asm_rows
