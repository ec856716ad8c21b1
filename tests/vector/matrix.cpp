// WMMA on exact small integers, so that the order of accumulation does not matter.
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "tests/vector/machine.h"

namespace mockgpu::tests::matrix_tests {

constexpr unsigned kA = 8, kB = 16, kC = 24, kD = 32;

int a_value(int m, int k) { return (m * 3 + k * 5) % 7 - 3; }
int b_value(int k, int n) { return (k * 2 + n * 11) % 5 - 2; }
int c_value(int m, int n) { return m * 16 + n - 100; }
int product(int m, int n) {
  int sum = 0;
  for (int k = 0; k < 16; ++k) sum += a_value(m, k) * b_value(k, n);
  return sum;
}

std::uint32_t half_of(int value) {  // exact for small integers
  if (value == 0) return 0;
  const unsigned magnitude = static_cast<unsigned>(value < 0 ? -value : value);
  const int exponent = 31 - std::countl_zero(magnitude);
  return (value < 0 ? 0x8000u : 0u) | static_cast<unsigned>(exponent + 15) << 10 |
         ((magnitude << (10 - exponent)) & 0x3ff);
}
std::uint32_t bfloat_of(int value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16; }

/// A and B: lane i (and i + 16, ...) holds row or column i, `per` elements to a register.
void set_inputs(VectorMachine& machine, unsigned per, const std::function<std::uint32_t(int)>& encode) {
  const unsigned bits = 32 / per;
  const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  for (unsigned slot = 0; slot < machine.gang().slots; ++slot) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned reg = 0; reg < 16 / per; ++reg) {
        std::uint32_t a = 0, b = 0;
        for (unsigned e = 0; e < per; ++e) {
          const int k = static_cast<int>(reg * per + e), i = static_cast<int>(lane & 15);
          a |= (encode(a_value(i, k)) & mask) << (bits * e);
          b |= (encode(b_value(k, i)) & mask) << (bits * e);
        }
        machine.v(kA + reg, slot, lane) = a;
        machine.v(kB + reg, slot, lane) = b;
      }
    }
  }
}

/// The dword of C or D that holds (m, n) for the wave whose first slot is `slot`.
std::uint32_t& element(VectorMachine& machine, unsigned base, unsigned slot, unsigned m, unsigned n) {
  if (machine.gang().wave64) {
    const unsigned lane = n + 16 * (m & 3);
    return machine.v(base + m / 4, slot + lane / 32, lane % 32);
  }
  return machine.v(base + m / 2, slot, n + 16 * (m & 1));
}

void set_c(VectorMachine& machine, const std::function<std::uint32_t(int)>& encode) {
  const unsigned step = machine.gang().wave64 ? 2 : 1;
  for (unsigned slot = 0; slot < machine.gang().slots; slot += step) {
    for (unsigned m = 0; m < 16; ++m) {
      for (unsigned n = 0; n < 16; ++n) {
        element(machine, kC, slot, m, n) = encode(c_value(static_cast<int>(m), static_cast<int>(n)));
      }
    }
  }
}

struct Case {
  Op op;
  unsigned per;
  std::function<std::uint32_t(int)> input, output;
  unsigned neg;
};

const Case kCases[] = {
    {Op::v_wmma_f32_16x16x16_f16, 2, half_of,
     [](int x) { return std::bit_cast<std::uint32_t>(static_cast<float>(x)); }, 0},
    {Op::v_wmma_f32_16x16x16_bf16, 2, bfloat_of,
     [](int x) { return std::bit_cast<std::uint32_t>(static_cast<float>(x)); }, 0},
    {Op::v_wmma_f16_16x16x16_f16, 2, half_of, half_of, 0},
    {Op::v_wmma_bf16_16x16x16_bf16, 2, bfloat_of, bfloat_of, 0},
    {Op::v_wmma_i32_16x16x16_iu8, 4, [](int x) { return static_cast<std::uint32_t>(x); },
     [](int x) { return static_cast<std::uint32_t>(x); }, 3},
    {Op::v_wmma_i32_16x16x16_iu4, 8, [](int x) { return static_cast<std::uint32_t>(x); },
     [](int x) { return static_cast<std::uint32_t>(x); }, 3},
};

TEST(Matrix, ProductsInBothWaveSizes) {
  for (const auto* level : levels()) {
    for (const Case& test : kCases) {
      for (const bool wave64 : {false, true}) {
        VectorMachine machine(4, wave64);
        set_inputs(machine, test.per, test.input);
        set_c(machine, test.output);
        machine.set_exec(0, 0);  // ignored
        const unsigned dwords = 16 / test.per;
        const bool half = test.op == Op::v_wmma_f16_16x16x16_f16 || test.op == Op::v_wmma_bf16_16x16x16_bf16;
        for (unsigned reg = 0; reg < 8; ++reg) machine.set_v(kD + reg, 0xabcd1234);
        Instruction code = instruction(
            test.op, {vgpr(kD, wave64 ? 4 : 8), vgpr(kA, dwords), vgpr(kB, dwords), vgpr(kC, wave64 ? 4 : 8)},
            Encoding::vop3p);
        code.mods.neg = static_cast<std::uint8_t>(test.neg);
        ASSERT_TRUE(machine.run(code, *level));
        for (unsigned slot = 0; slot < 4; slot += wave64 ? 2 : 1) {
          for (unsigned m = 0; m < 16; ++m) {
            for (unsigned n = 0; n < 16; ++n) {
              const int value = product(static_cast<int>(m), static_cast<int>(n)) +
                                c_value(static_cast<int>(m), static_cast<int>(n));
              const std::uint32_t want =
                  half ? 0xabcd0000u | (test.output(value) & 0xffff) : test.output(value);
              ASSERT_EQ(element(machine, kD, slot, m, n), want)
                  << op_name(test.op) << " wave64 " << wave64 << ' ' << m << ' ' << n;
            }
          }
        }
      }
    }
  }
}

TEST(Matrix, ConstantAndHighHalf) {
  for (const auto* level : levels()) {
    VectorMachine machine(1);
    set_inputs(machine, 2, half_of);
    for (unsigned reg = 0; reg < 8; ++reg) machine.set_v(kD + reg, 0x5555);
    Instruction code =
        instruction(Op::v_wmma_f32_16x16x16_f16,
                    {vgpr(kD, 8), vgpr(kA, 8), vgpr(kB, 8), constant(std::bit_cast<std::uint32_t>(2.0f))},
                    Encoding::vop3p);
    ASSERT_TRUE(machine.run(code, *level));
    EXPECT_EQ(element(machine, kD, 0, 5, 6),
              std::bit_cast<std::uint32_t>(static_cast<float>(product(5, 6) + 2)));
    for (unsigned reg = 0; reg < 8; ++reg) machine.set_v(kD + reg, 0x5555);
    for (unsigned m = 0; m < 16; ++m) {
      for (unsigned n = 0; n < 16; ++n) element(machine, kC, 0, m, n) = half_of(3) << 16 | 0x1111;
    }
    code = instruction(Op::v_wmma_f16_16x16x16_f16, {vgpr(kD, 8), vgpr(kA, 8), vgpr(kB, 8), vgpr(kC, 8)},
                       Encoding::vop3p);
    code.mods.op_sel = 4;
    ASSERT_TRUE(machine.run(code, *level));
    EXPECT_EQ(element(machine, kD, 0, 5, 6), (half_of(product(5, 6) + 3) << 16) | 0x5555);
  }
}

}  // namespace mockgpu::tests::matrix_tests
