#include <fmt/format.h>

#include "isa/amd/asm/float_bits.h"
#include "isa/amd/asm/instruction_parser.h"
#include "isa/amd/decode_bits.h"
#include "isa/amd/operand_names.h"

namespace mockgpu::isa::amd {
namespace {

// Of scalar memory: what the encoding has room for is checked with the rest.
constexpr std::int64_t kLeastOffset = -0x80000000ll, kMostOffset = 0x7fffffff;

bool takes_vgpr(Holds holds) {
  switch (holds) {
    case Holds::v:
    case Holds::vI:
    case Holds::vsI:
    case Holds::vsL:
    case Holds::vs:
    case Holds::a:
    case Holds::av:
    case Holds::avI: return true;
    default: return false;
  }
}

bool takes_sgpr(Holds holds) {
  switch (holds) {
    case Holds::s:
    case Holds::sI:
    case Holds::sL:
    case Holds::vsI:
    case Holds::vsL:
    case Holds::vs: return true;
    default: return false;
  }
}

bool takes_constant(Holds holds) {
  switch (holds) {
    case Holds::v:
    case Holds::s:
    case Holds::vs:
    case Holds::a:
    case Holds::av: return false;
    default: return true;
  }
}

bool all_digits(std::string_view text) {
  for (char c : text)
    if (c < '0' || c > '9') return false;
  return !text.empty();
}

constexpr unsigned kMostRegisters = 1024;

unsigned to_number(std::string_view digits) {
  unsigned value = 0;
  for (char c : digits) {
    value = value * 10 + static_cast<unsigned>(c - '0');
    if (value > kMostRegisters) return kMostRegisters;
  }
  return value;
}

}  // namespace

std::string_view legal_operand(Holds holds) {
  switch (holds) {
    case Holds::v: return "a VGPR";
    case Holds::s: return "an SGPR";
    case Holds::sI: return "an SGPR or an inline constant";
    case Holds::sL: return "an SGPR or a constant";
    case Holds::vI: return "a VGPR or an inline constant";
    case Holds::vsI: return "a VGPR, an SGPR or an inline constant";
    case Holds::vsL: return "a VGPR, an SGPR or a constant";
    case Holds::vs: return "a VGPR or an SGPR";
    case Holds::a: return "an accumulation VGPR";
    case Holds::av: return "a VGPR or an accumulation VGPR";
    case Holds::avI: return "a VGPR, an accumulation VGPR or an inline constant";
    case Holds::immediate: return "a number";
    case Holds::lit: return "a constant";
    case Holds::implied_vcc: return "vcc";
    case Holds::implied_exec: return "exec";
  }
  return {};
}

// A sign, then what it applies to: -v1, |v1|, -|v1|, neg(x), abs(x). -1 is a constant.
void InstructionParser::operand(const OperandSpec& spec, Operand& operand) {
  if (spec.holds == Holds::immediate) {
    immediate(spec, operand);
    return;
  }
  // Prefetches name the immediate before the SGPR.
  const OperandSpec& last = inst_.form->specs().back();
  const bool prefetch = last.field == Field::sdata && last.holds == Holds::immediate;
  if (spec.field == Field::soffset && prefetch) {
    modifier_columns_.emplace_back("offset", scanner_.column());
    inst_.mods.offset = static_cast<std::int32_t>(known("the offset", kLeastOffset, kMostOffset));
    scanner_.expect(",");
  }
  if (absent(spec, operand)) return;
  const std::size_t column = scanner_.column();
  if (scanner_.accept_word("neg")) {
    scanner_.expect("(");
    magnitude(spec, operand);
    scanner_.expect(")");
    operand.neg = true;
    return;
  }
  if (scanner_.accept("-")) {
    RegisterName name;
    const std::size_t after = scanner_.column();
    operand.neg = scanner_.peek() == '|' || scanner_.peek_word() == "abs" || register_name(name);
    scanner_.seek(operand.neg ? after : column);
  }
  magnitude(spec, operand);
}

void InstructionParser::magnitude(const OperandSpec& spec, Operand& operand) {
  if (scanner_.accept_word("sext")) {
    scanner_.expect("(");
    plain_operand(spec, operand);
    scanner_.expect(")");
    operand.sext = true;
    return;
  }
  const bool bars = scanner_.accept("|");
  operand.abs = bars || scanner_.accept_word("abs");
  if (operand.abs && !bars) scanner_.expect("(");
  plain_operand(spec, operand);
  if (operand.abs) scanner_.expect(bars ? "|" : ")");
}

void InstructionParser::plain_operand(const OperandSpec& spec, Operand& operand) {
  const std::size_t column = scanner_.column();
  RegisterName name;
  if (register_name(name)) {
    set_register(spec, name, column, operand);
    return;
  }
  const bool sdwa_source = candidate_.sdwa && spec.field == Field::vsrc1;
  if ((!takes_constant(spec.holds) && !sdwa_source) || spec.holds == Holds::implied_vcc)
    scanner_.fail(scanner_.at_end() ? "an operand is missing" : "this cannot stand here",
                  std::string(legal_operand(spec.holds)));
  // SMEM has its offset in the place of soffset.
  if (spec.field == Field::soffset && inst_.encoding == Encoding::smem) {
    modifier_columns_.emplace_back("offset", column);
    inst_.mods.offset = static_cast<std::int32_t>(known("the offset", kLeastOffset, kMostOffset));
    operand.kind = OperandKind::none;
    operand.dwords = 0;
    operand.bits = 0;
    return;
  }
  constant(spec, operand);
}

// `off`, and what stands for nothing.
bool InstructionParser::absent(const OperandSpec& spec, Operand& operand) {
  const std::string_view word = scanner_.peek_word();
  const bool optional = spec.field == Field::saddr || spec.field == Field::addr ||
                        spec.field == Field::vaddr || inst_.encoding == Encoding::exp;
  const bool off = optional && word == "off";
  const bool null = spec.field == Field::soffset && inst_.encoding == Encoding::smem && word == "null" &&
                    traits(generation()).has_null;
  if (!off && !null) return false;
  scanner_.word();
  operand.kind = OperandKind::none;
  operand.dwords = 0;
  operand.bits = 0;
  return true;
}

void InstructionParser::set_register(const OperandSpec& spec, const RegisterName& name, std::size_t column,
                                     Operand& operand) {
  const auto fail = [&](std::string message) {
    throw Mismatch{column, std::move(message), std::string(legal_operand(spec.holds))};
  };
  operand.index = name.index;
  operand.kind = name.kind;
  if (name.count) operand.dwords = static_cast<std::uint8_t>(name.count);
  operand.high = name.half == 'h';
  halves_[static_cast<std::size_t>(&operand - inst_.operands.data())] = name.half;
  const bool vector = name.kind == OperandKind::vgpr || name.kind == OperandKind::agpr;
  if (spec.holds == Holds::implied_vcc) {
    // SDWA compares may write another mask.
    const bool mask = candidate_.sdwa && inst_.encoding == Encoding::vopc && !vector;
    if (!mask && (vector || name.index != scalar::vcc_lo)) fail("this encoding has vcc here");
    operand.tied = true;
    return;
  }
  const bool moves = inst_.encoding == Encoding::vop3p_mai || generation() >= Generation::cdna2;
  if (name.kind == OperandKind::agpr && !(is_gfx9(generation()) && moves))
    fail(generation() == Generation::cdna1
             ? fmt::format("{} loads and stores no accumulation VGPRs", target_.name)
             : fmt::format("{} has no accumulation VGPRs", target_.name));
  const bool resource = spec.field == Field::srsrc || spec.field == Field::ssamp;
  if (resource && name.kind == OperandKind::special) fail("this register is no resource");
  if (vector && !takes_vgpr(spec.holds)) fail("a vector register cannot stand here");
  const bool sdwa_source = candidate_.sdwa && spec.field == Field::vsrc1;
  const bool reads_lanes = inst_.op == Op::v_readlane_b32 || inst_.op == Op::v_readfirstlane_b32;
  const bool lds_direct = name.index == scalar::lds_direct && reads_lanes;
  if (!vector && !takes_sgpr(spec.holds) && !sdwa_source && !lds_direct)
    fail("a scalar register cannot stand here");
  if (name.kind == OperandKind::special && spec.is_dst) fail("this register cannot be written");
  if (name.half && !traits(generation()).true16)
    fail(fmt::format("{} has no halves of registers", target_.name));
  if (name.half && operand.bits != 16) fail("the operand is no half register");
}

// Consecutive registers as a list: [s0,s1], which is s[0:1].
bool InstructionParser::register_list(RegisterName& name) {
  const std::size_t begin = scanner_.column();
  if (!scanner_.accept("[") || scanner_.accept("[") || !register_name(name) || name.count == 0) {
    scanner_.seek(begin);
    return false;
  }
  while (scanner_.accept(",")) {
    RegisterName next;
    const std::size_t column = scanner_.column();
    if (!register_name(next) || next.kind != name.kind || next.index != name.index + name.count ||
        next.count == 0)
      throw Mismatch{column, "the registers of a list follow each other"};
    name.count += next.count;
  }
  scanner_.expect("]");
  return true;
}

bool InstructionParser::register_name(RegisterName& name) {
  struct File {
    std::string_view prefix;
    OperandKind kind;
    unsigned first, count;
  };
  const unsigned sgprs = traits(generation()).sgprs;
  const File files[] = {{"ttmp", OperandKind::sgpr, scalar::ttmp0, 16},
                        {"v", OperandKind::vgpr, 0, 256},
                        {"s", OperandKind::sgpr, 0, sgprs},
                        {"acc", OperandKind::agpr, 0, 256},
                        {"a", OperandKind::agpr, 0, 256}};
  if (scanner_.peek() == '[') return register_list(name);
  const std::size_t begin = scanner_.column();
  const std::string_view word = scanner_.word();
  for (const File& file : files) {
    if (!word.starts_with(file.prefix)) continue;
    std::string_view number = word.substr(file.prefix.size());
    unsigned first = 0, last = 0;
    char half = 0;
    if (number.size() > 2 && number[number.size() - 2] == '.' &&
        (number.back() == 'l' || number.back() == 'h')) {
      half = number.back();
      number.remove_suffix(2);
    }
    if (all_digits(number)) {
      first = last = to_number(number);
    } else if (number.empty() && scanner_.peek() == '[') {
      scanner_.accept("[");
      first = last = register_number();
      if (scanner_.accept(":")) last = register_number();
      scanner_.expect("]");
    } else {
      continue;
    }
    if (last < first) throw Mismatch{begin, "the last register comes before the first"};
    // A tuple of gfx1250 goes on where s_set_vgpr_msb says.
    const bool goes_on = generation() == Generation::gfx1250 && file.kind == OperandKind::vgpr &&
                         first < file.count && last < file.count + kMostRegisters;
    if (last >= file.count && !goes_on)
      throw Mismatch{begin, fmt::format("there is no register {}{}", file.prefix, last),
                     fmt::format("{}0 to {}{}", file.prefix, file.prefix, file.count - 1)};
    name.kind = file.kind;
    name.index = static_cast<std::uint16_t>(file.first + first);
    name.count = last - first + 1;
    name.half = half;
    return true;
  }
  scanner_.seek(begin);
  return scalar_register(name);
}

unsigned InstructionParser::register_number() { return known("a register number", 0, kMostRegisters); }

// vcc, exec_lo, m0, null, src_scc...
bool InstructionParser::scalar_register(RegisterName& name) {
  const std::string_view word = scanner_.peek_word();
  if (word.empty()) return false;
  for (unsigned selector = traits(generation()).sgprs; selector < 256; ++selector) {
    const std::string_view narrow = scalar_name(selector, false), wide = scalar_name(selector, true);
    const bool short_name = narrow.starts_with("src_") && narrow.substr(4) == word;
    if (word != narrow && word != wide && !short_name) continue;
    const bool exists = selector < 128 ? selector != scalar::null || traits(generation()).has_null
                                       : has_special(generation(), selector);
    if (!exists) scanner_.fail(fmt::format("{} has no {}", target_.name, word));
    scanner_.word();
    name.index = static_cast<std::uint16_t>(selector);
    name.kind = selector < 128 ? OperandKind::sgpr : OperandKind::special;
    const bool numbered = selector == scalar::vcc_lo || selector == scalar::vcc_hi ||
                          selector == scalar::exec_lo || selector == scalar::exec_hi ||
                          selector == scalar::m0;
    name.count = word != narrow && !short_name ? 2 : numbered ? 1 : 0;
    return true;
  }
  return false;
}

// One range of registers, or with nsa a list of them: [v32, v16, v[36:37]].
void InstructionParser::image_addresses(const OperandSpec& spec) {
  const bool several = scanner_.accept("[");
  inst_.mods.nsa = 0;
  constexpr unsigned kMost = 13;
  unsigned count = 0;
  do {
    columns_[inst_.operand_count] = scanner_.column();
    RegisterName name;
    if (several && count > 0 && !fixed_addresses())
      inst_.mods.nsa = static_cast<std::uint8_t>((count + 3) / 4);
    if (count++ == kMost) scanner_.fail("too many addresses");
    if (!register_name(name) || name.kind != OperandKind::vgpr || name.half)
      scanner_.fail("an image address is a VGPR", "v5 v[5:7] [v5, v7]");
    Operand& address = inst_.operands[inst_.operand_count++];
    address.kind = OperandKind::vgpr;
    address.format = spec.format;
    address.is_src = true;
    address.index = name.index;
    address.dwords = static_cast<std::uint8_t>(name.count);
    address.bits = static_cast<std::uint8_t>(name.count <= 4 ? 32 * name.count : 0);
  } while (several && scanner_.accept(","));
  if (several) scanner_.expect("]");
}

// A range of addresses may be longer than what is read: 8 registers where 5 to 7 are, and on gfx9, which does
// not know how many dimensions an image has, as many as any image needs.
void InstructionParser::fit_addresses(const Instruction& decoded) {
  const bool image = inst_.encoding == Encoding::mimg || inst_.encoding == Encoding::vsample;
  if (!image || inst_.mods.nsa || has(property::bvh)) return;
  for (std::size_t i = 0; i < inst_.form->specs().size() && i < decoded.operand_count; ++i) {
    const OperandSpec& spec = inst_.form->specs()[i];
    if (spec.field != Field::vaddr || spec.holds != Holds::v) continue;
    Operand& address = inst_.operands[i];
    const unsigned least = decoded.operands[i].dwords, given = address.dwords;
    constexpr unsigned kEight = 8;
    unsigned most = least;
    if (is_gfx9(generation())) {
      // One dimension to three, six gradients to the two of one dimension, and a lod.
      const bool lod = has(property::a_lod) && !has(property::a_lod_only);
      most += has(property::a_gradient) ? 7 : 2;
      if (lod || most < 4) ++most;
    }
    const bool rounded = given == kEight && most > 4 && most < kEight;
    if (given > least && generation() == Generation::cdna2 && address.index % 2)
      throw Mismatch{columns_[i],
                     fmt::format("tuples of vector registers start at an even one on {}", target_.name)};
    if ((given > least && given <= most) || rounded) address.dwords = decoded.operands[i].dwords;
    return;
  }
}

// gfx12 has room for several addresses always.
bool InstructionParser::fixed_addresses() const { return is_gfx12(generation()); }

}  // namespace mockgpu::isa::amd
