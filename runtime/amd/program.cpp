#include "runtime/amd/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/base/error.h"
#include "runtime/amd/device.h"

namespace mockgpu::runtime::amd {
namespace object = isa::object;
using object::KernelDescriptor;
using object::ValueKind;
namespace {

// Added to the private memory of kernels whose stack grows in a way that the compiler could not bound.
constexpr std::uint32_t kDynamicStackBytes = 4096;

runtime::KernelArgument::Kind argument_kind(ValueKind kind) {
  using Kind = runtime::KernelArgument::Kind;
  switch (kind) {
    case ValueKind::by_value: return Kind::value;
    case ValueKind::global_buffer: return Kind::pointer;
    case ValueKind::dynamic_shared_pointer: return Kind::local;
    default: return Kind::image;
  }
}

std::string find_unsupported(const object::Kernel& kernel) {
  const KernelDescriptor& descriptor = kernel.descriptor;
  if (descriptor.has(KernelDescriptor::kQueuePtr)) return "a pointer to its AQL queue";
  if (descriptor.has(KernelDescriptor::kFlatScratchInit)) return "a flat scratch address in registers";
  // Unoptimised code names every hidden argument. Those of services that do not exist here (printf, host
  // calls, a device heap, queues of the device's own) are null: a kernel that uses one faults there.
  for (const object::KernelArgument& argument : kernel.metadata.arguments) {
    if (argument.kind == ValueKind::unknown ||
        (!argument.hidden && argument_kind(argument.kind) == runtime::KernelArgument::Kind::image)) {
      return fmt::format("an argument of kind {}", argument.kind_name);
    }
  }
  return {};
}

}  // namespace

Program::Program(Device& device, object::CodeObject code_object)
    : device_(&device), object_(std::move(code_object)), extent_(object::image_extent(object_)) {
  code_ = device.allocate(extent_.size, MemoryKind::vram);
  try {
    device.copy_in(code_.address, object::load_image(object_, code_.address).bytes());
    loaded_.reserve(object_.kernels().size());
    for (const object::Kernel& kernel : object_.kernels()) loaded_.push_back(make_kernel(kernel));
    for (const LoadedKernel& kernel : loaded_) kernels_.push_back(&kernel);
  } catch (...) {
    device.free(code_);
    throw;
  }
}

Program::~Program() {
  try {
    device_->free(code_);
  } catch (const Error&) {
    // A device that broke while it was waited for frees its memory itself.
  }
}

LoadedKernel Program::make_kernel(const object::Kernel& kernel) const {
  const object::KernelMetadata& metadata = kernel.metadata;
  LoadedKernel loaded;
  loaded.name = kernel.name;
  for (const object::KernelArgument& argument : metadata.arguments) {
    if (argument.hidden) continue;
    loaded.arguments.push_back(
        {argument.name, argument.type_name, argument_kind(argument.kind), argument.offset, argument.size});
    loaded.explicit_bytes = std::max(loaded.explicit_bytes, argument.offset + argument.size);
  }
  loaded.arguments_bytes =
      std::max({metadata.kernarg_segment_size, kernel.descriptor.kernarg_size, loaded.explicit_bytes});
  if (!kernel.has_metadata) loaded.explicit_bytes = loaded.arguments_bytes;
  loaded.group_bytes = kernel.descriptor.group_segment_fixed_size;
  loaded.private_bytes = kernel.descriptor.private_segment_fixed_size;
  if (kernel.descriptor.has(KernelDescriptor::kUsesDynamicStack)) loaded.private_bytes += kDynamicStackBytes;
  loaded.wave_size = kernel.wave32() ? 32 : 64;
  loaded.max_group_size = metadata.max_flat_workgroup_size;
  std::copy(metadata.reqd_workgroup_size.begin(), metadata.reqd_workgroup_size.end(), loaded.required_group);
  loaded.device = device_;
  loaded.object = &kernel;
  loaded.serial = device_->next_serial();
  loaded.descriptor = kernel.descriptor_address - extent_.first_address + code_.address;
  loaded.entry = kernel.entry_address - extent_.first_address + code_.address;
  loaded.unsupported = find_unsupported(kernel);
  return loaded;
}

std::optional<std::string> Program::locate(std::uint64_t address) const {
  if (address < code_.address || address - code_.address >= extent_.size) return std::nullopt;
  const std::optional<object::CodeLocation> location = object_.locate(linked(address));
  if (!location) return std::nullopt;
  return fmt::format("{}+{:#x}", location->function, location->offset);
}

}  // namespace mockgpu::runtime::amd
