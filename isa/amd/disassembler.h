#pragma once
#include <string>

#include "isa/amd/decode_index.h"

namespace mockgpu::isa::amd {

/// Writes one instruction as text; lives for that long.
class Disassembler {
 public:
  Disassembler(const DecodeIndex& index, Generation generation, const Instruction& instruction)
      : index_(index), generation_(generation), inst_(instruction) {}

  std::string run();

 private:
  bool has(std::uint64_t property) const { return inst_.form->has(property); }

  // disassemble.cpp
  void mnemonic();
  void operands(const Form& form, std::size_t begin);
  bool is_printed(const OperandSpec& spec, const Operand& operand) const;
  void dual();
  void vector_modifiers();
  void packed_modifier(std::string_view name, unsigned bits, unsigned neutral, unsigned count, bool dst);
  void op_sel(bool packed);

  // print_modifiers.cpp
  void dpp();
  void sdwa();
  void matrix_modifiers();
  void matrix_formats();
  void truth_table();
  unsigned byte_select_bits() const;
  void byte_select();
  void cache_policy();
  void temporal_hint();
  void buffer_format();
  void memory_modifiers();
  void ds_modifiers();
  void image_modifiers();
  void export_modifiers();
  void flag(bool set, std::string_view name);

  // print_operands.cpp
  void operand(const OperandSpec& spec, const Operand& operand);
  void absent(const OperandSpec& spec);
  void registers(const Operand& operand);
  void constant(const OperandSpec& spec, const Operand& operand);
  void literal(const OperandSpec& spec, const Operand& operand);
  void smem_offset();
  void prefetch_offset(const Operand& operand);
  void image_addresses();

  // print_immediates.cpp
  void immediate(const OperandSpec& spec, const Operand& operand);
  void wait_counts(std::uint32_t value);
  void wait_dependencies(std::uint32_t value);
  void delay(std::uint32_t value);
  void interpolation_parameter(std::uint32_t value);
  void gpr_index_mode(std::uint32_t value);
  void hardware_register(std::uint32_t value);
  void version(std::uint32_t value);
  void message(std::uint32_t value);
  void message_with_operation(std::uint32_t value);
  void swizzle(std::uint32_t value);

  const DecodeIndex& index_;
  Generation generation_;
  const Instruction& inst_;
  std::string out_;
};

}  // namespace mockgpu::isa::amd
