// `mockgpu dis`: code objects and single encodings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/process.h"

namespace mockgpu::test::dis_tests {

using testing::HasSubstr;
using testing::Not;

TEST(Dis, HexPrintsOneLineForEach) {
  // Texts are those of llvm-mc.
  const Ended ended = mockgpu({"dis", "--target", "gfx1100", "--hex"},
                              "0202067e\n"
                              "02 07 04 06\n"
                              "0x00,0x00,0xb0,0xbf\n"
                              "[0x00, 0x00, 0x52, 0xdc, 0x01, 0x00, 0x04, 0x02]\n");
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_EQ(ended.out,
            "v_mov_b32_e32 v3, s2\n"
            "v_add_f32_e32 v2, v2, v3\n"
            "s_endpgm\n"
            "global_load_b32 v2, v1, s[4:5]\n");
}

TEST(Dis, BadEncodingsAreFindings) {
  // No instruction, no hex, too short, two instructions, an empty line.
  const Ended ended =
      mockgpu({"dis", "--target", "gfx1100", "--hex"}, "00ff80be\nxyz\n0000\n0000b0bf0000b0bf\n\n0000b0bf\n");
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.out,
            "<undecodable>\n<undecodable>\n<undecodable>\n<undecodable>\n<undecodable>\ns_endpgm\n");
}

TEST(Dis, Wave64HasWideLaneMasks) {
  const std::string compare = "a500947c\n";  // v_cmp_eq_u32 vcc, 37, v0
  EXPECT_EQ(mockgpu({"dis", "--target", "gfx1100", "--hex"}, compare).out,
            "v_cmp_eq_u32_e32 vcc_lo, 37, v0\n");
  EXPECT_EQ(mockgpu({"dis", "--target", "gfx1100", "--hex", "--wave64"}, compare).out,
            "v_cmp_eq_u32_e32 vcc, 37, v0\n");
}

// Where waves have one size only, nothing needs to say so.
TEST(Dis, WaveSizeOfTheTarget) {
  EXPECT_EQ(mockgpu({"dis", "--target", "gfx900", "--hex"}, "0003947d\n").out,
            "v_cmp_eq_u32_e32 vcc, v0, v1\n");
  for (const char* command : {"dis", "asm"})
    EXPECT_THAT(mockgpu({command, "--target", "gfx1250", "--hex", "--wave64"}, "\n").err,
                HasSubstr("gfx1250 has no waves of 64 lanes"));
  EXPECT_THAT(mockgpu({"dis", "--wave64", code_object("gfx1100/vecadd")}).err,
              HasSubstr("--wave64 is for --hex"));
}

TEST(Dis, CodeObject) {
  const Ended all = mockgpu({"dis", code_object("gfx1100/vecadd")});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("<vecadd>:"));
  EXPECT_THAT(all.out, HasSubstr("<strided>:"));
  EXPECT_THAT(all.out, HasSubstr("s_endpgm"));
  const Ended one = mockgpu({"dis", code_object("gfx1100/vecadd"), "--kernel", "vecadd"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("<vecadd>:"));
  EXPECT_THAT(one.out, Not(HasSubstr("<strided>:")));
}

TEST(Dis, UndecodableBytesInACodeObject) {
  const Ended ended = mockgpu({"dis", code_object("gfx1100/undecodable")});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("<undecodable>"));
  EXPECT_THAT(ended.out, HasSubstr("s_endpgm"));
}

}  // namespace mockgpu::test::dis_tests
