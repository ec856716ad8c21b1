#include "emu/amd/wave/numerics/wmma.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/numerics/reference.h"

namespace numerics_test::wmma_tests {

using lane::BF16;
using lane::F16;

constexpr std::uint32_t kStride = 96;  // registers need not be adjacent
struct Registers {
  std::array<std::uint32_t, 8 * kStride> data{};
  lane::WmmaSource source() const { return {data.data(), kStride}; }
  lane::WmmaResult result() { return {data.data(), kStride}; }
  std::uint32_t& at(int reg, int lane) {
    return data[static_cast<std::size_t>(reg) * kStride + static_cast<std::size_t>(lane)];
  }
  std::uint32_t at(int reg, int lane) const {
    return data[static_cast<std::size_t>(reg) * kStride + static_cast<std::size_t>(lane)];
  }
};

// Facts "WMMA": lane i % 16 holds row/column i, 16 values of K in order; D (m, n) is lane n + 16 * (m & 1),
// register m >> 1.
std::uint32_t input(const Registers& r, int row, int k, int width) {
  const int per_dword = 32 / width;
  const std::uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
  return (r.at(k / per_dword, row) >> (k % per_dword * width)) & mask;
}
std::uint32_t output(const Registers& r, int m, int n) { return r.at(m >> 1, n + 16 * (m & 1)); }

Registers random_registers(Random& random, bool halves, bool specials) {
  Registers r;
  for (int reg = 0; reg < 8; ++reg) {
    for (int lane = 0; lane < 16; ++lane) {
      std::uint32_t x = random.u32();
      if (halves && !specials) x = (x & 0x8fff8fffu) | 0x30003000u;
      if (halves && specials) x = random.f16_bits() | static_cast<std::uint32_t>(random.f16_bits()) << 16;
      r.at(reg, lane) = x;
      r.at(reg, lane + 16) = x;
    }
  }
  return r;
}

float quieted(float x) { return f32(bits(x) | 0x00400000u); }
float step(float a, float b, float acc) {
  const float product = a * b;
  const float sum = acc + product;
  if (!std::isnan(sum)) return sum;
  for (const float x : {a, b, acc}) {
    if (std::isnan(x)) return quieted(x);
  }
  return f32(0x7fc00000);
}
float widen(std::uint32_t h, F16) { return lane::to_f32(F16{static_cast<std::uint16_t>(h)}); }
float widen(std::uint32_t h, BF16) { return f32(h << 16); }
std::uint32_t narrow(float x, F16) { return lane::to_f16(x).bits; }
std::uint32_t narrow(float x, BF16) { return lane::to_bf16(x).bits; }

template <typename H>
float reference(const Registers& a, const Registers& b, float c, int m, int n,
                const lane::WmmaModifiers& mods) {
  float acc = c;
  for (int k = 0; k < 16; ++k) {
    const std::uint32_t flip_a = k % 2 == 0 ? mods.flip_a & 0x8000u : mods.flip_a >> 16;
    const std::uint32_t flip_b = k % 2 == 0 ? mods.flip_b & 0x8000u : mods.flip_b >> 16;
    acc = step(widen(input(a, m, k, 16) ^ flip_a, H{}), widen(input(b, n, k, 16) ^ flip_b, H{}), acc);
  }
  return acc;
}
float modified(float c, const lane::WmmaModifiers& mods) {
  const float size = mods.abs_c ? f32(bits(c) & 0x7fffffffu) : c;
  return mods.neg_c ? f32(bits(size) ^ 0x80000000u) : size;
}

template <typename H>
void check_float(bool specials, const lane::WmmaModifiers& mods, std::uint64_t seed) {
  Random random(seed);
  for (int trial = 0; trial < 20; ++trial) {
    const Registers a = random_registers(random, true, specials);
    const Registers b = random_registers(random, true, specials);
    Registers c = random_registers(random, false, false);
    for (int reg = 0; reg < 8; ++reg) {
      for (int lane = 0; lane < 32; ++lane) {
        c.at(reg, lane) =
            specials ? random.f32_bits() : bits(static_cast<float>(lane) - 3.25f * static_cast<float>(reg));
      }
    }
    Registers d;
    lane::wmma_f32_16x16x16<H>(a.source(), b.source(), c.source(), d.result(), mods);
    for (int m = 0; m < 16; ++m) {
      for (int n = 0; n < 16; ++n) {
        const float want = reference<H>(a, b, modified(f32(output(c, m, n)), mods), m, n, mods);
        ASSERT_EQ(output(d, m, n), bits(want)) << m << "," << n;
      }
    }
    // 16-bit C and D in one half, in place.
    Registers e = random_registers(random, true, specials);
    const Registers before = e;
    lane::wmma_half_16x16x16<H>(a.source(), b.source(), e.source(), e.result(), mods);
    for (int m = 0; m < 16; ++m) {
      for (int n = 0; n < 16; ++n) {
        const std::uint32_t old = output(before, m, n);
        const std::uint32_t c16 = mods.high_c ? old >> 16 : old & 0xffffu;
        const std::uint32_t d16 =
            narrow(reference<H>(a, b, modified(widen(c16, H{}), mods), m, n, mods), H{});
        ASSERT_EQ(output(e, m, n), mods.high_c ? (d16 << 16 | (old & 0xffffu)) : (d16 | (old & 0xffff0000u)));
      }
    }
  }
}

TEST(Wmma, Floats) {
  lane::WmmaModifiers plain;
  lane::WmmaModifiers modifiers;
  modifiers.flip_a = 0x8000u;
  modifiers.flip_b = 0x80008000u;
  modifiers.abs_c = true;
  modifiers.neg_c = true;
  modifiers.high_c = true;
  for (const bool specials : {false, true}) {
    check_float<F16>(specials, plain, 26);
    check_float<BF16>(specials, plain, 27);
    check_float<F16>(specials, modifiers, 28);
    check_float<BF16>(specials, modifiers, 29);
  }
}

// An integer-valued product is exact in any order: the layout alone is tested.
TEST(Wmma, LayoutWithExactValues) {
  Registers a;
  Registers b;
  Registers c;
  for (int i = 0; i < 16; ++i) {
    for (int k = 0; k < 16; ++k) {
      const auto set = [&](Registers& r, int value) {
        const std::uint32_t half = lane::to_f16(static_cast<float>(value)).bits;
        for (const int lane : {i, i + 16}) r.at(k / 2, lane) |= half << (16 * (k % 2));
      };
      set(a, i + 1);
      set(b, k == i ? 1 : 0);
    }
  }
  Registers d;
  lane::wmma_f32_16x16x16<F16>(a.source(), b.source(), c.source(), d.result(), {});
  for (int m = 0; m < 16; ++m) {
    for (int n = 0; n < 16; ++n) EXPECT_EQ(f32(output(d, m, n)), static_cast<float>(m + 1));
  }
}

template <std::uint32_t kBits>
void check_integer(std::uint64_t seed) {
  Random random(seed);
  for (int trial = 0; trial < 32; ++trial) {
    const Registers a = random_registers(random, false, false);
    const Registers b = random_registers(random, false, false);
    Registers c = random_registers(random, false, false);
    if (trial % 2 == 0) {
      for (auto& x : c.data) x = 0x7ffffff0u + random.below(32);
    }
    lane::WmmaModifiers mods;
    mods.signed_a = (trial & 2) != 0;
    mods.signed_b = (trial & 4) != 0;
    mods.clamp = (trial & 8) != 0;
    Registers d;
    lane::wmma_i32_16x16x16<kBits>(a.source(), b.source(), c.source(), d.result(), mods);
    const auto extended = [](std::uint32_t x, bool is_signed) {
      const std::int64_t v = x;
      return is_signed && (x >> (kBits - 1)) != 0 ? v - (1 << kBits) : v;
    };
    for (int m = 0; m < 16; ++m) {
      for (int n = 0; n < 16; ++n) {
        std::int64_t sum = static_cast<std::int32_t>(output(c, m, n));
        for (int k = 0; k < 16; ++k) {
          sum +=
              extended(input(a, m, k, kBits), mods.signed_a) * extended(input(b, n, k, kBits), mods.signed_b);
        }
        if (mods.clamp) sum = std::clamp<std::int64_t>(sum, -2147483648ll, 2147483647ll);
        ASSERT_EQ(output(d, m, n), static_cast<std::uint32_t>(sum));
      }
    }
  }
}

TEST(Wmma, Integers) {
  check_integer<8>(30);
  check_integer<4>(31);
}

}  // namespace numerics_test::wmma_tests
