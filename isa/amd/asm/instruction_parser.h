#pragma once
#include <string>
#include <utility>
#include <vector>

#include "isa/amd/asm/float_bits.h"
#include "isa/amd/asm/parsed.h"
#include "isa/amd/decode_index.h"
#include "isa/amd/generation.h"

namespace mockgpu::isa::amd {

/// A register as written.
struct RegisterName {
  OperandKind kind = OperandKind::none;
  std::uint16_t index = 0;
  unsigned count = 0;  ///< registers; 0: as many as the operand has (null, m0, src_shared_base)
  char half = 0;       ///< 'l' or 'h', if written
};

/// One way to read an instruction.
struct Candidate {
  const Form* form = nullptr;
  const Form* form_y = nullptr;  ///< VOPD
  bool dpp = false;
  bool sdwa = false;
  bool lds = false;       ///< a load to LDS, which has no destination register
  bool returns = false;   ///< an atomic that returns the old value
  bool names_vcc = true;  ///< false: where the encoding has vcc, the text has nothing
};

/// Reads the operands and modifiers of an instruction as one candidate has them; lives for that long. Throws
/// a Mismatch where the text says something else.
class InstructionParser {
 public:
  InstructionParser(const Target& target, bool wave64, const SymbolScope& symbols, Scanner scanner,
                    const Candidate& candidate);

  ParsedInstruction run();

 private:
  bool has(std::uint64_t property) const { return inst_.form->has(property); }
  Generation generation() const { return target_.generation; }
  bool is_mix() const;  // v_fma_mix*

  // parse_instruction.cpp
  void comma();
  bool at_scalar_modifier();
  void operands(const Form& form);
  void refuse_unknown_symbol() const;
  bool is_written(const OperandSpec& spec);
  void refuse_missing_dimensions();
  void refuse_missing_result() const;
  void implied(const OperandSpec& spec, Operand& operand) const;
  void finish();
  void combine_halves();
  void verify_halves() const;
  void verify();
  void obey_rules() const;
  void verify_operand(std::size_t i, const Operand& decoded) const;
  void verify_modifiers(const Modifiers& decoded) const;

  // parse_operand.cpp
  void operand(const OperandSpec& spec, Operand& operand);
  void magnitude(const OperandSpec& spec, Operand& operand);
  void plain_operand(const OperandSpec& spec, Operand& operand);
  bool absent(const OperandSpec& spec, Operand& operand);
  void image_addresses(const OperandSpec& spec);
  void fit_addresses(const Instruction& decoded);
  bool fixed_addresses() const;
  void set_register(const OperandSpec& spec, const RegisterName& name, std::size_t column, Operand& operand);
  bool register_name(RegisterName& name);
  bool register_list(RegisterName& name);
  bool scalar_register(RegisterName& name);
  unsigned register_number();

  // parse_constant.cpp
  void constant(const OperandSpec& spec, Operand& operand);
  void integer(const OperandSpec& spec, Operand& operand, std::int64_t value, std::size_t column,
               bool forced);
  void real(const OperandSpec& spec, Operand& operand, double value, std::size_t column, bool forced,
            bool wide);
  void double_bits(const OperandSpec& spec, Operand& operand, std::int64_t value, std::size_t column,
                   bool forced);
  bool takes_wide_literals() const;
  unsigned constant_bits(const Operand& operand) const;
  FloatKind float_kind(const Operand& operand) const;
  void narrow_mix_fraction();
  bool inline_selector(Operand& operand, std::uint64_t bits) const;
  void wide_literal(const OperandSpec& spec, Operand& operand, std::uint64_t bits, std::size_t column);
  void literal(const OperandSpec& spec, Operand& operand, std::uint32_t bits, std::size_t column);
  void claim_literal(const OperandSpec& spec, Operand& operand, std::uint64_t bits, std::size_t column);

  // parse_immediate.cpp
  void immediate(const OperandSpec& spec, Operand& operand);
  std::uint32_t simm16(Format format);
  std::uint32_t counters(bool dependencies);
  std::uint32_t delay();
  std::uint32_t hardware_register();
  std::uint32_t hardware_register_fields();
  std::uint32_t version();
  std::uint32_t message(bool returns);
  std::uint32_t message_operation(std::uint32_t id);
  void attribute(Operand& operand);
  std::uint32_t interpolation_parameter();
  std::uint32_t gpr_index_mode();
  std::uint32_t export_target();
  std::int64_t known(std::string_view what);
  std::uint32_t known(std::string_view what, std::int64_t least, std::int64_t most);

  // parse_modifiers.cpp
  void modifiers();
  void modifier();
  bool valued(std::string_view name, std::size_t column);
  bool negates_doubles() const;
  bool dpp_modifier(std::string_view name);
  bool packed_list(std::string_view name);
  bool sdwa_modifier(std::string_view name);
  bool matrix_modifier(std::string_view name);
  std::uint8_t named(std::string_view what, unsigned count, std::string_view (*name_of)(unsigned));
  void byte_select(std::uint32_t byte);
  std::vector<std::uint32_t> list(std::string_view name, std::size_t least, std::size_t most,
                                  std::uint32_t limit);
  std::int32_t swizzle();
  std::uint32_t split_buffer_format();
  void leading_format();
  std::uint32_t buffer_format();
  std::uint32_t image_dim();
  std::size_t modifier_column(std::string_view name) const;

  // parse_flags.cpp
  bool flag(std::string_view name);
  bool cache_flag(std::string_view name);
  bool takes(std::string_view name) const;
  void refuse_idle_modifiers() const;
  void temporal_hint();
  void scope();
  void verify_hint() const;

  const Target& target_;
  bool wave64_;
  const SymbolScope& symbols_;
  Scanner scanner_;
  Candidate candidate_;
  ParsedInstruction result_;
  std::optional<double> mix_fraction_;  // the literal of v_fma_mix*, if it is a fraction
  Instruction& inst_;
  std::size_t begin_;
  std::array<std::size_t, 16> columns_{};  // of the operands
  std::array<char, 16> halves_{};          // of the operands: 'l' or 'h' where one is written
  std::vector<std::pair<std::string, std::size_t>> modifier_columns_;
  std::uint32_t channel_ = 0;  // of an attribute
  bool bypasses_ = false;      // the temporal hint does
};

/// Operand kinds for people: "a VGPR", "an SGPR or an inline constant".
std::string_view legal_operand(Holds holds);

}  // namespace mockgpu::isa::amd
