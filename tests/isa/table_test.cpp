#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>

#include "isa/amd/decode_index.h"
#include "tests/isa/decoding.h"

namespace mockgpu::isa::amd::table_tests {

TEST(Targets, AreFoundByNameAndMach) {
  // EF_AMDGPU_MACH values of LLVM's AMDGPU usage guide.
  EXPECT_EQ(find_target("gfx1100"), find_target_by_mach(0x41));
  EXPECT_EQ(find_target("gfx906"), find_target_by_mach(0x2f));
  EXPECT_EQ(find_target("gfx942"), find_target_by_mach(0x4c));
  EXPECT_EQ(find_target("gfx1201"), find_target_by_mach(0x4e));
  EXPECT_EQ(find_target("gfx1300"), nullptr);
  EXPECT_EQ(find_target_by_mach(0), nullptr);
  const Target& gfx90a = *find_target("gfx90a");
  EXPECT_EQ(gfx90a.version[0], 9);
  EXPECT_EQ(gfx90a.version[2], 10);
  EXPECT_FALSE(gfx90a.wave32);
  std::set<std::string_view> names;
  std::set<unsigned> machs;
  for (const Target& target : targets()) {
    names.insert(target.name);
    machs.insert(target.elf_mach);
  }
  EXPECT_EQ(names.size(), targets().size());
  EXPECT_EQ(machs.size(), targets().size());
}

// Forms of each generation in LLVM's and AMD's tables; v_mul_lo_i32 of gfx9, which shares its opcode with
// v_mul_lo_u32, is no form.
constexpr std::pair<Generation, std::size_t> kForms[] = {
    {Generation::gfx9, 1516},  {Generation::cdna1, 1549},  {Generation::cdna2, 1467},
    {Generation::cdna3, 1487}, {Generation::cdna4, 1593},  {Generation::rdna1, 1550},
    {Generation::rdna2, 1449}, {Generation::rdna3, 1464},  {Generation::rdna35, 1522},
    {Generation::rdna4, 1544}, {Generation::gfx1250, 1641}};

TEST(Tables, EveryFormIsFoundByItsOpcode) {
  for (const auto& [generation, count] : kForms) {
    const DecodeIndex* index = DecodeIndex::of(generation);
    ASSERT_NE(index, nullptr);
    std::size_t forms = 0;
    for (std::span<const Form> table : form_tables()) {
      for (const Form& form : table) {
        const Cell& cell = index->cell(form);
        if (!cell.exists()) continue;
        const bool dual = form.encoding == Encoding::vopd || form.encoding == Encoding::vopd3;
        const EncodingLayout* layout = index->layout(form.encoding);
        ASSERT_NE(layout, nullptr) << op_name(form.op);
        forms += !dual;
        if (dual) continue;
        const Form* found = index->form(index->opcode_space(form.encoding), cell.opcode);
        // Only where targets of a generation differ do forms share an opcode.
        if (!index->has_subsets()) {
          EXPECT_EQ(found, &form) << op_name(form.op);
        }
        for (const OperandSpec& spec : form.specs()) {
          if (spec.field == Field::implied || spec.field == Field::literal) continue;
          EXPECT_GT(layout->fields[static_cast<std::size_t>(spec.field)].length, 0) << op_name(form.op);
        }
      }
    }
    EXPECT_EQ(forms, count) << static_cast<int>(generation);
  }
}

TEST(Tables, EveryOpHasAForm) {
  std::set<Op> with_form;
  for (std::span<const Form> table : form_tables())
    for (const Form& form : table) with_form.insert(form.op);
  for (unsigned op = 0; op < static_cast<unsigned>(Op::count); ++op)
    EXPECT_TRUE(with_form.count(static_cast<Op>(op))) << op_name(static_cast<Op>(op));
}

TEST(Tables, TargetsOfAGenerationDiffer) {
  // v_mad_mix_f32 of gfx900 is v_fma_mix_f32 on gfx906, which also has dot products.
  const auto text = [](const char* target, const char* hex) {
    Instruction instruction;
    return decode(*find_target(target), bytes_of(hex), true, instruction)
               ? disassemble(*find_target(target), instruction, true)
               : std::string();
  };
  EXPECT_EQ(text("gfx900", "0000a0d301050e04"), "v_mad_mix_f32 v0, v1, v2, v3");
  EXPECT_EQ(text("gfx906", "0000a0d301050e04"), "v_fma_mix_f32 v0, v1, v2, v3");
  EXPECT_EQ(text("gfx900", "0040a8d301050e1c"), "");
  EXPECT_EQ(text("gfx906", "0040a8d301050e1c"), "v_dot4_i32_i8 v0, v1, v2, v3");
}

TEST(Tables, IndexIsBuiltOnceByManyThreads) {
  std::vector<std::thread> threads;
  std::vector<const DecodeIndex*> seen(8);
  for (std::size_t i = 0; i < seen.size(); ++i)
    threads.emplace_back([&seen, i] { seen[i] = DecodeIndex::of(Generation::rdna3); });
  for (std::thread& thread : threads) thread.join();
  for (const DecodeIndex* index : seen) EXPECT_EQ(index, seen[0]);
}

}  // namespace mockgpu::isa::amd::table_tests
