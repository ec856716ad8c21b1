#include <gtest/gtest.h>

#include <bit>

#include "tests/vector/machine.h"

namespace mockgpu::tests::cross_lane_tests {

using isa::amd::DppKind;

/// v4 holds lane + 100 (lane of the wave), v0 holds 7.
void fill(VectorMachine& machine) {
  machine.set_v(0, 7);
  for (unsigned slot = 0; slot < wave::kSlots; ++slot) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      machine.v(4, slot, lane) = 100 + lane + (machine.gang().wave64 ? (slot & 1) * 32 : 0);
    }
  }
}

Instruction dpp(unsigned control, bool bound_ctrl, bool fi = false, unsigned row_mask = 15,
                unsigned bank_mask = 15) {
  Instruction code = instruction(Op::v_mov_b32, {vgpr(0), vgpr(4)}, Encoding::vop1);
  code.mods.dpp = DppKind::dpp16;
  code.mods.dpp_ctrl = static_cast<std::uint16_t>(control);
  code.mods.dpp_bound_ctrl = bound_ctrl;
  code.mods.dpp_fi = fi;
  code.mods.dpp_row_mask = static_cast<std::uint8_t>(row_mask);
  code.mods.dpp_bank_mask = static_cast<std::uint8_t>(bank_mask);
  return code;
}

/// Source lane of `lane` for each control; -1 if there is none.
int reference_source(unsigned control, int lane) {
  const int row = lane & ~15, in_row = lane & 15;
  const int n = static_cast<int>(control & 15);
  if (control < 0x100) return (lane & ~3) + static_cast<int>(control >> (2 * (lane & 3)) & 3);
  switch (control >> 4) {
    case 0x10: return in_row + n < 16 ? lane + n : -1;
    case 0x11: return in_row - n >= 0 ? lane - n : -1;
    case 0x12: return row + (in_row - n + 16) % 16;
    case 0x14: return n == 0 ? row + 15 - in_row : (lane & ~7) + 7 - (lane & 7);
    case 0x15: return row + n;
    default: return row + (in_row ^ n);
  }
}

TEST(Dpp, EveryControl) {
  for (const auto* level : levels()) {
    for (unsigned control = 0; control < 0x170; ++control) {
      const bool known = control < 0x100 || (control >= 0x101 && control <= 0x10f) ||
                         (control >= 0x111 && control <= 0x11f) || (control >= 0x121 && control <= 0x12f) ||
                         control == 0x140 || control == 0x141 || control >= 0x150;
      VectorMachine machine(2);
      if (!known) {
        EXPECT_FALSE(machine.run(dpp(control, true), *level)) << std::hex << control;
        continue;
      }
      for (const bool bound_ctrl : {false, true}) {
        for (const bool fi : {false, true}) {
          fill(machine);
          machine.set_exec(0, ~0u);
          machine.set_exec(1, 0xfff7ffbf);  // lanes 6 and 19 are off
          ASSERT_TRUE(machine.run(dpp(control, bound_ctrl, fi), *level));
          for (unsigned slot = 0; slot < 2; ++slot) {
            for (int lane = 0; lane < 32; ++lane) {
              const auto on = [&](int l) { return slot == 0 || (l != 6 && l != 19); };
              const int source = reference_source(control, lane);
              const bool valid = source >= 0 && (fi || on(source));
              const std::uint32_t want = !on(lane)    ? 7
                                         : valid      ? 100u + static_cast<unsigned>(source)
                                         : bound_ctrl ? 0
                                                      : 7;
              ASSERT_EQ(machine.v(0, slot, static_cast<unsigned>(lane)), want)
                  << level->name << " control " << std::hex << control << std::dec << " lane " << lane;
            }
            EXPECT_EQ(machine.s(kExec, slot), slot == 0 ? ~0u : 0xfff7ffbfu);
          }
        }
      }
    }
  }
}

TEST(Dpp, RowAndBankMasks) {
  for (const auto* level : levels()) {
    for (const bool wave64 : {false, true}) {
      VectorMachine machine(2, wave64);
      fill(machine);
      ASSERT_TRUE(machine.run(dpp(0xe4, true, false, 0b0110, 0b1010), *level));  // quad_perm 0,1,2,3
      for (unsigned slot = 0; slot < 2; ++slot) {
        for (unsigned lane = 0; lane < 32; ++lane) {
          const unsigned row = lane / 16 + (wave64 && slot == 1 ? 2 : 0);
          const bool on = (0b0110 >> row & 1) != 0 && (0b1010 >> (lane % 16 / 4) & 1) != 0;
          ASSERT_EQ(machine.v(0, slot, lane), on ? machine.v(4, slot, lane) : 7u) << slot << ' ' << lane;
        }
      }
    }
  }
}

TEST(Dpp, Dpp8AndModifiers) {
  for (const auto* level : levels()) {
    VectorMachine machine(1);
    for (unsigned lane = 0; lane < 32; ++lane)
      machine.v(4, 0, lane) = std::bit_cast<std::uint32_t>(static_cast<float>(lane));
    machine.set_v(8, std::bit_cast<std::uint32_t>(1.0f));
    Instruction code = instruction(Op::v_add_f32, {vgpr(0), negated(vgpr(4)), vgpr(8)}, Encoding::vop2);
    code.mods.dpp = DppKind::dpp8;
    code.mods.dpp8 = {7, 6, 5, 4, 3, 2, 1, 0};
    ASSERT_TRUE(machine.run(code, *level));
    for (unsigned lane = 0; lane < 32; ++lane) {
      const float source = static_cast<float>((lane & ~7u) + 7 - (lane & 7));
      EXPECT_EQ(machine.v(0, 0, lane), std::bit_cast<std::uint32_t>(1.0f - source));
    }
  }
}

/// A compare gives 0 for lanes that DPP disables; v_cmpx keeps EXEC narrowed.
TEST(Dpp, OfCompares) {
  for (const auto* level : levels()) {
    VectorMachine machine(1);
    fill(machine);
    machine.set_v(8, 0);
    Instruction code = instruction(Op::v_cmp_ne_u32, {sgpr(10), vgpr(4), vgpr(8)}, Encoding::vop3);
    code.mods = dpp(0x111, false).mods;
    ASSERT_TRUE(machine.run(code, *level));
    EXPECT_EQ(machine.s(10, 0), 0xfffefffeu);
    EXPECT_EQ(machine.s(kExec, 0), ~0u);
    EXPECT_EQ(machine.gang().full, 1);
    code.op = Op::v_cmpx_ne_u32;
    code.operands[0] = sgpr(kExec);
    ASSERT_TRUE(machine.run(code, *level));
    EXPECT_EQ(machine.s(kExec, 0), 0xfffefffeu);
    EXPECT_EQ(machine.gang().full, 0);
  }
}

TEST(CrossLane, ReadAndWriteLanes) {
  for (const auto* level : levels()) {
    for (const bool wave64 : {false, true}) {
      VectorMachine machine(4, wave64);
      fill(machine);
      for (unsigned slot = 0; slot < 4; ++slot) machine.set_exec(slot, 0);
      machine.set_exec(2, 0x30);
      ASSERT_TRUE(machine.run(instruction(Op::v_readfirstlane_b32, {sgpr(10), vgpr(4)}), *level));
      EXPECT_EQ(machine.s(10, 0), 100u) << "no lane: lane 0";
      EXPECT_EQ(machine.s(10, 2), 104u);
      if (wave64) {
        EXPECT_EQ(machine.s(10, 3), 104u);
        machine.set_exec(0, 0);
        machine.set_exec(1, 0x8);
        ASSERT_TRUE(machine.run(instruction(Op::v_readfirstlane_b32, {sgpr(10), vgpr(4)}), *level));
        EXPECT_EQ(machine.s(10, 0), 135u);
      }
      machine.set_s(20, 35);  // lane 3, or 35 of a wave64
      ASSERT_TRUE(machine.run(instruction(Op::v_readlane_b32, {sgpr(11), vgpr(4), sgpr(20)}), *level));
      EXPECT_EQ(machine.s(11, 1), wave64 ? 135u : 103u);
      ASSERT_TRUE(machine.run(instruction(Op::v_writelane_b32, {read_write(vgpr(0)), constant(55), sgpr(20)}),
                              *level));
      EXPECT_EQ(machine.v(0, wave64 ? 1 : 0, 3), 55u);
      EXPECT_EQ(machine.v(0, 0, 4), 7u);
      EXPECT_EQ(machine.v(0, 0, 3), wave64 ? 7u : 55u);
    }
  }
}

TEST(CrossLane, InactiveSlotsKeepTheirScalars) {
  for (const auto* level : levels()) {
    VectorMachine machine(3);
    fill(machine);
    machine.set_s(10, 1);
    machine.set_active(0b101);
    ASSERT_TRUE(machine.run(instruction(Op::v_readlane_b32, {sgpr(10), vgpr(4), constant(9)}), *level));
    EXPECT_EQ(machine.s(10, 0), 109u);
    EXPECT_EQ(machine.s(10, 1), 1u);
    EXPECT_EQ(machine.s(10, 2), 109u);
  }
}

TEST(CrossLane, Permlane16) {
  for (const auto* level : levels()) {
    for (const bool other : {false, true}) {
      for (unsigned op_sel = 0; op_sel < 4; ++op_sel) {
        VectorMachine machine(1);
        fill(machine);
        machine.set_exec(0, 0xfffffffe & ~(1u << 16));  // lanes 0 and 16 are off
        machine.set_s(20, 0x01234567);                  // lane i reads 7 - i ...
        Instruction code = instruction(other ? Op::v_permlanex16_b32 : Op::v_permlane16_b32,
                                       {read_write(vgpr(0)), vgpr(4), sgpr(20), constant(0x89abcdef)});
        code.mods.op_sel = static_cast<std::uint8_t>(op_sel);
        ASSERT_TRUE(machine.run(code, *level));
        for (unsigned lane = 0; lane < 32; ++lane) {
          const unsigned in_row = lane & 15;
          const unsigned selected = in_row < 8 ? 7 - in_row : 23 - in_row;
          const unsigned source = ((lane & 16) ^ (other ? 16u : 0u)) | selected;
          const bool readable = (op_sel & 1) != 0 || selected != 0;
          const std::uint32_t want = in_row == 0 ? 7 : readable ? 100 + source : (op_sel & 2) != 0 ? 0 : 7;
          EXPECT_EQ(machine.v(0, 0, lane), want) << lane << ' ' << op_sel;
        }
      }
    }
  }
}

TEST(CrossLane, Permlane64) {
  for (const auto* level : levels()) {
    VectorMachine machine(2, true);
    fill(machine);
    machine.set_exec(1, 1);
    ASSERT_TRUE(machine.run(instruction(Op::v_permlane64_b32, {vgpr(0), vgpr(4)}), *level));
    EXPECT_EQ(machine.v(0, 0, 5), 137u);
    EXPECT_EQ(machine.v(0, 1, 0), 100u);
    EXPECT_EQ(machine.v(0, 1, 1), 7u);
  }
}

TEST(CrossLane, CountsOfMaskBits) {
  for (const auto* level : levels()) {
    VectorMachine machine(2, true);
    machine.set_v(8, 10);
    ASSERT_TRUE(
        machine.run(instruction(Op::v_mbcnt_lo_u32_b32, {vgpr(0), constant(0xffffffff), vgpr(8)}), *level));
    EXPECT_EQ(machine.v(0, 0, 5), 15u);
    EXPECT_EQ(machine.v(0, 1, 5), 42u);
    ASSERT_TRUE(
        machine.run(instruction(Op::v_mbcnt_hi_u32_b32, {vgpr(0), constant(0x0f0f0f0f), vgpr(8)}), *level));
    EXPECT_EQ(machine.v(0, 0, 31), 10u);
    EXPECT_EQ(machine.v(0, 1, 9), 15u);
  }
}

TEST(CrossLane, SwapAndRelativeMoves) {
  for (const auto* level : levels()) {
    VectorMachine machine(2);
    machine.set_v(0, 1);
    machine.set_v(4, 2);
    machine.set_exec(1, 0x80);
    Instruction swap = instruction(Op::v_swap_b32, {read_write(vgpr(0)), read_write(vgpr(4))});
    ASSERT_TRUE(machine.run(swap, *level));
    EXPECT_EQ(machine.v(0, 0, 0), 2u);
    EXPECT_EQ(machine.v(4, 0, 0), 1u);
    EXPECT_EQ(machine.v(0, 1, 0), 1u);
    EXPECT_EQ(machine.v(4, 1, 7), 1u);

    machine.set_exec(1, ~0u);
    for (unsigned index = 0; index < 16; ++index) machine.set_v(index, 100 + index);
    machine.s(wave::kRowM0, 0) = 3;
    machine.s(wave::kRowM0, 1) = 1000;  // past the wave's registers: v0
    ASSERT_TRUE(machine.run(instruction(Op::v_movrels_b32, {vgpr(1), vgpr(5)}), *level));
    EXPECT_EQ(machine.v(1, 0, 2), 108u);
    EXPECT_EQ(machine.v(1, 1, 2), 100u);
    ASSERT_TRUE(machine.run(instruction(Op::v_movreld_b32, {vgpr(2), constant(9)}), *level));
    EXPECT_EQ(machine.v(5, 0, 2), 9u);
    EXPECT_EQ(machine.v(5, 1, 2), 105u);
    machine.set_s(wave::kRowM0, 2 << 16 | 1);
    ASSERT_TRUE(machine.run(instruction(Op::v_movrelsd_2_b32, {vgpr(8), vgpr(12)}), *level));
    EXPECT_EQ(machine.v(10, 0, 2), 113u);
    ASSERT_TRUE(
        machine.run(instruction(Op::v_swaprel_b32, {read_write(vgpr(12)), read_write(vgpr(6))}), *level));
    EXPECT_EQ(machine.v(14, 0, 2), 107u);
    EXPECT_EQ(machine.v(7, 0, 2), 114u);
    machine.set_s(wave::kRowM0, 1);
    ASSERT_TRUE(machine.run(instruction(Op::v_movrelsd_b32, {vgpr(0), vgpr(8)}), *level));
    EXPECT_EQ(machine.v(1, 0, 2), 109u);
  }
}

TEST(CrossLane, SwapOfHalves) {
  for (const auto* level : levels()) {
    VectorMachine machine(1);
    const auto run = [&](Operand a, Operand b) {
      machine.set_v(0, 0x11112222);
      machine.set_v(4, 0x33334444);
      machine.set_exec(0, 0xfffffffe);
      EXPECT_TRUE(
          machine.run(instruction(Op::v_swap_b16, {read_write(a), read_write(b)}, Encoding::vop1), *level));
      EXPECT_EQ(machine.v(0, 0, 0), 0x11112222u);
      EXPECT_EQ(machine.v(4, 0, 0), 0x33334444u);
    };
    run(vgpr(0), high_half(vgpr(4)));
    EXPECT_EQ(machine.v(0, 0, 1), 0x11113333u);
    EXPECT_EQ(machine.v(4, 0, 1), 0x22224444u);
    run(high_half(vgpr(0)), vgpr(0));
    EXPECT_EQ(machine.v(0, 0, 1), 0x22221111u);
  }
}

TEST(CrossLane, FourMaskedSums) {
  for (const auto* level : levels()) {
    VectorMachine machine(1);
    machine.set_v64(4, 0x0807060504030201);
    machine.set_v(8, 0x04030001);
    for (unsigned i = 0; i < 4; ++i) machine.set_v(12 + i, 10 * i);
    ASSERT_TRUE(
        machine.run(instruction(Op::v_mqsad_u32_u8, {vgpr(0, 4), vgpr(4, 2), vgpr(8), vgpr(12, 4)}), *level));
    EXPECT_EQ(machine.v(0, 0, 3), 0u);
    EXPECT_EQ(machine.v(1, 0, 3), 13u);
    EXPECT_EQ(machine.v(2, 0, 3), 26u);
    EXPECT_EQ(machine.v(3, 0, 3), 39u);
  }
}

}  // namespace mockgpu::tests::cross_lane_tests
