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
    bool held = false;  ///< by a thread that reads or fills it
  };

  Staging(std::size_t buffer_bytes, unsigned most) : buffer_bytes_(buffer_bytes), most_(most) {
    slots_.reserve(most);
  }

  std::size_t buffer_bytes() const { return buffer_bytes_; }

  /// A buffer that nobody uses, now held, or null when all are in use. The pointer stays valid.
  template <typename Reached, typename Allocate>
  Slot* take(const Reached& reached, const Allocate& allocate) {
    for (Slot& slot : slots_) {
      if (slot.held || !reached(slot.last)) continue;
      slot.held = true;
      return &slot;
    }
    if (slots_.size() == most_) return nullptr;
    return &slots_.emplace_back(Slot{allocate(buffer_bytes_), 0, true});
  }

  /// The buffer that gets free first, of those that no thread holds; null when all are held.
  const Slot* oldest() const {
    const Slot* oldest = nullptr;
    for (const Slot& slot : slots_) {
      if (!slot.held && (oldest == nullptr || slot.last < oldest->last)) oldest = &slot;
    }
    return oldest;
  }

 private:
  std::size_t buffer_bytes_;
  unsigned most_;
  std::vector<Slot> slots_;
};

}  // namespace mockgpu::runtime::amd
