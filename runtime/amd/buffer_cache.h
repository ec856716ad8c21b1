#pragma once
#include <cstddef>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "runtime/device.h"
#include "runtime/memory.h"

namespace mockgpu::runtime::amd {

/// Freed allocations of one device that wait for a new owner, bounded in bytes; the least recently freed
/// leave first. Knows nothing of drivers. Safe to use from several threads.
class BufferCache {
 public:
  void set_limit(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    limit_ = bytes;
  }
  std::size_t limit() const {
    const std::lock_guard lock(mutex_);
    return limit_;
  }
  /// Whether an allocation of `size` bytes may be kept.
  bool accepts(std::size_t size) const;

  /// Keeps an allocation that work up to `last` may use, also beyond the limit.
  void put(const Buffer& buffer, Point last);

  /// An allocation of as many pages and this kind, most recently freed first, that `usable(last)` accepts.
  /// Its size is still the old one.
  template <typename Usable>
  std::optional<Buffer> take(std::size_t size, MemoryKind kind, const Usable& usable) {
    const std::lock_guard lock(mutex_);
    const auto [first, end] = by_shape_.equal_range(shape(size, kind));
    for (auto at = end; at != first;) {
      --at;
      if (!usable(at->second->last)) continue;
      const Buffer buffer = at->second->buffer;
      remove(at);
      return buffer;
    }
    return std::nullopt;
  }

  /// The oldest entry, which leaves, while there are more bytes than `limit` and `usable(last)` accepts it.
  template <typename Usable>
  std::optional<Buffer> evict(std::size_t limit, const Usable& usable) {
    const std::lock_guard lock(mutex_);
    if (bytes_ <= limit || !usable(entries_.front().last)) return std::nullopt;
    const Buffer oldest = entries_.front().buffer;
    remove_oldest();
    return oldest;
  }

  bool empty() const {
    const std::lock_guard lock(mutex_);
    return entries_.empty();
  }

 private:
  struct Entry {
    Buffer buffer;
    Point last = 0;
  };
  using Shape = std::pair<std::size_t, MemoryKind>;  // pages
  using ByShape = std::multimap<Shape, std::list<Entry>::iterator>;

  static Shape shape(std::size_t size, MemoryKind kind);
  void remove_oldest();
  void remove(ByShape::iterator at);

  mutable std::mutex mutex_;
  std::size_t limit_ = 0;
  std::size_t bytes_ = 0;
  std::list<Entry> entries_;  // the oldest first
  ByShape by_shape_;
};

}  // namespace mockgpu::runtime::amd
