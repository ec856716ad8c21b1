#include <gmock/gmock.h>

#include "isa/amd/commands/pm4.h"
#include "tests/mock/queue_fixture.h"

namespace mockgpu::test::pm4_tests {

using emu::Step;
using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

using Pm4 = ComputeQueueTest;

Words signal(std::uint64_t address, std::uint32_t value) {
  return {0xc0064900, 0x514, 0x20000000, static_cast<std::uint32_t>(address), 0, value, 0, 0};
}

TEST_F(Pm4, NothingToDoIsIdle) {
  EXPECT_EQ(queue_.turn(kTurn), Step::idle);
  good({0xffff1000});
  EXPECT_EQ(queue_.turn(kTurn), Step::idle);
}

TEST_F(Pm4, APacketThatWaitsIsObservedOnce) {
  PacketCounter counter;
  queue_.observe(&counter);
  EXPECT_EQ(run({0xc0053c00, 0x15, kData, 0, 1, 0xffffffff, 4}), Step::blocked);
  EXPECT_EQ(queue_.turn(kTurn), Step::blocked);
  data_[0] = 1;
  EXPECT_EQ(queue_.turn(kTurn), Step::ran);
  EXPECT_EQ(counter.count, 1u);
  good(signal(kData, 2));
  EXPECT_EQ(counter.count, 2u);
}

TEST_F(Pm4, NopsAndFillers) {
  good({0xffff1000, 0x80000000, 0xc0021000, 1, 2, 3, 0xc0001000, 0xdeadbeef});
  EXPECT_EQ(read_pointer(), 8u);
}

TEST_F(Pm4, APacketWaitsForItsLastWord) {
  EXPECT_EQ(run({0xc0021000, 1, 2}), Step::idle);
  EXPECT_EQ(read_pointer(), 0u);
  good({3});
}

TEST_F(Pm4, PacketsWrapAroundTheRing) {
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 500; ++i) put({0xffff1000}, 1);
    good(signal(kData + 4, static_cast<std::uint32_t>(round)));
    EXPECT_EQ(data_[1], static_cast<std::uint32_t>(round));
  }
  // The packet itself lies across the end.
  while (put_ % (kRingBytes / 4) != kRingBytes / 4 - 3) put({0xffff1000}, 1), queue_.turn(kTurn);
  good(signal(kData, 77));
  EXPECT_EQ(data_[0], 77u);
}

TEST_F(Pm4, RegisterWrites) {
  good({0xc0027600, 0x20c, 0x1234, 0x5});                  // PGM_LO, PGM_HI
  good({0xc0029b00, 0x30000216, 0xffffffff, 0xffffffff});  // SET_SH_REG_INDEX: STATIC_THREAD_MGMT
  good({0xc0017900, 0x200, 0xe0000000});                   // GRBM_GFX_INDEX: broadcast
  EXPECT_EQ(queue_.registers().code_address(), 0x50000123400u);
}

TEST_F(Pm4, RegistersThatNobodyModelsAreRefused) {
  run({0xc0017900, 0x1d00, 1});
  EXPECT_THAT(report(), HasSubstr("error[unsupported]"));
  EXPECT_THAT(report(), HasSubstr("0xdd00"));
}

TEST_F(Pm4, CountersAreRefusedByName) {
  run({0xc0017600, 0x20b, 1});
  EXPECT_THAT(report(), HasSubstr("COMPUTE_PERFCOUNT_ENABLE"));
}

TEST_F(Pm4, ReleaseMemWrites) {
  good({0xc0064900, 0x514, 0x20000000, kData, 0, 5, 6, 0});
  EXPECT_EQ(data64(0), 5u) << "32 bits";
  good({0xc0064900, 0x528, 0x40000000, kData + 8, 0, 5, 6, 0});
  EXPECT_EQ(data64(2), 0x600000005u) << "64 bits";
  scheduler_.tick(1000);
  good({0xc0064900, 0x514, 0x60000000, kData + 16, 0, 0, 0, 0});
  EXPECT_GE(data64(4), 1000u) << "the GPU clock";
  good({0xc0064900, 0x514, 0, 0, 0, 0, 0, 0});
  EXPECT_TRUE(host_.interrupts.empty());
}

TEST_F(Pm4, ReleaseMemInterrupts) {
  good({0xc0064900, 0x514, 0x22000000, kData, 0, 9, 0, 9});  // after the write
  good({0xc0064900, 0x514, 0x01000000, 0, 0, 0, 0, 3});      // only
  good({0xc0064900, 0x514, 0x23000000, kData, 0, 1, 0, 4});  // none: data after write confirm
  EXPECT_THAT(host_.interrupts, ElementsAre(9u, 3u));
}

TEST_F(Pm4, ReleaseMemRefusesWhatItLacks) {
  run({0xc0064900, 0x514, 0xa0000000, kData, 0, 0, 0, 0});
  EXPECT_THAT(report(), HasSubstr("data selection gds"));
}

TEST_F(Pm4, AFaultStopsTheQueue) {
  put(signal(kNothing + 4, 1), 1);
  EXPECT_EQ(run(signal(kData, 1)), Step::ran);
  ASSERT_EQ(host_.faults.size(), 1u);
  EXPECT_EQ(host_.faults[0].address, kNothing + 4);
  EXPECT_TRUE(host_.faults[0].write);
  EXPECT_FALSE(host_.faults[0].present);
  EXPECT_THAT(report(),
              HasSubstr("error[memory-fault]: RELEASE_MEM writes 4 bytes at 0x500004, which is not mapped"));
  EXPECT_THAT(report(), HasSubstr("compute queue 1, ring word 0x0"));
  EXPECT_EQ(data_[0], 0u) << "nothing runs after the fault";
  EXPECT_TRUE(queue_.dead());
  EXPECT_EQ(run(signal(kData, 2)), Step::idle);
}

TEST_F(Pm4, ReadOnlyMemoryFaultsOnWrites) {
  run(signal(kReadOnly, 1));
  ASSERT_EQ(host_.faults.size(), 1u);
  EXPECT_TRUE(host_.faults[0].present);
  EXPECT_THAT(report(), HasSubstr("read-only"));
}

TEST_F(Pm4, MisalignedWordsAreBadPackets) {
  run(signal(kData + 2, 1));
  EXPECT_THAT(report(), HasSubstr("error[bad-packet]"));
  EXPECT_THAT(report(), HasSubstr("not aligned"));
}

TEST_F(Pm4, WaitsCompareUnsigned) {
  struct Case {
    std::uint32_t function, value, reference;
    bool passes;
  };
  for (const Case& c : std::vector<Case>{{0, 0, 9, true},
                                         {1, 4, 5, true},
                                         {1, 5, 5, false},
                                         {2, 5, 5, true},
                                         {3, 5, 5, true},
                                         {3, 4, 5, false},
                                         {4, 4, 5, true},
                                         {5, 5, 5, true},
                                         {5, 4, 5, false},
                                         {5, 0x80000000, 5, true},
                                         {6, 6, 5, true},
                                         {6, 5, 5, false}}) {
    data_[0] = c.value;
    const Step step = run({0xc0053c00, 0x10 | c.function, kData, 0, c.reference, 0xffffffff, 4});
    EXPECT_EQ(step, c.passes ? Step::ran : Step::blocked) << c.function << " " << c.value;
    if (c.passes) continue;
    EXPECT_EQ(queue_.turn(kTurn), Step::blocked);
    data_[0] = c.function == 1 ? 0 : c.function == 6 ? 100 : c.reference;
    EXPECT_EQ(queue_.turn(kTurn), Step::ran);
  }
  data_[0] = 0xff05;
  good({0xc0053c00, 0x13, kData, 0, 5, 0xff, 4});
}

TEST_F(Pm4, Waits64) {
  const std::uint64_t value = 0x100000000;
  std::memcpy(data_.data(), &value, 8);
  good({0xc0079300, 0x15, kData, 0, 0, 1, 0xffffffff, 0xffffffff, 4});
  EXPECT_EQ(run({0xc0079300, 0x15, kData, 0, 1, 1, 0xffffffff, 0xffffffff, 4}), Step::blocked);
}

TEST_F(Pm4, HdpFlushIsDoneAtOnce) { good({0xc0053c00, 0x45, 0xe26, 0xe27, 0xffffffff, 0xffffffff, 4}); }

TEST_F(Pm4, WaitOfAnUnknownRegisterIsRefused) {
  run({0xc0053c00, 0x05, 0x1234, 0, 1, 0xffffffff, 4});
  EXPECT_THAT(report(), HasSubstr("0x1234"));
}

TEST_F(Pm4, WriteData) {
  good({0xc0043700, 0x00100500, kData, 0, 1, 2});
  EXPECT_EQ(data_[0], 1u);
  EXPECT_EQ(data_[1], 2u);
  good({0xc0043700, 0x00110200, kData + 16, 0, 3, 4});
  EXPECT_EQ(data_[4], 4u) << "one address";
  EXPECT_EQ(data_[5], 0u);
  good({0xc0033700, 0, 0x2e0c, 0, 0x77});
  EXPECT_EQ(queue_.registers().pgm_lo, 0x77u);
}

TEST_F(Pm4, CopyData) {
  good({0xc0044000, 0x00010205, 7, 8, kData, 0});
  EXPECT_EQ(data64(0), 0x800000007u) << "a 64-bit immediate";
  good({0xc0044000, 0x00000202, kData + 4, 0, kData + 8, 0});
  EXPECT_EQ(data_[2], 8u) << "memory to memory";
  scheduler_.tick(500);
  good({0xc0044000, 0x00010209, 0, 0, kData + 16, 0});
  EXPECT_GE(data64(4), 500u);
  good({0xc0017600, 0x20c, 0x4242});
  good({0xc0044000, 0x00000200, 0x2e0c, 0, kData + 24, 0});
  EXPECT_EQ(data_[6], 0x4242u) << "a register";
  run({0xc0044000, 0x00000204, 0xd040, 0, kData, 0});
  EXPECT_THAT(report(), HasSubstr("from perf_counter"));
}

TEST_F(Pm4, Atomics) {
  struct Case {
    std::uint32_t op;
    std::uint64_t old, source, compare, result;
  };
  for (const Case& c : std::vector<Case>{{0x07, 5, 9, 0, 9},
                                         {0x08, 5, 9, 5, 9},
                                         {0x08, 5, 9, 6, 5},
                                         {0x0f, 0xffffffff, 2, 0, 1},
                                         {0x10, 1, 2, 0, 0xffffffff},
                                         {0x11, 0xffffffff, 1, 0, 0xffffffff},
                                         {0x12, 0xffffffff, 1, 0, 1},
                                         {0x13, 0xffffffff, 1, 0, 1},
                                         {0x14, 0xffffffff, 1, 0, 0xffffffff},
                                         {0x15, 12, 10, 0, 8},
                                         {0x16, 12, 10, 0, 14},
                                         {0x17, 12, 10, 0, 6},
                                         {0x18, 5, 5, 0, 0},
                                         {0x18, 4, 5, 0, 5},
                                         {0x19, 0, 5, 0, 5},
                                         {0x19, 6, 5, 0, 5},
                                         {0x19, 3, 5, 0, 2}}) {
    data_[1] = 0xabcd;
    data_[0] = static_cast<std::uint32_t>(c.old);
    good({0xc0071e00, c.op, kData, 0, static_cast<std::uint32_t>(c.source), 0,
          static_cast<std::uint32_t>(c.compare), 0, 0});
    EXPECT_EQ(data_[0], c.result) << std::hex << c.op;
    EXPECT_EQ(data_[1], 0xabcdu) << "32 bits only";
    good({0xc0044000, 0x00000206, 0, 0, kData + 8, 0});
    EXPECT_EQ(data_[2], c.old) << "COPY_DATA gives the old value";
  }
  data_[0] = 0xffffffff, data_[1] = 0;
  good({0xc0071e00, 0x2f, kData, 0, 1, 0, 0, 0, 0});
  EXPECT_EQ(data64(0), 0x100000000u) << "64-bit add";
  // A looping compare-and-swap waits for its value.
  data_[0] = 1;
  EXPECT_EQ(run({0xc0071e00, 0x108, kData, 0, 9, 0, 0, 0, 0}), Step::blocked);
  data_[0] = 0;
  EXPECT_EQ(queue_.turn(kTurn), Step::ran);
  EXPECT_EQ(data_[0], 9u);
  run({0xc0071e00, 0x0a, kData, 0, 1, 0, 0, 0, 0});
  EXPECT_THAT(report(), HasSubstr("operation 0xa "));
}

TEST_F(Pm4, DmaData) {
  data_[0] = 1, data_[1] = 2;
  good({0xc0055000, 0, kData, 0, kData + 0x100, 0, 8});
  EXPECT_EQ(data_[0x40], 1u);
  EXPECT_EQ(data_[0x41], 2u);
  good({0xc0055000, 0x40000000, 0x5a5a5a5a, 0, kData + 0x200, 0, 12});
  EXPECT_EQ(data_[0x82], 0x5a5a5a5au);
  EXPECT_EQ(data_[0x83], 0u);
  run({0xc0055000, 0, kData, 0, kData + 0xff8, 0, 16});
  ASSERT_EQ(host_.faults.size(), 1u);
  EXPECT_EQ(host_.faults[0].address, kData + 0x1000) << "the first byte outside";
}

TEST_F(Pm4, IndirectBuffers) {
  const Words inner = signal(kData + 0x800, 11);
  std::copy(inner.begin(), inner.end(), data_.begin());
  put({0xc0023f00, kData, 0, 0x800008}, 1);
  good(signal(kData + 0x804, 12));
  EXPECT_EQ(data_[0x200], 11u);
  EXPECT_EQ(data_[0x201], 12u);
  good({0xc0023f00, kData, 0, 0x800000});  // empty
  // A chained buffer never comes back to the rest of its caller.
  data_[0] = 0xc0023f00, data_[1] = kData + 0x100, data_[2] = 0, data_[3] = 0x900008;
  const Words chained = signal(kData + 0x808, 13);
  std::copy(chained.begin(), chained.end(), data_.begin() + 0x40);
  good({0xc0023f00, kData, 0, 0x800004});
  EXPECT_EQ(data_[0x202], 13u);
}

TEST_F(Pm4, IndirectBuffersAreReadWhenTheyRun) {
  data_[0x3f0] = 0;
  const Words inner = signal(kData + 0x800, 11);
  std::copy(inner.begin(), inner.end(), data_.begin());
  put({0xc0053c00, 0x13, kData + 0xfc0, 0, 1, 0xffffffff, 4}, 1);
  EXPECT_EQ(run({0xc0023f00, kData, 0, 0x800008}), Step::blocked);
  data_[5] = 22;  // the value that the inner packet stores
  data_[0x3f0] = 1;
  EXPECT_EQ(queue_.turn(kTurn), Step::ran);
  EXPECT_EQ(data_[0x200], 22u);
}

TEST_F(Pm4, AWaitInsideAnIndirectBufferBlocks) {
  const Words wait = {0xc0053c00, 0x13, kData + 0xfc0, 0, 1, 0xffffffff, 4};
  std::copy(wait.begin(), wait.end(), data_.begin());
  EXPECT_EQ(run({0xc0023f00, kData, 0, 0x800007}), Step::ran);
  EXPECT_EQ(queue_.turn(kTurn), Step::blocked);
  data_[0x3f0] = 1;
  EXPECT_EQ(queue_.turn(kTurn), Step::ran);
  EXPECT_EQ(queue_.turn(kTurn), Step::idle);
  EXPECT_EQ(read_pointer(), 4u);
}

TEST_F(Pm4, BadIndirectBuffers) {
  data_[0] = 0xc0021000;  // NOP of four words in a buffer of two
  run({0xc0023f00, kData, 0, 0x800002});
  EXPECT_THAT(report(), HasSubstr("does not fit"));
  EXPECT_THAT(report(), HasSubstr("indirect buffer at 0x300000"));
}

TEST_F(Pm4, UnmappedIndirectBuffer) {
  run({0xc0023f00, kNothing, 0, 0x800002});
  ASSERT_EQ(host_.faults.size(), 1u);
  EXPECT_EQ(host_.faults[0].address, kNothing);
  EXPECT_FALSE(host_.faults[0].write);
}

TEST_F(Pm4, ConditionalExecution) {
  put({0xc0032200, kData, 0, 0, 8}, 1);
  good(signal(kData + 8, 1));
  EXPECT_EQ(data_[2], 0u) << "*address is 0: skipped";
  data_[0] = 1;
  put({0xc0032200, kData, 0, 0, 8}, 1);
  good(signal(kData + 8, 1));
  EXPECT_EQ(data_[2], 1u);
}

TEST_F(Pm4, PredicatedExecution) {
  Words inner = {0xc0002300, 0x02000008};
  const Words skipped = signal(kData + 0x800, 1), kept = signal(kData + 0x804, 2);
  inner.insert(inner.end(), skipped.begin(), skipped.end());
  inner.insert(inner.end(), {0xc0002300, 0x01000008});
  inner.insert(inner.end(), kept.begin(), kept.end());
  std::copy(inner.begin(), inner.end(), data_.begin());
  good({0xc0023f00, kData, 0, 0x800000 | static_cast<std::uint32_t>(inner.size())});
  EXPECT_EQ(data_[0x200], 0u) << "mask without this XCC";
  EXPECT_EQ(data_[0x201], 2u);
  run({0xc0002300, 0x01000000});
  EXPECT_THAT(report(), HasSubstr("PRED_EXEC outside"));
}

TEST_F(Pm4, CachesAndEvents) {
  good({0xc0065800, 0, 0xffffffff, 0xffffffff, 0, 0, 0, 0xc3f1});
  good({0xc0004600, 0x407});
  good({0xc0004600, 0x16});
  run({0xc0004600, 0x33});
  EXPECT_THAT(report(), HasSubstr("0x33"));
}

TEST_F(Pm4, BadHeaders) {
  run({0});
  EXPECT_THAT(report(), HasSubstr("error[bad-packet]: 0x00000000 is no packet header (type 0)"));
}

TEST_F(Pm4, UnknownOpcode) {
  run({0xc000ee00, 0x1234});
  EXPECT_THAT(report(), HasSubstr("opcode 0xee is no packet of a compute queue"));
  EXPECT_THAT(report(), HasSubstr("c000ee00 00001234"));
}

TEST_F(Pm4, KnownButUnsupportedOpcode) {
  run({0xc0005900, 0});
  EXPECT_THAT(report(), HasSubstr("error[unsupported]: packet REWIND"));
}

TEST_F(Pm4, KernelPackets) {
  run({0xc000a500, 0});
  EXPECT_THAT(report(), HasSubstr("error[bad-packet]: RUN_LIST"));
}

TEST_F(Pm4, ShortPackets) {
  run({0xc0003c00, 0});
  EXPECT_THAT(report(), HasSubstr("WAIT_REG_MEM has 1 body words and needs 6"));
}

TEST_F(Pm4, DoorbellPastTheRing) {
  doorbell_.store(0x10000);
  EXPECT_EQ(queue_.turn(kTurn), Step::ran);
  EXPECT_THAT(report(), HasSubstr("more than a ring"));
}

TEST_F(Pm4, UnmappedRing) {
  put({0xffff1000}, 1);
  memory_.unmap(kRing);
  EXPECT_EQ(queue_.turn(kTurn), Step::ran);
  ASSERT_EQ(host_.faults.size(), 1u);
  EXPECT_THAT(report(), HasSubstr("ring"));
}

TEST_F(Pm4, DispatchesThatAreNone) {
  good({0xc0031500, 1, 1, 1, 0x8004});  // COMPUTE_SHADER_EN is 0
  good({0xc0067600, 0x207, 64, 1, 1, 0, 0, 0});
  good({0xc0031500, 1, 0, 1, 0x8005});  // a dimension is 0
  EXPECT_EQ(host_.dispatches, 0u);
}

TEST_F(Pm4, DispatchesThatCannotBe) {
  run({0xc0031500, 1, 1, 1, 0x8005});
  EXPECT_THAT(report(), HasSubstr("COMPUTE_NUM_THREAD_X 0"));
}

TEST_F(Pm4, GroupsAreAtMost1024) {
  good({0xc0037600, 0x207, 64, 64, 1});
  run({0xc0031500, 1, 1, 1, 0x8005});
  EXPECT_THAT(report(), HasSubstr("at most 1024"));
}

TEST_F(Pm4, UnknownInitiatorBits) {
  good({0xc0037600, 0x207, 64, 1, 1});
  run({0xc0031500, 1, 1, 1, 0xc005});
  EXPECT_THAT(report(), HasSubstr("bits 0x4000 are not supported"));
}

}  // namespace mockgpu::test::pm4_tests
