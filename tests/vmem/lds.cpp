// DS loads and stores: every kind, patterns of addresses, masks, the bounds of LDS, two addresses, addtid.
#include "tests/vmem/kinds.h"
#include "tests/vmem/machine.h"

namespace mockgpu::tests::lds_tests {

VECTOR_MEMORY_TEST_SUITE(Lds);

constexpr unsigned kAddress = 0, kData = 8, kData1 = 16;

/// LDS byte offset (before the instruction's offset, modulo 2^32) of a lane.
std::uint32_t lane_offset(unsigned pattern, unsigned lane, unsigned bytes, std::uint32_t imm,
                          std::mt19937& random) {
  switch (pattern) {
    case 0: return lane * bytes;
    case 1: return 0x80;
    case 2: return (31 - lane) * (bytes + 4);
    case 3: return random() % (kLdsBytes - imm - 16);
    case 4: return kLdsBytes - imm - 10 * bytes - 1 + lane * bytes;  // leaves LDS in lane 10
    case 5: return random();                                         // nearly always outside
    case 6: return 0 - imm + lane * bytes;                           // wraps to the start
    case 7: return 1 + lane * bytes;
    case 8: return lane % 16 * bytes + (1 - lane / 16) * 0x110;
    case 9: return 0x40 + lane / 16 * 0x52;
    default: return lane < 16 ? 8 : kLdsBytes - imm - 4;  // the second half may lie outside
  }
}
constexpr unsigned kPatterns = 11;
const std::uint32_t kMasks[] = {~0u, ~0u, 0, 1, 0x0000ffff, 0xfffffffe, 0x12345678};

bool in_bounds(std::uint32_t at, unsigned bytes) { return at <= kLdsBytes - bytes; }

TEST_P(Lds, LoadsMatchTheModel) {
  std::mt19937 random(3);
  for (const LoadCase& load : kLoadCases) {
    for (unsigned pattern = 0; pattern < kPatterns; ++pattern) {
      for (const std::uint32_t mask : kMasks) {
        Machine machine(level());
        machine.randomize(random);
        const std::uint32_t imm = random() % 0x200;
        const unsigned dst = random() % 2 ? kAddress : kData;
        for (unsigned slot = 0; slot < kSlots; ++slot) {
          machine.set_exec(slot, mask);
          for (unsigned lane = 0; lane < kLanes; ++lane) {
            machine.v(kAddress, slot, lane) = lane_offset(pattern, lane, load.bytes, imm, random);
          }
        }
        std::vector<std::uint32_t> expected(4 * kRowWords);
        for (unsigned i = 0; i < kRowWords; ++i) {
          std::uint32_t regs[4];
          for (unsigned k = 0; k < 4; ++k) regs[k] = machine.v(dst + k, 0, i);
          if (mask >> (i % kLanes) & 1) {
            const std::uint32_t at = machine.v(kAddress, 0, i) + imm;
            std::uint8_t bytes[16] = {};
            if (in_bounds(at, load.bytes)) std::memcpy(bytes, machine.lds(i / kLanes) + at, load.bytes);
            model_load(load.name, bytes, regs);
          }
          for (unsigned k = 0; k < 4; ++k) expected[k * kRowWords + i] = regs[k];
        }
        ASSERT_TRUE(machine.run(make(Encoding::ds, load.ds, {vdst(dst, (load.bytes + 3) / 4), vgpr(kAddress)},
                                     static_cast<std::int32_t>(imm))));
        machine.expect_rows(dst, expected, std::string(load.name) + " pattern " + std::to_string(pattern));
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

TEST_P(Lds, StoresMatchTheModel) {
  std::mt19937 random(4);
  for (const StoreCase& store : kStoreCases) {
    for (unsigned pattern = 0; pattern < kPatterns; ++pattern) {
      for (const std::uint32_t mask : kMasks) {
        Machine machine(level());
        machine.randomize(random);
        const std::uint32_t imm = random() % 0x200;
        std::vector<std::uint8_t> expected(kLdsBytes * kSlots);
        std::memcpy(expected.data(), machine.lds(0), expected.size());
        for (unsigned i = 0; i < kRowWords; ++i) {
          machine.v(kAddress, 0, i) = lane_offset(pattern, i % kLanes, store.bytes, imm, random);
          const std::uint32_t at = machine.v(kAddress, 0, i) + imm;
          if (!(mask >> (i % kLanes) & 1) || !in_bounds(at, store.bytes)) continue;
          std::uint32_t regs[4];
          for (unsigned k = 0; k < 4; ++k) regs[k] = machine.v(kData + k, 0, i);
          model_store(store.name, regs, expected.data() + i / kLanes * kLdsBytes + at);
        }
        for (unsigned slot = 0; slot < kSlots; ++slot) machine.set_exec(slot, mask);
        ASSERT_TRUE(
            machine.run(make(Encoding::ds, store.ds, {vgpr(kAddress), vgpr(kData, (store.bytes + 3) / 4)},
                             static_cast<std::int32_t>(imm))));
        ASSERT_EQ(std::memcmp(expected.data(), machine.lds(0), expected.size()), 0)
            << store.name << " pattern " << pattern << " mask " << mask;
      }
    }
  }
}

struct TwoAddresses {
  Op load, store;
  unsigned dwords, scale;
};

TEST_P(Lds, TwoAddressesAreScaledAndTheAddressIsReadOnce) {
  const TwoAddresses cases[] = {
      {Op::ds_load_2addr_b32, Op::ds_store_2addr_b32, 1, 4},
      {Op::ds_load_2addr_b64, Op::ds_store_2addr_b64, 2, 8},
      {Op::ds_load_2addr_stride64_b32, Op::ds_store_2addr_stride64_b32, 1, 256},
      {Op::ds_load_2addr_stride64_b64, Op::ds_store_2addr_stride64_b64, 2, 512},
  };
  std::mt19937 random(5);
  for (const TwoAddresses& c : cases) {
    for (unsigned pattern = 0; pattern < kPatterns; ++pattern) {
      for (const std::uint32_t mask : kMasks) {
        Machine machine(level());
        machine.randomize(random);
        const unsigned bytes = 4 * c.dwords;
        for (unsigned i = 0; i < kRowWords; ++i) {
          machine.v(kAddress, 0, i) = lane_offset(pattern, i % kLanes, bytes, 0x200, random);
        }
        for (unsigned slot = 0; slot < kSlots; ++slot) machine.set_exec(slot, mask);

        Instruction load = make(Encoding::ds, c.load, {vdst(kAddress, 2 * c.dwords), vgpr(kAddress)});
        Instruction store =
            make(Encoding::ds, c.store, {vgpr(kAddress), vgpr(kData, c.dwords), vgpr(kData1, c.dwords)});
        load.mods.offset0 = store.mods.offset0 = 1;
        load.mods.offset1 = store.mods.offset1 = 4;

        std::vector<std::uint32_t> expected(4 * kRowWords);
        for (unsigned i = 0; i < 4 * kRowWords; ++i) expected[i] = machine.v(kAddress, 0, i);
        // Stores, where the two areas do not meet.
        if (pattern == 0) {
          Machine copy(level());
          copy.randomize(random);
          for (unsigned i = 0; i < kRowWords; ++i) {
            for (unsigned reg = 0; reg < 24; ++reg) copy.v(reg, 0, i) = machine.v(reg, 0, i);
          }
          for (unsigned slot = 0; slot < kSlots; ++slot) copy.set_exec(slot, mask);
          Instruction apart = store;
          apart.mods.offset0 = 0;
          apart.mods.offset1 = static_cast<std::uint8_t>(c.scale > 8 ? 1 : 64);
          ASSERT_TRUE(copy.run(apart));
          for (unsigned i = 0; i < kRowWords; ++i) {
            if (!(mask >> (i % kLanes) & 1)) continue;
            const std::uint32_t at = copy.v(kAddress, 0, i);
            ASSERT_EQ(copy.lds_at<std::uint32_t>(i / kLanes, at), copy.v(kData, 0, i));
            ASSERT_EQ(copy.lds_at<std::uint32_t>(i / kLanes, at + apart.mods.offset1 * c.scale),
                      copy.v(kData1, 0, i));
          }
        }
        for (unsigned i = 0; i < kRowWords; ++i) {
          if (!(mask >> (i % kLanes) & 1)) continue;
          for (unsigned second = 0; second < 2; ++second) {
            const std::uint32_t at = machine.v(kAddress, 0, i) + (second ? 4 : 1) * c.scale;
            for (unsigned k = 0; k < c.dwords; ++k) {
              expected[(second * c.dwords + k) * kRowWords + i] =
                  in_bounds(at, bytes) ? machine.lds_at<std::uint32_t>(i / kLanes, at + 4 * k) : 0;
            }
          }
        }
        ASSERT_TRUE(machine.run(load));
        machine.expect_rows(kAddress, expected, "pattern " + std::to_string(pattern));
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

TEST_P(Lds, GroupsHaveTheirOwn) {
  Machine machine(level(), 2);
  for (unsigned slot = 0; slot < 2; ++slot) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      machine.v(kAddress, slot, lane) = 4 * lane;
      machine.v(kData, slot, lane) = 100 * slot + lane;
    }
  }
  ASSERT_TRUE(machine.run(make(Encoding::ds, Op::ds_store_b32, {vgpr(kAddress), vgpr(kData)})));
  EXPECT_EQ(machine.lds_at<std::uint32_t>(0, 12), 3u);
  EXPECT_EQ(machine.lds_at<std::uint32_t>(1, 12), 103u);
}

TEST_P(Lds, NoLdsAtAll) {
  Machine machine(level(), 1);
  machine.gang()->lds_bytes = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kAddress, 0, lane) = 4 * lane;
  const auto before = machine.state();
  ASSERT_TRUE(machine.run(make(Encoding::ds, Op::ds_store_b32, {vgpr(kAddress), vgpr(kData)})));
  EXPECT_TRUE(machine.state() == before);
  ASSERT_TRUE(machine.run(make(Encoding::ds, Op::ds_load_b128, {vdst(kData, 4), vgpr(kAddress)})));
  EXPECT_EQ(machine.v(kData + 3, 0, 31), 0u);
}

TEST_P(Lds, AddtidUsesM0AndTheLaneOfTheWave) {
  for (const bool wave64 : {false, true}) {
    Machine machine(level(), 4, wave64);
    for (unsigned slot = 0; slot < 4; ++slot) machine.s(emu::amd::kRowM0, slot) = 0xabcd0100;
    ASSERT_TRUE(machine.run(make(Encoding::ds, Op::ds_load_addtid_b32, {vdst(kData)}, 0x20)));
    for (unsigned slot = 0; slot < 4; ++slot) {
      const unsigned first = wave64 && slot % 2 ? 32 : 0;
      EXPECT_EQ(machine.v(kData, slot, 7), machine.lds_at<std::uint32_t>(slot, 0x120 + 4 * (first + 7)));
    }
    machine.v(kData, 1, 2) = 4711;
    ASSERT_TRUE(machine.run(make(Encoding::ds, Op::ds_store_addtid_b32, {vgpr(kData)}, 0x20)));
    EXPECT_EQ(machine.lds_at<std::uint32_t>(1, 0x128 + (wave64 ? 128 : 0)), 4711u);
  }
}

}  // namespace mockgpu::tests::lds_tests
