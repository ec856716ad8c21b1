#include "emu/amd/wave/numerics/approx.h"

#include <gtest/gtest.h>

#include "tests/numerics/reference.h"

#ifdef MOCKGPU_TEST_MPFR
#include <mpfr.h>
#endif

namespace numerics_test::approx_tests {

using lane::F16;

// Values that the manual prints (RDNA3.5 ISA 16.12); the sign of a NaN is ours (NAN-1).
TEST(Approx, ManualExamples) {
  const float inf = f32(0x7f800000);
  EXPECT_EQ(bits(lane::exp(-inf)), 0u);
  EXPECT_EQ(bits(lane::exp(-0.0f)), 0x3f800000u);
  EXPECT_EQ(bits(lane::exp(inf)), 0x7f800000u);
  EXPECT_EQ(bits(lane::log(-inf)), 0x7fc00000u);
  EXPECT_EQ(bits(lane::log(-1.0f)), 0x7fc00000u);
  EXPECT_EQ(bits(lane::log(-0.0f)), 0xff800000u);
  EXPECT_EQ(bits(lane::log(0.0f)), 0xff800000u);
  EXPECT_EQ(bits(lane::log(1.0f)), 0u);
  EXPECT_EQ(bits(lane::log(inf)), 0x7f800000u);
  EXPECT_EQ(bits(lane::rcp(-inf)), 0x80000000u);
  EXPECT_EQ(bits(lane::rcp(-2.0f)), 0xbf000000u);
  EXPECT_EQ(bits(lane::rcp(-0.0f)), 0xff800000u);
  EXPECT_EQ(bits(lane::rcp(0.0f)), 0x7f800000u);
  EXPECT_EQ(bits(lane::rcp(inf)), 0u);
  EXPECT_EQ(bits(lane::rsq(-inf)), 0x7fc00000u);
  EXPECT_EQ(bits(lane::rsq(-0.0f)), 0xff800000u);
  EXPECT_EQ(bits(lane::rsq(0.0f)), 0x7f800000u);
  EXPECT_EQ(bits(lane::rsq(4.0f)), 0x3f000000u);
  EXPECT_EQ(bits(lane::rsq(inf)), 0u);
  EXPECT_EQ(bits(lane::sqrt(-inf)), 0x7fc00000u);
  EXPECT_EQ(bits(lane::sqrt(-0.0f)), 0x80000000u);
  EXPECT_EQ(bits(lane::sqrt(4.0f)), 0x40000000u);
  EXPECT_EQ(bits(lane::sin(-inf)), 0x7fc00000u);
  EXPECT_EQ(bits(lane::sin(f32(0xff7fffff))), 0u);
  EXPECT_EQ(bits(lane::sin(-0.0f)), 0x80000000u);
  EXPECT_EQ(bits(lane::sin(0.25f)), 0x3f800000u);
  EXPECT_EQ(bits(lane::cos(f32(0xff7fffff))), 0x3f800000u);
  EXPECT_EQ(bits(lane::cos(-0.0f)), 0x3f800000u);
  EXPECT_EQ(bits(lane::cos(0.25f)), 0u);
  EXPECT_EQ(bits(lane::cos(inf)), 0x7fc00000u);
  EXPECT_EQ(lane::rcp(F16{0xc000}).bits, 0xb800);
  EXPECT_EQ(lane::rcp(F16{0x8000}).bits, 0xfc00);
  EXPECT_EQ(lane::sqrt(F16{0xfc00}).bits, 0x7e00);
  EXPECT_EQ(lane::rsq(F16{0x4400}).bits, 0x3800);
  EXPECT_EQ(lane::log(F16{0x8000}).bits, 0xfc00);
  EXPECT_EQ(lane::log(F16{0x3c00}).bits, 0x0000);
  EXPECT_EQ(lane::exp(F16{0xfc00}).bits, 0x0000);
  EXPECT_EQ(lane::sin(F16{0xfbff}).bits, 0x0000);
  EXPECT_EQ(lane::sin(F16{0x3400}).bits, 0x3c00);
  EXPECT_EQ(lane::cos(F16{0x7bff}).bits, 0x3c00);
}

TEST(Approx, DenormalsOfF32AreFlushed) {
  EXPECT_EQ(bits(lane::rcp(f32(0x80400000))), 0xff800000u);
  EXPECT_EQ(bits(lane::rcp(0x1p127f)), 0u);
  EXPECT_EQ(bits(lane::rcp(-0x1p127f)), 0x80000000u);
  EXPECT_EQ(bits(lane::log(f32(0x00000001))), 0xff800000u);
  EXPECT_EQ(bits(lane::sqrt(f32(0x80000001))), 0x80000000u);
  EXPECT_EQ(bits(lane::rsq(f32(0x00000001))), 0x7f800000u);
  EXPECT_EQ(bits(lane::exp(-126.0f)), 0x00800000u);
  EXPECT_EQ(bits(lane::exp(-126.00001f)), 0u);
  EXPECT_EQ(bits(lane::exp(-1e30f)), 0u);
  EXPECT_EQ(bits(lane::exp(128.0f)), 0x7f800000u);
  EXPECT_EQ(bits(lane::exp(3e38f)), 0x7f800000u);
}

TEST(Approx, NansPassQuieted) {
  const float snan = f32(0xff800123);
  for (const float y : {lane::exp(snan), lane::log(snan), lane::rcp(snan), lane::rsq(snan), lane::sqrt(snan),
                        lane::sin(snan), lane::cos(snan)}) {
    EXPECT_EQ(bits(y), 0xffc00123u);
  }
  EXPECT_EQ(lane::exp(F16{0xfc01}).bits, 0xfe01);
}

TEST(Approx, ExactPowersAndTurns) {
  for (int n = -126; n < 128; ++n) {
    EXPECT_EQ(lane::exp(static_cast<float>(n)), std::ldexp(1.0f, n));
    EXPECT_EQ(lane::log(std::ldexp(1.0f, n)), static_cast<float>(n));
  }
  // Quarters of a turn, also of many turns.
  for (const float base : {0.0f, 1.0f, 255.0f, 1048576.0f, -3.0f, -1048575.0f}) {
    EXPECT_EQ(lane::sin(base), 0.0f);
    EXPECT_EQ(lane::sin(base + 0.25f), 1.0f);
    EXPECT_EQ(lane::sin(base + 0.5f), 0.0f);
    EXPECT_EQ(lane::sin(base + 0.75f), -1.0f);
    EXPECT_EQ(lane::cos(base + 0.25f), 0.0f);
    EXPECT_EQ(lane::cos(base + 0.5f), -1.0f);
  }
  EXPECT_EQ(lane::cos(4194304.5f), -1.0f);
  EXPECT_EQ(lane::sin_256(256.5f), 0.0f);
  EXPECT_EQ(lane::cos_256(256.5f), 1.0f);
  EXPECT_EQ(lane::cos_256(255.5f), -1.0f);
}

#ifdef MOCKGPU_TEST_MPFR

using Function = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);

int exact_exp(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) { return mpfr_exp2(r, x, rnd); }
int exact_log(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) { return mpfr_log2(r, x, rnd); }
int exact_rcp(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) { return mpfr_ui_div(r, 1, x, rnd); }
int exact_rsq(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) { return mpfr_rec_sqrt(r, x, rnd); }
int exact_sqrt(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) { return mpfr_sqrt(r, x, rnd); }
int scaled(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd, Function function) {
  // x minus its nearest integer first, exactly, so that 150 bits of pi are enough.
  mpfr_t turn;
  mpfr_init2(turn, 300);
  mpfr_rint(turn, x, MPFR_RNDN);
  mpfr_sub(turn, x, turn, MPFR_RNDN);
  mpfr_t pi;
  mpfr_init2(pi, 150);
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_mul(turn, turn, pi, MPFR_RNDN);
  mpfr_mul_2ui(turn, turn, 1, MPFR_RNDN);
  const int inexact = function(r, turn, rnd);
  mpfr_clear(pi);
  mpfr_clear(turn);
  return inexact;
}
int exact_sin(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) { return scaled(r, x, rnd, mpfr_sin); }
int exact_cos(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) { return scaled(r, x, rnd, mpfr_cos); }

/// |got - f(x)| in units of the last place of the exact result, in a format of `precision` bits down to
/// 2^smallest.
double error_in_ulps(Function function, double x, double got, int precision, int smallest) {
  mpfr_t exact;
  mpfr_t source;
  mpfr_init2(exact, 150);
  mpfr_init2(source, 60);
  mpfr_set_d(source, x, MPFR_RNDN);
  function(exact, source, MPFR_RNDN);
  double result = 0;
  if (mpfr_zero_p(exact) != 0) {
    result = got == 0.0 ? 0 : 1e9;
  } else {
    const long exponent = std::max<long>(mpfr_get_exp(exact) - precision, smallest);
    mpfr_sub_d(exact, exact, got, MPFR_RNDN);
    mpfr_mul_2si(exact, exact, -exponent, MPFR_RNDN);
    result = std::fabs(mpfr_get_d(exact, MPFR_RNDN));
  }
  mpfr_clear(exact);
  mpfr_clear(source);
  return result;
}

/// The largest error of an f32 function over random sources in [low, high), all signs and exponents alike.
double worst_f32(Function exact, float (*approx)(float), float low, float high, bool both_signs) {
  Random random(19);
  double worst = 0;
  const std::uint32_t span = bits(high) - bits(low);
  for (int i = 0; i < 8000; ++i) {
    const std::uint32_t sign = both_signs ? random.u32() & 0x80000000u : 0u;
    const float x = f32((bits(low) + random.below(span)) | sign);
    const float y = approx(x);
    if (!std::isfinite(y) || std::fabs(y) < 0x1p-126f) continue;
    worst = std::max(worst, error_in_ulps(exact, x, y, 24, -149));
  }
  return worst;
}
float lane_exp(float x) { return lane::exp(x); }
float lane_log(float x) { return lane::log(x); }
float lane_rcp(float x) { return lane::rcp(x); }
float lane_rsq(float x) { return lane::rsq(x); }
float lane_sqrt(float x) { return lane::sqrt(x); }
float lane_sin(float x) { return lane::sin(x); }
float lane_cos(float x) { return lane::cos(x); }

constexpr double kBoundF32 = 1.0;

TEST(Approx, F32WithinOneUlp) {
  EXPECT_LE(worst_f32(exact_exp, lane_exp, 0x1p-30f, 128.0f, true), kBoundF32);
  EXPECT_LE(worst_f32(exact_exp, lane_exp, 0.25f, 126.0f, true), kBoundF32);
  EXPECT_LE(worst_f32(exact_log, lane_log, 0x1p-126f, 0x1.fffffep127f, false), kBoundF32);
  EXPECT_LE(worst_f32(exact_log, lane_log, 0.5f, 2.0f, false), kBoundF32);
  EXPECT_LE(worst_f32(exact_log, lane_log, 0.999f, 1.001f, false), kBoundF32);
  EXPECT_LE(worst_f32(exact_rcp, lane_rcp, 0x1p-126f, 0x1p126f, true), kBoundF32);
  EXPECT_LE(worst_f32(exact_rsq, lane_rsq, 0x1p-126f, 0x1.fffffep127f, false), kBoundF32);
  EXPECT_LE(worst_f32(exact_rsq, lane_rsq, 1.0f, 4.0f, false), kBoundF32);
  EXPECT_LE(worst_f32(exact_sqrt, lane_sqrt, 0x1p-126f, 0x1.fffffep127f, false), kBoundF32);
  EXPECT_LE(worst_f32(exact_sin, lane_sin, 0x1p-120f, 0x1p24f, true), kBoundF32);
  EXPECT_LE(worst_f32(exact_sin, lane_sin, 0x1p-3f, 4.0f, true), kBoundF32);
  EXPECT_LE(worst_f32(exact_sin, lane_sin, 0.4999f, 0.5001f, true), kBoundF32);
  EXPECT_LE(worst_f32(exact_cos, lane_cos, 0x1p-120f, 0x1p24f, true), kBoundF32);
  EXPECT_LE(worst_f32(exact_cos, lane_cos, 0.2499f, 0.2501f, true), kBoundF32);
}

TEST(Approx, F16WithinTheirBoundForAllSources) {
  struct Case {
    const char* name;
    Function exact;
    F16 (*approx)(F16);
  };
  const Case cases[] = {{"exp", exact_exp, [](F16 x) { return lane::exp(x); }},
                        {"log", exact_log, [](F16 x) { return lane::log(x); }},
                        {"rcp", exact_rcp, [](F16 x) { return lane::rcp(x); }},
                        {"rsq", exact_rsq, [](F16 x) { return lane::rsq(x); }},
                        {"sqrt", exact_sqrt, [](F16 x) { return lane::sqrt(x); }},
                        {"sin", exact_sin, [](F16 x) { return lane::sin(x); }},
                        {"cos", exact_cos, [](F16 x) { return lane::cos(x); }}};
  for (const Case& c : cases) {
    double worst = 0;
    // Every fifth value, a number prime to the format's structure.
    for (std::uint32_t h = 0; h < 0x10000; h += 5) {
      const auto half = static_cast<std::uint16_t>(h);
      if (is_nan16(half) || is_inf16(half)) continue;
      const F16 got = c.approx(F16{half});
      if (is_nan16(got.bits) || is_inf16(got.bits)) continue;
      worst = std::max(worst, error_in_ulps(c.exact, value16(half), value16(got.bits), 11, -24));
    }
    EXPECT_LE(worst, 0.51) << c.name;
  }
}

TEST(Approx, F64Seeds) {
  Random random(20);
  for (int i = 0; i < 20000; ++i) {
    const double x = f64((random.next() & 0x7fffffffffffffffu) % 0x7fd0000000000000u);
    if (x < 0x1p-1022) continue;
    // Relative 2^-26 is 2^26 units of the last place at least.
    EXPECT_LE(error_in_ulps(exact_rcp, x, lane::rcp(x), 53, -1074), 0x1p26);
    EXPECT_LE(error_in_ulps(exact_rsq, x, lane::rsq(x), 53, -1074), 0x1p26);
    EXPECT_LE(error_in_ulps(exact_sqrt, x, lane::sqrt(x), 53, -1074), 0x1p26);
  }
  EXPECT_EQ(bits(lane::rcp(0.0)), 0x7ff0000000000000u);
  EXPECT_EQ(bits(lane::rsq(-0.0)), 0xfff0000000000000u);
  EXPECT_EQ(bits(lane::sqrt(-1.0)), 0x7ff8000000000000u);
}

#else

TEST(Approx, Bounds) { GTEST_SKIP() << "MPFR was not found"; }

#endif

}  // namespace numerics_test::approx_tests
