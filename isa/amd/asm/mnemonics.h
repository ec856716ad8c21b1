#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/amd/form.h"

namespace mockgpu::isa::amd {

/// The forms of a generation by their assembler names (without `_e32` and the like).
class Mnemonics {
 public:
  /// The names of a generation, collected at their first use (thread-safe); null if the tables have no column
  /// for it.
  static const Mnemonics* of(Generation generation);

  /// All forms with this name but those of VOPD, smallest encoding first.
  std::vector<const Form*> find(std::string_view name) const;
  /// What the generation calls an op that an older one calls `name`: ds_load_b32 for ds_read_b32; empty if
  /// there is none, or several; and what LLVM takes besides: v_mfma_f32_32x32x8f16, the rows of aliases.inc.
  std::string_view renamed(std::string_view name) const;
  /// The half of VOPD or VOPD3 called `v_dual_` + `name`, or null.
  const Form* find_half(Encoding encoding, std::string_view name, bool second) const;

  /// Names that differ from `name` in little, for a hint.
  std::vector<std::string> similar(std::string_view name) const;

 private:
  struct Entry {
    std::string_view name;
    const Form* form;
    bool half_x, half_y;
  };

  explicit Mnemonics(Generation generation);
  void collect_old_names(Generation generation);
  void collect_matrix_names(Generation generation);

  std::vector<Entry> entries_;
  std::deque<std::string> built_;                                         // names that no table has
  std::vector<std::pair<std::string_view, std::string_view>> old_names_;  // sorted; old, new
};

/// Every generation that has an instruction called `name`, as its first target: `gfx900 gfx908`.
std::string targets_with(std::string_view name);

}  // namespace mockgpu::isa::amd
