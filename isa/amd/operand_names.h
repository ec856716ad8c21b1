#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/amd/target.h"

namespace mockgpu::isa::amd {

/// Names that the assembler gives to numbers in fields (LLVM's AMDGPU operand syntax). All of them are empty
/// for a number that has none.

/// Hardware register of s_getreg and s_setreg: `HW_REG_MODE`.
std::string_view hwreg_name(Generation generation, unsigned id);
/// Message of s_sendmsg and s_sendmsg_rtn: `MSG_INTERRUPT`.
std::string_view message_name(Generation generation, unsigned id);
/// Operations of MSG_GS and MSG_GS_DONE (`GS_OP_EMIT`), and of MSG_SYSMSG (`SYSMSG_OP_REG_RD`): before gfx11.
std::string_view gs_operation_name(unsigned id);
std::string_view system_operation_name(unsigned id);
/// Format of a typed buffer access from gfx10 on: `BUF_FMT_32_FLOAT`.
std::string_view buffer_format_name(Generation generation, unsigned id);
/// Its two parts on gfx9 and CDNA: `BUF_DATA_FORMAT_32`, `BUF_NUM_FORMAT_FLOAT`.
std::string_view buffer_data_format_name(unsigned id);
std::string_view buffer_number_format_name(unsigned id);
/// Selectors of SDWA (`WORD_1`), and what becomes of the bits that it does not write (`UNUSED_PAD`).
std::string_view sdwa_selector_name(unsigned id);
std::string_view sdwa_unused_name(unsigned id);
/// Dimension of an image: `SQ_RSRC_IMG_2D`.
std::string_view image_dim_name(Generation generation, unsigned id);
/// Target of an export: `mrt0`.
std::string_view export_target_name(Generation generation, unsigned id);
/// What s_delay_alu waits for (`VALU_DEP_1`), and how far its second instruction is (`SKIP_1`).
std::string_view delay_name(unsigned id);
std::string_view delay_skip_name(unsigned id);
/// Scalar source selector that is no numbered register: `vcc_lo`, `exec` (with `wide`), `src_scc`.
std::string_view scalar_name(unsigned selector, bool wide);

/// The names that the value of s_version is made of: generations in its low byte, and flags above.
struct VersionName {
  std::string_view name;
  std::uint32_t value;

  constexpr bool is_flag() const { return value > 0xff; }
};
std::span<const VersionName> version_names();

}  // namespace mockgpu::isa::amd
