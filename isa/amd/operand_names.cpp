#include "isa/amd/operand_names.h"

#include <span>

namespace mockgpu::isa::amd {
namespace {

struct Name {
  unsigned id;
  std::string_view text;
};

std::string_view find(std::span<const Name> names, unsigned id) {
  for (const Name& name : names)
    if (name.id == id) return name.text;
  return {};
}

std::string_view at(std::span<const std::string_view> names, unsigned id) {
  return id < names.size() ? names[id] : std::string_view{};
}

// gfx11
constexpr Name kHwregsGfx11[] = {
    {1, "HW_REG_MODE"},
    {2, "HW_REG_STATUS"},
    {3, "HW_REG_TRAPSTS"},
    {5, "HW_REG_GPR_ALLOC"},
    {6, "HW_REG_LDS_ALLOC"},
    {7, "HW_REG_IB_STS"},
    {15, "HW_REG_SH_MEM_BASES"},
    {18, "HW_REG_PERF_SNAPSHOT_PC_LO"},
    {19, "HW_REG_PERF_SNAPSHOT_PC_HI"},
    {20, "HW_REG_FLAT_SCR_LO"},
    {21, "HW_REG_FLAT_SCR_HI"},
    {23, "HW_REG_HW_ID1"},
    {24, "HW_REG_HW_ID2"},
    {27, "HW_REG_PERF_SNAPSHOT_DATA"},
    {29, "HW_REG_SHADER_CYCLES"},
};

constexpr Name kMessagesGfx11[] = {
    {1, "MSG_INTERRUPT"},      {2, "MSG_HS_TESSFACTOR"}, {3, "MSG_DEALLOC_VGPRS"},
    {5, "MSG_STALL_WAVE_GEN"}, {6, "MSG_HALT_WAVES"},    {9, "MSG_GS_ALLOC_REQ"},
};

constexpr Name kMessagesRtnGfx11[] = {
    {128, "MSG_RTN_GET_DOORBELL"},  {129, "MSG_RTN_GET_DDID"},  {130, "MSG_RTN_GET_TMA"},
    {131, "MSG_RTN_GET_REALTIME"},  {132, "MSG_RTN_SAVE_WAVE"}, {133, "MSG_RTN_GET_TBA"},
    {134, "MSG_RTN_GET_TBA_TO_PC"},
};

constexpr Name kExportTargetsGfx11[] = {
    {0, "mrt0"},
    {1, "mrt1"},
    {2, "mrt2"},
    {3, "mrt3"},
    {4, "mrt4"},
    {5, "mrt5"},
    {6, "mrt6"},
    {7, "mrt7"},
    {8, "mrtz"},
    {12, "pos0"},
    {13, "pos1"},
    {14, "pos2"},
    {15, "pos3"},
    {16, "pos4"},
    {20, "prim"},
    {21, "dual_src_blend0"},
    {22, "dual_src_blend1"},
};

constexpr std::string_view kBufferFormatsGfx11[] = {"BUF_FMT_INVALID",
                                                    "BUF_FMT_8_UNORM",
                                                    "BUF_FMT_8_SNORM",
                                                    "BUF_FMT_8_USCALED",
                                                    "BUF_FMT_8_SSCALED",
                                                    "BUF_FMT_8_UINT",
                                                    "BUF_FMT_8_SINT",
                                                    "BUF_FMT_16_UNORM",
                                                    "BUF_FMT_16_SNORM",
                                                    "BUF_FMT_16_USCALED",
                                                    "BUF_FMT_16_SSCALED",
                                                    "BUF_FMT_16_UINT",
                                                    "BUF_FMT_16_SINT",
                                                    "BUF_FMT_16_FLOAT",
                                                    "BUF_FMT_8_8_UNORM",
                                                    "BUF_FMT_8_8_SNORM",
                                                    "BUF_FMT_8_8_USCALED",
                                                    "BUF_FMT_8_8_SSCALED",
                                                    "BUF_FMT_8_8_UINT",
                                                    "BUF_FMT_8_8_SINT",
                                                    "BUF_FMT_32_UINT",
                                                    "BUF_FMT_32_SINT",
                                                    "BUF_FMT_32_FLOAT",
                                                    "BUF_FMT_16_16_UNORM",
                                                    "BUF_FMT_16_16_SNORM",
                                                    "BUF_FMT_16_16_USCALED",
                                                    "BUF_FMT_16_16_SSCALED",
                                                    "BUF_FMT_16_16_UINT",
                                                    "BUF_FMT_16_16_SINT",
                                                    "BUF_FMT_16_16_FLOAT",
                                                    "BUF_FMT_10_11_11_FLOAT",
                                                    "BUF_FMT_11_11_10_FLOAT",
                                                    "BUF_FMT_10_10_10_2_UNORM",
                                                    "BUF_FMT_10_10_10_2_SNORM",
                                                    "BUF_FMT_10_10_10_2_UINT",
                                                    "BUF_FMT_10_10_10_2_SINT",
                                                    "BUF_FMT_2_10_10_10_UNORM",
                                                    "BUF_FMT_2_10_10_10_SNORM",
                                                    "BUF_FMT_2_10_10_10_USCALED",
                                                    "BUF_FMT_2_10_10_10_SSCALED",
                                                    "BUF_FMT_2_10_10_10_UINT",
                                                    "BUF_FMT_2_10_10_10_SINT",
                                                    "BUF_FMT_8_8_8_8_UNORM",
                                                    "BUF_FMT_8_8_8_8_SNORM",
                                                    "BUF_FMT_8_8_8_8_USCALED",
                                                    "BUF_FMT_8_8_8_8_SSCALED",
                                                    "BUF_FMT_8_8_8_8_UINT",
                                                    "BUF_FMT_8_8_8_8_SINT",
                                                    "BUF_FMT_32_32_UINT",
                                                    "BUF_FMT_32_32_SINT",
                                                    "BUF_FMT_32_32_FLOAT",
                                                    "BUF_FMT_16_16_16_16_UNORM",
                                                    "BUF_FMT_16_16_16_16_SNORM",
                                                    "BUF_FMT_16_16_16_16_USCALED",
                                                    "BUF_FMT_16_16_16_16_SSCALED",
                                                    "BUF_FMT_16_16_16_16_UINT",
                                                    "BUF_FMT_16_16_16_16_SINT",
                                                    "BUF_FMT_16_16_16_16_FLOAT",
                                                    "BUF_FMT_32_32_32_UINT",
                                                    "BUF_FMT_32_32_32_SINT",
                                                    "BUF_FMT_32_32_32_FLOAT",
                                                    "BUF_FMT_32_32_32_32_UINT",
                                                    "BUF_FMT_32_32_32_32_SINT",
                                                    "BUF_FMT_32_32_32_32_FLOAT"};

constexpr std::string_view kImageDims[] = {
    "SQ_RSRC_IMG_1D",       "SQ_RSRC_IMG_2D",       "SQ_RSRC_IMG_3D",      "SQ_RSRC_IMG_CUBE",
    "SQ_RSRC_IMG_1D_ARRAY", "SQ_RSRC_IMG_2D_ARRAY", "SQ_RSRC_IMG_2D_MSAA", "SQ_RSRC_IMG_2D_MSAA_ARRAY"};

constexpr std::string_view kDelays[] = {
    "NO_DEP",        "VALU_DEP_1",    "VALU_DEP_2",        "VALU_DEP_3",   "VALU_DEP_4",   "TRANS32_DEP_1",
    "TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1", "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3"};

constexpr std::string_view kDelaySkips[] = {"SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"};

constexpr Name kScalars[] = {
    {106, "vcc_lo"},
    {107, "vcc_hi"},
    {124, "null"},
    {125, "m0"},
    {126, "exec_lo"},
    {127, "exec_hi"},
    {230, "src_flat_scratch_base_lo"},
    {231, "src_flat_scratch_base_hi"},
    {235, "src_shared_base"},
    {236, "src_shared_limit"},
    {237, "src_private_base"},
    {238, "src_private_limit"},
    {239, "src_pops_exiting_wave_id"},
    {251, "src_vccz"},
    {252, "src_execz"},
    {253, "src_scc"},
    {254, "src_lds_direct"},
};

constexpr Name kWideScalars[] = {{106, "vcc"}, {126, "exec"}};

}  // namespace

// gfx11 is the only column of the form tables, so there is nothing to choose from.
std::string_view hwreg_name(Generation, unsigned id) { return find(kHwregsGfx11, id); }

std::string_view message_name(Generation, unsigned id, bool returns) {
  return returns ? find(kMessagesRtnGfx11, id) : find(kMessagesGfx11, id);
}

std::string_view buffer_format_name(Generation, unsigned id) { return at(kBufferFormatsGfx11, id); }

std::string_view image_dim_name(Generation, unsigned id) { return at(kImageDims, id); }

std::string_view export_target_name(Generation, unsigned id) { return find(kExportTargetsGfx11, id); }

std::string_view delay_name(unsigned id) { return at(kDelays, id); }

std::string_view delay_skip_name(unsigned id) { return at(kDelaySkips, id); }

std::string_view scalar_name(unsigned selector, bool wide) {
  if (wide) {
    const std::string_view name = find(kWideScalars, selector);
    if (!name.empty()) return name;
  }
  return find(kScalars, selector);
}

}  // namespace mockgpu::isa::amd
