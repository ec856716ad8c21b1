#include <fmt/format.h>

#include "isa/amd/decode_bits.h"
#include "isa/amd/disassembler.h"
#include "isa/amd/operand_names.h"

namespace mockgpu::isa::amd {
namespace {

bool is_16_bit_integer(Format format) {
  return format == Format::i16 || format == Format::u16 || format == Format::b16;
}

// The floats that are inline constants, as text, by selector 240..248.
constexpr std::string_view kFloatTexts[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};
constexpr std::string_view kInverse2Pi16 = "0.15915494", kInverse2Pi32 = "0.15915494",
                           kInverse2Pi64 = "0.15915494309189532";

// Operations on 16-bit integers whose inline constants LLVM shows as fractions.
bool shows_fractions(Op op) {
  switch (op) {
    case Op::v_cmp_class_f16:
    case Op::v_cmpx_class_f16:
    case Op::v_cvt_pk_f32_fp8:
    case Op::v_cvt_pk_f32_bf8: return true;
    default: return false;
  }
}

constexpr std::uint32_t kFirstFraction = 240, kLastFraction = 248;  // selectors

// Whether a fraction that is an inline constant has these bits.
bool is_fraction(Format format, unsigned bits, std::uint64_t value) {
  for (std::uint32_t sel = kFirstFraction; sel <= kLastFraction; ++sel) {
    std::uint64_t constant = 0;
    inline_constant(sel, format, bits, constant);
    if (constant == value) return true;
  }
  return false;
}

// Whether an inline constant has the value of this literal, as LLVM sees it: 16-bit integers are compared as
// 32-bit ones, and 32 bits are the upper half of a double.
bool could_be_inline(Encoding encoding, const Operand& operand, std::uint32_t raw) {
  const Format format = operand.format;
  if (format == Format::f64) return is_fraction(format, 64, std::uint64_t{raw} << 32);
  if (operand.bits == 64 && !is_pair_of_32_bits(format)) return raw <= 64;
  const bool wide = has_wide_constants(encoding, format), half = format == Format::f16 && !wide;
  const std::int32_t value = half ? static_cast<std::int16_t>(raw) : static_cast<std::int32_t>(raw);
  if (value >= -16 && value <= 64) return true;
  // Integers of 16 bits have the float constants of 32 bits here.
  return half ? is_fraction(format, 16, raw & 0xffff) : is_fraction(wide ? Format::b32 : format, 32, raw);
}

void register_range(std::string& out, std::string_view prefix, unsigned first, unsigned count) {
  if (count == 1)
    out += fmt::format("{}{}", prefix, first);
  else
    out += fmt::format("{}[{}:{}]", prefix, first, first + count - 1);
}

}  // namespace

void Disassembler::operand(const OperandSpec& spec, const Operand& operand) {
  if (spec.field == Field::soffset && inst_.form->specs().back().field == Field::sdata &&
      inst_.form->specs().back().holds == Holds::immediate) {
    prefetch_offset(operand);
    return;
  }
  // The sign modifiers of packed operands are listed apart, those of fma_mix are not.
  const bool signs = inst_.encoding != Encoding::vop3p || spec.holds == Holds::vsI;
  const bool neg = signs && operand.neg;
  const bool abs = signs && operand.abs;
  // -1 is a constant of its own: a negated constant is spelled otherwise.
  const bool neg_constant = neg && !abs && operand.kind == OperandKind::constant;
  if (neg) out_ += neg_constant ? "neg(" : "-";
  if (abs) out_ += '|';
  if (operand.sext) out_ += "sext(";
  switch (operand.kind) {
    case OperandKind::none: absent(spec); break;
    case OperandKind::vgpr:
    case OperandKind::agpr:
    case OperandKind::sgpr:
    case OperandKind::special: registers(operand); break;
    case OperandKind::constant: constant(spec, operand); break;
    case OperandKind::immediate: immediate(spec, operand); break;
  }
  if (operand.sext) out_ += ')';
  if (abs) out_ += '|';
  if (neg_constant) out_ += ')';
  if (spec.field == Field::soffset && inst_.encoding == Encoding::smem && operand.kind != OperandKind::none)
    smem_offset();
}

void Disassembler::absent(const OperandSpec& spec) {
  if (spec.field != Field::soffset) {
    out_ += inst_.op == Op::tensor_save ? "null" : "off";
  } else if (inst_.mods.offset) {
    out_ += inst_.mods.offset < 0 ? fmt::format("-{:#x}", -inst_.mods.offset)
                                  : fmt::format("{:#x}", inst_.mods.offset);
  } else {
    out_ += is_gfx9(generation_) || is_gfx12(generation_) ? "0x0" : "null";
  }
}

// Prefetches name the immediate before the SGPR.
void Disassembler::prefetch_offset(const Operand& operand) {
  const std::int32_t offset = inst_.mods.offset;
  out_ += offset < 0 ? fmt::format("-{:#x}, ", -offset) : fmt::format("{:#x}, ", offset);
  if (operand.kind == OperandKind::none)
    out_ += "null";
  else
    registers(operand);
}

void Disassembler::smem_offset() {
  const std::int32_t offset = inst_.mods.offset;
  if (offset || inst_.mods.smem_offset)
    out_ += offset < 0 ? fmt::format(" offset:-{:#x}", -offset) : fmt::format(" offset:{:#x}", offset);
}

void Disassembler::registers(const Operand& operand) {
  const unsigned index = operand.index;
  switch (operand.kind) {
    case OperandKind::vgpr:
      register_range(out_, "v", index, operand.dwords);
      if (operand.bits == 16 && index_.traits().true16) out_ += operand.high ? ".h" : ".l";
      return;
    case OperandKind::agpr: register_range(out_, "a", index, operand.dwords); return;
    default: break;
  }
  if (index < index_.traits().sgprs) {
    register_range(out_, "s", index, operand.dwords);
  } else if (index >= scalar::ttmp0 && index < scalar::null) {
    register_range(out_, "ttmp", index - scalar::ttmp0, operand.dwords);
  } else {
    out_ += scalar_name(index, operand.dwords > 1);
  }
}

void Disassembler::constant(const OperandSpec& spec, const Operand& operand) {
  if (operand.is_literal) {
    literal(spec, operand);
    return;
  }
  const unsigned sel = operand.index;
  if (has_literals_only(inst_.op) && sel >= kFirstFraction) {
    std::uint64_t value = 0;
    inline_constant(sel, Format::f32, 32, value);
    out_ += fmt::format("{:#x}", value);
  } else if (sel <= 192) {
    out_ += fmt::format("{}", sel - 128);
  } else if (sel <= 208) {
    out_ += fmt::format("-{}", sel - 192);
  } else if (operand.bits == 16 && is_16_bit_integer(operand.format) && !shows_fractions(inst_.op)) {
    out_ += fmt::format("{:#x}", operand.value);
  } else if (sel < 248) {
    out_ += kFloatTexts[sel - 240];
  } else {
    out_ += operand.bits == 16                                          ? kInverse2Pi16
            : operand.bits == 64 && !is_pair_of_32_bits(operand.format) ? kInverse2Pi64
                                                                        : kInverse2Pi32;
  }
}

// A literal that an inline constant could stand for is marked, so that assembling the text gives the same
// bytes.
void Disassembler::literal(const OperandSpec& spec, const Operand& operand) {
  const std::uint32_t raw = inst_.literal;
  if (has_literals_only(inst_.op)) {
    const auto value = static_cast<std::int32_t>(raw);
    out_ += value >= -16 && value <= 64 ? fmt::format("{}", value) : fmt::format("{:#x}", raw);
    return;
  }
  if (operand.wide_literal) {
    // Marked if 32 bits would do; of a double whose low half is 0 the high half is shown, as in 32 bits.
    const std::uint64_t value = operand.value;
    if (operand.format == Format::f64 && static_cast<std::uint32_t>(value) == 0)
      out_ += fmt::format("{:#x}", value >> 32);
    else if (value >> 32 == 0 || static_cast<std::int64_t>(value) == static_cast<std::int32_t>(value))
      out_ += fmt::format("lit64({:#x})", value);
    else
      out_ += fmt::format("{:#x}", value);
    return;
  }
  if (spec.holds != Holds::lit && could_be_inline(inst_.encoding, operand, raw))
    out_ += fmt::format("lit({:#x})", raw);
  else {
    // Of 16-bit operands the low half, which is all that is read; one-source SALU operations show it all.
    const bool scalar_half = operand.format == Format::f16 && inst_.encoding == Encoding::vop3;
    const bool half =
        (operand.bits == 16 || scalar_half) && spec.holds != Holds::lit && inst_.encoding != Encoding::sop1;
    out_ += fmt::format("{:#x}", half ? raw & 0xffff : raw);
  }
}

// `v[1:9]`, or with nsa and on gfx12 `[v32, v16, v[36:37]]`.
void Disassembler::image_addresses() {
  std::size_t first = 0, end = 0;
  while (inst_.form->specs()[first].field != Field::vaddr) ++first;
  for (end = first; inst_.operands[end].kind == OperandKind::vgpr; ++end) {
  }
  const bool list = inst_.mods.nsa || end - first > 1;
  if (list) out_ += '[';
  for (std::size_t i = first; i < end; ++i) {
    if (i > first) out_ += ", ";
    registers(inst_.operands[i]);
  }
  if (list) out_ += ']';
}

}  // namespace mockgpu::isa::amd
