#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/amd/target.h"

namespace mockgpu::isa::amd {

/// A counter or flag in the operand of s_waitcnt or s_waitcnt_depctr: `vmcnt(3)`. A counter at its maximum
/// means no wait.
struct Counter {
  std::string_view name;
  std::uint8_t low, length;
  std::uint8_t high_low = 0,
               high_length = 0;  ///< where the upper bits stand, if apart (vmcnt of gfx9 and gfx10)

  constexpr std::uint32_t max() const { return (1u << (length + high_length)) - 1; }
  constexpr std::uint32_t of(std::uint32_t value) const {
    return (value >> low & ((1u << length) - 1)) | (value >> high_low & ((1u << high_length) - 1)) << length;
  }
  /// `value` with this counter at `count`.
  constexpr std::uint32_t with(std::uint32_t value, std::uint32_t count) const {
    value &= ~(((1u << length) - 1) << low | ((1u << high_length) - 1) << high_low);
    return value | (count & ((1u << length) - 1)) << low | count >> length << high_low;
  }
};

/// The counters of s_waitcnt, in the order in which they are printed.
std::span<const Counter> wait_counters(Generation generation);
/// The counters of s_waitcnt_depctr.
std::span<const Counter> dependency_counters(Generation generation);

}  // namespace mockgpu::isa::amd
