#pragma once
#include "isa/amd/decode_bits.h"
#include "isa/amd/decode_index.h"

namespace mockgpu::isa::amd {

/// Decodes one instruction; lives for that long. `run` is false where `decode` is.
class Decoder {
 public:
  Decoder(const DecodeIndex& index, const Target& target, std::span<const std::byte> bytes, bool wave64,
          Instruction& out)
      : index_(index), target_(target), bits_(bytes), wave64_(wave64), out_(out) {}

  bool run();
  /// Dwords of the instruction, once `run` said true.
  std::size_t size() const { return size_; }

 private:
  std::uint32_t get(Field field) const { return bits_.get(*layout_, field); }
  bool has_field(Field field) const { return layout_->fields[static_cast<std::size_t>(field)].length != 0; }
  std::uint8_t byte(Field field) const { return static_cast<std::uint8_t>(get(field)); }

  // decode.cpp
  std::uint32_t opcode() const;
  bool scaled_matrix();
  void matrix_widths();
  bool extension_dwords();
  bool uses_literal(const OperandSpec& spec, Field field);
  bool take_dword(std::uint8_t& position);
  bool take_literal();
  void modifiers();
  void vector_modifiers();
  void matrix_modifiers();
  void memory_modifiers();
  void dpp();
  void sdwa();
  std::int32_t memory_offset() const;
  Operand* find(Field field);
  void finish_memory();
  void flat_operands(bool returns);
  bool dual();

  // decode_operands.cpp
  bool operand(const OperandSpec& spec, Field field);
  bool select(const OperandSpec& spec, std::uint32_t sel, Operand& operand) const;
  bool is_mixed_half(const OperandSpec& spec) const;
  bool sdwa_operand(const OperandSpec& spec, Field field, Operand& operand) const;
  bool is_accumulation(const OperandSpec& spec) const;
  void scalar_register(std::uint32_t sel, Operand& operand) const;
  void vector_register(std::uint32_t reg, Operand& operand) const;
  void source_modifiers(Field field, Operand& operand) const;

  // decode_image.cpp
  bool image();
  unsigned address_fields() const;
  std::uint32_t address_register(unsigned i, std::uint8_t nsa_dword) const;

  const DecodeIndex& index_;
  const Target& target_;
  DecodeBits bits_;
  bool wave64_;
  Instruction& out_;
  const EncodingLayout* layout_ = nullptr;
  const Form* form_ = nullptr;
  std::size_t size_ = 0;
  std::uint8_t literal_dword_ = 0, dpp_dword_ = 0;  ///< the latter also of SDWA
  bool wide_literal_ = false;
};

}  // namespace mockgpu::isa::amd
