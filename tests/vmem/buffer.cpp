// MUBUF: descriptors, addressing, range checks, swizzle, atomics.
#include "tests/vmem/kinds.h"
#include "tests/vmem/machine.h"

namespace mockgpu::tests {
namespace {

VECTOR_MEMORY_TEST_SUITE(BufferMemory);

constexpr unsigned kAddress = 0, kData = 8, kDescriptor = 12, kSoffset = 20;

struct Shape {
  std::uint64_t base = kLow;
  std::uint32_t stride = 0, records = 0x1000, swizzle = 0, index_stride = 0, check = 3;
  bool add_lane = false;
};
void bind(Machine& machine, const Shape& shape) {
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    machine.s(kDescriptor, slot) = static_cast<std::uint32_t>(shape.base);
    machine.s(kDescriptor + 1, slot) =
        static_cast<std::uint32_t>(shape.base >> 32) | shape.stride << 16 | shape.swizzle << 30;
    machine.s(kDescriptor + 2, slot) = shape.records;
    machine.s(kDescriptor + 3, slot) =
        shape.index_stride << 21 | static_cast<std::uint32_t>(shape.add_lane) << 23 | shape.check << 28;
  }
}
Instruction access(Op op, Operand data, bool idxen, bool offen, Operand soffset, std::int32_t offset) {
  const unsigned dwords = idxen + offen;
  Instruction instruction =
      make(Encoding::mubuf, op,
           {data, dwords ? vgpr(kAddress, dwords) : none(), sgpr(kDescriptor, 4), soffset}, offset);
  instruction.mods.idxen = idxen;
  instruction.mods.offen = offen;
  return instruction;
}

TEST_P(BufferMemory, RawLoadsOfEveryKindWithRangeCheck) {
  std::mt19937 random(51);
  for (const LoadCase& load : kLoadCases) {
    Machine machine(level());
    machine.randomize(random);
    machine.set_exec(2, 0x00ffff10);
    bind(machine, {});
    for (unsigned slot = 0; slot < kSlots; ++slot) machine.s(kSoffset, slot) = 0x100;
    std::vector<std::uint32_t> expected(4 * kRowWords);
    for (unsigned i = 0; i < kRowWords; ++i) {
      machine.v(kAddress, 0, i) = i % 5 ? random() % 0x1000 : random();
      std::uint32_t regs[4];
      for (unsigned k = 0; k < 4; ++k) regs[k] = machine.v(kData + k, 0, i);
      if (i / kLanes != 2 || (0x00ffff10 >> i % kLanes & 1)) {
        const std::uint64_t at = std::uint64_t{machine.v(kAddress, 0, i)} + 0x21 + 0x100;
        std::uint8_t bytes[16] = {};
        for (unsigned b = 0; at + load.bytes <= 0x1000 && b < load.bytes; ++b) {
          bytes[b] = machine.at<std::uint8_t>(kLow + at + b);
        }
        model_load(load.name, bytes, regs);
      }
      for (unsigned k = 0; k < 4; ++k) expected[k * kRowWords + i] = regs[k];
    }
    ASSERT_TRUE(machine.run(
        access(load.buffer, vdst(kData, (load.bytes + 3) / 4), false, true, sgpr(kSoffset), 0x21)));
    for (unsigned i = 0; i < 4 * kRowWords; ++i)
      ASSERT_EQ(machine.v(kData, 0, i), expected[i]) << load.name << i;
  }
}

TEST_P(BufferMemory, RawStoresOutOfRangeAreDropped) {
  for (const StoreCase& store : kStoreCases) {
    Machine machine(level(), 1);
    bind(machine, {kLow, 0, 0x200, 0, 0, 3, false});
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      machine.v(kAddress, 0, lane) = lane * 16;
      for (unsigned k = 0; k < 4; ++k) machine.v(kData + k, 0, lane) = 0x01010101 * (lane + 1);
    }
    const auto last = machine.at<std::uint32_t>(kLow + 0x200);
    const std::int32_t offset = static_cast<std::int32_t>(16 - store.bytes);
    ASSERT_TRUE(machine.run(
        access(store.buffer, vgpr(kData, (store.bytes + 3) / 4), false, true, constant(0), offset)));
    EXPECT_EQ(machine.at<std::uint8_t>(kLow + 0x1ff), 32u) << store.name;  // the last lane's last byte fits
    ASSERT_TRUE(machine.run(
        access(store.buffer, vgpr(kData, (store.bytes + 3) / 4), false, true, constant(4), offset)));
    EXPECT_EQ(machine.at<std::uint32_t>(kLow + 0x200), last);
  }
}

TEST_P(BufferMemory, StructuredIndexAndOffset) {
  Machine machine(level(), 1);
  bind(machine, {kLow, 12, 20, 0, 0, 0, false});  // 20 records of 12 bytes, both checked
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    machine.v(kAddress, 0, lane) = lane;
    machine.v(kAddress + 1, 0, lane) = 4 * (lane % 4);
  }
  ASSERT_TRUE(machine.run(access(Op::buffer_load_b32, vdst(kData), true, true, constant(0), 0)));
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool inside = lane < 20 && lane % 4 < 3;
    EXPECT_EQ(machine.v(kData, 0, lane),
              inside ? machine.at<std::uint32_t>(kLow + 12 * lane + 4 * (lane % 4)) : 0)
        << lane;
  }
  bind(machine, {kLow, 12, 20, 0, 0, 1, false});  // the index alone is checked
  ASSERT_TRUE(machine.run(access(Op::buffer_load_b32, vdst(kData), true, true, constant(0), 0)));
  EXPECT_EQ(machine.v(kData, 0, 3), machine.at<std::uint32_t>(kLow + 12 * 3 + 12));
  EXPECT_EQ(machine.v(kData, 0, 20), 0u);
}

TEST_P(BufferMemory, SwizzleInterleavesRecords) {
  Machine machine(level(), 1);
  bind(machine, {kLow, 16, 64, 1, 1, 0, false});  // 16-byte records, 4-byte elements, 16 records together
  for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kAddress, 0, lane) = lane;
  ASSERT_TRUE(machine.run(access(Op::buffer_load_b32, vdst(kData), true, false, constant(0), 8)));
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t at = (lane / 16 * 16 + 8) * 16 + lane % 16 * 4;
    EXPECT_EQ(machine.v(kData, 0, lane), machine.at<std::uint32_t>(kLow + at)) << lane;
  }
}

TEST_P(BufferMemory, LaneNumberAsIndex) {
  Machine machine(level(), 2, true);
  bind(machine, {kLow, 4, 64, 0, 0, 1, true});
  ASSERT_TRUE(machine.run(access(Op::buffer_load_b32, vdst(kData), false, false, constant(0), 0)));
  EXPECT_EQ(machine.v(kData, 0, 5), machine.at<std::uint32_t>(kLow + 20));
  EXPECT_EQ(machine.v(kData, 1, 5), machine.at<std::uint32_t>(kLow + 4 * 37));
}

TEST_P(BufferMemory, UnboundDescriptorReadsZeroAndStoresNothing) {
  Machine machine(level(), 1);
  for (unsigned i = 0; i < 4; ++i) machine.s(kDescriptor + i, 0) = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kData, 0, lane) = 5;
  ASSERT_TRUE(machine.run(access(Op::buffer_store_b32, vgpr(kData), false, false, constant(0), 0)));
  ASSERT_TRUE(machine.run(access(Op::buffer_load_b32, vdst(kData), false, false, constant(0), 0)));
  EXPECT_EQ(machine.v(kData, 0, 1), 0u);
}

TEST_P(BufferMemory, UnmappedMemoryBehindADescriptorFaults) {
  Machine machine(level(), 1);
  bind(machine, {kHigh + kHighBytes, 0, 0x100, 0, 0, 3, false});
  machine.set_exec(0, 0x30);
  EXPECT_FALSE(machine.run(access(Op::buffer_load_b64, vdst(kData, 2), false, false, constant(0), 16)));
  EXPECT_EQ(machine.gang()->fault.lanes, 0x30u);
  EXPECT_EQ(machine.gang()->fault.address, kHigh + kHighBytes + 16);
}

TEST_P(BufferMemory, AtomicsReturnOnlyWithGlc) {
  for (const bool glc : {false, true}) {
    Machine machine(level(), 1);
    bind(machine, {kLow, 0, 0x40, 0, 0, 3, false});
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      machine.v(kAddress, 0, lane) = lane < 31 ? 0x10 : 0x40;  // the last lane is out of range
      machine.v(kData, 0, lane) = 1;
    }
    machine.put<std::uint32_t>(kLow + 0x10, 100);
    Instruction add = access(Op::buffer_atomic_add_u32, vgpr(kData), false, true, constant(0), 0);
    add.mods.glc = glc;
    ASSERT_TRUE(machine.run(add));
    EXPECT_EQ(machine.at<std::uint32_t>(kLow + 0x10), 131u);
    EXPECT_EQ(machine.v(kData, 0, 30), glc ? 130u : 1u);
    EXPECT_EQ(machine.v(kData, 0, 31), glc ? 0u : 1u);
  }
}

}  // namespace
}  // namespace mockgpu::tests
