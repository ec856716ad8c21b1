// Other spellings of the same instruction that people's kernels have, with the bytes that llvm-mc-19 gives
// them (llvm-mc-22 where it does not know the target or the spelling).
#include <gtest/gtest.h>

#include "isa/amd/asm/parsed.h"
#include "tests/asm/rows.h"

namespace mockgpu::tests::spelling_tests {

struct Case {
  const char* target;
  const char* text;
  const char* hex;
};

void expect_bytes(const Case& test) {
  try {
    const isa::amd::NoSymbols symbols;
    const auto parsed = parse_instruction(*isa::amd::find_target(test.target), false, test.text, symbols);
    EXPECT_EQ(asm_rows::to_hex(parsed.bytes), test.hex) << test.target << ": " << test.text;
  } catch (const isa::amd::Mismatch& mismatch) {
    ADD_FAILURE() << test.target << ": " << test.text << ": " << mismatch.message;
  }
}

TEST(Spelling, MatrixOperations) {
  const Case cases[] = {
      {"gfx942", "v_mfma_f32_32x32x8f16 v[0:15], v[0:1], v[2:3], v[0:15]", "0000ccd300050204"},
      {"gfx942", "v_mfma_f32_16x16x16bf16_1k v[0:3], v[0:1], v[2:3], v[0:3]", "0000e1d300050204"},
      {"gfx942", "v_mfma_f32_32x32x8bf16 v[0:15], v[0:1], v[2:3], v[0:15]", "0000e0d300050204"},
      {"gfx942", "v_mfma_f32_32x32x1f32 v[0:31], v0, v1, v[0:31]", "0000c0d300030204"},
      {"gfx942", "v_mfma_f64_4x4x4f64 v[0:1], v[0:1], v[2:3], v[0:1]", "0000efd300050204"},
      {"gfx942", "v_mfma_i32_32x32x16i8 v[0:15], v[0:1], v[2:3], v[0:15]", "0000d6d300050204"},
      {"gfx942", "v_mfma_f32_16x16x8xf32 v[0:3], v[0:1], v[2:3], v[0:3]", "0000bed300050204"},
      {"gfx942", "v_smfmac_f32_16x16x32f16 v[0:3], v[0:1], v[2:5], v0", "0000e2d300050204"},
      {"gfx942", "v_cvt_sr_fp8_f32 v1, v2, v3 op_sel:[0,0,1]", "0120a4d202070200"},
      {"gfx942", "v_cvt_sr_bf8_f32 v1, v2, v3 op_sel:[0,0,1,1]", "0160a5d202070200"},
      {"gfx950", "v_cvt_scalef32_pk_fp4_f16 v1, v2, v3 op_sel:[0,0,1]", "01204cd202070200"},
      {"gfx942", "v_cvt_pk_fp8_f32 v1, v2, v3 op_sel:[0,0,1]", "0140a2d202070200"},
      {"gfx908", "v_accvgpr_read v0, a1", "0040d8d301010018"},
      {"gfx90a", "v_accvgpr_write a0, v1", "0040d9d301010018"},
      {"gfx942", "v_accvgpr_write a0, 1", "0040d9d381000018"},
  };
  for (const Case& test : cases) expect_bytes(test);
}

TEST(Spelling, PackedFractions) {
  const Case cases[] = {
      {"gfx90a", "v_pk_fma_f32 v[0:1], v[2:3], v[4:5], 1.0", "0040b0d30209ca1b"},
      {"gfx90a", "v_pk_mul_f32 v[0:1], v[2:3], -1.0", "0040b1d302e70118"},
      {"gfx90a", "v_pk_mul_f32 v[0:1], v[2:3], 0.15915494", "0040b1d302f10118"},
      {"gfx942", "v_pk_mov_b32 v[0:1], 1.0, v[4:5]", "0040b3d3f2080218"},
  };
  for (const Case& test : cases) expect_bytes(test);
}

TEST(Spelling, ImpliedVcc) {
  const Case cases[] = {
      {"gfx900", "v_cmp_eq_u32 v0, v1", "0003947d"},
      {"gfx900", "v_cmp_eq_u32 s0, v1", "0002947d"},
      {"gfx900", "v_cmpx_eq_u32 v0, v1", "0003b47d"},
      {"gfx900", "v_cndmask_b32 v0, v1, v2", "01050000"},
      {"gfx900", "v_add_co_u32 v0, v1, v2", "01050032"},
      {"gfx1030", "v_add_co_ci_u32 v0, v1, v2", "01050050"},
      {"gfx1030", "v_cndmask_b32_sdwa v0, v1, v2 dst_sel:DWORD", "f904000201160606"},
      {"gfx1100", "v_cndmask_b32 v0, v1, v2 row_shl:1", "fa040002010101ff"},
      {"gfx1030", "v_cndmask_b32 v1, 0, 1", "f902030280168686"},
      {"gfx1030", "v_add_co_ci_u32 v0, 1, 2", "f904015081168686"},
      {"gfx1100", "v_cmp_eq_u32_dpp v0, v1 row_shl:1", "fa02947c000101ff"},
  };
  for (const Case& test : cases) expect_bytes(test);
}

TEST(Spelling, ImageAddresses) {
  const Case cases[] = {
      {"gfx900", "image_sample v[0:3], v[0:1], s[0:7], s[8:11] dmask:0xf", "000f80f000004000"},
      {"gfx900", "image_sample_d v[0:3], v[0:8], s[0:7], s[8:11] dmask:0xf", "000f88f000004000"},
      {"gfx90a", "image_load v[0:3], v[0:1], s[0:7] dmask:0xf unorm da", "005f00f000000000"},
      {"gfx1030", "image_sample_d v[0:3], v[0:7], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D",
       "080f88f000004000"},
      {"gfx1030", "image_msaa_load v[0:3], v[0:2], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D_MSAA",
       "310f00f000000000"},
  };
  for (const Case& test : cases) expect_bytes(test);
}

TEST(Spelling, ModifiersAndImmediates) {
  const Case cases[] = {
      {"gfx900", "buffer_load_dword v0, off, s[0:3], 0 glc noslc", "004050e000000080"},
      {"gfx942", "buffer_load_dword v0, off, s[0:3], 0 nosc0", "000050e000000080"},
      {"gfx900", "ds_read_b32 v0, v1 nogds", "00006cd801000000"},
      {"gfx900", "v_add_f32_e64 v0, v1, v2 noclamp", "000001d101050200"},
      {"gfx90a", "v_add_f32 v0, v1, v2 noclamp", "000001d101050200"},  // only the long encoding has it
      {"gfx1200", "global_store_b32 v[0:1], v2, off th:TH_STORE_BYPASS scope:SCOPE_SYS",
       "7c8006ee00003c0100000000"},
      {"gfx1200", "global_atomic_add_u32 v0, v[0:1], v2, off th:TH_ATOMIC_RT_RETURN",
       "7c400dee0000100100000000"},
      {"gfx1200", "global_load_b32 v0, v[0:1], off th:TH_DEFAULT", "7c0005ee0000000000000000"},
      {"gfx942", "s_getreg_b32 s0, {id: 1, offset: 0, size: 32}", "01f880b8"},
      {"gfx942", "s_getreg_b32 s0, {size: 4, id: 1}", "011880b8"},
      {"gfx942", "s_setreg_b32 {id: 1, offset: 0, size: 32}, s0", "01f800b9"},
      {"gfx1200", "s_getreg_b32 s0, hwreg(HW_REG_MODE)", "01f880b8"},
      {"gfx1030", "s_getreg_b32 s0, hwreg(HW_REG_HW_ID)", "17f800b9"},
      {"gfx1200", "s_version UC_VERSION_GFX12 | UC_VERSION_W32_BIT", "094080b0"},
      {"gfx1030", "s_version (UC_VERSION_GFX12|UC_VERSION_W64_BIT)|UC_VERSION_W32_BIT", "096080b0"},
      {"gfx1030", "s_version 1|UC_VERSION_W32_BIT", "014080b0"},
      {"gfx900", "v_bfrev_b32 v1, src_lds_direct", "fe58027e"},
      {"gfx900", "s_load_dword s0, s[2:3]", "010002c000000000"},
      {"gfx900", "s_load_dword s0, s[2:3] glc", "010003c000000000"},
      {"gfx1100", "s_load_b32 s0, s[2:3] glc", "014000f4000000f8"},
      {"gfx900", "v_pk_mad_u16 v6, v1, v2, v3 op_sel_hi:[1,1]", "060089d301050e1c"},
      {"gfx900", "v_pk_add_f16 v0, v1, v2 op_sel_hi:[0]", "00408fd301050200"},
      {"gfx1100", "v_wmma_f16_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7] op_sel_hi:[0,0]",
       "000042cc08210204"},
      {"gfx1250", "tensor_store_from_lds s[0:3], s[0:7], s[0:3], s[0:3] th:TH_STORE_NT",
       "014071d00000107c00000000"},
      {"gfx1250", "s_add_co_i32 s0, s1, lit64(5)", "01ff008105000000"},
      {"gfx1250", "v_add_f32_e64 v0, lit64(5), v1", "000003d5ff02020005000000"},
      {"gfx1100",
       "tbuffer_load_format_x v0, off, s[0:3], s3 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]",
       "0000b0e800000003"},
      {"gfx1100", "tbuffer_load_format_x v0, off, s[0:3], s3 format:[BUF_NUM_FORMAT_UINT]",
       "000028e800000003"},
      {"gfx900", "tbuffer_load_format_x v0, off, s[0:3], dfmt:4, nfmt:7, s3", "0000a0eb00000003"},
      {"gfx900", "tbuffer_load_format_x v0, off, s[0:3], nfmt:7, dfmt:4, s3 glc", "0040a0eb00000003"},
      {"gfx900", "tbuffer_load_format_x v0, off, s[0:3], dfmt:4, s3", "000020e800000003"},
      {"gfx900", "tbuffer_load_format_x v0, off, s[0:3], nfmt:2, s3", "000008e900000003"},
      {"gfx1030", "tbuffer_load_format_x v0, off, s[0:3], format:22, s3", "0000b0e800000003"},
      {"gfx1200", "s_min_f32 s0, s1, s2", "010200a1"},
      {"gfx1200", "v_mov_b32 v0, lit(1.0)", "ff02007e0000803f"},  // LLVM 22
  };
  for (const Case& test : cases) expect_bytes(test);
}

// 32 bits are the upper half of a double, and 64 are stored in 32 where these are the upper half.
TEST(Spelling, Doubles) {
  const Case cases[] = {
      {"gfx900", "v_add_f64 v[0:1], v[2:3], 0x3ff00000", "000080d202e50100"},
      {"gfx1030", "v_add_f64 v[0:1], v[2:3], 0x3ff00000", "000064d502e50100"},
      {"gfx1030", "v_add_f64 v[0:1], lit(0x3ff00000), v[2:3]", "000064d5ff0402000000f03f"},  // LLVM 22
      {"gfx1030", "v_add_f64 v[0:1], v[2:3], 0x3ff12345", "000064d502ff01004523f13f"},
      {"gfx1030", "v_add_f64 v[0:1], v[2:3], 5", "000064d5020b0100"},
      {"gfx1030", "v_add_f64 v[0:1], v[2:3], 1.1", "000064d502ff01009999f13f"},
      {"gfx1250", "v_add_f64 v[0:1], -0x40000000, v[2:3]", "f5040004"},
      {"gfx1250", "v_add_f64 v[0:1], v[2:3], 0x3ff1234500000000", "000002d502ff01004523f13f"},
      {"gfx1250", "v_add_f64 v[0:1], 0x3ff1234500000000, v[2:3]", "ff0400044523f13f"},
      {"gfx1250", "v_add_f64 v[0:1], 0x13ff00000, v[2:3]", "fe0400040000f03f01000000"},
      {"gfx1250", "v_add_f64 v[0:1], 1.1, v[2:3]", "fe0400049a9999999999f13f"},
      {"gfx1250", "v_fma_f64 v[0:1], 1.1, v[2:3], v[2:3]", "000014d6ff040a049999f13f"},
      {"gfx1250", "v_fmaak_f64 v[0:1], v[2:3], v[4:5], 1.1", "020900489a9999999999f13f"},
      {"gfx1250", "v_fmaak_f64 v[0:1], v[2:3], v[4:5], 2.0", "020900480000000000000040"},
      {"gfx1250", "v_fmaak_f64 v[0:1], v[2:3], v[4:5], -5", "0209004800000000fbffffff"},
      {"gfx1250", "v_fmaak_f64 v[0:1], v[2:3], v[4:5], 0x40000000", "020900480000000000000040"},
      {"gfx1250", "s_mov_b64 s[0:1], 0x3ff1234500000000", "fe0180be000000004523f13f"},
      {"gfx1250", "v_pk_add_f32 v[0:1], 1.1, v[2:3]", "004029ccff040218cdcc8c3f"},
      {"gfx1250", "v_pk_fma_f32 v[244:245], 0xffffffff, v[68:69], v[2:3]", "f4401fccc1880a1c"},
      {"gfx1250", "v_pk_fma_f32 v[244:245], -0x40000000, v[68:69], v[2:3]", "f4401fccf5880a1c"},
      {"gfx90a", "v_pk_mov_b32 v[0:1], 0xffffffff, v[2:3]", "0040b3d3c1040218"},
  };
  for (const Case& test : cases) expect_bytes(test);
}

// 16-bit operands: of floats, of integers, and of scalar operations that LLVM takes for 32-bit ones.
TEST(Spelling, Halves) {
  const Case cases[] = {
      {"gfx900", "v_subrev_u16_e32 v5, 1.1, v2", "ff040a50cdcc8c3f"},
      {"gfx1030", "v_cmp_gt_u16_e64 s12, -4.0, v2", "0c00acd4f7040200"},
      {"gfx1030", "v_cmp_gt_u16_e64 s12, 0xffff, v2", "0c00acd4ff040200ffff0000"},
      {"gfx900", "s_pack_ll_b32_b16 s5, 0x3e22f983, s0", "f8000599"},
      {"gfx900", "s_pack_ll_b32_b16 s5, 0xffffffff, exec_lo", "c17e0599"},
      {"gfx900", "s_pack_ll_b32_b16 s5, 0x3c00, exec_lo", "ff7e0599003c0000"},
      {"gfx900", "s_sext_i32_i16 s0, 0xfffffff0", "d01780be"},
      {"gfx1200", "s_rndne_f16 s5, 0x3c00", "ff6e85be003c0000"},
      {"gfx1200", "s_rndne_f16 s5, 0x3f800000", "f26e85be"},
      {"gfx1200", "s_rndne_f16 s5, 1.1", "ff6e85becdcc8c3f"},
      {"gfx1200", "s_cmp_o_f16 s0, 0x3c00", "00ff57bf003c0000"},
      {"gfx1200", "s_add_f16 s5, 0x3c00, s2", "f20285a4"},
      {"gfx1200", "s_add_f16 s5, 1.1, s2", "ff0285a4663c0000"},
      {"gfx1200", "v_s_rcp_f16 s5, -17", "050085d6ff000000efff0000"},
      {"gfx1200", "v_s_exp_f16 s86, 0x3c00", "560081d6f2000000"},
      {"gfx1200", "v_s_exp_f16 s86, 0xfff0", "560081d6d0000000"},
      {"gfx1250", "v_cvt_pk_fp8_f16 v1.l, -1", "010072d7ff000000ffffffff"},
      {"gfx1250", "v_cvt_pk_fp8_f16 v1.l, -4.0", "010072d7ff00000000c40000"},
      {"gfx1100", "v_add_f16 v5, 65519.0, v2", "ff040a64ff7b0000"},
      {"gfx1100", "v_fma_mix_f32 v5, v1, 1.1, v3 op_sel_hi:[0,1,0]", "050020cc01ff0d14663c0000"},
  };
  for (const Case& test : cases) expect_bytes(test);
}

// Where LLVM takes 16 bits for the literal of a 32-bit source.
TEST(Spelling, FractionsOfMixedProductsHaveTheSizeOfTheirSource) {
  expect_bytes({"gfx1100", "v_fma_mix_f32 v5, v1, 1.1, v3", "050020cc01ff0d04cdcc8c3f"});
}

TEST(Spelling, WhatALiteralCannotHoldIsAWarning) {
  const isa::amd::NoSymbols symbols;
  const auto warning = [&](const char* target, const char* text) {
    return parse_instruction(*isa::amd::find_target(target), false, text, symbols).warning;
  };
  EXPECT_EQ(warning("gfx1030", "v_add_f64 v[0:1], v[2:3], 1.1"),
            "1.1 becomes 1.0999994277954102: a literal has the upper 32 bits of a double");
  EXPECT_EQ(warning("gfx1030", "v_add_f64 v[0:1], v[2:3], 1.5"), "");
  EXPECT_EQ(warning("gfx1200", "s_rndne_f16 s5, 1.1"),
            "1.1 is written in 32 bits, as LLVM has it; the instruction reads the lower 16");
  EXPECT_EQ(warning("gfx1200", "s_rndne_f16 s5, 1.0"), "");
  EXPECT_EQ(warning("gfx1250", "v_add_f64 v[0:1], 1.1, v[2:3]"), "");
}

// By llvm-mc-22.
TEST(Spelling, OtherNames) {
  const Case cases[] = {
      {"gfx900", "v_mul_lo_i32 v0, v1, v2", "000085d201050200"},
      {"gfx1200", "s_add_u64 s[0:1], s[2:3], s[4:5]", "020480a9"},
      {"gfx1250", "s_sub_u64 s[0:1], s[2:3], s[4:5]", "020400aa"},
      {"gfx1200", "ds_subrev_rtn_u32 v0, v1, v2", "000088d801020000"},
      {"gfx1200", "ds_subrev_u64 v1, v[2:3]", "000008d901020000"},
      {"gfx1200", "flat_atomic_csub_u32 v0, v[0:1], v2 th:TH_ATOMIC_RETURN", "7cc00dec0000100100000000"},
      {"gfx1250", "global_load_tr_b64 v[0:1], v0, s[0:1]", "000016ee0000000000000000"},
      {"gfx1250", "global_load_b64_tr_b8 v[0:1], v0, s[0:1]", "000016ee0000000000000000"},
      {"gfx1100", "v_add3_nc_u32 v0, v1, v2, v3", "000055d601050e04"},
      {"gfx1100", "v_xor_add_u32 v0, v1, v2, v3", "000045d601050e04"},
      {"gfx1100", "v_cmp_tru_i32 vcc_lo, v0, v1", "00038e7c"},
      {"gfx900", "v_mov_b32 v1, lds_direct", "fe02027e"},
      {"gfx1250", "global_load_tr_b128 v[0:3], v0, s[0:1]", "00c015ee0000000000000000"},
  };
  for (const Case& test : cases) expect_bytes(test);
}

// As generators of matrix kernels write them.
TEST(Spelling, CommasCapitalsAndAccumulators) {
  const Case cases[] = {
      {"gfx90a", "s_mov_b32 s1 -1", "c10081be"},
      {"gfx90a", "v_mov_b32 v [4], v1", "0103087e"},
      {"gfx90a", "v_add_u32 v1-1, v3", "c1060268"},
      {"gfx90a", "v_mul_hi_u32 v1 v2 s4", "010086d202090000"},
      {"gfx90a", "buffer_load_dword v1 v2 s[4:7] 0 offen offset:4", "041050e002010180"},
      {"gfx90a", "V_PK_ADD_F32 v[0:1], v[2:3], v[4:5]", "0040b2d302090218"},
      {"gfx90a", "s_getpc_B64 s[20:21]", "001c94be"},
      {"gfx1100", "V_DUAL_MOV_B32 v0, v1 :: v_dual_add_f32 v3, v4, v5", "010108ca040b0200"},
      {"gfx1100", "V_MOV_B32_E32 v0, v1", "0103007e"},
      {"gfx90a", "v_accvgpr_read_b32 v1, acc[1]", "0140d8d301010018"},
      {"gfx90a", "v_accvgpr_write_b32 acc255, v1", "ff40d9d301010018"},
      {"gfx90a", "v_mfma_f32_16x16x16f16 acc[0:3], v[16:17], acc[18:19], acc[0+0:3+0]", "0080cdd310250214"},
      {"gfx90a", "v_pk_mul_f16 v4, s4, v5 op_sel_hi:[0,1,1]", "044090d3040a0210"},
      {"gfx90a", "v_pk_mul_f16 v4, s4, v5 op_sel_hi:[0,1,0,0]", "044090d3040a0210"},
      {"gfx90a", "v_pk_mul_f16 v4, s4, v5 op_sel:[0,1,0,0] neg_lo:[0,1,0]", "045090d3040a0258"},
  };
  for (const Case& test : cases) expect_bytes(test);
}

}  // namespace mockgpu::tests::spelling_tests
