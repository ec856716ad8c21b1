// Decoded instructions to records: every vector memory instruction of gfx1100 has semantics, except those
// listed here, and modifiers that are not understood are refused.
#include <set>

#include "isa/amd/target.h"
#include "tests/vmem/machine.h"

namespace mockgpu::tests::prepare_tests {

using Words = std::array<std::uint32_t, 2>;

bool decode(Words words, Instruction& out) {
  std::array<std::byte, 16> bytes{};
  std::memcpy(bytes.data(), words.data(), 8);
  return isa::amd::decode(*isa::amd::find_target("gfx1100"), bytes, false, out);
}

bool prepare(const Instruction& instruction, std::vector<emu::amd::Record>* records = nullptr) {
  emu::amd::Preparer preparer(*isa::amd::find_target("gfx1100"), false);
  preparer.begin_instruction(0, 8);
  const bool known = prepare_memory(instruction, *emu::amd::find_level("baseline"), preparer);
  EXPECT_TRUE(known || preparer.records().empty());
  if (records) *records = preparer.records();
  return known;
}

// Encodings as llvm-mc prints them, with the opcode in bits 25:18.
constexpr std::uint32_t op_bits(unsigned op) { return op << 18; }
const std::vector<Words> kForms = {
    {0xd8000000, 0x05040302},  // DS
    {0xdc000000, 0x017c0402},  // FLAT
    {0xdc010000, 0x017c0402},  // SCRATCH saddr
    {0xdc010000, 0x01fc0402},  // SCRATCH vaddr
    {0xdc020000, 0x017c0402},  // GLOBAL vaddr
    {0xdc020000, 0x01040402},  // GLOBAL saddr
    {0xdc024000, 0x01040402},  // GLOBAL saddr, glc
    {0xe0000000, 0x08410102},  // MUBUF offen
    {0xe0000000, 0x80c10102},  // MUBUF idxen offen, soffset 0
};

TEST(PrepareMemory, EveryInstructionHasSemanticsButThese) {
  // GDS and its wave-global sync, ordered append, BVH stack: nothing of compute kernels. LDS-direct loads
  // exist in AMD's XML alone.
  const std::set<std::string> without = {"ds_gws_sema_release_all",
                                         "ds_gws_init",
                                         "ds_gws_sema_v",
                                         "ds_gws_sema_br",
                                         "ds_gws_sema_p",
                                         "ds_gws_barrier",
                                         "ds_ordered_count",
                                         "ds_add_gs_reg_rtn",
                                         "ds_sub_gs_reg_rtn",
                                         "ds_bvh_stack_rtn_b32",
                                         "global_load_lds_addtid_b32",
                                         "global_load_lds_u8",
                                         "global_load_lds_i8",
                                         "global_load_lds_u16",
                                         "global_load_lds_i16",
                                         "global_load_lds_b32",
                                         "scratch_load_lds_u8",
                                         "scratch_load_lds_i8",
                                         "scratch_load_lds_u16",
                                         "scratch_load_lds_i16",
                                         "scratch_load_lds_b32",
                                         "buffer_load_lds_u8",
                                         "buffer_load_lds_i8",
                                         "buffer_load_lds_u16",
                                         "buffer_load_lds_i16",
                                         "buffer_load_lds_b32",
                                         "buffer_load_lds_format_x"};
  std::set<std::string> refused, decoded;
  for (const Words& form : kForms) {
    for (unsigned op = 0; op < 256; ++op) {
      Instruction instruction;
      if (!decode({form[0] | op_bits(op), form[1]}, instruction)) continue;
      const std::string name(isa::amd::op_name(instruction.op));
      decoded.insert(name);
      // An SGPR base is part of what addtid means.
      if (name.find("addtid") != std::string::npos && form[1] == 0x017c0402) continue;
      if (!prepare(instruction)) refused.insert(name);
    }
  }
  for (unsigned op = 0; op < 16; ++op) {
    Instruction instruction;
    ASSERT_TRUE(decode({0xe8b00000 | op << 15, 0x08410102}, instruction)) << op;
    decoded.insert(std::string(isa::amd::op_name(instruction.op)));
    EXPECT_TRUE(prepare(instruction)) << isa::amd::op_name(instruction.op);
  }
  EXPECT_EQ(refused, without);
  EXPECT_GT(decoded.size(), 350u);
}

TEST(PrepareMemory, ModifiersWithoutSemanticsAreRefused) {
  Instruction instruction;
  ASSERT_TRUE(decode({0xd8020004, 0x00000201}, instruction));  // ds_add_u32 v1, v2 offset:4 gds
  EXPECT_TRUE(instruction.mods.gds);
  EXPECT_FALSE(prepare(instruction));
  ASSERT_TRUE(decode({0xe0500000, 0x08610102}, instruction));  // buffer_load_b32 ... offen tfe
  EXPECT_TRUE(instruction.mods.tfe);
  EXPECT_FALSE(prepare(instruction));
  ASSERT_TRUE(decode({0xf0000100, 0x00010001}, instruction));  // image_load v0, v1, s[4:11]
  EXPECT_FALSE(prepare(instruction));
}

TEST(PrepareMemory, CacheMaintenanceIsNothing) {
  std::vector<emu::amd::Record> records(1);
  Instruction instruction;
  ASSERT_TRUE(decode({0xe0ac0000, 0x00000000}, instruction));  // buffer_gl0_inv
  EXPECT_TRUE(prepare(instruction, &records));
  EXPECT_TRUE(records.empty());
}

class DecodedMemory : public VectorMemory {};
INSTANTIATE_TEST_SUITE_P(Levels, DecodedMemory, testing::Values("baseline", "v3"),
                         [](const auto& info) { return std::string(info.param); });

// Bytes by llvm-mc, operands as in the comments.
TEST_P(DecodedMemory, RunsFromItsBytes) {
  Machine machine(level(), 1);
  machine.set_pair(4, kLow);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    machine.v(2, 0, lane) = static_cast<std::uint32_t>(kLow + 8 * lane);
    machine.v(3, 0, lane) = static_cast<std::uint32_t>(kLow >> 32);
    machine.v(13, 0, lane) = 16 * lane;
  }
  Instruction instruction;
  ASSERT_TRUE(decode({0xdc520000, 0x027c0002}, instruction));  // global_load_b32 v2, v[2:3], off
  ASSERT_TRUE(machine.run(instruction));
  EXPECT_EQ(machine.v(2, 0, 7), machine.at<std::uint32_t>(kLow + 56));
  ASSERT_TRUE(
      decode({0xdc5e0010, 0x0904000d}, instruction));  // global_load_b128 v[9:12], v13, s[4:5] offset:16
  ASSERT_TRUE(machine.run(instruction));
  EXPECT_EQ(machine.v(12, 0, 3), machine.at<std::uint32_t>(kLow + 16 + 48 + 12));
  machine.v(1, 0, 3) = 0x40;
  ASSERT_TRUE(
      decode({0xd8e00200, 0x02000001}, instruction));  // ds_load_2addr_stride64_b32 v[2:3], v1 offset1:2
  ASSERT_TRUE(machine.run(instruction));
  EXPECT_EQ(machine.v(3, 0, 3), machine.lds_at<std::uint32_t>(0, 0x40 + 512));
}

}  // namespace mockgpu::tests::prepare_tests
