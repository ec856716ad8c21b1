#include "runtime/amd/device.h"
#include "tests/runtime/expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "runtime/platform.h"
#include "tests/runtime/fake_gpu.h"

namespace mockgpu::runtime::device_tests {

namespace kfd = isa::amd::kfd;
using std::chrono::milliseconds;

std::unique_ptr<Device> open(FakeGpu& gpu, const amd::DeviceOptions& options = {}) {
  const std::vector<amd::Node> nodes = amd::read_topology(gpu);
  return std::make_unique<amd::Device>(std::make_shared<amd::Connection>(gpu), nodes.at(0), 0, options);
}

TEST(Platform, ListsWhatTheTopologySays) {
  FakeGpu gpu;
  const auto devices = list_devices(gpu);
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].target, "gfx1100");
  EXPECT_EQ(devices[0].name, "navi31");
  EXPECT_EQ(devices[0].vendor, "AMD");
  EXPECT_EQ(devices[0].vram_bytes, 25753026560u);
  EXPECT_EQ(devices[0].compute_units, 96u);
  EXPECT_EQ(devices[0].wave_size, 32u);
  EXPECT_EQ(devices[0].group_bytes, 65536u);
  EXPECT_EQ(devices[0].location, "0000:03:00.0");
  EXPECT_EQ(devices[0].node, "/dev/dri/renderD128");
  EXPECT_TRUE(gpu.calls.empty());
  gpu.files["/sys/devices/virtual/kfd/kfd/topology/nodes/1/name"] = "ip discovery\n";
  EXPECT_EQ(list_devices(gpu).at(0).name, "gfx1100");
}

TEST(Platform, SaysWhyThereIsNoDevice) {
  FakeGpu gpu;
  gpu.files.clear();
  EXPECT_TRUE(list_devices(gpu).empty());
  try {
    open_device(gpu);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.tag(), Tag::no_device);
    EXPECT_THAT(format_error(error), testing::HasSubstr("/dev/kfd does not exist"));
  }
  FakeGpu one;
  EXPECT_EQ(tag_of([&] { open_device(one, 1); }), Tag::no_device);
  one.files.erase("/dev/kfd");
  EXPECT_EQ(tag_of([&] { open_device(one); }), Tag::no_device);
}

TEST(Platform, RefusesTargetsWithoutPackets) {
  FakeGpu gpu;
  std::string& text = gpu.files["/sys/devices/virtual/kfd/kfd/topology/nodes/1/properties"];
  text.replace(text.find("110000"), 6, "90010 ");
  EXPECT_EQ(list_devices(gpu).at(0).target, "gfx90a");
  EXPECT_EQ(tag_of([&] { open_device(gpu); }), Tag::unsupported);
}

// The order and the values of an HCQ-style client (tinygrad's KFD back end, public source).
TEST(AmdDevice, StartsWithTheClientsCalls) {
  FakeGpu gpu;
  const auto device = open(gpu);
  std::vector<std::uint32_t> order;
  for (const auto& call : gpu.calls) order.push_back(call.request);
  const std::uint32_t kAlloc = kfd::kAllocMemoryOfGpu, kMap = kfd::kMapMemoryToGpu;
  EXPECT_EQ(order, (std::vector<std::uint32_t>{kfd::kGetVersion,
                                               kfd::kAcquireVm,
                                               kfd::kRuntimeEnable,  //
                                               kAlloc,
                                               kMap,
                                               kfd::kCreateEvent,  // event page
                                               kfd::kCreateEvent,
                                               kfd::kCreateEvent,
                                               kfd::kCreateEvent,  //
                                               kAlloc,
                                               kMap,
                                               kAlloc,
                                               kMap,
                                               kAlloc,
                                               kMap,
                                               kAlloc,
                                               kMap,
                                               kfd::kCreateQueue,
                                               kAlloc,
                                               kMap,
                                               kAlloc,
                                               kMap,
                                               kfd::kCreateQueue,  //
                                               kAlloc,
                                               kMap,
                                               kAlloc,
                                               kMap,
                                               kAlloc,
                                               kMap}));  // signals, arguments, scratch

  std::vector<std::pair<std::uint64_t, std::uint32_t>> allocations;
  std::vector<kfd::CreateEventArgs> events;
  std::vector<kfd::CreateQueueArgs> queues;
  for (const auto& call : gpu.calls) {
    if (call.request == kAlloc) {
      const auto args = call.as<kfd::AllocMemoryOfGpuArgs>();
      EXPECT_EQ(args.gpu_id, 50148u);
      allocations.push_back({args.size, args.flags});
    }
    if (call.request == kfd::kCreateEvent) events.push_back(call.as<kfd::CreateEventArgs>());
    if (call.request == kfd::kCreateQueue) queues.push_back(call.as<kfd::CreateQueueArgs>());
    if (call.request == kfd::kAcquireVm) {
      EXPECT_EQ(call.as<kfd::AcquireVmArgs>().drm_fd, 4u);
      EXPECT_EQ(call.as<kfd::AcquireVmArgs>().gpu_id, 50148u);
    }
    if (call.request == kfd::kRuntimeEnable) {
      EXPECT_EQ(call.as<kfd::RuntimeEnableArgs>().mode_mask, 0u);
    }
  }
  EXPECT_EQ(allocations, (std::vector<std::pair<std::uint64_t, std::uint32_t>>{
                             {0x8000, 0xd6000002},     // event page
                             {0x1000000, 0xf6000002},  // compute ring
                             {0x1000, 0xf6000002},     // pointers
                             {0x1000, 0xd0000001},     // end of pipe
                             {0x2c02000, 0xd0000001},  // save area
                             {0x1000000, 0xf6000002},  // copy ring
                             {0x1000, 0xf6000002},     //
                             {0x1000, 0xf6000002},     // signals
                             {0x1000000, 0xf0000001},  // kernel arguments
                             {0x1800000, 0xd0000001},  // scratch: 128 * 64 * 32 * 96
                         }));
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].event_page_offset, 1u);
  EXPECT_EQ(events[0].event_type, 0u);
  EXPECT_EQ(events[0].auto_reset, 0u);
  EXPECT_EQ(events[1].event_page_offset, 0u);
  EXPECT_EQ(events[1].event_type, 0u);
  EXPECT_EQ(events[1].auto_reset, 1u);
  EXPECT_EQ(events[2].event_type, 8u);
  EXPECT_EQ(events[3].event_type, 3u);

  ASSERT_EQ(queues.size(), 2u);
  EXPECT_EQ(queues[0].queue_type, 0u);
  EXPECT_EQ(queues[0].ring_size, 0x1000000u);
  EXPECT_EQ(queues[0].queue_percentage, 100u);
  EXPECT_EQ(queues[0].queue_priority, 7u);
  EXPECT_EQ(queues[0].write_pointer_address % 0x1000, 0x38u);
  EXPECT_EQ(queues[0].read_pointer_address % 0x1000, 0x80u);
  EXPECT_NE(queues[0].eop_buffer_address, 0u);
  EXPECT_EQ(queues[0].eop_buffer_size, 0x1000u);
  EXPECT_EQ(queues[0].ctx_save_restore_size, 0x2bea000u);
  EXPECT_EQ(queues[0].ctl_stack_size, 0xa000u);
  EXPECT_EQ(queues[1].queue_type, 1u);
  EXPECT_EQ(queues[1].eop_buffer_address, 0u);
  EXPECT_EQ(queues[1].ctx_save_restore_address, 0u);
  EXPECT_EQ(queues[1].ctl_stack_size, 0u);
  // One mapping of the doorbell page, at the page's own offset.
  EXPECT_EQ(std::count(gpu.mappings.begin(), gpu.mappings.end(), (std::uint64_t{3} << 62) + 0x4000), 1);
}

TEST(AmdDevice, OlderDriversAreNotEnabled) {
  FakeGpu gpu;
  gpu.minor_version = 13;
  open(gpu);
  EXPECT_EQ(gpu.count(kfd::kRuntimeEnable), 0u);
}

TEST(AmdDevice, FreesAndDestroysEverything) {
  FakeGpu gpu;
  {
    const auto device = open(gpu);
    device->allocate(100, MemoryKind::vram);
  }
  EXPECT_EQ(gpu.count(kfd::kDestroyQueue), 2u);
  EXPECT_EQ(gpu.count(kfd::kDestroyEvent), 3u);
  // All but the event page, which the driver keeps.
  EXPECT_EQ(gpu.count(kfd::kFreeMemoryOfGpu), gpu.count(kfd::kAllocMemoryOfGpu) - 1);
  EXPECT_EQ(gpu.count(kfd::kUnmapMemoryFromGpu), gpu.count(kfd::kAllocMemoryOfGpu) - 1);
}

TEST(AmdDevice, CopiesThroughStaging) {
  FakeGpu gpu;
  amd::DeviceOptions options;
  options.staging_bytes = 4096;
  options.staging_buffers = 3;
  const auto device = open(gpu, options);
  std::vector<std::uint32_t> data(10000);
  std::iota(data.begin(), data.end(), 7u);
  const Buffer a = device->allocate(data.size() * 4, MemoryKind::vram);
  const Buffer b = device->allocate(data.size() * 4, MemoryKind::vram);
  device->upload(a, data);
  device->copy(b.address, a.address, data.size() * 4);
  std::vector<std::uint32_t> back(data.size());
  device->download(back, b);
  EXPECT_EQ(back, data);

  device->fill(b.address + 1, 0x5a, 10);
  std::vector<std::uint8_t> bytes(12);
  device->copy_out(std::as_writable_bytes(std::span(bytes)), b.address);
  EXPECT_THAT(bytes, testing::ElementsAre(7, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0));
  EXPECT_EQ(gpu.count(kfd::kWaitEvents), 0u);
}

TEST(AmdDevice, KindsOfMemory) {
  FakeGpu gpu;
  const auto device = open(gpu);
  EXPECT_EQ(device->allocate(10, MemoryKind::vram).host, nullptr);
  for (const MemoryKind kind : {MemoryKind::vram_visible, MemoryKind::host, MemoryKind::uncached}) {
    const Buffer buffer = device->allocate(5000, kind);
    EXPECT_EQ(buffer.address, reinterpret_cast<std::uint64_t>(buffer.host));
    EXPECT_EQ(buffer.size, 5000u);
    const auto args = (gpu.calls.end() - 2)->as<kfd::AllocMemoryOfGpuArgs>();
    EXPECT_EQ(args.size, 8192u);
    EXPECT_EQ(args.va_addr, buffer.address);
    if (kind == MemoryKind::host) {
      EXPECT_EQ(args.flags, 0xf0000004u);
      EXPECT_EQ(args.mmap_offset, buffer.address);
    }
    device->free(buffer);
    EXPECT_EQ(tag_of([&] { device->free(buffer); }), Tag::bad_usage);
  }
  EXPECT_EQ(tag_of([&] { device->allocate(0, MemoryKind::vram); }), Tag::bad_usage);
  EXPECT_EQ(tag_of([&] { device->allocate(std::size_t{1} << 40, MemoryKind::vram); }), Tag::out_of_memory);
}

TEST(AmdDevice, ScratchShrinksToWhatIsLeft) {
  FakeGpu gpu;
  gpu.vram_left = 0x2c02000 + 0x1000 + 0x1000000 + 0xc00000;  // half of what the default wants
  open(gpu);
  std::vector<std::uint64_t> sizes;
  for (const auto& call : gpu.calls) {
    if (call.request == kfd::kAllocMemoryOfGpu) sizes.push_back(call.as<kfd::AllocMemoryOfGpuArgs>().size);
  }
  EXPECT_THAT(sizes, testing::IsSupersetOf({0x1800000u, 0xc00000u}));
}

TEST(AmdDevice, TimelineRestarts) {
  FakeGpu gpu;
  amd::DeviceOptions options;
  options.timeline_limit = 3;
  const auto device = open(gpu, options);
  const Buffer buffer = device->allocate(64, MemoryKind::vram);
  for (Point i = 1; i <= 20; ++i) {
    EXPECT_EQ(device->fill(buffer.address, 1, 64), i);
    EXPECT_EQ(device->last_point(), i);
    EXPECT_TRUE(device->reached(i));
    EXPECT_FALSE(device->reached(i + 1));
  }
  device->synchronize();
}

TEST(AmdDevice, SmallRingsWrap) {
  FakeGpu gpu;
  amd::DeviceOptions options;
  options.ring_bytes = 4096;
  const auto device = open(gpu, options);
  const Buffer buffer = device->allocate(64, MemoryKind::vram);
  for (unsigned i = 0; i < 500; ++i) {
    device->fill(buffer.address, static_cast<std::uint8_t>(i), 64);
    std::uint8_t value = 0;
    device->copy_out(std::as_writable_bytes(std::span(&value, 1)), buffer.address + 63);
    ASSERT_EQ(value, static_cast<std::uint8_t>(i));
  }
}

TEST(AmdDevice, WaitsTimeOut) {
  FakeGpu gpu;
  const auto device = open(gpu);
  const Buffer buffer = device->allocate(64, MemoryKind::vram);
  gpu.run_queues = false;
  const Point point = device->fill(buffer.address, 1, 64);
  EXPECT_EQ(tag_of([&] { device->wait(point, milliseconds(5)); }), Tag::timeout);
  EXPECT_GT(gpu.relaxed, 0u);
  EXPECT_GT(gpu.count(kfd::kWaitEvents), 0u);
  EXPECT_EQ(gpu.calls.back().as<kfd::WaitEventsArgs>().num_events, 3u);
  EXPECT_FALSE(device->reached(point));
  // Nothing ends: the device is given up.
  device->set_hang_timeout(milliseconds(10));
  EXPECT_EQ(tag_of([&] { device->wait(point); }), Tag::hang);
  EXPECT_EQ(tag_of([&] { device->fill(buffer.address, 1, 64); }), Tag::hang);
}

TEST(AmdDevice, ReportsMemoryFaults) {
  FakeGpu gpu;
  const auto device = open(gpu);
  const Buffer buffer = device->allocate(64, MemoryKind::vram);
  gpu.run_queues = false;
  device->fill(buffer.address, 1, 64);
  gpu.fault.memory_exception_data = {.NotPresent = 1,
                                     .ReadOnly = 0,
                                     .NoExecute = 0,
                                     .imprecise = 0,
                                     .va = buffer.address + 0x1000,
                                     .gpu_id = 50148,
                                     .ErrorType = 0};
  for (int i = 0; i < 2; ++i) {
    try {
      device->synchronize();
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.tag(), Tag::memory_fault);
      const std::string text = format_error(error);
      EXPECT_THAT(text, testing::HasSubstr("not mapped"));
      EXPECT_THAT(text, testing::HasSubstr("near "));
      EXPECT_THAT(text, testing::HasSubstr("NotPresent=1"));
    }
  }
  EXPECT_EQ(tag_of([&] { device->allocate(1, MemoryKind::vram); }), Tag::memory_fault);
}

TEST(AmdDevice, ReportsResetsAndIgnoresOtherGpus) {
  FakeGpu gpu;
  const auto device = open(gpu);
  const Buffer buffer = device->allocate(64, MemoryKind::vram);
  gpu.run_queues = false;
  device->fill(buffer.address, 1, 64);
  gpu.exception.hw_exception_data = {0, 0, 1, 77};
  EXPECT_EQ(tag_of([&] { device->synchronize(milliseconds(5)); }), Tag::timeout);
  EXPECT_EQ(gpu.count(kfd::kResetEvent), 0u) << "the driver resets signal events only";
  gpu.exception.hw_exception_data.gpu_id = 50148;
  try {
    device->synchronize();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.tag(), Tag::hang);
    EXPECT_THAT(format_error(error), testing::HasSubstr("device memory is lost"));
  }
}

TEST(AmdDevice, WorksWithoutAnEventPage) {
  FakeGpu gpu;
  gpu.refuse_event_page = true;
  const auto device = open(gpu);
  const Buffer buffer = device->allocate(64, MemoryKind::vram);
  gpu.run_queues = false;
  const Point point = device->fill(buffer.address, 1, 64);
  EXPECT_EQ(tag_of([&] { device->wait(point, milliseconds(2)); }), Tag::timeout);
  EXPECT_EQ(gpu.calls.back().as<kfd::WaitEventsArgs>().num_events, 2u);
}

TEST(AmdDevice, SeveralThreadsWaitAndSubmit) {
  FakeGpu gpu;
  const auto device = open(gpu);
  const Buffer buffer = device->allocate(4096, MemoryKind::vram);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const Point point = device->fill(buffer.address + t * 64, static_cast<std::uint8_t>(t), 64);
        device->wait(point);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(device->last_point(), 600u);
}

}  // namespace mockgpu::runtime::device_tests
