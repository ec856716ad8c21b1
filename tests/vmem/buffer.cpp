// MUBUF: descriptors, addressing, range checks, swizzle, atomics.
#include <array>

#include "tests/vmem/kinds.h"
#include "tests/vmem/machine.h"

namespace mockgpu::tests::buffer_tests {

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

// ---- typed accesses

std::uint32_t bits(float f) { return __builtin_bit_cast(std::uint32_t, f); }

/// What tbuffer_load_format_xyzw gives one lane for these bytes.
std::array<std::uint32_t, 4> typed_load(const emu::amd::LaneKernels& level, unsigned format,
                                        std::initializer_list<std::uint8_t> bytes) {
  Machine machine(level, 1);
  machine.set_exec(0, 4);
  bind(machine, {});
  std::uint64_t at = kLow + 8;
  for (const std::uint8_t byte : bytes) machine.put(at++, byte);
  Instruction load = access(Op::tbuffer_load_format_xyzw, vdst(kData, 4), false, false, constant(0), 8);
  load.encoding = Encoding::mtbuf;
  load.mods.format = static_cast<std::uint8_t>(format);
  EXPECT_TRUE(machine.run(load));
  return {machine.v(kData, 0, 2), machine.v(kData + 1, 0, 2), machine.v(kData + 2, 0, 2),
          machine.v(kData + 3, 0, 2)};
}
using Four = std::array<std::uint32_t, 4>;

TEST_P(BufferMemory, TypedLoadsConvertAndFillIn) {
  const std::uint32_t one = bits(1.0f);
  EXPECT_EQ(typed_load(level(), 22, {0, 0, 0xc0, 0x3f}), (Four{bits(1.5f), 0, 0, one}));  // 32_FLOAT
  EXPECT_EQ(typed_load(level(), 20, {1, 2, 3, 4}), (Four{0x04030201, 0, 0, 1}));          // 32_UINT
  EXPECT_EQ(typed_load(level(), 1, {51}), (Four{bits(51.0f / 255.0f), 0, 0, one}));       // 8_UNORM
  EXPECT_EQ(typed_load(level(), 2, {0x80}), (Four{bits(-1.0f), 0, 0, one}));              // 8_SNORM
  EXPECT_EQ(typed_load(level(), 2, {0x40}), (Four{bits(64.0f / 127.0f), 0, 0, one}));
  EXPECT_EQ(typed_load(level(), 6, {0xfe}), (Four{0xfffffffe, 0, 0, 1}));               // 8_SINT
  EXPECT_EQ(typed_load(level(), 10, {0xfe, 0xff}), (Four{bits(-2.0f), 0, 0, one}));     // 16_SSCALED
  EXPECT_EQ(typed_load(level(), 13, {0x00, 0x3e}), (Four{bits(1.5f), 0, 0, one}));      // 16_FLOAT
  EXPECT_EQ(typed_load(level(), 13, {0x01, 0x00}), (Four{bits(0x1p-24f), 0, 0, one}));  // subnormal half
  EXPECT_EQ(typed_load(level(), 46, {1, 2, 3, 4}), (Four{1, 2, 3, 4}));                 // 8_8_8_8_UINT
  EXPECT_EQ(typed_load(level(), 27, {1, 2, 3, 4}), (Four{0x0201, 0x0403, 0, 1}));       // 16_16_UINT
  // 2_10_10_10_UINT: x lowest, w in the top two bits. 10_11_11_FLOAT: x and y of 11 bits, z of 10.
  EXPECT_EQ(typed_load(level(), 40, {0x01, 0x08, 0x30, 0x80}), (Four{1, 2, 3, 2}));
  EXPECT_EQ(typed_load(level(), 30, {0xc0, 0x03, 0x20, 0x78}),
            (Four{bits(1.0f), bits(2.0f), bits(1.0f), one}));
}

TEST_P(BufferMemory, TypedLoadsOfHalves) {
  Machine machine(level(), 1);
  bind(machine, {});
  machine.put<std::uint32_t>(kLow, 0x80ff40c0);
  Instruction load = access(Op::tbuffer_load_d16_format_xyz, vdst(kData, 2), false, false, constant(0), 0);
  load.encoding = Encoding::mtbuf;
  load.mods.format = 46;  // 8_8_8_8_UINT
  machine.v(kData + 1, 0, 9) = 0x12345678;
  ASSERT_TRUE(machine.run(load));
  EXPECT_EQ(machine.v(kData, 0, 9), 0x004000c0u);
  EXPECT_EQ(machine.v(kData + 1, 0, 9), 0x123400ffu);  // the half without a component is kept
  load.mods.format = 22;                               // 32_FLOAT: rounded to a half
  machine.put<float>(kLow, 1.0f + 0x1p-11f);           // a tie
  ASSERT_TRUE(machine.run(load));
  EXPECT_EQ(machine.v(kData, 0, 9), 0x00003c00u);
  load.mods.format = 20;  // 32_UINT does not fit
  EXPECT_FALSE(machine.run(load));
  EXPECT_EQ(machine.gang()->fault.kind, emu::amd::FaultKind::unsupported);
}

TEST_P(BufferMemory, TypedStoresConvert) {
  const auto store = [&](unsigned format, std::array<float, 4> values) {
    Machine machine(level(), 1);
    machine.set_exec(0, 1);
    bind(machine, {});
    machine.put<std::uint64_t>(kLow, 0);
    for (unsigned c = 0; c < 4; ++c) machine.v(kData + c, 0, 0) = bits(values[c]);
    Instruction typed = access(Op::tbuffer_store_format_xyzw, vgpr(kData, 4), false, false, constant(0), 0);
    typed.encoding = Encoding::mtbuf;
    typed.mods.format = static_cast<std::uint8_t>(format);
    EXPECT_TRUE(machine.run(typed));
    return machine.at<std::uint64_t>(kLow);
  };
  EXPECT_EQ(store(42, {0.0f, 1.0f, 2.0f, 0.5f}), 0x80ffff00u);                // unorm: clamped; 127.5 to even
  EXPECT_EQ(store(43, {-1.0f, 1.0f, -2.0f, 0.0f}), 0x00817f81u);              // snorm
  EXPECT_EQ(store(57, {1.0f, -2.0f, 65536.0f, 0.0f}), 0x00007c00'c0003c00u);  // 16_16_16_16_FLOAT
  EXPECT_EQ(store(22, {1.5f, 9.0f, 9.0f, 9.0f}), bits(1.5f));                 // 32_FLOAT
}

TEST_P(BufferMemory, FormatsOfTheDescriptorSelectComponents) {
  Machine machine(level(), 1);
  bind(machine, {});
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    machine.s(kDescriptor + 3, slot) |= 46 << 12 | 7 | 1 << 3 | 0 << 6 | 4 << 9;  // 8_8_8_8_UINT: w, 1, 0, x
  }
  machine.put<std::uint32_t>(kLow, 0x0a0b0c0d);
  ASSERT_TRUE(machine.run(access(Op::buffer_load_format_xyzw, vdst(kData, 4), false, false, constant(0), 0)));
  EXPECT_EQ((Four{machine.v(kData, 0, 1), machine.v(kData + 1, 0, 1), machine.v(kData + 2, 0, 1),
                  machine.v(kData + 3, 0, 1)}),
            (Four{0x0a, 1, 0, 0x0d}));
}

TEST_P(BufferMemory, TypedFaultsAreExact) {
  Machine machine(level(), 1);
  bind(machine, {kHigh + kHighBytes - 8, 16, 32, 0, 0, 0, false});
  for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kAddress, 0, lane) = lane;
  Instruction load = access(Op::tbuffer_load_format_xy, vdst(kData, 2), true, false, constant(0), 0);
  load.encoding = Encoding::mtbuf;
  load.mods.format = 48;  // 32_32_UINT
  EXPECT_FALSE(machine.run(load));
  EXPECT_EQ(machine.gang()->fault.lanes, 0xfffffffeu);
  EXPECT_EQ(machine.gang()->fault.address, kHigh + kHighBytes + 8);
  EXPECT_EQ(machine.gang()->fault.bytes, 8u);
}

}  // namespace mockgpu::tests::buffer_tests
