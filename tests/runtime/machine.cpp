#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "isa/base/error.h"
#include "runtime/io/tracing_file_io.h"
#include "runtime/platform.h"
#include "tests/runtime/on_machine.h"

// The runtime against the mock machine, whole: the same calls and packets as on hardware.

namespace mockgpu::runtime::machine_tests {

using MachineTest = OnMachine;

TEST_P(MachineTest, Vecadd) {
  // Not a multiple of the workgroup: the last one is partial.
  const std::vector<float> a = counting(1000, 0), b = counting(1000, 0.5);
  const Buffer device_a = upload(a), device_b = upload(b), device_c = upload(std::vector<float>(1024, -1));
  const auto program = device->load_program(read_kernel_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");
  LaunchShape shape;
  shape.grid.x = 1000;
  shape.group.x = 256;
  shape.timed = true;
  device->launch(kernel, shape,
                 Arguments(kernel).add(device_a).add(device_b).add(device_c).add(1000u).bytes());
  std::vector<float> c(1024);
  device->download(c, device_c);
  for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(c[i], a[i] + b[i]) << i;
  for (std::size_t i = 1000; i < 1024; ++i) ASSERT_EQ(c[i], -1.0f) << i;
  const auto time = device->kernel_time();
  ASSERT_TRUE(time);
  EXPECT_LT(time->start_ns, time->end_ns);
}

TEST_P(MachineTest, CopiesAndFills) {
  std::vector<std::uint32_t> data(1'300'000);  // several staging buffers
  std::iota(data.begin(), data.end(), 1u);
  const std::size_t bytes = data.size() * 4;
  const Buffer a = device->allocate(bytes), b = device->allocate(bytes);
  device->upload(a, data);
  device->copy(b.address + 4, a.address, bytes - 4);
  device->fill(b.address, 0x11, 3);
  std::vector<std::uint32_t> back(data.size());
  device->download(back, b);
  EXPECT_EQ(back[0], 0x111111u);
  EXPECT_TRUE(std::equal(back.begin() + 1, back.end(), data.begin()));

  const Buffer host = device->allocate(4096, MemoryKind::host);
  device->fill(host.address, 0xee, 4096);
  device->synchronize();
  EXPECT_EQ(host.host[4095], std::byte{0xee});
}

TEST_P(MachineTest, ManyThreadsManyLaunches) {
  const auto program = device->load_program(read_kernel_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      const std::vector<float> a = counting(64, static_cast<float>(t));
      const Buffer device_a = upload(a), device_c = upload(a);
      for (int i = 0; i < 50; ++i) {
        LaunchShape shape;
        shape.grid.x = shape.group.x = 64;
        const Point point = device->launch(
            kernel, shape, Arguments(kernel).add(device_a).add(device_c).add(device_c).add(64u).bytes());
        if (i % 10 == t) device->wait(point);
      }
      std::vector<float> c(64);
      device->download(c, device_c);
      for (std::size_t i = 0; i < c.size(); ++i) EXPECT_EQ(c[i], 51 * a[i]);
      device->free(device_a);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(MachineTest, FaultsAndHangsAreErrors) {
  const auto tag_of = [&](const std::string& file) {
    const auto opened = emu::open_machine(std::string(GetParam()) + ";log=off;hang=1000000");
    const auto gpu = open_device(*opened.io);
    const auto program = gpu->load_program(read_kernel_file(file));
    const Kernel& kernel = *program->kernels()[0];
    LaunchShape shape;
    shape.grid.x = shape.group.x = std::max(kernel.required_group[0], 64u);
    try {
      gpu->launch(kernel, shape, std::vector<std::byte>(kernel.explicit_bytes));
      gpu->synchronize();
    } catch (const Error& error) {
      EXPECT_FALSE(opened.machine->reports().empty()) << file;
      EXPECT_THROW(gpu->synchronize(), Error);
      return error.tag();
    }
    return Tag::failed;
  };
  EXPECT_EQ(tag_of("unmapped.co"), Tag::memory_fault);
  EXPECT_EQ(tag_of("endless.co"), Tag::hang);
  EXPECT_EQ(tag_of("undecodable.co"), Tag::hang);  // KFD knows only that the queue stopped
}

TEST_P(MachineTest, OnePlatformOpensDevicesAgain) {
  const auto opened = emu::open_machine(std::string("2xgfx1100") + GetParam() + ";log=off");
  Platform platform(*opened.io);
  ASSERT_EQ(platform.devices().size(), 2u);
  for (int round = 0; round < 2; ++round) {
    const auto one = platform.open(0), two = platform.open(1);
    for (Device* gpu : {one.get(), two.get()}) {
      const Buffer buffer = gpu->allocate(64);
      gpu->fill(buffer.address, 7, 64);
      std::uint8_t value = 0;
      gpu->copy_out(std::as_writable_bytes(std::span(&value, 1)), buffer.address + 63);
      EXPECT_EQ(value, 7);
    }
  }
}

TEST_P(MachineTest, AFaultOfOneDeviceLeavesTheOtherAlone) {
  const auto opened = emu::open_machine(std::string("2xgfx1100") + GetParam() + ";log=off");
  Platform platform(*opened.io);
  const auto one = platform.open(0), two = platform.open(1);
  one->fill(0x1000, 7, 64);
  EXPECT_THROW(one->synchronize(), Error);
  const Buffer buffer = two->allocate(std::size_t{64} << 20);
  for (int i = 1; i <= 20; ++i) two->fill(buffer.address, static_cast<std::uint8_t>(i), buffer.size);
  two->synchronize();  // long enough to sleep in the driver
  std::uint8_t value = 0;
  two->copy_out(std::as_writable_bytes(std::span(&value, 1)), buffer.address + buffer.size - 1);
  EXPECT_EQ(value, 20);
}

// Addresses depend on what else lives in this process; the calls do not.
TEST_P(MachineTest, TracesListTheSameCallsInEveryRun) {
  std::vector<std::string> traces[2];
  for (auto& calls : traces) {
    const auto opened = emu::open_machine(std::string(GetParam()) + ";log=off");
    TracingFileIo io(*opened.io, [&](std::string_view line) {
      const bool is_ioctl = line.substr(0, 5) == "ioctl";
      const std::size_t start = is_ioctl ? line.find("AMDKFD") : 0;
      const std::string name(line.substr(start, line.find_first_of("(,", start) - start));
      // How often a wait asks the driver depends on time.
      if (name != "AMDKFD_IOC_WAIT_EVENTS") calls.push_back(name);
    });
    const auto gpu = open_device(io);
    gpu->allocate(100, MemoryKind::host);
    gpu->load_program(read_kernel_file("vecadd.co"));
  }
  EXPECT_EQ(traces[0], traces[1]);
  EXPECT_THAT(traces[0], testing::IsSupersetOf(
                             {"openat", "AMDKFD_IOC_CREATE_QUEUE", "AMDKFD_IOC_DESTROY_EVENT", "close"}));
}

INSTANTIATE_TEST_SUITE_P(Modes, MachineTest, testing::ValuesIn(kModes), mode_name);

}  // namespace mockgpu::runtime::machine_tests
