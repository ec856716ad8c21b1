#include "isa/object/kernarg.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "isa/base/error.h"

namespace mockgpu::isa::object {
namespace {

std::uint64_t blocks(const HiddenValues& values, std::size_t axis) {
  return values.group[axis] == 0 ? 0 : values.grid[axis] / values.group[axis];
}

std::uint64_t remainder(const HiddenValues& values, std::size_t axis) {
  return values.group[axis] == 0 ? 0 : values.grid[axis] % values.group[axis];
}

}  // namespace

std::uint64_t hidden_value(ValueKind kind, const HiddenValues& values) {
  switch (kind) {
    case ValueKind::hidden_global_offset_x: return values.global_offset[0];
    case ValueKind::hidden_global_offset_y: return values.global_offset[1];
    case ValueKind::hidden_global_offset_z: return values.global_offset[2];
    case ValueKind::hidden_printf_buffer: return values.printf_buffer;
    case ValueKind::hidden_hostcall_buffer: return values.hostcall_buffer;
    case ValueKind::hidden_default_queue: return values.default_queue;
    case ValueKind::hidden_completion_action: return values.completion_action;
    case ValueKind::hidden_multigrid_sync_arg: return values.multigrid_sync_arg;
    case ValueKind::hidden_block_count_x: return blocks(values, 0);
    case ValueKind::hidden_block_count_y: return blocks(values, 1);
    case ValueKind::hidden_block_count_z: return blocks(values, 2);
    case ValueKind::hidden_group_size_x: return values.group[0];
    case ValueKind::hidden_group_size_y: return values.group[1];
    case ValueKind::hidden_group_size_z: return values.group[2];
    case ValueKind::hidden_remainder_x: return remainder(values, 0);
    case ValueKind::hidden_remainder_y: return remainder(values, 1);
    case ValueKind::hidden_remainder_z: return remainder(values, 2);
    case ValueKind::hidden_grid_dims: return values.dimensions;
    case ValueKind::hidden_heap_v1: return values.heap_v1;
    case ValueKind::hidden_dynamic_lds_size: return values.dynamic_lds_size;
    case ValueKind::hidden_private_base: return values.private_base;
    case ValueKind::hidden_shared_base: return values.shared_base;
    case ValueKind::hidden_queue_ptr: return values.queue_ptr;
    case ValueKind::hidden_none:
    case ValueKind::by_value:
    case ValueKind::global_buffer:
    case ValueKind::dynamic_shared_pointer:
    case ValueKind::sampler:
    case ValueKind::image:
    case ValueKind::pipe:
    case ValueKind::queue:
    case ValueKind::unknown: break;
  }
  return 0;
}

void fill_hidden_arguments(std::span<const KernelArgument> arguments, const HiddenValues& values,
                           std::span<std::byte> kernarg) {
  for (const KernelArgument& argument : arguments) {
    if (!argument.hidden) continue;
    if (argument.kind == ValueKind::unknown) {
      throw Error(Tag::unsupported, fmt::format("hidden kernel argument of kind {}", argument.kind_name));
    }
    if (argument.offset > kernarg.size() || argument.size > kernarg.size() - argument.offset) {
      throw Error(Tag::bad_usage,
                  fmt::format("{} at offset {} needs {} bytes, but the kernel arguments have {}",
                              argument.kind_name, argument.offset, argument.size, kernarg.size()));
    }
    const std::uint64_t value = hidden_value(argument.kind, values);
    std::memset(kernarg.data() + argument.offset, 0, argument.size);
    std::memcpy(kernarg.data() + argument.offset, &value,
                std::min<std::size_t>(argument.size, sizeof(value)));
  }
}

}  // namespace mockgpu::isa::object
