#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/object/metadata.h"

/// The arguments of a kernel that the runtime fills (LLVM AMDGPU usage guide, "Code Object V3/V4/V5
/// Metadata", hidden value kinds).
namespace mockgpu::isa::object {

/// Values for the hidden arguments of one launch.
struct HiddenValues {
  std::array<std::uint32_t, 3> grid{1, 1, 1};   ///< work-items
  std::array<std::uint32_t, 3> group{1, 1, 1};  ///< work-items of a full workgroup
  std::uint16_t dimensions = 3;                 ///< 1 to 3
  std::array<std::uint64_t, 3> global_offset{};
  std::uint64_t printf_buffer = 0;
  std::uint64_t hostcall_buffer = 0;
  std::uint64_t default_queue = 0;
  std::uint64_t completion_action = 0;
  std::uint64_t multigrid_sync_arg = 0;
  std::uint64_t heap_v1 = 0;
  std::uint32_t dynamic_lds_size = 0;
  std::uint32_t private_base = 0;  ///< high half of the private aperture
  std::uint32_t shared_base = 0;   ///< high half of the shared (LDS) aperture
  std::uint64_t queue_ptr = 0;
};

/// The value of a hidden argument; 0 for kinds that are not hidden. A block count leaves out the partial
/// workgroup at the end, whose size is the remainder.
std::uint64_t hidden_value(ValueKind kind, const HiddenValues& values);

/// Stores every hidden argument of a kernel, of any code object version, at its offset in `kernarg`. Throws
/// Error(bad_usage) when `kernarg` is too small, Error(unsupported) for a hidden kind that this program does
/// not know.
void fill_hidden_arguments(std::span<const KernelArgument> arguments, const HiddenValues& values,
                           std::span<std::byte> kernarg);

}  // namespace mockgpu::isa::object
