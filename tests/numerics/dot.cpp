#include "emu/amd/wave/numerics/dot.h"

#include <gtest/gtest.h>

#include "emu/amd/wave/numerics/packed.h"
#include "tests/numerics/reference.h"

namespace numerics_test::dot_tests {

using lane::BF16;
using lane::F16;

float half_at(std::uint32_t x, int i) {
  return static_cast<float>(value16(static_cast<std::uint16_t>(x >> (16 * i))));
}
float bf_at(std::uint32_t x, int i) { return f32((x >> (16 * i)) << 16); }

TEST(Dot, FloatsStepByStep) {
  Random random(23);
  for (int i = 0; i < 200000; ++i) {
    const std::uint32_t a = random.f16_bits() | static_cast<std::uint32_t>(random.f16_bits()) << 16;
    const std::uint32_t b = random.f16_bits() | static_cast<std::uint32_t>(random.f16_bits()) << 16;
    const float c = f32(random.f32_bits());
    const float want = std::fma(half_at(a, 1), half_at(b, 1), std::fma(half_at(a, 0), half_at(b, 0), c));
    const float got = lane::dot2_f32_f16(a, b, c);
    ASSERT_TRUE(std::isnan(want) ? std::isnan(got) : bits(got) == bits(want)) << got << " " << want;
    // The f16 form is two fmas, which arithmetic.cpp tests.
    const F16 h{random.f16_bits()};
    ASSERT_EQ(
        lane::dot2_f16_f16(a, b, h).bits,
        lane::fma(lane::hi_f16(a), lane::hi_f16(b), lane::fma(lane::lo_f16(a), lane::lo_f16(b), h)).bits);
    const std::uint32_t p = random.u32();
    const std::uint32_t q = i % 2 == 0 ? random.u32() : (p ^ random.u32() % 256) - 0x00400040u;
    const float want_bf = std::fma(bf_at(p, 1), bf_at(q, 1), std::fma(bf_at(p, 0), bf_at(q, 0), c));
    const float got_bf = lane::dot2_f32_bf16(p, q, c);
    ASSERT_TRUE(std::isnan(want_bf) ? std::isnan(got_bf) : bits(got_bf) == bits(want_bf))
        << got_bf << " " << want_bf;
  }
  EXPECT_EQ(bits(lane::dot2_f32_f16(0x7e010000u, 0x3c003c00u, 1.0f)), 0x7fc02000u);
  EXPECT_EQ(bits(lane::dot2_f32_f16(0x7c000000u, 0x00003c00u, 1.0f)), 0x7fc00000u);
}

/// Nearest bf16 of a number with up to 113 bits.
std::uint16_t nearest_bf16(long double x) {
  const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  const long double size = std::fabs(x);
  int low = 0;
  int high = 0x7f80;
  const auto value = [](int h) -> long double {
    return h == 0x7f80 ? std::ldexp(1.0L, 128)
                       : static_cast<long double>(f32(static_cast<std::uint32_t>(h) << 16));
  };
  if (size >= value(high)) return sign | 0x7f80;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (value(middle) <= size ? low : high) = middle;
  }
  const long double down = size - value(low);
  const long double up = value(high) - size;
  const int result = down < up ? low : up < down ? high : (low % 2 == 0 ? low : high);
  return static_cast<std::uint16_t>(sign | result);
}

TEST(Dot, BfloatFmaRoundsOnce) {
  Random random(24);
  for (int i = 0; i < 200000; ++i) {
    std::uint16_t a = random.u16();
    const std::uint16_t b = random.u16();
    std::uint16_t c = random.u16();
    if (i % 2 == 0) {
      // Exponents near each other, so that the exact sum fits a long double.
      a = static_cast<std::uint16_t>((a & 0x807f) | 0x3f80);
      const int exponent = ((b >> 7) & 0xff) + static_cast<int>(random.below(24)) - 12;
      c = static_cast<std::uint16_t>((c & 0x807f) | (std::clamp(exponent, 0, 254) << 7));
    } else {
      c &= 0x8000;
    }
    const float x = bf_at(a, 0);
    const float y = bf_at(b, 0);
    const float z = bf_at(c, 0);
    const std::uint16_t got = lane::fma(BF16{a}, BF16{b}, BF16{c}).bits;
    const long double sum = static_cast<long double>(x) * y + static_cast<long double>(z);
    if (std::isnan(sum)) {
      ASSERT_TRUE(lane::is_nan(BF16{got}));
    } else if (std::isinf(sum)) {
      ASSERT_EQ(got, std::signbit(sum) ? 0xff80 : 0x7f80);
    } else {
      ASSERT_EQ(got, nearest_bf16(sum)) << std::hex << a << " " << b << " " << c;
    }
  }
  EXPECT_EQ(lane::dot2_bf16_bf16(0x40003f80u, 0x40403f80u, BF16{0x4040}).bits, 0x4120);  // 3 + 1 + 2 * 3
  EXPECT_EQ(lane::fma(BF16{0x7f81}, BF16{0x7fc5}, BF16{0}).bits, 0x7fc1);
}

TEST(Dot, Integers) {
  Random random(25);
  for (int i = 0; i < 100000; ++i) {
    const std::uint32_t a = random.u32();
    const std::uint32_t b = random.u32();
    const std::uint32_t c = i % 2 == 0 ? random.u32() : (0x7fffff00u + random.below(512));
    for (int s = 0; s < 4; ++s) {
      const bool sa = (s & 1) != 0;
      const bool sb = (s & 2) != 0;
      std::int64_t sum8 = static_cast<std::int32_t>(c);
      std::int64_t sum4 = sum8;
      for (int k = 0; k < 4; ++k) {
        const int x = static_cast<int>((a >> (8 * k)) & 255);
        const int y = static_cast<int>((b >> (8 * k)) & 255);
        sum8 += (sa && x > 127 ? x - 256 : x) * (sb && y > 127 ? y - 256 : y);
      }
      for (int k = 0; k < 8; ++k) {
        const int x = static_cast<int>((a >> (4 * k)) & 15);
        const int y = static_cast<int>((b >> (4 * k)) & 15);
        sum4 += (sa && x > 7 ? x - 16 : x) * (sb && y > 7 ? y - 16 : y);
      }
      const auto clamped = [](std::int64_t x) {
        return static_cast<std::uint32_t>(std::clamp<std::int64_t>(x, -2147483648ll, 2147483647ll));
      };
      ASSERT_EQ(lane::dot4_i32_iu8(a, b, c, sa, sb, false), static_cast<std::uint32_t>(sum8));
      ASSERT_EQ(lane::dot4_i32_iu8(a, b, c, sa, sb, true), clamped(sum8));
      ASSERT_EQ(lane::dot8_i32_iu4(a, b, c, sa, sb, false), static_cast<std::uint32_t>(sum4));
      ASSERT_EQ(lane::dot8_i32_iu4(a, b, c, sa, sb, true), clamped(sum4));
    }
    const std::uint64_t low = static_cast<std::uint64_t>(a & 0xffff) * (b & 0xffff);
    const std::uint64_t high = static_cast<std::uint64_t>(a >> 16) * (b >> 16);
    ASSERT_EQ(lane::dot2_u32_u16(a, b, c, true), std::min<std::uint64_t>(low + high + c, 0xffffffffu));
    ASSERT_EQ(lane::dot2_u32_u16(a, b, c, false), static_cast<std::uint32_t>(low + high + c));
  }
  EXPECT_EQ(lane::dot4_u32_u8(0xffffffffu, 0xffffffffu, 0xffffff00u, true), 0xffffffffu);
  EXPECT_EQ(lane::dot4_u32_u8(0x01020304u, 0x01010101u, 5, false), 15u);
  EXPECT_EQ(lane::dot8_u32_u4(0x11111111u, 0x22222222u, 1, true), 17u);
  EXPECT_EQ(lane::dot2_i32_i16(0x80008000u, 0x80008000u, 0, true), 0x7fffffffu);
  EXPECT_EQ(lane::dot2_i32_i16(0x80008000u, 0x80008000u, 0, false), 0x80000000u);
}

TEST(Packed, HalvesAreIndependent) {
  EXPECT_EQ(lane::pk_add_u16(0xffff0001u, 0x00010002u), 0x00000003u);
  EXPECT_EQ(lane::pk_add_u16_sat(0xffff0001u, 0x00010002u), 0xffff0003u);
  EXPECT_EQ(lane::pk_sub_u16(0x00000005u, 0x00010002u), 0xffff0003u);
  EXPECT_EQ(lane::pk_sub_u16_sat(0x00000005u, 0x00010002u), 0x00000003u);
  EXPECT_EQ(lane::pk_add_i16_sat(0x7fff8000u, 0x0001ffffu), 0x7fff8000u);
  EXPECT_EQ(lane::pk_sub_i16_sat(0x80007fffu, 0x0001ffffu), 0x80007fffu);
  EXPECT_EQ(lane::pk_mul_lo_u16(0x01000003u, 0x01000004u), 0x0000000cu);
  EXPECT_EQ(lane::pk_mad_u16(0x00020003u, 0x00040005u, 0x00010001u), 0x00090010u);
  EXPECT_EQ(lane::pk_mad_i16_sat(0x7fff0003u, 0x00020005u, 0x00010001u), 0x7fff0010u);
  EXPECT_EQ(lane::pk_min_i16(0xffff0001u, 0x0001ffffu), 0xffffffffu);
  EXPECT_EQ(lane::pk_max_i16(0xffff0001u, 0x0001ffffu), 0x00010001u);
  EXPECT_EQ(lane::pk_min_u16(0xffff0001u, 0x0001ffffu), 0x00010001u);
  EXPECT_EQ(lane::pk_max_u16(0xffff0001u, 0x0001ffffu), 0xffffffffu);
  EXPECT_EQ(lane::pk_lshl_b16(0x00018001u, 0x00110001u), 0x00020002u);
  EXPECT_EQ(lane::pk_lshr_b16(0x80008000u, 0x00010002u), 0x40002000u);
  EXPECT_EQ(lane::pk_ashr_i16(0x80008000u, 0x00010002u), 0xc000e000u);
  EXPECT_EQ(lane::pk_add_f16(0x3c004000u, 0xbc004000u), 0x00004400u);
  EXPECT_EQ(lane::pk_mul_f16(0x40004200u, 0xc0004200u), 0xc4004880u);
  EXPECT_EQ(lane::pk_fma_f16(0x40004200u, 0x40004200u, 0x3c003c00u), 0x45004900u);
  EXPECT_EQ(lane::pk_min_num_f16(0x7e00bc00u, 0x3c003c00u), 0x3c00bc00u);
  EXPECT_EQ(lane::pk_max_ieee_f16(0x7c01bc00u, 0x3c003c00u), 0x7e013c00u);
  EXPECT_EQ(lane::pk_clamp_f16(0x45008001u), 0x3c000000u);
  EXPECT_EQ(lane::select_halves(0x22221111u, true, false), 0x11112222u);
}

TEST(Packed, MixedPrecision) {
  EXPECT_EQ(lane::mix_source(0x40400000u, false, false, false, false), 3.0f);
  EXPECT_EQ(lane::mix_source(0xc2003c00u, false, true, false, false), 1.0f);
  EXPECT_EQ(lane::mix_source(0xc2003c00u, true, true, false, false), -3.0f);
  EXPECT_EQ(lane::mix_source(0xc2003c00u, true, true, true, false), 3.0f);
  EXPECT_EQ(lane::mix_source(0xc2003c00u, true, true, true, true), -3.0f);
  EXPECT_EQ(lane::fma_mix_f16(2.0f, 3.0f, 0.5f).bits, 0x4680);
  // Rounded to f32 first: 1 + 2^-11 + 2^-25 becomes the tie 1 + 2^-11, which goes to 1.
  EXPECT_EQ(lane::fma_mix_f16(0x1p-25f, 1.0f, 1.00048828125f).bits, 0x3c00);
}

}  // namespace numerics_test::dot_tests
