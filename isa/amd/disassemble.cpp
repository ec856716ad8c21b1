#include "isa/amd/disassemble.h"

#include <fmt/format.h>

#include <iterator>

#include "isa/amd/disassembler.h"

namespace mockgpu::isa::amd {
namespace {

bool is_e32(Encoding encoding) { return is_vop_e32(encoding) || encoding == Encoding::vintrp; }

// LLVM gives these no suffix although they have both encodings.
bool is_bare(Op op) { return op == Op::v_cvt_pk_f16_bf8 || op == Op::v_cvt_pk_f16_fp8; }

// Sources src0, src1 and src2 of a form, however many it has.
unsigned source_count(const Form& form) {
  unsigned count = 0;
  for (const OperandSpec& spec : form.specs())
    count += spec.field == Field::src0 || spec.field == Field::src1 || spec.field == Field::src2;
  return count;
}

}  // namespace

std::string Disassembler::run() {
  if (inst_.encoding == Encoding::vopd || inst_.encoding == Encoding::vopd3) {
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
    case Encoding::vop3p_mai:
    case Encoding::vop3px2: matrix_modifiers(); break;
    case Encoding::ds: ds_modifiers(); break;
    case Encoding::mimg:
    case Encoding::vsample: image_modifiers(); break;
    case Encoding::exp: export_modifiers(); break;
    case Encoding::smem:
    case Encoding::mubuf:
    case Encoding::mtbuf:
    case Encoding::flat:
    case Encoding::global:
    case Encoding::scratch: memory_modifiers(); break;
    case Encoding::ldsdir:
      for (std::size_t i = 0; i < inst_.operand_count; ++i) {
        const Field field = inst_.form->specs()[i].field;
        const bool gfx12 = is_gfx12(generation_);
        if (field == Field::waitvdst)
          out_ += fmt::format(" {}:{}", gfx12 ? "wait_va_vdst" : "wait_vdst", inst_.operands[i].value);
        if (field == Field::waitvsrc) out_ += fmt::format(" wait_vm_vsrc:{}", inst_.operands[i].value);
      }
      break;
    default: break;
  }
  return std::move(out_);
}

void Disassembler::mnemonic() {
  out_ += index_.spelling(inst_.op);
  const bool dpp = inst_.mods.dpp != DppKind::none;
  if (inst_.mods.sdwa) {
    out_ += "_sdwa";
    return;
  }
  if (is_vop_e64(inst_.encoding)) {
    if (dpp)
      out_ += "_e64_dpp";
    else if (index_.has_e32(inst_.op) && !is_bare(inst_.op) && !inst_.form->specs().empty())
      out_ += "_e64";
  } else if (is_e32(inst_.encoding)) {
    if (!dpp && index_.has_e64(inst_.op) && !is_bare(inst_.op) && !inst_.form->specs().empty())
      out_ += "_e32";
    else if (dpp && inst_.encoding != Encoding::vopc)
      out_ += "_dpp";
  }
}

bool Disassembler::is_printed(const OperandSpec& spec, const Operand& operand) const {
  if (spec.is_hidden || spec.holds == Holds::implied_exec || spec.field == Field::waitvdst ||
      spec.field == Field::waitvsrc)
    return false;
  if (inst_.mods.lds && operand.kind == OperandKind::none && spec.field == Field::vdata) return false;
  const bool absent = operand.kind == OperandKind::none;
  if (absent && (spec.field == Field::vaddr2 || spec.field == Field::vaddr3)) return false;
  if (absent && spec.field == Field::saddr && inst_.encoding == Encoding::flat) return false;
  // An atomic that returns nothing has no destination, and s_endpgm prints no 0.
  if (spec.field == Field::vdst && operand.kind == OperandKind::none) return false;
  return inst_.op != Op::s_endpgm || operand.value != 0;
}

void Disassembler::operands(const Form& form, std::size_t begin) {
  std::string_view separator = " ";
  std::size_t i = begin;
  for (const OperandSpec& spec : form.specs()) {
    if (spec.field == Field::vaddr && spec.holds == Holds::v &&
        (inst_.encoding == Encoding::mimg || inst_.encoding == Encoding::vsample)) {
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
    out_ += index_.spelling(form.op).substr(2);
    operands(form, begin);
  };
  half(*inst_.form, 0);
  out_ += " :: ";
  half(*inst_.form_y, inst_.y_begin);
  if (inst_.form_y->has(property::bitop3)) truth_table();
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
  unsigned bits = inst_.mods.op_sel;
  if (has(property::byte_sel)) bits &= ~byte_select_bits();
  const unsigned sources = source_count(*inst_.form);
  const bool dpp = inst_.mods.dpp != DppKind::none;
  const bool compare = inst_.form->specs()[0].format == Format::lanemask;
  switch (inst_.op) {
    case Op::v_cndmask_b16: return;
    case Op::v_pk_fmac_f16: return;
    case Op::v_dot2_f16_f16:
    case Op::v_dot2_bf16_bf16: bits &= ~3u; break;  // the sources are packed
    case Op::v_permlane16_b32:
    case Op::v_permlane16_var_b32:
    case Op::v_permlanex16_var_b32:
    case Op::v_permlanex16_b32: packed_modifier("op_sel", bits, 0, 2, false); return;
    case Op::v_fmac_f16: packed_modifier("op_sel", bits, 0, dpp ? 3 : 2, true); return;
    default: break;
  }
  if (has(property::op_sel3)) {
    packed_modifier("op_sel", inst_.op == Op::v_interp_p2_f16 ? bits & ~2u : bits, 0, 3, true);
    return;
  }
  const bool exec_only = inst_.form->specs()[0].holds == Holds::implied_exec;
  packed_modifier("op_sel", bits, 0, sources, !packed && !(compare && (dpp || exec_only)));
}

void Disassembler::vector_modifiers() {
  namespace p = property;
  const Modifiers& mods = inst_.mods;
  const bool packed = inst_.encoding == Encoding::vop3p;
  const bool clamp_first =
      inst_.encoding == Encoding::vinterp || (inst_.op == Op::v_interp_p2_f16 && is_gfx9(generation_));
  if (clamp_first) flag(mods.clamp, "clamp");
  flag(mods.high, "high");
  if (has(p::bitop3)) truth_table();
  if (inst_.op == Op::v_permlane16_swap_b32 || inst_.op == Op::v_permlane32_swap_b32) {
    flag(mods.op_sel >> 1 & 1, "bound_ctrl:1");
    flag(mods.op_sel & 1, "fi:1");
  } else if (has(p::opsel)) {
    op_sel(packed);
  }
  if (packed) {
    // fma_mix: op_sel_hi makes a source f16, neg_hi is abs and shown there.
    const unsigned sources = source_count(*inst_.form);
    const bool mix = sources > 0 && inst_.form->specs()[1].holds == Holds::vsI;
    if (has(p::opsel_hi)) packed_modifier("op_sel_hi", mods.op_sel_hi, mix ? 0 : 7, sources, false);
    matrix_modifiers();
    if (has(p::mods) && !mix) {
      packed_modifier("neg_lo", mods.neg, 0, sources, false);
      packed_modifier("neg_hi", mods.neg_hi, 0, sources, false);
    }
  }
  if (inst_.encoding == Encoding::vinterp) {
    out_ += fmt::format(" wait_exp:{}", mods.wait_exp);
    return;
  }
  if (has(p::scale_sel) && mods.op_sel) out_ += fmt::format(" scale_sel:{}", mods.op_sel);
  byte_select();
  flag(mods.clamp && !clamp_first, "clamp");
  constexpr std::string_view kOmods[] = {"", "mul:2", "mul:4", "div:2"};
  flag(mods.omod != 0, kOmods[mods.omod]);
  dpp();
  sdwa();
}

std::string disassemble(const Target& target, const Instruction& instruction, bool) {
  const DecodeIndex* index = DecodeIndex::of(target.generation);
  if (!index || !instruction.form) return {};
  return Disassembler(*index, target.generation, instruction).run();
}

}  // namespace mockgpu::isa::amd
