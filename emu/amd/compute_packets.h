#pragma once
#include <array>
#include <cstdint>

#include "emu/amd/compute_queue.h"

namespace mockgpu::emu::amd {

/// One row per PM4 opcode: which function executes it, and how many body words it needs at least. The packet
/// processor checks the length once, before the call.
struct PacketTable {
  struct Row {
    ComputeQueue::Handler handler = nullptr;
    std::uint16_t least_words = 0;
  };
  static const std::array<Row, 256> rows;

  /// Packets that only the kernel's queues or a graphics ring may carry.
  static bool is_privileged(std::uint8_t opcode);
};

}  // namespace mockgpu::emu::amd
