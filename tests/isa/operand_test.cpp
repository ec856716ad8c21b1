// Decoded operands of the ALU. Encodings come from LLVM's assembler, expected values from AMD's RDNA3 ISA
// guide (operand selectors, literals, modifiers).
#include <gtest/gtest.h>

#include "tests/isa/decoding.h"

namespace mockgpu::isa::amd::operand_tests {

void expect_register(const Operand& operand, OperandKind kind, unsigned index, unsigned dwords) {
  EXPECT_EQ(operand.kind, kind);
  EXPECT_EQ(operand.index, index);
  EXPECT_EQ(operand.dwords, dwords);
}

void expect_vgpr(const Operand& operand, unsigned index, unsigned dwords = 1) {
  expect_register(operand, OperandKind::vgpr, index, dwords);
}

void expect_sgpr(const Operand& operand, unsigned index, unsigned dwords = 1) {
  expect_register(operand, OperandKind::sgpr, index, dwords);
}

void expect_constant(const Operand& operand, std::uint64_t value, bool literal = false) {
  EXPECT_EQ(operand.kind, OperandKind::constant);
  EXPECT_EQ(operand.value, value);
  EXPECT_EQ(operand.is_literal, literal);
}

TEST(Operands, RegistersOfVop2) {
  const Instruction add = decoded("02060206");  // v_add_f32 v1, s2, v3
  EXPECT_EQ(add.op, Op::v_add_f32);
  EXPECT_EQ(add.encoding, Encoding::vop2);
  ASSERT_EQ(add.operand_count, 3);
  expect_vgpr(add.operands[0], 1);
  EXPECT_TRUE(add.operands[0].is_dst);
  EXPECT_FALSE(add.operands[0].is_src);
  expect_sgpr(add.operands[1], 2);
  expect_vgpr(add.operands[2], 3);
  EXPECT_EQ(add.operands[2].format, Format::f32);
  EXPECT_EQ(add.operands[2].bits, 32);
}

TEST(Operands, ConstantsHaveTheWidthOfTheOperand) {
  expect_constant(decoded("f0060206").operands[1], 0x3f000000);                  // f32 0.5
  expect_constant(decoded("c1060206").operands[1], 0xffffffff);                  // f32 -1: an integer
  expect_constant(decoded("ff06020678563412").operands[1], 0x12345678, true);    // f32 literal
  expect_constant(decoded("f2040265").operands[1], 0x3c00);                      // f16 1.0
  expect_constant(decoded("020027d7f0080200").operands[1], 0x3fe0000000000000);  // f64 0.5
  expect_constant(decoded("f20182be").operands[1], 0x3ff0000000000000);          // s_mov_b64 1.0
  expect_constant(decoded("c10182be").operands[1], 0xffffffffffffffff);          // s_mov_b64 -1
  const Instruction u16 = decoded("010003d7f0820100");                           // v_add_nc_u16 0.5, -1
  expect_constant(u16.operands[1], 0x3800);
  expect_constant(u16.operands[2], 0xffff);
}

TEST(Operands, LiteralsOf64BitOperands) {
  const Instruction f64 = decoded("020027d7ff880100db0f4940");  // v_add_f64 v[2:3], 0x40490fdb, -4
  expect_constant(f64.operands[1], 0x40490fdb00000000, true);
  expect_constant(f64.operands[2], 0xfffffffffffffffc);
  expect_constant(decoded("02003cd784fe010000000080").operands[2], 0x80000000, true);          // u64
  expect_constant(decoded("02003ed784fe010000000080").operands[2], 0xffffffff80000000, true);  // i64
  const Instruction mov = decoded("ff01febe00000080");  // s_mov_b64 exec
  expect_sgpr(mov.operands[0], scalar::exec_lo, 2);
  expect_constant(mov.operands[1], 0x80000000, true);
}

TEST(Operands, PackedConstantsAreInTheLowHalf) {
  // v_pk_add_f16 v1, 1.0, v2 op_sel:[0,1] op_sel_hi:[0,1] neg_hi:[0,1]
  const Instruction add = decoded("01520fccf2040210");
  expect_constant(add.operands[1], 0x3c00);
  EXPECT_FALSE(add.operands[1].high);
  EXPECT_FALSE(add.operands[1].high2);
  EXPECT_TRUE(add.operands[2].high);
  EXPECT_TRUE(add.operands[2].high2);
  EXPECT_TRUE(add.operands[2].abs);  // neg_hi
  EXPECT_FALSE(add.operands[2].neg);
  expect_constant(decoded("01400accc1040218").operands[1], 0xffffffff);  // v_pk_add_u16 -1
}

TEST(Operands, HalvesOfVgprs) {
  const Instruction e32 = decoded("83050364");  // v_add_f16 v1.l, v3.h, v2.h
  expect_vgpr(e32.operands[0], 1);
  EXPECT_FALSE(e32.operands[0].high);
  expect_vgpr(e32.operands[1], 3);
  EXPECT_TRUE(e32.operands[1].high);
  expect_vgpr(e32.operands[2], 2);
  EXPECT_TRUE(e32.operands[2].high);
  EXPECT_EQ(e32.operands[2].bits, 16);
  const Instruction e64 = decoded("015048d602071200");  // v_fma_f16 v1.h, v2.l, v3.h, s4
  EXPECT_TRUE(e64.operands[0].high);
  EXPECT_FALSE(e64.operands[1].high);
  EXPECT_TRUE(e64.operands[2].high);
  expect_sgpr(e64.operands[3], 4);
  EXPECT_EQ(e64.mods.op_sel, 0b1010);
}

TEST(Operands, ComparesWriteVccAnyMaskOrExec) {
  for (bool wave64 : {false, true}) {
    const unsigned dwords = wave64 ? 2 : 1;
    const Instruction e32 = decoded("0104227c", wave64);  // v_cmp_lt_f32 vcc, s1, v2
    ASSERT_EQ(e32.operand_count, 3);
    expect_sgpr(e32.operands[0], scalar::vcc_lo, dwords);
    EXPECT_TRUE(e32.operands[0].is_dst);
    EXPECT_TRUE(e32.operands[0].tied);
    EXPECT_EQ(e32.operands[0].format, Format::lanemask);
    expect_sgpr(e32.operands[1], 1);
    const Instruction e64 = decoded("060011d401040200", wave64);  // v_cmp_lt_f32 s6, s1, v2
    expect_sgpr(e64.operands[0], 6, dwords);
    EXPECT_FALSE(e64.operands[0].tied);
    for (const char* cmpx : {"0104227d", "7e0091d401040200"}) {
      const Instruction inst = decoded(cmpx, wave64);
      EXPECT_EQ(inst.op, Op::v_cmpx_lt_f32);
      ASSERT_EQ(inst.operand_count, 3);
      expect_sgpr(inst.operands[0], scalar::exec_lo, dwords);
      EXPECT_TRUE(inst.operands[0].is_dst);
      expect_vgpr(inst.operands[2], 2);
      EXPECT_TRUE(form_flags(*inst.form).writes_exec);
    }
  }
}

TEST(Operands, CarryAndSelectNameVcc) {
  const Instruction select = decoded("02070202");  // v_cndmask_b32 v1, v2, v3, vcc_lo
  ASSERT_EQ(select.operand_count, 4);
  expect_sgpr(select.operands[3], scalar::vcc_lo);
  EXPECT_TRUE(select.operands[3].is_src);
  EXPECT_TRUE(select.operands[3].tied);
  expect_sgpr(decoded("010001d502071a00").operands[3], 6);
  const Instruction carry = decoded("02070240", true);  // v_add_co_ci_u32 v1, vcc, v2, v3, vcc
  ASSERT_EQ(carry.operand_count, 5);
  expect_sgpr(carry.operands[1], scalar::vcc_lo, 2);
  EXPECT_TRUE(carry.operands[1].is_dst);
  expect_sgpr(carry.operands[4], scalar::vcc_lo, 2);
  EXPECT_TRUE(carry.operands[4].is_src);
  const Instruction vop3 = decoded("010700d702070200");  // v_add_co_u32 v1, s7, v2, v3
  EXPECT_EQ(vop3.encoding, Encoding::vop3sd);
  expect_sgpr(vop3.operands[1], 7);
  expect_vgpr(vop3.operands[2], 2);
  const Instruction fmas = decoded("010037d602071204");  // v_div_fmas_f32 v1, v2, v3, v4
  ASSERT_EQ(fmas.operand_count, 5);
  expect_sgpr(fmas.operands[4], scalar::vcc_lo);
  const Instruction mad = decoded("027cfed6040b1d02");  // v_mad_u64_u32 v[2:3], null, v4, 5, 7
  expect_vgpr(mad.operands[0], 2, 2);
  expect_sgpr(mad.operands[1], scalar::null);
  expect_constant(mad.operands[4], 7);
  EXPECT_EQ(mad.operands[4].bits, 64);
}

TEST(Operands, DestinationsThatAreRead) {
  const Instruction fmac = decoded("02070256");  // v_fmac_f32 v1, v2, v3
  EXPECT_TRUE(fmac.operands[0].is_dst);
  EXPECT_TRUE(fmac.operands[0].is_src);
  const Instruction swap = decoded("02cb027e");  // v_swap_b32 v1, v2
  for (const Operand& operand : swap.ops()) EXPECT_TRUE(operand.is_dst && operand.is_src);
  const Instruction fmaak = decoded("0207025a00000040");  // v_fmaak_f32 v1, v2, v3, 0x40000000
  EXPECT_FALSE(fmaak.operands[0].is_src);
  expect_constant(fmaak.operands[3], 0x40000000, true);
}

TEST(Operands, DualInstructions) {
  // v_dual_add_f32 v1, v2, v3 :: v_dual_mov_b32 v4, 0x40490fdb
  const Instruction dual = decoded("020710c9ff000401db0f4940");
  EXPECT_EQ(dual.encoding, Encoding::vopd);
  EXPECT_EQ(dual.op, Op::v_add_f32);
  EXPECT_EQ(dual.op_y, Op::v_mov_b32);
  EXPECT_EQ(dual.y_begin, 3);
  ASSERT_EQ(dual.operand_count, 5);
  expect_vgpr(dual.operands[0], 1);
  expect_vgpr(dual.operands[2], 3);
  expect_vgpr(dual.operands[3], 4);
  expect_constant(dual.operands[4], 0x40490fdb, true);
  // v_dual_cndmask_b32 v1, v2, v3 :: v_dual_fmac_f32 v4, s3, v6
  const Instruction select = decoded("020740ca030c0401");
  EXPECT_EQ(select.y_begin, 4);
  expect_sgpr(select.operands[3], scalar::vcc_lo);
  EXPECT_TRUE(select.operands[4].is_src);
  expect_sgpr(select.operands[5], 3);
}

TEST(Operands, SignsAndResultModifiers) {
  const Instruction fma = decoded("018613d6020712b0");  // v_fma_f32 v1, -v2, |v3|, -|s4| clamp mul:4
  EXPECT_TRUE(fma.operands[1].neg);
  EXPECT_FALSE(fma.operands[1].abs);
  EXPECT_FALSE(fma.operands[2].neg);
  EXPECT_TRUE(fma.operands[2].abs);
  EXPECT_TRUE(fma.operands[3].neg);
  EXPECT_TRUE(fma.operands[3].abs);
  EXPECT_TRUE(fma.mods.clamp);
  EXPECT_EQ(fma.mods.omod, 2);
  // v_fma_mix_f32 v1, -v2, |v3|, v4 op_sel:[1,0,0] op_sel_hi:[1,0,0]
  const Instruction mix = decoded("010a20cc0207122c");
  EXPECT_TRUE(mix.operands[1].neg);
  EXPECT_TRUE(mix.operands[1].high);
  EXPECT_TRUE(mix.operands[1].high2);
  EXPECT_TRUE(mix.operands[2].abs);
  EXPECT_FALSE(mix.operands[2].high2);
  // v_fma_mix_f32 v5, 1.0, v2, v0: f32 without op_sel_hi, f16 with it.
  expect_constant(decoded("050020ccf2040204").operands[1], 0x3f800000);
  expect_constant(decoded("050020ccf204020c").operands[1], 0x3c00);
  // v_dot4_i32_iu8: neg says that a source is signed.
  const Instruction dot = decoded("014016cc0207123c");
  EXPECT_EQ(dot.mods.neg, 0b001);
  EXPECT_FALSE(dot.operands[1].neg);
  EXPECT_EQ(decoded("01085bd602071000").mods.op_sel, 0b01);  // v_permlane16_b32 op_sel:[1,0]
}

TEST(Operands, Dpp) {
  // v_mov_b32_dpp v1, v2 row_shr:3 row_mask:0xa bank_mask:0x5 bound_ctrl:1
  const Instruction mov = decoded("fa02027e021309a5");
  EXPECT_EQ(mov.mods.dpp, DppKind::dpp16);
  EXPECT_EQ(mov.mods.dpp_ctrl, 0x113);
  EXPECT_EQ(mov.mods.dpp_row_mask, 0xa);
  EXPECT_EQ(mov.mods.dpp_bank_mask, 0x5);
  EXPECT_TRUE(mov.mods.dpp_bound_ctrl);
  EXPECT_FALSE(mov.mods.dpp_fi);
  expect_vgpr(mov.operands[1], 2);
  // v_add_f32_dpp v1, -v2, |v3| quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf fi:1
  const Instruction add = decoded("fa060206021b94ff");
  EXPECT_EQ(add.mods.dpp_ctrl, 0x1b);
  EXPECT_TRUE(add.mods.dpp_fi);
  EXPECT_TRUE(add.operands[1].neg);
  EXPECT_TRUE(add.operands[2].abs);
  // v_add_f32_e64_dpp v1, v2, -v3 clamp dpp8:[7,6,5,4,3,2,1,0]
  const Instruction e64 = decoded("018003d5e906024002773905");
  EXPECT_EQ(e64.mods.dpp, DppKind::dpp8);
  EXPECT_EQ(e64.mods.dpp8, (std::array<std::uint8_t, 8>{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_TRUE(e64.operands[2].neg);
  EXPECT_TRUE(e64.mods.clamp);
  expect_vgpr(e64.operands[1], 2);
}

TEST(Operands, ScalarSelectors) {
  const Instruction m0 = decoded("7c00fdbe");  // s_mov_b32 m0, null
  expect_sgpr(m0.operands[0], scalar::m0);
  expect_sgpr(m0.operands[1], scalar::null);
  const Instruction base = decoded("eb0081be");  // s_mov_b32 s1, src_shared_base
  expect_register(base.operands[1], OperandKind::special, scalar::shared_base, 1);
  // s_mov_b64 s[2:3], s[5:6]: the lowest bit of a 64-bit operand is ignored.
  expect_sgpr(decoded("050182be").operands[1], 4, 2);
  const Instruction lane = decoded("010060d7023f0100");  // v_readlane_b32 s1, v2, 31
  expect_sgpr(lane.operands[0], 1);
  EXPECT_TRUE(lane.operands[0].is_dst);
  expect_vgpr(lane.operands[1], 2);
  expect_constant(lane.operands[2], 31);
}

TEST(Operands, ScalarImmediates) {
  auto value = [](const char* hex, unsigned i) {
    const Instruction inst = decoded(hex);
    EXPECT_EQ(inst.operands[i].kind, OperandKind::immediate);
    return inst.operands[i].value;
  };
  EXPECT_EQ(static_cast<std::int64_t>(value("fdffa0bf", 0)), -3);  // s_branch -3
  EXPECT_EQ(static_cast<std::int64_t>(value("fbff01b0", 1)), -5);  // s_movk_i32 s1, -5
  EXPECT_EQ(value("ffff01b5", 1), 0xffffu);                        // s_cmpk_lg_u32 s1, 0xffff
  EXPECT_EQ(value("f70389bf", 0), 0x3f7u);                         // s_waitcnt vmcnt(0)
  EXPECT_EQ(value("834d82be", 1), 0x83u);                          // s_sendmsg_rtn_b64 GET_REALTIME
  const Instruction setreg = decoded("013880b9ff000000");  // s_setreg_imm32_b32 hwreg(MODE, 0, 8), 0xff
  EXPECT_EQ(setreg.operands[0].value, 0x3801u);
  expect_constant(setreg.operands[1], 0xff, true);
}

TEST(Operands, MatricesHaveHalfTheResultRegistersInWave64) {
  const Instruction wave32 = decoded("084040cc1031221c");  // v_wmma_f32_16x16x16_f16 v[8:15], v[16:23]...
  for (const Operand& operand : wave32.ops()) EXPECT_EQ(operand.dwords, 8);
  const Instruction wave64 = decoded("084040cc1031221c", true);
  EXPECT_EQ(wave64.operands[0].dwords, 4);
  EXPECT_EQ(wave64.operands[1].dwords, 8);
  EXPECT_EQ(wave64.operands[3].dwords, 4);
  const Instruction iu8 = decoded("084044cc0009061a");  // v_wmma_i32_16x16x16_iu8 v[8:15], v[0:3], v[4:7], 1
  EXPECT_EQ(iu8.operands[1].dwords, 4);
  expect_constant(iu8.operands[3], 1);
}

}  // namespace mockgpu::isa::amd::operand_tests
