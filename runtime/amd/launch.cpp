#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/amd/commands/aql.h"
#include "isa/amd/commands/registers.h"
#include "isa/object/kernarg.h"
#include "runtime/amd/device.h"

// Launches: from a kernel, a shape and arguments to the registers of a dispatch.

namespace mockgpu::runtime::amd {
namespace {

using namespace isa::amd;
using isa::object::KernelDescriptor;

constexpr std::uint32_t kMaxGroupSize = 1024;

std::string text(const Dim3& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

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

void check_arguments(const LoadedKernel& kernel, std::span<const std::byte> arguments) {
  const bool described = kernel.object->has_metadata;
  if (described ? arguments.size() == kernel.explicit_bytes : arguments.size() <= kernel.explicit_bytes)
    return;
  throw Error(Tag::bad_usage, fmt::format("kernel \"{}\" takes {} bytes of arguments, got {}", kernel.name,
                                          kernel.explicit_bytes, arguments.size()));
}

bool same_shape(const LaunchShape& a, const LaunchShape& b) {
  const auto same = [](const Dim3& one, const Dim3& other) {
    return one.x == other.x && one.y == other.y && one.z == other.z;
  };
  return same(a.grid, b.grid) && same(a.group, b.group) && a.dynamic_group_bytes == b.dynamic_group_bytes;
}

constexpr std::uint32_t divide_up(std::uint32_t value, std::uint32_t by) {
  return value / by + (value % by != 0);
}

// The AQL packet that a kernel with a dispatch pointer expects to have been started by.
aql::KernelDispatch make_packet(const LoadedKernel& kernel, const LaunchShape& shape,
                                std::uint32_t private_bytes, std::uint64_t arguments) {
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
  packet.private_segment_size = private_bytes;
  packet.group_segment_size = kernel.group_bytes + shape.dynamic_group_bytes;
  packet.kernel_object = kernel.descriptor;
  packet.kernarg_address = arguments;
  return packet;
}

}  // namespace

std::unique_ptr<runtime::Program> Device::load_program(std::span<const std::byte> code_object,
                                                       std::string_view file) {
  throw_if_broken();
  const Target* target = find_target(info_.target);
  if (target == nullptr) throw Error(Tag::unsupported, fmt::format("code for {} is not known", info_.target));
  return std::make_unique<Program>(*this, isa::object::CodeObject::parse(code_object, target, file));
}

// Fills what follows the explicit arguments in a block.
void Device::fill_hidden(const LoadedKernel& kernel, const LaunchShape& shape, std::span<std::byte> block) {
  const std::size_t start = kernel.explicit_bytes;
  if (block.size() == start) return;
  if (hidden_serial_ != kernel.serial || !same_shape(hidden_shape_, shape)) {
    isa::object::HiddenValues values;
    values.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
    values.group = {shape.group.x, shape.group.y, shape.group.z};
    values.dimensions = static_cast<std::uint16_t>(shape.grid.z > 1 ? 3 : shape.grid.y > 1 ? 2 : 1);
    values.dynamic_lds_size = shape.dynamic_group_bytes;
    hidden_serial_ = 0;
    hidden_.assign(block.size(), std::byte{0});
    isa::object::fill_hidden_arguments(kernel.object->metadata.arguments, values, hidden_);
    hidden_serial_ = kernel.serial;
    hidden_shape_ = shape;
  }
  std::memcpy(block.data() + start, hidden_.data() + start, block.size() - start);
}

Dispatch Device::make_dispatch(const LoadedKernel& kernel, const LaunchShape& shape,
                               std::span<const std::byte> arguments) {
  const KernelDescriptor& descriptor = kernel.object->descriptor;
  const bool wants_packet = descriptor.has(KernelDescriptor::kDispatchPtr);
  const std::size_t packet_offset = (kernel.arguments_bytes + 63) / 64 * 64;
  const std::size_t slot_bytes = packet_offset + (wants_packet ? sizeof(aql::KernelDispatch) : 0);
  const ArgumentRing::Slot slot = arguments_.take(slot_bytes, [this](Point point) { wait(point, kForever); });

  std::copy(arguments.begin(), arguments.end(), slot.host);
  std::fill(slot.host + arguments.size(), slot.host + kernel.explicit_bytes, std::byte{0});
  fill_hidden(kernel, shape, {slot.host, kernel.arguments_bytes});
  if (wants_packet) {
    const aql::KernelDispatch packet = make_packet(kernel, shape, scratch_.per_lane, slot.address);
    std::memcpy(slot.host + packet_offset, &packet, sizeof packet);
  }

  Dispatch d;
  d.entry = kernel.entry;
  d.rsrc1 = descriptor.compute_pgm_rsrc1;
  d.rsrc2 =
      descriptor.compute_pgm_rsrc2 |
      rsrc2::kLdsSize.set(divide_up(kernel.group_bytes + shape.dynamic_group_bytes, rsrc2::kLdsGranule));
  d.rsrc3 = descriptor.compute_pgm_rsrc3;
  d.tmpring = scratch_.tmpring;
  d.scratch = scratch_buffer_.address;
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
  if (wants_packet) push_address(slot.address + packet_offset);
  if (descriptor.has(KernelDescriptor::kKernargSegmentPtr)) push_address(slot.address);
  if (descriptor.has(KernelDescriptor::kDispatchId)) push_address(timeline_.last() + 1);
  if (descriptor.has(KernelDescriptor::kPrivateSegmentSize)) push(scratch_.per_lane);
  return d;
}

Point Device::launch(const Kernel& kernel, const LaunchShape& shape, std::span<const std::byte> arguments) {
  const auto& loaded = static_cast<const LoadedKernel&>(kernel);
  if (loaded.device != this) {
    throw Error(Tag::bad_usage, fmt::format("kernel \"{}\" is loaded on another device", kernel.name));
  }
  if (!loaded.unsupported.empty()) {
    throw Error(Tag::unsupported, fmt::format("kernel \"{}\" needs {}", kernel.name, loaded.unsupported));
  }
  check_shape(loaded, shape, info_.group_bytes);
  check_arguments(loaded, arguments);

  const std::lock_guard lock(mutex_);
  begin_submission();
  if (loaded.private_bytes > scratch_.per_lane) set_scratch(loaded.private_bytes);
  const Dispatch dispatch = make_dispatch(loaded, shape, arguments);
  ComputeCommands& commands = begin_compute();
  if (shape.timed) commands.timestamp(start_);
  commands.exec(dispatch);
  if (shape.timed) commands.timestamp(end_);
  const Point point = submit_compute();
  arguments_.used_by(point);
  if (shape.timed) timed_point_ = point;
  return point;
}

}  // namespace mockgpu::runtime::amd
