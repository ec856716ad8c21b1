#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/object/kernarg.h"
#include "runtime/amd/device.h"
#include "runtime/amd/dispatch.h"

// Launches: from a kernel, a shape and arguments to a dispatch in the compute queue.

namespace mockgpu::runtime::amd {
namespace {

bool same_shape(const LaunchShape& a, const LaunchShape& b) {
  const auto same = [](const Dim3& one, const Dim3& other) {
    return one.x == other.x && one.y == other.y && one.z == other.z;
  };
  return same(a.grid, b.grid) && same(a.group, b.group) && a.dynamic_group_bytes == b.dynamic_group_bytes;
}

}  // namespace

std::unique_ptr<runtime::Program> Device::load_program(std::span<const std::byte> code_object,
                                                       std::string_view file) {
  throw_if_broken();
  const isa::amd::Target* target = isa::amd::find_target(info_.target);
  if (target == nullptr) throw Error(Tag::unsupported, fmt::format("code for {} is not known", info_.target));
  return std::make_unique<Program>(*this, isa::object::CodeObject::parse(code_object, target, file));
}

// Fills what follows the explicit arguments in a block.
void Device::fill_hidden(const LoadedKernel& kernel, const LaunchShape& shape, std::span<std::byte> block) {
  const std::size_t start = kernel.explicit_bytes;
  if (block.size() == start) return;
  if (hidden_serial_ != kernel.serial || !same_shape(hidden_shape_, shape)) {
    hidden_serial_ = 0;
    hidden_.assign(block.size(), std::byte{0});
    isa::object::fill_hidden_arguments(kernel.object->metadata.arguments, hidden_values(shape), hidden_);
    hidden_serial_ = kernel.serial;
    hidden_shape_ = shape;
  }
  std::memcpy(block.data() + start, hidden_.data() + start, block.size() - start);
}

// Takes a slot of the ring and fills it.
Dispatch Device::begin_dispatch(const LoadedKernel& kernel, const LaunchShape& shape,
                                std::span<const std::byte> arguments) {
  const ArgumentLayout layout = argument_layout(kernel);
  const ArgumentRing::Slot slot =
      arguments_.take(layout.bytes, [this](Point point) { wait(point, kForever); });
  std::copy(arguments.begin(), arguments.end(), slot.host);
  std::fill(slot.host + arguments.size(), slot.host + kernel.explicit_bytes, std::byte{0});
  fill_hidden(kernel, shape, {slot.host, kernel.arguments_bytes});
  if (layout.has_packet) write_packet(kernel, shape, scratch_, slot.address, slot.host + layout.packet);
  return make_dispatch(kernel, shape, scratch_, slot.address, timeline_.last() + 1);
}

const LoadedKernel& Device::loaded_kernel(const Kernel& kernel) const {
  const auto& loaded = static_cast<const LoadedKernel&>(kernel);
  if (loaded.device != this) {
    throw Error(Tag::bad_usage, fmt::format("kernel \"{}\" is loaded on another device", kernel.name));
  }
  if (!loaded.unsupported.empty()) {
    throw Error(Tag::unsupported, fmt::format("kernel \"{}\" needs {}", kernel.name, loaded.unsupported));
  }
  return loaded;
}

Point Device::launch(const Kernel& kernel, const LaunchShape& shape, std::span<const std::byte> arguments) {
  const LoadedKernel& loaded = loaded_kernel(kernel);
  check_shape(loaded, shape, info_.group_bytes);
  check_arguments(loaded, arguments.size());

  const std::lock_guard lock(mutex_);
  begin_submission();
  ensure_scratch(loaded.private_bytes);
  const Dispatch dispatch = begin_dispatch(loaded, shape, arguments);
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
