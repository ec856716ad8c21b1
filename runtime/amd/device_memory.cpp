#include "runtime/amd/device_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

#include "isa/amd/commands/kfd.h"
#include "isa/base/error.h"

namespace mockgpu::runtime::amd {
namespace kfd = isa::amd::kfd;
namespace {

constexpr std::size_t kPageBytes = 4096;
// Allocations that far from an address say nothing about it.
constexpr std::uint64_t kFarAway = std::uint64_t{1} << 30;

constexpr std::uint32_t kCommon = kfd::kAllocWritable | kfd::kAllocExecutable | kfd::kAllocNoSubstitute;
constexpr std::uint32_t kHidden = kCommon | kfd::kAllocGtt | kfd::kAllocCoherent | kfd::kAllocUncached;

std::uint32_t kind_flags(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::vram: return kCommon | kfd::kAllocVram;
    case MemoryKind::vram_visible: return kCommon | kfd::kAllocVram | kfd::kAllocPublic;
    case MemoryKind::host: return kCommon | kfd::kAllocUserptr | kfd::kAllocPublic;
    case MemoryKind::uncached: return kHidden | kfd::kAllocPublic;
    case MemoryKind::external: break;  // not for allocations
  }
  throw Error(Tag::bad_usage, "unknown kind of memory");
}

std::string_view kind_name(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::vram: return "device memory";
    case MemoryKind::vram_visible: return "host-visible device memory";
    case MemoryKind::host: return "host memory";
    case MemoryKind::uncached: return "uncached host memory";
    case MemoryKind::external: return "registered memory";
  }
  return "memory";
}

// Memory that somebody else allocated: as the HCQ clients pin it.
constexpr std::uint32_t kPinned =
    kCommon | kfd::kAllocUserptr | kfd::kAllocPublic | kfd::kAllocCoherent | kfd::kAllocUncached;

constexpr std::uint64_t page_of(std::uint64_t address) { return address & ~std::uint64_t{kPageBytes - 1}; }

[[noreturn]] void throw_out_of_memory(std::size_t size, MemoryKind kind) {
  throw Error(Tag::out_of_memory, fmt::format("no {} left for {} bytes", kind_name(kind), size));
}

}  // namespace

DeviceMemory::DeviceMemory(Connection& connection, const Node& node)
    : connection_(&connection), render_(&connection.acquire(node)), gpu_id_(node.gpu_id) {}

DeviceMemory::~DeviceMemory() {
  for (const auto& [address, allocation] : allocations_) destroy(address, allocation);
}

Buffer DeviceMemory::allocate(std::size_t size, MemoryKind kind) {
  return allocate(size, kind, kind_flags(kind), kind != MemoryKind::vram);
}

Buffer DeviceMemory::allocate_hidden(std::size_t size) {
  return allocate(size, MemoryKind::uncached, kHidden, false);
}

Buffer DeviceMemory::allocate(std::size_t size, MemoryKind kind, std::uint32_t flags, bool host_view) {
  if (size == 0) throw Error(Tag::bad_usage, "an allocation of 0 bytes");
  if (size > SIZE_MAX - kPageBytes) throw_out_of_memory(size, kind);
  const std::size_t pages = (size + kPageBytes - 1) / kPageBytes * kPageBytes;
  FileIo& io = connection_->io();
  const bool user_memory = (flags & kfd::kAllocUserptr) != 0;
  void* const place = user_memory ? io.anon_mmap(pages) : io.reserve(pages);
  if (place == nullptr) throw_out_of_memory(size, kind);
  const auto address = reinterpret_cast<std::uint64_t>(place);

  kfd::AllocMemoryOfGpuArgs alloc{};
  alloc.va_addr = address;
  alloc.size = pages;
  alloc.mmap_offset = user_memory ? address : 0;
  alloc.gpu_id = gpu_id_;
  alloc.flags = flags;
  if (connection_->kfd().ioctl(kfd::kAllocMemoryOfGpu, &alloc) != 0) {
    const int error = errno;
    io.munmap(place, pages);
    if (error == ENOMEM) throw_out_of_memory(size, kind);
    errno = error;
    connection_->fail(kfd::kAllocMemoryOfGpu);
  }

  Buffer buffer;
  buffer.address = address;
  buffer.size = size;
  buffer.kind = kind;
  if (user_memory) buffer.host = static_cast<std::byte*>(place);
  try {
    if (host_view && !user_memory) {
      const Mapping mapping = render_->mmap(place, pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                                            static_cast<off_t>(alloc.mmap_offset));
      if (mapping.data != place) {
        throw Error(Tag::io,
                    fmt::format("mapping {} bytes of {} failed: errno {}", pages, kind_name(kind), errno));
      }
      buffer.host = mapping.data;
      buffer.hook = mapping.hook;
    }
    Allocation allocation{alloc.handle, pages, buffer, {gpu_id_}, false, true};
    map(allocation);
    const std::lock_guard lock(mutex_);
    allocations_[address] = std::move(allocation);
  } catch (...) {
    kfd::FreeMemoryOfGpuArgs free{alloc.handle};
    connection_->kfd().ioctl(kfd::kFreeMemoryOfGpu, &free);
    io.munmap(place, pages);
    throw;
  }
  return buffer;
}

void DeviceMemory::map(Allocation& allocation) {
  const auto count = static_cast<std::uint32_t>(allocation.gpus.size());
  kfd::MapMemoryToGpuArgs map{allocation.handle, reinterpret_cast<std::uint64_t>(allocation.gpus.data()),
                              count, 0};
  connection_->call(kfd::kMapMemoryToGpu, map);
  if (map.n_success != count) {
    throw Error(Tag::io,
                fmt::format("AMDKFD_IOC_MAP_MEMORY_TO_GPU mapped {} of {} devices", map.n_success, count));
  }
}

Buffer DeviceMemory::pin(std::span<std::byte> memory) {
  if (memory.empty()) throw Error(Tag::bad_usage, "registering 0 bytes");
  const auto first = reinterpret_cast<std::uint64_t>(memory.data());
  const std::uint64_t start = page_of(first);
  const std::uint64_t bytes = page_of(first + memory.size() - 1) + kPageBytes - start;
  FileIo& io = connection_->io();

  const std::lock_guard lock(mutex_);
  const auto after = allocations_.lower_bound(start + bytes);
  const bool taken =
      after != allocations_.begin() && std::prev(after)->first + std::prev(after)->second.size > start;
  void* const place = taken ? io.reserve(bytes) : memory.data() - (first - start);
  if (place == nullptr) throw_out_of_memory(bytes, MemoryKind::external);
  Allocation allocation;
  allocation.size = bytes;
  allocation.gpus = {gpu_id_};
  allocation.has_place = taken;
  Buffer& buffer = allocation.buffer;
  buffer.address = reinterpret_cast<std::uint64_t>(place) + (first - start);
  buffer.size = memory.size();
  buffer.host = memory.data();
  buffer.kind = MemoryKind::external;

  kfd::AllocMemoryOfGpuArgs alloc{};
  try {
    alloc.va_addr = page_of(buffer.address);
    alloc.mmap_offset = start;
    alloc.size = bytes;
    alloc.gpu_id = gpu_id_;
    alloc.flags = kPinned;
    connection_->call(kfd::kAllocMemoryOfGpu, alloc);
    allocation.handle = alloc.handle;
    map(allocation);
  } catch (...) {
    kfd::FreeMemoryOfGpuArgs free{alloc.handle};
    if (alloc.handle != 0) connection_->kfd().ioctl(kfd::kFreeMemoryOfGpu, &free);
    if (taken) io.munmap(place, bytes);
    throw;
  }
  const Buffer pinned = buffer;
  allocations_[page_of(pinned.address)] = std::move(allocation);
  return pinned;
}

void DeviceMemory::share(const Buffer& buffer, std::uint32_t gpu_id) {
  const std::lock_guard lock(mutex_);
  Allocation& allocation = allocations_.at(page_of(find(buffer).buffer.address));
  if (std::find(allocation.gpus.begin(), allocation.gpus.end(), gpu_id) != allocation.gpus.end()) return;
  allocation.gpus.push_back(gpu_id);
  try {
    map(allocation);
  } catch (...) {
    allocation.gpus.pop_back();
    throw;
  }
}

const DeviceMemory::Allocation& DeviceMemory::find(const Buffer& buffer) const {
  const auto found = allocations_.find(page_of(buffer.address));
  if (found == allocations_.end() || found->second.parked) {
    throw Error(Tag::bad_usage, fmt::format("no allocation at {:#x}", buffer.address));
  }
  const Buffer& whole = found->second.buffer;
  if (buffer.offset != 0 || buffer.address != whole.address || buffer.size != whole.size) {
    throw Error(Tag::bad_usage, fmt::format("[{:#x}, +{}) is a part of the allocation [{:#x}, +{})",
                                            buffer.address, buffer.size, whole.address, whole.size));
  }
  return found->second;
}

void DeviceMemory::park(const Buffer& buffer) {
  const std::lock_guard lock(mutex_);
  allocations_.at(page_of(find(buffer).buffer.address)).parked = true;
}

Buffer DeviceMemory::unpark(const Buffer& buffer, std::size_t size) {
  const std::lock_guard lock(mutex_);
  Allocation& allocation = allocations_.at(buffer.address);
  allocation.parked = false;
  allocation.buffer.size = size;
  return allocation.buffer;
}

bool DeviceMemory::shared(const Buffer& buffer) const {
  const std::lock_guard lock(mutex_);
  return find(buffer).gpus.size() > 1;
}

void DeviceMemory::free(const Buffer& buffer) {
  Allocation allocation;
  {
    const std::lock_guard lock(mutex_);
    allocation = find(buffer);
    allocations_.erase(page_of(buffer.address));
  }
  destroy(page_of(buffer.address), allocation);
}

void DeviceMemory::destroy(std::uint64_t address, const Allocation& allocation) {
  kfd::UnmapMemoryFromGpuArgs unmap{allocation.handle,
                                    reinterpret_cast<std::uint64_t>(allocation.gpus.data()),
                                    static_cast<std::uint32_t>(allocation.gpus.size()), 0};
  kfd::FreeMemoryOfGpuArgs free{allocation.handle};
  // Nothing helps when the driver refuses; closing the connection frees everything.
  connection_->kfd().ioctl(kfd::kUnmapMemoryFromGpu, &unmap);
  if (allocation.has_place) connection_->io().munmap(reinterpret_cast<void*>(address), allocation.size);
  connection_->kfd().ioctl(kfd::kFreeMemoryOfGpu, &free);
}

std::uint64_t DeviceMemory::handle(const Buffer& buffer) const {
  const std::lock_guard lock(mutex_);
  return find(buffer).handle;
}

void DeviceMemory::release(const Buffer& buffer) {
  const std::lock_guard lock(mutex_);
  allocations_.erase(buffer.address);
}

std::optional<std::string> DeviceMemory::locate(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  std::optional<std::string> text;
  std::uint64_t nearest = kFarAway;
  for (const auto& [start, allocation] : allocations_) {
    const std::uint64_t end = start + allocation.size;
    const bool inside = address >= start && address < end;
    const std::uint64_t distance = inside ? 0 : address < start ? start - address : address - end;
    if (distance >= nearest) continue;
    nearest = distance;
    text = inside ? fmt::format("{} bytes into", address - start)
                  : fmt::format("{} bytes {}", distance, address < start ? "before" : "after");
    *text += fmt::format(" [{:#x}, +{})", start, allocation.size);
    if (inside) break;
  }
  return text;
}

}  // namespace mockgpu::runtime::amd
