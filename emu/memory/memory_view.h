#pragma once
#include <algorithm>
#include <cstdint>

#include "emu/memory/address_space.h"
#include "emu/memory/guard.h"
#include "emu/memory/raw_copy.h"

namespace mockgpu::emu {

/// Accesses of a queue to a pinned map, remembering the range that it hit last. Bind it anew for every Pin.
class MemoryView {
 public:
  void bind(const AddressMap& map) {
    map_ = &map;
    last_ = nullptr;
  }
  const AddressMap& map() const { return *map_; }

  /// Host address of [address, address + size) inside one range with all of `rights`, else null. Memory of
  /// the client that has gone has no address.
  std::byte* at(std::uint64_t address, std::uint64_t size, std::uint8_t rights) {
    if (!last_ || address < last_->begin || address >= last_->end) {
      const MappedRange* range = map_->find(address);
      if (!range) return nullptr;
      last_ = range;
    }
    if ((last_->rights & rights) != rights || size > last_->end - address) return nullptr;
    std::byte* const host = last_->host + (address - last_->begin);
    if (last_->of_client && bytes_present(*map_, host, size, (rights & kWrite) != 0) < size) [[unlikely]]
      return nullptr;
    return host;
  }

  /// Aligned words: null when the address is not accessible or not aligned.
  std::uint32_t* word32(std::uint64_t address, std::uint8_t rights) {
    return address % 4 ? nullptr : reinterpret_cast<std::uint32_t*>(at(address, 4, rights));
  }
  std::uint64_t* word64(std::uint64_t address, std::uint8_t rights) {
    return address % 8 ? nullptr : reinterpret_cast<std::uint64_t*>(at(address, 8, rights));
  }

  /// Bytes from `address` to the end of its range, at most `size`; 0 when it is not accessible.
  std::uint64_t span(std::uint64_t address, std::uint64_t size, std::uint8_t rights) {
    const MappedRange* range = map_->find(address);
    if (!range || (range->rights & rights) != rights) return 0;
    size = std::min(size, range->end - address);
    if (!range->of_client) return size;
    return bytes_present(*map_, range->host + (address - range->begin), size, (rights & kWrite) != 0);
  }

  /// Whether what `at` found last holds as long as the map does.
  bool is_lasting() const { return last_ && !last_->of_client; }

 private:
  const AddressMap* map_ = nullptr;
  const MappedRange* last_ = nullptr;
};

/// Single words that client and device share.
inline std::uint32_t load_word(const std::uint32_t* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
inline std::uint64_t load_word(const std::uint64_t* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
inline void store_word(std::uint32_t* word, std::uint32_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
inline void store_word(std::uint64_t* word, std::uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

}  // namespace mockgpu::emu
