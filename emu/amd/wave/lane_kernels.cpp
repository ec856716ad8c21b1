#include "emu/amd/wave/lane_kernels.h"

#include <string_view>

#if defined(MOCKGPU_HAS_V3)
#include <cpuid.h>
#endif

namespace mockgpu::emu::amd {

namespace baseline {
const VectorTable& vector_table();
const MemoryTable& memory_table();
}  // namespace baseline
#if defined(MOCKGPU_HAS_V3)
namespace v3 {
const VectorTable& vector_table();
const MemoryTable& memory_table();
}  // namespace v3
#endif

namespace {

#if defined(MOCKGPU_HAS_V3)
bool host_has_v3() {
  // clang 14 has no name for F16C in __builtin_cpu_supports.
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  const bool f16c = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
  return f16c && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#endif

}  // namespace

const LaneKernels* find_level(const char* name_or_null) {
#if defined(MOCKGPU_HAS_V3)
  if (host_has_v3()) {
    static const LaneKernels level{"v3", &v3::vector_table(), &v3::memory_table()};
    if (name_or_null == nullptr || std::string_view(name_or_null) == level.name) return &level;
  }
#endif
  static const LaneKernels level{"baseline", &baseline::vector_table(), &baseline::memory_table()};
  if (name_or_null == nullptr || std::string_view(name_or_null) == level.name) return &level;
  return nullptr;
}

}  // namespace mockgpu::emu::amd
