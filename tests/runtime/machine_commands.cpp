#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include "isa/base/error.h"
#include "runtime/amd/device.h"
#include "runtime/platform.h"
#include "tests/runtime/expectations.h"
#include "tests/runtime/on_machine.h"

// Recorded queues, work in flight and several devices, on the mock machine.

namespace mockgpu::runtime::machine_commands_tests {

using std::chrono::milliseconds;
using MachineCommands = OnMachine;

INSTANTIATE_TEST_SUITE_P(Modes, MachineCommands, testing::ValuesIn(kModes), mode_name);

// Work that stops the compute queue (or the copy queue) until the test opens it.
struct Gate {
  explicit Gate(Device& device, bool copies = false) : device_(&device), signal(device.make_signal()) {
    if (copies) {
      queue = device.make_copy_queue();
    } else {
      queue = device.make_compute_queue();
    }
    queue->wait(signal, 1);
    point = device.submit(*queue);
  }
  void open() { signal.set(1); }

  Device* device_;
  Signal signal;
  std::unique_ptr<CommandQueue> queue;
  Point point = 0;
};

TEST_P(MachineCommands, RecordedLaunchesWithVariables) {
  const auto program = device->load_program(read_kernel_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");
  const std::vector<float> a = counting(1000, 0), b = counting(1000, 0.5);
  const Buffer device_a = upload(a), device_b = upload(b), device_c = upload(std::vector<float>(1000, -1));
  for (const bool bound : {false, true}) {
    const auto queue = device->make_compute_queue();
    const Variable n = queue->variable("n"), out = queue->variable("out");
    CommandShape shape;
    shape.grid.x = n;
    shape.group.x = 64;
    queue->exec(kernel, shape, Arguments(kernel).add(device_a).add(device_b).add(out).add(n));
    queue->exec(kernel, shape, Arguments(kernel).add(device_a).add(out).add(out).add(n));
    if (bound) queue->bind();
    std::size_t first = 0;
    for (const std::uint32_t count : {100u, 64u, 500u}) {
      queue->set(n, count);
      queue->set(out, device_c.address + first * 4);
      device->submit(*queue);
      first += count;
    }
    std::vector<float> c(1000);
    device->download(c, device_c);
    std::size_t at = 0;
    for (const std::uint32_t count : {100u, 64u, 500u}) {
      for (std::uint32_t i = 0; i < count; ++i, ++at) ASSERT_EQ(c[at], a[i] + b[i] + a[i]) << at;
    }
    ASSERT_EQ(c[at], -1.0f);
    device->upload(device_c, std::vector<float>(1000, -1));
  }
}

// Each engine waits for the other one within one submission; the host sees one point.
TEST_P(MachineCommands, EnginesWorkSideBySide) {
  const auto program = device->load_program(read_kernel_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");
  const std::vector<float> ones(256, 1);
  const Buffer a = upload(ones), b = upload(ones), c = upload(ones);
  for (const bool bound : {false, true}) {
    const Signal summed = device->make_signal(), copied = device->make_signal(),
                 started = device->make_signal(), gate = device->make_signal();
    const auto compute = device->make_compute_queue();
    const auto copy = device->make_copy_queue();
    CommandShape shape;
    shape.grid.x = 256;
    shape.group.x = 64;
    const auto add = [&] { compute->exec(kernel, shape, Arguments(kernel).add(a).add(b).add(c).add(256u)); };
    compute->timestamp(started);
    add();
    compute->signal(summed, 1);
    compute->wait(copied, 1);
    compute->memory_barrier();
    add();
    compute->signal(summed, 2);
    copy->wait(summed, 1);
    copy->copy(a.address, c.address, 1024);
    copy->signal(copied, 1);
    copy->wait(summed, 2);
    copy->copy(b.address, c.address, 1024);
    copy->timestamp(copied);
    copy->wait(gate, 1);
    if (bound) compute->bind(), copy->bind();
    CommandQueue* const queues[] = {compute.get(), copy.get()};
    const Point before = device->last_point();
    const Point point = device->submit(queues);
    EXPECT_EQ(point, before + 1);
    device->wait(summed, 2);  // all of the compute queue's part, but not of the other's
    EXPECT_EQ(tag_of([&] { device->wait(point, milliseconds(1)); }), Tag::timeout);
    gate.set(1);
    device->wait(point);
    std::vector<float> seen(256);
    device->download(seen, b);
    EXPECT_EQ(seen, std::vector<float>(256, 3)) << bound;
    EXPECT_LT(started.timestamp(), copied.timestamp());
    device->upload(a, ones);
    device->upload(b, ones);
    for (const Signal& signal : {summed, copied, started, gate}) device->free(signal);
  }
}

TEST_P(MachineCommands, HostMemoryOfTheCaller) {
  const auto program = device->load_program(read_kernel_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");
  std::vector<float> a = counting(3000, 1), c(3000);
  const Buffer in = device->register_memory(std::as_writable_bytes(std::span(a)));
  const Buffer out = device->register_memory(std::as_writable_bytes(std::span(c)));  // may share a page
  LaunchShape shape;
  shape.grid.x = 3000;
  shape.group.x = 128;
  device->launch(kernel, shape, Arguments(kernel).add(in).add(in).add(out).add(3000u).bytes());
  device->synchronize();
  for (std::size_t i = 0; i < c.size(); ++i) ASSERT_EQ(c[i], 2 * a[i]);
  device->free(in);
  device->free(out);
}

// The code object of a kernel with private memory, made to ask for `bytes` in its descriptor (which starts
// with u32 group and private bytes).
std::vector<std::byte> with_private_bytes(std::vector<std::byte> file, std::uint32_t from,
                                          std::uint32_t bytes) {
  const std::uint32_t old[2] = {0, from};
  const auto* pattern = reinterpret_cast<const std::byte*>(old);
  const auto at = std::search(file.begin(), file.end(), pattern, pattern + sizeof old);
  EXPECT_NE(at, file.end());
  if (at != file.end()) std::memcpy(&*at + 4, &bytes, sizeof bytes);
  return file;
}

TEST_P(MachineCommands, ScratchGrowsWhileWorkIsInFlight) {
  const auto program = device->load_program(read_kernel_file("scratch.co"));
  const Kernel& kernel = program->kernel("scratch");
  ASSERT_GT(kernel.private_bytes, 128u);
  const auto greedy_program =
      device->load_program(with_private_bytes(read_kernel_file("scratch.co"), kernel.private_bytes, 2000));
  const Kernel& greedy = greedy_program->kernel("scratch");
  ASSERT_EQ(greedy.private_bytes, 2000u);
  constexpr std::uint32_t n = 512;
  std::vector<std::int32_t> in(n), wanted(n);
  for (std::uint32_t i = 0; i < n; ++i) in[i] = static_cast<std::int32_t>(i * 37 % 1000);
  for (std::uint32_t g = 0; g < n; ++g) {  // what tests/kernels/source/scratch.cl computes
    std::int32_t a[48];
    for (std::uint32_t i = 0; i < 48; ++i) a[i] = in[(g + i) % n];
    std::int32_t s = 0;
    for (std::int32_t i = 0; i < (in[g] & 63); ++i) {
      const std::int32_t k = a[(i * 7) % 48] & 31;
      a[k] += i;
      s += a[k];
    }
    const std::int32_t results[4] = {-s, s * 3, s ^ 0x55, s >> 1};
    wanted[g] = results[s & 3];
  }
  const Buffer source = device->allocate(n * 4);
  device->upload(source, in);
  Gate gate(*device);
  LaunchShape shape;
  shape.grid.x = n;
  shape.group.x = 128;
  std::vector<Buffer> results;
  for (const Kernel* one : {&kernel, &greedy, &kernel}) {
    results.push_back(device->allocate(n * 4));
    device->launch(*one, shape, Arguments(*one).add(source).add(results.back()).add(n).bytes());
  }
  // Nothing has run yet, and growing did not wait for it.
  EXPECT_FALSE(device->reached(gate.point));
  gate.open();
  for (const Buffer& result : results) {
    std::vector<std::int32_t> seen(n);
    device->download(seen, result);
    EXPECT_EQ(seen, wanted);
  }
}

// Small rings and a timeline that starts anew every few submissions, with work in flight all the time.
TEST_P(MachineCommands, EverythingWrapsAround) {
  amd::DeviceOptions options;
  options.arguments_bytes = 16 * 4096;
  options.ring_bytes = 256 * 1024;  // holds more launches than the argument ring
  options.timeline_limit = 401;
  options.staging_bytes = 4096;
  options.staging_buffers = 3;
  const auto opened = emu::open_machine(std::string(GetParam()) + ";log=off");
  amd::Device small(std::make_shared<amd::Connection>(*opened.io), amd::read_topology(*opened.io).at(0), 0,
                    options);
  Device& gpu = small;
  const auto program = gpu.load_program(read_kernel_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");
  constexpr std::uint32_t kLaunches = 600;
  std::vector<float> in = counting(kLaunches + 32, 0);
  const Buffer a = gpu.allocate(in.size() * 4), c = gpu.allocate(in.size() * 4 * 32);
  gpu.upload(a, in);
  LaunchShape shape;
  shape.grid.x = shape.group.x = 32;
  // The first launches wait for this, and so the rings get full.
  Gate gate(gpu);
  std::thread opener([&] {
    std::this_thread::sleep_for(milliseconds(30));
    gate.open();
  });
  const Point before = gpu.last_point();
  for (std::uint32_t i = 0; i < kLaunches; ++i) {
    const std::uint64_t from = a.address + i * 4, to = c.address + i * 128;
    const Point point =
        gpu.launch(kernel, shape, Arguments(kernel).add(from).add(from).add(to).add(32u).bytes());
    EXPECT_EQ(point, before + 1 + i);
    if (i > 500 && i % 10 == 7) gpu.wait(point - 3);
  }
  opener.join();
  std::vector<float> out(kLaunches * 32);
  gpu.download(out, c);
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(out[i], 2 * static_cast<float>(i / 32 + i % 32)) << i;
  }
}

// The host fills staging buffers while the copy engine has not even begun.
TEST_P(MachineCommands, UploadsOverlapWithTheCopyEngine) {
  std::vector<std::uint32_t> data(600'000), back(data.size());  // two buffers
  std::iota(data.begin(), data.end(), 3u);
  const Buffer buffer = device->allocate(data.size() * 4);
  Gate gate(*device, true);
  device->upload(buffer, data);
  EXPECT_FALSE(device->reached(gate.point));
  gate.open();
  device->download(back, buffer);
  EXPECT_EQ(back, data);
}

// A thread that waits for its download keeps nobody from launching.
TEST_P(MachineCommands, DownloadsLeaveTheDeviceToOtherThreads) {
  const auto program = device->load_program(read_kernel_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");
  const Buffer a = upload(std::vector<float>(64, 1));
  Gate gate(*device);
  std::vector<float> seen(64);
  std::thread reader([&] { device->download(seen, a); });
  while (device->last_point() == gate.point) std::this_thread::yield();  // until it waits
  LaunchShape shape;
  shape.grid.x = shape.group.x = 64;
  device->launch(kernel, shape, Arguments(kernel).add(a).add(a).add(a).add(64u).bytes());
  EXPECT_FALSE(device->reached(gate.point));
  gate.open();
  reader.join();
  EXPECT_EQ(seen, std::vector<float>(64, 1)) << "what was there before the launch";
  device->download(seen, a);
  EXPECT_EQ(seen, std::vector<float>(64, 2));
}

TEST_P(MachineCommands, DevicesCopyToEachOther) {
  const auto opened = emu::open_machine(std::string("2xgfx1100") + GetParam() + ";log=off");
  Platform platform(*opened.io);
  const auto one = platform.open(0), two = platform.open(1);
  std::vector<std::uint32_t> data(10'000), back(data.size());
  std::iota(data.begin(), data.end(), 5u);
  const std::size_t bytes = data.size() * 4;
  const Buffer first = one->allocate(bytes), second = two->allocate(bytes), third = one->allocate(bytes);
  one->upload(first, data);
  one->share(first, *two);
  two->share(second, *one);
  // Device two pulls, then device one pulls back, each after the other's work, the host not waiting.
  two->start_after(*one, one->last_point());
  two->copy(second.address, first.address, bytes);
  one->start_after(*two, two->last_point());
  one->copy(third.address, second.address, bytes);
  one->download(back, third);
  EXPECT_EQ(back, data);
  // A kernel of one device on memory of the other.
  const auto program = two->load_program(read_kernel_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");
  const std::vector<float> ones(64, 1);
  one->upload(first, ones);
  two->start_after(*one, one->last_point());
  LaunchShape shape;
  shape.grid.x = shape.group.x = 64;
  two->launch(kernel, shape, Arguments(kernel).add(first).add(first).add(first).add(64u).bytes());
  two->synchronize();
  std::vector<float> sums(64);
  one->download(sums, first);
  EXPECT_EQ(sums, std::vector<float>(64, 2));
  EXPECT_TRUE(opened.machine->reports().empty());

  // Not shared: the driver reports the other device's access.
  EXPECT_EQ(tag_of([&] {
              two->copy(second.address, third.address, bytes);
              two->synchronize();
            }),
            Tag::memory_fault);
  const auto stranger_machine = emu::open_machine(std::string(GetParam()) + ";log=off");
  const auto stranger = open_device(*stranger_machine.io);
  EXPECT_EQ(tag_of([&] { one->share(first, *stranger); }), Tag::bad_usage);
  one->free(first);
}

TEST_P(MachineCommands, FaultsSayWhatTheDriverSaid) {
  const Buffer buffer = device->allocate(4096);
  device->copy(buffer.address, buffer.address + (std::uint64_t{1} << 40), 64);
  try {
    device->synchronize();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.tag(), Tag::memory_fault);
    const std::string text = format_error(error);
    EXPECT_NE(text.find("NotPresent=1"), std::string::npos) << text;
    EXPECT_NE(text.find("gpu_id="), std::string::npos) << text;
  }
}

// A device goes with work that never ends, and the next one works.
TEST_P(MachineCommands, DevicesCloseWithWorkInFlight) {
  const auto opened = emu::open_machine(std::string(GetParam()) + ";log=off");
  Platform platform(*opened.io);
  for (int round = 0; round < 3; ++round) {
    const auto gpu = platform.open(0);
    const Buffer buffer = gpu->allocate(1 << 20, MemoryKind::host);
    gpu->fill(buffer.address, 7, 1 << 20);
    gpu->wait(gpu->last_point());
    EXPECT_EQ(buffer.host[100], std::byte{7});
    const Gate gate(*gpu, round == 1);
    gpu->fill(buffer.address, 9, 1 << 20);
  }
}

// Launches, recorded queues, copies, signals, the cache: everything that threads of one device share.
TEST_P(MachineCommands, EightThreadsShareADevice) {
  constexpr int kThreads = 8;
  // 10,000 in the mode that has threads of its own.
  const int launches = GetParam() == std::string(";mode=async") ? 1250 : 200;
  device->set_cache_limit(1 << 20);
  const auto program = device->load_program(read_kernel_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const std::vector<float> ones(32, 1), start(32, static_cast<float>(t));
      const Buffer one = upload(ones), sum = upload(start);
      const Signal signal = device->make_signal();
      const auto queue = device->make_compute_queue();
      CommandShape recorded;
      recorded.grid.x = recorded.group.x = 32;
      queue->exec(kernel, recorded, Arguments(kernel).add(sum).add(one).add(sum).add(32u));
      queue->signal(signal, queue->variable("count"));
      LaunchShape shape;
      shape.grid.x = shape.group.x = 32;
      const Arguments arguments = Arguments(kernel).add(sum).add(one).add(sum).add(32u);
      for (int i = 1; i <= launches; ++i) {
        Point point = 0;
        if (i % 10 == 0) {
          queue->set("count", static_cast<std::uint64_t>(i));
          point = device->submit(*queue);
          device->wait(signal, static_cast<std::uint32_t>(i));
        } else {
          point = device->launch(kernel, shape, arguments.bytes());
        }
        if (i % 100 == t) device->wait(point);
        if (i % 100 == 50 + t) {
          const Buffer extra = device->allocate(4096);
          device->upload(extra, ones);
          device->free(extra);
        }
      }
      std::vector<float> seen(32);
      device->download(seen, sum);
      EXPECT_EQ(seen, std::vector<float>(32, static_cast<float>(t + launches)));
      device->free(signal);
      device->free(one);
      device->free(sum);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace mockgpu::runtime::machine_commands_tests
