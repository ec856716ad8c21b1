#include "isa/amd/target.h"

namespace mockgpu::isa::amd {
namespace {

// Name, generation, EF_AMDGPU_MACH, version, wave32, wave64, SGPRs, LDS bytes of a workgroup.
constexpr Target kTargets[] = {
    {"gfx900", Generation::gfx9, 0x2c, {9, 0, 0}, false, true, 102, 64 * 1024},
    {"gfx902", Generation::gfx9, 0x2d, {9, 0, 2}, false, true, 102, 64 * 1024},
    {"gfx904", Generation::gfx9, 0x2e, {9, 0, 4}, false, true, 102, 64 * 1024},
    {"gfx906", Generation::gfx9, 0x2f, {9, 0, 6}, false, true, 102, 64 * 1024},
    {"gfx909", Generation::gfx9, 0x31, {9, 0, 9}, false, true, 102, 64 * 1024},
    {"gfx90c", Generation::gfx9, 0x32, {9, 0, 12}, false, true, 102, 64 * 1024},
    {"gfx908", Generation::cdna1, 0x30, {9, 0, 8}, false, true, 102, 64 * 1024},
    {"gfx90a", Generation::cdna2, 0x3f, {9, 0, 10}, false, true, 102, 64 * 1024},
    {"gfx942", Generation::cdna3, 0x4c, {9, 4, 2}, false, true, 102, 64 * 1024},
    {"gfx950", Generation::cdna4, 0x4f, {9, 5, 0}, false, true, 102, 160 * 1024},
    {"gfx1010", Generation::rdna1, 0x33, {10, 1, 0}, true, true, 106, 64 * 1024},
    {"gfx1011", Generation::rdna1, 0x34, {10, 1, 1}, true, true, 106, 64 * 1024},
    {"gfx1012", Generation::rdna1, 0x35, {10, 1, 2}, true, true, 106, 64 * 1024},
    {"gfx1013", Generation::rdna1, 0x42, {10, 1, 3}, true, true, 106, 64 * 1024},
    {"gfx1030", Generation::rdna2, 0x36, {10, 3, 0}, true, true, 106, 64 * 1024},
    {"gfx1031", Generation::rdna2, 0x37, {10, 3, 1}, true, true, 106, 64 * 1024},
    {"gfx1032", Generation::rdna2, 0x38, {10, 3, 2}, true, true, 106, 64 * 1024},
    {"gfx1033", Generation::rdna2, 0x39, {10, 3, 3}, true, true, 106, 64 * 1024},
    {"gfx1034", Generation::rdna2, 0x3e, {10, 3, 4}, true, true, 106, 64 * 1024},
    {"gfx1035", Generation::rdna2, 0x3d, {10, 3, 5}, true, true, 106, 64 * 1024},
    {"gfx1036", Generation::rdna2, 0x45, {10, 3, 6}, true, true, 106, 64 * 1024},
    {"gfx1100", Generation::rdna3, 0x41, {11, 0, 0}, true, true, 106, 64 * 1024},
    {"gfx1101", Generation::rdna3, 0x46, {11, 0, 1}, true, true, 106, 64 * 1024},
    {"gfx1102", Generation::rdna3, 0x47, {11, 0, 2}, true, true, 106, 64 * 1024},
    {"gfx1103", Generation::rdna3, 0x44, {11, 0, 3}, true, true, 106, 64 * 1024},
    {"gfx1150", Generation::rdna35, 0x43, {11, 5, 0}, true, true, 106, 64 * 1024},
    {"gfx1151", Generation::rdna35, 0x4a, {11, 5, 1}, true, true, 106, 64 * 1024},
    {"gfx1152", Generation::rdna35, 0x55, {11, 5, 2}, true, true, 106, 64 * 1024},
    {"gfx1153", Generation::rdna35, 0x58, {11, 5, 3}, true, true, 106, 64 * 1024},
    {"gfx1200", Generation::rdna4, 0x48, {12, 0, 0}, true, true, 106, 64 * 1024},
    {"gfx1201", Generation::rdna4, 0x4e, {12, 0, 1}, true, true, 106, 64 * 1024},
    {"gfx1250", Generation::gfx1250, 0x49, {12, 5, 0}, true, false, 106, 320 * 1024},
    {"gfx1251", Generation::gfx1250, 0x5a, {12, 5, 1}, true, false, 106, 320 * 1024},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

const Target* find_target(std::string_view name) {
  for (const Target& target : kTargets)
    if (target.name == name) return &target;
  return nullptr;
}

const Target* find_target_by_mach(std::uint8_t mach) {
  for (const Target& target : kTargets)
    if (target.elf_mach == mach) return &target;
  return nullptr;
}

}  // namespace mockgpu::isa::amd
