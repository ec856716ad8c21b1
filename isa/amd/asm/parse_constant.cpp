#include <fmt/format.h>

#include <bit>

#include "isa/amd/asm/float_bits.h"
#include "isa/amd/asm/instruction_parser.h"
#include "isa/amd/decode_bits.h"

namespace mockgpu::isa::amd {
namespace {

bool takes_literal(Holds holds) { return holds == Holds::sL || holds == Holds::vsL || holds == Holds::lit; }

bool is_short_integer(Format format) {
  return format == Format::i16 || format == Format::u16 || format == Format::b16;
}

constexpr std::uint32_t kInverse2Pi = 248;  // selector
constexpr std::uint32_t kInverse2PiBits = 0x3e22f983;

std::uint64_t mask_of(unsigned bits) {
  return bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~std::uint64_t{0};
}

}  // namespace

// Encodings of 64 bits have no room for 64 more.
bool InstructionParser::takes_wide_literals() const {
  return traits(generation()).literal64 && !is_vop_e64(inst_.encoding);
}

// A number, a fraction, an expression, or lit(x), which is never an inline constant.
void InstructionParser::constant(const OperandSpec& spec, Operand& operand) {
  operand.kind = OperandKind::constant;
  const std::size_t column = scanner_.column();
  const bool named_wide = scanner_.accept_word("lit64");
  const bool wide = named_wide && operand.bits == 64;
  const bool named = named_wide || scanner_.accept_word("lit"), forced = named || has_literals_only(inst_.op);
  if (named) scanner_.expect("(");
  const std::size_t begin = scanner_.column();
  const bool minus = scanner_.accept("-");
  if (named_wide && !traits(generation()).literal64)
    throw Mismatch{column, fmt::format("{} has no literals of 64 bits", target_.name)};
  if (wide && !takes_wide_literals()) throw Mismatch{column, "there are no 64-bit literals here"};
  if (scanner_.at_number()) {
    const Number number = scanner_.number();
    if (number.is_float) {
      real(spec, operand, minus ? -number.real : number.real, column, forced, wide);
      if (named) scanner_.expect(")");
      return;
    }
  }
  scanner_.seek(begin);
  const Expression expression = Expression::parse(scanner_, symbols_, operand.abs);
  if (named) scanner_.expect(")");
  Value value;
  if (expression.variant() == SymbolVariant::none && expression.evaluate(symbols_, value) &&
      value.is_absolute() && !value.of_places) {
    if (wide)
      wide_literal(spec, operand, static_cast<std::uint64_t>(value.offset), column);
    else
      integer(spec, operand, value.offset, column, forced);
    return;
  }
  if (operand.format == Format::f64 || operand.bits == 16)
    throw Mismatch{column, "an address or what is made of addresses has no place in this operand",
                   "operands of 32 bits take them, and integers of 64 bits"};
  const bool is_wide = wide || (operand.bits == 64 && takes_wide_literals());
  if (is_wide)
    wide_literal(spec, operand, 0, column);
  else
    literal(spec, operand, 0, column);
  result_.pending = PendingValue{false, expression, is_wide};
}

// The width at which inline constants are compared: lane masks and wide operands have 32-bit ones.
unsigned InstructionParser::constant_bits(const Operand& operand) const {
  if (operand.bits == 16 && has_wide_constants(inst_.encoding, operand.format)) return 32;
  if (is_pair_of_32_bits(operand.format)) return 32;
  if (operand.format == Format::f16 && inst_.encoding == Encoding::vop3) return 16;  // v_s_* has 32
  return operand.bits == 16 || operand.bits == 64 ? operand.bits : 32;
}

// Finds the inline constant with these bits at the operand's width.
bool InstructionParser::inline_selector(Operand& operand, std::uint64_t bits) const {
  const unsigned width = constant_bits(operand);
  for (std::uint32_t selector = 128; selector <= 248; ++selector) {
    std::uint64_t constant = 0;
    if (!inline_constant(selector, operand.format, width, constant)) continue;
    if (constant != (bits & mask_of(width))) continue;
    operand.index = static_cast<std::uint16_t>(selector);
    operand.value = constant;
    return true;
  }
  return false;
}

void InstructionParser::integer(const OperandSpec& spec, Operand& operand, std::int64_t value,
                                std::size_t column, bool forced) {
  if (operand.format == Format::f64) {
    double_bits(spec, operand, value, column, forced);
    return;
  }
  const unsigned width = constant_bits(operand);
  const auto raw = static_cast<std::uint64_t>(value);
  if (spec.holds == Holds::lit && operand.bits == 64) {
    wide_literal(spec, operand, raw, column);
    return;
  }
  if (!forced && spec.holds != Holds::lit) {
    // 16-bit integers are compared at 32 bits: neither 0xffff nor the bits of a float are inline.
    const bool small = value >= -16 && value <= 64;
    const bool compared =
        small || !is_short_integer(operand.format) || has_wide_constants(inst_.encoding, operand.format);
    const bool fits = width == 64 || (value >> width) == 0 || (value >> (width - 1)) == -1;
    if (compared && fits && inline_selector(operand, raw)) return;
  }
  const bool half = width == 16;
  const std::int64_t least = half && !forced ? -0x8000 : -0x80000000ll;
  const std::int64_t most = half ? 0xffff : 0xffffffffll;
  if (width == 64 && takes_wide_literals()) {
    // LLVM writes 32 bits only where no extension could change them, and where nothing is forced.
    const bool shift =
        inst_.op == Op::v_lshlrev_b64 || inst_.op == Op::v_lshrrev_b64 || inst_.op == Op::v_ashrrev_i64;
    const std::int64_t narrow = shift ? 0xffffffffll : 0x7fffffffll;
    if (value < 0 || value > narrow || (forced && !shift)) {
      wide_literal(spec, operand, raw, column);
      return;
    }
  }
  if (value < least || value > most)
    throw Mismatch{column, fmt::format("{} does not fit in a literal of this operand", value),
                   fmt::format("{} to {:#x}", least, most)};
  literal(spec, operand, static_cast<std::uint32_t>(half && !forced ? raw & 0xffff : raw), column);
}

// The bits of a double: 32 of them are its upper half.
void InstructionParser::double_bits(const OperandSpec& spec, Operand& operand, std::int64_t value,
                                    std::size_t column, bool forced) {
  const auto raw = static_cast<std::uint64_t>(value);
  const bool upper = value >= -0x80000000ll && value <= 0xffffffffll;
  const std::uint64_t bits = upper ? raw << 32 : raw;
  if (spec.holds == Holds::lit)
    wide_literal(spec, operand, bits, column);
  else if (!forced && (inline_selector(operand, raw) || inline_selector(operand, bits)))
    return;
  else if (static_cast<std::uint32_t>(bits) == 0)
    literal(spec, operand, static_cast<std::uint32_t>(bits >> 32), column);
  else if (takes_wide_literals())
    wide_literal(spec, operand, bits, column);
  else
    throw Mismatch{column, fmt::format("{} does not fit in a literal of this operand", value),
                   "the upper 32 bits of a double"};
}

// The float that a fraction becomes in this operand.
FloatKind InstructionParser::float_kind(const Operand& operand) const {
  switch (operand.format) {
    case Format::bf16:
    case Format::pk2_bf16: return kBrainHalf;
    case Format::f16: return has_wide_constants(inst_.encoding, operand.format) ? kSingle : kHalf;
    case Format::pk2_f16: return kHalf;
    case Format::pk2_f32:
    case Format::pk2_b32: return kSingle;
    default: return operand.bits == 64 ? kDouble : kSingle;
  }
}

void InstructionParser::real(const OperandSpec& spec, Operand& operand, double value, std::size_t column,
                             bool forced, bool wide) {
  const FloatKind kind = float_kind(operand);
  if (!is_in_range(value, kind))
    throw Mismatch{column, fmt::format("{} is too {} for a float of {} bits", value,
                                       std::fabs(value) < 1 ? "small" : "large", kind.bits())};
  const bool is_double = kind.bits() == 64;
  std::uint64_t bits = is_double ? f64_bits(value) : round_to_float(value, kind);
  // 1/(2 pi) is the truncated value in bf16, which rounding does not give.
  std::uint64_t inverse_2pi = 0;
  inline_constant(kInverse2Pi, operand.format, constant_bits(operand), inverse_2pi);
  if (!is_double && f32_bits(value) == kInverse2PiBits) bits = inverse_2pi;
  // Integers of 16 bits have the constants of f16.
  const bool short_integer = constant_bits(operand) == 16 && kind.bits() > 16 && is_in_range(value, kHalf);
  const bool has_inline = inline_selector(operand, short_integer ? round_to_float(value, kHalf) : bits) ||
                          (constant_bits(operand) == 32 && inline_selector(operand, f32_bits(value)));
  if (!forced && spec.holds != Holds::lit && has_inline) return;
  if (is_double) {
    if (operand.format != Format::f64)
      throw Mismatch{column, "a 64-bit integer operand takes only the fractions that are inline constants",
                     "0.5 1.0 2.0 4.0 and their negatives, 0.15915494309189532"};
    const bool exact = static_cast<std::uint32_t>(bits) == 0;
    if (spec.holds == Holds::lit || wide || (!exact && takes_wide_literals())) {
      wide_literal(spec, operand, bits, column);
      return;
    }
    bits >>= 32;  // the literal is the upper half
    if (!exact)
      result_.warning = fmt::format("{} becomes {}: a literal has the upper 32 bits of a double", value,
                                    std::bit_cast<double>(bits << 32));
  }
  if (operand.bits == 16 && kind.bits() > 16)
    result_.warning =
        fmt::format("{} is written in 32 bits, as LLVM has it; the instruction reads the lower 16", value);
  if (is_mix()) mix_fraction_ = value;
  literal(spec, operand, static_cast<std::uint32_t>(bits), column);
}

// What op_sel_hi makes 16 bits of v_fma_mix* has a fraction of that size.
void InstructionParser::narrow_mix_fraction() {
  bool narrow = false, wide = false;
  for (unsigned n = 0; n < 3; ++n)
    if (inst_.operands[n + 1].is_literal) (inst_.mods.op_sel_hi >> n & 1 ? narrow : wide) = true;
  if (!mix_fraction_ || !narrow) return;
  const std::size_t column = modifier_column("op_sel_hi");
  if (wide) throw Mismatch{column, "in 16 bits the fraction is another literal than in 32 bits"};
  if (!is_in_range(*mix_fraction_, kHalf))
    throw Mismatch{column, fmt::format("{} does not fit in 16 bits", *mix_fraction_)};
  inst_.literal = round_to_float(*mix_fraction_, kHalf);
}

void InstructionParser::literal(const OperandSpec& spec, Operand& operand, std::uint32_t bits,
                                std::size_t column) {
  claim_literal(spec, operand, bits, column);
  operand.value = literal_value(bits, operand.format, operand.bits);
}

void InstructionParser::wide_literal(const OperandSpec& spec, Operand& operand, std::uint64_t bits,
                                     std::size_t column) {
  operand.wide_literal = true;
  claim_literal(spec, operand, bits, column);
  operand.value = bits;
}

// Several operands can share the one literal that an instruction has.
void InstructionParser::claim_literal(const OperandSpec& spec, Operand& operand, std::uint64_t bits,
                                      std::size_t column) {
  const bool mixed = is_mix() && traits(generation()).vop3_literal;
  const bool has_room = !is_vop_e64(inst_.encoding) || traits(generation()).vop3_literal;
  if (!has_room || (!takes_literal(spec.holds) && !mixed))
    throw Mismatch{
        column, "only an inline constant fits here",
        std::string(legal_operand(spec.holds)) + ": -16 to 64, 0.5 1.0 2.0 4.0 and their negatives"};
  bool other = result_.pending.has_value();
  for (const Operand& earlier : inst_.ops())
    other |= &earlier != &operand && earlier.is_literal &&
             (earlier.wide_literal != operand.wide_literal ||
              bits != (std::uint64_t{inst_.literal_hi} << 32 | inst_.literal));
  if (other) throw Mismatch{column, "an instruction has one literal at most"};
  operand.is_literal = true;
  inst_.literal = static_cast<std::uint32_t>(bits);
  inst_.literal_hi = static_cast<std::uint32_t>(bits >> 32);
}

}  // namespace mockgpu::isa::amd
