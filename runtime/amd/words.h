#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace mockgpu::runtime::amd {

/// A growing list of 32-bit words that is filled a packet at a time and reused: `clear` keeps the memory, so
/// that building commands does not allocate once it has seen its longest list.
class Words {
 public:
  /// Room for `count` more words at the end; the caller fills them. Valid until the next call.
  std::uint32_t* append(std::size_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    std::uint32_t* at = data_.get() + size_;
    size_ += count;
    return at;
  }

  template <std::size_t N>
  void put(const std::uint32_t (&words)[N]) {
    std::memcpy(append(N), words, sizeof words);
  }

  void append(std::span<const std::uint32_t> words) {
    if (!words.empty()) std::memcpy(append(words.size()), words.data(), words.size_bytes());
  }

  /// Writes over words that are there.
  void replace(std::size_t first, std::span<const std::uint32_t> words) {
    if (!words.empty()) std::memcpy(data_.get() + first, words.data(), words.size_bytes());
  }

  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  std::span<const std::uint32_t> view() const { return {data_.get(), size_}; }

 private:
  void grow(std::size_t needed) {
    const std::size_t capacity = needed > 2 * capacity_ ? needed + 64 : 2 * capacity_;
    auto data = std::make_unique<std::uint32_t[]>(capacity);
    if (size_ != 0) std::memcpy(data.get(), data_.get(), size_ * sizeof(std::uint32_t));
    data_ = std::move(data);
    capacity_ = capacity;
  }

  std::unique_ptr<std::uint32_t[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace mockgpu::runtime::amd
