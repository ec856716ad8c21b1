#pragma once
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace mockgpu::runtime {

/// The owner of a mapped range that wants to know of explicit accesses. Real hardware watches its own
/// doorbells and has none. Called on the accessing thread; must not throw.
class MmioHook {
 public:
  virtual ~MmioHook() = default;

  /// `size` (4 or 8) bytes at `offset` from the start of the mapping now hold `value`.
  virtual void written(std::size_t offset, unsigned size, std::uint64_t value) = 0;

  /// The value that a read of `size` (4 or 8) bytes at `offset` gives, where the memory holds `stored`.
  virtual std::uint64_t read(std::size_t /*offset*/, unsigned /*size*/, std::uint64_t stored) {
    return stored;
  }
};

/// What an mmap gave: `data` is null when it failed (then errno says why). `hook` is null on hardware and for
/// plain memory. A value: unmap it with FileIo::munmap.
struct Mapping {
  std::byte* data = nullptr;
  std::size_t size = 0;
  MmioHook* hook = nullptr;

  explicit operator bool() const { return data != nullptr; }
};

/// A window of memory that host and device share and that must be accessed one word at a time, in order:
/// doorbells, ring pointers, signals. A write is a release store and a read an acquire load (a plain move on
/// x86), each followed by one predictable branch to the hook. Offsets are bytes and naturally aligned.
class Mmio {
 public:
  Mmio() = default;
  explicit Mmio(const Mapping& mapping) : base_(mapping.data), size_(mapping.size), hook_(mapping.hook) {}

  std::uint32_t read32(std::size_t offset) const {
    return static_cast<std::uint32_t>(read<std::uint32_t>(offset));
  }
  std::uint64_t read64(std::size_t offset) const { return read<std::uint64_t>(offset); }
  void write32(std::size_t offset, std::uint32_t value) const { write<std::uint32_t>(offset, value); }
  void write64(std::size_t offset, std::uint64_t value) const { write<std::uint64_t>(offset, value); }

  /// The part [offset, offset + size) as a window of its own; the hook still sees offsets in the mapping.
  Mmio view(std::size_t offset, std::size_t size) const {
    assert(offset <= size_ && size <= size_ - offset);
    Mmio part = *this;
    part.base_ += offset;
    part.size_ = size;
    part.start_ += offset;
    return part;
  }

  std::byte* data() const { return base_; }
  std::size_t size() const { return size_; }
  explicit operator bool() const { return base_ != nullptr; }

 private:
  template <typename Word>
  volatile Word* at(std::size_t offset) const {
    assert(offset % sizeof(Word) == 0 && offset + sizeof(Word) <= size_);
    return reinterpret_cast<volatile Word*>(base_ + offset);
  }
  template <typename Word>
  std::uint64_t read(std::size_t offset) const {
    const std::uint64_t stored = __atomic_load_n(at<Word>(offset), __ATOMIC_ACQUIRE);
    if (__builtin_expect(hook_ != nullptr, 0)) return hook_->read(start_ + offset, sizeof(Word), stored);
    return stored;
  }
  template <typename Word>
  void write(std::size_t offset, Word value) const {
    __atomic_store_n(at<Word>(offset), value, __ATOMIC_RELEASE);
    if (__builtin_expect(hook_ != nullptr, 0)) hook_->written(start_ + offset, sizeof(Word), value);
  }

  std::byte* base_ = nullptr;
  std::size_t size_ = 0;
  std::size_t start_ = 0;
  MmioHook* hook_ = nullptr;
};

}  // namespace mockgpu::runtime
