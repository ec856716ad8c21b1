#include "runtime/amd/copy_commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

// Expected words: the SDMA sequences of an HCQ-style client on gfx11 (tinygrad's AMD back end, public
// source); fills as ROCm's runtime writes them.

namespace mockgpu::runtime::amd::copy_commands_tests {

using Words = std::vector<std::uint32_t>;

constexpr std::uint64_t kAddress = 0x7f12345670;
constexpr std::uint32_t kLow = 0x12345670, kHigh = 0x7f;

Words words(const CopyCommands& commands) { return {commands.words().begin(), commands.words().end()}; }
Signal signal() { return {kAddress, {}}; }

TEST(CopyCommands, WaitSignalInterruptTimestamp) {
  CopyCommands c;
  c.wait(signal(), 41);
  EXPECT_EQ(words(c), (Words{0xd0000008, kLow, kHigh, 41, 0xffffffff, 0x0fff0004}));
  c.clear();
  c.signal(signal(), 42);
  EXPECT_EQ(words(c), (Words{0x00030005, kLow, kHigh, 42}));
  c.clear();
  c.interrupt({5, kAddress});
  EXPECT_EQ(words(c), (Words{0x00030005, kLow, kHigh, 5, 0x6, 5}));
  c.clear();
  c.timestamp(signal());
  EXPECT_EQ(words(c), (Words{0x20d, kLow + 8, kHigh}));
}

TEST(CopyCommands, CopySplitsAtOneGibibyte) {
  CopyCommands c;
  c.copy(0x100000000, 0x300000010, 0x40000004);
  EXPECT_EQ(words(c), (Words{0x1, 0x3fffffff, 0, 0x10, 3, 0, 1,  //
                             0x1, 3, 0, 0x40000010, 3, 0x40000000, 1}));
  c.clear();
  c.copy(0, 0x1000, 0);
  EXPECT_TRUE(words(c).empty());
}

TEST(CopyCommands, WriteCarriesItsData) {
  CopyCommands c;
  const std::uint32_t data[3] = {7, 8, 9};
  c.write(kAddress, data);
  EXPECT_EQ(words(c), (Words{0x2, kLow, kHigh, 2, 7, 8, 9}));
}

TEST(CopyCommands, PollComparesForEqualUnderItsMask) {
  CopyCommands c;
  c.poll(kAddress, 3, 7);
  EXPECT_EQ(words(c), (Words{0xb0000008, kLow, kHigh, 3, 7, 0x0fff0004}));
}

TEST(CopyCommands, WritesOfOneAndTwoWords) {
  CopyCommands c;
  c.write32(kAddress, 9);
  c.write64(kAddress, 0x1'0000'0002);
  EXPECT_EQ(words(c), (Words{0x2, kLow, kHigh, 0, 9, 0x2, kLow, kHigh, 1, 2, 1}));
}

// Linux amdgpu, sdma_v6_0.c: an INDIRECT must end at a multiple of 8 words.
TEST(CopyCommands, IndirectCallsEndAtEightWords) {
  CopyCommands c;
  c.indirect(kAddress, 16, 0);
  EXPECT_EQ(words(c), (Words{0, 0, 0x4, kLow, kHigh, 16, 0, 0, 0, 0, 0, 0, 0}));
  ASSERT_EQ(c.words().size(), CopyCommands::kIndirectWords);
  for (std::size_t start = 0; start < 16; ++start) {
    CopyCommands one;
    one.signal(signal(), 1);
    one.indirect(kAddress, 16, start);
    const Words all = words(one);
    ASSERT_EQ(all.size(), 4 + CopyCommands::kIndirectWords);
    const auto packet = std::find(all.begin() + 4, all.end(), 0x4u) - all.begin();
    ASSERT_EQ((start + static_cast<std::size_t>(packet) + 6) % 8, 0u) << start;
  }
}

TEST(CopyCommands, FillUsesWordsWhereItCan) {
  CopyCommands c;
  c.fill(0x1000, 0xab, 64);
  EXPECT_EQ(words(c), (Words{0x8000000b, 0x1000, 0, 0xabababab, 60}));
  c.clear();
  c.fill(0x1003, 0xab, 6);  // one byte, one word, one byte
  EXPECT_EQ(words(c), (Words{0xb, 0x1003, 0, 0xabababab, 0, 0x8000000b, 0x1004, 0, 0xabababab, 0,  //
                             0xb, 0x1008, 0, 0xabababab, 0}));
  c.clear();
  c.fill(0x1000, 0, 0x400000);
  EXPECT_EQ(words(c), (Words{0x8000000b, 0x1000, 0, 0, 0x3fffdc, 0x8000000b, 0x400fe0, 0, 0, 0x1c}));
}

}  // namespace mockgpu::runtime::amd::copy_commands_tests
