#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/memory.h"

namespace mockgpu::runtime::amd {

/// Places in a queue's pointer page, as in HSA's amd_queue_t.
inline constexpr std::size_t kWritePointer = 0x38;
inline constexpr std::size_t kReadPointer = 0x80;

/// A user-mode queue: a ring of commands in shared memory, two pointers and a doorbell. One thread at a time.
class Queue {
 public:
  enum class Kind : std::uint8_t {
    compute,  ///< PM4; pointers count words; packets may wrap around the end of the ring
    copy,     ///< SDMA; pointers count bytes; packets may not: the tail is filled with NOPs (zeros)
  };

  Queue() = default;
  /// `ring` is a power of two bytes long; `pointers` holds the pointer page; `doorbell` is this queue's 8
  /// bytes.
  Queue(Kind kind, std::uint32_t id, const Buffer& ring, const Buffer& pointers, Mmio doorbell);

  explicit operator bool() const { return ring_ != nullptr; }
  std::uint32_t id() const { return id_; }

  /// Whether `words` more words fit now. More than the whole ring never fit.
  bool fits(std::size_t words);

  /// Where in the ring a submission of `words` words would begin now, in words.
  std::size_t start_of(std::size_t words) const {
    return static_cast<std::size_t>(put_ + padding(words)) & (ring_words_ - 1);
  }

  /// Words that are submitted and that the device has not taken yet. For any thread.
  std::uint64_t pending() const { return (write_pointer_.read64(0) - read_pointer_.read64(0)) / unit_; }

  /// Copies whole packets into the ring, moves the write pointer and rings the doorbell. They must fit.
  void submit(std::span<const std::uint32_t> words);

 private:
  std::size_t position() const { return static_cast<std::size_t>(put_) & (ring_words_ - 1); }
  std::size_t padding(std::size_t words) const;

  Kind kind_ = Kind::compute;
  std::uint32_t id_ = 0;
  std::uint32_t* ring_ = nullptr;
  std::size_t ring_words_ = 0;
  std::uint64_t put_ = 0;   // words, monotonic
  std::uint64_t read_ = 0;  // last seen read pointer, words
  unsigned unit_ = 1;       // what a pointer counts, per word
  Mmio write_pointer_, read_pointer_, doorbell_;
};

}  // namespace mockgpu::runtime::amd
