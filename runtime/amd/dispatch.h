#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/object/kernarg.h"
#include "runtime/amd/compute_commands.h"
#include "runtime/amd/program.h"
#include "runtime/amd/sizes.h"
#include "runtime/device.h"

namespace mockgpu::runtime::amd {

/// The private memory that launches use now. Growing makes a new one; launches in flight keep theirs.
struct Scratch {
  ScratchLayout layout;
  Buffer buffer;
  std::uint64_t generation = 0;  ///< counts the changes
};

/// Throws Error(bad_usage) for a shape that the kernel or the device (with that much group memory for a
/// workgroup) cannot run.
void check_shape(const LoadedKernel& kernel, const LaunchShape& shape, std::uint32_t most_group_bytes);

/// Throws Error(bad_usage) unless a block of explicit arguments has the kernel's length.
void check_arguments(const LoadedKernel& kernel, std::size_t bytes);

/// What a launch needs in memory: the argument block, and behind it, for kernels that have a pointer to their
/// dispatch packet, the AQL packet that would have started them.
struct ArgumentLayout {
  bool has_packet = false;
  std::size_t packet = 0;  ///< offset
  std::size_t bytes = 0;
};
ArgumentLayout argument_layout(const LoadedKernel& kernel);

/// The values of hidden arguments.
isa::object::HiddenValues hidden_values(const LaunchShape& shape);

/// Stores the AQL packet of a launch at `at`.
void write_packet(const LoadedKernel& kernel, const LaunchShape& shape, const Scratch& scratch,
                  std::uint64_t arguments, std::byte* at);

/// The registers of a launch whose argument block is at `arguments`, checked before. `id` is what the kernel
/// sees as its dispatch id.
Dispatch make_dispatch(const LoadedKernel& kernel, const LaunchShape& shape, const Scratch& scratch,
                       std::uint64_t arguments, std::uint64_t id);

}  // namespace mockgpu::runtime::amd
