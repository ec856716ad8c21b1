// What a compiler emits must decode and prepare.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "tests/vector/machine.h"

namespace mockgpu::tests::required_tests {

TEST(Required, InstructionsOfTheTestKernels) {
  std::ifstream file(MOCKGPU_TEST_DATA "/vector/required.tsv");
  ASSERT_TRUE(file.good());
  unsigned count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream dwords(line.substr(0, line.find('\t')));
    std::vector<std::uint32_t> code;
    for (std::string dword; dwords >> dword;)
      code.push_back(static_cast<std::uint32_t>(std::stoul(dword, nullptr, 16)));
    Instruction decoded;
    ASSERT_TRUE(
        isa::amd::decode(*isa::amd::find_target("gfx1100"), std::as_bytes(std::span(code)), false, decoded))
        << line;
    EXPECT_EQ(decoded.size, code.size() * 4) << line;
    for (const auto* level : levels()) {
      VectorMachine machine(1);
      EXPECT_FALSE(machine.prepare(decoded, *level).empty()) << line;
    }
    ++count;
  }
  EXPECT_GT(count, 150u);
}

}  // namespace mockgpu::tests::required_tests
