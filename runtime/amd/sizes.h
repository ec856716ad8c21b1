#pragma once
#include <cstdint>

#include "runtime/amd/topology.h"

namespace mockgpu::runtime::amd {

/// Memory that the driver wants for saving the waves of a compute queue at a context switch. Formulas: Linux
/// amdkfd, kfd_queue.c.
struct SaveAreaSizes {
  std::uint32_t control_stack = 0;  ///< ctl_stack_size of CREATE_QUEUE
  std::uint32_t save = 0;           ///< ctx_save_restore_size: control stack and wave state of one XCC
  std::uint64_t total = 0;          ///< of the buffer, with the debugger's part, for all XCCs
};
SaveAreaSizes save_area_sizes(const Node& node);

/// Scratch (private memory) of a device: what COMPUTE_TMPRING_SIZE says, and the bytes behind it.
struct ScratchLayout {
  std::uint32_t per_lane = 0;  ///< bytes of a work-item, in a wave of 64
  std::uint32_t tmpring = 0;
  std::uint64_t bytes = 0;  ///< of the whole buffer
};

/// Most private bytes of a work-item that COMPUTE_TMPRING_SIZE can express on gfx11.
std::uint32_t max_private_bytes();

/// The layout for work-items with `private_bytes` each, with room for `slots` waves per compute unit (the
/// device has Node::scratch_slots).
ScratchLayout scratch_layout(const Node& node, std::uint32_t private_bytes, std::uint32_t slots);

}  // namespace mockgpu::runtime::amd
