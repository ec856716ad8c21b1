// DS instructions between lanes: permute, bpermute, the four swizzle patterns, append and consume.
#include "tests/vmem/machine.h"

namespace mockgpu::tests::cross_lane_tests {

VECTOR_MEMORY_TEST_SUITE(CrossLane);

constexpr unsigned kAddress = 0, kData = 8, kResult = 24;

TEST_P(CrossLane, BpermuteReadsActiveLanesOfItsHalf) {
  std::mt19937 random(41);
  for (const std::uint32_t mask : {~0u, 0x0ff0f00fu, 0u}) {
    for (const bool wave64 : {false, true}) {
      Machine machine(level(), 4, wave64);
      machine.randomize(random);
      for (unsigned slot = 0; slot < 4; ++slot) machine.set_exec(slot, mask);
      std::vector<std::uint32_t> expected(4 * kLanes);
      for (unsigned i = 0; i < 4 * kLanes; ++i) {
        const unsigned from = (machine.v(kAddress, 0, i) + 12) / 4 % 32;
        expected[i] = !(mask >> i % 32 & 1) ? machine.v(kResult, 0, i)
                      : mask >> from & 1    ? machine.v(kData, i / 32, from)
                                            : 0;
      }
      ASSERT_TRUE(machine.run(
          make(Encoding::ds, Op::ds_bpermute_b32, {vdst(kResult), vgpr(kAddress), vgpr(kData)}, 12)));
      for (unsigned i = 0; i < 4 * kLanes; ++i) ASSERT_EQ(machine.v(kResult, 0, i), expected[i]) << i;
    }
  }
}

TEST_P(CrossLane, PermuteGivesTheHighestSourceAndZeroElsewhere) {
  Machine machine(level(), 1);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    machine.v(kAddress, 0, lane) = 4 * (lane / 2) + 128;  // pairs push to one lane; modulo 32
    machine.v(kData, 0, lane) = 100 + lane;
    machine.v(kResult, 0, lane) = 7;
  }
  machine.set_exec(0, 0xffff7fff);
  ASSERT_TRUE(
      machine.run(make(Encoding::ds, Op::ds_permute_b32, {vdst(kResult), vgpr(kAddress), vgpr(kData)}, 4)));
  EXPECT_EQ(machine.v(kResult, 0, 0), 0u);    // nobody pushes to 0
  EXPECT_EQ(machine.v(kResult, 0, 1), 101u);  // lanes 0 and 1: the higher one
  EXPECT_EQ(machine.v(kResult, 0, 8), 114u);  // lane 15 is off
  EXPECT_EQ(machine.v(kResult, 0, 15), 7u);   // an inactive lane keeps its value
  EXPECT_EQ(machine.v(kResult, 0, 16), 100u + 31);
  EXPECT_EQ(machine.v(kResult, 0, 31), 0u);
}

/// Source lanes of a swizzle, read off a run in which every lane holds its number.
std::vector<unsigned> sources(const emu::amd::LaneKernels& level, unsigned pattern) {
  Machine machine(level, 1);
  for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kData, 0, lane) = lane;
  EXPECT_TRUE(machine.run(make(Encoding::ds, Op::ds_swizzle_b32, {vdst(kResult), vgpr(kData)},
                               static_cast<std::int32_t>(pattern))));
  std::vector<unsigned> result;
  for (unsigned lane = 0; lane < kLanes; ++lane) result.push_back(machine.v(kResult, 0, lane));
  return result;
}

// Patterns and their names as LLVM's assembler prints them (facts: ds_swizzle_examples).
TEST_P(CrossLane, SwizzlePatterns) {
  const auto expect = [&](unsigned pattern, auto source) {
    const auto got = sources(level(), pattern);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      EXPECT_EQ(got[lane], source(lane)) << std::hex << pattern << " lane " << lane;
  };
  expect(0x80e4, [](unsigned l) { return l; });                      // QUAD_PERM,0,1,2,3
  expect(0x801b, [](unsigned l) { return l / 4 * 4 + 3 - l % 4; });  // QUAD_PERM,3,2,1,0
  expect(0x8000, [](unsigned l) { return l / 4 * 4; });              // QUAD_PERM,0,0,0,0
  expect(0x001f, [](unsigned l) { return l; });                      // BITMASK_PERM,"ppppp"
  expect(0x0000, [](unsigned) { return 0u; });
  expect(0x041f, [](unsigned l) { return l ^ 1; });                    // SWAP,1
  expect(0x7c1f, [](unsigned l) { return 31 - l; });                   // REVERSE,32
  expect(0x0c1f, [](unsigned l) { return l / 4 * 4 + 3 - l % 4; });    // REVERSE,4
  expect(0x03e0, [](unsigned) { return 31u; });                        // BROADCAST,32,31
  expect(0xc000, [](unsigned l) { return l; });                        // ROTATE,0,0
  expect(0xc020, [](unsigned l) { return (l + 1) % 32; });             // ROTATE,0,1: from the next lane
  expect(0xc420, [](unsigned l) { return (l + 31) % 32; });            // ROTATE,1,1
  expect(0xc03c, [](unsigned l) { return (l & ~3u) | (l + 1) % 4; });  // rotate within groups of four
  expect(0xe01f, [](unsigned l) { return l; });                        // FFT with all bits kept
  expect(0xe000, [](unsigned l) {                                      // FFT,0: bits reversed
    return (l & 1) << 4 | (l & 2) << 2 | (l & 4) | (l & 8) >> 2 | (l & 16) >> 4;
  });
}

TEST_P(CrossLane, SwizzleReadsZeroFromInactiveLanes) {
  Machine machine(level(), 2);
  for (unsigned i = 0; i < 2 * kLanes; ++i) machine.v(kData, 0, i) = i + 1;
  machine.set_exec(1, 0x55555555);
  ASSERT_TRUE(machine.run(make(Encoding::ds, Op::ds_swizzle_b32, {vdst(kResult), vgpr(kData)}, 0x041f)));
  EXPECT_EQ(machine.v(kResult, 0, 2), 4u);
  EXPECT_EQ(machine.v(kResult, 1, 2), 0u);
}

TEST_P(CrossLane, AppendAndConsumeCountTheWave) {
  for (const bool wave64 : {false, true}) {
    Machine machine(level(), 2, wave64);
    std::byte* shared = machine.lds(0);
    for (unsigned slot = 0; slot < 2; ++slot) {
      machine.gang()->lds[slot] = shared;
      machine.s(emu::amd::kRowM0, slot) = 0x40;
    }
    machine.set_exec(0, 0xff);
    machine.set_exec(1, 0x7);
    machine.lds_put<std::uint32_t>(0, 0x48, 50);
    ASSERT_TRUE(machine.run(make(Encoding::ds, Op::ds_append, {vdst(kResult)}, 8)));
    EXPECT_EQ(machine.lds_at<std::uint32_t>(0, 0x48), 61u);
    EXPECT_EQ(machine.v(kResult, 0, 3), 50u);
    EXPECT_EQ(machine.v(kResult, 1, 2), wave64 ? 50u : 58u);
    EXPECT_EQ(machine.v(kResult, 1, 3), 0u);
    ASSERT_TRUE(machine.run(make(Encoding::ds, Op::ds_consume, {vdst(kResult)}, 8)));
    EXPECT_EQ(machine.lds_at<std::uint32_t>(0, 0x48), 50u);
    EXPECT_EQ(machine.v(kResult, 0, 3), 61u);
  }
}

}  // namespace mockgpu::tests::cross_lane_tests
