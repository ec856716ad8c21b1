// `mockgpu asm`, and assembler text given to `mockgpu run`: no LLVM on the machine is needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/cli/process.h"

namespace mockgpu::test::asm_tests {

using testing::HasSubstr;

constexpr int kWrongUse = 2;

std::string source(const std::string& name) {
  return std::string(MOCKGPU_TEST_DATA) + "/kernels/source/" + name;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The good kernel with one line replaced.
std::string vecadd_with(const std::string& line, const std::string& replacement) {
  std::string text = contents(source("vecadd_asm.s"));
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  return text.replace(at, line.size(), replacement);
}

TEST(Asm, FileMakesTheCodeObjectThatClangMakes) {
  const TemporaryFolder folder;
  const std::string object = folder.file("vecadd.co");
  const Ended ended = mockgpu({"asm", source("vecadd_asm.s"), "-o", object});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out + ended.err, "");
  // The prebuilt object is clang-19's of the same file; addresses depend on the linker.
  const auto instructions = [](const std::string& file) {
    const std::string listing = mockgpu({"dis", file}).out;
    std::string text;
    for (std::size_t at = 0, end; (end = listing.find('\n', at)) != std::string::npos; at = end + 1) {
      const std::string line = listing.substr(at, end - at);
      const std::size_t comment = line.find("// "), colon = line.find(": ", comment);
      if (colon != std::string::npos) text += line.substr(0, comment) + line.substr(colon) + '\n';
    }
    return text;
  };
  EXPECT_THAT(instructions(object), HasSubstr("v_add_f32_e32 v2, v2, v3"));
  EXPECT_EQ(instructions(object), instructions(code_object("gfx1100/vecadd_asm")));
}

TEST(Asm, HexPrintsOneLineForEach) {
  // Bytes are llvm-mc's.
  const Ended ended = mockgpu({"asm", "--target", "gfx1100", "--hex"},
                              "v_mov_b32 v3, s2\n"
                              "v_add_f32_e64 v1, -v2, |s3|\n"
                              "s_endpgm\n");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "0202067e\n010203d502070020\n0000b0bf\n");
  EXPECT_EQ(
      mockgpu({"asm", "--target", "gfx1100", "--hex"}, "s_endpgm // the end\ns_nop /* idle */ 1 ; once\n")
          .out,
      "0000b0bf\n010080bf\n");
  EXPECT_EQ(mockgpu({"asm", "--target", "gfx900", "--hex"}, "v_mov_b32 v3, s2\ns_endpgm\n").out,
            "0202067e\n000081bf\n");
  // Bytes of llvm-mc-19: SDWA keeps the rest of the register unless the text says otherwise.
  EXPECT_EQ(mockgpu({"asm", "--target", "gfx900", "--hex"}, "v_mov_b32_sdwa v0, v1 src0_sel:BYTE_1\n").out,
            "f902007e01160100\n");
  EXPECT_EQ(mockgpu({"asm", "--target", "gfx942", "--hex"},
                    "v_cvt_pk_f32_fp8_sdwa v[2:3], s3 clamp mul:2 src0_sel:WORD_1\n")
                .out,
            "f9ac047e03668500\n");
  EXPECT_EQ(mockgpu({"asm", "--target", "gfx1200", "--hex"}, "global_load_b32 v0, v[2:3], off\n").out,
            "7c0005ee0000000002000000\n");
}

TEST(Asm, HexNamesTheLineAndColumn) {
  const Ended ended =
      mockgpu({"asm", "--target", "gfx1100", "--hex"}, "s_nop 0\nv_add_f32 v1, v2\ns_branch nowhere\n");
  EXPECT_EQ(ended.code, kWrongUse);
  EXPECT_EQ(ended.out, "000080bf\n<error>\n<error>\n");
  EXPECT_THAT(ended.err, HasSubstr("2:17: expected ','"));
  EXPECT_THAT(ended.err, HasSubstr("v_add_f32 v1, v2\n"));
  EXPECT_THAT(ended.err, HasSubstr("3:10: undefined symbol nowhere"));
}

TEST(Asm, TextRunsDirectly) {
  const Ended ended = mockgpu({"run", source("vecadd_asm.s"), "--grid", "64", "--block", "64", "--arg",
                               "f32[64]=iota", "--arg", "f32[64]=ones", "--arg", "f32[64]=zeros", "--arg",
                               "u32=60", "--expect", "2:0..60=iota+1", "--show", "2:58..62"});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("vadd on gfx1100"));
  EXPECT_THAT(ended.out, HasSubstr("59 60 0 0"));
}

struct Mistake {
  const char* line;
  const char* replacement;
  const char* message;  // with its place
};

// Both commands stop with the place, the line and a caret.
TEST(Asm, MistakesAreReportedWithTheirPlace) {
  const Mistake mistakes[] = {
      {"v_add_f32_e32 v2, v2, v3", "v_add_f32_e32 v2, v2, s3",
       "bad.s:21:25: a scalar register cannot stand here"},
      {"s_cbranch_execz done", "s_cbranch_execz dnoe", "bad.s:16:19: undefined symbol dnoe"},
      {"done:\n", "vadd:\n", "bad.s:23:1: vadd is defined twice, first in bad.s:"},
      {".p2align 8", ".palign 8", "bad.s:6:1: unknown directive .palign"},
      {"v_lshlrev_b32_e32 v1, 2, v0", "global_load_b32 v1, v1, s[4:5] offset:4096",
       "bad.s:17:34: offset 4096 is out of range"},
      {"s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(64)", "bad.s:20:19: the count 64 is out of range"},
      {"v_add_f32_e32 v2, v2, v3", "v_pk_fma_f32 v[2:3], v[2:3], v[4:5], v[6:7]",
       "bad.s:21:3: gfx1100 has no instruction v_pk_fma_f32; it exists on gfx90a gfx942 gfx950"},
      {"s_and_saveexec_b32 s3, vcc_lo", "v_cmp_gt_u32_e64 s[2:3], s10, v0",
       "bad.s:15:20: 2 registers where the instruction has 1 (a lane mask of wave32)"},
      {"v_add_f32_e32 v2, v2, v3", "v_dual_mov_b32 v2, v4 :: v_dual_mov_b32 v6, v5",
       "bad.s:21:43: v2 and v6 are both even"},
  };
  const TemporaryFolder folder;
  for (const Mistake& mistake : mistakes) {
    const std::string file = folder.write("bad.s", vecadd_with(mistake.line, mistake.replacement));
    for (const Ended& ended : {mockgpu({"asm", file, "-o", folder.file("bad.co")}),
                               mockgpu({"run", file, "--grid", "64", "--block", "64"})}) {
      EXPECT_EQ(ended.code, kWrongUse) << mistake.replacement;
      EXPECT_THAT(ended.err, HasSubstr(mistake.message)) << mistake.replacement;
      const std::string shown = mistake.replacement;
      EXPECT_THAT(ended.err, HasSubstr(shown.substr(0, shown.find('\n')) + "\n")) << mistake.replacement;
      EXPECT_THAT(ended.err, HasSubstr("^")) << mistake.replacement;
    }
  }
}

// A generated kernel gets its sizes from the command line, and its macros from other folders.
TEST(Asm, SymbolsFoldersAndWaves) {
  const TemporaryFolder folder, common;
  common.write("macros.inc", ".macro fill\n.rept TILE\n.byte BETA\n.endr\n.endm\n");
  const std::string file = folder.write("sized.s",
                                        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n"
                                        ".include \"macros.inc\"\n"
                                        "v_cmp_eq_u32_e64 s[2:3], s10, v0\n"
                                        "fill\n.p2align 2\n");
  const std::string output = folder.file("sized.co");
  const Ended ended = mockgpu({"asm", "--defsym", "TILE=3", "--defsym=BETA=-0x10", "--wave64", "-I",
                               common.file(""), file, "-o", output});
  EXPECT_EQ(ended.code, 0) << ended.err;
  std::ifstream object(output, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(object), {}};
  EXPECT_THAT(bytes, HasSubstr("\xf0\xf0\xf0"));
  EXPECT_THAT(
      mockgpu({"asm", "--defsym", "TILE=3", "--defsym", "BETA=0", "-I", common.file(""), file, "-o", output})
          .err,
      HasSubstr("a lane mask of wave32"));
  EXPECT_THAT(mockgpu({"asm", "--defsym", "TILE=3", file, "-o", output}).err, HasSubstr("macros.inc"));
  for (const char* wrong : {"TILE", "=3", "TILE=x", "TILE=1.5", "TILE=3 4"}) {
    const Ended refused = mockgpu({"asm", "--defsym", wrong, file, "-o", output});
    EXPECT_EQ(refused.code, kWrongUse);
    EXPECT_THAT(refused.err, HasSubstr("is no NAME=NUMBER")) << wrong;
  }
  const std::string label = folder.write("label.s", "TILE: s_endpgm\n");
  EXPECT_THAT(mockgpu({"asm", label, "--target", "gfx1100", "--defsym", "TILE=3", "-o", output}).err,
              HasSubstr("TILE is defined twice, first in --defsym:0"));
  EXPECT_THAT(
      mockgpu({"asm", label, "--target", "gfx1100", "--defsym", ".amdgcn.next_free_vgpr=3", "-o", output})
          .err,
      HasSubstr("is not to be set"));
  EXPECT_THAT(mockgpu({"asm", label, "--target", "gfx1250", "--wave64", "-o", output}).err,
              HasSubstr("gfx1250 has no waves of 64 lanes"));
  const std::string narrow_target =
      folder.write("target.s", ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\ns_endpgm\n");
  EXPECT_THAT(mockgpu({"asm", narrow_target, "--wave64", "-o", output}).err,
              HasSubstr("gfx1250 has no waves of 64 lanes"));
  EXPECT_THAT(mockgpu({"asm", "--target", "gfx1100", "--hex", "--defsym", "TILE=3"}, "s_endpgm\n").err,
              HasSubstr("not for --hex"));
  const std::string narrow = folder.write("narrow.s",
                                          ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\nk: s_endpgm\n"
                                          ".amdhsa_kernel k\n.amdhsa_next_free_vgpr 1\n"
                                          ".amdhsa_next_free_sgpr 1\n.amdhsa_wavefront_size32 1\n"
                                          ".end_amdhsa_kernel\n");
  EXPECT_EQ(mockgpu({"asm", narrow, "-o", output}).code, 0);
  EXPECT_THAT(mockgpu({"asm", narrow, "--wave64", "-o", output}).err, HasSubstr("have 32 lanes"));
}

TEST(Asm, WarnsOfLostBits) {
  const TemporaryFolder folder;
  const std::string file = folder.write("double.s",
                                        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1030\"\n"
                                        "v_add_f64 v[0:1], v[2:3], 1.1\n");
  const char* const warning = "warning: 1.1 becomes 1.0999994277954102";
  const Ended ended = mockgpu({"asm", file, "-o", folder.file("double.co")});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.err, HasSubstr(std::string("mockgpu: double.s:2: ") + warning));
  EXPECT_THAT(
      mockgpu({"asm", "--target", "gfx1030", "--hex"}, "s_nop 0\nv_add_f64 v[0:1], v[2:3], 1.1\n").err,
      HasSubstr(std::string("mockgpu: 2: ") + warning));
}

TEST(Asm, WrongUse) {
  EXPECT_THAT(mockgpu({"asm", "--hex"}).err, HasSubstr("--target"));
  EXPECT_THAT(mockgpu({"asm", source("vecadd_asm.s")}).err, HasSubstr("-o"));
  EXPECT_THAT(mockgpu({"asm", "--target", "gfx2000", "--hex"}).err, HasSubstr("gfx2000"));
  const TemporaryFolder folder;
  EXPECT_THAT(mockgpu({"asm", source("vecadd_asm.s"), "--target", "gfx900", "-o", folder.file("x")}).err,
              HasSubstr("the target is gfx900, not gfx1100"));
}

TEST(Asm, SaysWhatTheSourceSays) {
  const TemporaryFolder folder;
  const std::string file = folder.write("note.s",
                                        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n"
                                        ".warning \"old\"\ns_endpgm\n");
  const Ended ended = mockgpu({"asm", file, "-o", folder.file("x.co")});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err, "mockgpu: note.s:2: warning: old\n");
}

TEST(Asm, IncludesOnlyFiles) {
  const TemporaryFolder folder;
  const auto included = [&](const std::string& name) {
    const std::string file = folder.write("outer.s",
                                          ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n"
                                          ".include \"" +
                                              name + "\"\n");
    return mockgpu({"asm", file, "-o", folder.file("x.co")});
  };
  folder.write("inner.inc", "s_endpgm\n");
  EXPECT_EQ(included("inner.inc").code, 0);
  for (const char* endless : {"/dev/zero", "."}) {
    const Ended ended = included(endless);
    EXPECT_EQ(ended.code, kWrongUse);
    EXPECT_THAT(ended.err, HasSubstr("outer.s:2:10: "));
    EXPECT_THAT(ended.err, HasSubstr("is no file"));
  }
  EXPECT_EQ(included("outer.s").code, kWrongUse) << "a file that includes itself";
}

// What LLVM's and our disassembler print, back to bytes.
TEST(AsmListing, CommentsChooseAmongTheEncodingsOfAText) {
  const std::string listing =
      "x.co:\tfile format elf64-amdgpu\n\n"
      "0000000000001600 <start>:\n"
      "\ts_add_u32 s4, s4, 60          // 000000001600: 8004FF04 0000003C\n"
      "\ts_add_u32 s4, s4, 60          // 000000001608: 8004BC04\n"
      "\ts_cbranch_scc0 start          // 00000000160C: BF84FFFC <start>\n"
      "\ts_branch 1                    // 000000001610: BF820001 <end>\n\n"
      "0000000000001618 <end>:\n"
      "\ts_branch end                  // 000000001618: BF82FFFF <end>\n";
  const Ended ended = mockgpu({"asm", "--target", "gfx1030", "--hex", "--listing"}, listing);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "04ff04803c000000\n04bc0480\nfcff84bf\n010082bf\nffff82bf\n");
}

TEST(AsmListing, BytesThatPrintAsTheTextAreTaken) {
  const Ended ended = mockgpu({"asm", "--target", "gfx1100", "--hex", "--listing"},
                              "\tds_swizzle_b32 v10, v2 offset:swizzle(BITMASK_PERM,\"pp001\")  "
                              "// 000000001600: D8D40C58 0A000002\n");
  EXPECT_EQ(ended.out, "580cd4d80200000a\n") << ended.err;
}

TEST(AsmListing, CommentsOfOtherInstructionsAreMistakes) {
  const Ended ended = mockgpu({"asm", "--target", "gfx1030", "--hex", "--listing"},
                              "\ts_add_u32 s4, s4, 61  // 000000001600: 8004FF04 0000003C\n"
                              "\ts_nop 1  // 000000001608: BF800000\n"
                              "\ts_nop 0  // 00000000160C: BF800000\n");
  EXPECT_EQ(ended.code, kWrongUse);
  EXPECT_EQ(ended.out, "<error>\n<error>\n000080bf\n");
  EXPECT_THAT(ended.err,
              HasSubstr("line 1: the bytes 04ff04803c000000 are s_add_u32 s4, s4, lit(0x3c), but the "
                        "text gives 04bd0480"));
  EXPECT_THAT(ended.err, HasSubstr("line 2: the bytes 000080bf are s_nop 0, but the text gives 010080bf"));
  EXPECT_EQ(mockgpu({"asm", "--target", "gfx1030", "--listing", "x.s", "-o", "x"}).code, kWrongUse);
}

}  // namespace mockgpu::test::asm_tests
