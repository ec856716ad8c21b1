#pragma once
// Helpers of the decoder's tests.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/amd/disassemble.h"
#include "isa/amd/instruction.h"

namespace mockgpu::isa::amd {

/// The bytes written as hex digits, in memory order.
std::vector<std::byte> bytes_of(std::string_view hex);

/// Decodes all of `hex` for gfx1100; fails the test if it does not decode, or not to its end.
Instruction decoded(std::string_view hex, bool wave64 = false);

/// One line of a golden file: hex bytes, LLVM attributes, text.
struct GoldenLine {
  std::string hex;
  bool wave64;
  std::string text;
};
std::vector<GoldenLine> read_golden(std::string_view file);

/// `text` with runs of spaces as one.
std::string fold_spaces(std::string_view text);

}  // namespace mockgpu::isa::amd
