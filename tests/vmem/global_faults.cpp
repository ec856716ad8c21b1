// What a faulting access reports: kind, direction, slot, lanes, size, address and pc.
#include "tests/vmem/machine.h"

namespace mockgpu::tests::global_faults_tests {

VECTOR_MEMORY_TEST_SUITE(GlobalFaults);

using emu::amd::FaultKind;
using emu::amd::Stop;

constexpr unsigned kAddress = 0, kData = 8, kBase = 10;

Instruction load(Op op, unsigned dwords = 1) {
  return make(Encoding::global, op, {vdst(kData, dwords), vgpr(kAddress), sgpr(kBase, 2)});
}
Instruction store(Op op, unsigned dwords = 1) {
  return make(Encoding::global, op, {vgpr(kAddress), vgpr(kData, dwords), sgpr(kBase, 2)});
}

TEST_P(GlobalFaults, RunThatLeavesTheLastRange) {
  Machine machine(level(), 4);
  const std::uint64_t end = kHigh + kHighBytes;
  machine.set_pair(kBase, end - 0x50);
  for (unsigned slot = 0; slot < 4; ++slot) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      machine.v(kAddress, slot, lane) = slot < 2 ? 0 : 4 * lane;
      machine.v(kData, slot, lane) = 77;
    }
  }
  EXPECT_FALSE(machine.run(load(Op::global_load_b32), 0x128));
  const auto& fault = machine.gang()->fault;
  EXPECT_EQ(machine.gang()->stop, Stop::fault);
  EXPECT_EQ(fault.kind, FaultKind::memory);
  EXPECT_FALSE(fault.write);
  EXPECT_EQ(fault.slot, 2);
  EXPECT_EQ(fault.lanes, 0xfff00000u);  // lanes 20..31 lie behind the end
  EXPECT_EQ(fault.bytes, 4u);
  EXPECT_EQ(fault.address, end);
  EXPECT_EQ(fault.pc, 0x5128u);
  EXPECT_EQ(machine.v(kData, 1, 31), machine.at<std::uint32_t>(end - 0x50));  // earlier slots are done
  EXPECT_EQ(machine.v(kData, 2, 19), machine.at<std::uint32_t>(end - 4));     // so are lanes before
  EXPECT_EQ(machine.v(kData, 2, 20), 77u);
  EXPECT_EQ(machine.v(kData, 3, 0), 77u);  // later slots have not begun
}

TEST_P(GlobalFaults, LastBytesOfTheLastRange) {
  for (const unsigned beyond : {0u, 1u}) {
    Machine machine(level(), 1);
    machine.set_pair(kBase, kHigh + kHighBytes - 16 + beyond);
    for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kAddress, 0, lane) = 0;
    EXPECT_EQ(machine.run(load(Op::global_load_b128, 4)), beyond == 0);
    EXPECT_EQ(machine.run(store(Op::global_store_b128, 4)), beyond == 0);
    if (beyond) {
      EXPECT_EQ(machine.gang()->fault.bytes, 16u);
      EXPECT_EQ(machine.gang()->fault.address, kHigh + kHighBytes - 15);
      EXPECT_TRUE(machine.gang()->fault.write);
    }
  }
}

TEST_P(GlobalFaults, FirstByteBeforeTheFirstRange) {
  Machine machine(level(), 1);
  machine.set_pair(kBase, kLow - 1);
  for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kAddress, 0, lane) = lane == 7 ? 0 : 0x40;
  EXPECT_FALSE(machine.run(load(Op::global_load_b32)));
  EXPECT_EQ(machine.gang()->fault.lanes, 1u << 7);
  EXPECT_EQ(machine.gang()->fault.address, kLow - 1);
}

TEST_P(GlobalFaults, OnlyActiveLanesCount) {
  Machine machine(level(), 2);
  machine.set_pair(kBase, kLow);
  for (unsigned i = 0; i < 2 * kLanes; ++i) machine.v(kAddress, 0, i) = i % kLanes < 16 ? 8 * i : 0x8000'0000;
  for (unsigned slot = 0; slot < 2; ++slot) machine.set_exec(slot, 0xffff);
  EXPECT_TRUE(machine.run(load(Op::global_load_b64, 2)));
  EXPECT_TRUE(machine.run(store(Op::global_store_b64, 2)));
  machine.set_exec(1, 0x1ffff);
  EXPECT_FALSE(machine.run(store(Op::global_store_b64, 2)));
  EXPECT_EQ(machine.gang()->fault.slot, 1);
  EXPECT_EQ(machine.gang()->fault.lanes, 1u << 16);
  EXPECT_EQ(machine.gang()->fault.address, kLow + 0x8000'0000);
  machine.set_exec(1, 0);
  EXPECT_TRUE(machine.run(store(Op::global_store_b64, 2)));
}

TEST_P(GlobalFaults, InactiveSlotsDoNothing) {
  Machine machine(level(), 8);
  machine.set_pair(kBase, 0);
  const auto before = machine.state();
  machine.set_active(0);
  EXPECT_TRUE(machine.run(load(Op::global_load_b32)));
  EXPECT_TRUE(machine.run(store(Op::global_store_b32)));
  EXPECT_TRUE(machine.state() == before);
}

TEST_P(GlobalFaults, StoreIntoReadOnlyMemoryAcrossTheEdgeWritesNothing) {
  Machine machine(level(), 1);
  const std::uint64_t edge = kReadOnly + kReadOnlyBytes;
  machine.set_pair(kBase, edge - 2);
  machine.set_exec(0, 1);
  machine.v(kAddress, 0, 0) = 0;
  const auto before = machine.state();
  EXPECT_FALSE(machine.run(store(Op::global_store_b32)));
  EXPECT_FALSE(machine.run(load(Op::global_load_b32)));
  EXPECT_TRUE(machine.state() == before);
}

TEST_P(GlobalFaults, AddressesOfTheWholeSpaceAreCompared) {
  // No address may be truncated on the way: high dwords differ between lanes.
  Machine machine(level(), 1);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    machine.v(kAddress, 0, lane) = static_cast<std::uint32_t>(kLow) + 4 * lane;
    machine.v(kAddress + 1, 0, lane) = static_cast<std::uint32_t>(kLow >> 32) + (lane == 3 ? 0x10000 : 0);
  }
  EXPECT_FALSE(
      machine.run(make(Encoding::global, Op::global_load_b32, {vdst(kData), vgpr(kAddress, 2), none()})));
  EXPECT_EQ(machine.gang()->fault.lanes, 1u << 3);
  EXPECT_EQ(machine.gang()->fault.address, kLow + 12 + (std::uint64_t{0x10000} << 32));
}

}  // namespace mockgpu::tests::global_faults_tests
