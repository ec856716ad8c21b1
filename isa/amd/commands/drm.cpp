#include "isa/amd/commands/drm.h"

namespace mockgpu::isa::amd::drm {
namespace {

constexpr auto kOut = FieldDirection::out;
constexpr auto kInOut = FieldDirection::in_out;

constexpr FieldInfo kVersionFields[] = {
    MOCKGPU_FIELD(VersionArgs, version_major, FieldFormat::signed_number, kOut),
    MOCKGPU_FIELD(VersionArgs, version_minor, FieldFormat::signed_number, kOut),
    MOCKGPU_FIELD(VersionArgs, version_patchlevel, FieldFormat::signed_number, kOut),
    MOCKGPU_FIELD(VersionArgs, name_len, FieldFormat::number, kInOut),
    MOCKGPU_FIELD(VersionArgs, name, FieldFormat::hex),
    MOCKGPU_FIELD(VersionArgs, date_len, FieldFormat::number, kInOut),
    MOCKGPU_FIELD(VersionArgs, date, FieldFormat::hex),
    MOCKGPU_FIELD(VersionArgs, desc_len, FieldFormat::number, kInOut),
    MOCKGPU_FIELD(VersionArgs, desc, FieldFormat::hex),
};
constexpr NamedValue kQueryNames[] = {{kQueryAccelWorking, "AMDGPU_INFO_ACCEL_WORKING"},
                                      {kQueryReadMmrReg, "AMDGPU_INFO_READ_MMR_REG"},
                                      {kQueryDevInfo, "AMDGPU_INFO_DEV_INFO"}};
constexpr FieldInfo kInfoFields[] = {
    MOCKGPU_FIELD(InfoArgs, return_pointer, FieldFormat::hex),
    MOCKGPU_FIELD(InfoArgs, return_size, FieldFormat::number),
    MOCKGPU_FIELD(InfoArgs, query, FieldFormat::choice, FieldDirection::in, kQueryNames),
    MOCKGPU_FIELD(InfoArgs, parameters, FieldFormat::words),
};
constexpr FieldInfo kDeviceFields[] = {
    MOCKGPU_FIELD(DeviceInfo, device_id, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, chip_rev, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, external_rev, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, pci_rev, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, family, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, num_shader_engines, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, num_shader_arrays_per_engine, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, gpu_counter_freq, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, max_engine_clock, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, max_memory_clock, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, cu_active_number, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, cu_ao_mask, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, cu_bitmap, FieldFormat::words, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, enabled_rb_pipes_mask, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, num_rb_pipes, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, num_hw_gfx_contexts, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, pcie_gen, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, ids_flags, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, virtual_address_offset, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, virtual_address_max, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, virtual_address_alignment, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, pte_fragment_size, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, gart_page_size, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, ce_ram_size, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, vram_type, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, vram_bit_width, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, vce_harvest_config, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, gc_double_offchip_lds_buf, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, prim_buf_gpu_addr, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, pos_buf_gpu_addr, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, cntl_sb_buf_gpu_addr, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, param_buf_gpu_addr, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, prim_buf_size, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, pos_buf_size, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, cntl_sb_buf_size, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, param_buf_size, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, wave_front_size, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, num_shader_visible_vgprs, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, num_cu_per_sh, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, num_tcc_blocks, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, gs_vgt_table_depth, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, gs_prim_buffer_depth, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, max_gs_waves_per_vgt, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, pcie_num_lanes, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, cu_ao_bitmap, FieldFormat::words, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, high_va_offset, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, high_va_max, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, pa_sc_tile_steering_override, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(DeviceInfo, tcc_disabled_mask, FieldFormat::hex, FieldDirection::out),
};

constexpr IoctlInfo kIoctls[] = {
    {"DRM_IOCTL_VERSION", kVersion, 64, kVersionFields},
    {"DRM_IOCTL_AMDGPU_INFO", kInfo, 32, kInfoFields},
};

template <typename Args>
void print_all(std::span<const FieldInfo> fields, const Args& args, FieldPrinter& printer) {
  print_fields(fields, std::as_bytes(std::span<const Args, 1>(&args, 1)), true, true, false, printer);
}

}  // namespace

void describe(const VersionArgs& args, FieldPrinter& printer) { print_all(kVersionFields, args, printer); }
void describe(const InfoArgs& args, FieldPrinter& printer) { print_all(kInfoFields, args, printer); }
void describe(const DeviceInfo& info, FieldPrinter& printer) { print_all(kDeviceFields, info, printer); }

const IoctlInfo* find_ioctl(std::uint32_t request) { return find_by_number(kIoctls, request); }

std::string format_ioctl(std::uint32_t request, std::span<const std::byte> before,
                         std::span<const std::byte> after) {
  return format_call(find_ioctl(request), request, before, after, false);
}

}  // namespace mockgpu::isa::amd::drm
