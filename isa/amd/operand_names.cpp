#include "isa/amd/operand_names.h"

#include <span>

#include "isa/amd/generation.h"

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

constexpr Name kHwregsGfx9[] = {
    {1, "HW_REG_MODE"},      {2, "HW_REG_STATUS"},    {3, "HW_REG_TRAPSTS"}, {4, "HW_REG_HW_ID"},
    {5, "HW_REG_GPR_ALLOC"}, {6, "HW_REG_LDS_ALLOC"}, {7, "HW_REG_IB_STS"},  {15, "HW_REG_SH_MEM_BASES"},
    {16, "HW_REG_TBA_LO"},   {17, "HW_REG_TBA_HI"},   {18, "HW_REG_TMA_LO"}, {19, "HW_REG_TMA_HI"},
};

constexpr Name kHwregsCdna3[] = {
    {1, "HW_REG_MODE"},
    {2, "HW_REG_STATUS"},
    {3, "HW_REG_TRAPSTS"},
    {4, "HW_REG_HW_ID"},
    {5, "HW_REG_GPR_ALLOC"},
    {6, "HW_REG_LDS_ALLOC"},
    {7, "HW_REG_IB_STS"},
    {15, "HW_REG_SH_MEM_BASES"},
    {16, "HW_REG_TBA_LO"},
    {17, "HW_REG_TBA_HI"},
    {18, "HW_REG_TMA_LO"},
    {19, "HW_REG_TMA_HI"},
    {20, "HW_REG_XCC_ID"},
    {21, "HW_REG_SQ_PERF_SNAPSHOT_DATA"},
    {22, "HW_REG_SQ_PERF_SNAPSHOT_DATA1"},
    {23, "HW_REG_SQ_PERF_SNAPSHOT_PC_LO"},
    {24, "HW_REG_SQ_PERF_SNAPSHOT_PC_HI"},
};

constexpr Name kHwregsRdna1[] = {
    {1, "HW_REG_MODE"},          {2, "HW_REG_STATUS"},       {3, "HW_REG_TRAPSTS"},
    {5, "HW_REG_GPR_ALLOC"},     {6, "HW_REG_LDS_ALLOC"},    {7, "HW_REG_IB_STS"},
    {15, "HW_REG_SH_MEM_BASES"}, {16, "HW_REG_TBA_LO"},      {17, "HW_REG_TBA_HI"},
    {18, "HW_REG_TMA_LO"},       {19, "HW_REG_TMA_HI"},      {20, "HW_REG_FLAT_SCR_LO"},
    {21, "HW_REG_FLAT_SCR_HI"},  {22, "HW_REG_XNACK_MASK"},  {23, "HW_REG_HW_ID1"},
    {24, "HW_REG_HW_ID2"},       {25, "HW_REG_POPS_PACKER"},
};

constexpr Name kHwregsRdna2[] = {
    {1, "HW_REG_MODE"},          {2, "HW_REG_STATUS"},         {3, "HW_REG_TRAPSTS"},
    {5, "HW_REG_GPR_ALLOC"},     {6, "HW_REG_LDS_ALLOC"},      {7, "HW_REG_IB_STS"},
    {15, "HW_REG_SH_MEM_BASES"}, {16, "HW_REG_TBA_LO"},        {17, "HW_REG_TBA_HI"},
    {18, "HW_REG_TMA_LO"},       {19, "HW_REG_TMA_HI"},        {20, "HW_REG_FLAT_SCR_LO"},
    {21, "HW_REG_FLAT_SCR_HI"},  {23, "HW_REG_HW_ID1"},        {24, "HW_REG_HW_ID2"},
    {25, "HW_REG_POPS_PACKER"},  {29, "HW_REG_SHADER_CYCLES"},
};

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

constexpr Name kHwregsRdna4[] = {
    {1, "HW_REG_WAVE_MODE"},
    {2, "HW_REG_WAVE_STATUS"},
    {4, "HW_REG_WAVE_STATE_PRIV"},
    {5, "HW_REG_WAVE_GPR_ALLOC"},
    {6, "HW_REG_WAVE_LDS_ALLOC"},
    {7, "HW_REG_IB_STS"},
    {10, "HW_REG_PERF_SNAPSHOT_DATA"},
    {11, "HW_REG_PERF_SNAPSHOT_PC_LO"},
    {12, "HW_REG_PERF_SNAPSHOT_PC_HI"},
    {15, "HW_REG_PERF_SNAPSHOT_DATA1"},
    {16, "HW_REG_PERF_SNAPSHOT_DATA2"},
    {17, "HW_REG_WAVE_EXCP_FLAG_PRIV"},
    {18, "HW_REG_WAVE_EXCP_FLAG_USER"},
    {19, "HW_REG_WAVE_TRAP_CTRL"},
    {20, "HW_REG_WAVE_SCRATCH_BASE_LO"},
    {21, "HW_REG_WAVE_SCRATCH_BASE_HI"},
    {23, "HW_REG_WAVE_HW_ID1"},
    {24, "HW_REG_WAVE_HW_ID2"},
    {26, "HW_REG_WAVE_SCHED_MODE"},
    {29, "HW_REG_SHADER_CYCLES_LO"},
    {30, "HW_REG_SHADER_CYCLES_HI"},
    {31, "HW_REG_WAVE_DVGPR_ALLOC_LO"},
    {32, "HW_REG_WAVE_DVGPR_ALLOC_HI"},
};

constexpr Name kHwregsGfx1250[] = {
    {1, "HW_REG_WAVE_MODE"},
    {2, "HW_REG_WAVE_STATUS"},
    {4, "HW_REG_WAVE_STATE_PRIV"},
    {5, "HW_REG_WAVE_GPR_ALLOC"},
    {6, "HW_REG_WAVE_LDS_ALLOC"},
    {7, "HW_REG_IB_STS"},
    {10, "HW_REG_PERF_SNAPSHOT_DATA"},
    {11, "HW_REG_PERF_SNAPSHOT_PC_LO"},
    {12, "HW_REG_PERF_SNAPSHOT_PC_HI"},
    {15, "HW_REG_PERF_SNAPSHOT_DATA1"},
    {16, "HW_REG_PERF_SNAPSHOT_DATA2"},
    {17, "HW_REG_WAVE_EXCP_FLAG_PRIV"},
    {18, "HW_REG_WAVE_EXCP_FLAG_USER"},
    {19, "HW_REG_WAVE_TRAP_CTRL"},
    {20, "HW_REG_WAVE_SCRATCH_BASE_LO"},
    {21, "HW_REG_WAVE_SCRATCH_BASE_HI"},
    {23, "HW_REG_WAVE_HW_ID1"},
    {24, "HW_REG_WAVE_HW_ID2"},
    {26, "HW_REG_WAVE_SCHED_MODE"},
    {28, "HW_REG_IB_STS2"},
    {29, "HW_REG_SHADER_CYCLES_LO"},
    {30, "HW_REG_SHADER_CYCLES_HI"},
    {31, "HW_REG_WAVE_DVGPR_ALLOC_LO"},
    {32, "HW_REG_WAVE_DVGPR_ALLOC_HI"},
    {33, "HW_REG_XNACK_STATE_PRIV"},
    {34, "HW_REG_XNACK_MASK"},
};

constexpr Name kMessagesGfx9[] = {
    {1, "MSG_INTERRUPT"},       {2, "MSG_GS"},
    {3, "MSG_GS_DONE"},         {4, "MSG_SAVEWAVE"},
    {5, "MSG_STALL_WAVE_GEN"},  {6, "MSG_HALT_WAVES"},
    {7, "MSG_ORDERED_PS_DONE"}, {8, "MSG_EARLY_PRIM_DEALLOC"},
    {9, "MSG_GS_ALLOC_REQ"},    {10, "MSG_GET_DOORBELL"},
    {15, "MSG_SYSMSG"},
};

constexpr Name kMessagesGfx10[] = {
    {1, "MSG_INTERRUPT"},       {2, "MSG_GS"},
    {3, "MSG_GS_DONE"},         {4, "MSG_SAVEWAVE"},
    {5, "MSG_STALL_WAVE_GEN"},  {6, "MSG_HALT_WAVES"},
    {7, "MSG_ORDERED_PS_DONE"}, {8, "MSG_EARLY_PRIM_DEALLOC"},
    {9, "MSG_GS_ALLOC_REQ"},    {10, "MSG_GET_DOORBELL"},
    {11, "MSG_GET_DDID"},       {15, "MSG_SYSMSG"},
};

constexpr Name kMessagesGfx11[] = {
    {1, "MSG_INTERRUPT"},      {2, "MSG_HS_TESSFACTOR"}, {3, "MSG_DEALLOC_VGPRS"},
    {5, "MSG_STALL_WAVE_GEN"}, {6, "MSG_HALT_WAVES"},    {9, "MSG_GS_ALLOC_REQ"},
};

constexpr Name kMessagesGfx12[] = {
    {1, "MSG_INTERRUPT"},    {2, "MSG_HS_TESSFACTOR"},     {3, "MSG_DEALLOC_VGPRS"},
    {9, "MSG_GS_ALLOC_REQ"}, {10, "MSG_SAVEWAVE_HAS_TDM"},
};

constexpr Name kMessagesRtn[] = {
    {128, "MSG_RTN_GET_DOORBELL"},
    {129, "MSG_RTN_GET_DDID"},
    {130, "MSG_RTN_GET_TMA"},
    {131, "MSG_RTN_GET_REALTIME"},
    {132, "MSG_RTN_SAVE_WAVE"},
    {133, "MSG_RTN_GET_TBA"},
    {134, "MSG_RTN_GET_TBA_TO_PC"},
    {135, "MSG_RTN_GET_SE_AID_ID"},
    {136, "MSG_RTN_GET_CLUSTER_BARRIER_STATE"},
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

// Before gfx11, without the 32 parameters.
constexpr Name kExportTargets[] = {
    {0, "mrt0"},  {1, "mrt1"},  {2, "mrt2"},  {3, "mrt3"},  {4, "mrt4"},  {5, "mrt5"},
    {6, "mrt6"},  {7, "mrt7"},  {8, "mrtz"},  {9, "null"},  {12, "pos0"}, {13, "pos1"},
    {14, "pos2"}, {15, "pos3"}, {16, "pos4"}, {20, "prim"},
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

std::span<const Name> hwregs(Generation generation) {
  switch (generation) {
    case Generation::gfx9:
    case Generation::cdna1:
    case Generation::cdna2: return kHwregsGfx9;
    case Generation::cdna3:
    case Generation::cdna4: return kHwregsCdna3;
    case Generation::rdna1: return kHwregsRdna1;
    case Generation::rdna2: return kHwregsRdna2;
    case Generation::rdna4: return kHwregsRdna4;
    case Generation::gfx1250: return kHwregsGfx1250;
    default: return kHwregsGfx11;
  }
}

}  // namespace

std::string_view hwreg_name(Generation generation, unsigned id) { return find(hwregs(generation), id); }

std::string_view message_name(Generation generation, unsigned id, bool returns) {
  if (returns) {
    // The last two came with gfx12 and gfx1250.
    const unsigned last = is_gfx11(generation) ? 134 : generation == Generation::rdna4 ? 135 : 136;
    return id <= last ? find(kMessagesRtn, id) : std::string_view{};
  }
  if (is_gfx9(generation)) return find(kMessagesGfx9, id);
  if (is_gfx10(generation)) return find(kMessagesGfx10, id);
  if (is_gfx11(generation)) return find(kMessagesGfx11, id);
  constexpr unsigned kSaveWaveHasTdm = 10;
  if (generation == Generation::rdna4 && id == kSaveWaveHasTdm) return {};
  return find(kMessagesGfx12, id);
}

std::string_view gs_operation_name(unsigned id) { return at(kGsOperations, id); }

std::string_view system_operation_name(unsigned id) { return find(kSystemOperations, id); }

std::string_view image_dim_name(Generation, unsigned id) { return at(kImageDims, id); }

std::string_view export_target_name(Generation generation, unsigned id) {
  if (!is_gfx9(generation) && !is_gfx10(generation)) return find(kExportTargetsGfx11, id);
  constexpr unsigned kFirstParameter = 32, kPos4 = 16, kPrim = 20;
  if (id >= kFirstParameter) return at(kParameters, id - kFirstParameter);
  if (is_gfx9(generation) && (id == kPos4 || id == kPrim)) return {};
  return find(kExportTargets, id);
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

}  // namespace mockgpu::isa::amd
