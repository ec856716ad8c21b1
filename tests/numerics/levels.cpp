#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/numerics/level_table.h"
#include "tests/numerics/reference.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace numerics_test::levels_tests {

#ifdef MOCKGPU_TEST_V3

std::uint64_t random_operand(Random& random, Operand kind) {
  switch (kind) {
    case Operand::kF16: return random.f16_bits() | static_cast<std::uint64_t>(random.f16_bits()) << 16;
    case Operand::kF32: return random.f32_bits();
    case Operand::kF64: return random.f64_bits();
    default: return random.next();
  }
}

bool host_has_v3() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
         __builtin_cpu_supports("bmi2") != 0;
}

void compare_rows(int rounds) {
  constexpr int kLanes = 64;
  const auto low = baseline::level_rows();
  const auto high = v3::level_rows();
  ASSERT_EQ(low.size(), high.size());
  for (std::size_t row = 0; row < low.size(); ++row) {
    Random random(1000 + row);
    std::array<std::array<std::uint64_t, kLanes>, 5> v{};
    for (int round = 0; round < rounds; ++round) {
      for (int i = 0; i < kLanes; ++i) {
        for (int operand = 0; operand < 3; ++operand) {
          v[static_cast<std::size_t>(operand)][static_cast<std::size_t>(i)] =
              random_operand(random, low[row].operand);
        }
      }
      low[row].run(v[0].data(), v[1].data(), v[2].data(), v[3].data(), kLanes);
      high[row].run(v[0].data(), v[1].data(), v[2].data(), v[4].data(), kLanes);
      for (std::size_t i = 0; i < kLanes; ++i) {
        ASSERT_EQ(v[3][i], v[4][i]) << low[row].name << std::hex << " of " << v[0][i] << ", " << v[1][i]
                                    << ", " << v[2][i];
      }
    }
  }
}

TEST(Levels, SameBits) {
  if (!host_has_v3()) GTEST_SKIP() << "the host lacks AVX2, FMA or BMI2";
  compare_rows(200);
}

TEST(Levels, SameBitsOfMatrices) {
  if (!host_has_v3()) GTEST_SKIP() << "the host lacks AVX2, FMA or BMI2";
  const auto low = baseline::level_matrices();
  const auto high = v3::level_matrices();
  for (std::size_t row = 0; row < low.size(); ++row) {
    Random random(2000 + row);
    for (int round = 0; round < 100; ++round) {
      std::array<std::array<std::uint32_t, 256>, 4> v{};
      for (auto& matrix : v) {
        for (auto& x : matrix) {
          x = static_cast<std::uint32_t>(random_operand(random, low[row].operand));
          // Half of the rounds without infinities, which would make most results NaN.
          if (round % 2 == 0 && low[row].operand == Operand::kF16) x &= 0xbfffbfffu;
        }
      }
      auto other = v[3];
      low[row].run(v[0].data(), v[1].data(), v[2].data(), v[3].data());
      high[row].run(v[0].data(), v[1].data(), v[2].data(), other.data());
      ASSERT_EQ(v[3], other) << low[row].name;
    }
  }
}

#else

TEST(Levels, SameBits) { GTEST_SKIP() << "no second level on this architecture"; }

#endif

#if defined(__x86_64__)

/// MXCSR with flags set, until the end of the scope.
class WithMxcsr {
 public:
  explicit WithMxcsr(unsigned extra) : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | extra); }
  ~WithMxcsr() { _mm_setcsr(saved_); }
  WithMxcsr(const WithMxcsr&) = delete;
  WithMxcsr& operator=(const WithMxcsr&) = delete;

 private:
  unsigned saved_;
};
constexpr unsigned kFlushToZero = 0x8000;
constexpr unsigned kDenormalsAreZero = 0x0040;

// The flush mode of f32 must not reach 16-bit functions, and f32 ones must show it.
TEST(Levels, FlushingF32LeavesF16Alone) {
  constexpr int kLanes = 64;
  for (const LevelRow& row : baseline::level_rows()) {
    const std::string name = row.name;
    if (row.operand != Operand::kF16 || name.find("fma_mix") != std::string::npos ||
        name.find("dot2_f32") != std::string::npos) {
      continue;
    }
    Random random(3000);
    std::array<std::uint64_t, kLanes> a{};
    std::array<std::uint64_t, kLanes> b{};
    std::array<std::uint64_t, kLanes> c{};
    std::array<std::uint64_t, kLanes> kept{};
    std::array<std::uint64_t, kLanes> flushed{};
    for (int round = 0; round < 100; ++round) {
      for (std::size_t i = 0; i < kLanes; ++i) {
        a[i] = random.f16_bits();
        b[i] = random.f16_bits();
        c[i] = random.f16_bits();
      }
      row.run(a.data(), b.data(), c.data(), kept.data(), kLanes);
      {
        const WithMxcsr mode(kFlushToZero | kDenormalsAreZero);
        row.run(a.data(), b.data(), c.data(), flushed.data(), kLanes);
      }
      ASSERT_EQ(kept, flushed) << name;
    }
  }
}

#endif

}  // namespace numerics_test::levels_tests
