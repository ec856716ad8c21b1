#include <gmock/gmock.h>

#include "tests/mock/client.h"

namespace mockgpu::test::kfd_calls_tests {

using testing::HasSubstr;

TEST(Kfd, VersionIsConfigurable) {
  Client client;
  kfd::GetVersionArgs version{};
  EXPECT_EQ(client.call(kfd::kGetVersion, version), 0);
  EXPECT_EQ(version.major_version, 1u);
  EXPECT_EQ(version.minor_version, 17u);
  Client old("gfx1100:kfd=1.12;mode=inline;log=off");
  EXPECT_EQ(old.call(kfd::kGetVersion, version), 0);
  EXPECT_EQ(version.minor_version, 12u);
  kfd::RuntimeEnableArgs enable{};
  EXPECT_EQ(old.call(kfd::kRuntimeEnable, enable), ENOTTY) << "came with 1.13";
  EXPECT_TRUE(old.machine.reports().empty()) << "the real driver of that version refuses it, too";
}

TEST(Kfd, AcquireVm) {
  Client client;
  kfd::AllocMemoryOfGpuArgs alloc{};
  alloc.size = 0x1000;
  alloc.gpu_id = client.gpu_id;
  alloc.flags = kVram;
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, alloc), ENODEV) << "no VM yet";
  kfd::AcquireVmArgs args{static_cast<std::uint32_t>(client.kfd_file->number()), client.gpu_id};
  EXPECT_EQ(client.call(kfd::kAcquireVm, args), EINVAL) << "not a render node";
  args = {static_cast<std::uint32_t>(client.render_file->number()), 1};
  EXPECT_EQ(client.call(kfd::kAcquireVm, args), EINVAL) << "no such GPU";
  EXPECT_EQ(client.acquire(), 0);
  EXPECT_EQ(client.acquire(), 0) << "the same file again";
  const auto other = client.machine.open("/dev/dri/renderD128", O_RDWR);
  args = {static_cast<std::uint32_t>(other->number()), client.gpu_id};
  EXPECT_EQ(client.call(kfd::kAcquireVm, args), EBUSY);
}

/// The driver's process belongs to the address space, not to a descriptor: it ends with the client's process.
TEST(Kfd, AProcessOutlivesItsFiles) {
  Client client;
  ASSERT_EQ(client.acquire(), 0);
  const Memory memory = client.allocate(0x1000);
  UserQueue faulty = client.create_queue(true), queue = client.create_queue(true);
  faulty.submit({5, 0x10000, 0, 1});  // FENCE to an address that nothing is mapped at
  ASSERT_EQ(client.machine.reports().size(), 1u);
  client.kfd_file.reset();
  client.render_file.reset();
  client.kfd_file = client.machine.open("/dev/kfd", O_RDWR);
  client.render_file = client.machine.open("/dev/dri/renderD128", O_RDWR);
  EXPECT_EQ(client.acquire(), EBUSY) << "the VM of the closed file is still this process's";
  queue.submit({5, low(memory.va), high(memory.va), 7});
  EXPECT_EQ(memory.words()[0], 7u) << "memory, VM and the other queue are still there";
  EXPECT_EQ(client.unmap(memory), 0);
  EXPECT_EQ(client.free(memory), 0);
}

TEST(Kfd, RuntimeEnable) {
  Client client;
  kfd::RuntimeEnableArgs args{};
  EXPECT_EQ(client.call(kfd::kRuntimeEnable, args), 0) << "disable without enable";
  args.mode_mask = 1;
  EXPECT_EQ(client.call(kfd::kRuntimeEnable, args), 0);
  EXPECT_EQ(client.call(kfd::kRuntimeEnable, args), EBUSY);
}

TEST(Kfd, AperturesAndClocks) {
  Client client("2xgfx1100;mode=inline;log=off");
  kfd::GetProcessAperturesNewArgs args{};
  EXPECT_EQ(client.call(kfd::kGetProcessAperturesNew, args), 0);
  EXPECT_EQ(args.num_of_nodes, 2u);
  kfd::ProcessDeviceApertures apertures[4] = {};
  args.num_of_nodes = 4;
  args.kfd_process_device_apertures_ptr = reinterpret_cast<std::uint64_t>(apertures);
  EXPECT_EQ(client.call(kfd::kGetProcessAperturesNew, args), 0);
  EXPECT_EQ(args.num_of_nodes, 2u);
  EXPECT_EQ(apertures[0].gpu_id, client.gpu_id);
  EXPECT_EQ(apertures[0].lds_base, 0x1000000000000u);
  EXPECT_EQ(apertures[0].scratch_limit, 0x20000ffffffffu);
  EXPECT_EQ(apertures[1].gpuvm_limit, 0x7fffffffffffu);
  args.kfd_process_device_apertures_ptr = 8;
  EXPECT_EQ(client.call(kfd::kGetProcessAperturesNew, args), EFAULT);

  kfd::GetClockCountersArgs clocks{};
  clocks.gpu_id = client.gpu_id;
  EXPECT_EQ(client.call(kfd::kGetClockCounters, clocks), 0);
  EXPECT_GT(clocks.cpu_clock_counter, 0u);
  EXPECT_EQ(clocks.system_clock_freq, 1'000'000'000u);
}

TEST(Kfd, AllocationsAreChecked) {
  Client client("gfx1100:vram=1M;mode=inline;log=off");
  ASSERT_EQ(client.acquire(), 0);
  kfd::AllocMemoryOfGpuArgs good{};
  good.va_addr = reinterpret_cast<std::uint64_t>(client.machine.reserve(0x100000));
  good.size = 0x1000;
  good.gpu_id = client.gpu_id;
  good.flags = kVram;
  auto bad = good;
  bad.size = 0;
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, bad), EINVAL);
  bad = good;
  bad.gpu_id = 7;
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, bad), EINVAL);
  bad = good;
  bad.flags = kfd::kAllocWritable;
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, bad), EINVAL) << "no domain";
  bad = good;
  bad.size = 0x200000;
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, bad), ENOMEM) << "more than the video memory";
  bad = good;
  bad.va_addr = 0x7ffffffff000;
  bad.size = 0x2000;
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, bad), 0) << "the address matters when it is mapped";
  Memory outside;
  outside.handle = bad.handle;
  EXPECT_EQ(client.map(outside), EINVAL) << "past the last address";
  EXPECT_EQ(client.free(outside), 0);
  bad = good;
  bad.flags = 0xf0000004;
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, bad), EINVAL) << "a user pointer without the pointer";
  void* place = client.machine.reserve(0x1000);
  client.machine.munmap(place, 0x1000);
  bad.mmap_offset = reinterpret_cast<std::uint64_t>(place);
  EXPECT_EQ(client.call(kfd::kAllocMemoryOfGpu, bad), EFAULT) << "nothing is mapped there";
}

TEST(Kfd, VideoMemoryIsAccounted) {
  Client client("gfx1100:vram=1M;mode=inline;log=off");
  ASSERT_EQ(client.acquire(), 0);
  const auto available = [&] {
    kfd::GetAvailableMemoryArgs args{};
    args.gpu_id = client.gpu_id;
    EXPECT_EQ(client.call(kfd::kAvailableMemory, args), 0);
    return args.available;
  };
  EXPECT_EQ(available(), 0x100000u);
  const Memory half = client.allocate(0x80000, kVisibleVram);
  EXPECT_EQ(available(), 0x80000u);
  half.words()[0] = 17;
  EXPECT_EQ(client.free(half), EBUSY) << "still mapped";
  EXPECT_EQ(client.unmap(half), 0);
  EXPECT_EQ(client.unmap(half), EINVAL) << "not mapped any more";
  client.machine.munmap(half.mapping.data, half.size);
  EXPECT_EQ(client.free(half), 0);
  EXPECT_EQ(client.free(half), EINVAL);
  EXPECT_EQ(available(), 0x100000u);
  EXPECT_EQ(client.allocate(0x100000, kVisibleVram).words()[0], 0u) << "memory comes zeroed";
}

TEST(Kfd, MapIsChecked) {
  Client client;
  ASSERT_EQ(client.acquire(), 0);
  const Memory memory = client.allocate(0x1000, kVram);
  EXPECT_EQ(client.map(memory), 0) << "mapping again changes nothing";
  std::uint32_t id = client.gpu_id, wrong_id = 3;
  kfd::MapMemoryToGpuArgs args{memory.handle, reinterpret_cast<std::uint64_t>(&id), 0, 0};
  EXPECT_EQ(client.call(kfd::kMapMemoryToGpu, args), EINVAL) << "no devices";
  args = {memory.handle, reinterpret_cast<std::uint64_t>(&id), 1, 2};
  EXPECT_EQ(client.call(kfd::kMapMemoryToGpu, args), EINVAL) << "more successes than devices";
  args = {memory.handle, reinterpret_cast<std::uint64_t>(&wrong_id), 1, 0};
  EXPECT_EQ(client.call(kfd::kMapMemoryToGpu, args), EINVAL);
  EXPECT_EQ(args.n_success, 0u);
  args = {memory.handle, 16, 1, 0};
  EXPECT_EQ(client.call(kfd::kMapMemoryToGpu, args), EFAULT);
  args = {memory.handle + 99, reinterpret_cast<std::uint64_t>(&id), 1, 0};
  EXPECT_EQ(client.call(kfd::kMapMemoryToGpu, args), ENOMEM) << "no such handle";
  args = {99, reinterpret_cast<std::uint64_t>(&id), 1, 0};
  EXPECT_EQ(client.call(kfd::kMapMemoryToGpu, args), EINVAL) << "a handle of no GPU";
  // Two allocations at one address.
  kfd::AllocMemoryOfGpuArgs twin{};
  twin.va_addr = memory.va;
  twin.size = 0x1000;
  twin.gpu_id = client.gpu_id;
  twin.flags = kVram;
  ASSERT_EQ(client.call(kfd::kAllocMemoryOfGpu, twin), 0);
  args = {twin.handle, reinterpret_cast<std::uint64_t>(&id), 1, 0};
  EXPECT_EQ(client.call(kfd::kMapMemoryToGpu, args), EINVAL);
}

TEST(Kfd, RenderNodeMapsBufferObjects) {
  Client client;
  ASSERT_EQ(client.acquire(), 0);
  kfd::AllocMemoryOfGpuArgs hidden{};
  hidden.va_addr = reinterpret_cast<std::uint64_t>(client.machine.reserve(0x1000));
  hidden.size = 0x1000;
  hidden.gpu_id = client.gpu_id;
  hidden.flags = kVram;
  ASSERT_EQ(client.call(kfd::kAllocMemoryOfGpu, hidden), 0);
  const auto map = [&](std::size_t size, int protection, std::uint64_t offset) {
    errno = 0;
    return static_cast<bool>(
        client.render_file->mmap(nullptr, size, protection, MAP_SHARED, static_cast<off_t>(offset)));
  };
  EXPECT_FALSE(map(0x1000, PROT_READ | PROT_WRITE, hidden.mmap_offset));
  EXPECT_EQ(errno, EPERM) << "invisible video memory";
  EXPECT_TRUE(map(0x1000, PROT_NONE, hidden.mmap_offset));
  EXPECT_FALSE(map(0x1000, PROT_READ, hidden.mmap_offset + 0x1000));
  EXPECT_EQ(errno, EINVAL) << "no allocation starts there";
  EXPECT_FALSE(map(0x2000, PROT_NONE, hidden.mmap_offset));
  EXPECT_EQ(errno, EINVAL) << "longer than the allocation";
}

TEST(Kfd, QueuesAreChecked) {
  Client client;
  UserQueue queue;
  ASSERT_EQ(client.acquire(), 0);
  const kfd::CreateQueueArgs good = client.queue_args(queue, false);
  const auto with = [&](auto change) {
    kfd::CreateQueueArgs args = good;
    change(args);
    return client.call(kfd::kCreateQueue, args);
  };
  using Args = kfd::CreateQueueArgs;
  EXPECT_EQ(with([](Args& a) { a.queue_percentage = 101; }), EINVAL);
  EXPECT_EQ(with([](Args& a) { a.queue_priority = 16; }), EINVAL);
  EXPECT_EQ(with([](Args& a) { a.ring_size = 0x3000; }), EINVAL);
  EXPECT_EQ(with([](Args& a) { a.ring_size = 0x20000; }), EINVAL) << "not the size of the allocation";
  EXPECT_EQ(with([](Args& a) { a.gpu_id = 1; }), EINVAL);
  EXPECT_EQ(with([](Args& a) { a.queue_type = 77; }), 524);
  EXPECT_EQ(with([](Args& a) { a.read_pointer_address = 0x5000; }), EINVAL);
  EXPECT_EQ(with([](Args& a) { a.write_pointer_address += 4; }), EINVAL);
  EXPECT_EQ(with([](Args& a) { a.eop_buffer_size = 0x2000; }), EINVAL);
  EXPECT_EQ(with([](Args& a) { a.ctl_stack_size = 0x9000; }), EINVAL);
  EXPECT_EQ(with([](Args& a) { a.ctx_save_restore_size -= 0x1000; }), EINVAL);
  EXPECT_TRUE(client.machine.reports().empty());
  EXPECT_EQ(with([](Args& a) { a.queue_type = kfd::kQueueTypeComputeAql; }), ENOTTY);
  ASSERT_EQ(client.machine.reports().size(), 1u);
  EXPECT_THAT(client.machine.reports()[0].message(), HasSubstr("AQL"));
  kfd::CreateQueueArgs args = good;
  EXPECT_EQ(client.call(kfd::kCreateQueue, args), 0);
  EXPECT_EQ(args.doorbell_offset >> 62, 3u);
  EXPECT_EQ(args.doorbell_offset >> 46 & 0xffff, client.gpu_id);

  kfd::UpdateQueueArgs update{good.ring_base_address, args.queue_id, good.ring_size, 50, 7};
  EXPECT_EQ(client.call(kfd::kUpdateQueue, update), 0);
  update.queue_id = 99;
  EXPECT_EQ(client.call(kfd::kUpdateQueue, update), EFAULT);
  update = {good.ring_base_address, args.queue_id, good.ring_size, 200, 7};
  EXPECT_EQ(client.call(kfd::kUpdateQueue, update), EINVAL);
  kfd::DestroyQueueArgs destroy{args.queue_id, 0};
  EXPECT_EQ(client.call(kfd::kDestroyQueue, destroy), 0);
  EXPECT_EQ(client.call(kfd::kDestroyQueue, destroy), EINVAL);
}

TEST(Kfd, CreateQueueWithTheOldStruct) {
  Client client;
  UserQueue queue;
  ASSERT_EQ(client.acquire(), 0);
  kfd::CreateQueueArgs args = client.queue_args(queue, false);
  EXPECT_EQ(client.call(0xc0584b02, args), 0) << "88 bytes, before 1.17";
  EXPECT_NE(args.doorbell_offset, 0u);
}

TEST(Kfd, CopyQueuesAreLimited) {
  Client client;
  ASSERT_EQ(client.acquire(), 0);
  for (int i = 0; i < 12; ++i) client.create_queue(true, 0x1000);  // 2 engines of 6 queues
  UserQueue queue;
  kfd::CreateQueueArgs args = client.queue_args(queue, true, 0x1000);
  EXPECT_EQ(client.call(kfd::kCreateQueue, args), ENOMEM);
  kfd::DestroyQueueArgs destroy{5, 0};
  EXPECT_EQ(client.call(kfd::kDestroyQueue, destroy), 0);
  EXPECT_EQ(client.call(kfd::kCreateQueue, args), 0);
  EXPECT_EQ(args.queue_id, 5u) << "the lowest free number";
}

TEST(Kfd, DoorbellMappingsAreChecked) {
  Client client;
  ASSERT_EQ(client.acquire(), 0);
  client.create_queue(true);
  const std::uint64_t offset = std::uint64_t{3} << 62 | std::uint64_t{client.gpu_id} << 46;
  const auto map = [&](std::size_t size, std::uint64_t at) {
    errno = 0;
    return static_cast<bool>(
        client.kfd_file->mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, static_cast<off_t>(at)));
  };
  EXPECT_TRUE(map(0x2000, offset));
  EXPECT_FALSE(map(0x1000, offset));
  EXPECT_EQ(errno, EINVAL);
  EXPECT_FALSE(map(0x2000, std::uint64_t{3} << 62 | std::uint64_t{1} << 46));
  EXPECT_EQ(errno, ENODEV);
}

TEST(Kfd, RequestsThatTheDriverRefusesAreNoFindings) {
  Client client;
  std::uint64_t nothing[4] = {};
  EXPECT_EQ(client.call(0xc0284b82, nothing), ENOTTY) << "DBG_TRAP of old out-of-tree drivers";
  EXPECT_EQ(client.call(kfd::kDbgRegisterDeprecated, nothing), EPERM);
  EXPECT_EQ(client.kfd_file->ioctl(kfd::kGetVersion, nullptr), -1);
  EXPECT_EQ(errno, EFAULT);
  kfd::SetXnackModeArgs xnack{1};
  EXPECT_EQ(client.call(kfd::kSetXnackMode, xnack), EPERM);
  xnack.xnack_enabled = -1;
  EXPECT_EQ(client.call(kfd::kSetXnackMode, xnack), 0);
  EXPECT_EQ(xnack.xnack_enabled, 0);
  EXPECT_TRUE(client.machine.reports().empty());
}

TEST(Render, VersionAndDeviceInfo) {
  Client client;
  struct {
    std::int32_t version[4] = {};
    std::uint64_t name_length = 16;
    char* name = nullptr;
    std::uint64_t rest[4] = {};
  } version;
  char name[16] = {};
  version.name = name;
  ASSERT_EQ(client.render_file->ioctl(0xc0406400, &version), 0);
  EXPECT_EQ(version.version[0], 3);
  EXPECT_STREQ(name, "amdgpu");
  EXPECT_EQ(version.name_length, 6u);
  std::uint32_t info[92] = {};
  struct {
    std::uint64_t pointer;
    std::uint32_t size, query, rest[4];
  } query{reinterpret_cast<std::uint64_t>(info), sizeof info, 0x16, {}};
  ASSERT_EQ(client.render_file->ioctl(0x40206445, &query), 0);
  EXPECT_EQ(info[0], 0x744cu);
  EXPECT_EQ(info[4], 145u) << "family";
  EXPECT_EQ(info[7], 100'000u) << "kHz of the GPU clock";
  query.query = 0;
  ASSERT_EQ(client.render_file->ioctl(0x40206445, &query), 0);
  EXPECT_EQ(info[0], 1u) << "acceleration works";
  query.query = 0x15;
  query.rest[0] = 0x263e, query.rest[1] = 1;
  ASSERT_EQ(client.render_file->ioctl(0x40206445, &query), 0);
  EXPECT_EQ(info[0], 0x545u) << "GB_ADDR_CONFIG";
  query.query = 0x7f;
  EXPECT_EQ(client.render_file->ioctl(0x40206445, &query), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(client.machine.reports().size(), 0u) << "no driver knows it";
  query.query = 0x04;
  EXPECT_EQ(client.render_file->ioctl(0x40206445, &query), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(client.render_file->ioctl(0xc020649f, &query), -1);
  EXPECT_EQ(errno, EINVAL) << "amdgpu has no such number";
  EXPECT_EQ(client.render_file->ioctl(0xc0206440, &query), -1);
  EXPECT_EQ(errno, ENOTTY);
  EXPECT_EQ(client.machine.reports().size(), 2u);
}

}  // namespace mockgpu::test::kfd_calls_tests
