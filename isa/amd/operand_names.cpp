#include "isa/amd/operand_names.h"

#include <span>

#include "isa/amd/generation.h"

namespace mockgpu::isa::amd {
namespace {

using Gen = Generation;

/// What an id means in the generations `first` to `last`.
struct Name {
  unsigned id;
  std::string_view text;
  Generation first = Gen::gfx9, last = Gen::gfx1250;
};

std::string_view find(std::span<const Name> names, unsigned id, Generation generation = Gen::gfx9) {
  for (const Name& name : names)
    if (name.id == id && name.first <= generation && generation <= name.last) return name.text;
  return {};
}

std::string_view at(std::span<const std::string_view> names, unsigned id) {
  return id < names.size() ? names[id] : std::string_view{};
}

constexpr Name kHwregs[] = {
    {1, "HW_REG_MODE", Gen::gfx9, Gen::rdna35},
    {1, "HW_REG_WAVE_MODE", Gen::rdna4},
    {2, "HW_REG_STATUS", Gen::gfx9, Gen::rdna35},
    {2, "HW_REG_WAVE_STATUS", Gen::rdna4},
    {3, "HW_REG_TRAPSTS", Gen::gfx9, Gen::rdna35},
    {4, "HW_REG_HW_ID", Gen::gfx9, Gen::cdna4},
    {4, "HW_REG_WAVE_STATE_PRIV", Gen::rdna4},
    {5, "HW_REG_GPR_ALLOC", Gen::gfx9, Gen::rdna35},
    {5, "HW_REG_WAVE_GPR_ALLOC", Gen::rdna4},
    {6, "HW_REG_LDS_ALLOC", Gen::gfx9, Gen::rdna35},
    {6, "HW_REG_WAVE_LDS_ALLOC", Gen::rdna4},
    {7, "HW_REG_IB_STS"},
    {10, "HW_REG_PERF_SNAPSHOT_DATA", Gen::rdna4},
    {11, "HW_REG_PERF_SNAPSHOT_PC_LO", Gen::rdna4},
    {12, "HW_REG_PERF_SNAPSHOT_PC_HI", Gen::rdna4},
    {15, "HW_REG_SH_MEM_BASES", Gen::gfx9, Gen::rdna35},
    {15, "HW_REG_PERF_SNAPSHOT_DATA1", Gen::rdna4},
    {16, "HW_REG_TBA_LO", Gen::gfx9, Gen::rdna2},
    {16, "HW_REG_PERF_SNAPSHOT_DATA2", Gen::rdna4},
    {17, "HW_REG_TBA_HI", Gen::gfx9, Gen::rdna2},
    {17, "HW_REG_WAVE_EXCP_FLAG_PRIV", Gen::rdna4},
    {18, "HW_REG_TMA_LO", Gen::gfx9, Gen::rdna2},
    {18, "HW_REG_PERF_SNAPSHOT_PC_LO", Gen::rdna3, Gen::rdna35},
    {18, "HW_REG_WAVE_EXCP_FLAG_USER", Gen::rdna4},
    {19, "HW_REG_TMA_HI", Gen::gfx9, Gen::rdna2},
    {19, "HW_REG_PERF_SNAPSHOT_PC_HI", Gen::rdna3, Gen::rdna35},
    {19, "HW_REG_WAVE_TRAP_CTRL", Gen::rdna4},
    {20, "HW_REG_XCC_ID", Gen::cdna3, Gen::cdna4},
    {20, "HW_REG_FLAT_SCR_LO", Gen::rdna1, Gen::rdna35},
    {20, "HW_REG_WAVE_SCRATCH_BASE_LO", Gen::rdna4},
    {21, "HW_REG_SQ_PERF_SNAPSHOT_DATA", Gen::cdna3, Gen::cdna4},
    {21, "HW_REG_FLAT_SCR_HI", Gen::rdna1, Gen::rdna35},
    {21, "HW_REG_WAVE_SCRATCH_BASE_HI", Gen::rdna4},
    {22, "HW_REG_SQ_PERF_SNAPSHOT_DATA1", Gen::cdna3, Gen::cdna4},
    {22, "HW_REG_XNACK_MASK", Gen::rdna1, Gen::rdna1},
    {23, "HW_REG_SQ_PERF_SNAPSHOT_PC_LO", Gen::cdna3, Gen::cdna4},
    {23, "HW_REG_HW_ID1", Gen::rdna1, Gen::rdna35},
    {23, "HW_REG_WAVE_HW_ID1", Gen::rdna4},
    {24, "HW_REG_SQ_PERF_SNAPSHOT_PC_HI", Gen::cdna3, Gen::cdna4},
    {24, "HW_REG_HW_ID2", Gen::rdna1, Gen::rdna35},
    {24, "HW_REG_WAVE_HW_ID2", Gen::rdna4},
    {25, "HW_REG_POPS_PACKER", Gen::rdna1, Gen::rdna2},
    {26, "HW_REG_WAVE_SCHED_MODE", Gen::rdna4},
    {27, "HW_REG_PERF_SNAPSHOT_DATA", Gen::rdna3, Gen::rdna35},
    {28, "HW_REG_IB_STS2", Gen::gfx1250},
    {29, "HW_REG_SHADER_CYCLES", Gen::rdna2, Gen::rdna35},
    {29, "HW_REG_SHADER_CYCLES_LO", Gen::rdna4},
    {30, "HW_REG_SHADER_CYCLES_HI", Gen::rdna4},
    {31, "HW_REG_WAVE_DVGPR_ALLOC_LO", Gen::rdna4},
    {32, "HW_REG_WAVE_DVGPR_ALLOC_HI", Gen::rdna4},
    {33, "HW_REG_XNACK_STATE_PRIV", Gen::gfx1250},
    {34, "HW_REG_XNACK_MASK", Gen::gfx1250},
};

constexpr Name kMessages[] = {
    {1, "MSG_INTERRUPT"},
    {2, "MSG_GS", Gen::gfx9, Gen::rdna2},
    {2, "MSG_HS_TESSFACTOR", Gen::rdna3},
    {3, "MSG_GS_DONE", Gen::gfx9, Gen::rdna2},
    {3, "MSG_DEALLOC_VGPRS", Gen::rdna3},
    {4, "MSG_SAVEWAVE", Gen::gfx9, Gen::rdna2},
    {5, "MSG_STALL_WAVE_GEN", Gen::gfx9, Gen::rdna35},
    {6, "MSG_HALT_WAVES", Gen::gfx9, Gen::rdna35},
    {7, "MSG_ORDERED_PS_DONE", Gen::gfx9, Gen::rdna2},
    {8, "MSG_EARLY_PRIM_DEALLOC", Gen::gfx9, Gen::rdna2},
    {9, "MSG_GS_ALLOC_REQ"},
    {10, "MSG_GET_DOORBELL", Gen::gfx9, Gen::rdna2},
    {10, "MSG_SAVEWAVE_HAS_TDM", Gen::gfx1250},
    {11, "MSG_GET_DDID", Gen::rdna1, Gen::rdna2},
    {15, "MSG_SYSMSG", Gen::gfx9, Gen::rdna2},
    // What s_sendmsg_rtn waits for the answer of.
    {128, "MSG_RTN_GET_DOORBELL", Gen::rdna3},
    {129, "MSG_RTN_GET_DDID", Gen::rdna3},
    {130, "MSG_RTN_GET_TMA", Gen::rdna3},
    {131, "MSG_RTN_GET_REALTIME", Gen::rdna3},
    {132, "MSG_RTN_SAVE_WAVE", Gen::rdna3},
    {133, "MSG_RTN_GET_TBA", Gen::rdna3},
    {134, "MSG_RTN_GET_TBA_TO_PC", Gen::rdna3},
    {135, "MSG_RTN_GET_SE_AID_ID", Gen::rdna4},
    {136, "MSG_RTN_GET_CLUSTER_BARRIER_STATE", Gen::gfx1250},
};

/// Messages that return a value, from gfx11 on.
/// Without the 32 parameters, which gfx9 and gfx10 have.
constexpr Name kExportTargets[] = {
    {0, "mrt0"},
    {1, "mrt1"},
    {2, "mrt2"},
    {3, "mrt3"},
    {4, "mrt4"},
    {5, "mrt5"},
    {6, "mrt6"},
    {7, "mrt7"},
    {8, "mrtz"},
    {9, "null", Gen::gfx9, Gen::rdna2},
    {12, "pos0"},
    {13, "pos1"},
    {14, "pos2"},
    {15, "pos3"},
    {16, "pos4", Gen::rdna1},
    {20, "prim", Gen::rdna1},
    {21, "dual_src_blend0", Gen::rdna3},
    {22, "dual_src_blend1", Gen::rdna3},
};

constexpr std::string_view kParameters[] = {
    "param0",  "param1",  "param2",  "param3",  "param4",  "param5",  "param6",  "param7",
    "param8",  "param9",  "param10", "param11", "param12", "param13", "param14", "param15",
    "param16", "param17", "param18", "param19", "param20", "param21", "param22", "param23",
    "param24", "param25", "param26", "param27", "param28", "param29", "param30", "param31"};

constexpr std::string_view kImageDims[] = {
    "SQ_RSRC_IMG_1D",       "SQ_RSRC_IMG_2D",       "SQ_RSRC_IMG_3D",      "SQ_RSRC_IMG_CUBE",
    "SQ_RSRC_IMG_1D_ARRAY", "SQ_RSRC_IMG_2D_ARRAY", "SQ_RSRC_IMG_2D_MSAA", "SQ_RSRC_IMG_2D_MSAA_ARRAY"};

constexpr std::string_view kDelays[] = {
    "NO_DEP",        "VALU_DEP_1",    "VALU_DEP_2",        "VALU_DEP_3",   "VALU_DEP_4",   "TRANS32_DEP_1",
    "TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1", "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3"};

constexpr std::string_view kDelaySkips[] = {"SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"};

constexpr Name kScalars[] = {
    {102, "flat_scratch_lo"},
    {103, "flat_scratch_hi"},
    {104, "xnack_mask_lo"},
    {105, "xnack_mask_hi"},
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

constexpr Name kWideScalars[] = {{102, "flat_scratch"}, {104, "xnack_mask"}, {106, "vcc"}, {126, "exec"}};

constexpr std::string_view kGsOperations[] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"};

constexpr Name kSystemOperations[] = {
    {1, "SYSMSG_OP_ECC_ERR_INTERRUPT"}, {2, "SYSMSG_OP_REG_RD"}, {4, "SYSMSG_OP_TTRACE_PC"}};

constexpr std::string_view kSdwaSelectors[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                               "WORD_0", "WORD_1", "DWORD"};
constexpr std::string_view kSdwaUnused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};

}  // namespace

std::string_view hwreg_name(Generation generation, unsigned id) { return find(kHwregs, id, generation); }

std::string_view message_name(Generation generation, unsigned id) { return find(kMessages, id, generation); }

std::string_view gs_operation_name(unsigned id) { return at(kGsOperations, id); }

std::string_view system_operation_name(unsigned id) { return find(kSystemOperations, id); }

std::string_view image_dim_name(Generation, unsigned id) { return at(kImageDims, id); }

std::string_view export_target_name(Generation generation, unsigned id) {
  constexpr unsigned kFirstParameter = 32;
  if (id >= kFirstParameter && generation <= Gen::rdna2) return at(kParameters, id - kFirstParameter);
  return find(kExportTargets, id, generation);
}

std::string_view delay_name(unsigned id) { return at(kDelays, id); }

std::string_view delay_skip_name(unsigned id) { return at(kDelaySkips, id); }

std::string_view sdwa_selector_name(unsigned id) { return at(kSdwaSelectors, id); }

std::string_view sdwa_unused_name(unsigned id) { return at(kSdwaUnused, id == 3 ? 0 : id); }

std::string_view scalar_name(unsigned selector, bool wide) {
  if (wide) {
    const std::string_view name = find(kWideScalars, selector);
    if (!name.empty()) return name;
  }
  return find(kScalars, selector);
}

std::span<const VersionName> version_names() {
  static constexpr VersionName kNames[] = {{"UC_VERSION_GFX7", 0},         {"UC_VERSION_GFX10", 4},
                                           {"UC_VERSION_GFX11", 6},        {"UC_VERSION_GFX12", 9},
                                           {"UC_VERSION_W64_BIT", 0x2000}, {"UC_VERSION_W32_BIT", 0x4000},
                                           {"UC_VERSION_MDP_BIT", 0x8000}};
  return kNames;
}

}  // namespace mockgpu::isa::amd
