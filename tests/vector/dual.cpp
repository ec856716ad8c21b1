// VOPD: both halves read before either writes.
#include <gtest/gtest.h>

#include <bit>

#include "tests/vector/machine.h"

namespace mockgpu::tests::dual_tests {

constexpr std::uint32_t f(float value) { return std::bit_cast<std::uint32_t>(value); }

Instruction dual(Op x, std::vector<Operand> x_operands, Op y, std::vector<Operand> y_operands) {
  Instruction first = instruction(x, x_operands, Encoding::vopd);
  const Instruction second = instruction(y, y_operands, Encoding::vopd);
  first.op_y = y;
  first.y_begin = first.operand_count;
  for (const Operand& operand : second.ops()) first.operands[first.operand_count++] = operand;
  return first;
}

TEST(Dual, HalvesDoNotSeeEachOther) {
  for (const auto* level : levels()) {
    VectorMachine machine(2);
    const auto reset = [&] {
      machine.set_v(0, 10);
      machine.set_v(1, 20);
      machine.set_v(4, 3);
    };
    reset();  // Y reads X's result
    ASSERT_TRUE(machine.run(
        dual(Op::v_mov_b32, {vgpr(0), vgpr(4)}, Op::v_add_nc_u32, {vgpr(1), vgpr(0), vgpr(4)}), *level));
    EXPECT_EQ(machine.v(0, 1, 1), 3u);
    EXPECT_EQ(machine.v(1, 1, 1), 13u);
    reset();  // X reads Y's result
    ASSERT_TRUE(machine.run(
        dual(Op::v_mov_b32, {vgpr(0), vgpr(1)}, Op::v_add_nc_u32, {vgpr(1), constant(5), vgpr(4)}), *level));
    EXPECT_EQ(machine.v(0, 1, 1), 20u);
    EXPECT_EQ(machine.v(1, 1, 1), 8u);
    reset();  // an exchange, under EXEC
    machine.set_exec(1, 2);
    ASSERT_TRUE(
        machine.run(dual(Op::v_mov_b32, {vgpr(0), vgpr(1)}, Op::v_mov_b32, {vgpr(1), vgpr(0)}), *level));
    EXPECT_EQ(machine.v(0, 0, 1), 20u);
    EXPECT_EQ(machine.v(1, 0, 1), 10u);
    EXPECT_EQ(machine.v(0, 1, 1), 20u);
    EXPECT_EQ(machine.v(1, 1, 1), 10u);
    EXPECT_EQ(machine.v(0, 1, 0), 10u);
    EXPECT_EQ(machine.v(1, 1, 0), 20u);
  }
}

TEST(Dual, AccumulatingHalvesInACircle) {
  for (const auto* level : levels()) {
    VectorMachine machine(1);
    machine.set_v(0, f(1));
    machine.set_v(1, f(2));
    machine.set_v(4, f(3));
    ASSERT_TRUE(machine.run(dual(Op::v_fmac_f32, {read_write(vgpr(0)), vgpr(1), vgpr(4)}, Op::v_fmac_f32,
                                 {read_write(vgpr(1)), vgpr(0), vgpr(4)}),
                            *level));
    EXPECT_EQ(machine.v(0, 0, 0), f(7));
    EXPECT_EQ(machine.v(1, 0, 0), f(5));
  }
}

TEST(Dual, CndmaskReadsVcc) {
  for (const auto* level : levels()) {
    VectorMachine machine(1);
    machine.set_s(kVcc, 0x2);
    machine.set_v(4, 40);
    machine.set_v(5, 50);
    const auto with_vcc = dual(Op::v_cndmask_b32, {vgpr(0), vgpr(4), vgpr(5), sgpr(kVcc)}, Op::v_mov_b32,
                               {vgpr(1), constant(6)});
    const auto without =
        dual(Op::v_mov_b32, {vgpr(1), constant(6)}, Op::v_cndmask_b32, {vgpr(0), vgpr(4), vgpr(5)});
    for (const Instruction& code : {with_vcc, without}) {
      machine.set_v(0, 0);
      ASSERT_TRUE(machine.run(code, *level));
      EXPECT_EQ(machine.v(0, 0, 0), 40u);
      EXPECT_EQ(machine.v(0, 0, 1), 50u);
      EXPECT_EQ(machine.v(1, 0, 1), 6u);
    }
  }
}

}  // namespace mockgpu::tests::dual_tests
