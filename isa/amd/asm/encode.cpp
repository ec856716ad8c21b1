#include "isa/amd/asm/encode.h"

#include <cstring>

#include "isa/amd/asm/encoder.h"
#include "isa/amd/decode_bits.h"

namespace mockgpu::isa::amd {
namespace {

// Segments of the FLAT encoding, field seg.
constexpr std::uint32_t segment_of(Encoding encoding) {
  switch (encoding) {
    case Encoding::scratch: return 1;
    case Encoding::global: return 2;
    default: return 0;
  }
}

unsigned encoded_sources(const Form& form) {
  unsigned count = 0;
  for (const OperandSpec& spec : form.specs())
    count += spec.field == Field::src0 || spec.field == Field::src1 || spec.field == Field::src2;
  return count;
}

}  // namespace

std::vector<std::byte> Encoder::run() {
  layout_ = index_.layout(inst_.encoding);
  if (!layout_ || index_.cell(*inst_.form).opcode == Cell::kAbsent) return {};
  count_ = layout_->bits / 32u;
  dwords_[0] = layout_->value;
  if (inst_.encoding == Encoding::vopd || inst_.encoding == Encoding::vopd3) {
    dual();
  } else {
    const FieldPlace op = layout_->fields[static_cast<std::size_t>(Field::op)];
    put(op, index_.cell(*inst_.form).opcode);
    put(Field::op_hi, index_.cell(*inst_.form).opcode >> op.length);
    put(Field::seg, segment_of(inst_.encoding));
    modifiers();
    operands(*inst_.form, 0, false);
    fixed_bits();
  }
  extension_dwords();
  std::vector<std::byte> bytes(count_ * 4);
  std::memcpy(bytes.data(), dwords_.data(), bytes.size());
  return bytes;
}

void Encoder::put(FieldPlace place, std::uint32_t value) {
  if (place.length == 0) return;
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << place.length) - 1);
  dwords_[place.low / 32u] |= (value & mask) << (place.low % 32);
}

void Encoder::modifiers() {
  const Modifiers& mods = inst_.mods;
  if (!is_vop_e32(inst_.encoding)) {
    put(Field::clamp, mods.clamp);
    put(Field::omod, mods.omod);
  }
  if (has(property::bitop3)) {
    put(Field::neg, mods.bitop3);
    put(Field::abs, mods.bitop3 >> 3);
    put(Field::omod, mods.bitop3 >> 6);
  }
  put(Field::high, mods.high);
  put(Field::cbsz, mods.cbsz);
  put(Field::abid, mods.abid);
  put(Field::blgp, mods.blgp);
  put(Field::opsel, mods.op_sel);
  put(Field::opsel_hi, mods.op_sel_hi & 3u);
  put(Field::opsel_hi2, mods.op_sel_hi >> 2);
  put(Field::neg, signs());
  put(Field::neg_hi, mods.neg_hi);
  matrix_modifiers();
  put(Field::waitexp, mods.wait_exp);
  put(Field::gds, mods.gds);
  if (has(property::two_addresses)) {
    put(Field::offset0, mods.offset0);
    put(Field::offset1, mods.offset1);
  } else {
    put(Field::offset0, static_cast<std::uint32_t>(mods.offset));
    put(Field::offset1, static_cast<std::uint32_t>(mods.offset) >> 8);
  }
  put(Field::offset, static_cast<std::uint32_t>(mods.offset));
  put(Field::glc, mods.glc);
  put(Field::slc, mods.slc);
  put(Field::dlc, mods.dlc);
  put(Field::scc, mods.scc);
  put(Field::nv, mods.nv);
  put(Field::lds, mods.lds);
  put(Field::th, mods.th);
  put(Field::scope, mods.scope);
  put(Field::scale_offset, mods.scale_offset);
  put(Field::tfe, mods.tfe);
  put(Field::lwe, mods.lwe);
  put(Field::offen, mods.offen);
  put(Field::idxen, mods.idxen);
  put(Field::unorm, mods.unorm);
  put(Field::r128, mods.r128);
  put(Field::a16, mods.a16);
  put(Field::d16, mods.d16);
  put(Field::da, mods.da);
  put(Field::sve, mods.sve);
  put(Field::dmask, mods.dmask);
  put(Field::dim, mods.dim);
  put(Field::nsa, mods.nsa);
  put(Field::format, mods.format);
  put(Field::dfmt, mods.format);
  put(Field::nfmt, mods.format >> 4);
  put(Field::en, mods.exp_enable);
  put(Field::done, mods.exp_done);
  put(Field::row_en, mods.exp_row_en);
  put(Field::compr, mods.exp_compressed);
  put(Field::vm, mods.exp_valid_mask);
}

// VOP3: the signs of the sources that have one; other bits mean nothing.
std::uint32_t Encoder::signs() const {
  if (inst_.encoding != Encoding::vop3 && inst_.encoding != Encoding::vop3sd) return inst_.mods.neg;
  std::uint32_t bits = 0;
  constexpr Field kSources[] = {Field::src0, Field::src1, Field::src2};
  for (unsigned n = 0; n < 3; ++n)
    if (const Operand* operand = source(kSources[n], kSources[n]); operand && operand->neg) bits |= 1u << n;
  return bits;
}

// gfx1250's matrix modifiers stand where others have op_sel, and in the prefix.
void Encoder::matrix_modifiers() {
  namespace p = property;
  const Modifiers& mods = inst_.mods;
  const bool prefixed = inst_.encoding == Encoding::vop3px2;
  if (has(p::matrix_fmt)) {
    put(Field::opsel, mods.matrix_a_fmt);
    put(Field::opsel_hi, mods.matrix_b_fmt);
    put(Field::opsel_hi2, mods.matrix_b_fmt >> 2);
  }
  if (has(p::matrix_scale)) {
    put(prefixed ? Field::scale_opsel : Field::opsel, mods.matrix_a_scale | mods.matrix_a_reuse << 2);
    put(prefixed ? Field::scale_opsel_hi : Field::opsel_hi, mods.matrix_b_scale);
    put(prefixed ? Field::scale_opsel_hi2 : Field::opsel_hi2, mods.matrix_b_reuse);
    put(prefixed ? Field::scale_neg : Field::neg, mods.matrix_a_scale_fmt);
    put(prefixed ? Field::scale_neg_hi : Field::neg_hi, mods.matrix_b_scale_fmt);
  } else if (has(p::matrix_reuse)) {
    put(Field::opsel, mods.matrix_a_reuse << 2);
    put(Field::opsel_hi2, mods.matrix_b_reuse);
  }
}

// What LLVM writes into fields that have no meaning here.
void Encoder::fixed_bits() {
  // Packed instructions without op_sel_hi, and sources that do not exist, have its neutral value.
  if (inst_.encoding == Encoding::vop3p && !has(property::matrix_fmt | property::matrix_reuse)) {
    const unsigned kept = has(property::opsel_hi) ? (1u << encoded_sources(*inst_.form)) - 1 : 0;
    put(Field::opsel_hi, 7u & ~kept);
    put(Field::opsel_hi2, (7u & ~kept) >> 2);
  }
  const Generation generation = index_.generation();
  // FLAT takes no saddr between gfx9 and gfx1250; nor do cache controls.
  const bool no_saddr = inst_.encoding == Encoding::flat || inst_.encoding == Encoding::global;
  if (no_saddr && !takes(Field::saddr) && !is_gfx9(generation)) put(Field::saddr, absent(Field::saddr));
  // Scales: the prefix is a VOP3P instruction of its own, with v0 in the place of a third source.
  const bool scales = inst_.op == Op::v_mfma_ld_scale_b32 || inst_.op == Op::v_wmma_ld_scale_paired_b32 ||
                      inst_.op == Op::v_wmma_ld_scale16_paired_b64;
  if (inst_.encoding == Encoding::vop3px2) dwords_[2] |= index_.layout(Encoding::vop3p)->value;
  if (generation == Generation::gfx1250 && (scales || inst_.encoding == Encoding::vop3px2))
    dwords_[1] |= selector::kVgpr << 18;
  if (inst_.op == Op::v_mfma_ld_scale_b32) dwords_[0] |= 1u << 14;
  // Moves to accumulation VGPRs are VOP3P too, with op_sel_hi's neutral value; so is a prefix's own
  // instruction.
  const bool move = inst_.op == Op::v_accvgpr_write_b32 || inst_.op == Op::v_accvgpr_read_b32;
  if (move) {
    dwords_[0] |= 1u << 14;
    dwords_[1] |= 3u << 27;
  }
  if (inst_.encoding == Encoding::vop3px2 && is_gfx9(generation)) put(Field::abid, 1);
  // Tensor operations name registers that the shape does not need.
  const bool tensor = inst_.encoding == Encoding::mimg && inst_.form->specs()[0].field == Field::vaddr;
  for (Field field : {Field::vaddr2, Field::vaddr3})
    if (tensor && !takes(field)) put(field, absent(field));
  if (tensor) dwords_[1] |= std::uint32_t{scalar::null} << 24;
  if (inst_.encoding == Encoding::smem) scalar_memory();
}

// gfx9: an immediate, an SGPR, or both.
void Encoder::scalar_memory() {
  if (!has_field(Field::imm)) return;
  const Operand* soffset = source(Field::soffset, Field::soffset);
  if (!soffset) return;
  const bool reg = soffset->kind != OperandKind::none;
  if (reg && !inst_.mods.smem_offset) {
    put(Field::offset, scalar_selector(*soffset));
    return;
  }
  put(Field::imm, 1);
  put(Field::soffset_en, reg);
}

const Operand* Encoder::source(Field first, Field second) const {
  for (std::size_t i = 0; i < inst_.form->specs().size(); ++i) {
    const Field field = inst_.form->specs()[i].field;
    if (field == first || field == second) return &inst_.operands[i];
  }
  return nullptr;
}

std::uint32_t Encoder::dpp_dword() const {
  const Modifiers& mods = inst_.mods;
  std::uint32_t dword = 0;
  const Operand* sources[2] = {source(Field::src0, Field::src0), source(Field::src1, Field::vsrc1)};
  if (sources[0]) {
    dword = sources[0]->index;
    if (is_vop_e32(inst_.encoding) && sources[0]->bits == 16 && sources[0]->high) dword |= 0x80;
  }
  if (mods.dpp == DppKind::dpp8) {
    for (unsigned lane = 0; lane < 8; ++lane) dword |= std::uint32_t{mods.dpp8[lane]} << (8 + 3 * lane);
    return dword;
  }
  dword |= std::uint32_t{mods.dpp_ctrl} << 8 | std::uint32_t{mods.dpp_fi} << 18 |
           std::uint32_t{mods.dpp_bound_ctrl} << 19 | std::uint32_t{mods.dpp_bank_mask} << 24 |
           std::uint32_t{mods.dpp_row_mask} << 28;
  if (is_vop_e32(inst_.encoding)) {
    for (unsigned n = 0; n < 2; ++n)
      if (sources[n])
        dword |= std::uint32_t{sources[n]->neg} << (20 + 2 * n) | std::uint32_t{sources[n]->abs}
                                                                      << (21 + 2 * n);
  }
  return dword;
}

std::uint32_t Encoder::sdwa_dword() const {
  const Modifiers& mods = inst_.mods;
  std::uint32_t dword = std::uint32_t{mods.sdwa_src0_sel} << 16 | std::uint32_t{mods.sdwa_src1_sel} << 24;
  if (inst_.encoding != Encoding::vopc) {
    dword |= std::uint32_t{mods.sdwa_dst_sel} << 8 | std::uint32_t{mods.sdwa_dst_unused} << 11 |
             std::uint32_t{mods.clamp} << 13 | std::uint32_t{mods.omod} << 14;
  } else if (inst_.operands[0].kind == OperandKind::sgpr && inst_.operands[0].index != scalar::vcc_lo &&
             inst_.form->specs()[0].holds == Holds::implied_vcc) {
    dword |= 1u << 15 | std::uint32_t{inst_.operands[0].index} << 8;
  }
  const Operand* sources[2] = {source(Field::src0, Field::src0), source(Field::vsrc1, Field::vsrc1)};
  for (unsigned n = 0; n < 2; ++n) {
    if (!sources[n]) continue;
    const unsigned shift = 16 + 8 * n;
    const bool vector = sources[n]->kind == OperandKind::vgpr;
    if (n == 0) dword |= vector ? sources[n]->index : scalar_selector(*sources[n]);
    dword |= std::uint32_t{sources[n]->sext} << (shift + 3) | std::uint32_t{sources[n]->neg} << (shift + 4) |
             std::uint32_t{sources[n]->abs} << (shift + 5) | std::uint32_t{!vector} << (shift + 7);
  }
  return dword;
}

void Encoder::dual() {
  put(Field::opx, index_.cell(*inst_.form).opcode);
  put(Field::opy, index_.cell(*inst_.form_y).opcode_y);
  operands(*inst_.form, 0, false);
  operands(*inst_.form_y, inst_.y_begin, true);
  if (inst_.form_y->has(property::bitop3)) put(Field::vsrcy2, inst_.mods.bitop3);
}

void Encoder::extension_dwords() {
  for (unsigned i = 0; i < inst_.mods.nsa && i < nsa_dwords_.size(); ++i) append(nsa_dwords_[i]);
  if (inst_.mods.sdwa)
    append(sdwa_dword());
  else if (inst_.mods.dpp != DppKind::none)
    append(dpp_dword());
  if (literal_) append(inst_.literal);
  if (literal_ && wide_literal_) append(inst_.literal_hi);
}

std::vector<std::byte> encode(const Target& target, const Instruction& instruction) {
  const DecodeIndex* index = DecodeIndex::of(target.generation);
  if (!index || !instruction.form) return {};
  return Encoder(*index, instruction).run();
}

}  // namespace mockgpu::isa::amd
