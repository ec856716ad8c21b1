#pragma once
#include <cstdint>

namespace mockgpu::emu::amd {

/// Whether apply_atomic knows this operation number (TC operations of ATOMIC_MEM and SDMA ATOMIC; the float
/// ones that flush denormals are not among them).
bool knows_atomic(std::uint32_t op);

/// Whether the operation works on 8 bytes, else on 4.
constexpr bool is_atomic64(std::uint32_t op) { return (op & 0x20) != 0; }

/// Whether the operation is a compare-and-swap, the only kind that can wait for its compare to hold.
constexpr bool is_compare_swap(std::uint32_t op) { return (op & 0x1f) == 0x08 || (op & 0x1f) == 0x01; }

/// Whether the operation gives the old value back.
constexpr bool returns_old(std::uint32_t op) { return (op & 0x40) == 0; }

/// Performs an operation on an aligned word of shared memory and returns the old value. The operation must be
/// known.
std::uint64_t apply_atomic(std::uint32_t op, void* word, std::uint64_t source, std::uint64_t compare);

}  // namespace mockgpu::emu::amd
