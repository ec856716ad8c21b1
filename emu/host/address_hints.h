#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mockgpu::emu {

/// Maps the memory of a mock machine upward from a fixed base in the order of requests, past what is there
/// already, so that two runs see the same addresses. When there are no more, the kernel chooses.
class AddressHints {
 public:
  /// The default lies in the part of the address space that every sanitizer leaves to mmap, below where the
  /// kernel puts libraries and stacks.
  explicit AddressHints(std::uint64_t base = 0x7e90'0000'0000) : next_(base) {}

  /// mmap(2) at an address of ours; null and errno when the host refuses.
  void* map(std::size_t size, int protection, int flags, int descriptor = -1);

 private:
  static constexpr std::uint64_t kEnd = 0x7ef0'0000'0000;
  std::atomic<std::uint64_t> next_;
};

}  // namespace mockgpu::emu
