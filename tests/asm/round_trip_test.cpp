#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "isa/amd/asm/encode.h"
#include "isa/amd/asm/parsed.h"
#include "isa/amd/disassemble.h"
#include "tests/asm/rows.h"

namespace mockgpu::tests::round_trip_tests {

using namespace asm_rows;
using isa::amd::Instruction;
using isa::amd::Target;

// Fills the fields of a golden row's instruction with random bits.
std::vector<std::byte> shaken(std::vector<std::byte> bytes, std::mt19937& random) {
  for (unsigned flips = 1 + random() % 6; flips; --flips)
    bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << random() % 8);
  return bytes;
}

// The bytes of a text, or what is wrong with it.
std::pair<std::vector<std::byte>, std::string> assembled(const Target& target, const std::string& text,
                                                         bool wave64) {
  try {
    const isa::amd::NoSymbols symbols;
    return {parse_instruction(target, wave64, text, symbols).bytes, ""};
  } catch (const isa::amd::Mismatch& mismatch) {
    return {{}, mismatch.message};
  }
}

// assemble(disassemble(x)) == x and encode(decode(x)) == x for whatever is legal.
TEST(RoundTrip, DisassembledInstructionsAssembleToTheirBytes) {
  std::mt19937 random(1);
  for (const Column& column : columns()) {
    const Target& target = *isa::amd::find_target(column.target);
    std::size_t tried = 0, legal = 0;
    const std::vector<Row> rows = read_rows(column);
    for (int i = 0; i < 3000; ++i) {
      const Row& row = rows[random() % rows.size()];
      const bool wave64 = row.wave64 || !target.wave32;
      Instruction instruction;
      if (!decode(target, shaken(from_hex(row.hex), random), wave64, instruction)) continue;
      ++tried;
      // What the assembler takes is legal; from there on nothing may change.
      const std::string text = disassemble(target, instruction, wave64);
      const auto [bytes, refused] = assembled(target, text, wave64);
      if (!refused.empty()) continue;
      ++legal;
      ASSERT_TRUE(decode(target, bytes, wave64, instruction)) << text;
      EXPECT_EQ(to_hex(encode(target, instruction)), to_hex(bytes)) << column.name << ": " << text;
      const std::string again = disassemble(target, instruction, wave64);
      const auto [bytes_again, message] = assembled(target, again, wave64);
      EXPECT_EQ(to_hex(bytes_again), to_hex(bytes))
          << column.name << ": " << text << " | " << again << ": " << message;
    }
    fmt::print("{}: {} of {} random instructions are legal\n", column.name, legal, tried);
    EXPECT_GT(legal, tried * 8 / 10) << column.name;
  }
}

}  // namespace mockgpu::tests::round_trip_tests
