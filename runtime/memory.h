#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/io/mmio.h"

namespace mockgpu::runtime {

/// Where an allocation lives and who may touch it.
enum class MemoryKind : std::uint8_t {
  vram,          ///< device memory without a host view: fill it with copies
  vram_visible,  ///< device memory that the host can also write (needs a large BAR)
  host,          ///< host memory, pinned, at the same address for host and device
  uncached,      ///< host memory that the device does not cache: signals, rings
};

/// One allocation of a Device: a value, released by Device::free or with its device.
struct Buffer {
  std::uint64_t address = 0;  ///< in the device's address space, page aligned
  std::size_t size = 0;       ///< as asked for, bytes; pages behind it up to the next 4 KiB are mapped too
  std::byte* host = nullptr;  ///< the host's view, or null for MemoryKind::vram
  MmioHook* hook = nullptr;   ///< who wants to know of the host's word accesses
  MemoryKind kind = MemoryKind::vram;

  /// The host's view for single ordered words.
  Mmio mmio() const { return Mmio(Mapping{host, size, hook}); }
};

}  // namespace mockgpu::runtime
