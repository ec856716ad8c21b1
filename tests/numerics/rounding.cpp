#include "emu/amd/wave/numerics/rounding.h"

#include <gtest/gtest.h>

#include "emu/amd/wave/numerics/exponent.h"
#include "tests/numerics/reference.h"

namespace numerics_test::rounding_tests {

using lane::F16;

template <typename F>
auto expected(F value, F source) {
  auto quiet = bits(source);
  quiet |= sizeof(F) == 4 ? static_cast<decltype(quiet)>(0x00400000)
                          : static_cast<decltype(quiet)>(0x0008000000000000);
  return std::isnan(source) ? quiet : bits(value);
}

TEST(Rounding, ToIntegralValues) {
  Random random(9);
  for (int i = 0; i < 500000; ++i) {
    const float x = f32(random.f32_bits());
    ASSERT_EQ(bits(lane::trunc(x)), expected(std::trunc(x), x)) << x;
    ASSERT_EQ(bits(lane::floor(x)), expected(std::floor(x), x)) << x;
    ASSERT_EQ(bits(lane::ceil(x)), expected(std::ceil(x), x)) << x;
    ASSERT_EQ(bits(lane::rndne(x)), expected(std::nearbyint(x), x)) << x;
    const double y = f64(random.f64_bits());
    ASSERT_EQ(bits(lane::trunc(y)), expected(std::trunc(y), y)) << y;
    ASSERT_EQ(bits(lane::floor(y)), expected(std::floor(y), y)) << y;
    ASSERT_EQ(bits(lane::ceil(y)), expected(std::ceil(y), y)) << y;
    ASSERT_EQ(bits(lane::rndne(y)), expected(std::nearbyint(y), y)) << y;
  }
  for (const float x : {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 0.49999997f, -0.49999997f, 8388607.5f,
                        8388606.5f, -8388607.5f, 4194304.5f}) {
    EXPECT_EQ(bits(lane::rndne(x)), bits(std::nearbyint(x))) << x;
  }
}

TEST(Rounding, F16Exhaustive) {
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const auto half = static_cast<std::uint16_t>(h);
    if (is_nan16(half)) {
      ASSERT_EQ(lane::floor(F16{half}).bits, half | 0x200);
      continue;
    }
    const double v = value16(half);
    const auto check = [&](F16 got, double want) {
      ASSERT_EQ(value16(got.bits), want) << h;
      ASSERT_EQ((got.bits & 0x8000) != 0, std::signbit(want)) << h;
    };
    check(lane::trunc(F16{half}), std::trunc(v));
    check(lane::floor(F16{half}), std::floor(v));
    check(lane::ceil(F16{half}), std::ceil(v));
    check(lane::rndne(F16{half}), std::nearbyint(v));
    if (is_inf16(half)) {
      ASSERT_EQ(lane::fract(F16{half}).bits, 0x7e00);
    } else {
      const std::uint16_t want = round16(v - std::floor(v), lane::Round::kNearestEven);
      ASSERT_EQ(lane::fract(F16{half}).bits, want == 0x3c00 ? 0x3bff : want) << h;
    }
  }
}

TEST(Rounding, Fract) {
  EXPECT_EQ(bits(lane::fract(f32(0x7f800000))), 0x7fc00000u);
  EXPECT_EQ(bits(lane::fract(f32(0xff800000))), 0x7fc00000u);
  EXPECT_EQ(bits(lane::fract(-1e-30f)), 0x3f7fffffu);
  EXPECT_EQ(bits(lane::fract(-0.0f)), 0u);
  EXPECT_EQ(lane::fract(-1.25f), 0.75f);
  EXPECT_EQ(lane::fract(3.5f), 0.5f);
  EXPECT_EQ(bits(lane::fract(-1e-300)), 0x3fefffffffffffffu);
  EXPECT_EQ(bits(lane::fract(f64(0x7ff0000000000000))), 0x7ff8000000000000u);
  EXPECT_EQ(bits(lane::fract(f32(0x7f800123))), 0x7fc00123u);
}

TEST(Exponent, FrexpLikeC) {
  Random random(10);
  for (int i = 0; i < 300000; ++i) {
    const float x = f32(random.f32_bits());
    int e = 0;
    const float m = std::frexp(x, &e);
    if (!std::isfinite(x)) e = 0;
    ASSERT_EQ(lane::frexp_exp(x), e) << x;
    ASSERT_EQ(bits(lane::frexp_mant(x)), expected(m, x)) << x;
    const double y = f64(random.f64_bits());
    const double n = std::frexp(y, &e);
    if (!std::isfinite(y)) e = 0;
    ASSERT_EQ(lane::frexp_exp(y), e) << y;
    ASSERT_EQ(bits(lane::frexp_mant(y)), expected(n, y)) << y;
  }
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const auto half = static_cast<std::uint16_t>(h);
    if (is_nan16(half) || is_inf16(half)) continue;
    int e = 0;
    const double m = std::frexp(value16(half), &e);
    ASSERT_EQ(lane::frexp_exp(F16{half}), e);
    ASSERT_EQ(value16(lane::frexp_mant(F16{half}).bits), m);
  }
}

TEST(Exponent, LdexpRoundsOnce) {
  Random random(11);
  for (int i = 0; i < 300000; ++i) {
    const float x = f32(random.f32_bits());
    const int n = i % 8 == 0 ? static_cast<int>(random.u32()) : static_cast<int>(random.below(600)) - 300;
    ASSERT_EQ(bits(lane::ldexp(x, n)), expected(std::ldexp(x, n), x)) << x << " " << n;
    const double y = f64(random.f64_bits());
    const int k = i % 8 == 0 ? static_cast<int>(random.u32()) : static_cast<int>(random.below(4400)) - 2200;
    ASSERT_EQ(bits(lane::ldexp(y, k)), expected(std::ldexp(y, k), y)) << y << " " << k;
    const std::uint16_t h = random.f16_bits();
    const auto s =
        static_cast<std::int16_t>(i % 8 == 0 ? random.u16() : static_cast<int>(random.below(100)) - 50);
    if (is_nan16(h) || is_inf16(h)) continue;
    const double scaled = std::ldexp(value16(h), s);
    ASSERT_EQ(lane::ldexp(F16{h}, s).bits, round16(scaled, lane::Round::kNearestEven)) << h << " " << s;
  }
  EXPECT_EQ(lane::ldexp(F16{0x7bff}, std::int16_t{-40}).bits, 0x0001);  // 65504 * 2^-40 is just below 2^-24
  EXPECT_EQ(lane::ldexp(F16{0x7bff}, std::int16_t{-42}).bits, 0x0000);
  EXPECT_EQ(lane::ldexp(F16{0xfbff}, std::int16_t{-32768}).bits, 0x8000);
}

TEST(Exponent, Classes) {
  const std::pair<std::uint32_t, std::uint32_t> cases[] = {
      {0x7f800001, 0}, {0xffbfffff, 0}, {0x7fc00000, 1}, {0xff800000, 2}, {0xbf800000, 3}, {0x80000001, 4},
      {0x80000000, 5}, {0x00000000, 6}, {0x007fffff, 7}, {0x00800000, 8}, {0x7f7fffff, 8}, {0x7f800000, 9}};
  for (const auto& [pattern, bit] : cases) {
    EXPECT_EQ(lane::class_of(f32(pattern)), 1u << bit) << std::hex << pattern;
    EXPECT_TRUE(lane::is_class(f32(pattern), 1u << bit));
    EXPECT_FALSE(lane::is_class(f32(pattern), 0x3ffu & ~(1u << bit)));
  }
  EXPECT_EQ(lane::class_of(F16{0x7c01}), 1u << 0);
  EXPECT_EQ(lane::class_of(F16{0x03ff}), 1u << 7);
  EXPECT_EQ(lane::class_of(F16{0x8400}), 1u << 3);
  EXPECT_EQ(lane::class_of(f64(0xfff0000000000000)), 1u << 2);
  EXPECT_EQ(lane::class_of(f64(0x7ff8000000000000)), 1u << 1);
  EXPECT_EQ(lane::class_of(f64(0x000fffffffffffff)), 1u << 7);
}

}  // namespace numerics_test::rounding_tests
