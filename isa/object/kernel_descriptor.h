#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/amd/commands/field.h"

namespace mockgpu::isa::object {

/// The 64 bytes behind a kernel's `.kd` symbol: what hardware and runtime need to start it (LLVM AMDGPU usage
/// guide, "Kernel Descriptor").
struct KernelDescriptor {
  std::uint32_t group_segment_fixed_size;    ///< LDS bytes of a workgroup
  std::uint32_t private_segment_fixed_size;  ///< scratch bytes of a work-item
  std::uint32_t kernarg_size;
  std::uint32_t reserved0;
  std::int64_t kernel_code_entry_byte_offset;  ///< from the descriptor's address
  std::uint8_t reserved1[20];
  std::uint32_t compute_pgm_rsrc3;
  std::uint32_t compute_pgm_rsrc1;
  std::uint32_t compute_pgm_rsrc2;
  std::uint16_t kernel_code_properties;
  std::uint16_t kernarg_preload;
  std::uint32_t reserved3;

  // Bits of kernel_code_properties. The enabled user SGPRs are loaded in this order.
  static constexpr amd::Bits kPrivateSegmentBuffer{0, 1};  ///< 4 SGPRs
  static constexpr amd::Bits kDispatchPtr{1, 1};           ///< 2
  static constexpr amd::Bits kQueuePtr{2, 1};              ///< 2
  static constexpr amd::Bits kKernargSegmentPtr{3, 1};     ///< 2
  static constexpr amd::Bits kDispatchId{4, 1};            ///< 2
  static constexpr amd::Bits kFlatScratchInit{5, 1};       ///< 2
  static constexpr amd::Bits kPrivateSegmentSize{6, 1};    ///< 1
  static constexpr amd::Bits kWavefrontSize32{10, 1};
  static constexpr amd::Bits kUsesDynamicStack{11, 1};

  constexpr bool has(amd::Bits property) const { return property.get(kernel_code_properties) != 0; }
  constexpr bool wave32() const { return has(kWavefrontSize32); }
};
static_assert(sizeof(KernelDescriptor) == 64 && offsetof(KernelDescriptor, group_segment_fixed_size) == 0 &&
              offsetof(KernelDescriptor, private_segment_fixed_size) == 4 &&
              offsetof(KernelDescriptor, kernarg_size) == 8 && offsetof(KernelDescriptor, reserved0) == 12 &&
              offsetof(KernelDescriptor, kernel_code_entry_byte_offset) == 16 &&
              offsetof(KernelDescriptor, reserved1) == 24 &&
              offsetof(KernelDescriptor, compute_pgm_rsrc3) == 44 &&
              offsetof(KernelDescriptor, compute_pgm_rsrc1) == 48 &&
              offsetof(KernelDescriptor, compute_pgm_rsrc2) == 52 &&
              offsetof(KernelDescriptor, kernel_code_properties) == 56 &&
              offsetof(KernelDescriptor, kernarg_preload) == 58 &&
              offsetof(KernelDescriptor, reserved3) == 60);
void describe(const KernelDescriptor& descriptor, amd::FieldPrinter& printer);

}  // namespace mockgpu::isa::object
