#include "isa/amd/asm/encoder.h"
#include "isa/amd/decode_bits.h"

namespace mockgpu::isa::amd {
namespace {

// Registers per unit of the field.
std::uint32_t register_unit(Field field) {
  switch (field) {
    case Field::sbase: return 2;
    case Field::srsrc:
    case Field::ssamp: return 4;
    default: return 1;
  }
}

// The fields of a VOPD half.
Field half_field(Field field, bool second) {
  switch (field) {
    case Field::vdst: return second ? Field::vdsty : Field::vdstx;
    case Field::src0: return second ? Field::srcy0 : Field::srcx0;
    case Field::vsrc1: return second ? Field::vsrcy1 : Field::vsrcx1;
    default: return field;
  }
}

// The place of a source in abs, or none.
int source_number(Field field) {
  switch (field) {
    case Field::src0: return 0;
    case Field::src1: return 1;
    case Field::src2: return 2;
    default: return -1;
  }
}

}  // namespace

void Encoder::operands(const Form& form, std::size_t begin, bool second) {
  std::size_t i = begin;
  for (const OperandSpec& spec : form.specs()) {
    if (spec.field == Field::vaddr && inst_.encoding == Encoding::mimg) {
      image_addresses();
      while (inst_.operands[i + 1].kind == OperandKind::vgpr) ++i;
    } else {
      const bool dual = inst_.encoding == Encoding::vopd;
      operand(spec, inst_.operands[i], dual ? half_field(spec.field, second) : spec.field);
    }
    ++i;
  }
}

void Encoder::operand(const OperandSpec& spec, const Operand& operand, Field field) {
  switch (spec.holds) {
    case Holds::implied_vcc:
    case Holds::implied_exec:
      // VOP3 has a field for it all the same.
      if (spec.holds == Holds::implied_exec && inst_.encoding == Encoding::vop3)
        put(Field::vdst, operand.index);
      return;
    case Holds::lit: literal_ = true; return;
    case Holds::immediate: put(field, static_cast<std::uint32_t>(operand.value)); return;
    default: break;
  }
  if (field == Field::src0 && inst_.mods.dpp != DppKind::none) {
    put(field, inst_.mods.dpp == DppKind::dpp16 ? selector::kDpp16
               : inst_.mods.dpp_fi              ? selector::kDpp8Fi
                                                : selector::kDpp8);
  } else {
    const std::uint32_t selector = selector_of(operand, field);
    // Bit 0 of the second destination of VOPD is not encoded.
    put(field, field == Field::vdsty ? selector >> 1 : selector / register_unit(field));
  }
  const int n = source_number(field);
  if (n >= 0 && inst_.encoding != Encoding::vop3p) put(Field::abs, std::uint32_t{operand.abs} << n);
}

std::uint32_t Encoder::selector_of(const Operand& operand, Field field) {
  switch (operand.kind) {
    case OperandKind::none: return absent(field);
    case OperandKind::vgpr:
    case OperandKind::agpr: {
      std::uint32_t reg = operand.index;
      if (operand.bits == 16 && operand.high && is_vop_e32(inst_.encoding)) reg |= 0x80;
      const bool wide = layout_->fields[static_cast<std::size_t>(field)].length >= 9;
      return wide ? selector::kVgpr + reg : reg;
    }
    case OperandKind::constant:
      if (!operand.is_literal) return operand.index;
      literal_ = true;
      return selector::kLiteral;
    default: break;
  }
  return operand.index;
}

// The bits of an operand that is not there.
std::uint32_t Encoder::absent(Field field) const {
  return field == Field::saddr || field == Field::soffset ? std::uint32_t{scalar::null} : 0;
}

void Encoder::image_addresses() {
  for (std::size_t i = 1; inst_.operands[i].kind == OperandKind::vgpr; ++i) {
    const std::uint32_t reg = inst_.operands[i].index;
    if (i == 1)
      put(Field::vaddr, reg);
    else if (i <= 5)
      nsa_dword_ |= reg << (8 * (i - 2));
  }
}

}  // namespace mockgpu::isa::amd
