#include "emu/amd/wave/numerics/minmax.h"

#include <gtest/gtest.h>

#include "tests/numerics/reference.h"

namespace numerics_test::minmax_tests {

using lane::F16;

bool signalling(float x) { return std::isnan(x) && (bits(x) & 0x00400000u) == 0; }
float quieted(float x) { return f32(bits(x) | (std::isnan(x) ? 0x00400000u : 0u)); }

/// The manual's pseudocode, branch by branch.
float reference_min(float a, float b, bool ieee) {
  if (ieee && signalling(a)) return quieted(a);
  if (ieee && signalling(b)) return quieted(b);
  if (std::isnan(b)) return quieted(a);
  if (std::isnan(a)) return b;
  if (a < b || (a == 0 && b == 0 && std::signbit(a) && !std::signbit(b))) return a;
  return b;
}
float reference_max(float a, float b, bool ieee) {
  if (ieee && signalling(a)) return quieted(a);
  if (ieee && signalling(b)) return quieted(b);
  if (std::isnan(b)) return quieted(a);
  if (std::isnan(a)) return b;
  if (a > b || (a == 0 && b == 0 && !std::signbit(a) && std::signbit(b))) return a;
  return b;
}
float reference_med3(float a, float b, float c, bool ieee) {
  const auto min = [&](float x, float y) { return reference_min(x, y, ieee); };
  const auto max = [&](float x, float y) { return reference_max(x, y, ieee); };
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return min(min(a, b), c);
  const float top = max(max(a, b), c);
  if (top == a) return max(b, c);
  if (top == b) return max(a, c);
  return max(a, b);
}
float reference_minimum(float a, float b) {
  if (std::isnan(a)) return quieted(a);
  if (std::isnan(b)) return quieted(b);
  return reference_min(a, b, false);
}

TEST(MinMax, F32FollowsThePseudocode) {
  Random random(7);
  for (int i = 0; i < 300000; ++i) {
    const float a = f32(random.f32_bits());
    float b = f32(random.f32_bits());
    if (i % 5 == 0) b = f32(bits(a) ^ (random.u32() & 0x80000000u));
    const float c = f32(random.f32_bits());
    ASSERT_EQ(bits(lane::min_num(a, b)), bits(reference_min(a, b, false))) << a << " " << b;
    ASSERT_EQ(bits(lane::max_num(a, b)), bits(reference_max(a, b, false))) << a << " " << b;
    ASSERT_EQ(bits(lane::min_ieee(a, b)), bits(reference_min(a, b, true))) << a << " " << b;
    ASSERT_EQ(bits(lane::max_ieee(a, b)), bits(reference_max(a, b, true))) << a << " " << b;
    ASSERT_EQ(bits(lane::minimum(a, b)), bits(reference_minimum(a, b))) << a << " " << b;
    ASSERT_EQ(bits(lane::med3_num(a, b, c)), bits(reference_med3(a, b, c, false)))
        << a << " " << b << " " << c;
    ASSERT_EQ(bits(lane::med3_ieee(a, b, c)), bits(reference_med3(a, b, c, true)))
        << a << " " << b << " " << c;
  }
}

TEST(MinMax, F16AgreesWithF32) {
  Random random(8);
  const auto wide = [](std::uint16_t h) { return lane::to_f32(F16{h}); };
  const auto narrow = [](float x) { return lane::to_f16(x).bits; };
  for (int i = 0; i < 300000; ++i) {
    const std::uint16_t a = random.f16_bits();
    std::uint16_t b = random.f16_bits();
    if (i % 5 == 0) b = static_cast<std::uint16_t>(a ^ (random.u16() & 0x8000));
    const std::uint16_t c = random.f16_bits();
    // Narrowing quiets; what min_num gives of a lone number is a number, and two NaNs come out quiet.
    ASSERT_EQ(lane::min_num(F16{a}, F16{b}).bits, narrow(reference_min(wide(a), wide(b), false)));
    ASSERT_EQ(lane::max_num(F16{a}, F16{b}).bits, narrow(reference_max(wide(a), wide(b), false)));
    ASSERT_EQ(lane::min_ieee(F16{a}, F16{b}).bits, narrow(reference_min(wide(a), wide(b), true)));
    ASSERT_EQ(lane::max_ieee(F16{a}, F16{b}).bits, narrow(reference_max(wide(a), wide(b), true)));
    ASSERT_EQ(lane::med3_ieee(F16{a}, F16{b}, F16{c}).bits,
              narrow(reference_med3(wide(a), wide(b), wide(c), true)));
  }
}

TEST(MinMax, F64) {
  const double qnan = f64(0x7ff8000000000001);
  const double snan = f64(0x7ff0000000000001);
  EXPECT_EQ(bits(lane::min_num(-0.0, 0.0)), 0x8000000000000000u);
  EXPECT_EQ(bits(lane::max_num(-0.0, 0.0)), 0u);
  EXPECT_EQ(lane::min_ieee(qnan, 3.0), 3.0);
  EXPECT_EQ(bits(lane::min_ieee(3.0, snan)), 0x7ff8000000000001u);
  EXPECT_EQ(lane::min_num(3.0, snan), 3.0);
  EXPECT_EQ(bits(lane::maximum(3.0, qnan)), 0x7ff8000000000001u);
  EXPECT_EQ(lane::max_ieee(-3.0, 2.0), 2.0);
}

TEST(MinMax, Integers) {
  EXPECT_EQ(lane::med3_int(5, 1, 3), 3);
  EXPECT_EQ(lane::med3_int(-1, -5, 9), -1);
  EXPECT_EQ(lane::med3_int(7u, 7u, 2u), 7u);
  EXPECT_EQ(lane::min3_int(7u, 9u, 2u), 2u);
  EXPECT_EQ(lane::max3_int(-7, -9, -2), -2);
}

}  // namespace numerics_test::minmax_tests
