// Waves that part and meet again: branches, barriers, calls, modes, spinning, ends.
#include <gtest/gtest.h>

#include "tests/wave/programs.h"
#include "tests/wave/test_launch.h"

namespace mockgpu::emu::amd::control_tests {

void expect_done(const Outcome& outcome) { ASSERT_FALSE(outcome.error) << format_error(*outcome.error); }

TEST(Control, WavesLoopDifferentNumbersOfTimes) {
  TestLaunch test(kSums);
  test.launch.group_size = {256, 1, 1};
  const Outcome outcome = test.run();
  expect_done(outcome);
  std::uint64_t instructions = 0;
  for (std::uint32_t i = 0; i < 256; ++i) {
    const std::uint32_t wave = i / 32;
    EXPECT_EQ(test.out[i], wave * (wave + 1) / 2) << i;
    if (i % 32 == 0) instructions += 3 + wave * 5 + 2 + 4;
  }
  EXPECT_EQ(outcome.wave_instructions, instructions);
  EXPECT_EQ(outcome.groups, 1u);
}

TEST(Control, BarrierJoinsWavesOfFourGangs) {
  TestLaunch test(kReverse);
  test.launch.group_size = {1024, 1, 1};
  expect_done(test.run());
  for (std::uint32_t i = 0; i < 1024; ++i) ASSERT_EQ(test.out[i], 1023 - i);
}

TEST(Control, ABarrierDoesNotWaitForWavesThatEnd) {
  // Odd waves end while the others wait already.
  for (const std::uint32_t items : {256u, 1024u}) {
    TestLaunch test(kLeaveBarrier);
    test.launch.group_size = {items, 1, 1};
    expect_done(test.run());
    for (std::uint32_t i = 0; i < items; ++i) ASSERT_EQ(test.out[i], i / 32 % 2 ? 0u : 9u) << i;
  }
}

TEST(Control, ASpinningWaveDoesNotStarveTheOneItWaitsFor) {
  TestLaunch test(kSpinInGroup);
  test.launch.group_size = {256, 1, 1};
  Engine::Options options;
  options.limits = {10'000'000, 0};
  expect_done(test.run(options));
  for (std::uint32_t i = 0; i < 256; ++i) ASSERT_EQ(test.out[i], 42u);
}

TEST(Control, ASpinningWorkgroupDoesNotStarveALaterOne) {
  TestLaunch test(kSpinBetweenGroups);
  test.launch.end_group = {4, 1, 1};
  test.launch.group_size = {256, 1, 1};
  Engine::Options options;
  options.limits = {100'000'000, 0};
  expect_done(test.run(options));
  for (std::uint32_t i = 0; i < 5; ++i) ASSERT_EQ(test.out[i], 7u);
}

TEST(Control, CallsThroughRegistersReturnToEachWavesOwnPlace) {
  TestLaunch test(kCalls);
  test.launch.group_size = {128, 1, 1};
  expect_done(test.run());
  for (std::uint32_t i = 0; i < 128; ++i) ASSERT_EQ(test.out[i], i / 32 % 2 ? 1001u : 2000u) << i;
}

TEST(Control, WavesWithDifferentRoundingModesRunApart) {
  TestLaunch test(kModes);
  test.launch.group_size = {128, 1, 1};
  expect_done(test.run());
  // 1 + 2^-25 is 1 when rounded to nearest even, and the next float towards +infinity.
  for (std::uint32_t i = 0; i < 128; ++i) ASSERT_EQ(test.out[i], i / 32 % 2 ? 0x3f800001u : 0x3f800000u) << i;
}

TEST(Control, WorkItemAndWorkgroupIdsOfPartialGroups) {
  TestLaunch test(kIds);
  test.launch.rsrc2 = 2 << 1 | 1 << 7 | 1 << 8;
  test.launch.first_group = {0, 1, 0};
  test.launch.end_group = {3, 3, 1};
  test.launch.group_size = {8, 4, 1};
  test.launch.last_group_size = {3, 2, 1};
  expect_done(test.run());
  for (std::uint32_t gy = 0; gy < 3; ++gy) {
    for (std::uint32_t gx = 0; gx < 3; ++gx) {
      for (std::uint32_t y = 0; y < 4; ++y) {
        for (std::uint32_t x = 0; x < 8; ++x) {
          const bool there = gy >= 1 && x < (gx == 2 ? 3u : 8u) && y < (gy == 2 ? 2u : 4u);
          const std::uint32_t word = (gy * 4 + gx) * 64 + y * 8 + x;
          ASSERT_EQ(test.out[word], there ? x | y << 10 : 0u) << gx << ' ' << gy << ' ' << x << ' ' << y;
        }
      }
    }
  }
}

TEST(Control, TwoMillionIterationsNeedNoStack) {
  // More than ten million records in one go: handlers must not nest.
  TestLaunch test(kCountDown);
  const Outcome outcome = test.run();
  expect_done(outcome);
  EXPECT_EQ(outcome.wave_instructions, 1 + 0x200000ull * 5 + 3);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(test.out[i], i * 0x200000u);
}

}  // namespace mockgpu::emu::amd::control_tests
