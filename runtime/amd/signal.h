#pragma once
#include <cstdint>

#include "runtime/signal.h"

namespace mockgpu::runtime::amd {

/// Nanoseconds of one GPU clock tick (100 MHz).
inline constexpr std::uint64_t kNanosecondsPerTick = 10;

/// An event of the driver that a queue can raise: what a sleeping wait wakes up by. `mailbox` is the event's
/// slot in the event page.
struct QueueEvent {
  std::uint32_t id = 0;
  std::uint64_t mailbox = 0;
};

}  // namespace mockgpu::runtime::amd
