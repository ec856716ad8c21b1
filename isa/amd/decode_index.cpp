#include "isa/amd/decode_index.h"

#include <atomic>
#include <bit>
#include <cassert>
#include <memory>
#include <mutex>

namespace mockgpu::isa::amd {
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
      traits_(&amd::traits(generation)),
      spellings_(static_cast<std::size_t>(Op::count)),
      has_e32_(static_cast<std::size_t>(Op::count)),
      has_e64_(static_cast<std::size_t>(Op::count)) {
  add_layouts(generation);
  add_forms();
  add_spellings();
}

void DecodeIndex::add_layouts(Generation generation) {
  for (const EncodingLayout& layout : encoding_layouts()) {
    if (!(layout.generations >> static_cast<unsigned>(generation) & 1)) continue;
    layouts_[static_cast<std::size_t>(layout.encoding)] = &layout;
    if (layout.encoding == Encoding::vop3px2) continue;  // shows as VOP3P
    // The narrowest identity wins: VOP2 is what VOP1 and VOPC leave over.
    for (std::uint32_t prefix = 0; prefix < by_prefix_.size(); ++prefix) {
      assert((layout.mask & ((1u << kPrefixShift) - 1)) == 0);
      if ((prefix << kPrefixShift & layout.mask) != layout.value) continue;
      const EncodingLayout*& best = by_prefix_[prefix];
      if (!best || std::popcount(layout.mask) > std::popcount(best->mask)) best = &layout;
    }
  }
  for (Encoding segment : {Encoding::global, Encoding::scratch})
    if (!layout(segment)) layouts_[static_cast<std::size_t>(segment)] = layout(Encoding::flat);
}

Encoding DecodeIndex::opcode_space(Encoding encoding) const {
  switch (encoding) {
    case Encoding::vop3sd: return Encoding::vop3;
    case Encoding::vop3p_mai: return Encoding::vop3p;
    case Encoding::mtbuf:
      return layout(Encoding::mtbuf)->value == layout(Encoding::mubuf)->value ? Encoding::mubuf : encoding;
    default: return encoding;
  }
}

void DecodeIndex::add_forms() {
  auto put = [this](std::vector<const Form*>& slots, std::uint16_t opcode, const Form& form) {
    if (opcode == Cell::kAbsent) return;
    if (slots.size() <= opcode) slots.resize(opcode + std::size_t{1});
    if (slots[opcode])
      shadowed_.push_back(&form);
    else
      slots[opcode] = &form;
  };
  for (std::span<const Form> table : form_tables()) {
    for (const Form& form : table) {
      const Cell& cell = form.cells[column_];
      if (!cell.exists()) continue;
      put(slots_[static_cast<std::size_t>(opcode_space(form.encoding))], cell.opcode, form);
      put(slots_[form.encoding == Encoding::vopd ? kVopdY : kVopd3Y], cell.opcode_y, form);
      if (cell.opcode == Cell::kAbsent || form.has(property::xml_only)) continue;
      const auto op = static_cast<std::size_t>(form.op);
      if (is_vop_e32(form.encoding) || form.encoding == Encoding::vintrp) has_e32_[op] = true;
      if (is_vop_e64(form.encoding)) has_e64_[op] = true;
    }
  }
}

const Form* DecodeIndex::for_target(const Form* form, const Target& target) const {
  auto has = [&](const Form& candidate) {
    for (const Subset* subset : subsets_)
      if (subset->op == candidate.op && subset->targets.find(target.name) == std::string_view::npos)
        return false;
    return true;
  };
  if (has(*form)) return form;
  for (const Form* other : shadowed_)
    if (opcode_space(other->encoding) == opcode_space(form->encoding) &&
        cell(*other).opcode == cell(*form).opcode && has(*other))
      return other;
  return nullptr;
}

void DecodeIndex::add_spellings() {
  const std::uint32_t bit = 1u << static_cast<unsigned>(generation());
  for (const Spelling& spelling : amd::spellings())
    if (spelling.generations & bit) spellings_[static_cast<std::size_t>(spelling.op)] = spelling.name;
  for (const Subset& subset : amd::subsets())
    if (subset.generation == generation()) subsets_.push_back(&subset);
}

}  // namespace mockgpu::isa::amd
