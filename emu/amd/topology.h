#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "emu/amd/model.h"
#include "emu/host/file_tree.h"

namespace mockgpu::emu::amd {

/// One GPU as the machine's files show it.
struct TopologyNode {
  const Model* model = nullptr;
  std::uint32_t gpu_id = 0;
  std::uint64_t vram_bytes = 0;
  std::uint32_t render_minor = 128;
  std::uint32_t bus = 3;  ///< PCI bus number; device and function are 0
};

/// The gpu_id of the GPU with this index: non-zero, 16 bits.
std::uint32_t gpu_id_of(unsigned index);

/// Adds the files of /sys that describe the GPUs (KFD topology, PCI device, IP discovery, DRM class, module)
/// and /proc/modules. Node 0 of the topology is the host's processor. Device nodes are not among them.
void add_topology(FileTree& tree, const std::vector<TopologyNode>& gpus);

}  // namespace mockgpu::emu::amd
