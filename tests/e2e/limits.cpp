// Launches beyond the hardware's limits, as the engine sees them: registers that no packet processor filled
// sensibly. One error each, and the engine goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/wave/test_launch.h"

namespace mockgpu::emu::amd::limits_tests {

using testing::HasSubstr;

//   v_lshlrev_b32 v1, 2, v0
//   v_mov_b32 v2, 7
//   global_store_b32 v1, v2, s[0:1]
//   s_endpgm
constexpr std::uint32_t kStore[] = {0x30020082, 0x7e040287, 0xdc6a0000, 0x00000201, 0xbfb00000};

class Limits : public testing::Test {
 protected:
  Limits() : test_(kStore) {}

  /// The error of the launch, after which the same launch without the mistake must work.
  std::string error() {
    const Outcome outcome = test_.run();
    if (!outcome.error) return "";
    TestLaunch good(kStore);
    EXPECT_FALSE(good.run().error);
    EXPECT_EQ(good.out[5], 7u);
    return format_error(*outcome.error);
  }

  TestLaunch test_;
};

TEST_F(Limits, TheTestItselfRuns) { EXPECT_EQ(error(), ""); }

TEST_F(Limits, GroupMemory) {
  test_.launch.rsrc2 = (test_.launch.rsrc2 & 0x7fff) | 129u << 15;  // 129 * 512 bytes
  EXPECT_THAT(error(), HasSubstr("66048 bytes of LDS: gfx1100 has 65536"));
}

TEST_F(Limits, VectorRegisters) {
  test_.launch.rsrc1 |= 32;  // 33 blocks of 8
  EXPECT_THAT(error(), HasSubstr("272 VGPRs: gfx1100 has 256"));
}

TEST_F(Limits, ScalarRegisters) {
  test_.launch.rsrc2 = (test_.launch.rsrc2 & ~(31u << 1)) | 17u << 1;
  EXPECT_THAT(error(), HasSubstr("17 user SGPRs"));
}

TEST_F(Limits, Scratch) {
  test_.launch.scratch_wave_bytes = 1024;
  test_.launch.scratch_waves = 0;
  EXPECT_THAT(error(), HasSubstr("scratch"));
}

TEST_F(Limits, WorkItemsOfAGroup) {
  test_.launch.group_size = {1025, 1, 1};
  EXPECT_THAT(error(), HasSubstr("1 to 1024"));
  test_.launch.group_size = {65536, 65536, 1};
  EXPECT_THAT(error(), HasSubstr("1 to 1024"));
  test_.launch.group_size = {64, 0, 1};
  EXPECT_THAT(error(), HasSubstr("1 to 1024"));
}

TEST_F(Limits, Grid) {
  test_.launch.end_group = {0xffffffff, 0xffffffff, 0xffffffff};
  EXPECT_THAT(error(), HasSubstr("4294967295x4294967295x4294967295 workgroups"));
}

TEST_F(Limits, StoresToReadOnlyMemory) {
  const auto read_only = test_.memory.add<std::uint32_t>(16, kRead, "constants");
  const auto address = reinterpret_cast<std::uint64_t>(read_only.data());
  test_.launch.user_data[0] = static_cast<std::uint32_t>(address);
  test_.launch.user_data[1] = static_cast<std::uint32_t>(address >> 32);
  EXPECT_THAT(error(), testing::AllOf(HasSubstr("error[memory-fault]: global_store_b32 writes"),
                                      HasSubstr("read-only"), HasSubstr("\"constants\"")));
  EXPECT_EQ(read_only[0], 0u);
}

TEST_F(Limits, CodeThatMayNotBeExecuted) {
  test_.launch.entry = reinterpret_cast<std::uint64_t>(test_.out.data());
  EXPECT_THAT(error(), HasSubstr("error[memory-fault]"));
}

}  // namespace mockgpu::emu::amd::limits_tests
