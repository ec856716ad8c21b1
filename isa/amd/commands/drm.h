#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "isa/amd/commands/ioctl.h"

/// The two ioctls of a render node that KFD clients use. Layouts: Linux uapi drm.h and amdgpu_drm.h.
namespace mockgpu::isa::amd::drm {

inline constexpr char kIoctlType = 'd';

/// DRM_IOCTL_VERSION: the caller gives buffers and their lengths; the driver fills them and the true lengths.
struct VersionArgs {
  std::int32_t version_major;
  std::int32_t version_minor;
  std::int32_t version_patchlevel;
  std::uint32_t pad;
  std::uint64_t name_len;
  std::uint64_t name;
  std::uint64_t date_len;
  std::uint64_t date;
  std::uint64_t desc_len;
  std::uint64_t desc;
};
static_assert(sizeof(VersionArgs) == 64 && offsetof(VersionArgs, version_major) == 0 &&
              offsetof(VersionArgs, version_minor) == 4 && offsetof(VersionArgs, version_patchlevel) == 8 &&
              offsetof(VersionArgs, pad) == 12 && offsetof(VersionArgs, name_len) == 16 &&
              offsetof(VersionArgs, name) == 24 && offsetof(VersionArgs, date_len) == 32 &&
              offsetof(VersionArgs, date) == 40 && offsetof(VersionArgs, desc_len) == 48 &&
              offsetof(VersionArgs, desc) == 56);
inline constexpr std::uint32_t kVersion =
    IoctlRequest::make(IoctlRequest::kRead | IoctlRequest::kWrite, kIoctlType, 0x00, sizeof(VersionArgs));
static_assert(kVersion == 0xc0406400);
void describe(const VersionArgs& args, FieldPrinter& printer);

/// DRM_IOCTL_AMDGPU_INFO: the driver writes at most `return_size` bytes of the answer to `return_pointer`.
struct InfoArgs {
  std::uint64_t return_pointer;
  std::uint32_t return_size;
  std::uint32_t query;
  std::uint32_t parameters[4];  ///< READ_MMR_REG: dword offset, count, instance, flags
};
static_assert(sizeof(InfoArgs) == 32 && offsetof(InfoArgs, return_pointer) == 0 &&
              offsetof(InfoArgs, return_size) == 8 && offsetof(InfoArgs, query) == 12 &&
              offsetof(InfoArgs, parameters) == 16);
inline constexpr std::uint32_t kInfo =
    IoctlRequest::make(IoctlRequest::kWrite, kIoctlType, 0x45, sizeof(InfoArgs));
static_assert(kInfo == 0x40206445);
void describe(const InfoArgs& args, FieldPrinter& printer);

/// Queries of AMDGPU_INFO.
enum InfoQuery : std::uint32_t { kQueryAccelWorking = 0x00, kQueryReadMmrReg = 0x15, kQueryDevInfo = 0x16 };

/// The answer to kQueryDevInfo.
struct DeviceInfo {
  std::uint32_t device_id;
  std::uint32_t chip_rev;
  std::uint32_t external_rev;
  std::uint32_t pci_rev;
  std::uint32_t family;
  std::uint32_t num_shader_engines;
  std::uint32_t num_shader_arrays_per_engine;
  std::uint32_t gpu_counter_freq;
  std::uint64_t max_engine_clock;
  std::uint64_t max_memory_clock;
  std::uint32_t cu_active_number;
  std::uint32_t cu_ao_mask;
  std::uint32_t cu_bitmap[4][4];
  std::uint32_t enabled_rb_pipes_mask;
  std::uint32_t num_rb_pipes;
  std::uint32_t num_hw_gfx_contexts;
  std::uint32_t pcie_gen;
  std::uint64_t ids_flags;
  std::uint64_t virtual_address_offset;
  std::uint64_t virtual_address_max;
  std::uint32_t virtual_address_alignment;
  std::uint32_t pte_fragment_size;
  std::uint32_t gart_page_size;
  std::uint32_t ce_ram_size;
  std::uint32_t vram_type;
  std::uint32_t vram_bit_width;
  std::uint32_t vce_harvest_config;
  std::uint32_t gc_double_offchip_lds_buf;
  std::uint64_t prim_buf_gpu_addr;
  std::uint64_t pos_buf_gpu_addr;
  std::uint64_t cntl_sb_buf_gpu_addr;
  std::uint64_t param_buf_gpu_addr;
  std::uint32_t prim_buf_size;
  std::uint32_t pos_buf_size;
  std::uint32_t cntl_sb_buf_size;
  std::uint32_t param_buf_size;
  std::uint32_t wave_front_size;
  std::uint32_t num_shader_visible_vgprs;
  std::uint32_t num_cu_per_sh;
  std::uint32_t num_tcc_blocks;
  std::uint32_t gs_vgt_table_depth;
  std::uint32_t gs_prim_buffer_depth;
  std::uint32_t max_gs_waves_per_vgt;
  std::uint32_t pcie_num_lanes;
  std::uint32_t cu_ao_bitmap[4][4];
  std::uint64_t high_va_offset;
  std::uint64_t high_va_max;
  std::uint32_t pa_sc_tile_steering_override;
  std::uint32_t pad;
  std::uint64_t tcc_disabled_mask;
};
static_assert(
    sizeof(DeviceInfo) == 368 && offsetof(DeviceInfo, device_id) == 0 &&
    offsetof(DeviceInfo, chip_rev) == 4 && offsetof(DeviceInfo, external_rev) == 8 &&
    offsetof(DeviceInfo, pci_rev) == 12 && offsetof(DeviceInfo, family) == 16 &&
    offsetof(DeviceInfo, num_shader_engines) == 20 &&
    offsetof(DeviceInfo, num_shader_arrays_per_engine) == 24 &&
    offsetof(DeviceInfo, gpu_counter_freq) == 28 && offsetof(DeviceInfo, max_engine_clock) == 32 &&
    offsetof(DeviceInfo, max_memory_clock) == 40 && offsetof(DeviceInfo, cu_active_number) == 48 &&
    offsetof(DeviceInfo, cu_ao_mask) == 52 && offsetof(DeviceInfo, cu_bitmap) == 56 &&
    offsetof(DeviceInfo, enabled_rb_pipes_mask) == 120 && offsetof(DeviceInfo, num_rb_pipes) == 124 &&
    offsetof(DeviceInfo, num_hw_gfx_contexts) == 128 && offsetof(DeviceInfo, pcie_gen) == 132 &&
    offsetof(DeviceInfo, ids_flags) == 136 && offsetof(DeviceInfo, virtual_address_offset) == 144 &&
    offsetof(DeviceInfo, virtual_address_max) == 152 &&
    offsetof(DeviceInfo, virtual_address_alignment) == 160 &&
    offsetof(DeviceInfo, pte_fragment_size) == 164 && offsetof(DeviceInfo, gart_page_size) == 168 &&
    offsetof(DeviceInfo, ce_ram_size) == 172 && offsetof(DeviceInfo, vram_type) == 176 &&
    offsetof(DeviceInfo, vram_bit_width) == 180 && offsetof(DeviceInfo, vce_harvest_config) == 184 &&
    offsetof(DeviceInfo, gc_double_offchip_lds_buf) == 188 &&
    offsetof(DeviceInfo, prim_buf_gpu_addr) == 192 && offsetof(DeviceInfo, pos_buf_gpu_addr) == 200 &&
    offsetof(DeviceInfo, cntl_sb_buf_gpu_addr) == 208 && offsetof(DeviceInfo, param_buf_gpu_addr) == 216 &&
    offsetof(DeviceInfo, prim_buf_size) == 224 && offsetof(DeviceInfo, pos_buf_size) == 228 &&
    offsetof(DeviceInfo, cntl_sb_buf_size) == 232 && offsetof(DeviceInfo, param_buf_size) == 236 &&
    offsetof(DeviceInfo, wave_front_size) == 240 && offsetof(DeviceInfo, num_shader_visible_vgprs) == 244 &&
    offsetof(DeviceInfo, num_cu_per_sh) == 248 && offsetof(DeviceInfo, num_tcc_blocks) == 252 &&
    offsetof(DeviceInfo, gs_vgt_table_depth) == 256 && offsetof(DeviceInfo, gs_prim_buffer_depth) == 260 &&
    offsetof(DeviceInfo, max_gs_waves_per_vgt) == 264 && offsetof(DeviceInfo, pcie_num_lanes) == 268 &&
    offsetof(DeviceInfo, cu_ao_bitmap) == 272 && offsetof(DeviceInfo, high_va_offset) == 336 &&
    offsetof(DeviceInfo, high_va_max) == 344 && offsetof(DeviceInfo, pa_sc_tile_steering_override) == 352 &&
    offsetof(DeviceInfo, pad) == 356 && offsetof(DeviceInfo, tcc_disabled_mask) == 360);
void describe(const DeviceInfo& info, FieldPrinter& printer);

/// The ioctl of the table with the type and number of `request`, or null.
const IoctlInfo* find_ioctl(std::uint32_t request);

/// As kfd::format_ioctl, for a render node.
std::string format_ioctl(std::uint32_t request, std::span<const std::byte> before,
                         std::span<const std::byte> after);

}  // namespace mockgpu::isa::amd::drm
