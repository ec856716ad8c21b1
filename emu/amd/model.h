#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace mockgpu::emu::amd {

/// Version of an IP block, as ip_discovery shows it.
struct IpVersion {
  std::uint8_t major, minor, revision;
};

/// What a board is: everything that sysfs, KFD and the DRM node tell of it. One constant row per target
/// (facts: amd_commands, chapter 7).
struct Model {
  std::string_view target;  ///< "gfx1100"
  std::uint32_t device_id;  ///< PCI
  std::uint32_t gfx_target_version;
  std::uint32_t compute_units;
  std::uint32_t simds_per_cu;
  std::uint32_t waves_per_simd;
  std::uint32_t wave_size;
  std::uint32_t arrays;  ///< shader arrays of all engines
  std::uint32_t arrays_per_engine;
  std::uint32_t cus_per_array;
  std::uint32_t scratch_slots_per_cu;
  std::uint32_t lds_kib;
  std::uint32_t sdma_engines, sdma_xgmi_engines, sdma_queues_per_engine, compute_queues;
  std::uint32_t clock_mhz;
  std::uint32_t fw_version, sdma_fw_version;
  std::uint32_t capability, debug_prop;
  std::uint64_t vram_bytes;
  std::uint32_t vram_width, vram_clock_mhz;
  IpVersion gc, sdma, nbif;
  std::uint32_t drm_family;
  std::uint32_t gb_addr_config;  ///< register GB_ADDR_CONFIG, as the drivers hand it out (Mesa's drm-shim)
  std::uint32_t l1_kib, scalar_kib, instruction_kib, l2_kib, l3_kib, cache_line;
  std::uint32_t scratch_unit;         ///< bytes of one TMPRING WAVESIZE
  bool scratch_waves_per_engine;      ///< TMPRING WAVES counts per shader engine, else per device
  std::uint32_t vgpr_save_bytes;      ///< register save area per CU for CWSR sizes
  std::uint32_t control_stack_bytes;  ///< most bytes of the CWSR control stack per wave

  std::uint32_t engines() const { return arrays / arrays_per_engine; }
};

/// The board with this target, or null.
const Model* find_model(std::string_view target);

/// All targets, comma separated, for messages.
std::string model_names();

/// Sizes that CREATE_QUEUE checks (facts: amd_commands, 6.2).
struct SaveAreaSizes {
  std::uint64_t control_stack;  ///< ctl_stack_size must equal it
  std::uint64_t save;           ///< ctx_save_restore_size must be at least it
  std::uint64_t buffer;         ///< bytes of the allocation, debugger area included
};
SaveAreaSizes save_area_sizes(const Model& model);

}  // namespace mockgpu::emu::amd
