#include <fmt/format.h>

#include "isa/amd/asm/encode.h"
#include "isa/amd/asm/instruction_parser.h"
#include "isa/amd/asm/legality.h"
#include "isa/amd/asm/mnemonics.h"

namespace mockgpu::isa::amd {

InstructionParser::InstructionParser(const Target& target, bool wave64, const SymbolScope& symbols,
                                     Scanner scanner, const Candidate& candidate)
    : target_(target),
      wave64_(wave64),
      symbols_(symbols),
      scanner_(scanner),
      candidate_(candidate),
      inst_(result_.instruction),
      begin_(scanner.column()) {
  inst_.form = candidate.form;
  inst_.form_y = candidate.form_y;
  inst_.op = candidate.form->op;
  if (candidate.form_y) inst_.op_y = candidate.form_y->op;
  inst_.encoding = candidate.form->encoding;
}

ParsedInstruction InstructionParser::run() {
  // What tensor operations have there without saying so.
  if (inst_.encoding == Encoding::mimg && inst_.form->specs()[0].field == Field::vaddr)
    inst_.mods.dmask = inst_.mods.dim = 1;
  if (has(property::bvh)) {
    // Rays have no such modifiers in text, but fixed bits.
    inst_.mods.dmask = 0xf;
    inst_.mods.r128 = true;
    inst_.mods.unorm = !is_gfx12(generation());
  }
  if (candidate_.sdwa) {
    inst_.mods.sdwa = true;
    constexpr std::uint8_t kPreserve = 2;  // unless the text says otherwise, as LLVM has it
    if (has_sdwa_destination(inst_.op, inst_.encoding)) inst_.mods.sdwa_dst_unused = kPreserve;
    bool two = false;
    for (const OperandSpec& spec : inst_.form->specs()) two |= spec.field == Field::vsrc1;
    if (!two) inst_.mods.sdwa_src1_sel = 0;
  }
  // The default of typed accesses; gfx12 has it in untyped ones too.
  if (inst_.encoding == Encoding::mtbuf || (inst_.encoding == Encoding::mubuf && is_gfx12(generation())))
    inst_.mods.format = 1;
  if (inst_.encoding == Encoding::vop3px2 && !has(property::matrix_scale)) inst_.mods.op_sel_hi = 3;
  const bool scales = inst_.encoding == Encoding::vop3p && has(property::matrix_scale);
  if (has(property::matrix_reuse) && !has(property::matrix_fmt) && !scales) inst_.mods.op_sel_hi = 3;
  if (inst_.encoding == Encoding::vop3px2 && has(property::matrix_scale) && !has(property::matrix_fmt))
    inst_.mods.op_sel_hi = 7;
  if (has(property::opsel_hi)) {
    // What it is without a modifier: both halves, or no f16 source of fma_mix.
    inst_.mods.op_sel_hi = is_mix() ? 0 : inst_.encoding == Encoding::vop3p_mai ? 3 : 7;
  }
  operands(*inst_.form);
  if (inst_.form_y) {
    scanner_.expect("::");
    const std::string name = lowered(scanner_.word());
    if (!name.starts_with("v_dual_")) scanner_.fail("expected the second half, v_dual_...");
    inst_.y_begin = inst_.operand_count;
    operands(*inst_.form_y);
  }
  modifiers();
  refuse_missing_result();
  refuse_missing_dimensions();
  refuse_unknown_symbol();
  finish();
  verify();
  return std::move(result_);
}

void InstructionParser::refuse_unknown_symbol() const {
  if (!result_.pending || symbols_.looks_ahead()) return;
  const Expression& expression = result_.pending->expression;
  Value value;
  std::string undefined;
  if (!expression.evaluate(symbols_, value, &undefined))
    throw Mismatch{expression.column(), fmt::format("undefined symbol {}", undefined)};
}

// Modifiers that return the old value, of an atomic that names no register for it.
void InstructionParser::refuse_missing_result() const {
  if (!has(property::atomic) || candidate_.returns || !inst_.mods.glc) return;
  const OperandSpec& first = inst_.form->specs()[0];
  if (!first.is_dst || first.is_src || first.field != Field::vdst) return;
  throw Mismatch{modifier_column(traits(generation()).th_scope  ? "th"
                                 : traits(generation()).sc_bits ? "sc0"
                                                                : "glc"),
                 "the old value is asked for, but there is no register for it: the first operand is missing",
                 std::string(legal_operand(first.holds))};
}

void InstructionParser::refuse_missing_dimensions() {
  const bool image = inst_.encoding == Encoding::mimg || inst_.encoding == Encoding::vsample;
  if (!image || is_gfx9(generation()) || has(property::bvh) || inst_.form->specs()[0].field == Field::vaddr)
    return;
  for (const auto& [name, column] : modifier_columns_)
    if (name == "dim") return;
  scanner_.fail("the dimensions of the image are missing", "dim:SQ_RSRC_IMG_2D and so on");
}

bool InstructionParser::is_mix() const {
  return inst_.encoding == Encoding::vop3p && inst_.form->specs()[1].holds == Holds::vsI;
}

// As Disassembler::is_printed has it.
bool InstructionParser::is_written(const OperandSpec& spec) {
  if (spec.is_hidden || spec.holds == Holds::implied_exec || spec.field == Field::waitvdst ||
      spec.field == Field::waitvsrc)
    return false;
  const bool memory = inst_.encoding == Encoding::flat || inst_.encoding == Encoding::global ||
                      inst_.encoding == Encoding::scratch;
  if (spec.field == Field::vdst && memory && has(property::atomic)) return candidate_.returns;
  if (candidate_.lds && (spec.field == Field::vdst || spec.field == Field::vdata)) return false;
  // What the shape of a tensor does not need, and the base of FLAT.
  const bool optional = spec.field == Field::vaddr2 || spec.field == Field::vaddr3 ||
                        (spec.field == Field::saddr && inst_.encoding == Encoding::flat);
  if (optional && scanner_.peek() != ',') return false;
  if (spec.field == Field::soffset && inst_.encoding == Encoding::smem && at_scalar_modifier()) return false;
  if (spec.holds == Holds::implied_vcc && !candidate_.names_vcc) return false;
  return inst_.op != Op::s_endpgm || !scanner_.at_end();
}

// What may stand behind the base of scalar memory, in the place of an offset.
bool InstructionParser::at_scalar_modifier() {
  if (scanner_.at_end()) return true;
  const std::string_view word = scanner_.peek_word();
  for (std::string_view name : {"glc", "noglc", "dlc", "nodlc", "nv", "th", "scope", "scale_offset"})
    if (word == name) return true;
  return false;
}

// Between operands; spaces do as well.
void InstructionParser::comma() {
  if (!scanner_.accept(",") && scanner_.at_end()) scanner_.expect(",");
}

void InstructionParser::operands(const Form& form) {
  bool first = true;
  for (const OperandSpec& spec : form.specs()) {
    if (spec.field == Field::vaddr && spec.holds == Holds::v &&
        (inst_.encoding == Encoding::mimg || inst_.encoding == Encoding::vsample)) {
      if (!first) comma();
      image_addresses(spec);
      continue;
    }
    const bool written = is_written(spec);
    if (written && !first && spec.field != Field::attrchan && spec.field != Field::vsrc0) comma();
    if (spec.field == Field::soffset && inst_.encoding == Encoding::mtbuf) leading_format();
    columns_[inst_.operand_count] = scanner_.column();
    Operand& current = inst_.operands[inst_.operand_count++];
    current.format = spec.format;
    unsigned bits = wave64_ ? spec.bits_wave64 : spec.bits;
    if (spec.format == Format::lanemask) bits = wave64_ ? 64 : 32;
    current.bits = static_cast<std::uint8_t>(bits <= 128 ? bits : 0);
    current.dwords = static_cast<std::uint8_t>((bits + 31) / 32);
    current.is_dst = spec.is_dst;
    current.is_src = spec.is_src;
    if (!written) {
      implied(spec, current);
      continue;
    }
    operand(spec, current);
    first = false;
  }
}

void InstructionParser::implied(const OperandSpec& spec, Operand& operand) const {
  switch (spec.holds) {
    case Holds::implied_vcc:
    case Holds::implied_exec:
      operand.kind = OperandKind::sgpr;
      operand.index = spec.holds == Holds::implied_vcc ? scalar::vcc_lo : scalar::exec_lo;
      operand.tied = true;
      return;
    case Holds::immediate: operand.kind = OperandKind::immediate; return;
    default: operand.kind = OperandKind::none; return;
  }
}

// What modifiers say about operands, and operands about modifiers.
void InstructionParser::finish() {
  Modifiers& mods = inst_.mods;
  const auto specs = inst_.form->specs();
  switch (inst_.encoding) {
    case Encoding::exp:
      for (unsigned i = 0; i + 1 < specs.size(); ++i)
        if (inst_.operands[i + 1].kind != OperandKind::none)
          mods.exp_enable = static_cast<std::uint8_t>(mods.exp_enable | 1u << i);
      break;
    case Encoding::scratch:
      for (std::size_t i = 0; i < specs.size(); ++i)
        if (specs[i].field == Field::addr) mods.sve = inst_.operands[i].kind != OperandKind::none;
      break;
    case Encoding::vop3:
    case Encoding::vop3sd:
    case Encoding::vop3p:
    case Encoding::vinterp:
      combine_halves();
      if (is_mix()) narrow_mix_fraction();
      break;
    default: break;
  }
  if (inst_.op == Op::v_permlane16_swap_b32 || inst_.op == Op::v_permlane32_swap_b32) {
    // They have bound_ctrl and fi without DPP.
    if (inst_.encoding == Encoding::vop3)
      mods.op_sel = static_cast<std::uint8_t>(mods.dpp_bound_ctrl << 1 | mods.dpp_fi);
    mods.dpp_bound_ctrl = mods.dpp_fi = false;
  }
  for (const auto& [name, column] : modifier_columns_)
    if (mods.dpp == DppKind::dpp8 && (name == "row_mask" || name == "bank_mask" || name == "bound_ctrl"))
      throw Mismatch{column, fmt::format("dpp8 goes without {}", name)};
  if (candidate_.dpp && mods.dpp == DppKind::none)
    scanner_.fail("a DPP instruction needs a lane control",
                  "quad_perm:[a,b,c,d] row_shl:n row_shr:n row_ror:n row_mirror row_half_mirror row_share:n "
                  "row_xmask:n dpp8:[a,b,c,d,e,f,g,h]");
}

// Signs and halves stand at the operand in the text, and in modifier fields in the encoding.
void InstructionParser::combine_halves() {
  Modifiers& mods = inst_.mods;
  const auto specs = inst_.form->specs();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Operand& current = inst_.operands[i];
    unsigned bit = 0;
    switch (specs[i].field) {
      case Field::src0: bit = 0; break;
      case Field::src1: bit = 1; break;
      case Field::src2: bit = 2; break;
      case Field::vdst: bit = 3; break;
      default: continue;
    }
    if (inst_.encoding == Encoding::vop3p && !is_mix() && (current.neg || current.abs || current.sext))
      throw Mismatch{columns_[i], "packed operands have their signs in modifiers",
                     "neg_lo:[...] neg_hi:[...]"};
    if (current.neg) mods.neg = static_cast<std::uint8_t>(mods.neg | 1u << bit);
    if (inst_.encoding == Encoding::vop3p) {
      // fma_mix alone writes its signs at the operands.
      if (current.abs) mods.neg_hi = static_cast<std::uint8_t>(mods.neg_hi | 1u << bit);
      if (!is_mix()) current.neg = mods.neg >> bit & 1, current.abs = mods.neg_hi >> bit & 1;
      continue;
    }
    if (current.bits != 16) continue;
    if (current.high) mods.op_sel = static_cast<std::uint8_t>(mods.op_sel | 1u << bit);
    const bool selectable = bit < 3 || has(property::opsel);
    if (selectable) current.high = mods.op_sel >> bit & 1;
  }
}

// All registers of 16 bits name their halves, or none of them does, which means the lower ones. Moves and
// swaps do not exist without.
void InstructionParser::verify_halves() const {
  if (!traits(generation()).true16) return;
  std::optional<bool> named;
  for (std::size_t i = 0; i < inst_.operand_count; ++i) {
    const Operand& operand = inst_.operands[i];
    if (operand.kind != OperandKind::vgpr || operand.bits != 16) continue;
    const bool half = halves_[i] != 0;
    const bool needed = inst_.op == Op::v_mov_b16 || inst_.op == Op::v_swap_b16;
    if (!half && (needed || named == true))
      throw Mismatch{columns_[i], "one half of the register is meant",
                     fmt::format("v{0}.l v{0}.h", operand.index)};
    if (half && named == false)
      throw Mismatch{columns_[i], "other registers of this instruction do not say which half they mean",
                     fmt::format("v{}", operand.index)};
    named = half;
    if (half && operand.high != (halves_[i] == 'h'))
      throw Mismatch{modifier_column("op_sel"),
                     fmt::format("op_sel means another half than v{}.{}", operand.index, halves_[i])};
  }
}

// Encodes what was read and decodes it again: what does not come back had no place in the encoding.
void InstructionParser::verify() {
  result_.bytes = encode(target_, inst_);
  Instruction decoded;
  if (!decode(target_, result_.bytes, wave64_, decoded) || decoded.form != inst_.form ||
      decoded.form_y != inst_.form_y)
    throw Mismatch{begin_, "these operands and modifiers do not go together"};
  fit_addresses(decoded);
  if (decoded.operand_count != inst_.operand_count)
    throw Mismatch{columns_[1], fmt::format("the modifiers ask for another number of addresses")};
  // Of dual instructions the rules come first: an encoding without a bit for the second result says less.
  if (inst_.form_y) obey_rules();
  for (std::size_t i = 0; i < decoded.operand_count; ++i) verify_operand(i, decoded.operands[i]);
  verify_modifiers(decoded.mods);
  verify_halves();
  refuse_idle_modifiers();
  verify_hint();
  inst_.size = decoded.size;
  obey_rules();
}

void InstructionParser::obey_rules() const {
  try {
    check_legality(target_, wave64_, inst_);
  } catch (Violation& violation) {
    const std::size_t column = violation.operand >= 0 ? columns_[static_cast<std::size_t>(violation.operand)]
                                                      : modifier_column(violation.modifier);
    throw Mismatch{column, std::move(violation.message), std::move(violation.legal)};
  }
}

void InstructionParser::verify_operand(std::size_t i, const Operand& decoded) const {
  const Operand& parsed = inst_.operands[i];
  const auto fail = [&](std::string message, std::string legal = {}) {
    throw Mismatch{columns_[i], std::move(message), std::move(legal)};
  };
  const bool registers = parsed.kind == OperandKind::vgpr || parsed.kind == OperandKind::sgpr ||
                         parsed.kind == OperandKind::agpr;
  if (parsed.kind != decoded.kind) {
    if (decoded.kind == OperandKind::none) fail("the modifiers say that this operand is off", "off");
    if (parsed.kind == OperandKind::none) fail("this operand is needed with these modifiers");
    fail("this operand has no place here");
  }
  if (registers && parsed.dwords != decoded.dwords) {
    std::string message = fmt::format("{} register{} where the instruction has {}", parsed.dwords,
                                      parsed.dwords == 1 ? "" : "s", decoded.dwords);
    if (decoded.format == Format::lanemask)
      message += wave64_ ? " (a lane mask of wave64)" : " (a lane mask of wave32)";
    fail(std::move(message));
  }
  if (parsed.index != decoded.index && !parsed.is_literal) {
    const bool sgpr = parsed.kind == OperandKind::sgpr && decoded.dwords > 1;
    fail(sgpr ? fmt::format("{} SGPRs start at a multiple of {}", decoded.dwords, decoded.dwords == 2 ? 2 : 4)
              : "this register cannot be named here");
  }
  if (parsed.kind == OperandKind::immediate && (parsed.value & 0xffff) != (decoded.value & 0xffff))
    fail(fmt::format("{} does not fit here", static_cast<std::int64_t>(parsed.value)));
  if (inst_.encoding == Encoding::vop3p && !is_mix()) return;
  if (parsed.neg != decoded.neg || parsed.abs != decoded.abs || parsed.sext != decoded.sext)
    fail("this operand takes no sign modifier in this encoding");
  if (parsed.high != decoded.high && inst_.encoding != Encoding::vop3p)
    fail("this operand has no upper half here");
}

void InstructionParser::verify_modifiers(const Modifiers& decoded) const {
  const Modifiers& mods = inst_.mods;
  // The bits of op_sel and neg stand for other things there.
  const bool matrix = has(property::matrix_fmt | property::matrix_scale | property::matrix_reuse);
  struct Compared {
    std::string_view name;
    bool same;
  };
  const Compared compared[] = {
      {"clamp", mods.clamp == decoded.clamp},
      {"mul", mods.omod == decoded.omod},
      {"glc", mods.glc == decoded.glc},
      {"slc", mods.slc == decoded.slc},
      {"dlc", mods.dlc == decoded.dlc},
      {"gds", mods.gds == decoded.gds},
      {"tfe", mods.tfe == decoded.tfe},
      {"lwe", mods.lwe == decoded.lwe},
      {"offen", mods.offen == decoded.offen},
      {"idxen", mods.idxen == decoded.idxen},
      {"unorm", mods.unorm == decoded.unorm},
      {"r128", mods.r128 == decoded.r128},
      {"scc", mods.scc == decoded.scc},
      {"nv", mods.nv == decoded.nv},
      {"lds", mods.lds == decoded.lds},
      {"th", mods.th == decoded.th},
      {"scope", mods.scope == decoded.scope},
      {"da", mods.da == decoded.da},
      {"high", mods.high == decoded.high},
      {"scale_offset", mods.scale_offset == decoded.scale_offset},
      {"cbsz", mods.cbsz == decoded.cbsz},
      {"abid", mods.abid == decoded.abid},
      {"blgp", mods.blgp == decoded.blgp},
      {"bitop3", mods.bitop3 == decoded.bitop3},
      {"compr", mods.exp_compressed == decoded.exp_compressed},
      {"vm", mods.exp_valid_mask == decoded.exp_valid_mask},
      {"a16", mods.a16 == decoded.a16},
      {"d16", mods.d16 == decoded.d16},
      {"fi", mods.dpp_fi == decoded.dpp_fi},
      {"dmask", mods.dmask == decoded.dmask},
      {"dim", mods.dim == decoded.dim},
      {"format", mods.format == decoded.format},
      {"op_sel", matrix || mods.op_sel == decoded.op_sel},
      {"op_sel_hi", matrix || mods.op_sel_hi == decoded.op_sel_hi},
      {"neg_lo", matrix || mods.neg == decoded.neg},
      {"neg_hi", matrix || mods.neg_hi == decoded.neg_hi},
      {"offset0", mods.offset0 == decoded.offset0},
      {"offset1", mods.offset1 == decoded.offset1},
      {"wait_exp", mods.wait_exp == decoded.wait_exp},
      {"done", mods.exp_done == decoded.exp_done},
      {"row_en", mods.exp_row_en == decoded.exp_row_en},
  };
  for (const Compared& entry : compared)
    if (!entry.same)
      throw Mismatch{modifier_column(entry.name),
                     fmt::format("the instruction does not take this {}", entry.name)};
  if (mods.offset != decoded.offset) {
    // The legal range, by trying: the widest power of two that survives.
    const auto survives = [&](std::int64_t offset) {
      Instruction probe = inst_, back;
      probe.mods.offset = static_cast<std::int32_t>(offset);
      return decode(target_, encode(target_, probe), wave64_, back) && back.mods.offset == offset;
    };
    std::int64_t most = 0, least = 0;
    for (std::int64_t power = 1; power < std::int64_t{1} << 31; power *= 2) {
      if (survives(power * 2 - 1)) most = power * 2 - 1;
      if (survives(-power)) least = -power;
    }
    throw Mismatch{modifier_column("offset"), fmt::format("offset {} is out of range", mods.offset),
                   most ? fmt::format("{} to {}", least, most) : "no offset"};
  }
}

namespace {

// Whether a lane control of DPP stands in the text.
bool mentions_dpp(std::string_view text) {
  for (std::string_view word : {"quad_perm:", "row_shl:", "row_shr:", "row_ror:", "row_mirror",
                                "row_half_mirror", "row_share:", "row_xmask:", "row_newbcast:", "row_bcast:",
                                "wave_shl", "wave_shr", "wave_rol", "wave_ror", "dpp8:"}) {
    const std::size_t at = text.find(word);
    if (at != std::string_view::npos && at > 0 && !is_word_character(text[at - 1])) return true;
  }
  return false;
}

enum class Suffix : std::uint8_t { none, e32, e64, dpp, e64_dpp, sdwa };

// Whether `lds` is among the modifiers.
bool ends_with_lds(std::string_view text) {
  const std::size_t at = text.rfind(" lds");
  return at != std::string_view::npos && (at + 4 == text.size() || !is_word_character(text[at + 4]));
}

std::string_view without_suffix(std::string_view name, Suffix& suffix) {
  struct Named {
    std::string_view text;
    Suffix suffix;
  };
  constexpr Named kSuffixes[] = {{"_e64_dpp", Suffix::e64_dpp},
                                 {"_dpp", Suffix::dpp},
                                 {"_e32", Suffix::e32},
                                 {"_e64", Suffix::e64},
                                 {"_sdwa", Suffix::sdwa}};
  suffix = Suffix::none;
  for (const Named& named : kSuffixes) {
    if (!name.ends_with(named.text)) continue;
    suffix = named.suffix;
    return name.substr(0, name.size() - named.text.size());
  }
  return name;
}

[[noreturn]] void unknown_instruction(const Target& target, std::string_view name, std::size_t column) {
  Suffix suffix;
  const std::string elsewhere = targets_with(without_suffix(name, suffix));
  if (!elsewhere.empty())
    throw Mismatch{column,
                   fmt::format("{} has no instruction {}; it exists on {}", target.name, name, elsewhere)};
  const auto similar = Mnemonics::of(target.generation)->similar(without_suffix(name, suffix));
  throw Mismatch{column, fmt::format("\"{}\" is no instruction of {}", name, target.name),
                 fmt::format("{}", fmt::join(similar, " "))};
}

// Operands in the text: what commas outside of brackets part.
std::size_t count_operands(std::string_view text) {
  std::size_t count = 1;
  int depth = 0;
  for (char c : text) {
    depth += (c == '[' || c == '(') - (c == ']' || c == ')');
    count += depth == 0 && c == ',';
  }
  return count;
}

// Whether the text has nothing where the 32-bit encoding has vcc. LLVM takes that where one vcc is implied,
// and from gfx10 on two; with lane controls and sub-dword addressing from gfx10 on, but of comparisons with
// SDWA.
bool leaves_out_vcc(const Form& form, const Candidate& candidate, Generation generation,
                    std::string_view operands) {
  std::size_t implied = 0;
  for (const OperandSpec& spec : form.specs()) implied += spec.holds == Holds::implied_vcc && !spec.is_hidden;
  if (!implied || count_operands(operands) + implied != form.operand_count) return false;
  const bool gfx9 = is_gfx9(generation), compares = form.encoding == Encoding::vopc;
  return !(gfx9 && (implied > 1 || candidate.dpp || candidate.sdwa)) && !(compares && candidate.sdwa);
}

std::vector<Candidate> candidates_for(const Target& target, std::string_view name, std::size_t column,
                                      std::string_view operands) {
  const Mnemonics& names = *Mnemonics::of(target.generation);
  if (name.starts_with("v_dual_")) {
    const std::size_t second = operands.find("::");
    if (second == std::string_view::npos)
      throw Mismatch{column, "a v_dual instruction has two halves, parted by ::"};
    Scanner rest(operands.substr(second + 2));
    const std::string other = lowered(rest.word());
    std::vector<Candidate> pairs;
    bool known = false;
    for (Encoding encoding : {Encoding::vopd, Encoding::vopd3}) {
      Candidate candidate;
      candidate.form = names.find_half(encoding, name.substr(7), false);
      if (other.starts_with("v_dual_")) candidate.form_y = names.find_half(encoding, other.substr(7), true);
      known |= candidate.form != nullptr;
      if (candidate.form && candidate.form_y) pairs.push_back(candidate);
    }
    if (!known) unknown_instruction(target, name, column);
    if (pairs.empty())
      throw Mismatch{column, fmt::format("\"{}\" is no second half that goes with {}", other, name)};
    return pairs;
  }
  Suffix suffix = Suffix::none;
  std::vector<const Form*> forms = names.find(name);
  if (forms.empty()) forms = names.find(without_suffix(name, suffix));
  if (forms.empty()) forms = names.find(names.renamed(name));
  if (forms.empty()) forms = names.find(names.renamed(without_suffix(name, suffix)));
  if (forms.empty()) unknown_instruction(target, name, column);
  const bool dpp_text = mentions_dpp(operands);
  const bool sdwa_text = operands.find("_sel:") != std::string_view::npos && traits(target.generation).sdwa;
  std::vector<Candidate> candidates;
  for (const Form* form : forms) {
    const bool e32 = is_vop_e32(form->encoding) || form->encoding == Encoding::vintrp,
               e64 = is_vop_e64(form->encoding);
    const bool dpp =
        suffix == Suffix::dpp || suffix == Suffix::e64_dpp || (suffix == Suffix::none && dpp_text);
    if (suffix == Suffix::e32 && !e32) continue;
    if (suffix == Suffix::dpp && !e32) continue;
    if ((suffix == Suffix::e64 || suffix == Suffix::e64_dpp) && !e64) continue;
    const bool sdwa = suffix == Suffix::sdwa || (suffix == Suffix::none && sdwa_text && e32);
    if (suffix == Suffix::sdwa && !e32) continue;
    if (dpp && !form->has(property::dpp)) continue;
    if (sdwa && (!form->has(property::sdwa) || !traits(target.generation).sdwa)) continue;
    Candidate candidate;
    candidate.form = form;
    candidate.dpp = dpp;
    candidate.sdwa = sdwa;
    candidate.lds = form->has(property::to_lds) && ends_with_lds(operands);
    candidates.push_back(candidate);
    if (leaves_out_vcc(*form, candidate, target.generation, operands)) {
      candidate.names_vcc = false;
      candidates.push_back(candidate);
      // From gfx10 on constants have room in the sub-dword encoding, whose selections are dwords unless
      // written.
      candidate.sdwa = suffix == Suffix::none && !dpp && form->has(property::sdwa) &&
                       traits(target.generation).sdwa && !is_gfx9(target.generation) &&
                       form->encoding != Encoding::vopc;
      if (candidate.sdwa) candidates.push_back(candidate);
    }
    if (form->has(property::atomic)) {
      candidate.returns = true;
      candidates.push_back(candidate);
    }
  }
  if (candidates.empty())
    throw Mismatch{column, dpp_text ? fmt::format("{} has no DPP form on {}", name, target.name)
                                    : fmt::format("{} has no such encoding on {}", name, target.name)};
  return candidates;
}

}  // namespace

ParsedInstruction parse_instruction(const Target& target, bool wave64, std::string_view text,
                                    const SymbolScope& symbols) {
  if (!Mnemonics::of(target.generation))
    throw Mismatch{0, fmt::format("{} is not supported: the tables have no column for it", target.name)};
  Scanner scanner(text);
  const std::size_t begin = scanner.column();
  const std::string name = lowered(scanner.word());
  if (name.empty()) scanner.fail("expected an instruction");
  const std::size_t operands = scanner.column();
  wave64 |= !target.wave32;
  std::optional<Mismatch> worst;
  for (const Candidate& candidate : candidates_for(target, name, begin, text.substr(operands))) {
    try {
      return InstructionParser(target, wave64, symbols, Scanner(text, operands), candidate).run();
    } catch (const Mismatch& mismatch) {
      if (!worst || mismatch.column > worst->column) worst = mismatch;
    }
  }
  throw *worst;
}

}  // namespace mockgpu::isa::amd
