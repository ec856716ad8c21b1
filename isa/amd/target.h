#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace mockgpu::isa::amd {

/// Instruction-set generations: the columns of the form table.
enum class Generation : std::uint8_t {
  gfx9,
  cdna1,
  cdna2,
  cdna3,
  cdna4,
  rdna1,
  rdna2,
  rdna3,
  rdna35,
  rdna4,
  gfx1250,
  count
};

/// One GPU target, e.g. gfx1100. All instances are constants; compare by address or by name.
struct Target {
  std::string_view name;  ///< "gfx1100"
  Generation generation;
  std::uint8_t elf_mach;    ///< EF_AMDGPU_MACH value in e_flags [7:0] (LLVM AMDGPU usage guide)
  std::uint8_t version[3];  ///< major, minor, stepping: 11, 0, 0
  bool wave32;              ///< executes wave32 (gfx10 and later)
  bool wave64;
  std::uint16_t sgprs;      ///< addressable SGPRs without VCC and specials: 106 on gfx10+
  std::uint32_t lds_bytes;  ///< most LDS bytes a workgroup may use
};

/// Every target that the tables know, in the order of the generations.
std::span<const Target> targets();

/// The target called `name` (as in `gfx1100`), or null.
const Target* find_target(std::string_view name);

/// The target with this EF_AMDGPU_MACH value, or null.
const Target* find_target_by_mach(std::uint8_t mach);

}  // namespace mockgpu::isa::amd
