#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "runtime/amd/buffer_cache.h"
#include "runtime/amd/device.h"
#include "runtime/platform.h"
#include "tests/runtime/expectations.h"
#include "tests/runtime/fake_gpu.h"

namespace mockgpu::runtime::memory_tests {

namespace kfd = isa::amd::kfd;

struct Memory : testing::Test {
  FakeGpu gpu;
  std::unique_ptr<Device> device =
      std::make_unique<amd::Device>(std::make_shared<amd::Connection>(gpu), amd::read_topology(gpu).at(0), 0);

  std::size_t allocations() const { return gpu.count(kfd::kAllocMemoryOfGpu); }
  std::size_t frees() const { return gpu.count(kfd::kFreeMemoryOfGpu); }
};

TEST_F(Memory, PartsAreViewsThatFreeNothing) {
  const Buffer whole = device->allocate(8192, MemoryKind::host);
  const Buffer part = whole.part(4096, 100).part(8, 16);
  EXPECT_EQ(part.address, whole.address + 4104);
  EXPECT_EQ(part.host, whole.host + 4104);
  EXPECT_EQ(part.size, 16u);
  EXPECT_EQ(part.offset, 4104u);
  part.mmio().write32(4, 77);
  EXPECT_EQ(whole.mmio().read32(4108), 77u);
  EXPECT_EQ(tag_of([&] { whole.part(8000, 193); }), Tag::bad_usage);
  EXPECT_EQ(tag_of([&] { whole.part(0, 0); }), Tag::bad_usage);
  EXPECT_EQ(tag_of([&] { device->free(part); }), Tag::bad_usage);
  EXPECT_EQ(tag_of([&] { device->free(whole.part(0, 100)); }), Tag::bad_usage);
  EXPECT_EQ(frees(), 0u);
  device->free(whole);
  EXPECT_EQ(frees(), 1u);

  // What watches the host's writes sees offsets in the allocation.
  struct Hook : MmioHook {
    void written(std::size_t o, unsigned, std::uint64_t) override { offset = o; }
    std::size_t offset = 0;
  } hook;
  alignas(8) std::byte memory[64] = {};
  Buffer watched;
  watched.host = memory;
  watched.size = sizeof memory;
  watched.hook = &hook;
  watched.part(16, 32).mmio().write32(8, 1);
  EXPECT_EQ(hook.offset, 24u);
}

TEST_F(Memory, CacheReusesFreedAllocationsOfTheSamePagesAndKind) {
  device->set_cache_limit(3 * 8192);
  const Buffer a = device->allocate(5000, MemoryKind::vram);
  const std::size_t made = allocations();
  device->free(a);
  EXPECT_EQ(frees(), 0u);
  EXPECT_EQ(tag_of([&] { device->free(a); }), Tag::bad_usage) << "freed twice";
  EXPECT_NE(device->allocate(5000, MemoryKind::host).address, a.address);
  EXPECT_NE(device->allocate(4096, MemoryKind::vram).address, a.address);
  EXPECT_EQ(allocations(), made + 2);
  const Buffer b = device->allocate(8192, MemoryKind::vram);
  EXPECT_EQ(b.address, a.address);
  EXPECT_EQ(b.size, 8192u);
  EXPECT_EQ(allocations(), made + 2);
  device->free(b);
}

TEST_F(Memory, CacheDropsTheOldestBeyondItsLimit) {
  device->set_cache_limit(2 * 8192);
  std::vector<Buffer> buffers;
  for (int i = 0; i < 3; ++i) buffers.push_back(device->allocate(8192, MemoryKind::vram));
  for (const Buffer& buffer : buffers) device->free(buffer);
  EXPECT_EQ(frees(), 1u);
  EXPECT_EQ(device->allocate(8192, MemoryKind::vram).address, buffers[2].address);
  EXPECT_EQ(device->allocate(8192, MemoryKind::vram).address, buffers[1].address);
  const std::size_t made = allocations();
  device->allocate(8192, MemoryKind::vram);
  EXPECT_EQ(allocations(), made + 1);
  device->free(device->allocate(1 << 20, MemoryKind::vram));  // larger than the whole cache
  EXPECT_EQ(frees(), 2u);
  device->free(buffers[1]);
  device->set_cache_limit(0);
  EXPECT_EQ(frees(), 3u);
}

TEST_F(Memory, CacheGivesWayWhenMemoryRunsOut) {
  device->set_cache_limit(std::size_t{1} << 30);
  const Buffer kept = device->allocate(1 << 20, MemoryKind::vram);
  device->free(kept);
  gpu.vram_left = 0;
  // The fake does not count what is freed: only the driver's second answer matters.
  EXPECT_EQ(tag_of([&] { device->allocate(1 << 21, MemoryKind::vram); }), Tag::out_of_memory);
  EXPECT_EQ(frees(), 1u);
}

TEST_F(Memory, HostViewsAreReusedOnlyAfterTheirWork) {
  device->set_cache_limit(1 << 20);
  const Buffer host = device->allocate(4096, MemoryKind::host),
               vram = device->allocate(4096, MemoryKind::vram);
  gpu.run_queues = false;
  device->fill(host.address, 1, 64);
  device->free(host);
  device->free(vram);
  EXPECT_NE(device->allocate(4096, MemoryKind::host).address, host.address);
  EXPECT_EQ(device->allocate(4096, MemoryKind::vram).address, vram.address);
}

TEST(BufferCache, EvictsInOrderAndOnlyWhatIsUsable) {
  amd::BufferCache cache;
  Buffer buffer;
  buffer.size = 4096;
  for (Point i = 1; i <= 3; ++i) {
    buffer.address = i << 12;
    cache.put(buffer, i);
  }
  const auto until = [](Point most) { return [most](Point last) { return last <= most; }; };
  EXPECT_EQ(cache.evict(0, until(0)), std::nullopt);
  EXPECT_EQ(cache.evict(0, until(1))->address, 0x1000u);
  EXPECT_EQ(cache.evict(0, until(1)), std::nullopt);
  EXPECT_EQ(cache.evict(8192, until(9)), std::nullopt);
  EXPECT_EQ(cache.take(100, MemoryKind::vram, until(2))->address, 0x2000u);
  EXPECT_EQ(cache.take(100, MemoryKind::vram, until(2)), std::nullopt);
  EXPECT_FALSE(cache.empty());
}

TEST_F(Memory, RegistersMemoryOfTheCaller) {
  alignas(4096) static std::byte memory[3 * 4096];
  const std::span<std::byte> span(memory + 100, 5000);
  const Buffer buffer = device->register_memory(span);
  const auto args = (gpu.calls.end() - 2)->as<kfd::AllocMemoryOfGpuArgs>();
  EXPECT_EQ(args.flags, 0xf6000004u);  // how HCQ clients pin memory
  EXPECT_EQ(args.va_addr, reinterpret_cast<std::uint64_t>(memory));
  EXPECT_EQ(args.mmap_offset, args.va_addr);
  EXPECT_EQ(args.size, 8192u);
  EXPECT_EQ(buffer.address, args.va_addr + 100);
  EXPECT_EQ(buffer.host, memory + 100);
  EXPECT_EQ(buffer.kind, MemoryKind::external);
  device->fill(buffer.address, 9, 5000);
  EXPECT_EQ(memory[99], std::byte{0});
  EXPECT_EQ(memory[100], std::byte{9});
  EXPECT_EQ(memory[5099], std::byte{9});
  // Pages that are pinned already get another address.
  const Buffer again = device->register_memory({memory + 8190, 5});
  EXPECT_NE(again.address, reinterpret_cast<std::uint64_t>(memory) + 8190);
  EXPECT_EQ(again.address % 4096, 4094u);
  EXPECT_EQ(again.host, memory + 8190);
  EXPECT_EQ((gpu.calls.end() - 2)->as<kfd::AllocMemoryOfGpuArgs>().mmap_offset,
            reinterpret_cast<std::uint64_t>(memory) + 4096);
  device->free(again);
  EXPECT_EQ(tag_of([&] { device->register_memory({memory, 0}); }), Tag::bad_usage);
  device->register_memory({memory + 8192, 1});
  device->set_cache_limit(1 << 20);
  device->free(buffer);
  EXPECT_EQ(frees(), 2u) << "not for the cache";
  memory[100] = std::byte{1};  // still mapped on the host
  EXPECT_EQ(tag_of([&] { device->free(buffer); }), Tag::bad_usage);
  device->register_memory(span);
}

TEST(SharedMemory, IsMappedOnBothGpusUntilItIsFreed) {
  FakeGpu gpu;
  const std::string nodes = "/sys/devices/virtual/kfd/kfd/topology/nodes/";
  std::map<std::string, std::string> second;
  for (const auto& [path, text] : gpu.files) {
    if (path.compare(0, nodes.size() + 2, nodes + "1/") == 0)
      second[nodes + "2/" + path.substr(nodes.size() + 2)] = text;
  }
  gpu.files.insert(second.begin(), second.end());
  gpu.files[nodes + "2/gpu_id"] = "77\n";
  Platform platform(gpu);
  ASSERT_EQ(platform.devices().size(), 2u);
  const auto one = platform.open(0), two = platform.open(1);
  one->set_cache_limit(1 << 20);
  const Buffer buffer = one->allocate(4096, MemoryKind::vram);
  EXPECT_EQ(gpu.mapped_gpus.back(), (std::vector<std::uint32_t>{50148}));
  one->share(buffer, *two);
  EXPECT_EQ(gpu.mapped_gpus.back(), (std::vector<std::uint32_t>{50148, 77}));
  const std::size_t maps = gpu.mapped_gpus.size();
  one->share(buffer, *two);
  EXPECT_EQ(gpu.mapped_gpus.size(), maps) << "once is enough";
  EXPECT_EQ(tag_of([&] { one->share(buffer.part(0, 64), *two); }), Tag::bad_usage);
  EXPECT_EQ(tag_of([&] { two->share(buffer, *one); }), Tag::bad_usage) << "not its own";
  one->free(buffer);  // not for the cache
  const auto unmap = std::find_if(gpu.calls.rbegin(), gpu.calls.rend(), [](const FakeGpu::Call& call) {
    return call.request == kfd::kUnmapMemoryFromGpu;
  });
  ASSERT_NE(unmap, gpu.calls.rend());
  EXPECT_EQ(unmap->as<kfd::UnmapMemoryFromGpuArgs>().n_devices, 2u);
}

TEST_F(Memory, CopiesAndFillsStayInTheAddressSpace) {
  EXPECT_EQ(tag_of([&] { device->fill(0x1000, 1, std::size_t{1} << 63); }), Tag::bad_usage);
  EXPECT_EQ(tag_of([&] { device->copy(0x1000, std::uint64_t{1} << 47, 1); }), Tag::bad_usage);
  EXPECT_EQ(tag_of([&] { device->copy((std::uint64_t{1} << 47) - 1, 0x1000, 2); }), Tag::bad_usage);
}

TEST_F(Memory, SignalsAreGivenBackOnceAndWaitedForWhileTheyExist) {
  const Signal signal = device->make_signal();
  device->free(signal);
  EXPECT_EQ(tag_of([&] { device->free(signal); }), Tag::bad_usage);
  EXPECT_EQ(tag_of([&] { device->wait(Signal{}, 1); }), Tag::bad_usage);
}

TEST_F(Memory, SignalsComeFromPagesAndAreReusedAfterTheirWork) {
  const std::size_t made = allocations();
  std::vector<Signal> signals;
  for (int i = 0; i < 600; ++i) signals.push_back(device->make_signal(7));
  EXPECT_EQ(allocations(), made + 2);  // pages of 256; a device itself uses a few of the first
  for (std::size_t i = 1; i < signals.size(); ++i) ASSERT_NE(signals[i].address, signals[i - 1].address);
  EXPECT_EQ(signals[599].value(), 7u);
  EXPECT_EQ(signals[599].timestamp(), 0u);
  signals[5].set(1000);
  gpu.run_queues = false;
  const Buffer buffer = device->allocate(64, MemoryKind::vram);
  device->fill(buffer.address, 1, 64);
  device->free(signals[5]);
  EXPECT_NE(device->make_signal().address, signals[5].address) << "work in flight may use it";
  EXPECT_EQ(tag_of([&] { device->free(Signal{}); }), Tag::bad_usage);

  FakeGpu idle;
  const auto other = open_device(idle);
  const Signal first = other->make_signal(3);
  other->free(first);
  const Signal second = other->make_signal(4);
  EXPECT_EQ(second.address, first.address);
  EXPECT_EQ(second.value(), 4u);
}

TEST_F(Memory, WaitsForSignals) {
  const Signal signal = device->make_signal(3);
  device->wait(signal, 3);
  EXPECT_EQ(tag_of([&] { device->wait(signal, 4, std::chrono::milliseconds(2)); }), Tag::timeout);
}

}  // namespace mockgpu::runtime::memory_tests
