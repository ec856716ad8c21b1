#include "isa/object/generic_target.h"

namespace mockgpu::isa::object {
namespace {

constexpr GenericTarget kGenericTargets[] = {
    {"gfx9-generic", 0x51, "gfx900", {"gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"}},
    {"gfx10-1-generic", 0x52, "gfx1010", {"gfx1010", "gfx1011", "gfx1012", "gfx1013"}},
    {"gfx10-3-generic",
     0x53,
     "gfx1030",
     {"gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"}},
    {"gfx11-generic",
     0x54,
     "gfx1100",
     {"gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153"}},
    {"gfx12-generic", 0x59, "gfx1200", {"gfx1200", "gfx1201"}},
    {"gfx9-4-generic", 0x5f, "gfx942", {"gfx942", "gfx950"}},
};

struct MachName {
  std::string_view name;
  std::uint8_t mach;
};
constexpr MachName kMachNames[] = {
    {"gfx600", 0x20},         {"gfx601", 0x21},          {"gfx700", 0x22},          {"gfx701", 0x23},
    {"gfx702", 0x24},         {"gfx703", 0x25},          {"gfx704", 0x26},          {"gfx801", 0x28},
    {"gfx802", 0x29},         {"gfx803", 0x2a},          {"gfx810", 0x2b},          {"gfx900", 0x2c},
    {"gfx902", 0x2d},         {"gfx904", 0x2e},          {"gfx906", 0x2f},          {"gfx908", 0x30},
    {"gfx909", 0x31},         {"gfx90c", 0x32},          {"gfx1010", 0x33},         {"gfx1011", 0x34},
    {"gfx1012", 0x35},        {"gfx1030", 0x36},         {"gfx1031", 0x37},         {"gfx1032", 0x38},
    {"gfx1033", 0x39},        {"gfx602", 0x3a},          {"gfx705", 0x3b},          {"gfx805", 0x3c},
    {"gfx1035", 0x3d},        {"gfx1034", 0x3e},         {"gfx90a", 0x3f},          {"gfx1100", 0x41},
    {"gfx1013", 0x42},        {"gfx1150", 0x43},         {"gfx1103", 0x44},         {"gfx1036", 0x45},
    {"gfx1101", 0x46},        {"gfx1102", 0x47},         {"gfx1200", 0x48},         {"gfx1250", 0x49},
    {"gfx1151", 0x4a},        {"gfx942", 0x4c},          {"gfx1201", 0x4e},         {"gfx950", 0x4f},
    {"gfx9-generic", 0x51},   {"gfx10-1-generic", 0x52}, {"gfx10-3-generic", 0x53}, {"gfx11-generic", 0x54},
    {"gfx1152", 0x55},        {"gfx1153", 0x58},         {"gfx12-generic", 0x59},   {"gfx1251", 0x5a},
    {"gfx9-4-generic", 0x5f},
};

}  // namespace

const GenericTarget* find_generic_target(std::string_view name) {
  for (const GenericTarget& target : kGenericTargets) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

const GenericTarget* find_generic_target(std::uint8_t elf_mach) {
  for (const GenericTarget& target : kGenericTargets) {
    if (target.elf_mach == elf_mach) return &target;
  }
  return nullptr;
}

std::string_view mach_name(std::uint8_t elf_mach) {
  for (const MachName& row : kMachNames) {
    if (row.mach == elf_mach) return row.name;
  }
  return {};
}

}  // namespace mockgpu::isa::object
