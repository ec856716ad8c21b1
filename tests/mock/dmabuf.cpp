// Memory shared by DMA buffers: EXPORT_DMABUF, GET_DMABUF_INFO, IMPORT_DMABUF and what their descriptors do.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "emu/amd/topology.h"
#include "tests/mock/client.h"

namespace mockgpu::test::dmabuf_tests {

constexpr std::uint32_t kReadOnlyGtt = kGtt & ~std::uint32_t{kfd::kAllocWritable};

class DmabufTest : public testing::Test {
 protected:
  DmabufTest() { EXPECT_EQ(client.acquire(), 0); }
  ~DmabufTest() override {
    for (const int number : open_) close(number);
  }

  /// A descriptor that the test closes at its end, or minus the errno.
  int export_memory(std::uint64_t handle, std::uint32_t flags = O_CLOEXEC) {
    kfd::ExportDmabufArgs args{handle, flags, 0};
    if (const int error = client.call(kfd::kExportDmabuf, args)) return -error;
    open_.push_back(static_cast<int>(args.dmabuf_fd));
    return open_.back();
  }
  void close_now(int number) {
    open_.erase(std::find(open_.begin(), open_.end(), number));
    close(number);
  }
  std::uint64_t available() {
    kfd::GetAvailableMemoryArgs args{};
    args.gpu_id = client.gpu_id;
    EXPECT_EQ(client.call(kfd::kAvailableMemory, args), 0);
    return args.available;
  }
  /// Imports at a new address and maps there; `handle` 0 when that failed.
  Memory import(int number, std::uint32_t gpu_id, std::uint64_t size) {
    Memory memory;
    memory.size = size;
    memory.va = reinterpret_cast<std::uint64_t>(client.machine.reserve(size));
    kfd::ImportDmabufArgs args{memory.va, 0, gpu_id, static_cast<std::uint32_t>(number)};
    if (client.call(kfd::kImportDmabuf, args) != 0) return memory;
    kfd::MapMemoryToGpuArgs map{args.handle, reinterpret_cast<std::uint64_t>(&gpu_id), 1, 0};
    if (client.call(kfd::kMapMemoryToGpu, map) == 0) memory.handle = args.handle;
    return memory;
  }
  void free(const Memory& memory) {
    EXPECT_EQ(client.unmap(memory), 0);
    EXPECT_EQ(client.free(memory), 0);
  }

  Client client{"2xgfx1100;mode=inline;log=off"};
  std::vector<int> open_;
};

ino_t inode(int number) {
  struct stat info {};
  EXPECT_EQ(fstat(number, &info), 0);
  return info.st_ino;
}

TEST_F(DmabufTest, InfoSaysWhatWasExported) {
  struct Case {
    std::uint32_t alloc, told;
  };
  for (const Case& c : {Case{kVram, 1}, Case{kVisibleVram, 0x20000001}, Case{kGtt, 2}, Case{kHiddenGtt, 2}}) {
    const int number = export_memory(client.allocate(0x3000, c.alloc).handle);
    ASSERT_GE(number, 0);
    kfd::GetDmabufInfoArgs info{};
    info.dmabuf_fd = static_cast<std::uint32_t>(number);
    info.metadata_size = 64;
    EXPECT_EQ(client.call(kfd::kGetDmabufInfo, info), 0);
    EXPECT_EQ(info.size, 0x3000u);
    EXPECT_EQ(info.gpu_id, client.gpu_id);
    EXPECT_EQ(info.flags, c.told);
    EXPECT_EQ(info.metadata_size, 64u) << "without a pointer nobody looks";
    std::array<std::uint32_t, 16> metadata;
    info.metadata_ptr = reinterpret_cast<std::uint64_t>(metadata.data());
    EXPECT_EQ(client.call(kfd::kGetDmabufInfo, info), 0);
    EXPECT_EQ(info.metadata_size, 0u) << "there is none";
    info.metadata_size = ~0u;
    EXPECT_EQ(client.call(kfd::kGetDmabufInfo, info), ENOMEM);
  }
  EXPECT_TRUE(client.machine.reports().empty());
}

TEST_F(DmabufTest, BadRequestsAreRefused) {
  const Memory memory = client.allocate(0x1000, kVram);
  EXPECT_EQ(export_memory(memory.handle + 1), -EINVAL) << "no such memory";
  EXPECT_EQ(export_memory(memory.handle & 0xffffffff), -EINVAL) << "no such GPU";
  alignas(4096) static std::byte page[4096];
  kfd::AllocMemoryOfGpuArgs user{};
  user.va_addr = user.mmap_offset = reinterpret_cast<std::uint64_t>(page);
  user.size = sizeof page;
  user.gpu_id = client.gpu_id;
  user.flags = kfd::kAllocUserptr | kfd::kAllocWritable;
  ASSERT_EQ(client.call(kfd::kAllocMemoryOfGpu, user), 0);
  EXPECT_EQ(export_memory(user.handle), -EPERM) << "user memory";

  const int number = export_memory(memory.handle);
  ASSERT_GE(number, 0);
  const auto imports = [&](std::uint32_t gpu_id, int from) {
    kfd::ImportDmabufArgs args{0x1000000, 0, gpu_id, static_cast<std::uint32_t>(from)};
    return client.call(kfd::kImportDmabuf, args);
  };
  EXPECT_EQ(imports(1, number), EINVAL) << "no such GPU";
  EXPECT_EQ(imports(emu::amd::gpu_id_of(1), number), ENODEV) << "no VM there";
  EXPECT_EQ(imports(client.gpu_id, 9999), EBADF);
  kfd::GetDmabufInfoArgs info{};
  info.dmabuf_fd = 9999;
  EXPECT_EQ(client.call(kfd::kGetDmabufInfo, info), EBADF);
  info.dmabuf_fd = static_cast<std::uint32_t>(client.kfd_file->number());
  EXPECT_EQ(client.call(kfd::kGetDmabufInfo, info), EINVAL) << "no DMA buffer";
  EXPECT_EQ(imports(client.gpu_id, client.kfd_file->number()), EINVAL) << "no DMA buffer";
  Client other;
  ASSERT_EQ(other.acquire(), 0);
  kfd::ImportDmabufArgs foreign{0x1000000, 0, other.gpu_id, static_cast<std::uint32_t>(number)};
  EXPECT_EQ(other.call(kfd::kImportDmabuf, foreign), EINVAL) << "another machine's driver made it";
  const int old = number;
  close_now(number);
  EXPECT_EQ(imports(client.gpu_id, old), EBADF);
  EXPECT_TRUE(client.machine.reports().empty());
}

TEST_F(DmabufTest, ImportedMemoryIsTheSame) {
  const Memory memory = client.allocate(0x2000, kVisibleVram), result = client.allocate(0x1000, kGtt);
  memory.words()[0x400] = 0x12345678;
  const int number = export_memory(memory.handle);
  const Memory again = import(number, client.gpu_id, 0x2000);
  ASSERT_NE(again.handle, 0u);
  EXPECT_NE(again.handle, memory.handle);
  UserQueue queue = client.create_queue(true);
  queue.submit({1, 3, 0, low(again.va + 0x1000), high(again.va + 0x1000), low(result.va), high(result.va)});
  queue.submit({2, low(again.va + 4), high(again.va + 4), 0, 0xcafe});  // WRITE
  EXPECT_EQ(result.words()[0], 0x12345678u);
  EXPECT_EQ(memory.words()[1], 0xcafeu);
  const Memory read_only = client.allocate(0x1000, kReadOnlyGtt);
  const Memory writable = import(export_memory(read_only.handle), client.gpu_id, 0x1000);
  queue.submit({5, low(writable.va), high(writable.va), 9});  // FENCE
  EXPECT_EQ(read_only.words()[0], 9u) << "the driver imports everything writable";
  EXPECT_TRUE(client.machine.reports().empty());
}

TEST_F(DmabufTest, AnotherDeviceWritesToIt) {
  const Memory memory = client.allocate(0x1000, kVisibleVram);
  const int number = export_memory(memory.handle);
  const auto render = client.machine.open("/dev/dri/renderD129", O_RDWR);
  kfd::AcquireVmArgs acquire{static_cast<std::uint32_t>(render->number()), emu::amd::gpu_id_of(1)};
  ASSERT_EQ(client.call(kfd::kAcquireVm, acquire), 0);
  const Memory peer = import(number, emu::amd::gpu_id_of(1), 0x1000);
  EXPECT_EQ(peer.handle >> 32, emu::amd::gpu_id_of(1));
  std::swap(client.gpu_id, acquire.gpu_id);  // allocate on the second device
  std::swap(client.render_file, const_cast<std::unique_ptr<runtime::File>&>(render));
  UserQueue queue = client.create_queue(true);
  queue.submit({5, low(peer.va + 8), high(peer.va + 8), 77});  // FENCE
  EXPECT_EQ(memory.words()[2], 77u);
  // What the peer exports again is the first device's still.
  kfd::GetDmabufInfoArgs info{};
  info.dmabuf_fd = static_cast<std::uint32_t>(export_memory(peer.handle));
  EXPECT_EQ(client.call(kfd::kGetDmabufInfo, info), 0);
  EXPECT_EQ(info.gpu_id, emu::amd::gpu_id_of(0));
  EXPECT_EQ(info.flags, 0x20000001u);
  EXPECT_TRUE(client.machine.reports().empty());
}

TEST_F(DmabufTest, MemoryLivesAsLongAsAnybodyHasIt) {
  constexpr std::uint64_t kSize = 1 << 20;
  const std::uint64_t before = available();
  Memory memory = client.allocate(kSize, kVisibleVram);
  memory.words()[3] = 0xfeedface;
  int number = export_memory(memory.handle);
  free(memory);
  EXPECT_EQ(available(), before - kSize) << "the descriptor keeps it";
  const int second = dup(number);
  close_now(number);
  EXPECT_EQ(available(), before - kSize) << "its duplicate keeps it";
  memory = import(second, client.gpu_id, kSize);
  ASSERT_NE(memory.handle, 0u);
  close(second);
  EXPECT_EQ(available(), before - kSize) << "the imported memory keeps it";
  number = export_memory(memory.handle);
  const auto file = client.machine.adopt(dup(number));
  const runtime::Mapping mapping = file->mmap(nullptr, kSize, PROT_READ, MAP_SHARED, 0);
  ASSERT_TRUE(mapping);
  EXPECT_EQ(reinterpret_cast<std::uint32_t*>(mapping.data)[3], 0xfeedfaceu);
  free(memory);
  close_now(number);
  EXPECT_EQ(available(), before - kSize) << "the adopted descriptor keeps it";
  const_cast<std::unique_ptr<runtime::File>&>(file).reset();
  EXPECT_EQ(available(), before);
  client.machine.munmap(mapping.data, kSize);
}

TEST_F(DmabufTest, MemoryHasOneBuffer) {
  const Memory memory = client.allocate(0x1000, kGtt);
  const int first = export_memory(memory.handle), second = export_memory(memory.handle);
  EXPECT_NE(first, second);
  EXPECT_EQ(inode(first), inode(second));
  const Memory again = import(second, client.gpu_id, 0x1000);
  const ino_t one = inode(first);
  close_now(first);
  close_now(second);
  available();  // the driver notices that all are closed
  const int third = export_memory(again.handle);
  EXPECT_EQ(inode(third), one);
  EXPECT_NE(import(third, client.gpu_id, 0x1000).handle, 0u);
  EXPECT_NE(inode(export_memory(client.allocate(0x1000, kGtt).handle)), one);
}

TEST_F(DmabufTest, OnlyCloseOnExecMatters) {
  const Memory memory = client.allocate(0x1000, kGtt);
  EXPECT_EQ(fcntl(export_memory(memory.handle, O_CLOEXEC), F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(fcntl(export_memory(memory.handle, 0), F_GETFD), 0);
  EXPECT_EQ(fcntl(export_memory(memory.handle, ~std::uint32_t{O_CLOEXEC}), F_GETFD), 0);
}

TEST_F(DmabufTest, DescriptorsAreMappedThroughTheMachine) {
  const Memory memory = client.allocate(0x3000, kVisibleVram);
  const int number = export_memory(memory.handle);
  EXPECT_EQ(lseek(number, 0, SEEK_END), 0x3000);
  EXPECT_EQ(::mmap(nullptr, 0x1000, PROT_READ, MAP_SHARED, number, 0), MAP_FAILED);
  const auto file = client.machine.adopt(dup(number));
  const auto map = [&](std::size_t size, off_t offset, int protection = PROT_READ | PROT_WRITE) {
    errno = 0;
    return file->mmap(nullptr, size, protection, MAP_SHARED, offset);
  };
  const runtime::Mapping mapping = map(0x1000, 0x2000);
  ASSERT_TRUE(mapping);
  reinterpret_cast<std::uint32_t*>(mapping.data)[1] = 5;
  EXPECT_EQ(memory.words()[0x801], 5u);
  client.machine.munmap(mapping.data, mapping.size);
  EXPECT_FALSE(map(0x2000, 0x2000));
  EXPECT_EQ(errno, EINVAL) << "beyond its end";
  EXPECT_FALSE(map(0x1000, 0x800));
  EXPECT_EQ(errno, EINVAL) << "not on a page";
  const auto hidden = client.machine.adopt(dup(export_memory(client.allocate(0x1000, kVram).handle)));
  EXPECT_FALSE(hidden->mmap(nullptr, 0x1000, PROT_READ, MAP_SHARED, 0));
  EXPECT_EQ(errno, EPERM) << "the host does not see it";
  const Memory read_only = client.allocate(0x1000, kReadOnlyGtt);
  const auto readable = client.machine.adopt(dup(export_memory(read_only.handle)));
  EXPECT_FALSE(readable->mmap(nullptr, 0x1000, PROT_READ | PROT_WRITE, MAP_SHARED, 0));
  EXPECT_EQ(errno, EACCES);
  EXPECT_TRUE(readable->mmap(nullptr, 0x1000, PROT_READ, MAP_SHARED, 0));

  std::uint64_t sync = 3;  // start of reading and writing
  EXPECT_EQ(file->ioctl(0x40086200, &sync), 0);
  sync = 4;
  EXPECT_EQ(file->ioctl(0x40086200, &sync), -1);
  EXPECT_EQ(errno, EINVAL) << "the end of nothing";
  EXPECT_EQ(file->ioctl(kfd::kGetVersion, &sync), -1);
  EXPECT_EQ(errno, ENOTTY);
  EXPECT_EQ(file->pread(&sync, 8, 0), -1);
  EXPECT_EQ(errno, ESPIPE);
  const auto event = client.machine.adopt(dup(client.machine.eventfd(7, 0)->number()));
  std::uint64_t count = 0;
  EXPECT_EQ(read(event->number(), &count, sizeof count), 8) << "other descriptors are the host's";
  EXPECT_EQ(count, 7u);
}

}  // namespace mockgpu::test::dmabuf_tests
