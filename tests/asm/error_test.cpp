#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/amd/asm/assemble.h"

namespace mockgpu::tests::asm_error_tests {

using isa::amd::Assembly;
using isa::amd::Diagnostic;
using ::testing::HasSubstr;

Assembly assembled(const std::string& text, const char* target = "gfx1100") {
  isa::amd::AsmSource source;
  source.file = "a.s";
  source.text = text;
  source.target = isa::amd::find_target(target);
  return isa::amd::assemble(source);
}

struct Case {
  const char* line;
  std::size_t column;  // from 1
  const char* message;
  const char* legal;
  const char* target = "gfx1100";
};

// One wrong line each, after a good one.
TEST(AsmErrors, NameTheProblemItsPlaceAndWhatIsLegal) {
  const Case cases[] = {
      {"v_ad_f32 v0, v1, v2", 1, "\"v_ad_f32\" is no instruction of gfx1100", "v_add_f32"},
      {"v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, v1, a[0:3]", 1, "it exists on gfx942 gfx950", ""},
      {"v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]", 1, "it exists on gfx90a", ""},
      {"v_add_f32_e32 v1, v2, s3", 23, "a scalar register cannot stand here", "a VGPR"},
      {"s_add_u32 s0, s1, v2", 19, "a vector register cannot stand here", "an SGPR or a constant"},
      {"global_load_b32 v2, v1, s[4:5] glcc", 32, "unknown modifier glcc", "offset:n glc slc dlc"},
      {"global_load_b32 v2, v1, s[4:5] offset:5000", 32, "offset 5000 is out of range", "-4096 to 4095"},
      {"ds_load_b32 v2, v1 offset:70000", 20, "offset 70000 is out of range", "0 to 65535"},
      {"global_load_b64 v2, v1, s[4:5]", 17, "1 register where the instruction has 2", ""},
      {"s_load_b64 s[5:6], s[0:1], 0x0", 12, "2 SGPRs start at a multiple of 2", ""},
      {"v_cmp_eq_u32_e32 vcc, s1, v2", 18, "a lane mask of wave32", ""},
      {"s_mov_b64 s[0:1], 0x123456789abc", 19, "does not fit in a literal", "-2147483648 to 0xffffffff"},
      {"v_fma_f32 v0, 0x1234, 0x4321, v1", 23, "one literal at most", ""},
      {"s_nop 0x10000", 7, "the value 65536 is out of range", "-32768 to 65535"},
      {"s_waitcnt vmcnt(64)", 17, "the count 64 is out of range", "0 to 63"},
      {"s_waitcnt vscnt(0)", 11, "unknown counter vscnt", "vmcnt expcnt lgkmcnt"},
      {"s_getreg_b32 s0, hwreg(HW_REG_NONE)", 24, "unknown hardware register HW_REG_NONE", "HW_REG_MODE"},
      {"s_sendmsg sendmsg(MSG_NONE)", 19, "unknown message MSG_NONE", "MSG_INTERRUPT"},
      {"v_mov_b32_dpp v0, v1", 21, "needs a lane control", "quad_perm:[a,b,c,d]"},
      {"v_mov_b32_dpp v0, v1 row_shl:16", 30, "row_shl 16 is out of range", "1 to 15"},
      {"v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,4]", 39, "quad_perm 4 is out of range", "0 to 3"},
      {"v_mov_b32_sdwa v0, v1 src0_sel:WORD_1", 1, "has no such encoding on gfx1100", ""},
      {"v_mov_b32_sdwa v0, v1 src0_sel:WORD_2", 32, "unknown value of src0_sel", "WORD_0", "gfx900"},
      {"v_dual_mov_b32 v0, v1", 1, "two halves, parted by ::", ""},
      {"v_mov_b32 v256, v1", 11, "there is no register v256", "v0 to v255"},
      {"v_mov_b32 v0", 13, "expected ','", ""},
      {"s_branch nowhere", 10, "undefined symbol nowhere", ""},
      {"s_branch 100000", 10, "branch distance 100000 is out of range", "or a label"},
      {"good:", 1, "good is defined twice, first in a.s:1", ""},
      {".unknown 1", 1, "unknown directive .unknown", ""},
      {".byte 256", 7, "256 does not fit in 1 bytes", ""},
      {".long 1/0", 8, "division by zero", ""},
      {".p2align 40", 10, "an alignment of 2 to the 40", "0 to 16"},
      {".set x, x+1\n.if x\n.endif", 1, "symbol x is defined by itself", ""},
      {".rept -1\n.endr", 7, "-1 repetitions", ""},
      {".macro m\n", 1, ".macro without .endm", ""},
      {".endif", 7, ".endif without .if", ""},
      {".section x,#alloc,#bogus", 19, "unknown section flag #bogus", "#alloc #write #execinstr"},
      {"s_nop 0 # no comment", 9, "no operand or modifier", ""},
      {"v_mov_b32 v0 v300", 14, "there is no register v300", "v0 to v255"},
      {"v_pk_mul_f16 v0, v1, v2 neg_lo:[0,0,1]", 39, "the instruction has 2 sources", ""},
      {".set .amdgcn.gfx_generation_number, 5", 6, "is not to be set", ".amdgcn.next_free_vgpr"},
      {".altmacro\n.macro m a\n.endm\nm %nothing", 3, "%nothing has no value here", ""},
      {".section ,\"a\"", 10, "expected a name", ""},
      {".exitm", 7, ".exitm outside of macros and repetitions", ""},
      {".if 1", 1, ".if without .endif", ""},
      {".include \"x\"", 10, "no files to include", ""},
      {".ascii \"abc", 12, "no closing quote", ""},
      {".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"", 16, "the target is gfx1100, not gfx900", ""},
      {".amdhsa_code_object_version 9", 29, "version 9 is not supported", "4 5 6"},
      {".amdhsa_next_free_vgpr 4", 1, "outside .amdhsa_kernel", ""},
      {".amdhsa_kernel good\n.end_amdhsa_kernel", 1, "lacks .amdhsa_next_free_vgpr", ""},
      {"s_branch 1f", 10, "undefined symbol 1f", ""},
      {"s_branch 2b", 10, "undefined symbol 2b", ""},
      {".size good, later-good", 13, "undefined symbol later in the size of good", ""},
      {".size good, good", 13, "the size of good is no number", ""},
      {".amdgpu_metadata\nx: 1\n.end_amdgpu_metadata\n.amdgpu_metadata\nx: 1\n.end_amdgpu_metadata", 1,
       "the file has .amdgpu_metadata twice", ""},
      {".amdgpu_metadata\n# nothing\n.end_amdgpu_metadata", 1, "the metadata are empty", ""},
      {".amdgpu_metadata\namdhsa.kernels:\n  - .name: k\n.end_amdgpu_metadata", 1,
       "a kernel has no .name or no .symbol", ""},
      {".section x,\"a\",@bogus", 16, "sections of type @bogus are not supported", "@progbits @nobits @note"},
      {".purgem nothing", 9, "there is no macro nothing", ""},
      {".incbin \"x\"", 9, "no files to include", ""},
      {".rept 600000\n.rept 600000\ns_nop 0\n.endr\n.endr", 1, "more than a million lines", ""},
      {".octa 0x123456789012345678901234567890123", 7, "more than 128 bits", ""},
      {".org 2", 6, "2 is behind: the section has 4 bytes", ""},
      {".subsection 1", 13, "sections with parts are not supported", "0"},
      {".float 0x1.8", 8, "has an exponent", "0x1.8p3"},
      {"v_add_f16 v0, good, v1", 15, "has no place in this operand", ""},
      {".cfi_nothing", 1, "unknown directive .cfi_nothing", ""},
  };
  for (const Case& test : cases) {
    const Assembly assembly = assembled(fmt::format("good: s_nop 0\n{}\n", test.line), test.target);
    ASSERT_FALSE(assembly.diagnostics.empty()) << test.line;
    EXPECT_TRUE(assembly.object.empty());
    const Diagnostic& first = assembly.diagnostics[0];
    EXPECT_THAT(first.message, HasSubstr(test.message)) << test.line;
    EXPECT_THAT(first.legal, HasSubstr(test.legal)) << test.line;
    EXPECT_EQ(first.column, test.column) << test.line << ": " << first.message;
    EXPECT_EQ(first.file, "a.s");
    EXPECT_GE(first.line, 2u) << test.line;
  }
}

// What llvm-mc refuses of a kernel's directives, by target.
TEST(AsmErrors, KernelDirectivesOfOtherTargets) {
  struct Refused {
    const char *target, *directive, *message, *legal;
  };
  const Refused cases[] = {
      {"gfx900", "enable_private_segment 1", "gfx900 has no", "architected flat scratch"},
      {"gfx90a", "enable_private_segment 1", "gfx90a has no", "architected flat scratch"},
      {"gfx1030", "enable_private_segment 0", "gfx1030 has no", "architected flat scratch"},
      {"gfx942", "user_sgpr_private_segment_buffer 1", "gfx942 has no", "not supported with architected"},
      {"gfx942", "user_sgpr_flat_scratch_init 1", "gfx942 has no", "not supported with architected"},
      {"gfx942", "system_sgpr_private_segment_wavefront_offset 1", "gfx942 has no", "not supported with"},
      {"gfx1100", "reserve_flat_scratch 0", "gfx1100 has no", "not supported with architected"},
      {"gfx1030", "reserve_xnack_mask 1", "does not match the target id", "0 for gfx1030"},
      {"gfx1201", "reserve_xnack_mask 1", "does not match the target id", "0 for gfx1201"},
      {"gfx900", "reserve_xnack_mask 0", "does not match the target id", "1 for gfx900"},
      {"gfx1250", "reserve_xnack_mask 0", "does not match the target id", "1 for gfx1250"},
      {"gfx900", "wavefront_size32 1", "gfx900 has no", "it needs gfx10+"},
      {"gfx1200", "dx10_clamp 1", "gfx1200 has no", "it needs gfx11 or earlier"},
      {"gfx1200", "shared_vgpr_count 0", "gfx1200 has no", "it needs gfx10 or gfx11"},
      {"gfx1250", "workgroup_processor_mode 1", "gfx1250 has no", ""},
      {"gfx1100", "named_barrier_count 1", "gfx1100 has no", "it needs gfx1250"},
      {"gfx1100", "tg_split 1", "gfx1100 has no", "gfx90a, gfx942 or gfx950"},
  };
  for (const Refused& test : cases) {
    const Assembly assembly =
        assembled(fmt::format(".amdhsa_kernel k\n.amdhsa_{}\n", test.directive), test.target);
    ASSERT_FALSE(assembly.diagnostics.empty()) << test.target << test.directive;
    EXPECT_THAT(assembly.diagnostics[0].message, HasSubstr(test.message)) << test.directive;
    EXPECT_THAT(assembly.diagnostics[0].legal, HasSubstr(test.legal)) << test.target << test.directive;
  }
}

TEST(AsmErrors, LongNamesAreCut) {
  const Assembly assembly = assembled("s_branch " + std::string(100'000, 'a') + "\n");
  ASSERT_EQ(assembly.diagnostics.size(), 1u);
  EXPECT_LT(assembly.diagnostics[0].message.size(), 100u);
  EXPECT_THAT(assembly.diagnostics[0].message, HasSubstr("undefined symbol aaa"));
}

TEST(AsmErrors, ThereAreLimits) {
  std::string text;
  for (int i = 0; i < 10'001; ++i) text += fmt::format(".section .s{}\n", i);
  EXPECT_THAT(assembled(text).diagnostics.at(0).message, HasSubstr("more than 10000 sections"));
  const std::string spaces(60'000, ' ');
  EXPECT_THAT(assembled(".rept 2000\n" + spaces + "\n.endr\n").diagnostics.at(0).message,
              HasSubstr("more than 64 MiB of text"));
  EXPECT_THAT(assembled(".fill 200000000\n.data\n.fill 200000000\n").diagnostics.at(0).message,
              HasSubstr("more than 256 MiB"));
}

TEST(AsmErrors, ShowTheLineWithACaret) {
  const Assembly assembly = assembled("s_nop 0\n  v_mov_b32 v0, v300 ; too high\n");
  ASSERT_EQ(assembly.diagnostics.size(), 1u);
  EXPECT_EQ(format_error(to_error(assembly.diagnostics[0])),
            "error[bad-file]: a.s:2:17: there is no register v300\n"
            "  2    |   v_mov_b32 v0, v300 \n"
            "       |                 ^\n"
            "  legal v0 to v255");
}

TEST(AsmErrors, InMacrosTellWhereTheyAreUsed) {
  const Assembly assembly = assembled(".macro LOAD reg\n  v_mov_b32 \\reg, v300\n.endm\nLOAD v1\n");
  ASSERT_EQ(assembly.diagnostics.size(), 1u);
  EXPECT_EQ(assembly.diagnostics[0].line, 2u);
  EXPECT_EQ(assembly.diagnostics[0].source, "  v_mov_b32 v1, v300");
  EXPECT_THAT(assembly.diagnostics[0].expanded_from, ::testing::ElementsAre("a.s:4: in macro LOAD"));
}

TEST(AsmErrors, OneFaultIsOneError) {
  for (const char* text : {
           ".set x, x+1\ns_mov_b32 s0, x",
           ".set x, y+1\n.set y, x\ns_mov_b32 s0, x",
           "s_add_u32 s0, s0, bar@gotpcrel32@lo+4",
           ".irp\ns_nop 0\n.endr",
           ".macro m 5\nunknown\n.endm",
           ".amdgcn_target \"amdgcn-amd-amdhsa--gfx9999\"\nunknown",
       }) {
    EXPECT_EQ(assembled(text).diagnostics.size(), 1u) << text;
  }
}

TEST(AsmErrors, AllOfThemAreReported) {
  const Assembly assembly = assembled("v_x v0\ns_nop 0\nv_y v0\n.zzz\n");
  ASSERT_EQ(assembly.diagnostics.size(), 3u);
  EXPECT_EQ(assembly.diagnostics[2].line, 4u);
}

TEST(AsmErrors, EndlessMacrosEnd) {
  EXPECT_THAT(assembled(".macro m\nm\n.endm\nm\n").diagnostics.at(0).message, HasSubstr("nested too deeply"));
  // Twice in itself: 2^64 lines, were the first error not the end.
  EXPECT_THAT(assembled(".macro m\nm\nm\n.endm\nm\n").diagnostics.at(0).message,
              HasSubstr("nested too deeply"));
  std::string chain;
  for (int i = 0; i < 60; ++i) chain += fmt::format(".set a{}, a{}+a{}\n", i, i + 1, i + 1);
  EXPECT_THAT(assembled(chain + ".set a60, 1\n.quad a0\n").diagnostics.at(0).message,
              HasSubstr("takes more than 10000 others"));
  const auto endless = assembled("s_nop 0\ns_nop 1 /* abc\ns_nop 0\n").diagnostics;
  ASSERT_EQ(endless.size(), 1u);
  EXPECT_EQ(endless[0].line, 2u);
  EXPECT_THAT(endless[0].message, HasSubstr("/* without */"));
}

TEST(AsmErrors, WithoutATargetNothingIsGuessed) {
  isa::amd::AsmSource source;
  source.file = "a.s";
  source.text = "s_nop 0\n";
  EXPECT_THAT(isa::amd::assemble(source).diagnostics.at(0).message, HasSubstr("the target is not known"));
}

}  // namespace mockgpu::tests::asm_error_tests
