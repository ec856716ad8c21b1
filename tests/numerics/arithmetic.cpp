#include "emu/amd/wave/numerics/arithmetic.h"

#include <gtest/gtest.h>

#include "tests/numerics/reference.h"

namespace numerics_test::arithmetic_tests {

using lane::F16;
using lane::Round;

F16 add16(F16 a, F16 b, Round mode) {
  switch (mode) {
    case Round::kUp: return lane::add<Round::kUp>(a, b);
    case Round::kDown: return lane::add<Round::kDown>(a, b);
    case Round::kZero: return lane::add<Round::kZero>(a, b);
    default: return lane::add(a, b);
  }
}
F16 sub16(F16 a, F16 b, Round mode) {
  switch (mode) {
    case Round::kUp: return lane::sub<Round::kUp>(a, b);
    case Round::kDown: return lane::sub<Round::kDown>(a, b);
    case Round::kZero: return lane::sub<Round::kZero>(a, b);
    default: return lane::sub(a, b);
  }
}
F16 mul16(F16 a, F16 b, Round mode) {
  switch (mode) {
    case Round::kUp: return lane::mul<Round::kUp>(a, b);
    case Round::kDown: return lane::mul<Round::kDown>(a, b);
    case Round::kZero: return lane::mul<Round::kZero>(a, b);
    default: return lane::mul(a, b);
  }
}
F16 fma16(F16 a, F16 b, F16 c, Round mode) {
  switch (mode) {
    case Round::kUp: return lane::fma<Round::kUp>(a, b, c);
    case Round::kDown: return lane::fma<Round::kDown>(a, b, c);
    case Round::kZero: return lane::fma<Round::kZero>(a, b, c);
    default: return lane::fma(a, b, c);
  }
}

/// a * b + c from exact integers; NaNs and infinities by the rules of IEEE and NAN-1.
std::uint16_t reference_fma(std::uint16_t a, std::uint16_t b, std::uint16_t c, Round mode) {
  for (const std::uint16_t x : {a, b, c}) {
    if (is_nan16(x)) return x | 0x200;
  }
  const std::uint16_t product_sign = (a ^ b) & 0x8000;
  const bool infinite_product = is_inf16(a) || is_inf16(b);
  if (infinite_product && ((a & 0x7fff) == 0 || (b & 0x7fff) == 0)) return 0x7e00;
  if (infinite_product) {
    if (is_inf16(c) && (c & 0x8000) != product_sign) return 0x7e00;
    return product_sign | 0x7c00;
  }
  if (is_inf16(c)) return c;
  const Int128 product = units16(a) * units16(b);
  const std::uint16_t c_sign = c & 0x8000;
  // Signs of exact zeros: equal signs keep theirs; else +0, or -0 when rounding down.
  const std::uint16_t zero = product_sign == c_sign ? c_sign : (mode == Round::kDown ? 0x8000 : 0);
  return round16(product + (units16(c) << 24), mode, zero);
}
std::uint16_t reference_mul(std::uint16_t a, std::uint16_t b, Round mode) {
  for (const std::uint16_t x : {a, b}) {
    if (is_nan16(x)) return x | 0x200;
  }
  const std::uint16_t sign = (a ^ b) & 0x8000;
  if (is_inf16(a) || is_inf16(b)) {
    return (a & 0x7fff) == 0 || (b & 0x7fff) == 0 ? std::uint16_t{0x7e00}
                                                  : static_cast<std::uint16_t>(sign | 0x7c00);
  }
  return round16(units16(a) * units16(b), mode, sign);
}

TEST(Arithmetic, F16AgainstExactIntegers) {
  Random random(3);
  for (int i = 0; i < 100000; ++i) {
    const std::uint16_t a = random.f16_bits();
    const std::uint16_t b = random.f16_bits();
    std::uint16_t c = random.f16_bits();
    if (i % 4 == 0) c = static_cast<std::uint16_t>(lane::mul(F16{a}, F16{b}).bits ^ 0x8000 ^ random.below(3));
    for (const Round mode : kModes) {
      ASSERT_EQ(add16(F16{a}, F16{b}, mode).bits, reference_fma(a, 0x3c00, b, mode))
          << std::hex << a << " + " << b << " mode " << static_cast<int>(mode);
      if (!is_nan16(b)) {
        ASSERT_EQ(sub16(F16{a}, F16{b}, mode).bits,
                  reference_fma(a, 0x3c00, static_cast<std::uint16_t>(b ^ 0x8000), mode))
            << std::hex << a << " - " << b;
      }
      ASSERT_EQ(mul16(F16{a}, F16{b}, mode).bits, reference_mul(a, b, mode)) << std::hex << a << " * " << b;
      ASSERT_EQ(fma16(F16{a}, F16{b}, F16{c}, mode).bits, reference_fma(a, b, c, mode))
          << std::hex << a << " * " << b << " + " << c << " mode " << static_cast<int>(mode);
    }
  }
}

// The product of two f16 can lie just beside a tie of the sum: rounding twice goes wrong here.
TEST(Arithmetic, F16FmaRoundsOnce) {
  // 1 + 2^-11 is a tie between 1 and 1 + 2^-10; the addend 2^-24 decides.
  EXPECT_EQ(lane::fma(F16{0x3c00}, F16{0x3c00}, F16{0x1000}).bits, 0x3c00);
  EXPECT_EQ(lane::fma(F16{0x3c01}, F16{0x3bff}, F16{0x8000}).bits,
            reference_mul(0x3c01, 0x3bff, Round::kNearestEven));
  Random random(4);
  for (int i = 0; i < 200000; ++i) {
    const std::uint16_t a = static_cast<std::uint16_t>(0x3c00 + random.below(0x400));
    const std::uint16_t b = static_cast<std::uint16_t>(0x3c00 + random.below(0x400));
    const std::uint16_t c = static_cast<std::uint16_t>(random.below(0x400) | (random.u16() & 0x8000));
    ASSERT_EQ(lane::fma(F16{a}, F16{b}, F16{c}).bits, reference_fma(a, b, c, Round::kNearestEven));
  }
}

/// NAN-1 for any operation: the first NaN source quieted, else the default one for a NaN result.
template <typename F, typename U>
U nan_rule(F result, U default_nan, U quiet_bit, std::initializer_list<F> sources) {
  for (const F x : sources) {
    if (std::isnan(x)) return bits(x) | quiet_bit;
  }
  return std::isnan(result) ? default_nan : bits(result);
}

TEST(Arithmetic, F32FollowsIeeeAndTheNanRule) {
  Random random(5);
  for (int i = 0; i < 300000; ++i) {
    const float a = f32(random.f32_bits());
    const float b = f32(random.f32_bits());
    const float c = f32(random.f32_bits());
    const auto expect = [&](float got, float raw, std::initializer_list<float> sources) {
      return bits(got) == nan_rule<float, std::uint32_t>(raw, 0x7fc00000u, 0x00400000u, sources);
    };
    ASSERT_TRUE(expect(lane::add(a, b), a + b, {a, b})) << a << " " << b;
    ASSERT_TRUE(expect(lane::sub(a, b), a - b, {a, b})) << a << " " << b;
    ASSERT_TRUE(expect(lane::mul(a, b), a * b, {a, b})) << a << " " << b;
    ASSERT_TRUE(expect(lane::fma(a, b, c), std::fma(a, b, c), {a, b, c})) << a << " " << b << " " << c;
  }
}

TEST(Arithmetic, F64FollowsIeeeAndTheNanRule) {
  Random random(6);
  for (int i = 0; i < 200000; ++i) {
    const double a = f64(random.f64_bits());
    const double b = f64(random.f64_bits());
    const double c = f64(random.f64_bits());
    const auto expect = [&](double got, double raw, std::initializer_list<double> sources) {
      return bits(got) ==
             nan_rule<double, std::uint64_t>(raw, 0x7ff8000000000000u, 0x0008000000000000u, sources);
    };
    ASSERT_TRUE(expect(lane::add(a, b), a + b, {a, b}));
    ASSERT_TRUE(expect(lane::sub(a, b), a - b, {a, b}));
    ASSERT_TRUE(expect(lane::mul(a, b), a * b, {a, b}));
    ASSERT_TRUE(expect(lane::fma(a, b, c), std::fma(a, b, c), {a, b, c}));
  }
}

TEST(Arithmetic, InvalidOperationsGiveThePositiveDefaultNan) {
  const float inf = f32(0x7f800000);
  EXPECT_EQ(bits(lane::sub(inf, inf)), 0x7fc00000u);
  EXPECT_EQ(bits(lane::mul(0.0f, inf)), 0x7fc00000u);
  EXPECT_EQ(bits(lane::fma(inf, 1.0f, -inf)), 0x7fc00000u);
  EXPECT_EQ(lane::add(F16{0x7c00}, F16{0xfc00}).bits, 0x7e00);
  // A signalling NaN comes out quiet, and the first source wins.
  EXPECT_EQ(bits(lane::add(f32(0xff800001), f32(0x7fc00002))), 0xffc00001u);
  EXPECT_EQ(bits(lane::fma(1.0f, f32(0x7fc00002), f32(0xffc00003))), 0x7fc00002u);
  EXPECT_EQ(lane::add(F16{0x7d01}, F16{0x7e02}).bits, 0x7f01);
}

TEST(Arithmetic, Dx9ZeroRules) {
  const float inf = f32(0x7f800000);
  const float nan = f32(0x7fc00000);
  EXPECT_EQ(bits(lane::mul_dx9_zero(0.0f, inf)), 0u);
  EXPECT_EQ(bits(lane::mul_dx9_zero(nan, -0.0f)), 0u);
  EXPECT_EQ(lane::mul_dx9_zero(2.0f, 3.0f), 6.0f);
  EXPECT_EQ(lane::fma_dx9_zero(0.0f, nan, 5.0f), 5.0f);
  EXPECT_EQ(lane::fma_dx9_zero(2.0f, 3.0f, 5.0f), 11.0f);
  EXPECT_EQ(bits(lane::mullit(2.0f, 3.0f, 0.0f)), 0xff7fffffu);
  EXPECT_EQ(bits(lane::mullit(2.0f, nan, 1.0f)), 0xff7fffffu);
  EXPECT_EQ(bits(lane::mullit(2.0f, 3.0f, nan)), 0xff7fffffu);
  EXPECT_EQ(bits(lane::mullit(2.0f, -inf, 1.0f)), 0xff7fffffu);
  EXPECT_EQ(lane::mullit(2.0f, 3.0f, 1.0f), 6.0f);
}

TEST(Arithmetic, ClampAndOmod) {
  EXPECT_EQ(bits(lane::clamp(f32(0x7fc00000))), 0u);
  EXPECT_EQ(bits(lane::clamp(-0.0f)), 0u);
  EXPECT_EQ(bits(lane::clamp(-3.0f)), 0u);
  EXPECT_EQ(lane::clamp(0.25f), 0.25f);
  EXPECT_EQ(lane::clamp(7.0f), 1.0f);
  EXPECT_EQ(bits(lane::clamp(-0.0)), 0u);
  EXPECT_EQ(lane::clamp(2.0), 1.0);
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const auto half = static_cast<std::uint16_t>(h);
    const double v = value16(half);
    const std::uint16_t expected = v > 1.0 ? 0x3c00 : v > 0.0 ? half : 0;
    ASSERT_EQ(lane::clamp(F16{half}).bits, expected) << h;
  }
  EXPECT_EQ(lane::omod(3.0f, 0), 3.0f);
  EXPECT_EQ(lane::omod(3.0f, 1), 6.0f);
  EXPECT_EQ(lane::omod(3.0f, 2), 12.0f);
  EXPECT_EQ(lane::omod(3.0f, 3), 1.5f);
}

TEST(Arithmetic, FlushKeepsTheSign) {
  EXPECT_EQ(bits(lane::flush(f32(0x807fffff))), 0x80000000u);
  EXPECT_EQ(bits(lane::flush(f32(0x00800000))), 0x00800000u);
  EXPECT_EQ(lane::flush(F16{0x83ff}).bits, 0x8000);
  EXPECT_EQ(bits(lane::flush(f64(0x000fffffffffffff))), 0u);
}

}  // namespace numerics_test::arithmetic_tests
