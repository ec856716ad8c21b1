#include <fmt/format.h>
#include <gtest/gtest.h>

#include "isa/amd/asm/parsed.h"
#include "tests/asm/rows.h"

namespace mockgpu::tests::parse_tests {

using namespace asm_rows;
using isa::amd::Mismatch;

std::string assembled(std::string_view text, const char* target = "gfx1100", bool wave64 = false) {
  try {
    const isa::amd::NoSymbols symbols;
    return to_hex(isa::amd::parse_instruction(*isa::amd::find_target(target), wave64, text, symbols).bytes);
  } catch (const Mismatch& mismatch) {
    return fmt::format("{}: {}", mismatch.column, mismatch.message);
  }
}

// What LLVM 22 prints assembles to the bytes it was printed for.
TEST(Parse, GoldenTextGivesGoldenBytes) {
  for (const Column& column : columns()) {
    std::size_t rows = 0, same = 0;
    std::string misses;
    for (const Row& row : read_rows(column)) {
      if (!row.canonical) continue;
      const std::string hex = assembled(row.text, column.target, row.wave64);
      ++rows;
      same += hex == row.hex;
      if (hex != row.hex) misses += fmt::format("  {}: \"{}\" gave {}\n", row.hex, row.text, hex);
    }
    const double percent = 100.0 * static_cast<double>(same) / static_cast<double>(rows);
    fmt::print("{}: {} of {} rows, {:.2f} %\n{}", column.name, same, rows, percent, misses);
    EXPECT_GT(rows, 1000u) << column.name;
    EXPECT_GE(percent, 99.9);
  }
}

struct Case {
  const char* text;
  const char* hex;
};

// By llvm-mc-22 -mcpu=gfx1100: the smallest encoding, and operands in other spellings.
TEST(Parse, ChoosesTheEncodingAsLlvmDoes) {
  const Case cases[] = {
      {"v_add_f32 v1, v2, v3", "02070206"},
      {"v_add_f32 v1, v2, s3", "010003d502070000"},
      {"v_add_f32 v1, -v2, v3", "010003d502070220"},
      {"v_add_f32_e64 v1, v2, v3", "010003d502070200"},
      {"v_cmp_eq_u32 vcc_lo, s1, v2", "0104947c"},
      {"v_cmp_eq_u32 s4, s1, v2", "04004ad401040200"},
      {"v_mov_b32 v1, v2 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf", "fa02027e02e400ff"},
      {"v_mov_b32_dpp v1, v2 row_mirror", "fa02027e024001ff"},
      {"s_mov_b32 s0, 1.0", "f20080be"},
      {"s_mov_b32 s0, 0x3f800000", "f20080be"},
      {"s_mov_b32 s0, 0xffffffff", "c10080be"},
      {"s_mov_b32 s0, lit(1)", "ff0080be01000000"},
      {"s_mov_b32 s0, (1<<4)+2", "920080be"},
      {"s_mov_b64 s[0:1], vcc", "6a0180be"},
      {"s_mov_b64 [s0,s1], exec", "7e0180be"},
      {"v_fma_f32 v0, abs(v1), neg(v2), -|v3|", "000513d601050ec4"},
      {"s_waitcnt vmcnt(0) & lgkmcnt(1)", "170089bf"},
      {"s_waitcnt 0", "000089bf"},
      {"global_load_b32 v1, v[2:3], off offset:-8", "f81f52dc02007c01"},
      {"global_atomic_add_u32 v1, v2, v3, s[4:5] glc", "0040d6dc02030401"},
      {"global_atomic_add_u32 v2, v3, s[4:5]", "0000d6dc02030400"},
  };
  for (const Case& test : cases) EXPECT_EQ(assembled(test.text), test.hex) << test.text;
}

// What older generations call an instruction, by llvm-mc-22.
TEST(Parse, TakesOldNames) {
  struct Old {
    const char *target, *text, *hex;
  };
  const Old cases[] = {
      {"gfx1100", "ds_read_b32 v0, v1", "0000d8d801000000"},
      {"gfx1100", "ds_write_b64 v0, v[2:3]", "000034d900020000"},
      {"gfx1100", "global_load_dword v0, v[2:3], off", "000052dc02007c00"},
      {"gfx1100", "buffer_load_dword v0, off, s[0:3], 0", "000050e000000080"},
      {"gfx1100", "s_load_dwordx2 s[0:1], s[2:3], 0", "010004f4000000f8"},
      {"gfx1100", "s_andn2_b32 s0, s1, s2", "01020091"},
      {"gfx1100", "s_ff1_i32_b32 s0, s1", "010880be"},
      {"gfx1200", "v_max_f32_e32 v0, v1, v2", "0105002c"},
      {"gfx1200", "s_add_i32 s0, s1, s2", "01020081"},
      {"gfx1200", "global_atomic_add v[2:3], v0, off", "7c400dee0000000002000000"},
      {"gfx1250", "v_mad_u64_u32 v[0:1], s0, v2, v3, v[4:5]", "0000fed602071204"},
  };
  for (const Old& test : cases) EXPECT_EQ(assembled(test.text, test.target), test.hex) << test.text;
  // Newer names are none of an older target's.
  EXPECT_EQ(assembled("ds_load_b32 v0, v1", "gfx900").substr(0, 3), "0: ");
}

}  // namespace mockgpu::tests::parse_tests
