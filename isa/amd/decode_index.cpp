#include "isa/amd/decode_index.h"

#include <atomic>
#include <bit>
#include <cassert>
#include <memory>
#include <mutex>

namespace mockgpu::isa::amd {
namespace {

constexpr bool is_vop_e64(Encoding encoding) {
  return encoding == Encoding::vop3 || encoding == Encoding::vop3sd || encoding == Encoding::vop3p;
}

// The encoding under whose opcodes a form is found.
constexpr Encoding opcode_space(Encoding encoding) {
  return encoding == Encoding::vop3sd ? Encoding::vop3 : encoding;
}

}  // namespace

const DecodeIndex* DecodeIndex::of(Generation generation) {
  // `ready` spares every decode the call of once.
  struct Entry {
    std::atomic<const DecodeIndex*> ready{nullptr};
    std::once_flag once;
    std::unique_ptr<DecodeIndex> index;
  };
  static std::array<Entry, kColumns.size()> entries;
  for (std::size_t column = 0; column < kColumns.size(); ++column) {
    if (kColumns[column] != generation) continue;
    Entry& entry = entries[column];
    if (const DecodeIndex* index = entry.ready.load(std::memory_order_acquire)) return index;
    std::call_once(entry.once, [&] {
      entry.index.reset(new DecodeIndex(generation, column));
      entry.ready.store(entry.index.get(), std::memory_order_release);
    });
    return entry.index.get();
  }
  return nullptr;
}

DecodeIndex::DecodeIndex(Generation generation, std::size_t column)
    : column_(column),
      has_e32_(static_cast<std::size_t>(Op::count)),
      has_e64_(static_cast<std::size_t>(Op::count)) {
  add_layouts(generation);
  add_forms();
}

void DecodeIndex::add_layouts(Generation generation) {
  for (const EncodingLayout& layout : encoding_layouts()) {
    if (!(layout.generations >> static_cast<unsigned>(generation) & 1)) continue;
    layouts_[static_cast<std::size_t>(layout.encoding)] = &layout;
    // The narrowest identity wins: VOP2 is what VOP1 and VOPC leave over.
    for (std::uint32_t prefix = 0; prefix < by_prefix_.size(); ++prefix) {
      assert((layout.mask & ((1u << kPrefixShift) - 1)) == 0);
      if ((prefix << kPrefixShift & layout.mask) != layout.value) continue;
      const EncodingLayout*& best = by_prefix_[prefix];
      if (!best || std::popcount(layout.mask) > std::popcount(best->mask)) best = &layout;
    }
  }
  const EncodingLayout* flat = layout(Encoding::flat);
  layouts_[static_cast<std::size_t>(Encoding::global)] = flat;
  layouts_[static_cast<std::size_t>(Encoding::scratch)] = flat;
}

void DecodeIndex::add_forms() {
  auto put = [](std::vector<const Form*>& slots, std::uint16_t opcode, const Form& form) {
    if (opcode == Cell::kAbsent) return;
    if (slots.size() <= opcode) slots.resize(opcode + std::size_t{1});
    assert(!slots[opcode] && "two forms with one opcode");
    slots[opcode] = &form;
  };
  for (std::span<const Form> table : form_tables()) {
    for (const Form& form : table) {
      const Cell& cell = form.cells[column_];
      put(slots_[static_cast<std::size_t>(opcode_space(form.encoding))], cell.opcode, form);
      put(slots_[kVopdY], cell.opcode_y, form);
      if (cell.opcode == Cell::kAbsent || form.has(property::xml_only)) continue;
      const auto op = static_cast<std::size_t>(form.op);
      if (is_vop_e32(form.encoding)) has_e32_[op] = true;
      if (is_vop_e64(form.encoding)) has_e64_[op] = true;
    }
  }
}

}  // namespace mockgpu::isa::amd
