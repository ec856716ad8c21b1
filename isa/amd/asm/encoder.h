#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "isa/amd/decode_index.h"

namespace mockgpu::isa::amd {

/// Encodes one instruction; lives for that long.
class Encoder {
 public:
  Encoder(const DecodeIndex& index, const Instruction& instruction) : index_(index), inst_(instruction) {}

  /// Empty where `encode` is.
  std::vector<std::byte> run();

 private:
  static constexpr std::size_t kMaxDwords = 8;

  void put(FieldPlace place, std::uint32_t value);
  bool has_field(Field field) const { return layout_->fields[static_cast<std::size_t>(field)].length != 0; }
  void put(Field field, std::uint32_t value) { put(layout_->fields[static_cast<std::size_t>(field)], value); }
  bool takes(Field field) const { return source(field, field) != nullptr; }
  bool has(std::uint64_t property) const { return inst_.form->has(property); }

  // encode.cpp
  void append(std::uint32_t dword) { dwords_[count_++] = dword; }
  void modifiers();
  void fixed_bits();
  std::uint32_t signs() const;
  void matrix_modifiers();
  const Operand* source(Field first, Field second) const;
  std::uint32_t dpp_dword() const;
  std::uint32_t sdwa_dword() const;
  void scalar_memory();
  void dual();
  void extension_dwords();

  // encode_operands.cpp
  void operands(const Form& form, std::size_t begin, bool second);
  void operand(const OperandSpec& spec, const Operand& operand, Field field);
  std::uint32_t selector_of(const Operand& operand, Field field);
  std::uint32_t scalar_selector(const Operand& operand) const;
  void accumulation(const OperandSpec& spec, const Operand& operand);
  std::uint32_t absent(Field field) const;
  const Operand& compressed(std::size_t i) const;
  void image_addresses();

  const DecodeIndex& index_;
  const Instruction& inst_;
  const EncodingLayout* layout_ = nullptr;
  std::array<std::uint32_t, kMaxDwords> dwords_{};
  std::size_t count_ = 0;
  bool literal_ = false;
  bool wide_literal_ = false;
  std::array<std::uint32_t, 3> nsa_dwords_{};
};

}  // namespace mockgpu::isa::amd
