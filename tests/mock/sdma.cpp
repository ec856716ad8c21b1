#include <gmock/gmock.h>

#include "tests/mock/queue_fixture.h"

namespace mockgpu::test::sdma_tests {

using emu::Step;
using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

using Sdma = CopyQueueTest;

TEST_F(Sdma, Nops) {
  good({0, 0, 0x00020000, 1, 2, 0});
  EXPECT_EQ(queue_.turn(kTurn), Step::idle);
}

TEST_F(Sdma, Copy) {
  for (std::uint32_t i = 0; i < 16; ++i) data_[i] = i + 1;
  good({1, 63, 0, kData, 0, kData + 0x100, 0});
  EXPECT_EQ(data_[0x40], 1u);
  EXPECT_EQ(data_[0x4f], 16u);
  EXPECT_EQ(data_[0x50], 0u);
  good({1, 2, 0, kData, 0, kData + 0x201, 0});  // three bytes, unaligned
  EXPECT_EQ(data_[0x80], 0x100u);
}

TEST_F(Sdma, Broadcast) {
  data_[0] = 5;
  good({0x08000001, 3, 0, kData, 0, kData + 0x100, 0, kData + 0x200, 0});
  EXPECT_EQ(data_[0x40], 5u);
  EXPECT_EQ(data_[0x80], 5u);
}

TEST_F(Sdma, LongCopiesTakeSeveralTurns) {
  std::vector<std::uint32_t> source(9 << 18, 7), target(9 << 18);
  map(0x1000'0000, source, emu::kRead, "source");
  map(0x2000'0000, target, emu::kRead | emu::kWrite, "target");
  put({1, (9 << 20) - 1, 0, 0x1000'0000, 0, 0x2000'0000, 0}, 4);
  int turns = 0;
  while (queue_.turn(kTurn) == Step::ran) ++turns;
  EXPECT_EQ(turns, 3);
  EXPECT_EQ(target, source);
}

TEST_F(Sdma, APacketThatWaitsIsObservedOnce) {
  PacketCounter counter;
  queue_.observe(&counter);
  EXPECT_EQ(run({0xd0000008, kData, 0, 1, 0xffffffff, 0x0fff0004}), Step::blocked);
  EXPECT_EQ(queue_.turn(kTurn), Step::blocked);
  data_[0] = 1;
  EXPECT_EQ(queue_.turn(kTurn), Step::ran);
  EXPECT_EQ(counter.count, 1u);
  good({0x00030005, kData, 0, 2});
  EXPECT_EQ(counter.count, 2u);
}

TEST_F(Sdma, CopyFaultsAtTheFirstBadByte) {
  run({1, 0x1fff, 0, kData, 0, kReadOnly, 0});
  ASSERT_EQ(host_.faults.size(), 1u);
  EXPECT_EQ(host_.faults[0].address, kReadOnly);
  EXPECT_TRUE(host_.faults[0].present);
  EXPECT_THAT(report(), HasSubstr("copy queue 1, ring byte 0x0"));
}

TEST_F(Sdma, CopySubWindow) {
  // 2 x 2 elements of 4 bytes from (1, 1) of an image of pitch 4 to (0, 0) of one of pitch 2.
  for (std::uint32_t i = 0; i < 16; ++i) data_[i] = i;
  good({0x40000401, kData, 0, 0x00010001, 3 << 13, 15, kData + 0x100, 0, 0, 1 << 13, 3, 0x00010001, 0});
  EXPECT_EQ(data_[0x40], 5u);
  EXPECT_EQ(data_[0x41], 6u);
  EXPECT_EQ(data_[0x42], 9u);
  EXPECT_EQ(data_[0x43], 10u);
  EXPECT_EQ(data_[0x44], 0u);
}

TEST_F(Sdma, Write) {
  good({2, kData, 0, 2, 7, 8, 9});
  EXPECT_EQ(data_[0], 7u);
  EXPECT_EQ(data_[2], 9u);
}

TEST_F(Sdma, FillsWithBothWaysToCount) {
  good({0x8000000b, kData, 0, 0xabcdabcd, 12});  // bytes - 4
  EXPECT_EQ(data_[3], 0xabcdabcdu);
  EXPECT_EQ(data_[4], 0u);
  good({0x8000000b, kData + 0x100, 0, 0x1234, 15});  // bytes - 1
  EXPECT_EQ(data_[0x43], 0x1234u);
  EXPECT_EQ(data_[0x44], 0u);
  good({0x0000000b, kData + 0x200, 0, 0xab, 4});  // five bytes
  EXPECT_EQ(data_[0x80], 0xababababu);
  EXPECT_EQ(data_[0x81], 0xabu);
  good({0x4000000b, kData + 0x300, 0, 0x1234, 3});  // two halves
  EXPECT_EQ(data_[0xc0], 0x12341234u);
  EXPECT_EQ(data_[0xc1], 0u);
}

TEST_F(Sdma, FenceIsFourBytes) {
  data_[1] = 77;
  good({0x00030005, kData, 0, 5});
  EXPECT_EQ(data_[0], 5u);
  EXPECT_EQ(data_[1], 77u);
}

TEST_F(Sdma, Trap) {
  good({6, 0x12});
  EXPECT_THAT(host_.interrupts, ElementsAre(0x12u));
}

TEST_F(Sdma, Poll) {
  EXPECT_EQ(run({0xd0000008, kData, 0, 5, 0xffffffff, 0x0fff0004}), Step::blocked);
  EXPECT_EQ(queue_.turn(kTurn), Step::blocked);
  data_[0] = 6;
  EXPECT_EQ(queue_.turn(kTurn), Step::ran);
  EXPECT_EQ(queue_.turn(kTurn), Step::idle);
  good({8, 0, 0x80000000, 0, 0, 0});  // ROCr's HDP flush
  run({0x30000008, 0x1234 << 2, 0, 1, 1, 0x0fff0004});
  EXPECT_THAT(report(), HasSubstr("0x1234"));
}

TEST_F(Sdma, Atomics) {
  data_[0] = 5;
  good({0x5e00000a, kData, 0, 0xffffffff, 0xffffffff, 0, 0, 0});  // 64-bit add of -1
  EXPECT_EQ(data64(0), 4u);
  EXPECT_EQ(run({0x1001000a, kData, 0, 9, 0, 1, 0, 0}), Step::blocked);  // looping compare-and-swap
  data_[0] = 1;
  EXPECT_EQ(queue_.turn(kTurn), Step::ran);
  EXPECT_EQ(data_[0], 9u);
}

TEST_F(Sdma, Timestamps) {
  scheduler_.tick(100);
  good({0x20d, kData, 0});
  EXPECT_GE(data64(0), 100u);
  good({0x10d, kData + 8, 0});
  EXPECT_GE(data64(2), data64(0));
}

TEST_F(Sdma, ConditionalExecution) {
  data_[0] = 3;
  put({9, kData, 0, 3, 4}, 4);
  good({5, kData + 8, 0, 1});
  EXPECT_EQ(data_[2], 1u);
  put({9, kData, 0, 4, 4}, 4);
  good({5, kData + 12, 0, 1});
  EXPECT_EQ(data_[3], 0u) << "skipped";
}

TEST_F(Sdma, Indirect) {
  const Words inner = {5, kData + 0x800, 0, 3, 0, 0, 0, 0};
  std::copy(inner.begin(), inner.end(), data_.begin());
  put({0, 0, 4, kData, 0, 8, 0, 0}, 4);
  good({5, kData + 0x804, 0, 4});
  EXPECT_EQ(data_[0x200], 3u);
  EXPECT_EQ(data_[0x201], 4u);
}

TEST_F(Sdma, CachesAreCoherent) {
  good({0x011, 0, 0, 0, 0, 0x111, 0, 0, 0, 0, 32, 0});
  run({0x211, 0, 0, 0, 0});
  EXPECT_THAT(report(), HasSubstr("GCR_REQ (opcode 17, sub-operation 2)"));
}

TEST_F(Sdma, TranslationsAreTheKernels) {
  run({16, 0, 0, 0});
  EXPECT_THAT(report(), HasSubstr("packet GPUVM_INV"));
}

TEST_F(Sdma, APacketWaitsForItsLastWord) {
  EXPECT_EQ(run({5, kData, 0}), Step::idle);
  good({9});
  EXPECT_EQ(data_[0], 9u);
  EXPECT_EQ(run({2, kData}), Step::idle) << "even its length is missing";
  good({0, 1, 4, 5});
  EXPECT_EQ(data_[1], 5u);
}

TEST_F(Sdma, PacketsMayNotCrossTheEnd) {
  for (std::uint32_t i = 0; i < kRingBytes / 4 - 2; ++i) put({0}, 4);
  while (queue_.turn(kTurn) == Step::ran) {
  }
  run({5, kData, 0, 9});
  EXPECT_THAT(report(), HasSubstr("FENCE crosses the end of its ring"));
}

TEST_F(Sdma, UnknownPackets) {
  run({0x63, 0});
  EXPECT_THAT(report(), HasSubstr("opcode 99 is no SDMA packet"));
}

TEST_F(Sdma, UnsupportedPackets) {
  run({0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_THAT(report(), HasSubstr("error[unsupported]: packet PTEPDE"));
}

TEST_F(Sdma, UnsupportedSubOperations) {
  run({0x101, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_THAT(report(), HasSubstr("COPY (opcode 1, sub-operation 1) is not supported"));
}

}  // namespace mockgpu::test::sdma_tests
