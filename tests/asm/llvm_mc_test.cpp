// Our text of random legal instructions is what LLVM's assembler reads as the same bytes: llvm-mc-19 where it
// knows the target and the spelling, else llvm-mc-22.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "isa/amd/asm/parsed.h"
#include "isa/amd/disassemble.h"
#include "tests/asm/llvm_mc.h"
#include "tests/asm/rows.h"

namespace mockgpu::tests::llvm_mc_tests {

using namespace asm_rows;
using isa::amd::Instruction;
using isa::amd::Target;

// Where LLVM's assembler, and not our text, is at fault: it refuses what its own disassembler prints, or
// drops what it has read. Each must still be needed.
struct Limit {
  const char* reason;
  std::string_view columns;  // "" is all
  const char* pattern;
  std::size_t uses = 0;
};

std::vector<Limit> limits() {
  return {
      {"op_sel of v_fmac_f16 has four places in its text and three when it is read",
       "rdna3 rdna35 rdna4 gfx1250", "v_fmac_f16_e64.* op_sel:"},
      {"bits of cache policy are dropped from buffer and FLAT atomics", "cdna2 rdna1 rdna2",
       "_atomic_.* (scc|dlc)( |$)"},
      {"v_pk_fmac_f16 has no source modifiers in SDWA", "cdna1 cdna2 cdna3 cdna4",
       "v_pk_fmac_f16_sdwa .*sext"},
      {"literals of doubles have no sign modifiers", "", "_f64.*(\\||neg\\()0x"},
      {"no register class for a gather of 16 bits with tfe", "", "image_gather4.* tfe.* d16"},
      {"fma_mix takes literals of 16 bits only", "", "v_(fma|mad)_mix"},
      {"float constants of v_pk_fmac_f16 become literals in LLVM 22, as they do not in LLVM 19", "gfx1250",
       "v_pk_fmac_f16 .*, -?[0-4]\\.[0-9]+, "},
      {"dot2acc_f32_bf16 is put into VOPD3 always, with its rules", "gfx1250", "v_dual_dot2acc_f32_bf16"},
  };
}

// Bytes with a random part of their bits changed.
std::vector<std::byte> shaken(std::vector<std::byte> bytes, unsigned rounds, std::mt19937& random) {
  for (std::byte& byte : bytes) {
    unsigned mask = 0xff;
    for (unsigned i = 0; i < rounds; ++i) mask &= static_cast<unsigned>(random());
    byte ^= static_cast<std::byte>(mask);
  }
  return bytes;
}

std::string text_of(const Target& target, const std::string& hex, bool wave64) {
  Instruction instruction;
  return decode(target, from_hex(hex), wave64, instruction) ? disassemble(target, instruction, wave64) : "";
}

struct Line {
  std::string text, hex;  // ours
};

// The golden rows and variants of each with random fields, as far as our assembler finds them legal.
std::vector<Line> legal_lines(const Column& column, const Target& target, bool wave64, std::mt19937& random) {
  constexpr unsigned kVariants = 9;  // the row itself, and others with ever fewer bits changed
  const isa::amd::NoSymbols symbols;
  std::set<std::string> seen;
  std::vector<Line> lines;
  for (const Row& row : read_rows(column)) {
    if ((row.wave64 || !target.wave32) != wave64) continue;
    for (unsigned variant = 0; variant < kVariants; ++variant) {
      const std::vector<std::byte> bytes = from_hex(row.hex);
      Instruction instruction;
      if (!decode(target, variant ? shaken(bytes, 1 + (variant + 1) / 2, random) : bytes, wave64,
                  instruction))
        continue;
      const std::string text = disassemble(target, instruction, wave64);
      if (!seen.insert(text).second) continue;
      try {
        lines.push_back({text, to_hex(parse_instruction(target, wave64, text, symbols).bytes)});
      } catch (const isa::amd::Mismatch&) {
        // Illegal: tests/asm/error_test.cpp.
      }
    }
  }
  return lines;
}

std::vector<llvm_mc::Encoded> reference(const Column& column, bool wave64, const std::vector<Line>& lines) {
  std::vector<std::string> texts;
  for (const Line& line : lines) texts.push_back(line.text);
  std::vector<llvm_mc::Encoded> encoded(lines.size());
  const std::string_view target = column.target;
  if (llvm_mc::is_installed(19) && target != "gfx950" && target != "gfx1250")
    encoded = llvm_mc::assemble(19, target, wave64, texts);
  std::vector<std::string> others;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // LLVM 19 reads lit(x) as x.
    if (!encoded[i].hex.empty() && texts[i].find("lit(") == std::string::npos) continue;
    others.push_back(texts[i]);
    places.push_back(i);
  }
  if (!llvm_mc::is_installed(22)) return encoded;
  const std::vector<llvm_mc::Encoded> newer = llvm_mc::assemble(22, target, wave64, others);
  for (std::size_t i = 0; i < places.size(); ++i) encoded[places[i]] = newer[i];
  return encoded;
}

TEST(LlvmMc, ReadsOurTextAsTheSameBytes) {
  if (!llvm_mc::is_installed(22)) GTEST_SKIP() << "llvm-mc-22 is not installed";
  std::mt19937 random(1);
  std::vector<Limit> known = limits();
  for (const Column& column : columns()) {
    const Target& target = *isa::amd::find_target(column.target);
    std::size_t all = 0, same = 0, other_encoding = 0, excused = 0;
    std::string misses;
    for (bool wave64 : {false, true}) {
      const std::vector<Line> lines = legal_lines(column, target, wave64, random);
      if (lines.empty()) continue;
      const std::vector<llvm_mc::Encoded> theirs = reference(column, wave64, lines);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        ++all;
        if (theirs[i].hex == lines[i].hex) {
          ++same;
          continue;
        }
        // Another encoding of the same instruction.
        if (!theirs[i].hex.empty() &&
            text_of(target, theirs[i].hex, wave64) == text_of(target, lines[i].hex, wave64)) {
          ++other_encoding;
          continue;
        }
        bool named = false;
        for (Limit& limit : known) {
          named = (limit.columns.empty() || limit.columns.find(column.name) != limit.columns.npos) &&
                  testing::Value(lines[i].text, testing::ContainsRegex(limit.pattern));
          limit.uses += named;
          if (named) break;
        }
        excused += named;
        if (!named)
          misses += fmt::format("  {}: \"{}\" is {} for LLVM\n", lines[i].hex, lines[i].text,
                                theirs[i].hex.empty() ? theirs[i].error : theirs[i].hex);
      }
    }
    fmt::print(
        "{}: {} of {} instructions have LLVM's bytes, {} another encoding, {} are beyond its assembler\n{}",
        column.name, same, all, other_encoding, excused, misses);
    EXPECT_GT(all, 2000u) << column.name;
    EXPECT_LT(other_encoding + excused, all / 100) << column.name;
    EXPECT_EQ(misses, "") << column.name;
  }
  for (const Limit& limit : known) EXPECT_GT(limit.uses, 0u) << "no longer needed: " << limit.reason;
}

}  // namespace mockgpu::tests::llvm_mc_tests
