#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/io/mmio.h"

namespace mockgpu::runtime {

/// Bytes of a signal: u64 value, then u64 timestamp in ticks of the device's clock.
inline constexpr std::size_t kSignalBytes = 16;
inline constexpr std::size_t kSignalTimestamp = 8;

/// A value that host and device can both wait for and change. The device writes and compares the low 32 bits
/// only. Made and released by a Device.
struct Signal {
  std::uint64_t address = 0;
  Mmio words;

  std::uint32_t value() const { return words.read32(0); }
  void set(std::uint32_t value) const { words.write64(0, value); }
  /// When a queue's `timestamp` was here last; see Device::nanoseconds.
  std::uint64_t timestamp() const { return words.read64(kSignalTimestamp); }
};

}  // namespace mockgpu::runtime
