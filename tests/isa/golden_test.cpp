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
                      GoldenFile{"gfx1150", "rdna35.tsv", 0.999}, GoldenFile{"gfx1200", "rdna4.tsv", 0.999},
                      GoldenFile{"gfx1250", "gfx1250.tsv", 0.998}),
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

}  // namespace
}  // namespace mockgpu::isa::amd
