#pragma once
#include <cstddef>
#include <vector>

#include "runtime/device.h"
#include "runtime/memory.h"

namespace mockgpu::runtime::amd {

/// Host buffers that copies between host and device pass through; made when first needed. Not thread-safe.
class Staging {
 public:
  /// One buffer, and the last point that reads or writes it.
  struct Slot {
    Buffer buffer;
    Point last = 0;
    bool holds_data = false;  ///< for the host, which has not read it yet
  };

  Staging(std::size_t buffer_bytes, unsigned most) : buffer_bytes_(buffer_bytes), most_(most) {
    slots_.reserve(most);
  }

  std::size_t buffer_bytes() const { return buffer_bytes_; }

  /// A buffer that nobody uses, or null when all are in use. The pointer stays valid.
  template <typename Reached, typename Allocate>
  Slot* take(const Reached& reached, const Allocate& allocate) {
    for (Slot& slot : slots_) {
      if (!slot.holds_data && reached(slot.last)) return &slot;
    }
    if (slots_.size() == most_) return nullptr;
    return &slots_.emplace_back(Slot{allocate(buffer_bytes_)});
  }

  /// The buffer that gets free first, of those that hold no data for the host; null when all do.
  const Slot* oldest() const {
    const Slot* oldest = nullptr;
    for (const Slot& slot : slots_) {
      if (!slot.holds_data && (oldest == nullptr || slot.last < oldest->last)) oldest = &slot;
    }
    return oldest;
  }

 private:
  std::size_t buffer_bytes_;
  unsigned most_;
  std::vector<Slot> slots_;
};

}  // namespace mockgpu::runtime::amd
