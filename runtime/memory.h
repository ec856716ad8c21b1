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
  external,      ///< host memory of the caller's, see Device::register_memory
};

/// One allocation of a Device, or a part of one: a value. Device::free releases the allocation, or else its
/// device does; parts are views that end with it.
struct Buffer {
  std::uint64_t address = 0;  ///< in the device's address space; page aligned, but for parts and external
  std::size_t size = 0;       ///< as asked for, bytes; pages behind it up to the next 4 KiB are mapped too
  std::byte* host = nullptr;  ///< the host's view, or null for MemoryKind::vram
  MmioHook* hook = nullptr;   ///< who wants to know of the host's word accesses
  MemoryKind kind = MemoryKind::vram;
  std::size_t offset = 0;  ///< of a part, in its allocation

  /// The bytes [`start`, `start` + `count`) as a buffer of their own. It is a view: valid as long as the
  /// allocation, which it cannot free. Throws Error(bad_usage) where they leave this buffer.
  Buffer part(std::size_t start, std::size_t count) const;

  /// The host's view for single ordered words.
  Mmio mmio() const {
    return host == nullptr ? Mmio() : Mmio(Mapping{host - offset, offset + size, hook}).view(offset, size);
  }
};

/// Rings are larger than caches: fetches the lines of [at, at + size), 1 KiB at most, before they are
/// written.
inline void prefetch_for_write(const void* at, std::size_t size) {
  constexpr std::size_t kLine = 64, kMost = 1024;
  const auto* bytes = static_cast<const std::byte*>(at);
  for (std::size_t line = 0; line < size && line < kMost; line += kLine) __builtin_prefetch(bytes + line, 1);
}

}  // namespace mockgpu::runtime
