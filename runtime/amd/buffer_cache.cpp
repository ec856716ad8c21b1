#include "runtime/amd/buffer_cache.h"

#include <iterator>

namespace mockgpu::runtime::amd {
namespace {

constexpr std::size_t kCachePage = 4096;

std::size_t whole_pages(std::size_t size) { return (size + kCachePage - 1) / kCachePage * kCachePage; }

}  // namespace

BufferCache::Shape BufferCache::shape(std::size_t size, MemoryKind kind) {
  return {whole_pages(size) / kCachePage, kind};
}

bool BufferCache::accepts(std::size_t size) const {
  const std::lock_guard lock(mutex_);
  return whole_pages(size) <= limit_;
}

void BufferCache::put(const Buffer& buffer, Point last) {
  const std::lock_guard lock(mutex_);
  entries_.push_back({buffer, last});
  by_shape_.insert({shape(buffer.size, buffer.kind), std::prev(entries_.end())});
  bytes_ += whole_pages(buffer.size);
}

void BufferCache::remove_oldest() {
  const Buffer& oldest = entries_.front().buffer;
  const auto [first, end] = by_shape_.equal_range(shape(oldest.size, oldest.kind));
  auto at = first;
  while (at != end && at->second != entries_.begin()) ++at;
  remove(at);
}

void BufferCache::remove(ByShape::iterator at) {
  bytes_ -= whole_pages(at->second->buffer.size);
  entries_.erase(at->second);
  by_shape_.erase(at);
}

}  // namespace mockgpu::runtime::amd
