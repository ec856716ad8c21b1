// GLOBAL loads and stores against a byte-wise model, over every kind, addressing form and pattern of
// addresses.
#include <sys/mman.h>

#include "tests/vmem/kinds.h"
#include "tests/vmem/machine.h"

namespace mockgpu::tests::global_tests {

VECTOR_MEMORY_TEST_SUITE(GlobalMemory);

constexpr unsigned kAddress = 0, kData = 8, kBase = 10;

/// How the addresses of a slot's lanes lie. All fall into the two neighbouring ranges.
enum class Pattern {
  run,
  run_across_ranges,
  same,
  strided,
  backwards,
  near,
  far,
  misaligned,
  some_across_ranges,
  tile,
  tile_same,
  tile_across_ranges,
  wide_apart,
  count
};

std::uint64_t lane_address(Pattern pattern, unsigned slot, unsigned lane, unsigned bytes,
                           std::mt19937& random) {
  const std::uint64_t slot_base = kLow + 0x100 + slot * 0x300;
  switch (pattern) {
    case Pattern::run: return slot_base + lane * bytes;
    case Pattern::run_across_ranges: return kHigh - 10 * bytes - 1 + lane * bytes;
    case Pattern::same: return slot_base + 0x40;
    case Pattern::strided: return slot_base + lane * (bytes + 4);
    case Pattern::backwards: return slot_base + (31 - lane) * bytes;
    case Pattern::near: return slot_base + (random() % 64) * bytes;
    case Pattern::far: return kLow + random() % (kLowBytes + kHighBytes - 16);
    case Pattern::misaligned: return slot_base + 1 + lane * bytes;
    case Pattern::tile: return slot_base + lane % 16 * bytes + lane / 16 * 0x50;
    case Pattern::tile_same: return slot_base + lane / 16 * 0x51;
    case Pattern::tile_across_ranges:
      return (lane < 16 ? kLow : kHigh - 7 * bytes - slot) + lane % 16 * bytes;
    case Pattern::some_across_ranges:
      return lane % 4 == 3 ? kHigh - 1 - random() % bytes : kHigh - 0x200 + lane * 4;
    default: return lane % 3 ? kLow + lane * bytes : kHigh + lane * bytes;
  }
}

const std::uint32_t kMasks[] = {~0u,        0,          1,          0x80000000, 0x0000ffff,
                                0xfffffffe, 0x7fffffff, 0xff00ff00, 0x12345678};

class Accesses {
 public:
  Accesses(const emu::amd::LaneKernels& level, std::mt19937& random, Pattern pattern, unsigned bytes,
           bool saddr, bool full)
      : machine(level) {
    machine.randomize(random);
    offset = static_cast<std::int32_t>(random() % 0x1000) - 0x800;
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      // Scalar bases differ by slot, below all addresses.
      const std::uint64_t base = kLow - 0x2000 - slot * 0x10;
      machine.s(kBase, slot) = static_cast<std::uint32_t>(base);
      machine.s(kBase + 1, slot) = static_cast<std::uint32_t>(base >> 32);
      if (!full) machine.set_exec(slot, kMasks[random() % std::size(kMasks)]);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        address[slot][lane] = lane_address(pattern, slot, lane, bytes, random);
        const std::uint64_t in_register =
            address[slot][lane] - static_cast<std::uint64_t>(std::int64_t{offset}) - (saddr ? base : 0);
        machine.v(kAddress, slot, lane) = static_cast<std::uint32_t>(in_register);
        if (!saddr) machine.v(kAddress + 1, slot, lane) = static_cast<std::uint32_t>(in_register >> 32);
      }
    }
    if (!full) machine.set_active(random() % 2 ? 0xff : random() & 0xff);
  }

  bool on(unsigned slot, unsigned lane) {
    return (machine.gang()->active >> slot & 1) && (exec_of(machine.gang(), slot) >> lane & 1);
  }

  Machine machine;
  std::int32_t offset;
  std::uint64_t address[kSlots][kLanes];
};

TEST_P(GlobalMemory, LoadsMatchTheModel) {
  std::mt19937 random(7);
  for (const LoadCase& load : kLoadCases) {
    for (int pattern = 0; pattern < static_cast<int>(Pattern::count); ++pattern) {
      for (unsigned form = 0; form < 8; ++form) {
        const bool saddr = form & 1, full = form & 2, overlap = form & 4;
        Accesses setup(level(), random, static_cast<Pattern>(pattern), load.bytes, saddr, full);
        Machine& machine = setup.machine;
        // The result may replace the address.
        const unsigned dst = overlap ? kAddress : kData;
        auto expected = std::vector<std::uint32_t>(5 * kRowWords);
        for (unsigned k = 0; k < 5; ++k) {
          for (unsigned i = 0; i < kRowWords; ++i) expected[k * kRowWords + i] = machine.v(dst + k, 0, i);
        }
        for (unsigned slot = 0; slot < kSlots; ++slot) {
          for (unsigned lane = 0; lane < kLanes; ++lane) {
            if (!setup.on(slot, lane)) continue;
            std::uint8_t bytes[16] = {};
            for (unsigned i = 0; i < load.bytes; ++i) {
              bytes[i] = machine.at<std::uint8_t>(setup.address[slot][lane] + i);
            }
            std::uint32_t regs[4];
            for (unsigned k = 0; k < 4; ++k) regs[k] = expected[k * kRowWords + slot * kLanes + lane];
            model_load(load.name, bytes, regs);
            for (unsigned k = 0; k < 4; ++k) expected[k * kRowWords + slot * kLanes + lane] = regs[k];
          }
        }
        const unsigned dwords = (load.bytes + 3) / 4;
        ASSERT_TRUE(machine.run(
            make(Encoding::global, load.global,
                 {vdst(dst, dwords), vgpr(kAddress, saddr ? 1 : 2), saddr ? sgpr(kBase, 2) : none()},
                 setup.offset)));
        machine.expect_rows(dst, expected, std::string(load.name) + " pattern " + std::to_string(pattern));
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

TEST_P(GlobalMemory, StoresMatchTheModel) {
  std::mt19937 random(8);
  for (const StoreCase& store : kStoreCases) {
    for (int pattern = 0; pattern < static_cast<int>(Pattern::count); ++pattern) {
      for (unsigned form = 0; form < 4; ++form) {
        const bool saddr = form & 1, full = form & 2;
        Accesses setup(level(), random, static_cast<Pattern>(pattern), store.bytes, saddr, full);
        Machine& machine = setup.machine;
        Machine model(level());  // the same memory contents
        for (unsigned slot = 0; slot < kSlots; ++slot) {
          for (unsigned lane = 0; lane < kLanes; ++lane) {
            if (!setup.on(slot, lane)) continue;
            std::uint32_t regs[4];
            for (unsigned k = 0; k < 4; ++k) regs[k] = machine.v(kData + k, slot, lane);
            std::uint8_t bytes[16];
            model_store(store.name, regs, bytes);
            for (unsigned i = 0; i < store.bytes; ++i) model.put(setup.address[slot][lane] + i, bytes[i]);
          }
        }
        for (unsigned reg = 0; reg < kVgprs; ++reg) {
          for (unsigned i = 0; i < kRowWords; ++i) model.v(reg, 0, i) = machine.v(reg, 0, i);
        }
        const unsigned dwords = (store.bytes + 3) / 4;
        ASSERT_TRUE(machine.run(
            make(Encoding::global, store.global,
                 {vgpr(kAddress, saddr ? 1 : 2), vgpr(kData, dwords), saddr ? sgpr(kBase, 2) : none()},
                 setup.offset)));
        ASSERT_TRUE(machine.state() == model.state())
            << store.name << " pattern " << pattern << " form " << form;
      }
    }
  }
}

TEST_P(GlobalMemory, OffsetsFromAScalarBaseAreUnsigned) {
  Machine machine(level());
  machine.set_pair(kBase, kLow - 0xffff'ff00);
  for (unsigned i = 0; i < kRowWords; ++i) machine.v(kAddress, 0, i) = 0xffff'ff00;
  ASSERT_TRUE(machine.run(
      make(Encoding::global, Op::global_load_b32, {vdst(kData), vgpr(kAddress), sgpr(kBase, 2)}, 4)));
  EXPECT_EQ(machine.v(kData, 3, 9), machine.at<std::uint32_t>(kLow + 4));
}

TEST_P(GlobalMemory, OffsetsThatWrapAreNoRun) {
  // Consecutive modulo 2^32 only: the lanes from 8 or 16 on are 4 GiB lower.
  for (const unsigned wrap : {8u, 16u}) {
    Machine machine(level(), 1);
    const std::uint32_t start = 0 - 4 * wrap;
    machine.set_pair(kBase, kLow);  // first a load that leaves the translation behind
    for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kAddress, 0, lane) = 4 * lane;
    EXPECT_TRUE(machine.run(
        make(Encoding::global, Op::global_load_b32, {vdst(kData), vgpr(kAddress), sgpr(kBase, 2)})));
    machine.set_pair(kBase, kLow - start);
    for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kAddress, 0, lane) = start + 4 * lane;
    EXPECT_FALSE(machine.run(
        make(Encoding::global, Op::global_load_b32, {vdst(kData), vgpr(kAddress), sgpr(kBase, 2)})));
    EXPECT_EQ(machine.gang()->fault.lanes, ~0u << wrap);
    EXPECT_EQ(machine.gang()->fault.address, kLow - start);
  }
}

TEST_P(GlobalMemory, OffsetsBelowARangeOfMoreThanFourGigabytes) {
  constexpr std::uint64_t kBytes = std::uint64_t{5} << 30;
  void* memory = mmap(nullptr, kBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no 5 GiB of address space";
  constexpr std::uint64_t kBig = 0x7e00'0000'0000;
  const emu::AddressMap map({{kBig, kBig + kBytes, static_cast<std::byte*>(memory), emu::kRead, 1, "big"}});
  Machine machine(level(), 1);
  machine.gang()->map = &map;
  machine.set_pair(kBase, kBig - 0x100);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    machine.v(kAddress, 0, lane) = lane == 1 ? 0xfc : 0x100 + 8 * lane;
  EXPECT_FALSE(machine.run(
      make(Encoding::global, Op::global_load_b32, {vdst(kData), vgpr(kAddress), sgpr(kBase, 2)})));
  EXPECT_EQ(machine.gang()->fault.lanes, 2u);
  EXPECT_EQ(machine.gang()->fault.address, kBig - 4);
  for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kAddress, 0, lane) = 0xffff'ff00 - 8 * lane;
  EXPECT_TRUE(machine.run(
      make(Encoding::global, Op::global_load_b32, {vdst(kData), vgpr(kAddress), sgpr(kBase, 2)})));
  munmap(memory, kBytes);
}

TEST_P(GlobalMemory, HighestLaneWinsWhereStoresMeet) {
  for (const std::uint32_t lanes : {~0u, 0x00ff00ffu, 0x2u}) {
    Machine machine(level(), 2);
    for (unsigned slot = 0; slot < 2; ++slot) machine.set_exec(slot, lanes);
    machine.set_pair(kBase, kLow);
    for (unsigned i = 0; i < 2 * kLanes; ++i) {
      machine.v(kAddress, 0, i) = 0x20;
      machine.v(kData, 0, i) = 1000 + i;
    }
    ASSERT_TRUE(machine.run(
        make(Encoding::global, Op::global_store_b32, {vgpr(kAddress), vgpr(kData), sgpr(kBase, 2)})));
    EXPECT_EQ(machine.at<std::uint32_t>(kLow + 0x20),
              1000u + 32 + (31 - static_cast<unsigned>(__builtin_clz(lanes))));
  }
}

TEST_P(GlobalMemory, AddtidCountsTheLanesOfTheWave) {
  for (const bool wave64 : {false, true}) {
    Machine machine(level(), 4, wave64);
    machine.set_pair(kBase, kLow + 0x100);
    ASSERT_TRUE(
        machine.run(make(Encoding::global, Op::global_load_addtid_b32, {vdst(kData), sgpr(kBase, 2)}, 8)));
    for (unsigned slot = 0; slot < 4; ++slot) {
      const unsigned first = wave64 && slot % 2 ? 32 : 0;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        ASSERT_EQ(machine.v(kData, slot, lane), machine.at<std::uint32_t>(kLow + 0x108 + 4 * (first + lane)));
      }
    }
    ASSERT_TRUE(machine.run(
        make(Encoding::global, Op::global_store_addtid_b32, {vgpr(kData), sgpr(kBase, 2)}, 0x200)));
    EXPECT_EQ(machine.at<std::uint32_t>(kLow + 0x300 + 4 * 31), machine.v(kData, 0, 31));
  }
}

TEST_P(GlobalMemory, CachedTranslationsOfDifferentRightsDoNotMix) {
  // A load caches the read-only range; a store at the same instruction address must still fault, and a store
  // must not let an atomic in.
  Machine machine(level(), 1);
  machine.set_pair(kBase, kReadOnly);
  for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kAddress, 0, lane) = 4 * lane;
  const auto store =
      make(Encoding::global, Op::global_store_b32, {vgpr(kAddress), vgpr(kData), sgpr(kBase, 2)});
  ASSERT_TRUE(machine.run(
      make(Encoding::global, Op::global_load_b32, {vdst(kData), vgpr(kAddress), sgpr(kBase, 2)}), 0x40));
  EXPECT_EQ(machine.v(kData, 0, 5), machine.at<std::uint32_t>(kReadOnly + 20));
  EXPECT_FALSE(machine.run(store, 0x40));
  EXPECT_TRUE(machine.gang()->fault.write);
  EXPECT_EQ(machine.gang()->fault.address, kReadOnly);
  EXPECT_EQ(machine.gang()->fault.lanes, ~0u);
}

}  // namespace mockgpu::tests::global_tests
