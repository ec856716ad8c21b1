#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "isa/amd/form.h"
#include "isa/amd/generation.h"

namespace mockgpu::isa::amd {

/// What decoding a generation needs, derived from the tables once.
class DecodeIndex {
 public:
  /// The index of a generation, built at its first use (thread-safe); null if the tables have no column for
  /// it.
  static const DecodeIndex* of(Generation generation);

  /// The encoding that the first dword names, or null. VOP3SD shows as VOP3, GLOBAL and SCRATCH as FLAT.
  const EncodingLayout* layout_of(std::uint32_t dword) const { return by_prefix_[dword >> kPrefixShift]; }

  const EncodingLayout* layout(Encoding encoding) const {
    return layouts_[static_cast<std::size_t>(encoding)];
  }

  /// The form with this opcode, or null; `encoding` as opcode_space gives it. VOPD and VOPD3: `y` asks for
  /// the second half.
  const Form* form(Encoding encoding, std::uint32_t opcode, bool y = false) const {
    const auto& slots =
        slots_[y ? encoding == Encoding::vopd ? kVopdY : kVopd3Y : static_cast<std::size_t>(encoding)];
    return opcode < slots.size() ? slots[opcode] : nullptr;
  }

  /// `form` if the target has it, or another form with its opcode that the target has, or null. Needed where
  /// the targets of a generation differ.
  const Form* for_target(const Form* form, const Target& target) const;
  bool has_subsets() const { return !subsets_.empty(); }

  /// The encoding among whose opcodes those of `encoding` are: VOP3SD's among VOP3's, VOP3P_MAI's among
  /// VOP3P's, and on gfx12 MTBUF's among MUBUF's.
  Encoding opcode_space(Encoding encoding) const;

  Generation generation() const { return kColumns[column_]; }
  const GenerationTraits& traits() const { return *traits_; }

  /// What this generation calls the op, without an encoding suffix.
  std::string_view spelling(Op op) const {
    const std::string_view name = spellings_[static_cast<std::size_t>(op)];
    return name.empty() ? op_name(op) : name;
  }

  /// The form's cell for this generation.
  const Cell& cell(const Form& form) const { return form.cells[column_]; }

  /// Whether an assembler knows the op in a 32-bit (64-bit) VOP encoding of this generation.
  bool has_e32(Op op) const { return has_e32_[static_cast<std::size_t>(op)]; }
  bool has_e64(Op op) const { return has_e64_[static_cast<std::size_t>(op)]; }

 private:
  static constexpr int kPrefixShift = 23;
  static constexpr std::size_t kVopdY = static_cast<std::size_t>(Encoding::count), kVopd3Y = kVopdY + 1;

  DecodeIndex(Generation generation, std::size_t column);
  void add_layouts(Generation generation);
  void add_forms();
  void add_spellings();

  std::size_t column_;
  std::array<const EncodingLayout*, 1 << (32 - kPrefixShift)> by_prefix_{};
  std::array<const EncodingLayout*, static_cast<std::size_t>(Encoding::count)> layouts_{};
  std::array<std::vector<const Form*>, kVopd3Y + 1> slots_;
  std::vector<const Subset*> subsets_;
  std::vector<const Form*> shadowed_;  ///< forms whose opcode another one has on other targets
  const GenerationTraits* traits_;
  std::vector<std::string_view> spellings_;
  std::vector<bool> has_e32_, has_e64_;
};

}  // namespace mockgpu::isa::amd
