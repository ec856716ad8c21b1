#include <gtest/gtest.h>

#include <random>

#include "tests/isa/decoding.h"

namespace mockgpu::isa::amd::fuzz_tests {

const Target& gfx1100() { return *find_target("gfx1100"); }

// What holds for every decode, whatever the bytes.
void check(const Target& target, std::span<const std::byte> bytes, bool wave64) {
  Instruction instruction;
  if (!decode(target, bytes, wave64, instruction)) {
    EXPECT_EQ(instruction.size, std::min<std::size_t>(bytes.size(), 4));
    EXPECT_EQ(instruction.form, nullptr);
    return;
  }
  ASSERT_NE(instruction.form, nullptr);
  EXPECT_LE(instruction.size, bytes.size());
  EXPECT_EQ(instruction.size % 4, 0);
  EXPECT_LE(instruction.operand_count, instruction.operands.size());
  EXPECT_LT(instruction.op, Op::count);
  for (const Operand& operand : instruction.ops()) EXPECT_LE(operand.dwords, 33);
  EXPECT_FALSE(disassemble(target, instruction, wave64).empty());
}

TEST(Fuzz, RandomWords) {
  std::mt19937 random(1);
  for (int i = 0; i < 60000; ++i) {
    std::array<std::uint32_t, 5> words;
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
    const std::size_t length = random() % (sizeof words + 1);
    check(targets()[random() % targets().size()], std::as_bytes(std::span(words)).first(length),
          random() & 1);
  }
}

TEST(Fuzz, MutatedInstructions) {
  const std::vector<GoldenLine> lines = read_golden("rdna3.tsv");
  ASSERT_FALSE(lines.empty());
  std::mt19937 random(2);
  for (int i = 0; i < 60000; ++i) {
    std::vector<std::byte> bytes = bytes_of(lines[random() % lines.size()].hex);
    for (unsigned flips = random() % 4; flips; --flips)
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << random() % 8);
    for (unsigned more = random() % 3; more; --more)
      for (int byte = 0; byte < 4; ++byte) bytes.push_back(static_cast<std::byte>(random()));
    check(i % 2 ? gfx1100() : targets()[random() % targets().size()], bytes, random() & 1);
  }
}

TEST(Fuzz, TruncatedInstructionsDoNotDecode) {
  for (const GoldenLine& line : read_golden("rdna3.tsv")) {
    const std::vector<std::byte> bytes = bytes_of(line.hex);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      // A buffer of its own, so that a sanitizer sees a read past the end.
      const std::vector<std::byte> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
      Instruction instruction;
      ASSERT_FALSE(decode(gfx1100(), part, line.wave64, instruction)) << line.hex << " cut to " << length;
      ASSERT_EQ(instruction.size, std::min<std::size_t>(length, 4));
    }
  }
}

TEST(Fuzz, WhatFollowsAnInstructionDoesNotMatter) {
  for (const GoldenLine& line : read_golden("rdna3.tsv")) {
    std::vector<std::byte> bytes = bytes_of(line.hex);
    const std::size_t size = bytes.size();
    bytes.resize(size + 8, std::byte{0xff});
    Instruction instruction;
    ASSERT_TRUE(decode(gfx1100(), bytes, line.wave64, instruction)) << line.hex;
    ASSERT_EQ(instruction.size, size) << line.hex;
    ASSERT_EQ(disassemble(gfx1100(), instruction, line.wave64), fold_spaces(line.text));
  }
}

}  // namespace mockgpu::isa::amd::fuzz_tests
