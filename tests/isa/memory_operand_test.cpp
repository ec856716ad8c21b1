// Decoded operands of memory instructions. Encodings come from LLVM's assembler, expected values from AMD's
// RDNA3 ISA guide (chapters on scalar memory, vector memory, FLAT and LDS).
#include <gtest/gtest.h>

#include "tests/isa/decoding.h"

namespace mockgpu::isa::amd::memory_operand_tests {

void expect_register(const Operand& operand, OperandKind kind, unsigned index, unsigned dwords) {
  EXPECT_EQ(operand.kind, kind);
  EXPECT_EQ(operand.index, index);
  EXPECT_EQ(operand.dwords, dwords);
}

void expect_none(const Operand& operand) {
  EXPECT_EQ(operand.kind, OperandKind::none);
  EXPECT_FALSE(operand.is_dst);
  EXPECT_FALSE(operand.is_src);
}

TEST(MemoryOperands, Scalar) {
  const Instruction load = decoded("010208f4f0ff1ff8");  // s_load_b128 s[8:11], s[2:3], -0x10
  expect_register(load.operands[0], OperandKind::sgpr, 8, 4);
  EXPECT_TRUE(load.operands[0].is_dst);
  expect_register(load.operands[1], OperandKind::sgpr, 2, 2);
  expect_none(load.operands[2]);
  EXPECT_EQ(load.mods.offset, -16);
  const Instruction both = decoded("010204f42000000a");  // s_load_b64 s[8:9], s[2:3], s5 offset:0x20
  expect_register(both.operands[2], OperandKind::sgpr, 5, 1);
  EXPECT_EQ(both.mods.offset, 0x20);
}

TEST(MemoryOperands, Lds) {
  const Instruction load = decoded("3412d8d802000001");  // ds_load_b32 v1, v2 offset:4660
  expect_register(load.operands[0], OperandKind::vgpr, 1, 1);
  expect_register(load.operands[1], OperandKind::vgpr, 2, 1);
  EXPECT_EQ(load.mods.offset, 4660);
  const Instruction two = decoded("03ffdcd905000001");  // ds_load_2addr_b64 v[1:4], v5 offset0:3 offset1:255
  expect_register(two.operands[0], OperandKind::vgpr, 1, 4);
  EXPECT_EQ(two.mods.offset, 0);
  EXPECT_EQ(two.mods.offset0, 3);
  EXPECT_EQ(two.mods.offset1, 255);
}

TEST(MemoryOperands, Global) {
  const Instruction saddr = decoded("f81f52dc02000401");  // global_load_b32 v1, v2, s[4:5] offset:-8
  expect_register(saddr.operands[1], OperandKind::vgpr, 2, 1);
  expect_register(saddr.operands[2], OperandKind::sgpr, 4, 2);
  EXPECT_EQ(saddr.mods.offset, -8);
  const Instruction off = decoded("ff0f56dc03007c01");  // global_load_b64 v[1:2], v[3:4], off offset:4095
  expect_register(off.operands[0], OperandKind::vgpr, 1, 2);
  expect_register(off.operands[1], OperandKind::vgpr, 3, 2);
  EXPECT_EQ(off.operands[1].bits, 64);
  expect_none(off.operands[2]);
  EXPECT_EQ(off.mods.offset, 4095);
}

TEST(MemoryOperands, AtomicsReturnOnlyWithGlc) {
  const Instruction quiet = decoded("0000d6dc01020400");  // global_atomic_add_u32 v1, v2, s[4:5]
  expect_none(quiet.operands[0]);
  expect_register(quiet.operands[1], OperandKind::vgpr, 1, 1);
  expect_register(quiet.operands[2], OperandKind::vgpr, 2, 1);
  const Instruction returns = decoded("0040d6dc01020403");  // global_atomic_add_u32 v3, v1, v2, s[4:5] glc
  EXPECT_TRUE(returns.mods.glc);
  expect_register(returns.operands[0], OperandKind::vgpr, 3, 1);
  EXPECT_TRUE(returns.operands[0].is_dst);
  EXPECT_TRUE(form_flags(*returns.form).atomic);
}

TEST(MemoryOperands, FlatHasNoSaddrAndAnUnsignedOffset) {
  const Instruction store = decoded("100068dc01037c00");  // flat_store_b32 v[1:2], v3 offset:16
  ASSERT_EQ(store.operand_count, 2);
  expect_register(store.operands[0], OperandKind::vgpr, 1, 2);
  expect_register(store.operands[1], OperandKind::vgpr, 3, 1);
  EXPECT_EQ(store.mods.offset, 16);
}

TEST(MemoryOperands, Scratch) {
  const Instruction both = decoded("fc1f69dc01028300");  // scratch_store_b32 v1, v2, s3 offset:-4
  expect_register(both.operands[0], OperandKind::vgpr, 1, 1);
  expect_register(both.operands[1], OperandKind::vgpr, 2, 1);
  expect_register(both.operands[2], OperandKind::sgpr, 3, 1);
  EXPECT_TRUE(both.mods.sve);
  EXPECT_EQ(both.mods.offset, -4);
  const Instruction saddr = decoded("000051dc00000301");  // scratch_load_b32 v1, off, s3
  expect_none(saddr.operands[1]);
  expect_register(saddr.operands[2], OperandKind::sgpr, 3, 1);
  const Instruction neither = decoded("0c0051dc00007c01");  // scratch_load_b32 v1, off, off offset:12
  expect_none(neither.operands[1]);
  expect_none(neither.operands[2]);
  EXPECT_EQ(neither.mods.offset, 12);
}

TEST(MemoryOperands, Buffers) {
  // buffer_load_b64 v[1:2], v[3:4], s[8:11], s5 idxen offen offset:100 glc
  const Instruction load = decoded("644054e00301c205");
  expect_register(load.operands[0], OperandKind::vgpr, 1, 2);
  expect_register(load.operands[1], OperandKind::vgpr, 3, 2);
  expect_register(load.operands[2], OperandKind::sgpr, 8, 4);
  expect_register(load.operands[3], OperandKind::sgpr, 5, 1);
  EXPECT_TRUE(load.mods.idxen && load.mods.offen && load.mods.glc);
  EXPECT_EQ(load.mods.offset, 100);
  const Instruction store = decoded("000068e0000102c0");  // buffer_store_b32 v1, off, s[8:11], 64
  EXPECT_FALSE(store.operands[0].is_dst);
  expect_none(store.operands[1]);
  EXPECT_EQ(store.operands[3].kind, OperandKind::constant);
  EXPECT_EQ(store.operands[3].value, 64u);
  // tbuffer_load_format_x v1, v2, s[8:11], 0 format:[BUF_FMT_32_FLOAT] idxen offset:8
  const Instruction typed = decoded("0800b0e802018280");
  EXPECT_EQ(typed.mods.format, 22);
}

TEST(MemoryOperands, ImagesNameAddressesOneByOneOrAsARange) {
  // image_load v[0:3], [v5, v7], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
  const Instruction nsa = decoded("050f00f00500020007000000");
  ASSERT_EQ(nsa.operand_count, 4);
  expect_register(nsa.operands[0], OperandKind::vgpr, 0, 4);
  expect_register(nsa.operands[1], OperandKind::vgpr, 5, 1);
  expect_register(nsa.operands[2], OperandKind::vgpr, 7, 1);
  expect_register(nsa.operands[3], OperandKind::sgpr, 8, 8);
  const Instruction range = decoded("040f00f005000200");
  ASSERT_EQ(range.operand_count, 3);
  expect_register(range.operands[1], OperandKind::vgpr, 5, 2);
}

TEST(Flags, ControlFlowAndEffects) {
  auto flags = [](const char* hex) { return form_flags(*decoded(hex).form); };
  EXPECT_TRUE(flags("0000b0bf").terminator);  // s_endpgm
  EXPECT_TRUE(flags("0000b0bf").no_fallthrough);
  EXPECT_FALSE(flags("0000b0bf").branch);
  EXPECT_TRUE(flags("0000bdbf").barrier);  // s_barrier
  EXPECT_FALSE(flags("fdffa0bf").barrier);
  EXPECT_TRUE(flags("fdffa0bf").branch && flags("fdffa0bf").no_fallthrough);   // s_branch
  EXPECT_TRUE(flags("ffffa3bf").branch && !flags("ffffa3bf").no_fallthrough);  // s_cbranch_vccz
  EXPECT_TRUE(flags("ffffa3bf").reads_vcc);
  EXPECT_TRUE(flags("044982be").call && flags("044982be").branch);             // s_swappc_b64
  EXPECT_TRUE(flags("1e4880be").branch && flags("1e4880be").no_fallthrough);   // s_setpc_b64
  EXPECT_TRUE(flags("6a2081be").writes_exec && flags("6a2081be").writes_scc);  // s_and_saveexec_b32
  EXPECT_TRUE(flags("024b027e").approximate && flags("024b027e").trans);       // v_exp_f32
  EXPECT_FALSE(flags("02060206").approximate);                                 // v_add_f32
  EXPECT_TRUE(flags("02060206").reads_mode && flags("02060206").reads_exec);
  EXPECT_TRUE(flags("f81f52dc02000401").load && flags("f81f52dc02000401").vmcnt);  // global_load_b32
  EXPECT_TRUE(flags("3412d8d802000001").lgkmcnt);                                  // ds_load_b32
}

}  // namespace mockgpu::isa::amd::memory_operand_tests
