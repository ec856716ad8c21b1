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

TEST(Tables, EveryOpHasAFormAndEveryFormIsFound) {
  const DecodeIndex* index = DecodeIndex::of(Generation::rdna3);
  ASSERT_NE(index, nullptr);
  std::set<Op> with_form;
  std::size_t forms = 0;
  for (std::span<const Form> table : form_tables()) {
    for (const Form& form : table) {
      with_form.insert(form.op);
      const Cell& cell = index->cell(form);
      if (cell.opcode != Cell::kAbsent) {
        const Encoding space = form.encoding == Encoding::vop3sd ? Encoding::vop3 : form.encoding;
        EXPECT_EQ(index->form(space, cell.opcode), &form) << op_name(form.op);
        forms += form.encoding != Encoding::vopd;
      }
      // Each operand's field exists in the encoding.
      const EncodingLayout* layout = index->layout(form.encoding);
      ASSERT_NE(layout, nullptr);
      for (const OperandSpec& spec : form.specs()) {
        if (spec.field == Field::implied || spec.field == Field::literal || form.encoding == Encoding::vopd)
          continue;
        EXPECT_GT(layout->fields[static_cast<std::size_t>(spec.field)].length, 0) << op_name(form.op);
      }
    }
  }
  EXPECT_EQ(forms, 1464u);  // forms of gfx11 in LLVM's and AMD's tables
  for (unsigned op = 0; op < static_cast<unsigned>(Op::count); ++op)
    EXPECT_TRUE(with_form.count(static_cast<Op>(op))) << op_name(static_cast<Op>(op));
}

TEST(Tables, GenerationsWithoutAColumnDecodeNothing) {
  Instruction instruction;
  EXPECT_EQ(DecodeIndex::of(Generation::gfx9), nullptr);
  EXPECT_FALSE(decode(*find_target("gfx900"), bytes_of("02060206"), true, instruction));
  EXPECT_EQ(instruction.size, 4);
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
