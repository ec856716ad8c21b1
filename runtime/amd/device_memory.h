#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/amd/connection.h"
#include "runtime/memory.h"

namespace mockgpu::runtime::amd {

/// The allocations of one GPU: KFD memory at addresses that this process reserves, so that host and device
/// see it at the same place. Safe to use from several threads. The destructor frees what is left.
class DeviceMemory {
 public:
  DeviceMemory(Connection& connection, const Node& node);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Throws Error(bad_usage) for no bytes, Error(out_of_memory) when the driver has none left.
  Buffer allocate(std::size_t size, MemoryKind kind);
  /// Uncached host memory for the driver alone, as it wants the event page: no host view.
  Buffer allocate_hidden(std::size_t size);
  /// Pins memory of the caller's, page by page: at its own address, or at another one where its pages are
  /// pinned already. Throws Error(bad_usage) for no bytes.
  Buffer pin(std::span<std::byte> memory);
  /// Throws Error(bad_usage) unless `buffer` is a whole allocation.
  void free(const Buffer& buffer);

  /// Maps an allocation on another GPU of the process too, at the same address, until it is freed.
  void share(const Buffer& buffer, std::uint32_t gpu_id);

  /// Marks an allocation as without owner: its memory stays, but for users it is freed. Throws what `free`
  /// throws.
  void park(const Buffer& buffer);
  /// Gives a parked allocation to a new owner, with a size that needs as many pages.
  Buffer unpark(const Buffer& buffer, std::size_t size);
  /// Whether other GPUs have the allocation.
  bool shared(const Buffer& buffer) const;

  /// The driver's name of an allocation.
  std::uint64_t handle(const Buffer& buffer) const;
  /// Forgets an allocation: someone else frees it.
  void release(const Buffer& buffer);

  /// Where an address lies relative to the nearest allocation: "16 bytes after [0x7f..., +4096)". Nothing
  /// when there are none.
  std::optional<std::string> locate(std::uint64_t address) const;

 private:
  struct Allocation {
    std::uint64_t handle = 0;
    std::size_t size = 0;  // whole pages
    Buffer buffer;
    std::vector<std::uint32_t> gpus;  // where it is mapped
    bool parked = false;
    bool has_place = true;  // address space that is ours to unmap
  };

  Buffer allocate(std::size_t size, MemoryKind kind, std::uint32_t flags, bool host_view);
  void map(Allocation& allocation);
  void destroy(std::uint64_t address, const Allocation& allocation);
  const Allocation& find(const Buffer& buffer) const;  // with mutex_ held

  Connection* connection_;
  File* render_;
  std::uint32_t gpu_id_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Allocation> allocations_;  // by address
};

}  // namespace mockgpu::runtime::amd
