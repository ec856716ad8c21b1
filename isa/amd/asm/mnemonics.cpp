#include "isa/amd/asm/mnemonics.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "isa/amd/decode_index.h"

namespace mockgpu::isa::amd {
namespace {

// Edits that turn one word into the other; words of very different length count as far apart.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// Whether v_add_nc_u32 is v_add_u32 too, and the like: gfx10, which gave them the new names, is strict.
bool reads_name_of_gfx9(Generation generation, std::string_view name) {
  if (generation == Generation::gfx1250 && name.find("_num_f64") != std::string_view::npos) return true;
  if (is_gfx10(generation) || name.find("_nc_") == std::string_view::npos || name.ends_with("_u16"))
    return false;
  return generation != Generation::gfx1250 || !name.ends_with("16");
}

// The matrix operation as cdna2 would spell it: v_mfma_f32_32x32x1_2b_f32 has neither the number of blocks
// nor underscores between the types, v_mfma_f32_32x32x1f32.
std::string compact_matrix_name(std::string_view name) {
  std::size_t at = name.find('x');
  at = name.find('_', at);
  if (at == std::string_view::npos) return {};
  std::string compact(name.substr(0, at));
  for (std::string_view rest = name.substr(at); !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view part = rest.substr(0, rest.find('_'));
    if (!part.ends_with('b')) compact += part;
    rest.remove_prefix(part.size());
  }
  return compact;
}

}  // namespace

const Mnemonics* Mnemonics::of(Generation generation) {
  struct Cache {
    std::once_flag once;
    std::unique_ptr<Mnemonics> names;
  };
  static std::array<Cache, kColumns.size()> caches;
  for (std::size_t column = 0; column < kColumns.size(); ++column) {
    if (kColumns[column] != generation) continue;
    std::call_once(caches[column].once, [&] { caches[column].names.reset(new Mnemonics(generation)); });
    return caches[column].names.get();
  }
  return nullptr;
}

Mnemonics::Mnemonics(Generation generation) {
  const DecodeIndex& index = *DecodeIndex::of(generation);
  for (std::span<const Form> table : form_tables()) {
    for (const Form& form : table) {
      const Cell& cell = index.cell(form);
      const bool half = form.encoding == Encoding::vopd || form.encoding == Encoding::vopd3;
      if (form.has(property::xml_only)) continue;
      if (!cell.exists()) continue;
      entries_.push_back({index.spelling(form.op), &form, half && cell.opcode != Cell::kAbsent,
                          half && cell.opcode_y != Cell::kAbsent});
    }
  }
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.name < b.name; });
  collect_old_names(generation);
}

void Mnemonics::collect_old_names(Generation generation) {
  for (Generation older : kColumns) {
    if (older == generation) break;
    const DecodeIndex& index = *DecodeIndex::of(older);
    std::vector<bool> exists(static_cast<std::size_t>(Op::count));
    for (std::span<const Form> table : form_tables())
      for (const Form& form : table)
        if (index.cell(form).exists()) exists[static_cast<std::size_t>(form.op)] = true;
    for (const Entry& entry : entries_) {
      const std::string_view name = index.spelling(entry.form->op);
      if (is_gfx9(older) && !is_gfx9(generation) && !reads_name_of_gfx9(generation, entry.name)) continue;
      if (name != entry.name && exists[static_cast<std::size_t>(entry.form->op)])
        old_names_.emplace_back(name, entry.name);
    }
  }
  // Minimum and maximum of scalars are other ops from gfx12 on, but read by their old names.
  for (const Entry& entry : entries_) {
    constexpr std::string_view kNumber = "_num_";
    const std::size_t at = entry.name.find(kNumber);
    if (!entry.name.starts_with("s_") || at == std::string_view::npos) continue;
    std::string& name = built_.emplace_back(entry.name);
    old_names_.emplace_back(name.erase(at, kNumber.size() - 1), entry.name);
  }
  for (const Spelling& alias : aliases())
    if (alias.generations >> static_cast<unsigned>(generation) & 1)
      old_names_.emplace_back(alias.name, DecodeIndex::of(generation)->spelling(alias.op));
  collect_matrix_names(generation);
  std::sort(old_names_.begin(), old_names_.end());
  old_names_.erase(std::unique(old_names_.begin(), old_names_.end()), old_names_.end());
}

void Mnemonics::collect_matrix_names(Generation generation) {
  if (generation != Generation::cdna3 && generation != Generation::cdna4) return;
  for (const Entry& entry : entries_) {
    if (!entry.form->has(property::abid) || entry.form->encoding != Encoding::vop3p_mai) continue;
    const std::string& name = built_.emplace_back(compact_matrix_name(entry.name));
    old_names_.emplace_back(name, entry.name);
    // What multiplies twice as many bf16 as its predecessor is a `_1k` there.
    const std::string& doubled = built_.emplace_back(name + "_1k");
    if (!Mnemonics::of(Generation::cdna2)->find(doubled).empty())
      old_names_.emplace_back(doubled, entry.name);
  }
}

std::string_view Mnemonics::renamed(std::string_view name) const {
  const auto range =
      std::equal_range(old_names_.begin(), old_names_.end(), std::pair(name, std::string_view()),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
  return range.second - range.first == 1 ? range.first->second : std::string_view();
}

std::vector<const Form*> Mnemonics::find(std::string_view name) const {
  const auto by_name = [](const Entry& entry, std::string_view wanted) { return entry.name < wanted; };
  std::vector<const Form*> forms;
  for (auto it = std::lower_bound(entries_.begin(), entries_.end(), name, by_name);
       it != entries_.end() && it->name == name; ++it)
    if (!it->half_x && !it->half_y) forms.push_back(it->form);
  std::stable_sort(forms.begin(), forms.end(), [](const Form* a, const Form* b) {
    return is_vop_e32(a->encoding) > is_vop_e32(b->encoding);
  });
  return forms;
}

const Form* Mnemonics::find_half(Encoding encoding, std::string_view name, bool second) const {
  for (const Entry& entry : entries_)
    if (entry.form->encoding == encoding && (second ? entry.half_y : entry.half_x) &&
        entry.name.substr(2) == name)
      return entry.form;
  return nullptr;
}

std::vector<std::string> Mnemonics::similar(std::string_view name) const {
  constexpr std::size_t kMost = 3, kLongest = 64;
  if (name.size() > kLongest) return {};
  std::vector<std::pair<std::size_t, std::string>> near;
  std::string_view last;
  for (const Entry& entry : entries_) {
    if (entry.name == last) continue;
    last = entry.name;
    const std::size_t most = 1 + name.size() / 6;
    if (name.size() > entry.name.size() + most || entry.name.size() > name.size() + most) continue;
    const std::size_t edits = distance(name, entry.name);
    if (edits <= most) near.emplace_back(edits, entry.name);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (near.size() > kMost) near.resize(kMost);
  std::vector<std::string> names;
  for (auto& [edits, text] : near) names.push_back(std::move(text));
  return names;
}

std::string targets_with(std::string_view name) {
  std::string list;
  for (Generation generation : kColumns) {
    if (Mnemonics::of(generation)->find(name).empty()) continue;
    for (const Target& target : targets()) {
      if (target.generation != generation) continue;
      if (!list.empty()) list += ' ';
      list += target.name;
      break;
    }
  }
  return list;
}

}  // namespace mockgpu::isa::amd
