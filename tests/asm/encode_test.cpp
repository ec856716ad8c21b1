#include <gtest/gtest.h>

#include "isa/amd/asm/encode.h"
#include "tests/asm/rows.h"

namespace mockgpu::tests::encode_tests {

using namespace asm_rows;

TEST(Encode, IsTheInverseOfDecode) {
  for (const Column& column : columns()) {
    const isa::amd::Target& target = *isa::amd::find_target(column.target);
    std::size_t rows = 0, same = 0;
    std::string misses;
    for (const Row& row : read_rows(column)) {
      if (!row.canonical) continue;
      isa::amd::Instruction instruction;
      ASSERT_TRUE(isa::amd::decode(target, from_hex(row.hex), row.wave64, instruction)) << row.hex;
      const std::string hex = to_hex(isa::amd::encode(target, instruction));
      ++rows;
      same += hex == row.hex;
      if (hex != row.hex) misses += row.hex + " became " + hex + ": " + row.text + '\n';
    }
    EXPECT_GT(rows, 1000u) << column.name;
    EXPECT_EQ(same, rows) << column.name << '\n' << misses;
  }
}

// Bits that hardware ignores come out as LLVM writes them, so that encoding again changes nothing.
TEST(Encode, IsStableForOtherEncodings) {
  for (const Column& column : columns()) {
    const isa::amd::Target& target = *isa::amd::find_target(column.target);
    for (const Row& row : read_rows(column)) {
      if (row.canonical) continue;
      isa::amd::Instruction first, second;
      ASSERT_TRUE(isa::amd::decode(target, from_hex(row.hex), row.wave64, first)) << row.hex;
      const std::vector<std::byte> bytes = isa::amd::encode(target, first);
      EXPECT_EQ(bytes.size() * 2, row.hex.size()) << row.text;
      ASSERT_TRUE(isa::amd::decode(target, bytes, row.wave64, second)) << row.text;
      EXPECT_EQ(to_hex(isa::amd::encode(target, second)), to_hex(bytes)) << row.text;
    }
  }
}

TEST(Encode, RefusesWhatTheTargetLacks) {
  const isa::amd::Instruction nothing;
  EXPECT_TRUE(isa::amd::encode(*isa::amd::find_target("gfx1100"), nothing).empty());
}

}  // namespace mockgpu::tests::encode_tests
