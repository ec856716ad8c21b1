#include "emu/amd/model.h"

namespace mockgpu::emu::amd {
namespace {

/// The gfx1100 row is a Radeon RX 7900 XTX: a real machine's sysfs dump.
constexpr Model kModels[] = {{.target = "gfx1100",
                              .device_id = 0x744c,
                              .gfx_target_version = 110000,
                              .compute_units = 96,
                              .simds_per_cu = 2,
                              .waves_per_simd = 16,
                              .wave_size = 32,
                              .arrays = 12,
                              .arrays_per_engine = 2,
                              .cus_per_array = 8,
                              .scratch_slots_per_cu = 32,
                              .lds_kib = 64,
                              .sdma_engines = 2,
                              .sdma_xgmi_engines = 0,
                              .sdma_queues_per_engine = 6,
                              .compute_queues = 8,
                              .clock_mhz = 2482,
                              .fw_version = 2140,
                              .sdma_fw_version = 20,
                              .capability = 671588992,
                              .debug_prop = 1495,
                              .vram_bytes = 25753026560,
                              .vram_width = 384,
                              .vram_clock_mhz = 1249,
                              .gc = {11, 0, 0},
                              .sdma = {6, 0, 0},
                              .nbif = {4, 3, 0},
                              .drm_family = 145,
                              .gb_addr_config = 0x545,
                              .l1_kib = 32,
                              .scalar_kib = 16,
                              .instruction_kib = 32,
                              .l2_kib = 6144,
                              .l3_kib = 98304,
                              .cache_line = 128,
                              .scratch_unit = 256,
                              .scratch_waves_per_engine = true,
                              .vgpr_save_bytes = 0x60000,
                              .control_stack_bytes = 12}};

constexpr std::uint64_t page_align(std::uint64_t bytes) { return (bytes + 0xfff) & ~std::uint64_t{0xfff}; }

}  // namespace

const Model* find_model(std::string_view target) {
  for (const Model& model : kModels) {
    if (model.target == target) return &model;
  }
  return nullptr;
}

std::string model_names() {
  std::string names;
  for (const Model& model : kModels) {
    if (!names.empty()) names += ", ";
    names += model.target;
  }
  return names;
}

SaveAreaSizes save_area_sizes(const Model& model) {
  const std::uint64_t waves = std::uint64_t{model.compute_units} * 32;
  const std::uint64_t groups =
      page_align(model.compute_units * (model.vgpr_save_bytes + 0x4000ull + (model.lds_kib << 10) + 0x1000));
  SaveAreaSizes sizes{};
  sizes.control_stack = page_align(40 + waves * model.control_stack_bytes + 8);
  sizes.save = sizes.control_stack + groups;
  sizes.buffer = page_align(sizes.save + waves * 32);
  return sizes;
}

}  // namespace mockgpu::emu::amd
