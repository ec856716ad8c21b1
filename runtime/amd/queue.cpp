#include "runtime/amd/queue.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace mockgpu::runtime::amd {

Queue::Queue(Kind kind, std::uint32_t id, const Buffer& ring, const Buffer& pointers, Mmio doorbell)
    : kind_(kind),
      id_(id),
      ring_(reinterpret_cast<std::uint32_t*>(ring.host)),
      ring_words_(ring.size / 4),
      unit_(kind == Kind::copy ? 4 : 1),
      write_pointer_(pointers.mmio().view(kWritePointer, 8)),
      read_pointer_(pointers.mmio().view(kReadPointer, 8)),
      doorbell_(doorbell) {
  assert((ring_words_ & (ring_words_ - 1)) == 0);
}

// Words of filler that a copy queue needs so that `words` do not cross the end of the ring.
std::size_t Queue::padding(std::size_t words) const {
  const std::size_t tail = ring_words_ - position();
  return kind_ == Kind::copy && words > tail ? tail : 0;
}

bool Queue::fits(std::size_t words) {
  const std::uint64_t end = put_ + padding(words) + words;
  if (end - read_ <= ring_words_) return true;
  read_ = read_pointer_.read64(0) / unit_;
  return end - read_ <= ring_words_;
}

void Queue::submit(std::span<const std::uint32_t> words) {
  if (const std::size_t filler = padding(words.size())) {
    std::memset(ring_ + position(), 0, filler * 4);
    put_ += filler;
  }
  const std::size_t start = position();
  const std::size_t first = std::min(words.size(), ring_words_ - start);
  std::memcpy(ring_ + start, words.data(), first * 4);
  std::memcpy(ring_, words.data() + first, (words.size() - first) * 4);
  put_ += words.size();
  prefetch_for_write(ring_ + position(), words.size() * 4);  // likely as long
  write_pointer_.write64(0, put_ * unit_);
  doorbell_.write64(0, put_ * unit_);
}

}  // namespace mockgpu::runtime::amd
