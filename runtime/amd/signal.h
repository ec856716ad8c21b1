#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/io/mmio.h"

namespace mockgpu::runtime::amd {

/// Bytes of a signal: u64 value, then u64 timestamp in GPU clock ticks.
inline constexpr std::size_t kSignalBytes = 16;
inline constexpr std::size_t kSignalTimestamp = 8;
/// Nanoseconds of one GPU clock tick (100 MHz).
inline constexpr std::uint64_t kNanosecondsPerTick = 10;

/// A value that host and device can both wait for and change. The device writes and compares the low 32 bits
/// only.
struct Signal {
  std::uint64_t address = 0;
  Mmio words;

  std::uint32_t value() const { return words.read32(0); }
  void set(std::uint32_t value) const { words.write64(0, value); }
  std::uint64_t timestamp() const { return words.read64(kSignalTimestamp); }
};

/// An event of the driver that a queue can raise: what a sleeping wait wakes up by. `mailbox` is the event's
/// slot in the event page.
struct QueueEvent {
  std::uint32_t id = 0;
  std::uint64_t mailbox = 0;
};

}  // namespace mockgpu::runtime::amd
