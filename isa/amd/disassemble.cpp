#include "isa/amd/disassemble.h"

#include <fmt/format.h>

#include <iterator>

#include "isa/amd/disassembler.h"
#include "isa/amd/operand_names.h"

namespace mockgpu::isa::amd {
namespace {

bool is_e32(Encoding encoding) {
  return encoding == Encoding::vop1 || encoding == Encoding::vop2 || encoding == Encoding::vopc;
}

bool is_e64(Encoding encoding) {
  return encoding == Encoding::vop3 || encoding == Encoding::vop3sd || encoding == Encoding::vop3p;
}

// Sources src0, src1 and src2 of a form, however many it has.
unsigned source_count(const Form& form) {
  unsigned count = 0;
  for (const OperandSpec& spec : form.specs())
    count += spec.field == Field::src0 || spec.field == Field::src1 || spec.field == Field::src2;
  return count;
}

}  // namespace

std::string Disassembler::run() {
  if (inst_.encoding == Encoding::vopd) {
    dual();
    return std::move(out_);
  }
  mnemonic();
  operands(*inst_.form, 0);
  switch (inst_.encoding) {
    case Encoding::vop1:
    case Encoding::vop2:
    case Encoding::vopc:
    case Encoding::vop3:
    case Encoding::vop3sd:
    case Encoding::vop3p:
    case Encoding::vinterp: vector_modifiers(); break;
    case Encoding::ds: ds_modifiers(); break;
    case Encoding::mimg: image_modifiers(); break;
    case Encoding::exp: export_modifiers(); break;
    case Encoding::smem:
    case Encoding::mubuf:
    case Encoding::mtbuf:
    case Encoding::flat:
    case Encoding::global:
    case Encoding::scratch: memory_modifiers(); break;
    case Encoding::ldsdir:
      out_ += fmt::format(" wait_vdst:{}", inst_.operands[inst_.operand_count - 1].value);
      break;
    default: break;
  }
  return std::move(out_);
}

std::string_view Disassembler::spelling(const Form& form) const {
  const char* name = index_.cell(form).spelling;
  return name ? name : op_name(form.op);
}

void Disassembler::mnemonic() {
  out_ += spelling(*inst_.form);
  const bool dpp = inst_.mods.dpp != DppKind::none;
  if (is_e64(inst_.encoding)) {
    if (dpp)
      out_ += "_e64_dpp";
    else if (index_.has_e32(inst_.op))
      out_ += "_e64";
  } else if (is_e32(inst_.encoding)) {
    if (!dpp && index_.has_e64(inst_.op))
      out_ += "_e32";
    else if (dpp && inst_.encoding != Encoding::vopc)
      out_ += "_dpp";
  }
}

bool Disassembler::is_printed(const OperandSpec& spec, const Operand& operand) const {
  if (spec.is_hidden || spec.holds == Holds::implied_exec || spec.field == Field::waitvdst) return false;
  // An atomic that returns nothing has no destination, and s_endpgm prints no 0.
  if (spec.field == Field::vdst && operand.kind == OperandKind::none) return false;
  return inst_.op != Op::s_endpgm || operand.value != 0;
}

void Disassembler::operands(const Form& form, std::size_t begin) {
  std::string_view separator = " ";
  std::size_t i = begin;
  for (const OperandSpec& spec : form.specs()) {
    if (spec.field == Field::vaddr && inst_.encoding == Encoding::mimg) {
      out_ += separator;
      image_addresses();
      while (inst_.operands[i + 1].kind == OperandKind::vgpr) ++i;
    } else if (is_printed(spec, inst_.operands[i])) {
      // The channel of an attribute continues it: attr2.y.
      if (spec.field != Field::attrchan) out_ += separator;
      operand(spec, inst_.operands[i]);
      separator = spec.field == Field::tgt ? " " : ", ";
    }
    ++i;
  }
}

void Disassembler::dual() {
  auto half = [&](const Form& form, std::size_t begin) {
    out_ += "v_dual_";
    out_ += spelling(form).substr(2);
    operands(form, begin);
  };
  half(*inst_.form, 0);
  out_ += " :: ";
  half(*inst_.form_y, inst_.y_begin);
}

void Disassembler::flag(bool set, std::string_view name) {
  if (!set) return;
  out_ += ' ';
  out_ += name;
}

// `name:[a,b,c]`, one bit per source, then the destination's; nothing if all have the neutral value.
void Disassembler::packed_modifier(std::string_view name, unsigned bits, unsigned neutral, unsigned count,
                                   bool dst) {
  const unsigned mask = (1u << count) - 1;
  const bool dst_bit = dst && (bits & 8);
  if ((bits & mask) == (neutral & mask) && !dst_bit) return;
  out_ += fmt::format(" {}:[", name);
  for (unsigned i = 0; i < count; ++i) out_ += fmt::format("{}{}", i ? "," : "", bits >> i & 1);
  if (dst) out_ += dst_bit ? ",1" : ",0";
  out_ += ']';
}

// Which bits op_sel lists depends on what LLVM's operand lists contain.
void Disassembler::op_sel(bool packed) {
  const unsigned bits = inst_.mods.op_sel;
  const unsigned sources = source_count(*inst_.form);
  const bool dpp = inst_.mods.dpp != DppKind::none;
  const bool compare = inst_.form->specs()[0].format == Format::lanemask;
  switch (inst_.op) {
    case Op::v_cndmask_b16: return;
    case Op::v_permlane16_b32:
    case Op::v_permlanex16_b32: packed_modifier("op_sel", bits, 0, 2, false); return;
    case Op::v_fmac_f16: packed_modifier("op_sel", bits, 0, dpp ? 3 : 2, true); return;
    default: break;
  }
  const bool exec_only = inst_.form->specs()[0].holds == Holds::implied_exec;
  packed_modifier("op_sel", bits, 0, sources, !packed && !(compare && (dpp || exec_only)));
}

void Disassembler::vector_modifiers() {
  namespace p = property;
  const Modifiers& mods = inst_.mods;
  const bool packed = inst_.encoding == Encoding::vop3p;
  if (inst_.encoding == Encoding::vinterp) flag(mods.clamp, "clamp");
  if (has(p::opsel)) op_sel(packed);
  if (packed) {
    // fma_mix: op_sel_hi makes a source f16, neg_hi is abs and shown there.
    const unsigned sources = source_count(*inst_.form);
    const bool mix = inst_.form->specs()[1].holds == Holds::vsI;
    if (has(p::opsel_hi)) packed_modifier("op_sel_hi", mods.op_sel_hi, mix ? 0 : 7, sources, false);
    if (has(p::mods) && !mix) {
      packed_modifier("neg_lo", mods.neg, 0, sources, false);
      packed_modifier("neg_hi", mods.neg_hi, 0, sources, false);
    }
  }
  if (inst_.encoding == Encoding::vinterp) {
    out_ += fmt::format(" wait_exp:{}", mods.wait_exp);
    return;
  }
  flag(mods.clamp, "clamp");
  constexpr std::string_view kOmods[] = {"", "mul:2", "mul:4", "div:2"};
  flag(mods.omod != 0, kOmods[mods.omod]);
  dpp();
}

void Disassembler::dpp() {
  const Modifiers& mods = inst_.mods;
  if (mods.dpp == DppKind::none) return;
  if (mods.dpp == DppKind::dpp8) {
    out_ += fmt::format(" dpp8:[{}]", fmt::join(mods.dpp8, ","));
    flag(mods.dpp_fi, "fi:1");
    return;
  }
  constexpr std::string_view kInvalid = " /* Invalid dpp_ctrl value */";
  const unsigned control = mods.dpp_ctrl;
  const unsigned amount = control & 0xf;
  auto row = [&](std::string_view name) { out_ += fmt::format(" {}:{}", name, amount); };
  const bool shift = control >= 0x100 && control < 0x130;
  if (shift && amount == 0) {
    out_ += kInvalid;
  } else if (control < 0x100) {
    out_ += fmt::format(" quad_perm:[{},{},{},{}]", control & 3, control >> 2 & 3, control >> 4 & 3,
                        control >> 6 & 3);
  } else if (control == 0x140) {
    out_ += " row_mirror";
  } else if (control == 0x141) {
    out_ += " row_half_mirror";
  } else {
    switch (control >> 4) {
      case 0x10: row("row_shl"); break;
      case 0x11: row("row_shr"); break;
      case 0x12: row("row_ror"); break;
      case 0x15: row("row_share"); break;
      case 0x16: row("row_xmask"); break;
      default: out_ += kInvalid; break;
    }
  }
  out_ += fmt::format(" row_mask:{:#x} bank_mask:{:#x}", mods.dpp_row_mask, mods.dpp_bank_mask);
  flag(mods.dpp_bound_ctrl, "bound_ctrl:1");
  flag(mods.dpp_fi, "fi:1");
}

void Disassembler::memory_modifiers() {
  const Modifiers& mods = inst_.mods;
  // BUF_FMT_8_UNORM is what the assembler takes if no format is given.
  constexpr unsigned kDefaultFormat = 1;
  if (inst_.encoding == Encoding::mtbuf && mods.format != kDefaultFormat) {
    const std::string_view name = buffer_format_name(generation_, mods.format);
    out_ += name.empty() ? fmt::format(" format:{}", mods.format) : fmt::format(" format:[{}]", name);
  }
  if (inst_.form->specs().empty()) return;  // cache control
  flag(mods.idxen, "idxen");
  flag(mods.offen, "offen");
  if (inst_.encoding != Encoding::smem && mods.offset) out_ += fmt::format(" offset:{}", mods.offset);
  flag(mods.glc, "glc");
  flag(mods.slc, "slc");
  flag(mods.dlc, "dlc");
  flag(mods.tfe, "tfe");
}

void Disassembler::ds_modifiers() {
  const Modifiers& mods = inst_.mods;
  if (inst_.op == Op::ds_swizzle_b32) {
    swizzle(static_cast<std::uint32_t>(mods.offset));
  } else if (has(property::two_addresses)) {
    if (mods.offset0) out_ += fmt::format(" offset0:{}", mods.offset0);
    if (mods.offset1) out_ += fmt::format(" offset1:{}", mods.offset1);
  } else if (mods.offset && inst_.op != Op::ds_nop) {
    out_ += fmt::format(" offset:{}", mods.offset);
  }
  flag(mods.gds, "gds");
}

void Disassembler::image_modifiers() {
  const Modifiers& mods = inst_.mods;
  if (!has(property::bvh)) {
    if (mods.dmask) out_ += fmt::format(" dmask:{:#x}", mods.dmask);
    out_ += fmt::format(" dim:{}", image_dim_name(generation_, mods.dim));
    flag(mods.unorm, "unorm");
    flag(mods.glc, "glc");
    flag(mods.slc, "slc");
    flag(mods.dlc, "dlc");
    flag(mods.r128, "r128");
  }
  flag(mods.a16, "a16");
  if (has(property::bvh)) return;
  flag(mods.tfe, "tfe");
  flag(mods.lwe, "lwe");
  flag(mods.d16, "d16");
}

void Disassembler::export_modifiers() {
  flag(inst_.mods.exp_done, "done");
  flag(inst_.mods.exp_row_en, "row_en");
}

std::string disassemble(const Target& target, const Instruction& instruction, bool) {
  const DecodeIndex* index = DecodeIndex::of(target.generation);
  if (!index || !instruction.form) return {};
  return Disassembler(*index, target.generation, instruction).run();
}

}  // namespace mockgpu::isa::amd
