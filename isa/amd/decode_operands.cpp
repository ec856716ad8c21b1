#include "isa/amd/decoder.h"

namespace mockgpu::isa::amd {
namespace {

// Formats on which neg and abs work. The untyped ones are those of cndmask and fma_mix.
bool takes_sign_modifiers(Format format) {
  switch (format) {
    case Format::f16:
    case Format::bf16:
    case Format::f32:
    case Format::f64:
    case Format::pk2_f16:
    case Format::pk2_bf16:
    case Format::pk2_f32:
    case Format::b16:
    case Format::b32: return true;
    default: return false;
  }
}

// Registers per unit of the field. Resources of gfx12 are named by SGPR number.
unsigned register_scale(Field field, unsigned length) {
  switch (field) {
    case Field::sbase: return 2;
    case Field::srsrc:
    case Field::ssamp: return length <= 5 ? 4 : 1;
    default: return 1;
  }
}

bool holds_vector_registers(Holds holds) {
  return holds == Holds::v || holds == Holds::a || holds == Holds::av;
}

}  // namespace

bool Decoder::operand(const OperandSpec& spec, Field field) {
  Operand& operand = out_.operands[out_.operand_count++];
  unsigned bits = wave64_ ? spec.bits_wave64 : spec.bits;
  if (spec.format == Format::lanemask) bits = wave64_ ? 64 : 32;
  operand.format = spec.format;
  operand.bits = static_cast<std::uint8_t>(bits <= 128 ? bits : 0);
  operand.dwords = static_cast<std::uint8_t>((bits + 31) / 32);
  operand.is_dst = spec.is_dst;
  operand.is_src = spec.is_src;
  switch (spec.holds) {
    case Holds::implied_vcc:
    case Holds::implied_exec:
      operand.kind = OperandKind::sgpr;
      operand.index = spec.holds == Holds::implied_vcc ? scalar::vcc_lo : scalar::exec_lo;
      operand.tied = true;
      if (out_.mods.sdwa && form_->encoding == Encoding::vopc && spec.holds == Holds::implied_vcc) {
        // Bit sd: another mask than vcc.
        const std::uint32_t dword = bits_.dword(dpp_dword_);
        if (dword >> 15 & 1) scalar_register(dword >> 8 & 0x7f, operand);
      }
      return true;
    case Holds::immediate: {
      const std::uint32_t raw = get(field);
      operand.kind = OperandKind::immediate;
      operand.value = spec.format == Format::i16
                          ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(raw)})
                          : raw;
      return true;
    }
    case Holds::lit:
      operand.kind = OperandKind::constant;
      operand.is_literal = true;
      operand.wide_literal = wide_literal_;
      operand.value = wide_literal_ ? out_.literal | std::uint64_t{out_.literal_hi} << 32
                                    : literal_value(bits_.dword(literal_dword_), spec.format, bits);
      return true;
    default: break;
  }
  if (out_.mods.sdwa && (field == Field::src0 || field == Field::vsrc1))
    return sdwa_operand(spec, field, operand);
  const bool by_dpp = field == Field::src0 && out_.mods.dpp != DppKind::none;
  std::uint32_t raw = by_dpp ? selector::kVgpr + (bits_.dword(dpp_dword_) & 0xff) : get(field);
  const unsigned length = by_dpp ? 9 : layout_->fields[static_cast<std::size_t>(field)].length;
  if (holds_vector_registers(spec.holds) && (length < 9 || form_->encoding == Encoding::vinterp)) {
    vector_register(raw & 0xff, operand);
  } else if (!select(spec, raw * register_scale(field, length), operand)) {
    return false;
  }
  if (operand.kind == OperandKind::vgpr && is_accumulation(spec)) operand.kind = OperandKind::agpr;
  source_modifiers(field, operand);
  return true;
}

// Sources of SDWA: VGPRs or scalars, with sign modifiers on floats and sign extension on integers.
bool Decoder::sdwa_operand(const OperandSpec& spec, Field field, Operand& operand) const {
  const std::uint32_t dword = bits_.dword(dpp_dword_);
  const unsigned shift = field == Field::src0 ? 16 : 24;
  const std::uint32_t reg = field == Field::src0 ? dword & 0xff : get(field);
  if (!(dword >> (shift + 7) & 1))
    vector_register(reg, operand);
  else if (!select(spec, reg, operand))
    return false;
  if (form_->has(property::mods) && takes_sign_modifiers(operand.format)) {
    operand.neg = dword >> (shift + 4) & 1;
    operand.abs = dword >> (shift + 5) & 1;
  } else {
    operand.sext = dword >> (shift + 3) & 1;
  }
  return true;
}

// Whether a vector operand is in accumulation VGPRs: bits of the encoding say so for data and for operands of
// MFMA.
bool Decoder::is_accumulation(const OperandSpec& spec) const {
  switch (spec.holds) {
    case Holds::a: return true;
    case Holds::av:
    case Holds::avI:
      if (spec.field == Field::src0 || spec.field == Field::src1)
        return get(Field::acc) >> (spec.field == Field::src1 ? 1 : 0) & 1;
      return has_field(Field::acc_cd) ? get(Field::acc_cd) : form_->encoding == Encoding::vop3p_mai;
    default: break;
  }
  if (!has_field(Field::acc)) return false;
  switch (spec.field) {
    case Field::addr:
      // ds_gws: the data stand in the field of the address, on gfx9 too.
      return layout_->encoding == Encoding::ds && form_->has(property::m0) && get(Field::acc) &&
             form_->specs().size() == 1;
    case Field::vdst:
    case Field::vdata:
    case Field::data:
    case Field::data0:
    case Field::data1:
      return layout_->encoding != Encoding::vop3p_mai && layout_->encoding != Encoding::vop3px2 &&
             index_.generation() >= Generation::cdna2 && get(Field::acc);
    default: return false;
  }
}

// A source of fma_mix that op_sel_hi makes f16 has the f16 constants.
bool Decoder::is_mixed_half(const OperandSpec& spec) const {
  const bool mix = form_->encoding == Encoding::vop3p && spec.holds == Holds::vsI;
  const unsigned n = static_cast<unsigned>(spec.field) - static_cast<unsigned>(Field::src0);
  return mix && (out_.mods.op_sel_hi >> n & 1);
}

bool Decoder::select(const OperandSpec& spec, std::uint32_t sel, Operand& operand) const {
  const bool resource = spec.field == Field::srsrc || spec.field == Field::ssamp;
  if (resource && sel >= 128) return false;
  if (holds_vector_registers(spec.holds) && !out_.mods.sdwa && sel < selector::kVgpr &&
      sel != scalar::lds_direct)
    return false;
  if (sel == selector::kLiteral64 && wide_literal_ && !spec.is_dst) {
    operand.kind = OperandKind::constant;
    operand.is_literal = operand.wide_literal = true;
    operand.value = out_.literal | std::uint64_t{out_.literal_hi} << 32;
  } else if (sel >= selector::kVgpr) {
    if (spec.holds == Holds::s || spec.holds == Holds::sI || spec.holds == Holds::sL) return false;
    vector_register(sel - selector::kVgpr, operand);
  } else if (sel < 128) {
    scalar_register(sel, operand);
    if (operand.index == scalar::m0 && operand.dwords > 1) return false;
    if (operand.index == scalar::null && !index_.traits().has_null) return false;
  } else if (spec.is_dst) {
    return false;
  } else if (sel == selector::kLiteral) {
    if (!literal_dword_) return false;
    operand.kind = OperandKind::constant;
    operand.is_literal = true;
    operand.value = literal_value(bits_.dword(literal_dword_), spec.format, operand.bits);
  } else if (inline_constant(sel, is_mixed_half(spec) ? Format::pk2_f16 : spec.format,
                             operand.bits ? operand.bits : 32u, operand.value)) {
    operand.kind = OperandKind::constant;
    operand.index = static_cast<std::uint16_t>(sel);
  } else if (has_special(index_.generation(), sel)) {
    operand.kind = OperandKind::special;
    operand.index = static_cast<std::uint16_t>(sel);
  } else {
    return false;
  }
  return true;
}

void Decoder::scalar_register(std::uint32_t sel, Operand& operand) const {
  operand.kind = OperandKind::sgpr;
  // gfx10 has m0 and null the other way round, gfx9 has m0 there.
  if (sel == scalar::null || sel == scalar::m0) sel = sel == index_.traits().m0 ? scalar::m0 : scalar::null;
  if (sel != scalar::null && sel != scalar::m0) {
    if (operand.dwords == 2) sel &= ~1u;
    if (operand.dwords > 2) sel &= ~3u;
  }
  operand.index = static_cast<std::uint16_t>(sel);
}

// 16-bit operands of the 32-bit encodings name a half of v0..v127 (gfx11 and later).
void Decoder::vector_register(std::uint32_t reg, Operand& operand) const {
  operand.kind = OperandKind::vgpr;
  if (operand.bits == 16 && index_.traits().true16 && is_vop_e32(form_->encoding)) {
    operand.high = reg >> 7 & 1;
    reg &= 0x7f;
  }
  operand.index = static_cast<std::uint16_t>(reg);
}

void Decoder::source_modifiers(Field field, Operand& operand) const {
  unsigned n = 0;
  switch (field) {
    case Field::src0: n = 0; break;
    case Field::src1:
    case Field::vsrc1: n = 1; break;
    case Field::src2: n = 2; break;
    case Field::vdst:
      if (form_->encoding != Encoding::vop3p && operand.bits == 16 && form_->has(property::opsel))
        operand.high = out_.mods.op_sel >> 3 & 1;
      return;
    default: return;
  }
  if (is_vop_e32(form_->encoding)) {
    if (out_.mods.dpp == DppKind::dpp16 && form_->has(property::mods) &&
        takes_sign_modifiers(operand.format)) {
      const std::uint32_t dword = bits_.dword(dpp_dword_);
      operand.neg = dword >> (20 + 2 * n) & 1;
      operand.abs = dword >> (21 + 2 * n) & 1;
    }
    return;
  }
  const Modifiers& mods = out_.mods;
  if (takes_sign_modifiers(operand.format)) {
    operand.neg = mods.neg >> n & 1;
    if (form_->encoding == Encoding::vop3p)
      operand.abs = mods.neg_hi >> n & 1;
    else if (form_->has(property::mods) && !form_->has(property::bitop3))
      operand.abs = get(Field::abs) >> n & 1;
  }
  if (form_->encoding == Encoding::vop3p) {
    operand.high = mods.op_sel >> n & 1;
    operand.high2 = mods.op_sel_hi >> n & 1;
  } else if (operand.bits == 16) {
    operand.high = mods.op_sel >> n & 1;
  }
}

}  // namespace mockgpu::isa::amd
