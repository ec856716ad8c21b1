#pragma once
#include "isa/amd/decode_bits.h"
#include "isa/amd/decode_index.h"

namespace mockgpu::isa::amd {

/// Decodes one instruction; lives for that long. `run` is false where `decode` is.
class Decoder {
 public:
  Decoder(const DecodeIndex& index, std::span<const std::byte> bytes, bool wave64, Instruction& out)
      : index_(index), bits_(bytes), wave64_(wave64), out_(out) {}

  bool run();
  /// Dwords of the instruction, once `run` said true.
  std::size_t size() const { return size_; }

 private:
  std::uint32_t get(Field field) const { return bits_.get(*layout_, field); }
  std::uint8_t byte(Field field) const { return static_cast<std::uint8_t>(get(field)); }

  // decode.cpp
  bool extension_dwords();
  bool uses_literal(const OperandSpec& spec, Field field) const;
  bool take_dword(std::uint8_t& position);
  bool take_literal();
  void modifiers();
  void dpp();
  std::int32_t memory_offset() const;
  void finish_memory();
  bool dual();

  // decode_operands.cpp
  bool operand(const OperandSpec& spec, Field field);
  bool select(const OperandSpec& spec, std::uint32_t sel, Operand& operand) const;
  bool is_mixed_half(const OperandSpec& spec) const;
  void scalar_register(std::uint32_t sel, Operand& operand) const;
  void vector_register(std::uint32_t reg, Operand& operand) const;
  void source_modifiers(Field field, Operand& operand) const;

  // decode_image.cpp
  bool image();

  const DecodeIndex& index_;
  DecodeBits bits_;
  bool wave64_;
  Instruction& out_;
  const EncodingLayout* layout_ = nullptr;
  const Form* form_ = nullptr;
  std::size_t size_ = 0;
  std::uint8_t literal_dword_ = 0, dpp_dword_ = 0;
};

}  // namespace mockgpu::isa::amd
