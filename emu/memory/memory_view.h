#pragma once
#include <cstdint>
#include <span>

#include "emu/memory/address_space.h"
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
    if (last_->of_client && map_->extent(*last_, address, size, rights) < size) [[unlikely]]
      return nullptr;
    return last_->host + (address - last_->begin);
  }

  /// Aligned words: null when the address is not accessible or not aligned.
  std::uint32_t* word32(std::uint64_t address, std::uint8_t rights) {
    return address % 4 ? nullptr : reinterpret_cast<std::uint32_t*>(at(address, 4, rights));
  }
  std::uint64_t* word64(std::uint64_t address, std::uint8_t rights) {
    return address % 8 ? nullptr : reinterpret_cast<std::uint64_t*>(at(address, 8, rights));
  }

  /// Host memory from `address` to the end of its range, at most `size` bytes; none when it is not
  /// accessible.
  std::span<std::byte> span(std::uint64_t address, std::uint64_t size, std::uint8_t rights) {
    const MappedRange* range = map_->find(address);
    if (!range || (range->rights & rights) != rights) return {};
    return {range->host + (address - range->begin), map_->extent(*range, address, size, rights)};
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
