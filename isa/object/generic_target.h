#pragma once
#include <cstdint>
#include <string_view>

namespace mockgpu::isa::object {

/// A generic processor of code object v6: one code object that runs on every member of a family (LLVM AMDGPU
/// usage guide, "Generic processor code objects").
struct GenericTarget {
  std::string_view name;            ///< `gfx11-generic`
  std::uint8_t elf_mach;            ///< EF_AMDGPU_MACH value
  std::string_view representative;  ///< a member whose instruction set has nothing that the others lack
  std::string_view members[10];

  constexpr bool covers(std::string_view target) const {
    for (const std::string_view member : members) {
      if (!member.empty() && member == target) return true;
    }
    return false;
  }
};

/// By `gfx11-generic`; null when unknown.
const GenericTarget* find_generic_target(std::string_view name);
/// By EF_AMDGPU_MACH value; null when it is no generic processor.
const GenericTarget* find_generic_target(std::uint8_t elf_mach);

/// A name for any EF_AMDGPU_MACH value in messages, also of targets that the tables lack: `gfx803`, or empty.
std::string_view mach_name(std::uint8_t elf_mach);

}  // namespace mockgpu::isa::object
