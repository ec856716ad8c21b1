// 200 random programs (generate.py), prebuilt: the mock GPU computes what the host does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emu/machine.h"
#include "isa/base/error.h"
#include "runtime/platform.h"
#include "tests/random/run_set.h"

namespace mockgpu::test {
namespace {

class RandomPrograms : public testing::TestWithParam<std::string> {};

TEST_P(RandomPrograms, ComputeWhatTheHostDoes) {
  for (const char* spec : {"gfx1100;mode=inline;threads=1;level=baseline", "gfx1100;mode=async;threads=2",
                           "gfx1100;mode=seeded;seed=7"}) {
    SCOPED_TRACE(spec);
    const emu::OpenedMachine machine = emu::open_machine(spec);
    const auto device = runtime::open_device(*machine.io);
    unsigned count = 0;
    try {
      EXPECT_THAT(run_set(MOCKGPU_TEST_DATA "/random/gfx1100", GetParam(), *device, count),
                  testing::IsEmpty());
    } catch (const Error& error) {
      FAIL() << format_error(error);
    }
    EXPECT_GE(count, 3u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RandomPrograms, testing::ValuesIn(set_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace mockgpu::test
