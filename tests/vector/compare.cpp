#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <map>

#include "tests/vector/machine.h"

namespace mockgpu::tests::compare_tests {

/// What the part of a compare's name behind "v_cmp_" says, on values of any type.
template <class T>
bool holds(const std::string& relation, T a, T b) {
  const bool unordered = a != a || b != b;
  const std::map<std::string, bool> table = {{"f", false},
                                             {"lt", a < b},
                                             {"eq", a == b},
                                             {"le", a <= b},
                                             {"gt", a > b},
                                             {"lg", !unordered && a != b},
                                             {"ge", a >= b},
                                             {"o", !unordered},
                                             {"u", unordered},
                                             {"nge", !(a >= b)},
                                             {"nlg", unordered || a == b},
                                             {"ngt", !(a > b)},
                                             {"nle", !(a <= b)},
                                             {"neq", !(a == b)},
                                             {"nlt", !(a < b)},
                                             {"t", true},
                                             {"ne", a != b}};
  return table.at(relation);
}

double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 0x3ff;
  double value = exponent == 31  ? (mantissa != 0 ? NAN : INFINITY)
                 : exponent == 0 ? std::ldexp(mantissa, -24)
                                 : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

template <class T>
T value_of(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

bool expected(const std::string& relation, const std::string& type, std::uint64_t a, std::uint64_t b) {
  if (type == "i16") return holds(relation, value_of<std::int16_t>(a), value_of<std::int16_t>(b));
  if (type == "u16") return holds(relation, value_of<std::uint16_t>(a), value_of<std::uint16_t>(b));
  if (type == "i32") return holds(relation, value_of<std::int32_t>(a), value_of<std::int32_t>(b));
  if (type == "u32") return holds(relation, value_of<std::uint32_t>(a), value_of<std::uint32_t>(b));
  if (type == "i64") return holds(relation, value_of<std::int64_t>(a), value_of<std::int64_t>(b));
  if (type == "u64") return holds(relation, a, b);
  if (type == "f16")
    return holds(relation, half_value(value_of<std::uint16_t>(a)), half_value(value_of<std::uint16_t>(b)));
  if (type == "f32") return holds(relation, value_of<float>(a), value_of<float>(b));
  return holds(relation, value_of<double>(a), value_of<double>(b));
}

TEST(Compare, EveryRelationOfEveryType) {
  std::mt19937_64 random(11);
  unsigned ops = 0;
  for (const auto* level : levels()) {
    for (unsigned index = 0; index < static_cast<unsigned>(Op::count); ++index) {
      const Op op = static_cast<Op>(index);
      const std::string name(op_name(op));
      if (level->vector->entries[index] == nullptr || name.find("_class_") != std::string::npos) continue;
      const bool to_exec = name.rfind("v_cmpx_", 0) == 0;
      if (name.rfind("v_cmp_", 0) != 0 && !to_exec) continue;
      const std::string rest = name.substr(to_exec ? 7 : 6);
      const std::string relation = rest.substr(0, rest.find('_'));
      const std::string type = rest.substr(rest.find('_') + 1);
      ++ops;
      VectorMachine machine(2);
      machine.randomize(random, 16);
      for (unsigned lane = 0; lane < 32; lane += 4) {  // some equal pairs
        for (const unsigned word : {0u, 1u}) machine.v(8 + word, 1, lane) = machine.v(4 + word, 1, lane);
      }
      machine.set_exec(1, 0x7fffffff);
      const unsigned dwords = type.substr(1) == "64" ? 2 : 1;
      const unsigned dst = to_exec ? kExec : 10;
      ASSERT_TRUE(machine.run(instruction(op, {sgpr(dst), vgpr(4, dwords), vgpr(8, dwords)}), *level))
          << name;
      for (unsigned slot = 0; slot < 2; ++slot) {
        std::uint32_t bits = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
          bits |= static_cast<std::uint32_t>(
                      expected(relation, type, machine.v64(4, slot, lane), machine.v64(8, slot, lane)))
                  << lane;
        }
        if (slot == 1) bits &= 0x7fffffff;
        EXPECT_EQ(machine.s(dst, slot), bits) << level->name << ' ' << name;
      }
      if (to_exec) {
        EXPECT_EQ(machine.gang().full, 0) << name;
      }
    }
  }
  EXPECT_EQ(ops, levels().size() * 2 * (3 * 16 + 2 * 8 + 2 * 6 + 2 * 8));
}

TEST(Compare, FlushedDenormalsAreZero) {
  for (const auto* level : levels()) {
    VectorMachine machine(1);
    machine.set_v(4, 1);
    machine.set_v(8, 0);
    ASSERT_TRUE(machine.run(instruction(Op::v_cmp_gt_f32, {sgpr(10), vgpr(4), vgpr(8)}), *level));
    EXPECT_EQ(machine.s(10, 0), ~0u);
    machine.set_mode(0x2c0);
    ASSERT_TRUE(machine.run(instruction(Op::v_cmp_gt_f32, {sgpr(10), vgpr(4), vgpr(8)}), *level));
    EXPECT_EQ(machine.s(10, 0), 0u);
  }
}

TEST(Compare, Classes) {
  // Bit of the class mask for each value: signalling and quiet NaN, -inf, -normal, -denormal, -0 and their
  // positive twins.
  const std::uint32_t f32[] = {0x7f800001, 0xffc00000, 0xff800000, 0xbf800000, 0x80000001,
                               0x80000000, 0,          0x00000001, 0x3f800000, 0x7f800000};
  const std::uint64_t f64[] = {0x7ff0000000000001,
                               0xfff8000000000000,
                               0xfff0000000000000,
                               0xbff0000000000000,
                               0x8000000000000001,
                               0x8000000000000000,
                               0,
                               1,
                               0x3ff0000000000000,
                               0x7ff0000000000000};
  const std::uint32_t f16[] = {0x7c01, 0xfe00, 0xfc00, 0xbc00, 0x8001, 0x8000, 0, 1, 0x3c00, 0x7c00};
  for (const auto* level : levels()) {
    for (unsigned value = 0; value < 10; ++value) {
      for (unsigned bit = 0; bit < 10; ++bit) {
        VectorMachine machine(1);
        machine.set_v(8, 1u << bit);
        const std::uint32_t want = value == bit ? ~0u : 0;
        machine.set_v(4, f32[value]);
        ASSERT_TRUE(machine.run(instruction(Op::v_cmp_class_f32, {sgpr(10), vgpr(4), vgpr(8)}), *level));
        EXPECT_EQ(machine.s(10, 0), want) << "f32 " << value << ' ' << bit;
        machine.set_v64(4, f64[value]);
        ASSERT_TRUE(machine.run(instruction(Op::v_cmp_class_f64, {sgpr(10), vgpr(4, 2), vgpr(8)}), *level));
        EXPECT_EQ(machine.s(10, 0), want) << "f64 " << value << ' ' << bit;
        machine.set_v(4, f16[value]);
        ASSERT_TRUE(machine.run(instruction(Op::v_cmp_class_f16, {sgpr(10), vgpr(4), vgpr(8)}), *level));
        EXPECT_EQ(machine.s(10, 0), want) << "f16 " << value << ' ' << bit;
      }
    }
  }
}

TEST(Compare, Wave64MasksHaveTwoHalves) {
  for (const auto* level : levels()) {
    VectorMachine machine(4, true);
    machine.set_v(8, 10);
    for (unsigned slot = 0; slot < 4; ++slot) {
      for (unsigned lane = 0; lane < 32; ++lane) machine.v(4, slot, lane) = slot + (lane == 3 ? 100 : 0);
    }
    machine.set_exec(1, 0xf0);  // the upper half of the first wave
    ASSERT_TRUE(machine.run(instruction(Op::v_cmp_lt_u32, {sgpr(10, 2), vgpr(4), vgpr(8)}), *level));
    for (unsigned slot = 0; slot < 4; ++slot) {
      EXPECT_EQ(machine.s(10, slot), 0xfffffff7u);
      EXPECT_EQ(machine.s(11, slot), slot < 2 ? 0xf0u : 0xfffffff7u);
    }
    // The masks choose by lane of the wave.
    machine.set_v(12, 1);
    machine.set_v(16, 2);
    machine.set_exec(1, ~0u);
    ASSERT_TRUE(
        machine.run(instruction(Op::v_cndmask_b32, {vgpr(0), vgpr(12), vgpr(16), sgpr(10, 2)}), *level));
    EXPECT_EQ(machine.v(0, 0, 3), 1u);
    EXPECT_EQ(machine.v(0, 1, 3), 1u);
    EXPECT_EQ(machine.v(0, 1, 4), 2u);
    EXPECT_EQ(machine.v(0, 1, 8), 1u);
    EXPECT_EQ(machine.v(0, 3, 8), 2u);
  }
}

/// In wave64 the first slot's bits must not disturb a scalar source that the second slot still reads.
TEST(Compare, Wave64ResultMayOverwriteItsScalarSource) {
  for (const auto* level : levels()) {
    VectorMachine machine(2, true);
    machine.set_s(10, 7);
    machine.set_v(4, 7);
    ASSERT_TRUE(machine.run(instruction(Op::v_cmp_eq_u32, {sgpr(10, 2), sgpr(10), vgpr(4)}), *level));
    EXPECT_EQ(machine.s(10, 0), ~0u);
    EXPECT_EQ(machine.s(11, 0), ~0u);
  }
}

}  // namespace mockgpu::tests::compare_tests
