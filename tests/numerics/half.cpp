#include "emu/amd/wave/numerics/half.h"

#include <gtest/gtest.h>

#include "tests/numerics/reference.h"

namespace numerics_test::half_tests {

using lane::BF16;
using lane::F16;
using lane::Round;

TEST(Half, WideningIsExactForAllValues) {
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const auto half = static_cast<std::uint16_t>(h);
    const float wide = lane::to_f32(F16{half});
    if (is_nan16(half)) {
      const std::uint32_t expected = ((h & 0x8000u) << 16) | 0x7f800000u | ((h & 0x3ffu) << 13);
      ASSERT_EQ(bits(wide), expected) << h;
    } else {
      ASSERT_EQ(static_cast<double>(wide), value16(half)) << h;
      ASSERT_EQ(std::signbit(wide), (h & 0x8000) != 0) << h;
    }
  }
}

TEST(Half, RoundTripOfAllValues) {
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const auto half = static_cast<std::uint16_t>(h);
    const std::uint16_t expected = is_nan16(half) ? static_cast<std::uint16_t>(half | 0x200) : half;
    for (const Round mode : kModes)
      ASSERT_EQ(lane::to_f16(lane::to_f32(F16{half}), mode).bits, expected) << h;
  }
}

std::uint16_t reference_narrow(float x, Round mode) {
  if (std::isnan(x)) {
    return static_cast<std::uint16_t>((bits(x) >> 16 & 0x8000) | 0x7e00 | ((bits(x) >> 13) & 0x3ff));
  }
  const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isinf(x)) return static_cast<std::uint16_t>(sign | 0x7c00);
  return round16(static_cast<double>(x), mode);
}

TEST(Half, NarrowingRoundsOnceInAllModes) {
  Random random(1);
  for (int i = 0; i < 300000; ++i) {
    std::uint32_t b = random.f32_bits();
    if (i % 2 == 0) {
      // Near the boundaries between f16 values.
      b = bits(lane::to_f32(F16{random.f16_bits()})) + (0x1000u * random.below(3)) + random.below(3) - 1;
    }
    for (const Round mode : kModes) {
      ASSERT_EQ(lane::to_f16(f32(b), mode).bits, reference_narrow(f32(b), mode))
          << std::hex << b << " mode " << static_cast<int>(mode);
    }
  }
}

TEST(Half, KnownConversions) {
  EXPECT_EQ(lane::to_f16(65519.996f).bits, 0x7bff);
  EXPECT_EQ(lane::to_f16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(lane::to_f16<Round::kZero>(1e30f).bits, 0x7bff);
  EXPECT_EQ(lane::to_f16<Round::kDown>(1e30f).bits, 0x7bff);
  EXPECT_EQ(lane::to_f16<Round::kDown>(-1e30f).bits, 0xfc00);
  EXPECT_EQ(lane::to_f16(0x1p-25f).bits, 0x0000);
  EXPECT_EQ(lane::to_f16(0x1.000002p-25f).bits, 0x0001);
  EXPECT_EQ(lane::to_f16<Round::kUp>(0x1p-149f).bits, 0x0001);
  EXPECT_EQ(lane::to_f16(f32(0x7f800001)).bits, 0x7e00);
  EXPECT_EQ(lane::to_f16(0.15915494f).bits, 0x3118);
}

TEST(Half, BfloatRoundsOnce) {
  Random random(2);
  for (int i = 0; i < 300000; ++i) {
    std::uint32_t b = random.f32_bits();
    if (i % 2 == 0) b = (b & 0xffff0000u) + 0x7fffu + random.below(3);
    const float x = f32(b);
    const std::uint16_t cut = static_cast<std::uint16_t>(b >> 16);
    if (std::isnan(x)) {
      ASSERT_EQ(lane::to_bf16(x).bits, cut | 0x40);
      continue;
    }
    const float down = f32(b & 0xffff0000u);
    const auto next = static_cast<std::uint16_t>(cut + 1);  // away from zero
    for (const Round mode : kModes) {
      std::uint16_t expected = cut;
      if (x != down) {
        if (mode == Round::kUp) expected = x > 0 ? next : cut;
        if (mode == Round::kDown) expected = x < 0 ? next : cut;
        if (mode == Round::kNearestEven) {
          const std::uint32_t rest = b & 0xffffu;
          expected = rest > 0x8000u || (rest == 0x8000u && (cut & 1) != 0) ? next : cut;
        }
      }
      ASSERT_EQ(lane::to_bf16(x, mode).bits, expected) << std::hex << b;
    }
    ASSERT_EQ(bits(lane::to_f32(BF16{cut})), b & 0xffff0000u);
  }
}

}  // namespace numerics_test::half_tests
