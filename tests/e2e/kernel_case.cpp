#include "tests/e2e/kernel_case.h"

namespace mockgpu::test {

std::vector<KernelCase> kernel_cases(unsigned wave) {
  std::vector<KernelCase> cases;
  for (auto& area : {memory_cases(), group_cases(wave), math_cases(), portable_cases(), lane_cases(wave),
                     access_cases(), matrix_cases(wave), format_cases()}) {
    for (const KernelCase& one : area) {
      if (wave == 32 || one.objects == Objects::every) cases.push_back(one);
    }
  }
  return cases;
}

std::string kernel_path(const KernelCase& kernel_case, const Variant& variant) {
  const char* wave = variant.wave == 64 ? "_wave64" : "";
  const bool plain =
      kernel_case.objects == Objects::single || (variant.optimisation == 2 && variant.wave == 32);
  const std::string folder = plain ? "" : fmt::format("O{}{}/", variant.optimisation, wave);
  return fmt::format("{}/kernels/gfx1100/{}{}.co", MOCKGPU_TEST_DATA, folder, kernel_case.file);
}

}  // namespace mockgpu::test
