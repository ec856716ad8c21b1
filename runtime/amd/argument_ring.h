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

  void start(const Buffer& buffer) { buffer_ = buffer; }

  /// A slot of `size` bytes, 64-byte aligned. `wait(point)` must return when everything up to `point` has
  /// ended; it is called when the ring has come round.
  template <typename Wait>
  Slot take(std::size_t size, const Wait& wait) {
    const std::size_t segment_bytes = buffer_.size / kSegments;
    size = (size + kAlign - 1) / kAlign * kAlign;
    if (size > segment_bytes) throw Error(Tag::bad_usage, "the kernel's arguments are too large");
    const std::size_t left = segment_bytes - next_ % segment_bytes;
    std::size_t at = next_;
    if (size > left) at += left;
    if (at >= buffer_.size) at = 0;
    if (at % segment_bytes == 0) wait(segment_end_[at / segment_bytes]);
    next_ = at + size;
    current_ = at / segment_bytes;
    return {buffer_.address + at, buffer_.host + at};
  }

  /// The launch at `point` reads the slot that was taken last.
  void used_by(Point point) { segment_end_[current_] = point; }

 private:
  static constexpr std::size_t kSegments = 16, kAlign = 64;

  Buffer buffer_;
  std::size_t next_ = 0;
  std::size_t current_ = 0;
  std::array<Point, kSegments> segment_end_{};
};

}  // namespace mockgpu::runtime::amd
