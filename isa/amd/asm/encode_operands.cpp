#include "isa/amd/asm/encoder.h"
#include "isa/amd/decode_bits.h"

namespace mockgpu::isa::amd {
namespace {

// Registers per unit of the field. Resources of gfx12 are named by SGPR number.
std::uint32_t register_unit(Field field, unsigned length) {
  switch (field) {
    case Field::sbase: return 2;
    case Field::srsrc:
    case Field::ssamp: return length <= 5 ? 4 : 1;
    default: return 1;
  }
}

// The fields of a VOPD half.
Field half_field(Field field, bool second) {
  switch (field) {
    case Field::vdst: return second ? Field::vdsty : Field::vdstx;
    case Field::src0: return second ? Field::srcy0 : Field::srcx0;
    case Field::vsrc1: return second ? Field::vsrcy1 : Field::vsrcx1;
    case Field::vsrc2: return second ? Field::vsrcy2 : Field::vsrcx2;
    default: return field;
  }
}

// Where VOPD3 has the sign of a source.
Field half_sign(Field field, bool second) {
  switch (field) {
    case Field::src0: return second ? Field::negy0 : Field::negx0;
    case Field::vsrc1: return second ? Field::negy1 : Field::negx1;
    default: return second ? Field::negy2 : Field::negx2;
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
  const bool image = inst_.encoding == Encoding::mimg || inst_.encoding == Encoding::vsample;
  const bool dual = inst_.encoding == Encoding::vopd || inst_.encoding == Encoding::vopd3;
  const bool resource = source(Field::srsrc, Field::srsrc) != nullptr;
  std::size_t i = begin;
  for (const OperandSpec& spec : form.specs()) {
    if (spec.field == Field::vaddr && spec.holds == Holds::v && image && resource) {
      image_addresses();
      while (inst_.operands[i + 1].kind == OperandKind::vgpr) ++i;
    } else {
      const Operand& current = inst_.mods.exp_compressed ? compressed(i) : inst_.operands[i];
      operand(spec, current, dual ? half_field(spec.field, second) : spec.field);
      if (inst_.encoding == Encoding::vopd3 && current.neg) put(half_sign(spec.field, second), 1);
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
    case Holds::lit:
      literal_ = true;
      wide_literal_ |= operand.wide_literal;
      return;
    case Holds::immediate: put(field, static_cast<std::uint32_t>(operand.value)); return;
    default: break;
  }
  const unsigned length = layout_->fields[static_cast<std::size_t>(field)].length;
  const bool extended = inst_.mods.sdwa || inst_.mods.dpp != DppKind::none;
  if (field == Field::src0 && extended) {
    put(field, inst_.mods.sdwa                    ? selector::kSdwa
               : inst_.mods.dpp == DppKind::dpp16 ? selector::kDpp16
               : inst_.mods.dpp_fi                ? selector::kDpp8Fi
                                                  : selector::kDpp8);
  } else if (field == Field::soffset && has_field(Field::imm) && inst_.encoding == Encoding::smem) {
    // gfx9: where both stand, the register has this field.
    if (operand.kind != OperandKind::none && inst_.mods.smem_offset) put(field, scalar_selector(operand));
  } else {
    const std::uint32_t selector = selector_of(operand, field);
    // Bit 0 of the second destination of VOPD is not encoded.
    const bool half = field == Field::vdsty && inst_.encoding == Encoding::vopd;
    put(field, half ? selector >> 1 : selector / register_unit(field, length));
  }
  accumulation(spec, operand);
  const int n = source_number(field);
  if (n >= 0 && operand.abs) put(Field::abs, 1u << n);
}

// The bits that say which operands are accumulation VGPRs.
void Encoder::accumulation(const OperandSpec& spec, const Operand& operand) {
  if (operand.kind != OperandKind::agpr || spec.holds == Holds::a) return;
  switch (spec.field) {
    case Field::src0:
    case Field::src1: put(Field::acc, spec.field == Field::src1 ? 2 : 1); return;
    case Field::src2: put(Field::acc_cd, 1); return;
    default:
      put(Field::acc_cd, 1);
      if (inst_.encoding != Encoding::vop3p_mai && inst_.encoding != Encoding::vop3px2) put(Field::acc, 1);
  }
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
      wide_literal_ |= operand.wide_literal;
      return operand.wide_literal ? selector::kLiteral64 : selector::kLiteral;
    default: return scalar_selector(operand);
  }
}

// gfx10 has m0 and null the other way round, gfx9 has m0 there.
std::uint32_t Encoder::scalar_selector(const Operand& operand) const {
  constexpr std::uint32_t kBoth = scalar::null + scalar::m0;
  const std::uint32_t m0 = index_.traits().m0;
  if (operand.index == scalar::m0) return m0;
  return operand.index == scalar::null ? kBoth - m0 : operand.index;
}

// The bits of an operand that is not there.
std::uint32_t Encoder::absent(Field field) const {
  constexpr std::uint32_t kNone = 0x7f;
  switch (field) {
    case Field::saddr: {
      // Scratch of gfx10: exec_hi says that there is no address at all.
      const Operand* addr = source(Field::addr, Field::addr);
      const bool neither = inst_.encoding == Encoding::scratch && !has_field(Field::sve) && addr &&
                           addr->kind == OperandKind::none;
      return neither ? kNone : index_.traits().saddr_off;
    }
    case Field::soffset: return scalar::null + scalar::m0 - index_.traits().m0;
    case Field::vaddr2:
    case Field::vaddr3: return scalar::null;
    default: return 0;
  }
}

// Compressed exports: two registers hold pairs, and are named twice.
const Operand& Encoder::compressed(std::size_t i) const {
  static constexpr Operand kNone{};
  if (i == 0) return inst_.operands[0];
  if (i > 2) return kNone;
  const Operand& first = inst_.operands[2 * i - 1];
  return first.kind != OperandKind::none ? first : inst_.operands[2 * i];
}

void Encoder::image_addresses() {
  constexpr Field kFields[] = {Field::vaddr, Field::vaddr1, Field::vaddr2, Field::vaddr3, Field::vaddr4};
  std::size_t first = 0;
  while (inst_.form->specs()[first].field != Field::vaddr) ++first;
  std::size_t n = 0;
  for (std::size_t i = first; inst_.operands[i].kind == OperandKind::vgpr; ++i, ++n) {
    const std::uint32_t reg = inst_.operands[i].index;
    if (n == 0)
      put(Field::vaddr, reg);
    else if (!has_field(Field::vaddr1)) {
      if ((n - 1) / 4 < nsa_dwords_.size()) nsa_dwords_[(n - 1) / 4] |= reg << (8 * ((n - 1) % 4));
    } else if (n < std::size(kFields)) {
      put(kFields[n], reg);
    }
  }
}

}  // namespace mockgpu::isa::amd
