#include <gtest/gtest.h>

#include <random>

#include "isa/amd/asm/assemble.h"
#include "isa/amd/asm/encode.h"
#include "isa/amd/asm/parsed.h"
#include "isa/amd/disassemble.h"
#include "tests/asm/rows.h"

namespace mockgpu::tests::asm_fuzz_tests {

using namespace asm_rows;
using isa::amd::Instruction;
using isa::amd::Target;

const Target& target_of(const Column& column) { return *isa::amd::find_target(column.target); }

// Whatever the text, there are bytes that decode or there is a message.
void try_line(const Target& target, const std::string& text, bool wave64) {
  const isa::amd::NoSymbols symbols;
  try {
    const isa::amd::ParsedInstruction parsed = parse_instruction(target, wave64, text, symbols);
    Instruction decoded;
    ASSERT_TRUE(decode(target, parsed.bytes, wave64 || !target.wave32, decoded)) << text;
    ASSERT_EQ(decoded.size, parsed.bytes.size()) << text;
  } catch (const isa::amd::Mismatch& mismatch) {
    ASSERT_FALSE(mismatch.message.empty()) << text;
    ASSERT_LE(mismatch.column, text.size() + 1) << text;
  }
}

std::string mutated(std::string text, std::mt19937& random, const std::string& other) {
  constexpr std::string_view kPieces[] = {
      "v[", "]", ",",       "|",  "-",    "neg(", "0x", "s[0:1]", "vcc",  "off",  "lit",  "glc",      "(((",
      "1b", ":", "[1,0,1]", "\"", "abs(", "::",   "<<", "99999",  "1e99", "v256", "null", "@rel32@lo"};
  for (unsigned edits = 1 + random() % 3; edits; --edits) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    switch (random() % 5) {
      case 0: text.insert(at, kPieces[random() % std::size(kPieces)]); break;
      case 1: text.erase(at, 1 + random() % 4); break;
      case 2: text.insert(at, 1, static_cast<char>(random() % 256)); break;
      case 3: text = text.substr(0, at) + other.substr(random() % (other.size() + 1)); break;
      default: text.replace(at, 1, 1, static_cast<char>(' ' + random() % 95)); break;
    }
  }
  return text;
}

TEST(AsmFuzz, MutatedLines) {
  std::mt19937 random(1);
  for (const Column& column : columns()) {
    const std::vector<Row> rows = read_rows(column);
    ASSERT_FALSE(rows.empty());
    for (int i = 0; i < 500; ++i) {
      const Row& row = rows[random() % rows.size()];
      try_line(target_of(column), mutated(row.text, random, rows[random() % rows.size()].text), row.wave64);
    }
  }
}

// Random words: what decodes is printed, and its text is assembled or refused.
TEST(AsmFuzz, RandomWords) {
  std::mt19937 random(2);
  for (const Column& column : columns()) {
    const Target& target = target_of(column);
    for (int i = 0; i < 1000; ++i) {
      std::array<std::uint32_t, 5> words;
      for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
      Instruction instruction;
      const bool wave64 = !target.wave32 || random() % 2;
      if (!decode(target, std::as_bytes(std::span(words)), wave64, instruction)) continue;
      EXPECT_EQ(encode(target, instruction).size(), instruction.size);
      try_line(target, disassemble(target, instruction, wave64), wave64);
    }
  }
}

constexpr std::string_view kSource = R"(
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.set n, 4
.macro m a, b=2
  v_add_nc_u32 v\a, v\b, n
.endm
.text
.globl k
.p2align 8
.type k,@function
k: s_load_b64 s[0:1], s[0:1], 0x0
.rept n
  m 1
.endr
.if n > 3
  s_cbranch_scc0 1f
.else
  s_nop 0
.endif
1: s_getpc_b64 s[4:5]
  s_add_u32 s4, s4, table@rel32@lo+4
  s_endpgm
.Lend:
.size k, .Lend-k
.rodata
table: .long 1, .Lend-k, 0x10
.quad k
.asciz "text\n"
.amdhsa_kernel k
  .amdhsa_next_free_vgpr .amdgcn.next_free_vgpr
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .args: [{.size: 8,
             .offset: 0}]
.end_amdgpu_metadata
)";

TEST(AsmFuzz, MutatedFiles) {
  std::mt19937 random(3);
  isa::amd::AsmSource good;
  good.text = kSource;
  const isa::amd::Assembly assembly = assemble(good);
  ASSERT_TRUE(assembly.diagnostics.empty()) << to_error(assembly.diagnostics[0]).message();
  for (int i = 0; i < 200; ++i) {
    const std::string text = mutated(mutated(std::string(kSource), random, std::string(kSource)), random, "");
    isa::amd::AsmSource source;
    source.text = text;
    const isa::amd::Assembly result = assemble(source);
    EXPECT_NE(result.object.empty(), result.diagnostics.empty());
    for (const isa::amd::Diagnostic& diagnostic : result.diagnostics)
      EXPECT_FALSE(to_error(diagnostic).message().empty());
  }
}

// Nesting and length have limits.
TEST(AsmFuzz, DeepAndLongLines) {
  const Target& target = *isa::amd::find_target("gfx1100");
  for (const char* piece : {"(", "-", "neg(", "abs(", "|", "~", "1+", "[", "v[", "sext("}) {
    std::string text = "v_add_f32 v0, ";
    for (int i = 0; i < 20'000; ++i) text += piece;
    try_line(target, text, false);
  }
}

}  // namespace mockgpu::tests::asm_fuzz_tests
