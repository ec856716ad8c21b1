#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mockgpu::emu {

/// Rights of a mapped range, as bits.
enum Right : std::uint8_t { kRead = 1, kWrite = 2, kExecute = 4 };

/// A range of GPU virtual addresses and the host memory behind it.
struct MappedRange {
  std::uint64_t begin = 0;       ///< first GPU virtual address
  std::uint64_t end = 0;         ///< one past the last
  std::byte* host = nullptr;     ///< host address of `begin`
  std::uint8_t rights = 0;       ///< Right bits
  std::uint32_t allocation = 0;  ///< number for messages: "allocation 12"
  std::string name;              ///< for messages; may be empty
  bool of_client = false;        ///< memory that the client owns: it can go away behind our back
};

/// The range of a list, sorted by address without overlaps, that contains `address`; null if none does.
const MappedRange* find_range(const std::vector<MappedRange>& ranges, std::uint64_t address);

}  // namespace mockgpu::emu
