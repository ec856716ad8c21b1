// SCRATCH: the dword interleave over the lanes of the wave, addressing forms, bounds.
#include "tests/vmem/kinds.h"
#include "tests/vmem/machine.h"

namespace mockgpu::tests::scratch_tests {

VECTOR_MEMORY_TEST_SUITE(ScratchMemory);

constexpr unsigned kAddress = 0, kData = 8, kSaddr = 20;

/// GPU address of byte `offset` of a lane's private memory: the swizzle of the facts.
std::uint64_t private_address(bool wave64, unsigned slot, unsigned lane, std::uint32_t offset) {
  const unsigned lanes = wave64 ? 64 : 32;
  const unsigned wave = wave64 ? slot / 2 : slot;
  const unsigned wave_lane = wave64 ? slot % 2 * 32 + lane : lane;
  return kScratch + wave * kScratchWaveBytes + std::uint64_t{offset / 4} * 4 * lanes + wave_lane * 4 +
         offset % 4;
}

std::uint32_t lane_offset(unsigned pattern, unsigned lane, std::uint32_t limit, unsigned bytes,
                          std::mt19937& random) {
  switch (pattern) {
    case 0: return 0x20;                              // all alike
    case 1: return 0x23;                              // misaligned
    case 2: return 4 * (lane % 8);                    // an indexed array
    case 3: return 4 * (random() % (limit / 4 - 4));  // aligned anywhere
    case 4: return random() % (limit - bytes + 1);    // anywhere
    default: return limit - bytes;                    // the last bytes
  }
}
constexpr unsigned kPatterns = 6;
const std::uint32_t kMasks[] = {~0u, 0, 0x0000ffff, 0x81234566};

class Accesses {
 public:
  Accesses(const emu::amd::LaneKernels& level, std::mt19937& random, bool wave64, unsigned form,
           unsigned pattern, unsigned bytes, std::uint32_t mask)
      : machine(level, 8, wave64) {
    const std::uint32_t limit = static_cast<std::uint32_t>(kScratchWaveBytes / (wave64 ? 64 : 32));
    machine.randomize(random);
    with_vaddr = form & 1;
    with_saddr = form & 2;
    imm = static_cast<std::int32_t>(random() % 0x100) - 0x80;
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      machine.set_exec(slot, mask);
      const std::uint32_t common = lane_offset(pattern, 0, limit, bytes, random);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        offset[slot][lane] = with_vaddr ? lane_offset(pattern, lane, limit, bytes, random) : common;
      }
      if (!with_vaddr && !with_saddr) {
        imm = static_cast<std::int32_t>(slot ? offset[0][0] : common);
        for (unsigned lane = 0; lane < kLanes; ++lane) offset[slot][lane] = static_cast<std::uint32_t>(imm);
      }
      const std::uint32_t saddr =
          with_saddr ? with_vaddr ? 0x12 : common - static_cast<std::uint32_t>(imm) : 0;
      machine.s(kSaddr, slot) = saddr;
      for (unsigned lane = 0; with_vaddr && lane < kLanes; ++lane) {
        machine.v(kAddress, slot, lane) = offset[slot][lane] - saddr - static_cast<std::uint32_t>(imm);
      }
    }
  }
  Operand vaddr() const { return with_vaddr ? vgpr(kAddress) : none(); }
  Operand saddr() const { return with_saddr ? sgpr(kSaddr) : none(); }

  Machine machine;
  bool with_vaddr, with_saddr;
  std::int32_t imm;
  std::uint32_t offset[kSlots][kLanes];
};

TEST_P(ScratchMemory, LoadsMatchTheModel) {
  std::mt19937 random(11);
  for (const LoadCase& load : kLoadCases) {
    for (unsigned pattern = 0; pattern < kPatterns; ++pattern) {
      for (unsigned form = 0; form < 8; ++form) {
        const bool wave64 = form & 4;
        const std::uint32_t mask = kMasks[random() % 2 ? 0 : random() % std::size(kMasks)];
        Accesses accesses(level(), random, wave64, form, pattern, load.bytes, mask);
        Machine& machine = accesses.machine;
        const unsigned dst = random() % 2 ? kAddress : kData;
        std::vector<std::uint32_t> expected(4 * kRowWords);
        for (unsigned i = 0; i < kRowWords; ++i) {
          std::uint32_t regs[4];
          for (unsigned k = 0; k < 4; ++k) regs[k] = machine.v(dst + k, 0, i);
          if (mask >> (i % kLanes) & 1) {
            std::uint8_t bytes[16] = {};
            for (unsigned b = 0; b < load.bytes; ++b) {
              bytes[b] = machine.at<std::uint8_t>(private_address(
                  wave64, i / kLanes, i % kLanes, accesses.offset[i / kLanes][i % kLanes] + b));
            }
            model_load(load.name, bytes, regs);
          }
          for (unsigned k = 0; k < 4; ++k) expected[k * kRowWords + i] = regs[k];
        }
        ASSERT_TRUE(machine.run(make(Encoding::scratch, load.scratch,
                                     {vdst(dst, (load.bytes + 3) / 4), accesses.vaddr(), accesses.saddr()},
                                     accesses.imm)));
        machine.expect_rows(
            dst, expected,
            std::string(load.name) + " pattern " + std::to_string(pattern) + " form " + std::to_string(form));
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

TEST_P(ScratchMemory, StoresMatchTheModel) {
  std::mt19937 random(12);
  for (const StoreCase& store : kStoreCases) {
    for (unsigned pattern = 0; pattern < kPatterns; ++pattern) {
      for (unsigned form = 0; form < 8; ++form) {
        const bool wave64 = form & 4;
        const std::uint32_t mask = kMasks[random() % 2 ? 0 : random() % std::size(kMasks)];
        Accesses accesses(level(), random, wave64, form, pattern, store.bytes, mask);
        Machine& machine = accesses.machine;
        Machine model(level(), 8, wave64);
        for (unsigned i = 0; i < kVgprs * kRowWords; ++i) model.v(0, 0, i) = machine.v(0, 0, i);
        for (unsigned i = 0; i < kRowWords; ++i) {
          if (!(mask >> (i % kLanes) & 1)) continue;
          std::uint32_t regs[4];
          for (unsigned k = 0; k < 4; ++k) regs[k] = machine.v(kData + k, 0, i);
          std::uint8_t bytes[16];
          model_store(store.name, regs, bytes);
          for (unsigned b = 0; b < store.bytes; ++b) {
            model.put(
                private_address(wave64, i / kLanes, i % kLanes, accesses.offset[i / kLanes][i % kLanes] + b),
                bytes[b]);
          }
        }
        ASSERT_TRUE(machine.run(make(Encoding::scratch, store.scratch,
                                     {accesses.vaddr(), vgpr(kData, (store.bytes + 3) / 4), accesses.saddr()},
                                     accesses.imm)));
        ASSERT_TRUE(machine.state() == model.state())
            << store.name << " pattern " << pattern << " form " << form;
      }
    }
  }
}

TEST_P(ScratchMemory, BeyondTheLanesShareIsAFault) {
  for (const bool wave64 : {false, true}) {
    const auto limit = static_cast<std::uint32_t>(kScratchWaveBytes / (wave64 ? 64 : 32));
    Machine machine(level(), 4, wave64);
    for (unsigned slot = 0; slot < 4; ++slot) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        machine.v(kAddress, slot, lane) = slot == 3 && lane >= 30 ? limit - 4 : limit - 8;
      }
    }
    EXPECT_FALSE(
        machine.run(make(Encoding::scratch, Op::scratch_load_b64, {vdst(kData, 2), vgpr(kAddress), none()})));
    const auto& fault = machine.gang()->fault;
    EXPECT_EQ(fault.kind, emu::amd::FaultKind::memory);
    EXPECT_FALSE(fault.write);
    EXPECT_EQ(fault.slot, 3);
    EXPECT_EQ(fault.lanes, 0xc0000000u);
    EXPECT_EQ(fault.bytes, 8u);
    EXPECT_EQ(fault.address, private_address(wave64, 3, 30, limit - 4));
  }
}

TEST_P(ScratchMemory, BelowZeroIsAFault) {
  Machine machine(level(), 1);
  EXPECT_FALSE(
      machine.run(make(Encoding::scratch, Op::scratch_store_b32, {none(), vgpr(kData), none()}, -4)));
  EXPECT_EQ(machine.gang()->fault.lanes, ~0u);
  EXPECT_TRUE(machine.gang()->fault.write);
}

TEST_P(ScratchMemory, UnmappedArenaIsAFault) {
  Machine machine(level(), 1);
  machine.s(emu::amd::kRowScratchHi, 0) = 0x1234;
  EXPECT_FALSE(machine.run(make(Encoding::scratch, Op::scratch_load_b32, {vdst(kData), none(), none()}, 8)));
  EXPECT_EQ(machine.gang()->fault.lanes, ~0u);
  EXPECT_EQ(machine.gang()->fault.address, (std::uint64_t{0x1234} << 32 | (kScratch & 0xffffffff)) + 2 * 128);
}

}  // namespace mockgpu::tests::scratch_tests
