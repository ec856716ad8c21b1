// From a launch of the C interface to the engine's.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emu/capi/machine.h"
#include "isa/amd/commands/aql.h"
#include "isa/amd/commands/registers.h"
#include "isa/object/kernarg.h"

namespace mockgpu::capi {
namespace {

namespace rsrc2 = isa::amd::rsrc2;
namespace aql = isa::amd::aql;
using isa::object::Kernel;
using isa::object::KernelDescriptor;
using isa::object::ValueKind;

constexpr std::uint32_t kMostUserScalars = 16;
/// Scratch slots that a launch gets at most: more waves than that take turns.
constexpr std::uint64_t kMostScratchWaves = 1024;
/// What TMPRING_SIZE can say: bytes of a wave, and their granule.
constexpr std::uint64_t kScratchGranule = 256, kMostScratchBytes = kScratchGranule * 0x7fff;
/// Added where the compiler could not bound the stack.
constexpr std::uint32_t kDynamicStackBytes = 4096;

[[noreturn]] void refuse(std::string message) { throw Error(Tag::bad_usage, std::move(message)); }

const Kernel& find_kernel(const mockgpu_launch& launch) {
  const auto& code = launch.object->code;
  if (launch.kernel) return code.kernel(launch.kernel);
  if (code.kernels().size() != 1)
    refuse(fmt::format("the object has {} kernels: which one?", code.kernels().size()));
  return code.kernels()[0];
}

/// User SGPRs in order.
class UserScalars {
 public:
  explicit UserScalars(emu::amd::Launch& launch) : launch_(launch) {}
  void push(std::uint32_t word) {
    if (count_ == kMostUserScalars) refuse("more than 16 user SGPRs");
    launch_.user_data[count_++] = word;
  }
  void push_address(std::uint64_t address) {
    push(static_cast<std::uint32_t>(address));
    push(static_cast<std::uint32_t>(address >> 32));
  }

 private:
  emu::amd::Launch& launch_;
  std::uint32_t count_ = 0;
};

std::uint32_t explicit_bytes(const Kernel& kernel) {
  std::uint32_t end = 0;
  for (const auto& argument : kernel.metadata.arguments) {
    if (!argument.hidden) end = std::max(end, argument.offset + argument.size);
  }
  return kernel.has_metadata ? end : kernel.descriptor.kernarg_size;
}

/// What a launch without a runtime cannot give. Hidden arguments of services that do not exist here (printf,
/// a device heap...), which unoptimised code always names, are null.
void check_needs(const Kernel& kernel) {
  const auto refuse_need = [&](std::string_view what) {
    throw Error(Tag::unsupported, fmt::format("kernel \"{}\" needs {}", kernel.name, what));
  };
  if (kernel.descriptor.has(KernelDescriptor::kQueuePtr)) refuse_need("a pointer to its queue");
  if (kernel.descriptor.has(KernelDescriptor::kFlatScratchInit)) refuse_need("flat scratch in registers");
  if (kernel.descriptor.has(KernelDescriptor::kPrivateSegmentBuffer)) refuse_need("a scratch descriptor");
  for (const auto& argument : kernel.metadata.arguments) {
    if (argument.kind == ValueKind::unknown)
      refuse_need(fmt::format("an argument of kind {}", argument.kind_name));
  }
}

/// A launch in the making.
struct Shape {
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint64_t lds = 0, scratch = 0;  ///< bytes of a workgroup, of a work-item
};

/// Arguments, and behind them the packet that a kernel may want to see, in memory of the machine.
void prepare_kernel(mockgpu_machine& machine, const mockgpu_launch& given, Shape& shape,
                    emu::amd::Launch& launch, UserScalars& user) {
  const Kernel& kernel = find_kernel(given);
  const KernelDescriptor& descriptor = kernel.descriptor;
  check_needs(kernel);
  const std::uint32_t taken = explicit_bytes(kernel);
  if (kernel.has_metadata ? given.argument_bytes != taken : given.argument_bytes > taken) {
    refuse(fmt::format("kernel \"{}\" takes {} bytes of arguments, got {}", kernel.name, taken,
                       given.argument_bytes));
  }
  if (given.argument_bytes && !given.arguments) refuse("argument_bytes without arguments");
  const auto& required = kernel.metadata.reqd_workgroup_size;
  if (required[0] && required != shape.block)
    refuse(fmt::format("kernel \"{}\" requires a block of {}x{}x{}", kernel.name, required[0], required[1],
                       required[2]));
  if (given.wave_size && (given.wave_size == 32) != kernel.wave32())
    refuse(fmt::format("kernel \"{}\" is for waves of {}", kernel.name, kernel.wave32() ? 32 : 64));
  launch.wave32 = kernel.wave32();
  launch.entry = given.object->address(kernel.entry_address);
  launch.rsrc1 = descriptor.compute_pgm_rsrc1;
  launch.rsrc2 = descriptor.compute_pgm_rsrc2;
  launch.rsrc3 = descriptor.compute_pgm_rsrc3;
  shape.lds += descriptor.group_segment_fixed_size;
  shape.scratch += descriptor.private_segment_fixed_size;
  if (descriptor.has(KernelDescriptor::kUsesDynamicStack)) shape.scratch += kDynamicStackBytes;

  const std::size_t bytes = std::max({kernel.metadata.kernarg_segment_size, descriptor.kernarg_size, taken});
  const std::size_t packet_offset = (bytes + 63) / 64 * 64;
  machine.grow(machine.arguments, packet_offset + sizeof(aql::KernelDispatch), "arguments");
  std::byte* const block = machine.arguments.data();
  std::memset(block, 0, bytes);
  if (given.argument_bytes) std::memcpy(block, given.arguments, given.argument_bytes);
  isa::object::HiddenValues values;
  values.grid = shape.grid;
  values.group = shape.block;
  values.dimensions = static_cast<std::uint16_t>(shape.grid[2] > 1 ? 3 : shape.grid[1] > 1 ? 2 : 1);
  values.dynamic_lds_size = given.lds_bytes;
  isa::object::fill_hidden_arguments(kernel.metadata.arguments, values, {block, bytes});

  aql::KernelDispatch packet{};
  packet.header =
      aql::make_header(aql::PacketType::kernel_dispatch, true, aql::kScopeSystem, aql::kScopeSystem);
  packet.setup = 3;
  packet.workgroup_size_x = static_cast<std::uint16_t>(shape.block[0]);
  packet.workgroup_size_y = static_cast<std::uint16_t>(shape.block[1]);
  packet.workgroup_size_z = static_cast<std::uint16_t>(shape.block[2]);
  packet.grid_size_x = shape.grid[0];
  packet.grid_size_y = shape.grid[1];
  packet.grid_size_z = shape.grid[2];
  packet.private_segment_size = static_cast<std::uint32_t>(shape.scratch);
  packet.group_segment_size = static_cast<std::uint32_t>(shape.lds);
  packet.kernel_object = given.object->address(kernel.descriptor_address);
  packet.kernarg_address = machine.arguments.address();
  std::memcpy(block + packet_offset, &packet, sizeof packet);

  if (descriptor.has(KernelDescriptor::kDispatchPtr))
    user.push_address(machine.arguments.address() + packet_offset);
  if (descriptor.has(KernelDescriptor::kKernargSegmentPtr)) user.push_address(machine.arguments.address());
  if (descriptor.has(KernelDescriptor::kDispatchId)) user.push_address(1);
  if (descriptor.has(KernelDescriptor::kPrivateSegmentSize))
    user.push(static_cast<std::uint32_t>(shape.scratch));
}

void prepare_code(const mockgpu_launch& given, emu::amd::Launch& launch, UserScalars& user) {
  if (given.kernel || given.arguments || given.argument_bytes)
    refuse("a kernel or arguments without an object");
  launch.wave32 = given.wave_size != 64;
  launch.entry = reinterpret_cast<std::uint64_t>(given.code);
  launch.rsrc1 = given.rsrc1;
  // The group ids follow behind the registers that the field counts.
  launch.rsrc2 = rsrc2::kUserSgpr.replace(given.rsrc2, given.user_sgpr_count);
  launch.rsrc3 = given.rsrc3;
  if (given.user_sgpr_count > kMostUserScalars) refuse("more than 16 user SGPRs");
  const std::uint32_t field = rsrc2::kUserSgpr.get(given.rsrc2);
  if (field && field != given.user_sgpr_count)
    refuse(fmt::format("RSRC2 names {} user SGPRs, user_sgpr_count is {}", field, given.user_sgpr_count));
  for (std::uint32_t i = 0; i < given.user_sgpr_count; ++i) user.push(given.user_sgprs[i]);
}

}  // namespace

PreparedLaunch prepare(mockgpu_machine& machine, const mockgpu_launch& given) {
  if (!given.object == !given.code) refuse("a launch has either an object or code");
  if (given.wave_size != 0 && given.wave_size != 32 && given.wave_size != 64)
    refuse(fmt::format("waves of {}", given.wave_size));
  if (given.initial_count && !given.initial) refuse("initial_count without initial");
  if (given.wave_capacity && !given.waves) refuse("wave_capacity without waves");
  PreparedLaunch result;
  emu::amd::Launch& launch = result.launch;
  launch.target = machine.target;
  Shape shape;
  shape.lds = given.lds_bytes;
  shape.scratch = given.scratch_bytes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    shape.grid[axis] = std::max(given.grid[axis], 1u);
    shape.block[axis] = std::max(given.block[axis], 1u);
  }
  UserScalars user(launch);
  if (given.object) {
    prepare_kernel(machine, given, shape, launch, user);
  } else {
    prepare_code(given, launch, user);
  }

  const auto& [bx, by, bz] = shape.block;
  if (std::max({bx, by, bz}) > 1024 || std::uint64_t{bx} * by * bz > 1024)
    refuse(fmt::format("a block of {}x{}x{} work-items: at most 1024", bx, by, bz));
  std::uint32_t groups[3], last[3];
  std::uint64_t total = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t rest = shape.grid[axis] % shape.block[axis];
    groups[axis] = shape.grid[axis] / shape.block[axis] + (rest != 0);
    last[axis] = rest;
    if (__builtin_mul_overflow(total, groups[axis], &total)) refuse("more than 2^64 workgroups");
  }
  launch.end_group = {groups[0], groups[1], groups[2]};
  launch.group_size = {bx, by, bz};
  launch.last_group_size = {last[0], last[1], last[2]};
  const std::uint64_t lanes = launch.wave32 ? 32 : 64;
  const std::uint64_t group_waves = (std::uint64_t{bx} * by * bz + lanes - 1) / lanes;
  if (__builtin_mul_overflow(total, group_waves, &result.waves)) refuse("more than 2^64 waves");

  shape.lds += std::uint64_t{rsrc2::kLdsSize.get(launch.rsrc2)} * rsrc2::kLdsGranule;
  if (shape.lds > machine.target->lds_bytes) {
    throw Error(Tag::bad_packet, fmt::format("{} bytes of LDS: a workgroup of {} has at most {}", shape.lds,
                                             machine.target->name, machine.target->lds_bytes));
  }
  const auto granules = static_cast<std::uint32_t>((shape.lds + rsrc2::kLdsGranule - 1) / rsrc2::kLdsGranule);
  launch.rsrc2 = rsrc2::kLdsSize.replace(launch.rsrc2, granules);

  if (shape.scratch) {
    const std::uint64_t wave_bytes = (shape.scratch * lanes + 1023) / 1024 * 1024;
    if (wave_bytes > kMostScratchBytes)
      throw Error(Tag::bad_packet, fmt::format("{} bytes of scratch for each work-item", shape.scratch));
    // Slots are dealt to batches of workgroups, which the engine makes of up to eight waves.
    launch.scratch_waves = static_cast<std::uint32_t>(
        std::max(std::min(result.waves + 8, kMostScratchWaves), 2 * group_waves + 8));
    launch.scratch_wave_bytes = static_cast<std::uint32_t>(wave_bytes);
    machine.grow(machine.scratch, wave_bytes * launch.scratch_waves, "scratch");
    launch.scratch_base = machine.scratch.address();
  }
  return result;
}

}  // namespace mockgpu::capi
