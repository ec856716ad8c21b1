#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

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
  void free(const Buffer& buffer);

  /// The driver's name of an allocation.
  std::uint64_t handle(const Buffer& buffer) const;
  /// Forgets an allocation: someone else frees it.
  void release(const Buffer& buffer);

  /// Where an address lies relative to the nearest allocation: "16 bytes after [0x7f..., +4096)". Nothing
  /// when there are none.
  std::optional<std::string> locate(std::uint64_t address) const;

 private:
  struct Allocation {
    std::uint64_t handle;
    std::size_t size;  // whole pages
  };

  Buffer allocate(std::size_t size, MemoryKind kind, std::uint32_t flags, bool host_view);
  void destroy(std::uint64_t address, const Allocation& allocation);

  Connection* connection_;
  File* render_;
  std::uint32_t gpu_id_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Allocation> allocations_;  // by address
};

}  // namespace mockgpu::runtime::amd
