#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <thread>

#include "isa/base/error.h"
#include "runtime/platform.h"
#include "tests/runtime/on_machine.h"

// What takes longer than a quick test may.

namespace mockgpu::runtime::machine_long_tests {

using std::chrono::milliseconds;
using MachineLong = OnMachine;

INSTANTIATE_TEST_SUITE_P(Modes, MachineLong, testing::ValuesIn(kModes), mode_name);

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST_P(MachineLong, MemoryDoesNotGrowWithLaunches) {
  const auto program = device->load_program(read_kernel_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");
  const Buffer a = upload(counting(64, 0));
  LaunchShape shape;
  shape.grid.x = shape.group.x = 64;
  const Arguments arguments = Arguments(kernel).add(a).add(a).add(a).add(64u);
  std::uint64_t half = 0;
  for (int i = 1; i <= 200'000; ++i) {
    const Point point = device->launch(kernel, shape, arguments.bytes());
    if (i % 16 == 0) device->wait(point);
    if (i == 100'000) half = resident_bytes();
  }
  device->synchronize();
  const std::uint64_t end = resident_bytes();
  EXPECT_LT(end, half + (1 << 20)) << "grew from " << half;
}

// Everything takes longer together than a hang may, but something ends all the time.
TEST_P(MachineLong, ProgressRestartsTheHangTimeout) {
  const Signal signal = device->make_signal();
  const auto queue = device->make_copy_queue();
  const Variable step = queue->variable("step");
  queue->wait(signal, step);
  constexpr std::uint32_t kSteps = 6;
  for (std::uint32_t i = 1; i <= kSteps; ++i) {
    queue->set(step, i);
    device->submit(*queue);
  }
  device->set_hang_timeout(milliseconds(1500));
  std::thread host([&] {
    for (std::uint32_t i = 1; i <= kSteps; ++i) {
      std::this_thread::sleep_for(milliseconds(400));
      signal.set(i);
    }
  });
  EXPECT_NO_THROW(device->synchronize());
  host.join();
}

// Closing a device does not wait for a kernel that never ends.
TEST_P(MachineLong, ClosesWhileAKernelRunsForEver) {
#ifndef NDEBUG
  if (GetParam() != std::string(";mode=async"))
    GTEST_SKIP() << "without optimisation the turns before the driver is asked take minutes";
#endif
  const auto opened = emu::open_machine(std::string(GetParam()) + ";log=off");
  Platform platform(*opened.io);
  {
    const auto gpu = platform.open(0);
    const auto program = gpu->load_program(read_kernel_file("endless.co"));
    const Kernel& kernel = *program->kernels()[0];
    LaunchShape shape;
    shape.grid.x = shape.group.x = std::max(kernel.required_group[0], 32u);
    gpu->launch(kernel, shape, std::vector<std::byte>(kernel.explicit_bytes));
    gpu->set_hang_timeout(milliseconds(20));  // the program's destructor waits, and gives up
  }
  const auto gpu = platform.open(0);
  const Buffer buffer = gpu->allocate(64, MemoryKind::host);
  gpu->fill(buffer.address, 7, 64);
  gpu->synchronize();
  EXPECT_EQ(buffer.host[63], std::byte{7});
}

}  // namespace mockgpu::runtime::machine_long_tests
