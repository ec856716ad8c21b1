// Every kernel in every value of every axis (optimisation, wave size, vector level, threads, mode), any two
// values of two axes together. The full product is the target `e2e_product`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "tests/e2e/launch_case.h"

namespace mockgpu::test {
namespace {

class Matrix : public testing::TestWithParam<KernelCase> {
 protected:
  static Devices& devices() {
    static Devices all;
    return all;
  }
  static const KernelCase& with_wave(const KernelCase& one, unsigned wave) {
    static const std::vector<KernelCase> wide = kernel_cases(64);
    if (wave == 32) return one;
    return *std::find_if(wide.begin(), wide.end(), [&](const KernelCase& w) { return w.name == one.name; });
  }
};

TEST_P(Matrix, PairsOfEverything) {
  const char* chosen = std::getenv("MOCKGPU");
  if (chosen && std::string_view(chosen) == "off") GTEST_SKIP() << "the places are mock machines";
  for (const Place& place : places_of(GetParam(), cover_of_places())) {
    EXPECT_EQ(devices().check(with_wave(GetParam(), place.variant.wave), place), "") << name_of(place);
  }
}

TEST(Cover, MeetsEveryPairOfValues) {
  const auto values = [](const Place& place) {
    std::vector<std::string> all{std::to_string(place.variant.optimisation),
                                 std::to_string(place.variant.wave)};
    for (std::size_t at = 0; (at = place.machine.find('=', at)) != std::string::npos; ++at)
      all.push_back(place.machine.substr(at + 1, place.machine.find(';', at) - at - 1));
    return all;
  };
  const auto pairs = [&](const std::vector<Place>& places) {
    std::set<std::string> met;
    for (const Place& place : places) {
      const auto all = values(place);
      for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
          met.insert(std::to_string(i) + all[i] + ' ' + std::to_string(j) + all[j]);
      }
    }
    return met;
  };
  EXPECT_EQ(cover_of_places().size(), 12u);
  EXPECT_EQ(pairs(cover_of_places()), pairs(product_of_places()));
}

INSTANTIATE_TEST_SUITE_P(All, Matrix, testing::ValuesIn(kernel_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace

void PrintTo(const KernelCase& kernel_case, std::ostream* out) { *out << kernel_case.name; }

}  // namespace mockgpu::test
