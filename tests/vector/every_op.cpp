// What must hold for every op of the table, whatever it computes.
#include <gtest/gtest.h>

#include "tests/vector/machine.h"

namespace mockgpu::tests::every_op_tests {

using wave::LaneType;
using wave::VectorEntry;

constexpr unsigned kRegisters = 20;

unsigned dwords_of(LaneType type) { return type == LaneType::b64 ? 2 : 1; }

/// Operands for an entry: results in v0 or s8, s10, sources from v4, v8... or, where `uniform` has their bit,
/// from s20, s24...
Instruction make(Op op, const VectorEntry& entry, unsigned uniform) {
  std::vector<Operand> operands;
  operands.push_back(entry.dst == LaneType::mask ? sgpr(8, 2) : vgpr(0, dwords_of(entry.dst)));
  if (entry.second_dst == LaneType::mask) operands.push_back(sgpr(10, 2));
  for (unsigned i = 0; i < entry.sources; ++i) {
    const unsigned dwords = dwords_of(entry.src[i]);
    if (entry.src[i] == LaneType::mask) {
      operands.push_back(sgpr(kVcc, 2));
    } else {
      operands.push_back((uniform >> i & 1) != 0 ? sgpr(20 + 4 * i, dwords) : vgpr(4 + 4 * i, dwords));
    }
  }
  Instruction result = instruction(op, operands);
  if (entry.raw_bits) result.mods.neg = 1;
  if (op == Op::v_fma_mix_f32 || op == Op::v_fma_mixlo_f16 || op == Op::v_fma_mixhi_f16) {
    for (Operand& operand : result.operands) operand.high2 = false;  // f32 sources
  }
  return result;
}

struct Case {
  Op op;
  const VectorEntry* entry;
  bool clamp;
};
std::vector<Case> cases(const wave::LaneKernels& level) {
  std::vector<Case> result;
  for (unsigned i = 0; i < static_cast<unsigned>(Op::count); ++i) {
    const VectorEntry* entry = level.vector->entries[i];
    if (entry != nullptr && entry->dst != LaneType::none)
      result.push_back({static_cast<Op>(i), entry, false});
    entry = level.vector->saturating[i];
    if (entry != nullptr) result.push_back({static_cast<Op>(i), entry, true});
  }
  return result;
}

constexpr std::uint32_t kModes[] = {
    0x2f0,  // compute default
    0x0c0,  // f32 flushed, no IEEE: graphics default
    0x00f,  // all flushed, all to zero
    0x2f9,  // f32 up, f16 and f64 down
};

TEST(EveryOp, LevelsAgreeBitForBit) {
  const auto all = levels();
  if (all.size() < 2) GTEST_SKIP() << "this host has one level";
  std::mt19937_64 random(1);
  for (const Case& test : cases(*all[0])) {
    for (const std::uint32_t mode : kModes) {
      VectorMachine first(2), second(2);
      const std::mt19937_64 start = random;
      first.randomize(random, kRegisters);
      std::mt19937_64 again = start;
      second.randomize(again, kRegisters);
      first.set_mode(mode);
      second.set_mode(mode);
      Instruction code = make(test.op, *test.entry, 0);
      code.mods.clamp = test.clamp;
      ASSERT_TRUE(first.run(code, *all[0])) << op_name(test.op);
      ASSERT_TRUE(second.run(code, *all[1])) << op_name(test.op);
      EXPECT_EQ(first.vector_state(kRegisters), second.vector_state(kRegisters))
          << op_name(test.op) << " mode " << std::hex << mode;
      EXPECT_EQ(first.scalar_state(), second.scalar_state())
          << op_name(test.op) << " mode " << std::hex << mode;
    }
  }
}

/// Inactive lanes keep registers and give 0 bits in masks; active ones get what they get with all lanes on.
TEST(EveryOp, RespectsExecAndTheActiveSlots) {
  std::mt19937_64 random(2);
  for (const auto* level : levels()) {
    for (const Case& test : cases(*level)) {
      VectorMachine whole(4), masked(4);
      const std::mt19937_64 start = random;
      whole.randomize(random, kRegisters);
      std::mt19937_64 again = start;
      masked.randomize(again, kRegisters);
      const auto before = masked.vector_state(kRegisters);
      const auto scalars_before = masked.scalar_state();
      const std::uint32_t exec[] = {0x5555aaaa, 0, 0xffffffff, 0x80000001};
      for (unsigned slot = 0; slot < 4; ++slot) masked.set_exec(slot, exec[slot]);
      masked.set_active(0b1011);  // slot 2 waits
      Instruction code = make(test.op, *test.entry, 0);
      code.mods.clamp = test.clamp;
      ASSERT_TRUE(whole.run(code, *level));
      ASSERT_TRUE(masked.run(code, *level));
      for (unsigned slot = 0; slot < 4; ++slot) {
        const bool active = slot != 2;
        for (unsigned lane = 0; lane < wave::kLanes; ++lane) {
          const bool on = active && (exec[slot] >> lane & 1) != 0;
          for (unsigned reg = 0; reg < 2; ++reg) {
            const std::uint32_t old = before[reg * wave::kRowWords + slot * wave::kLanes + lane];
            ASSERT_EQ(masked.v(reg, slot, lane), on ? whole.v(reg, slot, lane) : old)
                << level->name << ' ' << op_name(test.op) << " slot " << slot << " lane " << lane;
          }
        }
        for (const unsigned mask : {8u, 10u}) {
          const bool written = (mask == 8 && test.entry->dst == LaneType::mask) ||
                               (mask == 10 && test.entry->second_dst == LaneType::mask);
          const std::uint32_t old = scalars_before[mask * wave::kSlots + slot];
          ASSERT_EQ(masked.s(mask, slot), !(written && active) ? old : whole.s(mask, slot) & exec[slot])
              << level->name << ' ' << op_name(test.op) << " slot " << slot;
        }
      }
    }
  }
}

/// A scalar or constant source gives what the same value in all lanes of a register gives.
TEST(EveryOp, UniformSourcesAreSplats) {
  std::mt19937_64 random(3);
  for (const auto* level : levels()) {
    for (const Case& test : cases(*level)) {
      for (unsigned uniform = 1; uniform < 1u << test.entry->sources; ++uniform) {
        VectorMachine scalar(2), splat(2), constants(2);
        const std::mt19937_64 start = random;
        for (VectorMachine* machine : {&scalar, &splat, &constants}) {
          random = start;
          machine->randomize(random, kRegisters);
        }
        Instruction with_constants = make(test.op, *test.entry, uniform);
        bool any_mask = false;
        const unsigned first_source = test.entry->second_dst == LaneType::mask ? 2 : 1;
        for (unsigned i = 0; i < test.entry->sources; ++i) {
          if ((uniform >> i & 1) == 0) continue;
          any_mask |= test.entry->src[i] == LaneType::mask;
          Operand& operand = with_constants.operands[first_source + i];
          const unsigned dwords = dwords_of(test.entry->src[i]);
          for (unsigned word = 0; word < dwords; ++word) {
            for (unsigned slot = 0; slot < 2; ++slot) {
              for (unsigned lane = 0; lane < wave::kLanes; ++lane) {
                splat.v(4 + 4 * i + word, slot, lane) = scalar.s(20 + 4 * i + word, slot);
              }
              // Constants are the same in all slots: those of slot 0.
              constants.s(20 + 4 * i + word, slot) = constants.s(20 + 4 * i + word, 0);
            }
          }
          const bool packed = operand.high2;
          operand = constant(constants.s(20 + 4 * i, 0) |
                             (dwords == 2 ? std::uint64_t{constants.s(21 + 4 * i, 0)} << 32 : 0));
          operand.high2 = packed;
        }
        if (any_mask) continue;
        Instruction with_scalars = make(test.op, *test.entry, uniform);
        Instruction with_rows = make(test.op, *test.entry, 0);
        with_constants.mods.clamp = with_scalars.mods.clamp = with_rows.mods.clamp = test.clamp;
        ASSERT_TRUE(scalar.run(with_scalars, *level)) << op_name(test.op);
        ASSERT_TRUE(splat.run(with_rows, *level)) << op_name(test.op);
        ASSERT_TRUE(constants.run(with_constants, *level)) << op_name(test.op);
        for (unsigned slot = 0; slot < 2; ++slot) {
          for (unsigned lane = 0; lane < wave::kLanes; ++lane) {
            ASSERT_EQ(scalar.v(0, slot, lane), splat.v(0, slot, lane))
                << level->name << ' ' << op_name(test.op) << ' ' << uniform;
            ASSERT_EQ(scalar.v(1, slot, lane), splat.v(1, slot, lane))
                << level->name << ' ' << op_name(test.op) << ' ' << uniform;
            if (slot != 0) continue;
            ASSERT_EQ(constants.v(0, 0, lane), splat.v(0, 0, lane))
                << level->name << ' ' << op_name(test.op) << ' ' << uniform;
            ASSERT_EQ(constants.v(1, 0, lane), splat.v(1, 0, lane))
                << level->name << ' ' << op_name(test.op) << ' ' << uniform;
          }
          for (const unsigned mask : {8u, 10u})
            ASSERT_EQ(scalar.s(mask, slot), splat.s(mask, slot)) << op_name(test.op);
        }
      }
    }
  }
}

}  // namespace mockgpu::tests::every_op_tests
