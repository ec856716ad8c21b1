// Every kernel of tests/kernels through the runtime: the reference result, and the same bits everywhere.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "emu/amd/wave/lane_kernels.h"
#include "tests/e2e/launch_case.h"

namespace mockgpu::test {
namespace {

/// Machines that results must agree on, bit for bit: the levels that this host has, with little and with much
/// going on at once (matrix.cpp has all the others). On real hardware there is one machine.
std::vector<std::string> machines() {
  const char* chosen = std::getenv("MOCKGPU");
  if (chosen && std::string_view(chosen) == "off") return {"off"};
  std::vector<std::string> specs;
  for (const char* level : {"baseline", "v3", "v4"}) {
    if (!emu::amd::find_level(level)) continue;
    for (const char* mode : {"mode=inline;threads=1", "mode=async;threads=2"})
      specs.push_back(fmt::format("gfx1100;{};level={}", mode, level));
  }
  return specs;
}

class Kernels : public testing::TestWithParam<KernelCase> {};

TEST_P(Kernels, GiveTheReferenceResultOnEveryMachine) {
  Outputs first;
  for (const std::string& machine : machines()) {
    SCOPED_TRACE(machine);
    try {
      const emu::OpenedMachine opened = emu::open_machine(machine);
      const auto device = runtime::open_device(*opened.io);
      if (device->info().target != "gfx1100")
        GTEST_SKIP() << "needs a gfx1100, this is a " << device->info().target;
      const Outputs outputs = run(GetParam(), *device);
      EXPECT_EQ(GetParam().check(outputs), "");
      if (first.empty()) first = outputs;
      EXPECT_TRUE(outputs == first) << "other bits than on the first machine";
    } catch (const Error& error) {
      FAIL() << format_error(error);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(kernel_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace

void PrintTo(const KernelCase& kernel_case, std::ostream* out) { *out << kernel_case.name; }

}  // namespace mockgpu::test
