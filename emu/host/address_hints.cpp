#include "emu/host/address_hints.h"

#include <sys/mman.h>

namespace mockgpu::emu {

void* AddressHints::take(std::size_t size) {
  // One page stays free behind each mapping: an access past its end is a fault, not the neighbour's data.
  const std::uint64_t step = ((size + 0xfff) & ~std::uint64_t{0xfff}) + 0x1000;
  std::uint64_t hint = next_.fetch_add(step, std::memory_order_relaxed);
  if (hint + step > kEnd) hint = 0;
  return reinterpret_cast<void*>(hint);
}

void* AddressHints::map(std::size_t size, int protection, int flags) {
  void* data = ::mmap(take(size), size, protection, flags, -1, 0);
  return data == MAP_FAILED ? nullptr : data;
}

}  // namespace mockgpu::emu
