// Every kernel in the full product of all axes: `e2e_product [NAME]`, minutes. Not part of ctest, which runs
// a cover of all pairs.
#include <fmt/format.h>

#include <string_view>

#include "tests/e2e/launch_case.h"

int main(int count, char** words) {
  using namespace mockgpu::test;
  Devices devices;
  unsigned launches = 0, failures = 0;
  for (const unsigned wave : {32u, 64u}) {
    for (const KernelCase& one : kernel_cases(wave)) {
      if (count > 1 && one.name != words[1]) continue;
      for (const Place& place : places_of(one, product_of_places())) {
        if (place.variant.wave != wave) continue;
        ++launches;
        const std::string wrong = devices.check(one, place);
        if (wrong.empty()) continue;
        ++failures;
        fmt::print("{} {}: {}\n", one.name, name_of(place), wrong);
      }
    }
  }
  fmt::print("{} launches, {} failures\n", launches, failures);
  return failures ? 1 : 0;
}
