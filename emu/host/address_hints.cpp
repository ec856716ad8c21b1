#include "emu/host/address_hints.h"

#include <sys/mman.h>

#include <cerrno>

namespace mockgpu::emu {

void* AddressHints::map(std::size_t size, int protection, int flags, int descriptor) {
  // One page stays free behind each mapping: an access past its end is a fault, not the neighbour's data.
  const std::uint64_t step = ((size + 0xfff) & ~std::uint64_t{0xfff}) + 0x1000;
  // Machines before this one may have left a page or two, those beside it hold more.
  constexpr unsigned kSmallSteps = 4096;
  std::uint64_t passed = step;
  for (unsigned tries = 0;; ++tries) {
    if (tries > kSmallSteps) passed *= 2;
    const std::uint64_t address = next_.fetch_add(passed, std::memory_order_relaxed);
    const bool left = address < kEnd && passed <= kEnd - address;
    void* data = left ? ::mmap(reinterpret_cast<void*>(address), size, protection,
                               flags | MAP_FIXED_NOREPLACE, descriptor, 0)
                      : ::mmap(nullptr, size, protection, flags, descriptor, 0);
    if (data != MAP_FAILED) return data;
    if (!left || errno != EEXIST) return nullptr;
  }
}

}  // namespace mockgpu::emu
