#include "emu/amd/wave/numerics/integer.h"

#include <gtest/gtest.h>

#include "emu/amd/wave/numerics/cube.h"
#include "tests/numerics/reference.h"

namespace numerics_test::integer_tests {

TEST(Integer, BitFields) {
  EXPECT_EQ(lane::bfe_u32(0x12345678u, 8, 12), 0x456u);
  EXPECT_EQ(lane::bfe_u32(0x12345678u, 40, 44), 0x456u);  // low 5 bits of offset and width
  EXPECT_EQ(lane::bfe_u32(0xffffffffu, 4, 0), 0u);
  EXPECT_EQ(lane::bfe_i32(0x00000f00u, 8, 4), 0xffffffffu);
  EXPECT_EQ(lane::bfe_i32(0x00000700u, 8, 4), 7u);
  EXPECT_EQ(lane::bfe_i32(0xffffffffu, 4, 0), 0u);
  EXPECT_EQ(lane::bfe_i32(0x80000000u, 28, 31), 8u);  // the field reaches beyond bit 31: zeros come in
  EXPECT_EQ(lane::bfi_b32(0x00ff00ffu, 0x11111111u, 0x22222222u), 0x22112211u);
  EXPECT_EQ(lane::bfm_b32(8, 4), 0xff0u);
  EXPECT_EQ(lane::bfm_b32(0, 4), 0u);
  EXPECT_EQ(lane::alignbit_b32(0x11223344u, 0x55667788u, 8), 0x44556677u);
  EXPECT_EQ(lane::alignbit_b32(0x11223344u, 0x55667788u, 32), 0x55667788u);
  EXPECT_EQ(lane::alignbyte_b32(0x11223344u, 0x55667788u, 7), 0x22334455u);
  Random random(15);
  for (int i = 0; i < 10000; ++i) {
    const std::uint32_t x = random.u32();
    std::uint32_t reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= ((x >> bit) & 1) << (31 - bit);
    ASSERT_EQ(lane::bfrev_b32(x), reversed);
  }
}

// Examples of the manual.
TEST(Integer, Counting) {
  EXPECT_EQ(lane::clz_i32_u32(0), 0xffffffffu);
  EXPECT_EQ(lane::clz_i32_u32(0x800000ffu), 0u);
  EXPECT_EQ(lane::clz_i32_u32(0x0000ffffu), 16u);
  EXPECT_EQ(lane::clz_i32_u32(1), 31u);
  EXPECT_EQ(lane::ctz_i32_b32(0), 0xffffffffu);
  EXPECT_EQ(lane::ctz_i32_b32(0xff000008u), 3u);
  EXPECT_EQ(lane::ctz_i32_b32(0x80000000u), 31u);
  EXPECT_EQ(lane::cls_i32(0), 0xffffffffu);
  EXPECT_EQ(lane::cls_i32(0x40000000u), 1u);
  EXPECT_EQ(lane::cls_i32(0x80000000u), 1u);
  EXPECT_EQ(lane::cls_i32(0x0fffffffu), 4u);
  EXPECT_EQ(lane::cls_i32(0xffff0000u), 16u);
  EXPECT_EQ(lane::cls_i32(0xfffffffeu), 31u);
  EXPECT_EQ(lane::cls_i32(0xffffffffu), 0xffffffffu);
  EXPECT_EQ(lane::bcnt_u32_b32(0xf0f0f0f1u, 100), 117u);
  for (std::uint32_t n = 0; n < 64; ++n) {
    const std::uint32_t low = lane::mbcnt_lo_u32_b32(0xffffffffu, 0, n);
    EXPECT_EQ(lane::mbcnt_hi_u32_b32(0xffffffffu, low, n), n);
  }
  EXPECT_EQ(lane::mbcnt_lo_u32_b32(0x0000000fu, 5, 2), 7u);
}

TEST(Integer, Multiplication) {
  Random random(16);
  for (int i = 0; i < 100000; ++i) {
    const std::uint32_t a = random.u32();
    const std::uint32_t b = random.u32();
    const std::uint64_t c = random.next();
    const std::int64_t sa = static_cast<std::int32_t>(a);
    const std::int64_t sb = static_cast<std::int32_t>(b);
    ASSERT_EQ(lane::mul_hi_u32(a, b), (static_cast<std::uint64_t>(a) * b) >> 32);
    ASSERT_EQ(lane::mul_hi_i32(a, b), static_cast<std::uint32_t>((sa * sb) >> 32));
    const std::uint64_t ua = a % (1u << 24);
    const std::uint64_t ub = b % (1u << 24);
    const std::int64_t ia = static_cast<std::int64_t>(ua) - (ua >= (1u << 23) ? 1 << 24 : 0);
    const std::int64_t ib = static_cast<std::int64_t>(ub) - (ub >= (1u << 23) ? 1 << 24 : 0);
    ASSERT_EQ(lane::mul_u32_u24(a, b), static_cast<std::uint32_t>(ua * ub));
    ASSERT_EQ(lane::mul_i32_i24(a, b), static_cast<std::uint32_t>(ia * ib));
    ASSERT_EQ(lane::mul_hi_u32_u24(a, b), static_cast<std::uint32_t>((ua * ub) >> 32));
    ASSERT_EQ(lane::mul_hi_i32_i24(a, b), static_cast<std::uint32_t>((ia * ib) >> 32));
    const auto c32 = static_cast<std::uint32_t>(c);
    ASSERT_EQ(lane::mad_u32_u24(a, b, c32), static_cast<std::uint32_t>(ua * ub + c32));
    ASSERT_EQ(lane::mad_i32_i24_sat(a, b, c32),
              static_cast<std::uint32_t>(std::clamp<std::int64_t>(ia * ib + static_cast<std::int32_t>(c32),
                                                                  -2147483648ll, 2147483647ll)));
    const Int128 wide = static_cast<Int128>(static_cast<std::uint64_t>(a) * b) + c;
    const auto u = lane::mad_u64_u32(a, b, c);
    ASSERT_EQ(u.value, static_cast<std::uint64_t>(wide));
    ASSERT_EQ(u.carry, (wide >> 64) != 0);
    const Int128 exact = static_cast<Int128>(sa * sb) + static_cast<std::int64_t>(c);
    const auto s = lane::mad_i64_i32(a, b, c);
    ASSERT_EQ(s.value, static_cast<std::uint64_t>(exact));
    ASSERT_EQ(s.carry, exact < 0);
  }
}

TEST(Integer, Sixteen) {
  Random random(17);
  for (int i = 0; i < 100000; ++i) {
    const std::uint16_t a = random.u16();
    const std::uint16_t b = random.u16();
    const std::uint16_t c = random.u16();
    const std::int64_t sa = static_cast<std::int16_t>(a);
    const std::int64_t sb = static_cast<std::int16_t>(b);
    const std::int64_t sc = static_cast<std::int16_t>(c);
    const auto u16 = [](std::int64_t x) {
      return static_cast<std::uint16_t>(std::clamp<std::int64_t>(x, 0, 65535));
    };
    const auto i16 = [](std::int64_t x) {
      return static_cast<std::uint16_t>(std::clamp<std::int64_t>(x, -32768, 32767));
    };
    ASSERT_EQ(lane::add_u16(a, b), static_cast<std::uint16_t>(a + b));
    ASSERT_EQ(lane::mad_u16(a, b, c), static_cast<std::uint16_t>(std::int64_t{a} * b + c));
    ASSERT_EQ(lane::add_u16_sat(a, b), u16(std::int64_t{a} + b));
    ASSERT_EQ(lane::sub_u16_sat(a, b), u16(std::int64_t{a} - b));
    ASSERT_EQ(lane::add_i16_sat(a, b), i16(sa + sb));
    ASSERT_EQ(lane::sub_i16_sat(a, b), i16(sa - sb));
    ASSERT_EQ(lane::mad_u16_sat(a, b, c), u16(std::int64_t{a} * b + c));
    ASSERT_EQ(lane::mad_i16_sat(a, b, c), i16(sa * sb + sc));
    ASSERT_EQ(lane::mad_u32_u16(a, b, c), static_cast<std::uint32_t>(std::uint64_t{a} * b + c));
    ASSERT_EQ(lane::mad_i32_i16(a, b, c), static_cast<std::uint32_t>(sa * sb + c));
  }
  EXPECT_EQ(lane::add_u32_sat(0xfffffff0u, 0x20u), 0xffffffffu);
  EXPECT_EQ(lane::sub_u32_sat(1, 2), 0u);
  EXPECT_EQ(lane::add_i32_sat(0x7fffffffu, 1), 0x7fffffffu);
  EXPECT_EQ(lane::sub_i32_sat(0x80000000u, 1), 0x80000000u);
  EXPECT_EQ(lane::ashr_i16(0x8000, 17), 0xc000);
  EXPECT_EQ(lane::lshl_b64(1, 65), 2u);
  EXPECT_EQ(lane::ashr_i32(0x80000000u, 33), 0xc0000000u);
}

TEST(Integer, Bytes) {
  EXPECT_EQ(lane::perm_b32(0x11223344u, 0x55667788u, 0x07040300u), 0x11445588u);
  EXPECT_EQ(lane::perm_b32(0x80000000u, 0x00008000u, 0x0d0c0b08u), 0xff00ffffu);
  EXPECT_EQ(lane::perm_b32(0x00008000u, 0x80000000u, 0x0a09ff0cu), 0xffffff00u);
  EXPECT_EQ(lane::sad_u8(0x01020304u, 0x04030201u, 10), 18u);
  EXPECT_EQ(lane::sad_hi_u8(0x01020304u, 0x04030201u, 10), 0x0008000au);
  EXPECT_EQ(lane::sad_u16(0x00010005u, 0x00030002u, 1), 6u);
  EXPECT_EQ(lane::sad_u32(3, 10, 1), 8u);
  EXPECT_EQ(lane::msad_u8(0x01020304u, 0x00030001u, 10), 14u);
  EXPECT_EQ(lane::lerp_u8(0x01020304u, 0x02020305u, 0x00000001u), 0x01020305u);
  EXPECT_EQ(lane::sat_pk_u8_i16(0xffff0123u), 0x000000ffu);
  EXPECT_EQ(lane::sat_pk_u8_i16(0x00ff0080u), 0x0000ff80u);
  EXPECT_EQ(lane::cvt_pk_u16_u32(0x12345u, 7), 0x0007ffffu);
  EXPECT_EQ(lane::cvt_pk_i16_i32(0xffff0000u, 0x8000u), 0x7fff8000u);
  // Bytes 0..7 of the first source against four equal reference bytes.
  EXPECT_EQ(lane::qsad_pk_u16_u8(0x0706050403020100u, 0x00000000u, 0x0004000300020001u), 0x00160011000c0007u);
  EXPECT_EQ(lane::mqsad_pk_u16_u8(0x0706050403020100u, 0x00000100u, 0x0004000300020001u),
            0x0007000500030001u);
  EXPECT_EQ(lane::mqsad_u32_u8(0x0706050403020100u, 0x01010101u, 100, 3), 114u);
  Random random(18);
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t a = random.u32();
    const std::uint32_t b = random.u32();
    const std::uint32_t c = random.u32();
    const std::uint32_t table = random.u32() & 0xff;
    std::uint32_t expected = 0;
    for (int bit = 0; bit < 32; ++bit) {
      const std::uint32_t index = ((a >> bit) & 1) << 2 | ((b >> bit) & 1) << 1 | ((c >> bit) & 1);
      expected |= ((table >> index) & 1) << bit;
    }
    ASSERT_EQ(lane::bitop3_b32(a, b, c, table), expected);
  }
}

TEST(Integer, Combined) {
  EXPECT_EQ(lane::lshl_add_u32(3, 33, 4), 10u);
  EXPECT_EQ(lane::add_lshl_u32(3, 4, 1), 14u);
  EXPECT_EQ(lane::lshl_or_b32(3, 4, 1), 0x31u);
  EXPECT_EQ(lane::and_or_b32(0xf0u, 0x3cu, 1), 0x31u);
  EXPECT_EQ(lane::xad_u32(0xf0u, 0x0fu, 1), 0x100u);
  EXPECT_EQ(lane::lshl_add_u64(0x100000000u, 4, 5), 0x1000000005u);
}

TEST(Cube, FacesAndCoordinates) {
  struct Case {
    float x, y, z, id, sc, tc, ma;
  };
  // The manual's table of faces: +x: sc=-z tc=-y; -x: z,-y; +y: x,z; -y: x,-z; +z: x,-y; -z: -x,-y.
  const Case cases[] = {{3, 1, 2, 0, -2, -1, 6},  {-3, 1, 2, 1, 2, -1, -6}, {1, 3, 2, 2, 1, 2, 6},
                        {1, -3, 2, 3, 1, -2, -6}, {1, 2, 3, 4, 1, -2, 6},   {1, 2, -3, 5, -1, -2, -6},
                        {2, -2, 2, 4, 2, 2, 4},   {2, 2, 1, 2, 2, 1, 4}};
  for (const Case& c : cases) {
    EXPECT_EQ(lane::cubeid(c.x, c.y, c.z), c.id);
    EXPECT_EQ(lane::cubesc(c.x, c.y, c.z), c.sc);
    EXPECT_EQ(lane::cubetc(c.x, c.y, c.z), c.tc);
    EXPECT_EQ(lane::cubema(c.x, c.y, c.z), c.ma);
  }
}

}  // namespace numerics_test::integer_tests
