// What the driver checks, in its order and with its errno values (Linux amdkfd: kfd_chardev.c, kfd_queue.c,
// kfd_process_queue_manager.c, kfd_events.c, amdgpu_amdkfd_gpuvm.c).
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/mock/client.h"

namespace mockgpu::test::kfd_strict_tests {

using testing::HasSubstr;

constexpr std::uint64_t kKernelAddress = 0xffff'8000'0000'0000;

class KfdStrict : public testing::Test {
 protected:
  KfdStrict() { EXPECT_EQ(client.acquire(), 0); }
  Client client;
};

TEST_F(KfdStrict, StructsAtBadAddresses) {
  const std::uint32_t requests[] = {kfd::kGetVersion, kfd::kCreateQueue, kfd::kDestroyEvent,
                                    kfd::kWaitEvents};
  for (const std::uint32_t request : requests) {
    EXPECT_EQ(client.kfd_file->ioctl(request, reinterpret_cast<void*>(16)), -1);
    EXPECT_EQ(errno, EFAULT) << std::hex << request;
  }
  EXPECT_EQ(client.render_file->ioctl(0xc0406400, reinterpret_cast<void*>(16)), -1);
  EXPECT_EQ(errno, EFAULT);
  EXPECT_TRUE(client.machine.reports().empty());
}

TEST_F(KfdStrict, OnlyTheNumberNamesARequest) {
  kfd::GetVersionArgs version{};
  EXPECT_EQ(client.call(0x80085a01, version), 0) << "the driver ignores the type";
  EXPECT_EQ(version.major_version, 1u);
  version = {7, 7};
  EXPECT_EQ(client.call(0x40044b01, version), 0) << "its own direction counts; four bytes fit";
  EXPECT_EQ(version.major_version, 1u);
  EXPECT_EQ(version.minor_version, 7u);
  for (const std::uint32_t number : {0x00u, 0x27u, 0x40u, 0x7fu, 0x80u, 0xffu}) {
    EXPECT_EQ(client.call(0xc0084b00 | number, version), ENOTTY) << std::hex << number;
  }
}

TEST_F(KfdStrict, QueueAddresses) {
  UserQueue queue;
  const kfd::CreateQueueArgs good = client.queue_args(queue, false);
  const auto with = [&](auto change) {
    kfd::CreateQueueArgs args = good;
    change(args);
    return client.call(kfd::kCreateQueue, args);
  };
  using Args = kfd::CreateQueueArgs;
  EXPECT_EQ(with([](Args& a) { a.ring_base_address = kKernelAddress; }), EFAULT);
  EXPECT_EQ(with([](Args& a) { a.read_pointer_address = kKernelAddress; }), EFAULT);
  EXPECT_EQ(with([](Args& a) { a.write_pointer_address = kKernelAddress; }), EFAULT);
  EXPECT_EQ(with([](Args& a) { a.eop_buffer_address = kKernelAddress; }), EFAULT);
  EXPECT_EQ(with([](Args& a) { a.ctx_save_restore_address = kKernelAddress; }), EFAULT);
  EXPECT_EQ(with([](Args& a) { a.ring_base_address += 0x1000; }), EINVAL) << "amid the allocation";
  EXPECT_EQ(with([](Args& a) { a.ring_size = 0x8000; }), EINVAL) << "half of it";
  // The order of the checks: percentage before size before type before GPU.
  EXPECT_EQ(with([](Args& a) { a.queue_type = 9, a.ring_size = 0x3000; }), EINVAL);
  EXPECT_EQ(with([](Args& a) { a.queue_type = 9, a.gpu_id = 1; }), 524);
  EXPECT_EQ(with([](Args& a) { a.queue_type = kfd::kQueueTypeSdmaByEngineId, a.sdma_engine_id = 2; }),
            EINVAL);
  EXPECT_EQ(with([](Args& a) { a.queue_type = kfd::kQueueTypeSdmaByEngineId, a.sdma_engine_id = 1; }), 0);
  EXPECT_EQ(with([](Args& a) { a.queue_type = kfd::kQueueTypeSdmaXgmi; }), ENOMEM) << "no such engines";
  // Less than a page: the ring may lie in memory of any size.
  EXPECT_EQ(with([](Args& a) { a.ring_size = 0x400; }), 0);
  EXPECT_TRUE(client.machine.reports().empty());
}

TEST_F(KfdStrict, QueuesPerDevice) {
  UserQueue queue;
  kfd::CreateQueueArgs args = client.queue_args(queue, false);
  for (int i = 0; i < 127; ++i) ASSERT_EQ(client.call(kfd::kCreateQueue, args), 0) << i;
  EXPECT_EQ(client.call(kfd::kCreateQueue, args), ENOSPC);
  kfd::DestroyQueueArgs destroy{3, 0};
  EXPECT_EQ(client.call(kfd::kDestroyQueue, destroy), 0);
  EXPECT_EQ(client.call(kfd::kCreateQueue, args), 0);
}

TEST_F(KfdStrict, QueuesHoldTheirBuffers) {
  UserQueue queue;
  kfd::CreateQueueArgs args = client.queue_args(queue, true);
  ASSERT_EQ(client.call(kfd::kCreateQueue, args), 0);
  EXPECT_EQ(client.unmap(queue.ring), EBUSY);
  EXPECT_EQ(client.unmap(queue.pointers), EBUSY);
  EXPECT_EQ(client.free(queue.ring), EBUSY);
  // Another ring of the queue frees the first.
  const Memory other = client.allocate(0x1000);
  kfd::UpdateQueueArgs update{other.va, args.queue_id, 0x1000, 100, 7};
  EXPECT_EQ(client.call(kfd::kUpdateQueue, update), 0);
  EXPECT_EQ(client.unmap(queue.ring), 0);
  EXPECT_EQ(client.unmap(other), EBUSY);
  kfd::DestroyQueueArgs destroy{args.queue_id, 0};
  EXPECT_EQ(client.call(kfd::kDestroyQueue, destroy), 0);
  EXPECT_EQ(client.unmap(other), 0);
  EXPECT_EQ(client.unmap(queue.pointers), 0);
}

TEST_F(KfdStrict, UpdateQueue) {
  UserQueue queue = client.create_queue(false);
  const std::uint64_t nowhere = reinterpret_cast<std::uint64_t>(client.machine.reserve(0x1000));
  kfd::UpdateQueueArgs update{nowhere, queue.id, 0x1000, 100, 7};
  EXPECT_EQ(client.call(kfd::kUpdateQueue, update), EFAULT) << "no ring there";
  update = {kKernelAddress, queue.id, 0x1000, 100, 7};
  EXPECT_EQ(client.call(kfd::kUpdateQueue, update), EFAULT);
  update = {queue.ring.va, queue.id, 0x3000, 100, 7};
  EXPECT_EQ(client.call(kfd::kUpdateQueue, update), EINVAL);
  update = {queue.ring.va, queue.id, 0x10000, 100, 16};
  EXPECT_EQ(client.call(kfd::kUpdateQueue, update), EINVAL);
  // A null ring stops the queue.
  const Memory memory = client.allocate(0x1000);
  update = {0, queue.id, 0, 100, 7};
  EXPECT_EQ(client.call(kfd::kUpdateQueue, update), 0);
  queue.submit(pm4_signal(memory.va, 1));
  EXPECT_EQ(memory.words()[0], 0u);
  update = {queue.ring.va, queue.id, 0x10000, 100, 7};
  EXPECT_EQ(client.call(kfd::kUpdateQueue, update), 0);
  EXPECT_TRUE(client.reaches(memory, 0, 1));
}

TEST_F(KfdStrict, CuMasks) {
  const UserQueue queue = client.create_queue(false);
  std::uint32_t mask[3] = {0xffffffff, 0xc, 0};
  const auto set = [&](std::uint32_t id, std::uint32_t bits, const void* pointer) {
    kfd::SetCuMaskArgs args{id, bits, reinterpret_cast<std::uint64_t>(pointer)};
    return client.call(kfd::kSetCuMask, args);
  };
  EXPECT_EQ(set(queue.id, 96, mask), 0);
  EXPECT_EQ(set(queue.id, 0, mask), EINVAL);
  EXPECT_EQ(set(queue.id, 33, mask), EINVAL) << "no multiple of 32";
  EXPECT_EQ(set(queue.id, 96, nullptr), EFAULT);
  EXPECT_EQ(set(99, 96, mask), EFAULT) << "no such queue";
  mask[2] = 1;
  EXPECT_EQ(set(queue.id, 96, mask), EINVAL) << "half a workgroup processor";
}

TEST_F(KfdStrict, WaveState) {
  UserQueue queue = client.create_queue(false), copy = client.create_queue(true);
  std::uint32_t header[4] = {9, 9, 9, 9};
  kfd::GetQueueWaveStateArgs args{reinterpret_cast<std::uint64_t>(header), 1, 1, queue.id, 0};
  EXPECT_EQ(client.call(kfd::kGetQueueWaveState, args), EINVAL) << "it is active";
  kfd::UpdateQueueArgs stop{queue.ring.va, queue.id, 0x10000, 0, 7};
  ASSERT_EQ(client.call(kfd::kUpdateQueue, stop), 0);
  EXPECT_EQ(client.call(kfd::kGetQueueWaveState, args), 0);
  EXPECT_EQ(args.save_area_used_size, 0u);
  EXPECT_EQ(header[1], 0u) << "nothing on the control stack";
  args.ctl_stack_address = 16;
  EXPECT_EQ(client.call(kfd::kGetQueueWaveState, args), EFAULT);
  args.queue_id = copy.id;
  EXPECT_EQ(client.call(kfd::kGetQueueWaveState, args), EINVAL) << "no compute queue";
  args.queue_id = 77;
  EXPECT_EQ(client.call(kfd::kGetQueueWaveState, args), EFAULT);
}

TEST_F(KfdStrict, GlobalWaveSync) {
  const UserQueue first = client.create_queue(false), second = client.create_queue(false);
  kfd::AllocQueueGwsArgs args{first.id, 0, 9, 0};
  EXPECT_EQ(client.call(kfd::kAllocQueueGws, args), EINVAL) << "nothing to give back";
  args.num_gws = 1;
  EXPECT_EQ(client.call(kfd::kAllocQueueGws, args), 0);
  EXPECT_EQ(args.first_gws, 0u);
  args.queue_id = second.id;
  EXPECT_EQ(client.call(kfd::kAllocQueueGws, args), EBUSY) << "one queue of a process";
  args.queue_id = 99;
  EXPECT_EQ(client.call(kfd::kAllocQueueGws, args), EINVAL);
  kfd::DestroyQueueArgs destroy{first.id, 0};
  ASSERT_EQ(client.call(kfd::kDestroyQueue, destroy), 0);
  args = {second.id, 1, 0, 0};
  EXPECT_EQ(client.call(kfd::kAllocQueueGws, args), 0);
}

TEST_F(KfdStrict, TilesTrapHandlersAndOldApertures) {
  std::uint32_t tiles[64] = {1, 1}, macro[64] = {1};
  kfd::GetTileConfigArgs tile{reinterpret_cast<std::uint64_t>(tiles),
                              reinterpret_cast<std::uint64_t>(macro),
                              64,
                              64,
                              client.gpu_id,
                              0,
                              0,
                              0};
  EXPECT_EQ(client.call(kfd::kGetTileConfig, tile), 0);
  EXPECT_EQ(tile.num_tile_configs, 32u);
  EXPECT_EQ(tile.num_macro_tile_configs, 16u);
  EXPECT_EQ(tile.gb_addr_config, 0x545u);
  EXPECT_EQ(tiles[0], 0u);
  tile.gpu_id = 1;
  EXPECT_EQ(client.call(kfd::kGetTileConfig, tile), EINVAL);
  tile.gpu_id = client.gpu_id, tile.tile_config_ptr = 16;
  EXPECT_EQ(client.call(kfd::kGetTileConfig, tile), EFAULT);
  kfd::SetTrapHandlerArgs trap{0x1000, 0x2000, client.gpu_id, 0};
  EXPECT_EQ(client.call(kfd::kSetTrapHandler, trap), 0);
  trap.gpu_id = 1;
  EXPECT_EQ(client.call(kfd::kSetTrapHandler, trap), EINVAL);
  kfd::GetProcessAperturesArgs apertures{};
  EXPECT_EQ(client.call(kfd::kGetProcessApertures, apertures), 0);
  EXPECT_EQ(apertures.num_of_nodes, 1u);
  EXPECT_EQ(apertures.process_apertures[0].gpu_id, client.gpu_id);
  EXPECT_EQ(apertures.process_apertures[0].lds_limit, 0x10000ffffffffu);
}

TEST_F(KfdStrict, FeaturesThatADriverMayLack) {
  std::uint64_t svm[8] = {0x1000, 0x1000};
  EXPECT_EQ(client.call(0xc0284b20, svm), EPERM) << "built without SVM";
  std::uint64_t criu[7] = {};
  EXPECT_EQ(client.call(kfd::kCriuOp, criu), EACCES) << "without the capability";
  std::uint64_t debug[4] = {};
  EXPECT_EQ(client.call(kfd::kDbgTrap, debug), EINVAL) << "without a hardware scheduler";
  EXPECT_TRUE(client.machine.reports().empty()) << "the driver refuses them, too";
}

TEST_F(KfdStrict, RuntimeEnableComesBeforeQueues) {
  client.create_queue(true);
  kfd::RuntimeEnableArgs enable{};
  enable.mode_mask = 1;
  EXPECT_EQ(client.call(kfd::kRuntimeEnable, enable), EEXIST);
}

TEST(KfdVersions, RequestsComeWithTheirVersion) {
  struct Case {
    const char* version;
    std::uint32_t request;
    int error;
  };
  std::uint64_t bytes[64] = {};
  for (const Case& c :
       {Case{"1.2", kfd::kSmiEvents, ENOTTY}, Case{"1.3", kfd::kSmiEvents, EINVAL},
        Case{"1.4", kfd::kSvm, ENOTTY}, Case{"1.5", kfd::kSvm, EPERM}, Case{"1.6", kfd::kCriuOp, ENOTTY},
        Case{"1.7", kfd::kCriuOp, EACCES}, Case{"1.8", kfd::kAvailableMemory, ENOTTY},
        Case{"1.9", kfd::kAvailableMemory, EINVAL}, Case{"1.11", kfd::kExportDmabuf, ENOTTY},
        Case{"1.12", kfd::kExportDmabuf, EINVAL}, Case{"1.12", kfd::kDbgTrap, ENOTTY},
        Case{"1.13", kfd::kDbgTrap, EINVAL}}) {
    Client client(std::string("gfx1100:kfd=") + c.version + ";mode=inline;log=off");
    EXPECT_EQ(client.call(c.request, bytes), c.error) << c.version << " " << std::hex << c.request;
    EXPECT_TRUE(client.machine.reports().empty());
  }
  Client client("gfx1100:kfd=1.14;mode=inline;log=off");
  ASSERT_EQ(client.acquire(), 0);
  UserQueue queue;
  kfd::CreateQueueArgs args = client.queue_args(queue, true);
  args.queue_type = kfd::kQueueTypeSdmaByEngineId;
  EXPECT_EQ(client.call(kfd::kCreateQueue, args), 524) << "came with 1.17";
}

TEST_F(KfdStrict, MemoryIsChecked) {
  kfd::AllocMemoryOfGpuArgs alloc{};
  alloc.va_addr = reinterpret_cast<std::uint64_t>(client.machine.reserve(0x4000)) + 0x800;
  alloc.size = 0x1000;
  alloc.gpu_id = client.gpu_id;
  alloc.flags = kVram;
  ASSERT_EQ(client.call(kfd::kAllocMemoryOfGpu, alloc), 0);
  Memory memory;
  memory.handle = alloc.handle;
  EXPECT_EQ(client.map(memory), EINVAL) << "not on a page";
  EXPECT_EQ(client.unmap(memory), EINVAL) << "never mapped";
  EXPECT_EQ(client.free(memory), 0);
  // Partial overlap.
  const Memory first = client.allocate(0x4000, kVram);
  alloc.va_addr = first.va + 0x3000;
  alloc.size = 0x2000;
  ASSERT_EQ(client.call(kfd::kAllocMemoryOfGpu, alloc), 0);
  memory.handle = alloc.handle;
  EXPECT_EQ(client.map(memory), EINVAL);
  EXPECT_EQ(client.unmap(first), 0);
  EXPECT_EQ(client.map(memory), 0) << "the other one is gone";
  // Sizes and kinds.
  auto bad = alloc;
  bad.size = std::uint64_t{1} << 45;
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, bad), ENOMEM) << "more than there is";
  bad = alloc, bad.size = ~std::uint64_t{0};
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, bad), ENOMEM);
  bad = alloc, bad.flags = 0xd0000008, bad.size = 0x1000;
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, bad), EINVAL) << "doorbells are two pages";
  bad = alloc, bad.flags = 0xd0000010, bad.size = 0x1000;
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, bad), ENOMEM) << "no remapped registers";
  bad.size = 0x2000;
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, bad), EINVAL);
  EXPECT_TRUE(client.machine.reports().empty());
}

/// WRITE_DATA of one word to memory.
std::vector<std::uint32_t> write_data(std::uint64_t address, std::uint32_t value) {
  return {0xc0033700, 5u << 8 | 1u << 20, static_cast<std::uint32_t>(address),
          static_cast<std::uint32_t>(address >> 32), value};
}

// What the vendor's library does before its first queue.
TEST_F(KfdStrict, DoorbellsAsGpuMemory) {
  kfd::AllocMemoryOfGpuArgs alloc{};
  alloc.va_addr = reinterpret_cast<std::uint64_t>(client.machine.reserve(0x2000));
  alloc.size = 0x2000;
  alloc.gpu_id = client.gpu_id;
  alloc.flags = 0xd6000008;
  ASSERT_EQ(client.call(kfd::kAllocMemoryOfGpu, alloc), 0);
  EXPECT_EQ(alloc.mmap_offset, std::uint64_t{3} << 62 | std::uint64_t{client.gpu_id} << 46);
  Memory memory;
  memory.handle = alloc.handle;
  ASSERT_EQ(client.map(memory), 0);
  EXPECT_EQ(client.free(memory), EBUSY);

  UserQueue queue = client.create_queue(false);
  queue.submit(write_data(alloc.va_addr, 1));
  client.machine.relax();
  ASSERT_EQ(client.machine.reports().size(), 1u) << "a GPU cannot ring here, and says so";
  EXPECT_THAT(format_error(client.machine.reports()[0]), HasSubstr("doorbells, which this machine's GPUs"));
  EXPECT_EQ(client.unmap(memory), 0);
  EXPECT_EQ(client.free(memory), 0);
}

TEST_F(KfdStrict, RingsOfAqlQueuesAreMappedTwice) {
  Memory ring;
  ring.va = reinterpret_cast<std::uint64_t>(client.machine.reserve(0x4000));
  kfd::AllocMemoryOfGpuArgs alloc{};
  alloc.va_addr = ring.va;
  alloc.size = 0x4000;
  alloc.gpu_id = client.gpu_id;
  alloc.flags = kGtt | kfd::kAllocAqlQueueMem;
  ASSERT_EQ(client.call(kfd::kAllocMemoryOfGpu, alloc), 0);
  ring.handle = alloc.handle;
  const auto offset = static_cast<off_t>(alloc.mmap_offset);
  EXPECT_FALSE(client.render_file->mmap(nullptr, 0x4000, PROT_READ, MAP_SHARED, offset)) << "half as much";
  const runtime::Mapping mapping =
      client.render_file->mmap(nullptr, 0x2000, PROT_READ | PROT_WRITE, MAP_SHARED, offset);
  ASSERT_TRUE(mapping);
  const auto* words = reinterpret_cast<const std::uint32_t*>(mapping.data);

  // The second half must be free, too.
  kfd::AllocMemoryOfGpuArgs other{ring.va + 0x3000, 0x1000, 0, 0, client.gpu_id, kVram};
  ASSERT_EQ(client.call(kfd::kAllocMemoryOfGpu, other), 0);
  Memory in_the_way;
  in_the_way.handle = other.handle;
  ASSERT_EQ(client.map(in_the_way), 0);
  EXPECT_EQ(client.map(ring), EINVAL);
  ASSERT_EQ(client.unmap(in_the_way), 0);
  ASSERT_EQ(client.map(ring), 0) << "nothing of the first try was left";

  UserQueue queue = client.create_queue(false);
  queue.submit(write_data(ring.va + 4, 0x11));
  queue.submit(write_data(ring.va + 0x2008, 0x22));
  client.machine.relax();
  EXPECT_EQ(words[1], 0x11u);
  EXPECT_EQ(words[2], 0x22u);
  EXPECT_EQ(client.unmap(ring), 0);
  EXPECT_EQ(client.map(in_the_way), 0) << "both halves are gone";
  EXPECT_EQ(client.unmap(in_the_way), 0);
  EXPECT_EQ(client.free(ring), 0);
  client.machine.munmap(mapping.data, 0x2000);
  EXPECT_TRUE(client.machine.reports().empty());
}

TEST(KfdPeers, MapAndUnmapSeveralDevices) {
  Client client("2xgfx1100;mode=inline;log=off");
  ASSERT_EQ(client.acquire(), 0);
  const Memory memory = client.allocate(0x1000, kVram);
  kfd::ProcessDeviceApertures apertures[2] = {};
  kfd::GetProcessAperturesNewArgs nodes{reinterpret_cast<std::uint64_t>(apertures), 2, 0};
  ASSERT_EQ(client.call(kfd::kGetProcessAperturesNew, nodes), 0);
  const std::uint32_t ids[2] = {apertures[0].gpu_id, apertures[1].gpu_id};
  kfd::MapMemoryToGpuArgs map{memory.handle, reinterpret_cast<std::uint64_t>(ids), 2, 0};
  EXPECT_EQ(client.call(kfd::kMapMemoryToGpu, map), ENODEV) << "no VM on the second";
  EXPECT_EQ(map.n_success, 1u);
  kfd::UnmapMemoryFromGpuArgs unmap{memory.handle, reinterpret_cast<std::uint64_t>(ids + 1), 1, 0};
  EXPECT_EQ(client.call(kfd::kUnmapMemoryFromGpu, unmap), 0) << "mapped, though not there";
  EXPECT_EQ(unmap.n_success, 1u);
  const auto second = client.machine.open("/dev/dri/renderD129", O_RDWR);
  kfd::AcquireVmArgs acquire{static_cast<std::uint32_t>(second->number()), ids[1]};
  ASSERT_EQ(client.call(kfd::kAcquireVm, acquire), 0);
  EXPECT_EQ(client.call(kfd::kMapMemoryToGpu, map), 0) << "goes on after the first";
  EXPECT_EQ(map.n_success, 2u);
  EXPECT_EQ(client.unmap(memory), 0);
  EXPECT_EQ(client.free(memory), EBUSY) << "still mapped on the peer";
  EXPECT_EQ(client.call(kfd::kUnmapMemoryFromGpu, unmap = {memory.handle, unmap.device_ids_array_ptr, 1, 0}),
            0);
  EXPECT_EQ(client.free(memory), 0);
}

TEST_F(KfdStrict, Mappings) {
  const auto map = [&](runtime::File& file, std::size_t size, std::uint64_t offset) {
    errno = 0;
    return file.mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, static_cast<off_t>(offset)) ? 0
                                                                                                    : errno;
  };
  const std::uint64_t gpu = std::uint64_t{client.gpu_id} << 46;
  EXPECT_EQ(map(*client.kfd_file, 0x2000, std::uint64_t{3} << 62 | gpu), 0) << "doorbells before any queue";
  EXPECT_EQ(map(*client.kfd_file, 0x1000, gpu), ENOMEM) << "remapped registers";
  EXPECT_EQ(map(*client.kfd_file, 0x2000, gpu), EINVAL);
  EXPECT_EQ(map(*client.kfd_file, 0x1000, 0), ENODEV);
  EXPECT_EQ(map(*client.kfd_file, 0x1000, std::uint64_t{1} << 62 | gpu), EINVAL);
  EXPECT_EQ(map(*client.kfd_file, 0x1000, std::uint64_t{2} << 62), EINVAL) << "no event page yet";
  kfd::AllocMemoryOfGpuArgs alloc{};
  alloc.va_addr = reinterpret_cast<std::uint64_t>(client.machine.reserve(0x1000));
  alloc.size = 0x1000;
  alloc.gpu_id = client.gpu_id;
  alloc.flags = kVisibleVram;
  ASSERT_EQ(client.call(kfd::kAllocMemoryOfGpu, alloc), 0);
  const auto other = client.machine.open("/dev/dri/renderD128", O_RDWR);
  EXPECT_EQ(map(*other, 0x1000, alloc.mmap_offset), EACCES) << "another file than the acquired one";
  EXPECT_EQ(map(*client.render_file, 0x1000, alloc.mmap_offset), 0);
}

TEST_F(KfdStrict, TheDriversOwnEventPage) {
  const std::uint32_t event = client.create_event(kfd::kEventSignal, true);
  EXPECT_EQ(event, 1u);
  runtime::Mapping page = client.kfd_file->mmap(nullptr, kfd::kEventPageBytes, PROT_READ | PROT_WRITE,
                                                MAP_SHARED, static_cast<off_t>(std::uint64_t{2} << 62));
  ASSERT_TRUE(page);
  EXPECT_EQ(runtime::Mmio(page).read64(8), ~std::uint64_t{0});
  UserQueue queue = client.create_queue(true);
  runtime::Mmio(page).write64(8, 1);
  queue.submit({6, event});
  EXPECT_EQ(client.wait({event}, 1000).result, kfd::kWaitComplete);
  EXPECT_EQ(runtime::Mmio(page).read64(8), ~std::uint64_t{0}) << "the slot is unsignaled again";
  munmap(page.data, page.size);
}

TEST_F(KfdStrict, TheDriversOwnEventPageIsSmallUntilMapped) {
  for (int i = 1; i < 256; ++i) client.create_event(kfd::kEventSignal, true);
  kfd::CreateEventArgs args{};
  EXPECT_EQ(client.call(kfd::kCreateEvent, args), ENOSPC);
  runtime::Mapping page = client.kfd_file->mmap(nullptr, kfd::kEventPageBytes, PROT_READ | PROT_WRITE,
                                                MAP_SHARED, static_cast<off_t>(std::uint64_t{2} << 62));
  ASSERT_TRUE(page);
  EXPECT_EQ(client.call(kfd::kCreateEvent, args), 0);
  munmap(page.data, page.size);
}

/// Runs `action` in a child and gives its exit status.
template <typename Action>
int in_child(Action&& action) {
  const pid_t child = fork();
  if (child == 0) _exit(action());
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(KfdForks, AChildMayNotUseItsParentsDriver) {
  for (const char* mode : {"inline", "async", "seeded"}) {
    auto client = std::make_unique<Client>(std::string(";log=off;mode=") + mode);
    ASSERT_EQ(client->acquire(), 0);
    const Memory memory = client->allocate(0x1000);
    UserQueue queue = client->create_queue(false);
    EXPECT_EQ(in_child([&] {
                kfd::GetVersionArgs version{};
                if (client->call(kfd::kGetVersion, version) != EBADF) return 1;
                queue.submit(pm4_signal(memory.va, 5));
                client->machine.relax();
                const std::vector<Error> reports = client->machine.reports();
                if (reports.size() != 2) return 2;
                if (reports[0].message().find("by a forked child") == std::string::npos) return 3;
                if (reports[1].message().find("doorbell 0x0 written by a forked child") == std::string::npos)
                  return 4;
                client.reset();  // must not wait for the parent's threads
                return 0;
              }),
              0)
        << mode;
    EXPECT_EQ(memory.words()[0], 0u) << "the child's doorbell is not heard";
    EXPECT_TRUE(client->machine.reports().empty());
    queue.submit(pm4_signal(memory.va, 6));
    EXPECT_TRUE(client->reaches(memory, 0, 6)) << "the parent goes on";
  }
}

}  // namespace mockgpu::test::kfd_strict_tests
