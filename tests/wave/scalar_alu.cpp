// Every scalar ALU operation through decode, prepare and its handler, against values from the manual's
// definitions.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "emu/amd/wave/control.h"
#include "emu/amd/wave/prepare.h"
#include "isa/amd/instruction.h"

namespace mockgpu::emu::amd::scalar_alu_tests {

struct Case {
  const char* text;
  std::uint32_t word;
  std::uint64_t a, b, before;
  std::uint32_t scc_before;
  std::uint64_t after;
  std::uint32_t scc_after;
};

const Case kCases[] = {
#define SCALAR_CASE(...) {__VA_ARGS__},
#include "tests/wave/scalar_cases.inc"
#undef SCALAR_CASE
};

HandlerResult stop(const Record*, Gang*) { MOCKGPU_STOP; }

void set_pair(Gang& gang, unsigned row, unsigned slot, std::uint64_t value) {
  gang.sgpr[row][slot] = static_cast<std::uint32_t>(value);
  gang.sgpr[row + 1][slot] = static_cast<std::uint32_t>(value >> 32);
}

std::uint64_t get_pair(const Gang& gang, unsigned row, unsigned slot) {
  return gang.sgpr[row][slot] | static_cast<std::uint64_t>(gang.sgpr[row + 1][slot]) << 32;
}

TEST(ScalarAlu, EveryOperationGivesTheManualsResultInActiveSlotsOnly) {
  const isa::amd::Target& target = *isa::amd::find_target("gfx1100");
  const auto gang = std::unique_ptr<Gang, decltype(&std::free)>(
      static_cast<Gang*>(std::aligned_alloc(alignof(Gang), sizeof(Gang))), &std::free);
  for (const Case& c : kCases) {
    isa::amd::Instruction instruction;
    std::byte bytes[4];
    std::memcpy(bytes, &c.word, 4);
    ASSERT_TRUE(isa::amd::decode(target, bytes, false, instruction)) << c.text;
    Preparer preparer(target, false);
    preparer.begin_instruction(0x1000, 0x1004);
    ASSERT_TRUE(prepare_scalar(instruction, preparer)) << c.text;
    preparer.emit(stop);

    std::memset(static_cast<void*>(gang.get()), 0, sizeof(Gang));
    gang->slots = kSlots;
    gang->active = 0b10101010;  // odd slots run, even ones must not change
    for (unsigned s = 0; s < kSlots; ++s) {
      gang->slot_mask[s] = s & 1 ? ~0u : 0u;
      set_pair(*gang, 0, s, c.a);
      set_pair(*gang, 2, s, c.b);
      set_pair(*gang, 4, s, c.before);
      gang->sgpr[kRowScc][s] = c.scc_before;
    }
    const Record* record = preparer.records().data();
#ifdef MOCKGPU_TAIL_CALLS
    record->run(record, gang.get());
#else
    while (record) record = record->run(record, gang.get());
#endif
    for (unsigned s = 0; s < kSlots; ++s) {
      EXPECT_EQ(get_pair(*gang, 4, s), s & 1 ? c.after : c.before) << c.text << " slot " << s;
      EXPECT_EQ(gang->sgpr[kRowScc][s], s & 1 ? c.scc_after : c.scc_before) << c.text << " slot " << s;
    }
  }
}

}  // namespace mockgpu::emu::amd::scalar_alu_tests
