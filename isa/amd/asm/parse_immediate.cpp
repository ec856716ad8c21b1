#include <fmt/format.h>

#include "isa/amd/asm/instruction_parser.h"
#include "isa/amd/counters.h"
#include "isa/amd/operand_names.h"

namespace mockgpu::isa::amd {
namespace {

// The number that a function of operand_names.h gives `name` to, among the first `count`.
template <typename NameOf>
std::optional<std::uint32_t> number_of(std::string_view name, unsigned count, NameOf&& name_of) {
  if (name.empty()) return std::nullopt;
  for (unsigned id = 0; id < count; ++id)
    if (name_of(id) == name) return id;
  return std::nullopt;
}

template <typename NameOf>
std::string all_names(unsigned count, NameOf&& name_of) {
  std::string names;
  for (unsigned id = 0; id < count; ++id) {
    const std::string_view name = name_of(id);
    if (!name.empty()) names += fmt::format("{}{}", names.empty() ? "" : " ", name);
  }
  return names;
}

// The names of versions beside the file's symbols.
class VersionSymbols : public SymbolScope {
 public:
  explicit VersionSymbols(const SymbolScope& others) : others_(others) {}

  bool find(std::string_view name, Value& value) const override {
    for (const VersionName& version : version_names()) {
      if (version.name != name) continue;
      value = {};
      value.offset = version.value;
      return true;
    }
    return others_.find(name, value);
  }
  Value here() const override { return others_.here(); }
  bool looks_ahead() const override { return others_.looks_ahead(); }
  std::string numeric_label(std::uint64_t number, bool forward) const override {
    return others_.numeric_label(number, forward);
  }

 private:
  const SymbolScope& others_;
};

}  // namespace

std::int64_t InstructionParser::known(std::string_view what) {
  const Expression expression = Expression::parse(scanner_, symbols_);
  Value value;
  std::string undefined;
  if (!expression.evaluate(symbols_, value, &undefined))
    throw Mismatch{expression.column(),
                   fmt::format("{} must be known here, but {} is not defined before", what, undefined)};
  if (!value.is_absolute())
    throw Mismatch{expression.column(), fmt::format("{} must be a number, not an address", what)};
  return value.offset;
}

std::uint32_t InstructionParser::known(std::string_view what, std::int64_t least, std::int64_t most) {
  const std::size_t column = scanner_.column();
  const std::int64_t value = known(what);
  if (value < least || value > most)
    throw Mismatch{column, fmt::format("{} {} is out of range", what, value),
                   fmt::format("{} to {}", least, most)};
  return static_cast<std::uint32_t>(value);
}

void InstructionParser::immediate(const OperandSpec& spec, Operand& operand) {
  operand.kind = OperandKind::immediate;
  switch (spec.field) {
    case Field::attr: attribute(operand); return;
    case Field::attrchan: operand.value = channel_; return;
    case Field::tgt: operand.value = export_target(); return;
    case Field::ssrc0:
      operand.value = inst_.op == Op::s_sendmsg_rtn_b32 || inst_.op == Op::s_sendmsg_rtn_b64
                          ? message(true)
                          : known("the value", 0, 0xff);
      return;
    case Field::ssrc1: operand.value = gpr_index_mode(); return;
    case Field::vsrc:
    case Field::src0:
    case Field::src1: operand.value = interpolation_parameter(); return;
    case Field::sdata: operand.value = known("the value", 0, is_gfx12(generation()) ? 0x1f : 0x7f); return;
    case Field::simm16: operand.value = simm16(spec.format) & 0xffff; return;
    default: operand.value = known("the value", 0, 0xff); return;
  }
}

std::uint32_t InstructionParser::simm16(Format format) {
  switch (inst_.op) {
    case Op::s_waitcnt: return counters(false);
    case Op::s_waitcnt_depctr: return counters(true);
    case Op::s_delay_alu: return delay();
    case Op::s_sendmsg:
    case Op::s_sendmsghalt: return message(false);
    case Op::s_getreg_b32:
    case Op::s_setreg_b32:
    case Op::s_setreg_imm32_b32: return hardware_register();
    default: break;
  }
  if (inst_.op == Op::s_set_gpr_idx_mode) return gpr_index_mode();
  if (inst_.op == Op::s_version) return version();
  if (!has(property::branch)) return known("the value", format == Format::u16 ? 0 : -0x8000, 0xffff);
  const std::size_t column = scanner_.column();
  const Expression expression = Expression::parse(scanner_, symbols_);
  Value value;
  if (!expression.evaluate(symbols_, value) || !value.is_absolute()) {
    result_.pending = PendingValue{true, expression};
    return 0;
  }
  if (value.offset < -0x8000 || value.offset > 0xffff)
    throw Mismatch{column, fmt::format("branch distance {} is out of range", value.offset),
                   "-32768 to 65535, or a label"};
  return static_cast<std::uint32_t>(value.offset);
}

// The generation that code is for, and how: UC_VERSION_GFX12 | UC_VERSION_W32_BIT.
std::uint32_t InstructionParser::version() {
  const VersionSymbols symbols(symbols_);
  const Expression expression = Expression::parse(scanner_, symbols);
  Value value;
  std::string undefined;
  if (!expression.evaluate(symbols, value, &undefined) || !value.is_absolute())
    throw Mismatch{expression.column(), fmt::format("no version is called {}", undefined),
                   "UC_VERSION_GFX10 UC_VERSION_W32_BIT, a number"};
  if (value.offset < -0x8000 || value.offset > 0xffff)
    throw Mismatch{expression.column(), fmt::format("the value {} is out of range", value.offset),
                   "0 to 0xffff"};
  return static_cast<std::uint32_t>(value.offset);
}

// vmcnt(0) & lgkmcnt(1), or the bits as a number. Counters that are not named do not wait.
std::uint32_t InstructionParser::counters(bool dependencies) {
  const auto list = dependencies ? dependency_counters(generation()) : wait_counters(generation());
  const auto name_of = [&](unsigned i) { return list[i].name; };
  std::uint32_t value = 0, seen = 0;
  for (const Counter& counter : list) value = counter.with(value, counter.max());
  const std::size_t begin = scanner_.column();
  for (bool any = false;; any = true) {
    const std::size_t column = scanner_.column();
    std::string_view name = scanner_.word();
    if (name.empty() || scanner_.peek() != '(') {
      scanner_.seek(any ? column : begin);
      if (any && scanner_.at_end()) break;
      if (any) scanner_.fail("expected a counter", all_names(static_cast<unsigned>(list.size()), name_of));
      return known("the value", 0, 0xffff);
    }
    const bool saturate = name.ends_with("_sat");
    if (saturate) name.remove_suffix(4);
    const auto index = number_of(name, static_cast<unsigned>(list.size()), name_of);
    if (!index)
      throw Mismatch{column, fmt::format("unknown counter {}", name),
                     all_names(static_cast<unsigned>(list.size()), name_of)};
    if (seen >> *index & 1) throw Mismatch{column, fmt::format("{} stands here twice", name)};
    seen |= 1u << *index;
    scanner_.expect("(");
    const std::uint32_t most = list[*index].max();
    std::uint32_t count = known("the count", 0, saturate ? 0x7fffffff : most);
    if (count > most) count = most;
    scanner_.expect(")");
    value = list[*index].with(value, count);
    if (!scanner_.accept("&")) scanner_.accept(",");
    if (scanner_.at_end()) break;
  }
  return value;
}

// instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
std::uint32_t InstructionParser::delay() {
  struct Part {
    std::string_view name;
    unsigned low, count;
  };
  constexpr Part kParts[] = {{"instid0", 0, 12}, {"instskip", 4, 6}, {"instid1", 7, 12}};
  if (scanner_.at_number() || scanner_.peek() == '(') return known("the value", 0, 0xffff);
  std::uint32_t value = 0;
  do {
    const std::size_t column = scanner_.column();
    const std::string_view name = scanner_.word();
    const Part* part = nullptr;
    for (const Part& candidate : kParts)
      if (candidate.name == name) part = &candidate;
    if (!part)
      throw Mismatch{column, "expected a part of s_delay_alu", "instid0(...) instskip(...) instid1(...)"};
    scanner_.expect("(");
    const std::size_t inside = scanner_.column();
    const auto name_of = [&](unsigned id) { return part->low == 4 ? delay_skip_name(id) : delay_name(id); };
    const auto id = number_of(scanner_.word(), part->count, name_of);
    if (!id)
      throw Mismatch{inside, fmt::format("unknown value of {}", name), all_names(part->count, name_of)};
    scanner_.expect(")");
    value |= *id << part->low;
  } while (scanner_.accept("|"));
  return value;
}

// {id: 1, offset: 0, size: 32}: fields in any order; what is not named is what hwreg(id) has.
std::uint32_t InstructionParser::hardware_register_fields() {
  struct Part {
    std::string_view name;
    std::int64_t least, most;
    std::uint32_t value;
    bool named = false;
  };
  Part parts[] = {{"id", 0, 63, 0}, {"offset", 0, 31, 0}, {"size", 1, 32, 32}};
  do {
    const std::size_t column = scanner_.column();
    const std::string_view name = scanner_.word();
    Part* part = nullptr;
    for (Part& candidate : parts)
      if (candidate.name == name) part = &candidate;
    if (!part || part->named)
      throw Mismatch{column, part ? fmt::format("{} stands here twice", name) : "expected a field",
                     "id offset size"};
    scanner_.expect(":");
    part->value = known(name, part->least, part->most);
    part->named = true;
  } while (scanner_.accept(","));
  scanner_.expect("}");
  return parts[0].value | parts[1].value << 6 | (parts[2].value - 1) << 11;
}

// hwreg(HW_REG_MODE, 0, 4), its fields in braces, or the bits as a number.
std::uint32_t InstructionParser::hardware_register() {
  const std::size_t begin = scanner_.column();
  if (scanner_.accept("{")) return hardware_register_fields();
  if (!scanner_.accept_word("hwreg") || !scanner_.accept("(")) {
    scanner_.seek(begin);
    return known("the register", -0x8000, 0xffff) & 0xffff;
  }
  constexpr unsigned kIds = 64;
  const auto name_of = [&](unsigned id) { return hwreg_name(generation(), id); };
  // Names of older generations that LLVM takes for their successors.
  const auto older = [&](std::string_view name) -> std::string {
    constexpr std::string_view kPrefix = "HW_REG_";
    if (!name.starts_with(kPrefix)) return {};
    if (is_gfx10(generation()) && name == "HW_REG_HW_ID") return "HW_REG_HW_ID1";
    return fmt::format("HW_REG_WAVE_{}", name.substr(kPrefix.size()));
  };
  const std::size_t column = scanner_.column();
  const std::string_view name = scanner_.peek_word();
  auto id = number_of(name, kIds, name_of);
  if (!id) id = number_of(older(name), kIds, name_of);
  Value value;
  if (id) {
    scanner_.word();
  } else if (!name.empty() && !symbols_.find(name, value)) {
    throw Mismatch{column, fmt::format("unknown hardware register {}", name), all_names(kIds, name_of)};
  } else {
    id = known("the register", 0, kIds - 1);
  }
  std::uint32_t offset = 0, size = 32;
  if (scanner_.accept(",")) {
    offset = known("the first bit", 0, 31);
    if (scanner_.accept(",")) size = known("the number of bits", 1, 32);
  }
  scanner_.expect(")");
  return *id | offset << 6 | (size - 1) << 11;
}

// sendmsg(MSG_INTERRUPT), sendmsg(2, 3, 1), or the bits as a number.
std::uint32_t InstructionParser::message(bool returns) {
  const std::size_t begin = scanner_.column();
  if (!scanner_.accept_word("sendmsg") || !scanner_.accept("(")) {
    scanner_.seek(begin);
    return known("the message", 0, returns ? 0xff : 0xffff);
  }
  constexpr unsigned kIds = 256;
  const auto name_of = [&](unsigned id) { return message_name(generation(), id); };
  const std::size_t column = scanner_.column();
  const std::string_view name = scanner_.peek_word();
  auto id = number_of(name, kIds, name_of);
  Value value;
  if (id) {
    scanner_.word();
  } else if (!name.empty() && !symbols_.find(name, value)) {
    throw Mismatch{column, fmt::format("unknown message {}", name), all_names(kIds, name_of)};
  } else {
    id = known("the message", 0, 0xff);
  }
  std::uint32_t operation = 0, stream = 0;
  if (scanner_.accept(",")) {
    operation = message_operation(*id);
    if (scanner_.accept(",")) stream = known("the stream", 0, 3);
  }
  scanner_.expect(")");
  return *id | operation << 4 | stream << 8;
}

// attr2.y: the number is this operand, the channel the next one.
void InstructionParser::attribute(Operand& operand) {
  constexpr unsigned kAttributes = 33;
  const std::size_t column = scanner_.column();
  const std::string_view word = scanner_.word();
  for (std::uint32_t attribute = 0; attribute < kAttributes; ++attribute) {
    for (channel_ = 0; channel_ < 4; ++channel_) {
      if (word != fmt::format("attr{}.{}", attribute, "xyzw"[channel_])) continue;
      operand.value = attribute;
      return;
    }
  }
  throw Mismatch{column, "expected an attribute", "attr0.x to attr32.w"};
}

// Before gfx11 GS messages and system messages have operations with names.
std::uint32_t InstructionParser::message_operation(std::uint32_t id) {
  constexpr std::uint32_t kSystem = 15;
  const auto name_of = [&](unsigned n) {
    return id == kSystem ? system_operation_name(n) : gs_operation_name(n);
  };
  const auto operation = number_of(scanner_.peek_word(), 8, name_of);
  if (!operation) return known("the operation", 0, 7);
  scanner_.word();
  return *operation;
}

// v_interp_mov_f32: which vertex.
std::uint32_t InstructionParser::interpolation_parameter() {
  const std::size_t column = scanner_.column();
  const std::string_view word = scanner_.word();
  if (word == "p10") return 0;
  if (word == "p20") return 1;
  if (word == "p0") return 2;
  throw Mismatch{column, "expected a vertex", "p10 p20 p0"};
}

// s_set_gpr_idx_on: which operands are indexed.
std::uint32_t InstructionParser::gpr_index_mode() {
  if (!scanner_.accept_word("gpr_idx")) return known("the value", 0, 15);
  constexpr std::string_view kNames[] = {"SRC0", "SRC1", "SRC2", "DST"};
  std::uint32_t value = 0;
  scanner_.expect("(");
  while (!scanner_.accept(")")) {
    scanner_.accept(",");
    const auto bit = number_of(scanner_.peek_word(), 4, [&](unsigned n) { return kNames[n]; });
    if (!bit) scanner_.fail("expected an operand", "SRC0 SRC1 SRC2 DST");
    scanner_.word();
    value |= 1u << *bit;
  }
  return value;
}

std::uint32_t InstructionParser::export_target() {
  constexpr unsigned kTargets = 64;
  const auto name_of = [&](unsigned id) { return export_target_name(generation(), id); };
  const std::size_t column = scanner_.column();
  const std::string_view name = scanner_.word();
  if (const auto id = number_of(name, kTargets, name_of)) return *id;
  throw Mismatch{column, fmt::format("unknown export target {}", name), all_names(kTargets, name_of)};
}

}  // namespace mockgpu::isa::amd
