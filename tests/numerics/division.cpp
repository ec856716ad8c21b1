#include "emu/amd/wave/numerics/division.h"

#include <gtest/gtest.h>

#include "emu/amd/wave/numerics/approx.h"
#include "emu/amd/wave/numerics/arithmetic.h"
#include "tests/numerics/reference.h"

#ifdef MOCKGPU_TEST_MPFR
#include <mpfr.h>
#endif

namespace numerics_test::division_tests {

using lane::F16;

/// The sequence that compilers emit for an IEEE division n / d.
template <typename F>
F divide(F n, F d) {
  const auto scaled_d = lane::div_scale(d, d, n);
  const auto scaled_n = lane::div_scale(n, d, n);
  const F seed = lane::rcp(scaled_d.value);
  const F minus_d = lane::neg(scaled_d.value);
  const F e0 = lane::fma(minus_d, seed, F{1});
  F r = lane::fma(e0, seed, seed);
  if (sizeof(F) == 8) {
    const F e1 = lane::fma(minus_d, r, F{1});
    r = lane::fma(r, e1, r);
  }
  F q = lane::mul(scaled_n.value, r);
  if (sizeof(F) == 4) {
    const F e1 = lane::fma(minus_d, q, scaled_n.value);
    q = lane::fma(e1, r, q);
  }
  const F e2 = lane::fma(minus_d, q, scaled_n.value);
  return lane::div_fixup(lane::div_fmas(e2, r, q, scaled_n.post_scale), d, n);
}

TEST(Division, F32SequenceIsCorrectlyRounded) {
  Random random(21);
  for (int i = 0; i < 400000; ++i) {
    std::uint32_t nb = random.f32_bits();
    std::uint32_t db = random.f32_bits();
    if (i % 4 == 1) nb = (db + random.below(64) - 32) ^ (random.u32() & 0x80000000u);  // quotients near 1
    if (i % 4 == 2) nb &= 0x83ffffffu;                                                 // tiny numerators
    if (i % 8 == 3) db = (db & 0x81ffffffu) | 0x7e000000u;                             // huge denominators
    const float n = f32(nb);
    const float d = f32(db);
    const float got = divide(n, d);
    if (std::isnan(n) || std::isnan(d)) {
      ASSERT_EQ(bits(got), (std::isnan(n) ? nb : db) | 0x00400000u);
      continue;
    }
    const float want = n / d;
    ASSERT_EQ(bits(got), std::isnan(want) ? 0x7fc00000u : bits(want)) << std::hexfloat << n << " / " << d;
  }
}

TEST(Division, F64SequenceIsCorrectlyRounded) {
  Random random(22);
  for (int i = 0; i < 300000; ++i) {
    std::uint64_t nb = random.f64_bits();
    std::uint64_t db = random.f64_bits();
    if (i % 4 == 1) nb = (db + random.below(64) - 32) ^ (random.next() & 0x8000000000000000u);
    if (i % 4 == 2) nb &= 0x83ffffffffffffffu;
    if (i % 8 == 3) db = (db & 0x803fffffffffffffu) | 0x7fc0000000000000u;
    const double n = f64(nb);
    const double d = f64(db);
    const double got = divide(n, d);
    if (std::isnan(n) || std::isnan(d)) {
      ASSERT_EQ(bits(got), (std::isnan(n) ? nb : db) | 0x0008000000000000u);
      continue;
    }
    const double want = n / d;
    ASSERT_EQ(bits(got), std::isnan(want) ? 0x7ff8000000000000u : bits(want))
        << std::hexfloat << n << " / " << d;
  }
}

// Single points that were observed on hardware (facts/isa/semantics.json, source T).
TEST(Division, ScaleAsObserved) {
  const auto expect = [](float s0, float s1, float s2, float value, bool flag) {
    const auto got = lane::div_scale(s0, s1, s2);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(got.value));
    } else {
      EXPECT_EQ(got.value, value);
    }
    EXPECT_EQ(got.post_scale, flag);
  };
  const float nan = f32(0x7fc00000);
  expect(1.0f, 4.0f, 1.0f, 1.0f, false);
  expect(4.0f, 4.0f, 1.0f, 4.0f, false);
  expect(1.0f, 0.0f, 1.0f, nan, true);
  expect(0.0f, 1.0f, 0.0f, nan, true);
  expect(1.0f, 1.0f, f32(0x7f7fffff), 0x1p64f, true);
  expect(0x1p-126f, 1.0f, 0x1p-126f, 0x1p-62f, true);
  // Denormals count as zero where the mode flushes them.
  expect(lane::flush(f32(1)), lane::flush(f32(1)), 1.0f, nan, true);
  EXPECT_EQ(lane::div_scale(1.4142135623730951, 1.4142135623730951, 1.0).value, 1.4142135623730951);
}

TEST(Division, FmasAsObserved) {
  EXPECT_EQ(lane::div_fmas(2.0f, 3.0f, 1.0f, false), 7.0f);
  EXPECT_EQ(lane::div_fmas(1.0f, 1.0f, 2.0f, true), 3.0f * 0x1p64f);
  EXPECT_EQ(lane::div_fmas(2.0f, 3.0f, 1.0f, true), 7.0f * 0x1p-64f);
  EXPECT_EQ(lane::div_fmas(1.0, 1.0, 2.0, true), 3.0 * 0x1p128);
  EXPECT_EQ(lane::div_fmas(2.0, 3.0, 1.0, true), 7.0 * 0x1p-128);
}

TEST(Division, FixupRules) {
  const float inf = f32(0x7f800000);
  const float nan = f32(0x7fc00000);
  EXPECT_EQ(lane::div_fixup(3.0f, 2.0f, 6.0f), 3.0f);
  EXPECT_EQ(lane::div_fixup(3.0f, -2.0f, 6.0f), -3.0f);
  EXPECT_EQ(bits(lane::div_fixup(1.0f, f32(0xff800002), f32(0x7f800001))),
            0x7fc00001u);  // the numerator first
  EXPECT_EQ(bits(lane::div_fixup(1.0f, 0.0f, 0.0f)), 0x7fc00000u);
  EXPECT_EQ(bits(lane::div_fixup(1.0f, inf, -inf)), 0x7fc00000u);
  EXPECT_EQ(lane::div_fixup(1.0f, 0.0f, -1.0f), -inf);
  EXPECT_EQ(bits(lane::div_fixup(1.0f, -2.0f, 0.0f)), 0x80000000u);
  EXPECT_EQ(bits(lane::div_fixup(1.0f, inf, 1.0f)), 0u);
  EXPECT_EQ(lane::div_fixup(1.0f, 1.0f, inf), inf);
  EXPECT_EQ(lane::div_fixup(nan, 1.0f, 1.0f), inf);
  EXPECT_EQ(lane::div_fixup(nan, 1.0f, -1.0f), -inf);
  EXPECT_EQ(lane::div_fixup(f64(0x7ff8000000000000), 1.0, -1.0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(lane::div_fixup(F16{0x4200}, F16{0xc000}, F16{0x4600}).bits, 0xc200);
  EXPECT_EQ(lane::div_fixup(F16{0x4200}, F16{0x0000}, F16{0x8000}).bits, 0x7e00);
  EXPECT_EQ(lane::div_fixup(F16{0x4200}, F16{0x0000}, F16{0xc600}).bits, 0xfc00);
}

#ifdef MOCKGPU_TEST_MPFR
TEST(Division, TrigPreopIsASegmentOfTwoOverPi) {
  mpfr_t value;
  mpfr_init2(value, 1300);
  mpfr_const_pi(value, MPFR_RNDN);
  mpfr_ui_div(value, 2, value, MPFR_RNDN);
  mpz_t digits;  // the 1201 bits behind the point
  mpz_init(digits);
  mpfr_mul_2ui(value, value, 1201, MPFR_RNDN);
  mpfr_get_z(digits, value, MPFR_RNDZ);
  for (const double x : {1.0, 0x1p54, 0x1p55, 0x1p500, 0x1p944, 0x1p945, 0x1p1023}) {
    for (std::uint32_t segment = 0; segment < 34; ++segment) {
      const int exponent = std::ilogb(x) + 1023;
      const int shift = static_cast<int>(segment % 32) * 53 + (exponent > 1077 ? exponent - 1077 : 0);
      std::uint64_t bits53 = 0;
      for (int i = 0; i < 53; ++i) {
        const int at = 1200 - shift - i;
        bits53 = bits53 << 1 | (at >= 0 && mpz_tstbit(digits, static_cast<mp_bitcnt_t>(at)) != 0 ? 1u : 0u);
      }
      const double want = std::ldexp(static_cast<double>(bits53), -53 - shift + (exponent >= 1968 ? 128 : 0));
      ASSERT_EQ(lane::trig_preop(x, segment), want) << x << " " << segment;
    }
  }
  mpz_clear(digits);
  mpfr_clear(value);
}
#endif

}  // namespace numerics_test::division_tests
