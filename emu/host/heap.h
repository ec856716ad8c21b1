#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace mockgpu::emu {

/// The memory of one device: video memory, then host memory that the driver allocated (GTT), in one memfd
/// that takes pages only when they are touched. It is mapped once for the machine itself; clients map parts
/// of it. Offsets are bytes in the memfd. Thread-compatible: the owner locks.
class Heap {
 public:
  enum class Part : std::uint8_t { vram, gtt };

  /// Throws Error(out_of_memory) or Error(io) when the host refuses.
  Heap(std::uint64_t vram_bytes, std::uint64_t gtt_bytes);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// Offset of `size` zeroed bytes (a multiple of 4 KiB), or nothing when that part is full.
  std::optional<std::uint64_t> allocate(Part part, std::uint64_t size);
  /// Gives an allocation back; its pages return to the host.
  void release(std::uint64_t offset, std::uint64_t size);

  /// The machine's own read-write view of an offset.
  std::byte* host(std::uint64_t offset) const { return base_ + offset; }
  /// The memfd.
  int descriptor() const { return descriptor_; }
  std::uint64_t available(Part part) const { return available_[static_cast<int>(part)]; }
  std::uint64_t size(Part part) const { return part == Part::vram ? vram_bytes_ : gtt_bytes_; }

 private:
  std::uint64_t vram_bytes_, gtt_bytes_;
  std::uint64_t available_[2];
  int descriptor_ = -1;
  std::byte* base_ = nullptr;
  std::map<std::uint64_t, std::uint64_t> holes_;  ///< free ranges: offset -> size; never touching
};

/// An allocation of a heap, given back by the destructor. Sharing it lets several users keep the memory.
class HeapPart {
 public:
  HeapPart(Heap& heap, std::uint64_t offset, std::uint64_t size)
      : heap_(heap), offset_(offset), size_(size) {}
  ~HeapPart() { heap_.release(offset_, size_); }
  HeapPart(const HeapPart&) = delete;
  HeapPart& operator=(const HeapPart&) = delete;

  std::uint64_t offset() const { return offset_; }
  std::uint64_t size() const { return size_; }
  std::byte* host() const { return heap_.host(offset_); }
  int descriptor() const { return heap_.descriptor(); }

 private:
  Heap& heap_;
  const std::uint64_t offset_, size_;
};

}  // namespace mockgpu::emu
