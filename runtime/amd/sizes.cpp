#include "runtime/amd/sizes.h"

#include <algorithm>
#include <array>

#include "isa/amd/commands/registers.h"

namespace mockgpu::runtime::amd {
namespace {

constexpr std::uint64_t kPage = 4096;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}
constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }

// Vector registers of a compute unit or half WGP. Parts with 1,536 registers per SIMD lane save more.
std::uint64_t vector_register_bytes(std::uint64_t target_version) {
  constexpr std::array<std::uint64_t, 5> kLarge = {110000, 110001, 110501, 120000, 120001};
  return std::find(kLarge.begin(), kLarge.end(), target_version) != kLarge.end() ? 0x60000 : 0x40000;
}

}  // namespace

SaveAreaSizes save_area_sizes(const Node& node) {
  constexpr std::uint64_t kWavesPerUnit = 32, kScalarBytes = 0x4000, kGroupBytes = 0x10000,
                          kHardwareBytes = 0x1000;
  constexpr std::uint64_t kHeader = 40, kControlBytesPerWave = 12, kDebugBytesPerWave = 32;
  const std::uint64_t units = node.compute_units() / node.xccs();
  const std::uint64_t waves = kWavesPerUnit * units;
  const std::uint64_t wave_state =
      round_up(units * (vector_register_bytes(node.property("gfx_target_version")) + kScalarBytes +
                        kGroupBytes + kHardwareBytes),
               kPage);
  SaveAreaSizes sizes;
  sizes.control_stack =
      static_cast<std::uint32_t>(round_up(kHeader + waves * kControlBytesPerWave + 8, kPage));
  sizes.save = static_cast<std::uint32_t>(sizes.control_stack + wave_state);
  sizes.total = round_up((sizes.save + round_up(waves * kDebugBytesPerWave, 64)) * node.xccs(), kPage);
  return sizes;
}

std::uint32_t max_private_bytes() {
  using namespace isa::amd;
  return tmpring::kWaveSize.value_mask() * tmpring::kWaveSizeUnit / 64;
}

ScratchLayout scratch_layout(const Node& node, std::uint32_t private_bytes, std::uint32_t slots) {
  using namespace isa::amd;
  // A wave's slot has room for 64 lanes whatever its width.
  constexpr std::uint64_t kLanes = 64, kUnit = tmpring::kWaveSizeUnit;
  const std::uint64_t per_lane = round_up(std::max<std::uint32_t>(private_bytes, 1), kUnit / kLanes);
  const std::uint64_t units = node.compute_units() / node.xccs();
  const std::uint64_t per_xcc = per_lane * kLanes * slots * units;
  const std::uint64_t wave_size = divide_up(kLanes * per_lane, kUnit);
  // The register counts waves of one shader engine.
  const std::uint64_t waves = std::min(per_xcc / (wave_size * kUnit) / (node.shader_engines() / node.xccs()),
                                       units * slots * node.xccs());
  ScratchLayout layout;
  layout.per_lane = static_cast<std::uint32_t>(per_lane);
  layout.tmpring = tmpring::kWaves.set(static_cast<std::uint32_t>(std::min<std::uint64_t>(waves, 0xfff))) |
                   tmpring::kWaveSize.set(static_cast<std::uint32_t>(wave_size));
  layout.bytes = round_up(per_xcc * node.xccs(), kPage);
  return layout;
}

}  // namespace mockgpu::runtime::amd
