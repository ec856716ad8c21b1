#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "isa/amd/form.h"

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

  /// The form with this opcode, or null. VOP3 knows the opcodes of VOP3SD too. VOPD: `y` asks for the second
  /// half.
  const Form* form(Encoding encoding, std::uint32_t opcode, bool y = false) const {
    const auto& slots = slots_[y ? kVopdY : static_cast<std::size_t>(encoding)];
    return opcode < slots.size() ? slots[opcode] : nullptr;
  }

  /// The form's cell for this generation.
  const Cell& cell(const Form& form) const { return form.cells[column_]; }

  /// Whether an assembler knows the op in a 32-bit (64-bit) VOP encoding of this generation.
  bool has_e32(Op op) const { return has_e32_[static_cast<std::size_t>(op)]; }
  bool has_e64(Op op) const { return has_e64_[static_cast<std::size_t>(op)]; }

 private:
  static constexpr int kPrefixShift = 23;
  static constexpr std::size_t kVopdY = static_cast<std::size_t>(Encoding::count);

  DecodeIndex(Generation generation, std::size_t column);
  void add_layouts(Generation generation);
  void add_forms();

  std::size_t column_;
  std::array<const EncodingLayout*, 1 << (32 - kPrefixShift)> by_prefix_{};
  std::array<const EncodingLayout*, static_cast<std::size_t>(Encoding::count)> layouts_{};
  std::array<std::vector<const Form*>, kVopdY + 1> slots_;
  std::vector<bool> has_e32_, has_e64_;
};

}  // namespace mockgpu::isa::amd
