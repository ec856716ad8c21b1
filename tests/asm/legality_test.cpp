// Instructions that an encoding has room for and hardware does not execute: each is refused at the operand or
// modifier that breaks the rule. llvm-mc refuses every one of them too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/amd/asm/parsed.h"

namespace mockgpu::tests::legality_tests {

using ::testing::HasSubstr;

struct Case {
  const char* target;
  const char* text;
  std::size_t column;  // from 0; where the blame lies
  const char* message;
  bool wave64 = false;
};

void expect_refused(const Case& test) {
  try {
    const isa::amd::NoSymbols symbols;
    parse_instruction(*isa::amd::find_target(test.target), test.wave64, test.text, symbols);
    ADD_FAILURE() << test.text << " is accepted";
  } catch (const isa::amd::Mismatch& mismatch) {
    EXPECT_THAT(mismatch.message, HasSubstr(test.message)) << test.text;
    EXPECT_EQ(mismatch.column, test.column) << test.text << ": " << mismatch.message;
  }
}

void expect_accepted(const char* target, const char* text) {
  try {
    const isa::amd::NoSymbols symbols;
    parse_instruction(*isa::amd::find_target(target), false, text, symbols);
  } catch (const isa::amd::Mismatch& mismatch) {
    ADD_FAILURE() << text << ": " << mismatch.message;
  }
}

TEST(Legality, DualInstructions) {
  const Case cases[] = {
      {"gfx1100", "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v4", 40, "v0 and v2 are both even"},
      {"gfx1100", "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v5", 44,
       "first sources of both halves, v1 and v5"},
      {"gfx1100", "v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v6", 52,
       "second sources of both halves, v2 and v6, are in the same bank"},
      {"gfx1100", "v_dual_fmamk_f32 v0, v1, 0x1234, v2 :: v_dual_fmamk_f32 v3, v4, 0x1234, v4", 72,
       "third sources of both halves, v2 and v4"},
      {"gfx1100", "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v4", 15, "wave32 only", true},
      {"gfx1100", "v_dual_mov_b32 v0, v1 :: v_dual_lshrrev_b32 v3, v4, v5", 0, "no second half"},
      {"gfx1250", "v_dual_fmac_f32 v191, 3, v0 :: v_dual_bitop2_b32 v191, v18, v3", 49,
       "both halves write the same register"},
  };
  for (const Case& test : cases) expect_refused(test);
  expect_accepted("gfx1100", "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v4");
  expect_accepted("gfx1100", "v_dual_add_f32 v0, s1, v2 :: v_dual_mul_f32 v3, 0x1234, v3");
  // Moves have ports of their own on gfx12.
  expect_accepted("gfx1200", "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v5");
  // VOPD3 writes any two registers.
  expect_accepted("gfx1250", "v_dual_mov_b32 v255, s1 :: v_dual_mov_b32 v7, s105");
}

TEST(Legality, ScalarReads) {
  const Case cases[] = {
      {"gfx900", "v_add_f32_e64 v0, s1, s2", 22, "can read 1 scalar value, and this is one more"},
      {"gfx900", "v_cndmask_b32_e32 v0, s0, v1, vcc", 22, "can read 1 scalar value"},
      {"gfx900", "v_madmk_f32 v0, s1, 0x1234, v2", 20, "can read 1 scalar value"},
      {"gfx1030", "v_fma_f32 v0, s1, s2, s3", 22, "can read 2 scalar values, and this is one more"},
      {"gfx1030", "v_lshlrev_b64 v[0:1], s1, s[2:3]", 26, "can read 1 scalar value"},
      {"gfx908", "v_writelane_b32 v1, m0, s2", 24, "can read 1 scalar value"},
  };
  for (const Case& test : cases) expect_refused(test);
  expect_accepted("gfx900", "v_add_f32_e64 v0, s1, s1");
  expect_accepted("gfx1030", "v_fma_f32 v0, s1, 0x1234, s1");
  // As clang-19 writes a lane that a scalar selects.
  expect_accepted("gfx908", "v_writelane_b32 v1, s2, m0");
  expect_accepted("gfx900", "v_writelane_b32 v1, s2, s2");
}

TEST(Legality, ReservedOperands) {
  const Case cases[] = {
      {"gfx900", "s_mov_b32 s0, null", 14, "gfx900 has no null"},
      {"gfx1100", "s_mov_b32 s0, src_execz", 14, "gfx1100 has no src_execz"},
      {"gfx1100", "s_mov_b32 s0, src_pops_exiting_wave_id", 14, "gfx1100 has no src_pops_exiting_wave_id"},
      {"gfx1200", "s_mov_b32 s0, src_flat_scratch_base_lo", 14, "gfx1200 has no src_flat_scratch_base_lo"},
      {"gfx90a", "v_add_f32 v0, src_lds_direct, v1", 14, "gfx90a has no src_lds_direct"},
      {"gfx900", "v_add_f32_e64 v0, v1, src_lds_direct", 22, "can only be the first source"},
      {"gfx900", "s_add_u32 s0, src_lds_direct, s1", 14, "only VALU operations"},
      {"gfx90a", "v_add_f64 v[0:1], v[3:4], v[2:3]", 18, "start at an even one on gfx90a"},
      {"gfx1100", "s_waitcnt_vscnt s4, 0x1", 16, "only null can stand here"},
      {"gfx1200", "s_barrier_join s4", 15, "a constant or in m0"},
      {"gfx1200", "s_get_barrier_state s0, s5", 24, "a constant or in m0"},
      {"gfx1250", "s_wakeup_barrier s5", 17, "a constant or in m0"},
      {"gfx1200", "image_load v0, v1, scc dmask:0x1 dim:SQ_RSRC_IMG_1D", 19, "no resource"},
      {"gfx1200", "image_sample v0, [v0, v1], s[0:7], src_shared_base dmask:0x1 dim:SQ_RSRC_IMG_2D", 35,
       "no resource"},
      {"gfx1250", "v_wmma_ld_scale_paired_b32 v68, v71 matrix_a_scale_fmt:3", 36, "reserved"},
      {"gfx1100", "v_mov_b32 v0, lds_direct", 14, "gfx1100 has no lds_direct"},
      {"gfx1100", "s_cmpk_eq_u32 s25, -1", 19, "out of range"},
      {"gfx1030", "s_version UC_VERSION_GFX99", 10, "no version is called UC_VERSION_GFX99"},
      {"gfx1100", "s_buffer_load_b32 s1, null, 0x0", 22, "null is no resource"},
      {"gfx900", "s_load_dwordx2 exec, s[0:1], 0x0", 15, "exec cannot stand here"},
      {"gfx900", "v_interp_p1_f32 v0, v1, attr33.x", 24, "expected an attribute"},
      {"gfx908", "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, 0", 36, "no inline constants as a sum"},
      {"gfx90a", "v_mfma_f32_16x16x1f32 v[0:15], v20, v21, v[2:17]", 41, "overlaps the result in part"},
      {"gfx1100", "global_load_b32 a0, v[0:1], off", 16, "gfx1100 has no accumulation VGPRs"},
      {"gfx908", "global_load_dword a0, v[0:1], off", 18, "loads and stores no accumulation VGPRs"},
  };
  for (const Case& test : cases) expect_refused(test);
}

TEST(Legality, CachePolicies) {
  const Case cases[] = {
      {"gfx1200", "global_load_b32 v0, v[0:1], off th:TH_STORE_NT", 35, "no hint for this kind of access"},
      {"gfx1200", "global_store_b32 v[0:1], v2, off th:TH_LOAD_NT", 36, "no hint for this kind of access"},
      {"gfx1200", "global_store_b32 v[0:1], v2, off th:TH_ATOMIC_NT", 36, "no hint for this kind of access"},
      {"gfx1200", "global_load_b32 v0, v[0:1], off th:TH_LOAD_WB", 35, "unknown temporal hint"},
      {"gfx1200", "global_load_b32 v0, v[0:1], off th:3", 35, "unknown temporal hint"},
      {"gfx1200", "global_load_b32 v0, v[0:1], off th:TH_LOAD_BYPASS", 32, "scope of the system only"},
      {"gfx1200", "global_load_b32 v0, v[0:1], off th:TH_LOAD_LU scope:SCOPE_SYS", 32,
       "passes by the caches"},
      {"gfx942", "buffer_load_dword v0, off, s[0:3], 0 glc", 37, "unknown modifier glc"},
      {"gfx942", "buffer_load_dword v0, off, s[0:3], 0 noglc", 37, "unknown modifier noglc"},
      {"gfx942", "s_load_dword s0, s[0:1], 0x0 sc0", 29, "unknown modifier sc0"},
      {"gfx942", "flat_load_dword v0, v[0:1] scc", 27, "unknown modifier scc"},
      {"gfx90a", "buffer_wbl2 glc", 12, "no cache policy"},
      {"gfx900", "flat_load_dword v0, v[0:1] lds", 27, "loads to registers"},
      {"gfx90a", "flat_atomic_add_f64 v[0:1], v[2:3] glc", 35, "no register for it"},
      {"gfx90a", "ds_add_u32 v0, v1 gds", 18, "gfx90a has no GDS"},
      {"gfx900", "buffer_load_dword v0, off, s[0:3], 0 glc noglc", 41, "glc stands here twice"},
  };
  for (const Case& test : cases) expect_refused(test);
  expect_accepted("gfx1200", "global_load_b32 v0, v[0:1], off th:TH_STORE_RT");
  expect_accepted("gfx90a", "ds_gws_init v0 gds");
}

// A modifier that the instruction does not have, be its value the usual one.
TEST(Legality, IdleModifiers) {
  const Case cases[] = {
      {"gfx1100", "s_mov_b32 s0, s1 offset:0", 17, "does not take this offset"},
      {"gfx90a", "v_add_f32_e64 v0, v1, v2 op_sel:[0,0,0]", 25, "does not take this op_sel"},
      {"gfx90a", "v_add_u32_e64 v0, v1, v2 mul:1", 25, "does not take this mul"},
      {"gfx90a", "ds_read_b32 v0, v1 offset0:0", 19, "does not take this offset0"},
      {"gfx900", "image_load v0, v1, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D", 36, "does not take this dim"},
      {"gfx942", "v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3] fi:1", 43, "gfx942 has no fi"},
      {"gfx90a", "v_mfma_f64_4x4x4f64 a[0:1], v[0:1], v[2:3], a[0:1] neg:[1,0,0]", 51,
       "unknown modifier neg"},
      {"gfx942", "v_mfma_f32_16x16x4_f32 v[0:3], v0, v1, v[0:3] neg:[1,0,0]", 46, "unknown modifier neg"},
      {"gfx942", "v_mfma_f64_4x4x4_4b_f64 v[0:1], v[0:1], v[2:3], v[0:1] blgp:1", 55,
       "have neg in its place"},
      {"gfx1200", "buffer_load_b32 v0, off, s[0:3], null format:3", 38, "unknown modifier format"},
      {"gfx1200", "v_add_nc_u32_e64 v0, v1, v2 index_key:1", 28, "unknown modifier index_key"},
      {"gfx90a", "v_fma_f16 v0, v1, v2, v3 byte_sel:1", 25, "unknown modifier byte_sel"},
      {"gfx1100", "v_mov_b32_dpp v0, v1 dpp8:[0,1,2,3,4,5,6,7] row_mask:0x1", 44,
       "dpp8 goes without row_mask"},
      {"gfx1200", "buffer_load_b32 v0, off, src_scc, null", 25, "no resource"},
      {"gfx1200", "lds_direct_load v1 wait_vdst:15", 19, "unknown modifier wait_vdst"},
      {"gfx900", "s_add_u32 s0, s1, s2 matrix_a_fmt:MATRIX_FMT_BF6", 21, "unknown modifier matrix_a_fmt"},
      {"gfx1100", "v_add_f32 v0, v1, v2 matrix_b_scale:0", 21, "unknown modifier matrix_b_scale"},
      {"gfx900", "v_cmp_eq_f16_sdwa s[0:1], v7, v6 src0_sel:BYTE_3 src1_sel:WORD_1 dst_sel:WORD_1", 65,
       "unknown modifier dst_sel"},
      {"gfx1200", "v_cvt_sr_fp8_f32 v2, v64, v96 op_sel:[0,1,0,0]", 30, "unknown modifier op_sel"},
      {"gfx900", "buffer_atomic_add v0, off, s[0:3], 0 lds", 37, "does not work on LDS"},
      {"gfx900", "v_pk_add_f16 v0, -v1, v2", 17, "have their signs in modifiers"},
  };
  for (const Case& test : cases) expect_refused(test);
}

TEST(Legality, HalvesOfRegisters) {
  const Case cases[] = {
      {"gfx1100", "v_mov_b16 v0, v1", 10, "one half of the register is meant"},
      {"gfx1200", "v_mov_b16 v0.l, v1", 16, "one half of the register is meant"},
      {"gfx1250", "v_swap_b16 v0, v1", 11, "one half of the register is meant"},
      {"gfx1100", "v_add_f16 v0.l, v1, v2.l", 16, "one half of the register is meant"},
      {"gfx1100", "v_add_f16 v0, v1.l, v2.l", 14, "do not say which half they mean"},
      {"gfx1100", "v_fma_f16 v0.l, v1.l, v2.l, v3.l op_sel:[1,0,0,0]", 33, "op_sel means another half"},
  };
  for (const Case& test : cases) expect_refused(test);
  expect_accepted("gfx1100", "v_add_f16 v0, v1, v2");
  expect_accepted("gfx1100", "v_fma_f16 v0.l, v1.h, v2.l, v3.l op_sel:[1,0,0,0]");
}

TEST(Legality, LaneControlsAndSubwords) {
  const Case cases[] = {
      {"gfx1100", "v_add_f32_e64_dpp v0, v1, s2 row_shl:1", 26,
       "the second source of a DPP instruction is a VGPR"},
      {"gfx90a", "v_fmac_f64_dpp v[0:1], v[2:3], v[4:5] row_shl:1", 15, "share a lane of a row"},
      {"gfx900",
       "v_add_u32_sdwa v0, v1, v2 mul:2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
       26, "only floating-point results"},
      {"gfx900", "v_mov_b32_dpp v0, v1 row_share:1", 30, "gfx900 has no row_share"},
      {"gfx900", "v_mov_b32_dpp v0, v1 dpp8:[0,1,2,3,4,5,6,7]", 25, "gfx900 has no dpp8"},
      {"gfx1100", "v_mov_b32_dpp v0, v1 row_bcast:15", 21, "unknown modifier row_bcast"},
      {"gfx1100", "v_cmp_lt_f16_e64 s0, v1, v2 op_sel:[0,0,1]", 28, "no half to write"},
  };
  for (const Case& test : cases) expect_refused(test);
  expect_accepted("gfx1150", "v_add_f32_e64_dpp v0, v1, s2 row_shl:1");
  expect_accepted(
      "gfx900",
      "v_min_f32_sdwa v0, 0, s2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1");
}

TEST(Legality, Literals) {
  const Case cases[] = {
      {"gfx1250", "s_add_u64 s[0:1], 0x100000000, 0x200000000", 31, "one literal at most"},
      {"gfx1250", "s_add_u64 s[0:1], 0x100000000, 0x50", 31, "one literal at most"},
      {"gfx900", "v_add_f64 v[0:1], v[2:3], 0x3ff12345", 26, "only an inline constant"},
      {"gfx900", "v_add_f32_e64 v0, v1, 0x12345", 22, "only an inline constant"},
      {"gfx1030", "v_add_f64 v[0:1], v[2:3], 0x3ff1234500000001", 26, "does not fit in a literal"},
      {"gfx1100", "s_mov_b32 s0, 0xffffffff00000000", 14, "does not fit in a literal"},
      {"gfx1100", "v_add_f16 v5, 0xffffffffffff0000, v2", 14, "does not fit in a literal"},
      {"gfx1100", "v_add_f16 v5, -0x8001, v2", 14, "does not fit in a literal"},
      {"gfx1100", "v_add_f32 v5, 1e39, v2", 14, "1e+39 is too large for a float of 32 bits"},
      {"gfx1100", "v_add_f32 v5, 1e-45, v2", 14, "1e-45 is too small for a float of 32 bits"},
      {"gfx1100", "v_add_f16 v5, 65520.0, v2", 14, "65520 is too large for a float of 16 bits"},
      {"gfx1100", "v_add_f16 v5, 2.0e-8, v2", 14, "2e-08 is too small for a float of 16 bits"},
      {"gfx1100", "v_fma_mix_f32 v5, v1, 1e10, v3 op_sel_hi:[0,1,0]", 31, "does not fit in 16 bits"},
      {"gfx1100", "v_fma_mix_f32 v5, 1.1, 1.1, v3 op_sel_hi:[0,1,0]", 31, "another literal"},
  };
  for (const Case& test : cases) expect_refused(test);
}

TEST(Legality, Memory) {
  const Case cases[] = {
      {"gfx900", "s_buffer_load_dword s0, s[4:7], -0x4", 32, "out of range of a buffer"},
      {"gfx900", "s_load_dword s0, s[4:5], 0x100000000", 25, "the offset 4294967296 is out of range"},
      {"gfx1200", "global_load_b32 v0, v[2:3], off nv", 32, "gfx1200 has no nv"},
      {"gfx1200", "global_atomic_add_u32 v[2:3], v0, off th:TH_ATOMIC_CASCADE_RT", 38, "need a scope beyond"},
      {"gfx1250", "global_load_b32 v0, v[2:3], off scale_offset", 32, "scale_offset needs a register"},
      {"gfx1250", "global_load_addtid_b32 v51, s[30:31] scale_offset", 37, "scale_offset needs a register"},
      {"gfx1250", "tensor_store_from_lds s[0:3], s[0:7], s[0:3], s[0:3] th:TH_LOAD_NT", 56,
       "no hint for this kind"},
      {"gfx90a", "image_load v231, v80, s[52:59] dmask:0x3", 11, "1 register where the instruction has 2"},
      {"gfx1030",
       "tbuffer_load_format_x v0, off, s[0:3], s3 format:[BUF_DATA_FORMAT_INVALID,BUF_NUM_FORMAT_UINT]", 50,
       "gfx1030 has no format BUF_FMT_INVALID_UINT"},
      {"gfx1100", "buffer_store_b32 v[0:1], off, s[4:7], 0 tfe", 40, "only untyped loads"},
      {"gfx900", "tbuffer_load_format_x v0, off, s[0:3], dfmt:4, dfmt:7, s3", 47, "dfmt stands here twice"},
      {"gfx900", "tbuffer_load_format_x v0, off, s[0:3], dfmt:16, s3", 44, "16"},
      {"gfx900", "tbuffer_load_format_x v0, off, s[0:3], dfmt:4, s3 format:3", 50,
       "format stands here twice"},
      {"gfx1030", "tbuffer_load_format_x v0, off, s[0:3], dfmt:4, s3", 39, "only an inline constant"},
      {"gfx900", "ds_gws_sema_v offset:4", 14, "works on GDS only"},
      {"gfx900", "ds_permute_b32 v0, v1, v2 gds", 26, "has no GDS"},
      {"gfx1030", "exp mrt0 v1, off, v2, off compr", 9, "in pairs"},
      {"gfx1100", "exp mrt44 v0, v0, v0, v0", 4, "unknown export target"},
      {"gfx1100", "image_atomic_add v[0:1], v1, s[0:7] dmask:0x5 dim:SQ_RSRC_IMG_1D", 36,
       "no size of an atomic"},
      {"gfx1100", "image_load v0, v[0:1], s[0:7] dmask:0x1", 39, "dimensions of the image are missing"},
      {"gfx1030", "image_msaa_load v[0:3], v[0:2], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA", 16,
       "4 registers where the instruction has 1"},
      {"gfx900", "image_load v0, v[0:4], s[0:7] dmask:0x1", 15, "5 registers"},
      {"gfx1100", "image_msaa_load v[0:3], v[4:5], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D", 49,
       "reads multisampled images"},
      {"gfx1100", "image_gather4 v[0:3], v[4:5], s[0:7], s[8:11] dmask:0x3 dim:SQ_RSRC_IMG_2D", 46,
       "dmask has one bit"},
      {"gfx1010", "scratch_load_dword v0, off, off", 28, "no scratch without an address"},
      {"gfx1030",
       "image_gather4_b_cl_o v[4:7], v[32:38], s[96:103], s[0:3] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA_ARRAY", 67,
       "without a sampler"},
  };
  for (const Case& test : cases) expect_refused(test);
}

}  // namespace mockgpu::tests::legality_tests
