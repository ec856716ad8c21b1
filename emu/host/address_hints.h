#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mockgpu::emu {

/// Hands out host addresses for the memory of a mock machine, upward from a fixed base in the order of
/// requests, so that two runs see the same ones. They are hints for mmap: where one is taken the kernel
/// chooses.
class AddressHints {
 public:
  /// The address for the next `size` bytes; null when there are no more.
  void* take(std::size_t size);

  /// Maps `size` bytes with mmap(2)'s other arguments (anonymous). Null and errno when the host refuses.
  void* map(std::size_t size, int protection, int flags);

 private:
  /// Lies in the part of the address space that every sanitizer leaves to mmap, below where the kernel puts
  /// libraries and stacks.
  static constexpr std::uint64_t kBase = 0x7e90'0000'0000;
  static constexpr std::uint64_t kEnd = 0x7ef0'0000'0000;
  std::atomic<std::uint64_t> next_{kBase};
};

}  // namespace mockgpu::emu
