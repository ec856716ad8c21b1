#include "emu/amd/wave/numerics/convert.h"

#include <gtest/gtest.h>

#include "tests/numerics/reference.h"

namespace numerics_test::convert_tests {

using lane::F16;

/// Towards zero, saturating; NaN gives 0.
std::int64_t saturated(double x, std::int64_t low, std::int64_t high) {
  if (std::isnan(x)) return 0;
  const double t = std::trunc(x);
  if (t <= static_cast<double>(low)) return low;
  if (t >= static_cast<double>(high)) return high;
  return static_cast<std::int64_t>(t);
}
constexpr std::int64_t kMinI32 = -2147483648ll;
constexpr std::int64_t kMaxI32 = 2147483647ll;
constexpr std::int64_t kMaxU32 = 4294967295ll;

TEST(Convert, FloatsToIntegers) {
  Random random(12);
  for (int i = 0; i < 300000; ++i) {
    std::uint32_t b = random.f32_bits();
    if (i % 3 == 0) b = bits(static_cast<float>(random.u32())) ^ (random.u32() & 0x80000003u);
    const float x = f32(b);
    const double wide = static_cast<double>(x);
    ASSERT_EQ(lane::to_i32(x), saturated(wide, kMinI32, kMaxI32)) << x;
    ASSERT_EQ(lane::to_u32(x), saturated(wide, 0, kMaxU32)) << x;
    ASSERT_EQ(lane::to_i32_floor(x), saturated(std::floor(wide), kMinI32, kMaxI32)) << x;
    ASSERT_EQ(lane::to_i32_nearest(x), saturated(std::floor(wide + 0.5), kMinI32, kMaxI32)) << x;
    double y = f64(random.f64_bits());
    if (i % 3 == 0) y = static_cast<double>(static_cast<std::int64_t>(random.next()) >> 30) + 0.75;
    ASSERT_EQ(lane::to_i32(y), saturated(y, kMinI32, kMaxI32)) << y;
    ASSERT_EQ(lane::to_u32(y), saturated(y, 0, kMaxU32)) << y;
    const std::uint32_t packed = lane::cvt_pk_i16_f32(x, -x);
    ASSERT_EQ(static_cast<std::int16_t>(packed), saturated(wide, -32768, 32767)) << x;
    ASSERT_EQ(static_cast<std::int16_t>(packed >> 16), saturated(-wide, -32768, 32767)) << x;
    ASSERT_EQ(lane::cvt_pk_u16_f32(x, 0.0f), saturated(wide, 0, 65535)) << x;
  }
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const auto half = static_cast<std::uint16_t>(h);
    ASSERT_EQ(lane::to_i16(F16{half}), saturated(value16(half), -32768, 32767)) << h;
    ASSERT_EQ(lane::to_u16(F16{half}), saturated(value16(half), 0, 65535)) << h;
    ASSERT_EQ(lane::to_f16(half).bits, round16(static_cast<double>(h), lane::Round::kNearestEven)) << h;
    const auto signed_half = static_cast<std::int16_t>(half);
    ASSERT_EQ(lane::to_f16(signed_half).bits,
              round16(static_cast<double>(signed_half), lane::Round::kNearestEven));
  }
}

TEST(Convert, KnownValues) {
  EXPECT_EQ(lane::to_i32(2147483648.0f), 0x7fffffff);
  EXPECT_EQ(lane::to_i32(-2147483648.0f), static_cast<std::int32_t>(0x80000000u));
  EXPECT_EQ(lane::to_i32(f32(0x7fc00000)), 0);
  EXPECT_EQ(lane::to_u32(-1.0f), 0u);
  EXPECT_EQ(lane::to_u32(f32(0x7f800000)), 0xffffffffu);
  EXPECT_EQ(lane::to_u32(4294967040.0f), 4294967040u);
  EXPECT_EQ(lane::to_i32(-2147483648.75), static_cast<std::int32_t>(0x80000000u));
  EXPECT_EQ(lane::to_i32_nearest(-0.5f), 0);
  EXPECT_EQ(lane::to_i32_nearest(0.49999997f), 0);
  EXPECT_EQ(lane::to_i32_nearest(8388609.0f), 8388609);
  EXPECT_EQ(lane::to_i32_floor(-0.25f), -1);
  EXPECT_EQ(lane::to_f32(0xffffffffu), 4294967296.0f);
  EXPECT_EQ(lane::to_f32(std::int32_t{-16777217}), -16777216.0f);
}

TEST(Convert, BetweenFloats) {
  Random random(13);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t b = random.f64_bits();
    const double y = f64(b);
    if (std::isnan(y)) {
      const std::uint32_t expected =
          static_cast<std::uint32_t>(b >> 63 << 31 | 0x7fc00000u | ((b >> 29) & 0x3fffffu));
      ASSERT_EQ(bits(lane::to_f32(y)), expected);
    } else {
      ASSERT_EQ(bits(lane::to_f32(y)), bits(static_cast<float>(y)));
    }
    const std::uint32_t s = random.f32_bits();
    const float x = f32(s);
    if (std::isnan(x)) {
      const std::uint64_t sign = static_cast<std::uint64_t>(s >> 31) << 63;
      const std::uint64_t payload = static_cast<std::uint64_t>(s & 0x3fffffu) << 29;
      ASSERT_EQ(bits(lane::to_f64(x)), sign | 0x7ff8000000000000u | payload);
    } else {
      ASSERT_EQ(lane::to_f64(x), static_cast<double>(x));
    }
  }
  EXPECT_EQ(bits(lane::cvt_f32_f16(F16{0x7c01})), 0x7fc02000u);
}

TEST(Convert, SmallTables) {
  for (std::uint32_t nibble = 0; nibble < 16; ++nibble) {
    const int value = nibble < 8 ? static_cast<int>(nibble) : static_cast<int>(nibble) - 16;
    EXPECT_EQ(lane::cvt_off_f32_i4(0xabcdef50u | nibble), static_cast<float>(value) / 16.0f);
  }
  EXPECT_EQ(lane::cvt_f32_ubyte(0x80ff1207u, 0), 7.0f);
  EXPECT_EQ(lane::cvt_f32_ubyte(0x80ff1207u, 1), 18.0f);
  EXPECT_EQ(lane::cvt_f32_ubyte(0x80ff1207u, 2), 255.0f);
  EXPECT_EQ(lane::cvt_f32_ubyte(0x80ff1207u, 3), 128.0f);
  EXPECT_EQ(lane::cvt_pk_rtz_f16_f32(1.0009f, -1e9f), 0xfbff3c00u);
}

// Facts: clamp, scale by 32767 (65535), round to nearest; symmetric range.
TEST(Convert, Normalised) {
  EXPECT_EQ(lane::cvt_pk_norm_i16(1.0f, -1.0f), 0x80017fffu);
  EXPECT_EQ(lane::cvt_pk_norm_i16(7.0f, -7.0f), 0x80017fffu);
  EXPECT_EQ(lane::cvt_pk_norm_u16(1.0f, -1.0f), 0x0000ffffu);
  EXPECT_EQ(lane::cvt_pk_norm_u16(0.5f, 2.0f), 0xffff8000u);  // 32767.5 is a tie: to even
  EXPECT_EQ(lane::to_snorm16(f32(0x7fc00000)), 0);
  EXPECT_EQ(lane::to_unorm16(f32(0x7fc00000)), 0);
  EXPECT_EQ(lane::cvt_pk_norm_i16(F16{0x3c00}, F16{0xbc00}), 0x80017fffu);
  EXPECT_EQ(lane::cvt_pk_norm_u16(F16{0x3800}, F16{0x7c00}), 0xffff8000u);
  Random random(14);
  for (int i = 0; i < 100000; ++i) {
    const float x = f32(random.f32_bits());
    if (std::isnan(x)) continue;
    const double clamped = std::fmin(std::fmax(static_cast<double>(x), -1.0), 1.0);
    ASSERT_EQ(static_cast<std::int16_t>(lane::to_snorm16(x)), std::nearbyint(clamped * 32767.0)) << x;
    ASSERT_EQ(lane::to_unorm16(x), std::nearbyint(std::fmax(clamped, 0.0) * 65535.0)) << x;
  }
}

TEST(Convert, PackByte) {
  EXPECT_EQ(lane::cvt_pk_u8_f32(127.5f, 0, 0x11223344u), 0x11223380u);
  EXPECT_EQ(lane::cvt_pk_u8_f32(300.0f, 1, 0x11223344u), 0x1122ff44u);
  EXPECT_EQ(lane::cvt_pk_u8_f32(-3.0f, 2, 0x11223344u), 0x11003344u);
  EXPECT_EQ(lane::cvt_pk_u8_f32(f32(0x7fc00000), 7, 0x11223344u), 0x00223344u);
}

}  // namespace numerics_test::convert_tests
