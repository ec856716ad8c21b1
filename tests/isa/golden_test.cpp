#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/isa/decoding.h"

namespace mockgpu::isa::amd {

std::vector<std::byte> bytes_of(std::string_view hex) {
  auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(digit(hex[i]) << 4 | digit(hex[i + 1])));
  return bytes;
}

Instruction decoded(std::string_view hex, bool wave64) {
  Instruction instruction;
  const std::vector<std::byte> bytes = bytes_of(hex);
  EXPECT_TRUE(decode(*find_target("gfx1100"), bytes, wave64, instruction)) << hex;
  EXPECT_EQ(instruction.size, bytes.size()) << hex;
  return instruction;
}

std::vector<GoldenLine> read_golden(std::string_view file) {
  const char* elsewhere = std::getenv("MOCKGPU_GOLDEN");
  std::ifstream in((elsewhere ? elsewhere : std::string(MOCKGPU_TEST_DATA) + "/isa/golden") + "/" +
                   std::string(file));
  std::vector<GoldenLine> lines;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (second == std::string::npos) continue;
    lines.push_back({line.substr(0, first),
                     line.substr(first, second - first).find("wavefrontsize64") != std::string::npos,
                     line.substr(second + 1)});
  }
  return lines;
}

std::string fold_spaces(std::string_view text) {
  std::string folded;
  for (char c : text)
    if (c != ' ' || (!folded.empty() && folded.back() != ' ')) folded += c;
  while (!folded.empty() && folded.back() == ' ') folded.pop_back();
  return folded;
}

namespace {

struct GoldenFile {
  const char* target;
  const char* file;
  double least_text;
};

class Golden : public ::testing::TestWithParam<GoldenFile> {};

// The golden files hold encodings of LLVM's own tests and what LLVM 22 prints for them: all of gfx1100's, of
// the other targets a sample with every mnemonic and every shape of operands and modifiers. MOCKGPU_GOLDEN
// names a folder with others. Text may differ where LLVM's depends on details of its own operand classes.
TEST_P(Golden, NamesLengthsAndTextAreLlvms) {
  const Target* target = find_target(GetParam().target);
  ASSERT_NE(target, nullptr);
  const std::vector<GoldenLine> lines = read_golden(GetParam().file);
  ASSERT_GT(lines.size(), 1000u);
  std::size_t names = 0, texts = 0;
  std::string misses;
  for (const GoldenLine& line : lines) {
    const std::vector<std::byte> bytes = bytes_of(line.hex);
    const bool wave64 = line.wave64 || !target->wave32;
    Instruction instruction;
    const bool ok = decode(*target, bytes, wave64, instruction);
    const std::string text = ok ? disassemble(*target, instruction, wave64) : "<undecodable>";
    const std::string expected = fold_spaces(line.text);
    const bool same_name = text.substr(0, text.find(' ')) == expected.substr(0, expected.find(' '));
    names += same_name && instruction.size == bytes.size();
    texts += text == expected;
    if (text != expected || instruction.size != bytes.size())
      misses += "  " + line.hex + ": expected \"" + expected + "\", got \"" + text + "\"\n";
  }
  const double all = static_cast<double>(lines.size());
  std::cout << target->name << ": " << lines.size() << " rows, mnemonic and length "
            << 100.0 * static_cast<double>(names) / all << " %, text "
            << 100.0 * static_cast<double>(texts) / all << " %\n"
            << misses;
  EXPECT_EQ(names, lines.size());
  EXPECT_GE(static_cast<double>(texts) / all, GetParam().least_text);
}

INSTANTIATE_TEST_SUITE_P(
    Targets, Golden,
    ::testing::Values(GoldenFile{"gfx900", "gfx9.tsv", 0.999}, GoldenFile{"gfx908", "cdna1.tsv", 0.999},
                      GoldenFile{"gfx90a", "cdna2.tsv", 1}, GoldenFile{"gfx942", "cdna3.tsv", 1},
                      GoldenFile{"gfx950", "cdna4.tsv", 1}, GoldenFile{"gfx1010", "rdna1.tsv", 1},
                      GoldenFile{"gfx1030", "rdna2.tsv", 1}, GoldenFile{"gfx1100", "rdna3.tsv", 1},
                      GoldenFile{"gfx1150", "rdna35.tsv", 1}, GoldenFile{"gfx1200", "rdna4.tsv", 1},
                      GoldenFile{"gfx1250", "gfx1250.tsv", 0.999}),
    [](const auto& test) { return std::string(test.param.target); });

TEST(Disassemble, Rays) {
  const std::pair<const char*, const char*> cases[] = {
      {"818f64f00904010004060a0c",
       "image_bvh_intersect_ray v[4:7], [v9, v4, v[6:8], v[10:12], v[12:14]], s[4:7]"},
      {"808f64f009040100", "image_bvh_intersect_ray v[4:7], v[9:19], s[4:7]"},
      {"818f69f00904010004060a00",
       "image_bvh64_intersect_ray v[4:7], [v[9:10], v4, v[6:8], v[10:12]], s[4:7] a16"},
  };
  for (const auto& [hex, text] : cases)
    EXPECT_EQ(disassemble(*find_target("gfx1100"), decoded(hex), false), text);
}

// Literals that an inline constant could stand for, negated constants and odd immediates, as LLVM 22 prints
// them.
TEST(Disassemble, Constants) {
  const std::pair<const char*, const char*> cases[] = {
      {"ff0a0264ffff003c", "v_add_f16_e32 v1.l, lit(0x3c00ffff), v5.l"},
      {"ff0a026478563412", "v_add_f16_e32 v1.l, 0x5678, v5.l"},
      {"ff0a024a0000803f", "v_add_nc_u32_e32 v1, lit(0x3f800000), v5"},
      {"ff0180beffffffff", "s_mov_b64 s[0:1], 0xffffffff"},
      {"ff0180be01000000", "s_mov_b64 s[0:1], lit(0x1)"},
      {"050027d7ff04020001000000", "v_add_f64 v[5:6], 0x1, v[2:3]"},
      {"050013d67de00564", "v_fma_f32 v5, -m0, neg(0.5), v1"},
      {"7fa70a580000803f", "v_fmamk_f32 v5, v127, 0x3f800000, v83"},
      {"010090bf", "s_trap 1"},
      {"410090bf", "s_trap 0x41"},
      {"0000b7bf", "s_sendmsghalt sendmsg(0, 0, 0)"},
      {"0001b6bf", "s_sendmsg 256"},
      {"ffff89bf", "s_waitcnt vmcnt(63) expcnt(7) lgkmcnt(63)"},
      {"9f7f88bf", "s_waitcnt_depctr depctr_va_vdst(7)"},
      {"030800f801020000", "exp mrt0 v1, v2, off, off done"},
      {"000008e802010280", "tbuffer_load_format_x v1, off, s[8:11], 0"},
      {"0000f8eb02010280", "tbuffer_load_format_x v1, off, s[8:11], 0 format:127"},
  };
  for (const auto& [hex, text] : cases)
    EXPECT_EQ(disassemble(*find_target("gfx1100"), decoded(hex), false), text);
}

// Constants and scalars where only registers of one kind can be.
TEST(Decode, RefusesReservedOperands) {
  for (const auto& [target, hex] : {std::pair{"gfx1200", "46ca987e"},                  // v_swap_b32 v76, s70
                                    std::pair{"gfx1200", "744052cc77f46819"},          // v_swmmac_* of SGPRs
                                    std::pair{"gfx1200", "00ff03d0246401838b000000"},  // resource 50
                                    std::pair{"gfx1200", "211c49e486e6a10d004000ff"}}) {  // resource -1.0
    Instruction instruction;
    EXPECT_FALSE(decode(*find_target(target), bytes_of(hex), false, instruction)) << hex;
  }
}

// Corners of other targets, as llvm-mc-22 prints them.
TEST(Disassemble, OtherTargets) {
  struct Case {
    const char *target, *hex, *text;
  };
  const Case cases[] = {
      {"gfx900", "0000007e", "v_nop"},
      {"gfx900", "006a007e", "v_clrexcp"},
      {"gfx900", "0000f7e0008e161d", "buffer_store_lds_dword s[88:91], s29 lds slc"},
      {"gfx900", "12d10ac20000003a", "s_atomic_add s68, s[36:37], s29 offset:0x0"},
      {"gfx900", "001391c000000030", "s_memtime s[76:77]"},
      {"gfx900", "1800a1c090a1100c", "s_dcache_discard s[48:49], s16"},
      {"gfx900", "000f40f0b4781700", "image_atomic_swap v120, v180, s[92:99] dmask:0xf"},
      {"gfx908", "339b11bf", "s_set_gpr_idx_on s51, 0x9b"},
      {"gfx900", "00009dbf", "s_set_gpr_idx_mode gpr_idx()"},
      {"gfx900", "05009dbf", "s_set_gpr_idx_mode gpr_idx(SRC0,SRC2)"},
      {"gfx900", "15009dbf", "s_set_gpr_idx_mode 0x15"},
      {"gfx1030", "000080b0", "s_version UC_VERSION_GFX7"},
      {"gfx1030", "04e080b0",
       "s_version ((UC_VERSION_GFX10|UC_VERSION_W64_BIT)|UC_VERSION_W32_BIT)|UC_VERSION_MDP_BIT"},
      {"gfx1030", "014080b0", "s_version 1|UC_VERSION_W32_BIT"},
      {"gfx1030", "045180b0", "s_version 0x5104"},
      {"gfx1200", "050094bf", "s_barrier_wait 5"},
      {"gfx1200", "f6de0c7e", "v_cvt_pk_f32_bf8_e32 v[6:7], 4.0"},
      {"gfx1200", "ff6e85be003c0000", "s_rndne_f16 s5, 0x3c00"},
      {"gfx1200", "ff6e85be0000803f", "s_rndne_f16 s5, lit(0x3f800000)"},
      {"gfx1250", "f4401fccff880a1c0000803f", "v_pk_fma_f32 v[244:245], lit(0x3f800000), v[68:69], v[2:3]"},
      {"gfx1250", "010072d7ff000000f0ffffff", "v_cvt_pk_fp8_f16 v1.l, -16"},
      {"gfx1250", "010072d7f2000000", "v_cvt_pk_fp8_f16 v1.l, 0x3f800000"},
      {"gfx1250", "010072d7c1000000", "v_cvt_pk_fp8_f16 v1.l, -1"},
      {"gfx1250", "014071d00000407c00000000",
       "tensor_store_from_lds s[0:3], s[0:7], s[0:3], s[0:3] th:TH_STORE_NT_RT"},
      {"gfx90a", "00007bd90000003c", "ds_consume v60"},
      {"gfx90a", "fa70810990340939",
       "v_fmac_f64_dpp v[192:193], v[144:145], v[184:185] /* DP ALU dpp only supports row_newbcast */ "
       "row_mask:0x3 "
       "bank_mask:0x9 bound_ctrl:1"},
      {"gfx942", "0040a6e0000000a1", "buffer_inv sc0"},
      {"gfx942", "4c00b2d3f8840000", "v_pk_add_f32 v[76:77], 0.15915494, s[66:67] op_sel_hi:[0,0]"},
      {"gfx942", "2c48a4d23b5a0300", "v_cvt_sr_fp8_f32 v44, s59, v173 op_sel:[1,0,0,1]"},
      {"gfx950", "3c00add3286932a6",
       "v_mfma_f32_16x16x128_f8f6f4 v[60:63], v[40:47], v[52:59], v[140:143] blgp:5"},
      {"gfx1010", "b4184ed5ffb2fc0387fbc18c",
       "v_alignbit_b32 v180, 0x8cc1fb87, s89, 0x8cc1fb87 op_sel:[1,1,0,0]"},
      {"gfx1030", "00309fd4f1fe0100ba28a1d7", "v_cmpx_class_f16_e64 -0.5, 0xd7a128ba"},
      {"gfx1150", "ff0584a424b25ad9", "s_add_f16 s4, 0xb224, s5"},
      {"gfx1200", "008004f400000024", "s_prefetch_inst s[0:1], 0x0, s18, 0"},
      {"gfx1200", "06f053bf", "s_cmp_le_f16 s6, 0x3800"},
      {"gfx1200", "408048e71028082e20844400",
       "image_sample_c_l v[16:18], [v32, v132], s[20:27], s[92:95] dmask:0xd dim:SQ_RSRC_IMG_1D "
       "scope:SCOPE_DEV a16"},
      {"gfx1250", "108012c460005c0c00000000",
       "buffer_atomic_or_b64 v[96:97], off, s[0:3], s16 th:TH_ATOMIC_CASCADE_RT scope:SCOPE_SYS"},
      {"gfx1250", "0c052ecc350d0406", "v_pk_add_min_u16 v12, v53, s6, v129 op_sel_hi:[0,0,0]"},
  };
  for (const Case& test : cases) {
    const Target& target = *find_target(test.target);
    const std::vector<std::byte> bytes = bytes_of(test.hex);
    Instruction instruction;
    ASSERT_TRUE(decode(target, bytes, !target.wave32, instruction)) << test.text;
    EXPECT_EQ(disassemble(target, instruction, !target.wave32), test.text) << test.target;
  }
}

// Reserved values and what a target lacks.
TEST(Decode, Refuses) {
  const std::pair<const char*, const char*> cases[] = {
      {"gfx900", "f902027e02060700"},   // SDWA with selector 7
      {"gfx900", "e902027e00000000"},   // DPP8
      {"gfx1100", "f902027e02060600"},  // SDWA
      {"gfx900", "010068d1ff060200"},   // a literal in VOP3
      {"gfx1010", "0100029c"},          // an opcode that is not taken
      {"gfx1200", "000084f100000000"},  // MIMG
      {"gfx900", "380065d07cac0000"},   // m0 as 64 bits
  };
  for (const auto& [target, hex] : cases) {
    Instruction instruction;
    EXPECT_FALSE(decode(*find_target(target), bytes_of(hex), true, instruction))
        << target << ' ' << hex << ' ' << disassemble(*find_target(target), instruction, true);
  }
}

}  // namespace
}  // namespace mockgpu::isa::amd
