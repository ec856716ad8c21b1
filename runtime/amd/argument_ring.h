#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/base/error.h"
#include "runtime/device.h"
#include "runtime/memory.h"

namespace mockgpu::runtime::amd {

/// Kernel arguments in flight: slots in a wrapping ring, reused when the launches that read them have ended.
/// The ring is cut into segments, each with the last point that uses it. Not thread-safe.
class ArgumentRing {
 public:
  struct Slot {
    std::uint64_t address = 0;
    std::byte* host = nullptr;
  };

  void start(const Buffer& buffer) {
    buffer_ = buffer;
    segment_bytes_ = buffer.size / kSegments;
    limit_ = segment_bytes_;
  }

  /// A slot of `size` bytes, 64-byte aligned. `wait(point)` must return when everything up to `point` has
  /// ended; it is called when the ring has come round.
  template <typename Wait>
  Slot take(std::size_t size, const Wait& wait) {
    size = (size + kAlign - 1) / kAlign * kAlign;
    if (size > limit_ - next_) {
      if (size > segment_bytes_)
        throw Error(Tag::bad_usage, "the arguments are larger than a part of the argument ring");
      current_ = (current_ + 1) % kSegments;
      next_ = current_ * segment_bytes_;
      limit_ = next_ + segment_bytes_;
      wait(segment_end_[current_]);
    }
    const std::size_t at = next_;
    next_ += size;
    prefetch_for_write(buffer_.host + next_, size);
    return {buffer_.address + at, buffer_.host + at};
  }

  /// The launch at `point` reads the slot that was taken last.
  void used_by(Point point) { segment_end_[current_] = point; }

 private:
  static constexpr std::size_t kSegments = 16, kAlign = 64;

  Buffer buffer_;
  std::size_t segment_bytes_ = 0;
  std::size_t next_ = 0;   // offset of the next slot
  std::size_t limit_ = 0;  // end of the current segment
  std::size_t current_ = 0;
  std::array<Point, kSegments> segment_end_{};
};

}  // namespace mockgpu::runtime::amd
