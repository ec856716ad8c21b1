// FLAT: apertures by the high half of the address register, also mixed within a wave.
#include "tests/vmem/kinds.h"
#include "tests/vmem/machine.h"

namespace mockgpu::tests::flat_tests {

VECTOR_MEMORY_TEST_SUITE(FlatMemory);

constexpr unsigned kAddress = 0, kData = 8;
enum Space { global, lds, scratch };

class Accesses {
 public:
  Accesses(const emu::amd::LaneKernels& level, std::mt19937& random, unsigned mix, unsigned bytes)
      : machine(level) {
    machine.randomize(random);
    imm = static_cast<std::int32_t>(random() % 64);
    for (unsigned i = 0; i < kRowWords; ++i) {
      const Space space = mix < 3 ? static_cast<Space>(mix) : static_cast<Space>(random() % 3);
      const auto from = static_cast<std::uint32_t>(random() % 0x80 + i % kLanes);
      const std::uint64_t address = space == global ? kLow + from
                                    : space == lds  ? (std::uint64_t{kSharedAperture} << 32) + from
                                                    : (std::uint64_t{kPrivateAperture} << 32) + from % 0x60;
      machine.v(kAddress, 0, i) = static_cast<std::uint32_t>(address);
      machine.v(kAddress + 1, 0, i) = static_cast<std::uint32_t>(address >> 32);
      for (unsigned b = 0; b < bytes; ++b) {
        const auto at = static_cast<std::uint32_t>(address) + static_cast<std::uint32_t>(imm) + b;
        where[i][b] = space == global ? machine.host(address + static_cast<std::uint32_t>(imm) + b)
                      : space == lds  ? machine.lds(i / kLanes) + at
                                     : machine.host(kScratch + i / kLanes * kScratchWaveBytes + at / 4 * 128 +
                                                    i % kLanes * 4 + at % 4);
      }
    }
  }
  Machine machine;
  std::int32_t imm;
  std::byte* where[kRowWords][16];
};

TEST_P(FlatMemory, LoadsMatchTheModel) {
  std::mt19937 random(21);
  for (const LoadCase& load : kLoadCases) {
    for (unsigned mix = 0; mix < 5; ++mix) {
      Accesses accesses(level(), random, mix, load.bytes);
      Machine& machine = accesses.machine;
      const std::uint32_t mask = mix == 4 ? 0x0ff0ff0f : ~0u;
      for (unsigned slot = 0; slot < kSlots; ++slot) machine.set_exec(slot, mask);
      const unsigned dst = mix % 2 ? kAddress : kData;
      std::vector<std::uint32_t> expected(4 * kRowWords);
      for (unsigned i = 0; i < kRowWords; ++i) {
        std::uint32_t regs[4];
        for (unsigned k = 0; k < 4; ++k) regs[k] = machine.v(dst + k, 0, i);
        if (mask >> (i % kLanes) & 1) {
          std::uint8_t bytes[16] = {};
          for (unsigned b = 0; b < load.bytes; ++b)
            bytes[b] = static_cast<std::uint8_t>(*accesses.where[i][b]);
          model_load(load.name, bytes, regs);
        }
        for (unsigned k = 0; k < 4; ++k) expected[k * kRowWords + i] = regs[k];
      }
      ASSERT_TRUE(machine.run(make(Encoding::flat, load.flat,
                                   {vdst(dst, (load.bytes + 3) / 4), vgpr(kAddress, 2)}, accesses.imm)));
      machine.expect_rows(dst, expected, std::string(load.name) + " mix " + std::to_string(mix));
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_P(FlatMemory, StoresReachTheirMemory) {
  std::mt19937 random(22);
  for (const StoreCase& store : kStoreCases) {
    for (unsigned mix = 0; mix < 4; ++mix) {
      Accesses accesses(level(), random, mix, store.bytes);
      Machine& machine = accesses.machine;
      for (unsigned slot = 0; slot < kSlots; ++slot) machine.set_exec(slot, 0x00010000);  // lanes do not meet
      machine.set_active(0x4);
      ASSERT_TRUE(machine.run(make(Encoding::flat, store.flat,
                                   {vgpr(kAddress, 2), vgpr(kData, (store.bytes + 3) / 4)}, accesses.imm)));
      const unsigned i = 2 * kLanes + 16;
      std::uint32_t regs[4];
      for (unsigned k = 0; k < 4; ++k) regs[k] = machine.v(kData + k, 0, i);
      std::uint8_t bytes[16];
      model_store(store.name, regs, bytes);
      for (unsigned b = 0; b < store.bytes; ++b) {
        ASSERT_EQ(static_cast<std::uint8_t>(*accesses.where[i][b]), bytes[b]) << store.name << " mix " << mix;
      }
    }
  }
}

TEST_P(FlatMemory, TheApertureIsChosenBeforeTheOffsetIsAdded) {
  // The sum would be in the LDS aperture, the register is not: global memory, not mapped.
  Machine machine(level(), 1);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    machine.v(kAddress, 0, lane) = 0xffff'fff0;
    machine.v(kAddress + 1, 0, lane) = kSharedAperture - 1;
  }
  EXPECT_FALSE(machine.run(make(Encoding::flat, Op::flat_load_b32, {vdst(kData), vgpr(kAddress, 2)}, 0x20)));
  EXPECT_EQ(machine.gang()->fault.address, (std::uint64_t{kSharedAperture} << 32) + 0x10);
}

TEST_P(FlatMemory, AHoleIsAFault) {
  Machine machine(level(), 1);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    machine.v(kAddress, 0, lane) = machine.v(kAddress + 1, 0, lane) = 0;
  EXPECT_FALSE(machine.run(make(Encoding::flat, Op::flat_store_b8, {vgpr(kAddress, 2), vgpr(kData)}, 0)));
  EXPECT_EQ(machine.gang()->fault.address, 0u);
  EXPECT_EQ(machine.gang()->fault.bytes, 1u);
  EXPECT_TRUE(machine.gang()->fault.write);
}

}  // namespace mockgpu::tests::flat_tests
