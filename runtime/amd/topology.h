#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device.h"
#include "runtime/io/file_io.h"

namespace mockgpu::runtime::amd {

/// One GPU node of KFD's topology (/sys/devices/virtual/kfd/kfd/topology/nodes/N), with the properties that a
/// queue runtime needs. Meaning of the properties: Linux amdkfd, kfd_topology.c.
struct Node {
  unsigned number = 0;       ///< N
  std::uint32_t gpu_id = 0;  ///< what ioctls call this GPU, never 0
  std::string name;          ///< the driver's name of the chip, may be empty
  std::map<std::string, std::uint64_t, std::less<>> properties;
  std::uint64_t vram_bytes = 0;  ///< sum of the memory banks that are VRAM

  /// A property, 0 when the driver does not print it.
  std::uint64_t property(std::string_view key) const;

  std::string target() const;  ///< "gfx1100", from gfx_target_version
  std::uint32_t target_major() const {
    return static_cast<std::uint32_t>(property("gfx_target_version") / 10000);
  }
  std::uint32_t compute_units() const;   ///< of all XCCs
  std::uint32_t xccs() const;            ///< at least 1
  std::uint32_t shader_engines() const;  ///< of all XCCs, at least 1
  std::uint32_t scratch_slots() const { return static_cast<std::uint32_t>(property("max_slots_scratch_cu")); }
  std::string render_node() const;  ///< "/dev/dri/renderD128"
};

/// The GPU nodes, in KFD's order; empty where there is no KFD. CPU nodes and GPUs that this process may not
/// use (unreadable gpu_id or properties) are left out, as the driver documents.
std::vector<Node> read_topology(FileIo& io);

/// The vendor-neutral view of a node.
DeviceInfo describe_node(const Node& node, unsigned index);

}  // namespace mockgpu::runtime::amd
