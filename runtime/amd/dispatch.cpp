#include "runtime/amd/dispatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/amd/commands/aql.h"
#include "isa/amd/commands/registers.h"
#include "isa/base/error.h"

namespace mockgpu::runtime::amd {
namespace {

using namespace isa::amd;
using isa::object::KernelDescriptor;

constexpr std::uint32_t kMaxGroupSize = 1024;
// Chosen: no GPU ends more in a day.
constexpr std::uint64_t kMostGroups = std::uint64_t{1} << 32;

constexpr std::uint32_t divide_up(std::uint32_t value, std::uint32_t by) {
  return value / by + (value % by != 0);
}

std::string text(const Dim3& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

}  // namespace

void check_shape(const LoadedKernel& kernel, const LaunchShape& shape, std::uint32_t most_group_bytes) {
  const auto refuse = [&](std::string message) {
    throw Error(Tag::bad_usage, std::move(message), {{"in", fmt::format("launch of \"{}\"", kernel.name)}});
  };
  const Dim3 &grid = shape.grid, &group = shape.group;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) refuse(fmt::format("empty grid {}", text(grid)));
  if (group.x == 0 || group.y == 0 || group.z == 0) refuse(fmt::format("empty workgroup {}", text(group)));
  const std::uint32_t most =
      kernel.max_group_size != 0 ? std::min(kernel.max_group_size, kMaxGroupSize) : kMaxGroupSize;
  // Each side alone first: the product must not overflow.
  if (std::max({group.x, group.y, group.z}) > most || std::uint64_t{group.x} * group.y * group.z > most) {
    refuse(fmt::format("a workgroup of {} work-items: the most is {}", text(group), most));
  }
  const std::uint64_t groups[3] = {divide_up(grid.x, group.x), divide_up(grid.y, group.y),
                                   divide_up(grid.z, group.z)};
  if (groups[0] * groups[1] > kMostGroups || groups[0] * groups[1] * groups[2] > kMostGroups)
    refuse(fmt::format("a grid of {} in workgroups of {}: the most is 2^32 workgroups", text(grid),
                       text(group)));
  const std::uint32_t* required = kernel.required_group;
  if (required[0] != 0 && (group.x != required[0] || group.y != required[1] || group.z != required[2])) {
    refuse(fmt::format("a workgroup of {}: the kernel requires {}x{}x{}", text(group), required[0],
                       required[1], required[2]));
  }
  const std::uint64_t group_bytes = std::uint64_t{kernel.group_bytes} + shape.dynamic_group_bytes;
  if (group_bytes > most_group_bytes) {
    refuse(fmt::format("{} bytes of group memory: the most is {}", group_bytes, most_group_bytes));
  }
}

void check_arguments(const LoadedKernel& kernel, std::size_t bytes) {
  const bool described = kernel.object->has_metadata;
  if (described ? bytes == kernel.explicit_bytes : bytes <= kernel.explicit_bytes) return;
  throw Error(Tag::bad_usage, fmt::format("kernel \"{}\" takes {} bytes of arguments, got {}", kernel.name,
                                          kernel.explicit_bytes, bytes));
}

ArgumentLayout argument_layout(const LoadedKernel& kernel) {
  constexpr std::size_t kPacketAlign = 64;
  ArgumentLayout layout;
  layout.has_packet = kernel.object->descriptor.has(KernelDescriptor::kDispatchPtr);
  layout.packet = (kernel.arguments_bytes + kPacketAlign - 1) / kPacketAlign * kPacketAlign;
  layout.bytes = layout.packet + (layout.has_packet ? sizeof(aql::KernelDispatch) : 0);
  return layout;
}

isa::object::HiddenValues hidden_values(const LaunchShape& shape) {
  isa::object::HiddenValues values;
  values.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
  values.group = {shape.group.x, shape.group.y, shape.group.z};
  values.dimensions = static_cast<std::uint16_t>(shape.grid.z > 1 ? 3 : shape.grid.y > 1 ? 2 : 1);
  values.dynamic_lds_size = shape.dynamic_group_bytes;
  return values;
}

void write_packet(const LoadedKernel& kernel, const LaunchShape& shape, const Scratch& scratch,
                  std::uint64_t arguments, std::byte* at) {
  aql::KernelDispatch packet{};
  packet.header =
      aql::make_header(aql::PacketType::kernel_dispatch, true, aql::kScopeSystem, aql::kScopeSystem);
  packet.setup = 3;
  packet.workgroup_size_x = static_cast<std::uint16_t>(shape.group.x);
  packet.workgroup_size_y = static_cast<std::uint16_t>(shape.group.y);
  packet.workgroup_size_z = static_cast<std::uint16_t>(shape.group.z);
  packet.grid_size_x = shape.grid.x;
  packet.grid_size_y = shape.grid.y;
  packet.grid_size_z = shape.grid.z;
  packet.private_segment_size = scratch.layout.per_lane;
  packet.group_segment_size = kernel.group_bytes + shape.dynamic_group_bytes;
  packet.kernel_object = kernel.descriptor;
  packet.kernarg_address = arguments;
  std::memcpy(at, &packet, sizeof packet);
}

Dispatch make_dispatch(const LoadedKernel& kernel, const LaunchShape& shape, const Scratch& scratch,
                       std::uint64_t arguments, std::uint64_t id) {
  const KernelDescriptor& descriptor = kernel.object->descriptor;
  Dispatch d;
  d.entry = kernel.entry;
  d.rsrc1 = descriptor.compute_pgm_rsrc1;
  d.rsrc2 =
      descriptor.compute_pgm_rsrc2 |
      rsrc2::kLdsSize.set(divide_up(kernel.group_bytes + shape.dynamic_group_bytes, rsrc2::kLdsGranule));
  d.rsrc3 = descriptor.compute_pgm_rsrc3;
  d.tmpring = scratch.layout.tmpring;
  d.scratch = scratch.buffer.address;
  d.wave32 = descriptor.wave32();
  const std::uint32_t grid[3] = {shape.grid.x, shape.grid.y, shape.grid.z};
  const std::uint32_t group[3] = {shape.group.x, shape.group.y, shape.group.z};
  for (int axis = 0; axis < 3; ++axis) {
    const std::uint32_t full = grid[axis] / group[axis], rest = grid[axis] - full * group[axis];
    d.group[axis] = group[axis];
    d.groups[axis] = full + (rest != 0);
    d.partial[axis] = rest != 0 ? rest : group[axis];
  }
  // User registers, in the order of the properties.
  const auto push = [&d](std::uint32_t word) { d.user_data[d.user_count++] = word; };
  const auto push_address = [&push](std::uint64_t address) {
    push(low_word(address)), push(high_word(address));
  };
  if (descriptor.has(KernelDescriptor::kPrivateSegmentBuffer)) {
    push(low_word(d.scratch));
    push(high_word(d.scratch) | 1u << 31);  // swizzled
    push(0xffffffff);
    push(0x20c14000);
  }
  if (descriptor.has(KernelDescriptor::kDispatchPtr))
    push_address(arguments + argument_layout(kernel).packet);
  if (descriptor.has(KernelDescriptor::kKernargSegmentPtr)) push_address(arguments);
  if (descriptor.has(KernelDescriptor::kDispatchId)) push_address(id);
  if (descriptor.has(KernelDescriptor::kPrivateSegmentSize)) push(scratch.layout.per_lane);
  return d;
}

}  // namespace mockgpu::runtime::amd
