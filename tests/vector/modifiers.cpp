#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "tests/vector/machine.h"

namespace mockgpu::tests::modifiers_tests {

constexpr std::uint32_t f(float value) { return std::bit_cast<std::uint32_t>(value); }
constexpr std::uint64_t d(double value) { return std::bit_cast<std::uint64_t>(value); }

std::uint32_t run2(const wave::LaneKernels& level, Op op, std::uint32_t a, std::uint32_t b,
                   const std::function<void(Instruction&)>& change, std::uint32_t mode = 0x2f0) {
  VectorMachine machine(2);
  machine.set_mode(mode);
  machine.set_v(0, 0xabcd1234);
  machine.set_v(4, a);
  machine.set_v(8, b);
  Instruction code = instruction(op, {vgpr(0), vgpr(4), vgpr(8)});
  change(code);
  EXPECT_TRUE(machine.run(code, level)) << op_name(op);
  return machine.v(0, 1, 17);
}
void nothing(Instruction&) {}

TEST(Modifiers, NegAndAbs) {
  for (const auto* level : levels()) {
    const auto neg0 = [](Instruction& code) { code.operands[1].neg = true; };
    const auto abs1 = [](Instruction& code) { code.operands[2].abs = true; };
    const auto both1 = [](Instruction& code) { code.operands[2].abs = code.operands[2].neg = true; };
    EXPECT_EQ(run2(*level, Op::v_add_f32, f(1), f(-3), neg0), f(-4));
    EXPECT_EQ(run2(*level, Op::v_add_f32, f(1), f(-3), abs1), f(4));
    EXPECT_EQ(run2(*level, Op::v_add_f32, f(1), f(3), both1), f(-2));
    EXPECT_EQ(run2(*level, Op::v_add_f16, 0x3c00, 0x4200, neg0), 0xabcd4000u);
    EXPECT_EQ(run2(*level, Op::v_cndmask_b32, f(1), f(3),
                   [](Instruction& code) {
                     code.operands[3] = sgpr(kVcc);
                     code.operand_count = 4;
                     code.operands[1].neg = true;
                   }),
              f(-1));
  }
}

TEST(Modifiers, OfScalarsConstantsAndDoubles) {
  for (const auto* level : levels()) {
    VectorMachine machine(3);
    for (unsigned slot = 0; slot < 3; ++slot) machine.s(20, slot) = f(1.0f + static_cast<float>(slot));
    machine.set_v(4, f(10));
    ASSERT_TRUE(machine.run(instruction(Op::v_add_f32, {vgpr(0), negated(sgpr(20)), vgpr(4)}), *level));
    EXPECT_EQ(machine.v(0, 0, 0), f(9));
    EXPECT_EQ(machine.v(0, 2, 31), f(7));
    ASSERT_TRUE(
        machine.run(instruction(Op::v_add_f32, {vgpr(0), absolute(constant(f(-5))), vgpr(4)}), *level));
    EXPECT_EQ(machine.v(0, 1, 1), f(15));
    machine.set_v64(8, d(-2));
    machine.set_v64(12, d(5));
    machine.set_s(30, 0);
    machine.set_s(31, static_cast<std::uint32_t>(d(3) >> 32));
    ASSERT_TRUE(machine.run(instruction(Op::v_fma_f64, {vgpr(0, 2), absolute(vgpr(8, 2)),
                                                        negated(vgpr(12, 2)), negated(sgpr(30, 2))}),
                            *level));
    EXPECT_EQ(machine.v64(0, 2, 9), d(-13));
    ASSERT_TRUE(machine.run(instruction(Op::v_add_f64, {vgpr(0, 2), negated(constant(d(1.5))), vgpr(12, 2)}),
                            *level));
    EXPECT_EQ(machine.v64(0, 2, 9), d(3.5));
  }
}

TEST(Modifiers, Clamp) {
  const auto clamp = [](Instruction& code) { code.mods.clamp = true; };
  for (const auto* level : levels()) {
    EXPECT_EQ(run2(*level, Op::v_add_f32, f(3), f(-1), clamp), f(1));
    EXPECT_EQ(run2(*level, Op::v_add_f32, f(-3), f(1), clamp), 0u);
    EXPECT_EQ(run2(*level, Op::v_add_f32, 0x80000000, 0x80000000, clamp), 0u);
    EXPECT_EQ(run2(*level, Op::v_add_f32, 0x7fc00000, f(1), clamp), 0u);
    EXPECT_EQ(run2(*level, Op::v_add_f16, 0x4200, 0x3c00, clamp), 0xabcd3c00u);
    EXPECT_EQ(run2(*level, Op::v_pk_add_f16, 0x4200bc00, 0x3c003800, clamp), 0x3c000000u);
    EXPECT_EQ(run2(*level, Op::v_add_nc_u32, 0xffffffff, 2, clamp), 0xffffffffu);
    VectorMachine machine(1);
    machine.set_v64(4, d(3));
    Instruction code = instruction(Op::v_add_f64, {vgpr(0, 2), vgpr(4, 2), vgpr(4, 2)});
    code.mods.clamp = true;
    ASSERT_TRUE(machine.run(code, *level));
    EXPECT_EQ(machine.v64(0, 0, 0), d(1));
    // An op that cannot clamp says so.
    Instruction none = instruction(Op::v_xor_b32, {vgpr(0), vgpr(4), vgpr(8)});
    none.mods.clamp = true;
    EXPECT_FALSE(machine.run(none, *level));
  }
}

TEST(Modifiers, ClampLeavesInactiveLanes) {
  for (const auto* level : levels()) {
    VectorMachine machine(1);
    machine.set_v(0, f(7));
    machine.set_v(4, f(5));
    machine.set_exec(0, 1);
    Instruction code = instruction(Op::v_mul_f32, {vgpr(0), vgpr(4), vgpr(4)});
    code.mods.clamp = true;
    ASSERT_TRUE(machine.run(code, *level));
    EXPECT_EQ(machine.v(0, 0, 0), f(1));
    EXPECT_EQ(machine.v(0, 0, 1), f(7));
  }
}

TEST(Modifiers, OmodNeedsFlushedResultsWithoutIeee) {
  for (const auto* level : levels()) {
    for (unsigned code = 0; code < 4; ++code) {
      const auto omod = [=](Instruction& changed) { changed.mods.omod = code & 3; };
      const float factor[] = {1, 2, 4, 0.5f};
      EXPECT_EQ(run2(*level, Op::v_mul_f32, f(3), f(5), omod, 0x0c0), f(15 * factor[code]));
      EXPECT_EQ(run2(*level, Op::v_mul_f32, f(3), f(5), omod, 0x0f0), f(15)) << "denormals kept";
      EXPECT_EQ(run2(*level, Op::v_mul_f32, f(3), f(5), omod, 0x2c0), f(15)) << "IEEE";
    }
  }
}

TEST(Modifiers, HighHalves) {
  for (const auto* level : levels()) {
    EXPECT_EQ(run2(*level, Op::v_sub_nc_u16, 0x00091111, 0x22220004,
                   [](Instruction& code) { code.operands[1].high = true; }),
              0xabcd0005u);
    EXPECT_EQ(run2(*level, Op::v_sub_nc_u16, 9, 4, [](Instruction& code) { code.operands[0].high = true; }),
              0x00051234u);
    EXPECT_EQ(run2(*level, Op::v_add_f16, 0x42001111, 0xbc00,
                   [](Instruction& code) {
                     code.operands[0].high = code.operands[1].high = true;
                     code.operands[2].neg = true;
                     code.mods.clamp = true;
                   }),
              0x3c001234u);
    // fmac: the destination's half is the addend too.
    VectorMachine machine(1);
    machine.set_v(0, 0x42003c00);
    machine.set_v(4, 0x4000);
    Instruction fmac =
        instruction(Op::v_fmac_f16, {read_write(high_half(vgpr(0))), vgpr(4), vgpr(4)}, Encoding::vop2);
    ASSERT_TRUE(machine.run(fmac, *level));
    EXPECT_EQ(machine.v(0, 0, 5), 0x47003c00u);
  }
}

TEST(Modifiers, PackedSelects) {
  for (const auto* level : levels()) {
    VectorMachine machine(1);
    machine.set_v(4, 0x00020001);
    machine.set_v(8, 0x00200010);
    const auto run = [&](bool low0, bool high0, bool low1, bool high1) {
      Instruction code = instruction(Op::v_pk_add_u16, {vgpr(0), vgpr(4), vgpr(8)}, Encoding::vop3p);
      code.operands[1].high = low0;
      code.operands[1].high2 = high0;
      code.operands[2].high = low1;
      code.operands[2].high2 = high1;
      EXPECT_TRUE(machine.run(code, *level));
      return machine.v(0, 0, 30);
    };
    EXPECT_EQ(run(false, true, false, true), 0x00220011u);
    EXPECT_EQ(run(true, false, false, true), 0x00210012u);
    EXPECT_EQ(run(false, false, true, true), 0x00210021u);
    // Signs by half: neg of the low, neg_hi (here: abs) of the high result. A float constant is in the low
    // half.
    machine.set_v(4, 0x40003c00);
    Instruction code = instruction(Op::v_pk_mul_f16, {vgpr(0), vgpr(4), constant(0x4000)}, Encoding::vop3p);
    code.operands[1].neg = true;
    code.operands[2].high2 = false;
    code.operands[2].abs = true;
    ASSERT_TRUE(machine.run(code, *level));
    EXPECT_EQ(machine.v(0, 0, 0), 0xc400c000u);
    // A scalar source.
    machine.set_s(20, 0x00050003);
    machine.set_v(4, 0x00020001);
    Instruction scalar = instruction(Op::v_pk_add_u16, {vgpr(0), sgpr(20), vgpr(4)}, Encoding::vop3p);
    scalar.operands[1].high = true;
    ASSERT_TRUE(machine.run(scalar, *level));
    EXPECT_EQ(machine.v(0, 0, 0), 0x00070006u);
  }
}

TEST(Modifiers, MixedFma) {
  for (const auto* level : levels()) {
    VectorMachine machine(1);
    machine.set_v(0, 0xabcd1234);
    machine.set_v(4, 0x42003c00);  // f16: 1 low, 3 high
    machine.set_v(8, f(2));
    machine.set_v(12, f(-0.5f));
    const auto make = [](Op op) {
      Instruction code = instruction(op, {read_write(vgpr(0)), vgpr(4), vgpr(8), vgpr(12)}, Encoding::vop3p);
      code.operands[1].high = true;  // f16, high half
      code.operands[1].high2 = true;
      code.operands[2].high2 = code.operands[3].high2 = false;  // f32
      return code;
    };
    Instruction code = make(Op::v_fma_mix_f32);
    ASSERT_TRUE(machine.run(code, *level));
    EXPECT_EQ(machine.v(0, 0, 1), f(5.5f));
    code.operands[3].abs = true;
    code.operands[1].neg = true;
    ASSERT_TRUE(machine.run(code, *level));
    EXPECT_EQ(machine.v(0, 0, 1), f(-5.5f));
    // An f16 constant, and an f32 one.
    Instruction constants = make(Op::v_fma_mix_f32);
    constants.operands[1] = constant(0x3800);
    constants.operands[2] = constant(f(6));
    constants.operands[2].high2 = false;
    ASSERT_TRUE(machine.run(constants, *level));
    EXPECT_EQ(machine.v(0, 0, 1), f(2.5f));
    machine.set_v(0, 0xabcd1234);
    ASSERT_TRUE(machine.run(make(Op::v_fma_mixlo_f16), *level));
    EXPECT_EQ(machine.v(0, 0, 1), 0xabcd4580u);
    ASSERT_TRUE(machine.run(make(Op::v_fma_mixhi_f16), *level));
    EXPECT_EQ(machine.v(0, 0, 1), 0x45804580u);
  }
}

TEST(Modifiers, SignsOfIntegerDots) {
  for (const auto* level : levels()) {
    for (unsigned neg = 0; neg < 4; ++neg) {
      VectorMachine machine(1);
      machine.set_v(4, 0x000000ff);
      machine.set_v(8, 0x000000fe);
      machine.set_v(12, 5);
      Instruction code =
          instruction(Op::v_dot4_i32_iu8, {vgpr(0), vgpr(4), vgpr(8), vgpr(12)}, Encoding::vop3p);
      code.mods.neg = static_cast<std::uint8_t>(neg);
      code.operands[1].neg = (neg & 1) != 0;
      code.operands[2].neg = (neg & 2) != 0;
      ASSERT_TRUE(machine.run(code, *level));
      const int a = (neg & 1) != 0 ? -1 : 255;
      const int b = (neg & 2) != 0 ? -2 : 254;
      EXPECT_EQ(machine.v(0, 0, 0), static_cast<std::uint32_t>(a * b + 5));
    }
  }
}

// NAN-1: the first NaN in operand order, quieted; an invalid operation gives the positive default NaN.
TEST(Modifiers, NanRule) {
  for (const auto* level : levels()) {
    EXPECT_EQ(run2(*level, Op::v_add_f32, f(1), 0x7f800123, nothing), 0x7fc00123u);
    EXPECT_EQ(run2(*level, Op::v_add_f32, 0xffc00456, 0x7f800123, nothing), 0xffc00456u);
    EXPECT_EQ(run2(*level, Op::v_subrev_f32, 0xffc00456, 0x7f800123, nothing), 0xffc00456u);
    EXPECT_EQ(run2(*level, Op::v_sub_f32, 0x7f800000, 0x7f800000, nothing), 0x7fc00000u);
    EXPECT_EQ(run2(*level, Op::v_mul_f32, 0x7f800000, 0x80000000, nothing), 0x7fc00000u);
    EXPECT_EQ(run2(*level, Op::v_subrev_f16, 0xfe45, 0x7c12, nothing), 0xabcdfe45u);
    VectorMachine machine(2);
    std::mt19937_64 random(5);
    machine.randomize(random, 16);
    machine.v(4, 1, 9) = 0x7f800001;
    machine.v(8, 1, 9) = 0xffc00009;
    machine.v(12, 1, 9) = 0x7fc00abc;
    machine.set_exec(1, 0x0000ffff);
    machine.v(0, 1, 20) = 0x55;
    machine.v(4, 1, 20) = 0x7fffffff;
    ASSERT_TRUE(machine.run(instruction(Op::v_fma_f32, {vgpr(0), vgpr(12), vgpr(8), vgpr(4)}), *level));
    EXPECT_EQ(machine.v(0, 1, 9), 0x7fc00abcu);
    EXPECT_EQ(machine.v(0, 1, 20), 0x55u);
  }
}

TEST(Modifiers, RoundingAndFlushing) {
  for (const auto* level : levels()) {
    const std::uint32_t tiny = 0x33000000;  // 2^-25
    EXPECT_EQ(run2(*level, Op::v_add_f32, f(1), tiny, nothing), f(1));
    EXPECT_EQ(run2(*level, Op::v_add_f32, f(1), tiny, nothing, 0x2f1), 0x3f800001u) << "up";
    EXPECT_EQ(run2(*level, Op::v_sub_f32, f(1), tiny, nothing, 0x2f2), 0x3f7fffffu) << "down";
    EXPECT_EQ(run2(*level, Op::v_mul_f32, 0x00800000, f(0.5f), nothing), 0x00400000u);
    EXPECT_EQ(run2(*level, Op::v_mul_f32, 0x00800000, f(0.5f), nothing, 0x2c0), 0u);
    EXPECT_EQ(run2(*level, Op::v_max_f32, 0x00000001, 0x80000000, nothing, 0x2c0), 0u);
    EXPECT_EQ(run2(*level, Op::v_max_f32, 0x00000001, 0x80000000, nothing), 1u);
    // f16 has its own field: round up, f32 stays nearest.
    EXPECT_EQ(run2(*level, Op::v_add_f16, 0x3c00, 0x0001, nothing, 0x2f4), 0xabcd3c01u);
    EXPECT_EQ(run2(*level, Op::v_mul_f16, 0x0400, 0x3800, nothing, 0x230), 0xabcd0000u) << "flushed";
    EXPECT_EQ(run2(*level, Op::v_mul_f16, 0x0400, 0x3800, nothing), 0xabcd0200u);
    // f64 while f32 flushes.
    VectorMachine machine(1);
    machine.set_mode(0x2c0);
    machine.set_v64(4, 0x0010000000000000);
    machine.set_v64(8, d(0.5));
    ASSERT_TRUE(machine.run(instruction(Op::v_mul_f64, {vgpr(0, 2), vgpr(4, 2), vgpr(8, 2)}), *level));
    EXPECT_EQ(machine.v64(0, 0, 0), 0x0008000000000000u);
  }
}

TEST(Modifiers, SignallingNanOfMaximumUnderIeee) {
  for (const auto* level : levels()) {
    EXPECT_EQ(run2(*level, Op::v_max_f32, 0x7f800001, f(2), nothing), 0x7fc00001u);
    EXPECT_EQ(run2(*level, Op::v_max_f32, 0x7f800001, f(2), nothing, 0x0f0), f(2));
  }
}

}  // namespace mockgpu::tests::modifiers_tests
