#include "isa/amd/decoder.h"

namespace mockgpu::isa::amd {
namespace {

// Segments of the FLAT encoding, field seg.
bool flat_segment(std::uint32_t seg, Encoding& encoding) {
  switch (seg) {
    case 0: encoding = Encoding::flat; return true;
    case 1: encoding = Encoding::scratch; return true;
    case 2: encoding = Encoding::global; return true;
    default: return false;
  }
}

}  // namespace

bool Decoder::run() {
  if (bits_.count() == 0) return false;
  layout_ = index_.layout_of(bits_.dword(0));
  if (!layout_ || bits_.count() * 32 < layout_->bits) return false;
  Encoding encoding = layout_->encoding;
  if (encoding == Encoding::vopd || encoding == Encoding::vopd3) return dual();
  if (encoding == Encoding::flat && has_field(Field::seg) && !flat_segment(get(Field::seg), encoding))
    return false;
  if (encoding != Encoding::vop3p || !scaled_matrix()) form_ = index_.form(encoding, opcode());
  if (form_ && index_.has_subsets()) form_ = index_.for_target(form_, target_);
  if (!form_) return false;
  if (form_->encoding != layout_->encoding) layout_ = index_.layout(form_->encoding);
  size_ = layout_->bits / 32u;
  out_.form = form_;
  out_.op = form_->op;
  out_.encoding = form_->encoding;
  if (!extension_dwords()) return false;
  modifiers();
  if (form_->encoding == Encoding::vsample || (form_->encoding == Encoding::mimg && find(Field::srsrc)))
    return image();
  for (const OperandSpec& spec : form_->specs())
    if (!operand(spec, spec.field)) return false;
  finish_memory();
  if (form_->has(property::cbsz | property::matrix_fmt)) matrix_widths();
  return true;
}

// The formats of A and B say how many registers they are.
void Decoder::matrix_widths() {
  const bool wmma = form_->has(property::matrix_fmt);
  if (!wmma && (form_->specs()[1].bits < 128 || form_->has(property::abid))) return;
  auto resize = [&](Field field, unsigned format) {
    // 8 bits, 6 bits, 4 bits per element
    const unsigned quarter = format == 4 ? 2 : format == 2 || format == 3 ? 3 : 4;
    Operand* operand = find(field);
    operand->dwords = static_cast<std::uint8_t>(quarter * (wmma ? 4 : 2));
    operand->bits = operand->dwords <= 4 ? 128 : 0;
  };
  resize(Field::src0, wmma ? out_.mods.matrix_a_fmt : out_.mods.cbsz);
  resize(Field::src1, wmma ? out_.mods.matrix_b_fmt : out_.mods.blgp);
}

std::uint32_t Decoder::opcode() const {
  const FieldPlace low = layout_->fields[static_cast<std::size_t>(Field::op)];
  return get(Field::op) | get(Field::op_hi) << low.length;
}

// A prefix that is a VOP3P of its own, and the instruction that it gives scales to.
bool Decoder::scaled_matrix() {
  const EncodingLayout* scaled = index_.layout(Encoding::vop3px2);
  if (!scaled || bits_.count() < 4 || (bits_.dword(0) & scaled->mask) != scaled->value ||
      index_.layout_of(bits_.dword(2)) != layout_)
    return false;
  const EncodingLayout* alone = layout_;
  layout_ = scaled;
  form_ = index_.form(Encoding::vop3px2, opcode());
  if (!form_) layout_ = alone;
  return form_ != nullptr;
}

bool Decoder::extension_dwords() {
  const GenerationTraits& traits = index_.traits();
  switch (form_->encoding) {
    case Encoding::vop1:
    case Encoding::vop2:
    case Encoding::vopc:
    case Encoding::vop3:
    case Encoding::vop3sd:
    case Encoding::vop3p: {
      const std::uint32_t src0 = get(Field::src0);
      const bool sdwa = src0 == selector::kSdwa && traits.sdwa && is_vop_e32(form_->encoding);
      const bool dpp16 = src0 == selector::kDpp16;
      const bool dpp8 = (src0 == selector::kDpp8 || src0 == selector::kDpp8Fi) && traits.dpp8;
      if (!sdwa && !dpp16 && !dpp8) break;
      if (form_->specs().size() < 2) break;  // v_nop: the field has no meaning
      if (!form_->has(sdwa ? property::sdwa : property::dpp)) return false;
      const bool always = form_->encoding == Encoding::vop1 || form_->encoding == Encoding::vop2;
      if (!sdwa && !always && !traits.vop3_dpp) return false;
      if (!take_dword(dpp_dword_)) return false;
      out_.mods.sdwa = sdwa;
      if (sdwa) {
        // Selector 7 is reserved.
        const std::uint32_t dword = bits_.dword(dpp_dword_);
        const bool has_dst_sel = form_->encoding != Encoding::vopc;
        if ((has_dst_sel && (dword >> 8 & 7) == 7) || (dword >> 16 & 7) == 7 || (dword >> 24 & 7) == 7)
          return false;
        break;
      }
      out_.mods.dpp = dpp16 ? DppKind::dpp16 : DppKind::dpp8;
      if (dpp8) out_.mods.dpp_fi = src0 == selector::kDpp8Fi;
      break;
    }
    default: break;
  }
  bool literal = false;
  for (const OperandSpec& spec : form_->specs()) literal |= uses_literal(spec, spec.field);
  return !literal || take_literal();
}

// Also notes that the literal has 64 bits.
bool Decoder::uses_literal(const OperandSpec& spec, Field field) {
  const GenerationTraits& traits = index_.traits();
  switch (spec.holds) {
    case Holds::lit: wide_literal_ |= spec.bits == 64; return true;
    case Holds::sL:
    case Holds::vsL:
    case Holds::vsI:
    case Holds::vI:
    case Holds::sI: {
      if (!traits.vop3_literal && layout_->bits == 64) return false;
      const std::uint32_t sel = get(field);
      if (sel != selector::kLiteral64 || !traits.literal64 || layout_->bits == 64)
        return sel == selector::kLiteral;
      wide_literal_ = true;
      return true;
    }
    default: return false;
  }
}

bool Decoder::take_dword(std::uint8_t& position) {
  if (size_ >= bits_.count()) return false;
  position = static_cast<std::uint8_t>(size_++);
  return true;
}

bool Decoder::take_literal() {
  if (!take_dword(literal_dword_)) return false;
  out_.literal = bits_.dword(literal_dword_);
  if (!wide_literal_) return true;
  std::uint8_t second = 0;
  if (!take_dword(second)) return false;
  out_.literal_hi = bits_.dword(second);
  return true;
}

void Decoder::modifiers() {
  namespace p = property;
  Modifiers& mods = out_.mods;
  switch (form_->encoding) {
    case Encoding::sop1:
    case Encoding::sop2:
    case Encoding::sopc:
    case Encoding::sopk:
    case Encoding::sopp:
    case Encoding::ldsdir:
    case Encoding::vintrp:
    case Encoding::vop1:
    case Encoding::vop2:
    case Encoding::vopc: break;
    case Encoding::vop3:
    case Encoding::vop3sd:
    case Encoding::vop3p:
    case Encoding::vop3px2:
    case Encoding::vinterp: vector_modifiers(); break;
    case Encoding::vop3p_mai:
      if (form_->has(p::cbsz)) mods.cbsz = byte(Field::cbsz);
      if (form_->has(p::abid)) mods.abid = byte(Field::abid);
      if (form_->has(p::blgp)) mods.blgp = byte(Field::blgp);
      if (form_->has(p::opsel)) mods.op_sel = byte(Field::opsel);
      if (form_->has(p::opsel_hi)) mods.op_sel_hi = byte(Field::opsel_hi);
      break;
    case Encoding::ds:
      mods.gds = get(Field::gds);
      if (form_->has(p::two_addresses)) {
        mods.offset0 = byte(Field::offset0);
        mods.offset1 = byte(Field::offset1);
      } else {
        mods.offset = static_cast<std::int32_t>(get(Field::offset0) | get(Field::offset1) << 8);
      }
      break;
    default: memory_modifiers(); break;
  }
  if (mods.dpp != DppKind::none) dpp();
  if (mods.sdwa) sdwa();
}

void Decoder::vector_modifiers() {
  namespace p = property;
  Modifiers& mods = out_.mods;
  mods.wait_exp = byte(Field::waitexp);
  mods.high = form_->has(p::high) && get(Field::high);
  if (form_->has(p::bitop3)) {
    // Its eight bits stand where neg, abs and omod do.
    mods.bitop3 = static_cast<std::uint8_t>(get(Field::neg) | get(Field::abs) << 3 | get(Field::omod) << 6);
    if (form_->has(p::opsel)) mods.op_sel = byte(Field::opsel);
    return;
  }
  mods.clamp = form_->has(p::clamp) && get(Field::clamp);
  if (form_->has(p::omod)) mods.omod = get(Field::omod) & 3;
  if (form_->has(p::opsel | p::byte_sel | p::scale_sel | p::index_key16 | p::index_key32 | p::matrix_fmt |
                 p::matrix_reuse))
    mods.op_sel = byte(Field::opsel);
  if (form_->has(p::opsel_hi | p::matrix_fmt | p::matrix_reuse))
    mods.op_sel_hi = static_cast<std::uint8_t>(get(Field::opsel_hi) | get(Field::opsel_hi2) << 2);
  if (form_->has(p::mods | p::neg)) mods.neg = byte(Field::neg);
  if (form_->has(p::mods)) mods.neg_hi = byte(Field::neg_hi);
  if (form_->encoding == Encoding::vop3px2 && !form_->has(p::matrix_scale)) {
    mods.op_sel = byte(Field::opsel);
    mods.op_sel_hi = byte(Field::opsel_hi);
    mods.cbsz = byte(Field::cbsz);
    mods.blgp = byte(Field::blgp);
  }
  if (form_->has(p::matrix_fmt | p::matrix_scale | p::matrix_reuse)) matrix_modifiers();
}

// gfx1250's matrix modifiers stand where others have op_sel, and in the prefix.
void Decoder::matrix_modifiers() {
  namespace p = property;
  Modifiers& mods = out_.mods;
  const bool prefixed = form_->encoding == Encoding::vop3px2;
  if (form_->has(p::matrix_fmt)) {
    mods.matrix_a_fmt = mods.op_sel & 7;
    mods.matrix_b_fmt = mods.op_sel_hi & 7;
  }
  if (form_->has(p::matrix_scale)) {
    const std::uint32_t sel = get(prefixed ? Field::scale_opsel : Field::opsel);
    const std::uint32_t sel_hi = get(prefixed ? Field::scale_opsel_hi : Field::opsel_hi);
    mods.matrix_a_scale = sel & 1;
    mods.matrix_b_scale = sel_hi & 1;
    mods.matrix_a_scale_fmt = get(prefixed ? Field::scale_neg : Field::neg) & 3;
    mods.matrix_b_scale_fmt = get(prefixed ? Field::scale_neg_hi : Field::neg_hi) & 3;
    mods.matrix_a_reuse = sel >> 2 & 1;
    mods.matrix_b_reuse = get(prefixed ? Field::scale_opsel_hi2 : Field::opsel_hi2);
  } else if (form_->has(p::matrix_reuse)) {
    mods.matrix_a_reuse = mods.op_sel >> 2 & 1;
    mods.matrix_b_reuse = mods.op_sel_hi >> 2 & 1;
  }
}

void Decoder::memory_modifiers() {
  Modifiers& mods = out_.mods;
  mods.glc = get(Field::glc);
  mods.slc = get(Field::slc);
  mods.dlc = get(Field::dlc);
  mods.scc = get(Field::scc);
  mods.nv = get(Field::nv);
  mods.lds = get(Field::lds);
  mods.scale_offset = get(Field::scale_offset);
  mods.th = byte(Field::th);
  mods.scope = byte(Field::scope);
  // TH_ATOMIC_RETURN
  if (has_field(Field::th) && form_->has(property::atomic)) mods.glc = mods.th & 1;
  mods.tfe = get(Field::tfe);
  mods.lwe = get(Field::lwe);
  mods.offen = get(Field::offen);
  mods.idxen = get(Field::idxen);
  mods.unorm = get(Field::unorm);
  mods.r128 = get(Field::r128);
  mods.a16 = get(Field::a16);
  mods.d16 = get(Field::d16);
  mods.da = get(Field::da);
  mods.sve = get(Field::sve);
  mods.dmask = byte(Field::dmask);
  mods.dim = byte(Field::dim);
  mods.nsa = byte(Field::nsa);
  mods.format = static_cast<std::uint8_t>(get(Field::format) | get(Field::dfmt) | get(Field::nfmt) << 4);
  mods.exp_enable = byte(Field::en);
  mods.exp_done = get(Field::done);
  mods.exp_row_en = get(Field::row_en);
  mods.exp_compressed = get(Field::compr);
  mods.exp_valid_mask = get(Field::vm);
  mods.offset = memory_offset();
}

void Decoder::dpp() {
  Modifiers& mods = out_.mods;
  const std::uint32_t dword = bits_.dword(dpp_dword_);
  if (mods.dpp == DppKind::dpp8) {
    for (unsigned lane = 0; lane < 8; ++lane) mods.dpp8[lane] = dword >> (8 + 3 * lane) & 7;
    return;
  }
  mods.dpp_ctrl = dword >> 8 & 0x1ff;
  mods.dpp_fi = dword >> 18 & 1;
  mods.dpp_bound_ctrl = dword >> 19 & 1;
  mods.dpp_bank_mask = dword >> 24 & 0xf;
  mods.dpp_row_mask = dword >> 28 & 0xf;
}

void Decoder::sdwa() {
  Modifiers& mods = out_.mods;
  const std::uint32_t dword = bits_.dword(dpp_dword_);
  if (form_->encoding != Encoding::vopc) {
    mods.sdwa_dst_sel = dword >> 8 & 7;
    mods.sdwa_dst_unused = dword >> 11 & 3;
    mods.clamp = dword >> 13 & 1;
    mods.omod = dword >> 14 & 3;
  }
  mods.sdwa_src0_sel = dword >> 16 & 7;
  mods.sdwa_src1_sel = dword >> 24 & 7;
}

// Signed: GLOBAL, SCRATCH and SMEM, FLAT from gfx12 on. Unsigned: buffers, and FLAT before, which lacks the
// topmost bit.
std::int32_t Decoder::memory_offset() const {
  const FieldPlace place = layout_->fields[static_cast<std::size_t>(Field::offset)];
  if (place.length == 0) return 0;
  const std::uint32_t offset = bits_.get(place);
  const unsigned unused = 32u - place.length;
  const auto extended = static_cast<std::int32_t>(offset << unused) >> unused;
  switch (form_->encoding) {
    case Encoding::flat:
      return has_field(Field::th) ? extended
                                  : static_cast<std::int32_t>(offset << (unused + 1) >> (unused + 1));
    case Encoding::global:
    case Encoding::scratch:
    case Encoding::smem: return extended;
    default: return static_cast<std::int32_t>(offset);
  }
}

Operand* Decoder::find(Field field) {
  const auto specs = form_->specs();
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (specs[i].field == field) return &out_.operands[i];
  return nullptr;
}

namespace {

void drop(Operand& operand) {
  operand = Operand{};
  operand.dwords = 0;
  operand.bits = 0;
}

}  // namespace

// What depends on modifiers: operands that are absent or have another size.
void Decoder::finish_memory() {
  Modifiers& mods = out_.mods;
  const auto specs = form_->specs();
  const bool returns = !form_->has(property::atomic) || mods.glc;
  switch (form_->encoding) {
    case Encoding::smem: {
      Operand* soffset = find(Field::soffset);
      if (has_field(Field::imm)) {
        // gfx9: an immediate, an SGPR, or both.
        const bool immediate = get(Field::imm);
        if (!soffset) break;
        if (!get(Field::soffset_en) && !immediate) scalar_register(get(Field::offset) & 0x7f, *soffset);
        if (!immediate) mods.offset = 0;
        mods.smem_offset = immediate && get(Field::soffset_en);
        if (immediate && !get(Field::soffset_en)) drop(*soffset);
      } else if (soffset) {
        if (soffset->index == scalar::null)
          drop(*soffset);
        else
          mods.smem_offset = has_field(Field::th);
      }
      break;
    }
    case Encoding::mubuf:
    case Encoding::mtbuf:
      if (Operand* vaddr = find(Field::vaddr)) {
        vaddr->dwords = static_cast<std::uint8_t>(mods.offen + mods.idxen);
        vaddr->bits = static_cast<std::uint8_t>(32 * vaddr->dwords);
        if (!vaddr->dwords) drop(*vaddr);
      }
      if (Operand* vdata = find(Field::vdata)) {
        if (!returns) vdata->is_dst = false;
        if (mods.tfe) vdata->dwords++;
        if (mods.lds && form_->has(property::to_lds)) drop(*vdata);
      }
      break;
    case Encoding::flat:
    case Encoding::global:
    case Encoding::scratch: flat_operands(returns); break;
    case Encoding::exp:
      if (mods.exp_compressed) {
        // Two registers hold pairs.
        out_.operands[3] = out_.operands[4] = out_.operands[2];
        out_.operands[2] = out_.operands[1];
      }
      for (std::size_t i = 1; i < specs.size(); ++i)
        if (!(mods.exp_enable >> (i - 1) & 1)) drop(out_.operands[i]);
      break;
    case Encoding::mimg:
      // Tensor operations: registers that the shape does not need are null.
      for (std::size_t i = 2; i < specs.size(); ++i)
        if (out_.operands[i].index == scalar::null) drop(out_.operands[i]);
      break;
    default: break;
  }
}

void Decoder::flat_operands(bool returns) {
  const Modifiers& mods = out_.mods;
  Operand* saddr = find(Field::saddr);
  Operand* addr = find(Field::addr);
  const std::uint32_t base = get(Field::saddr);
  const bool no_saddr = saddr && base == index_.traits().saddr_off;
  if (form_->encoding == Encoding::scratch) {
    // Before gfx11 (CDNA3) either address excludes the other; gfx10 says with exec_hi that there is none.
    constexpr std::uint32_t kNone = 0x7f;
    const bool neither = base == kNone && index_.traits().saddr_off != kNone && !has_field(Field::sve);
    const bool uses_vaddr = has_field(Field::sve) ? mods.sve : no_saddr;
    if (addr && !uses_vaddr) drop(*addr);
    if (saddr && neither) drop(*saddr);
  } else if (addr && saddr) {
    addr->dwords = no_saddr ? 2 : 1;
    addr->bits = no_saddr ? 64 : 32;
  }
  if (no_saddr) drop(*saddr);
  Operand* vdst = find(Field::vdst);
  if (!vdst) return;
  if (!returns || (mods.lds && form_->has(property::to_lds))) drop(*vdst);
}

// The halves of VOPD and VOPD3. The literal is shared.
bool Decoder::dual() {
  const bool three = layout_->encoding == Encoding::vopd3;
  const Form* x = index_.form(layout_->encoding, get(Field::opx));
  const Form* y = index_.form(layout_->encoding, get(Field::opy), true);
  if (!x || !y) return false;
  size_ = layout_->bits / 32u;
  out_.form = x;
  out_.form_y = y;
  out_.op = x->op;
  out_.op_y = y->op;
  out_.encoding = layout_->encoding;
  auto field_of = [](Field field, bool second) {
    switch (field) {
      case Field::vdst: return second ? Field::vdsty : Field::vdstx;
      case Field::src0: return second ? Field::srcy0 : Field::srcx0;
      case Field::vsrc1: return second ? Field::vsrcy1 : Field::vsrcx1;
      case Field::vsrc2: return second ? Field::vsrcy2 : Field::vsrcx2;
      default: return field;
    }
  };
  bool literal = false;
  for (const OperandSpec& spec : x->specs()) literal |= uses_literal(spec, field_of(spec.field, false));
  for (const OperandSpec& spec : y->specs()) literal |= uses_literal(spec, field_of(spec.field, true));
  if (literal && !take_literal()) return false;
  auto half = [&](const Form& form, bool second) {
    form_ = &form;
    for (const OperandSpec& spec : form.specs()) {
      if (!operand(spec, field_of(spec.field, second))) return false;
      Operand& last = out_.operands[out_.operand_count - 1];
      if (!three || !form.has(property::mods)) continue;
      switch (spec.field) {
        case Field::src0: last.neg = get(second ? Field::negy0 : Field::negx0); break;
        case Field::vsrc1: last.neg = get(second ? Field::negy1 : Field::negx1); break;
        case Field::vsrc2:
          if (spec.format != Format::lanemask) last.neg = get(second ? Field::negy2 : Field::negx2);
          break;
        default: break;
      }
    }
    return true;
  };
  if (!half(*x, false)) return false;
  out_.y_begin = out_.operand_count;
  if (!half(*y, true)) return false;
  if (three) {
    if (y->has(property::bitop3)) out_.mods.bitop3 = byte(Field::vsrcy2);
    return true;
  }
  // Bit 0 of the second destination is not encoded: it is the opposite of the first one's.
  Operand& vdst_y = out_.operands[out_.y_begin];
  vdst_y.index = static_cast<std::uint16_t>(get(Field::vdsty) << 1 | (~get(Field::vdstx) & 1));
  return true;
}

bool decode(const Target& target, std::span<const std::byte> bytes, bool wave64, Instruction& out) {
  // A copy of a constant: compilers build an Instruction{} field by field.
  static constexpr Instruction kEmpty{};
  out = kEmpty;
  const DecodeIndex* index = DecodeIndex::of(target.generation);
  if (index) {
    Decoder decoder(*index, target, bytes, wave64, out);
    if (decoder.run()) {
      out.size = static_cast<std::uint8_t>(decoder.size() * 4);
      return true;
    }
  }
  out = kEmpty;
  out.size = static_cast<std::uint8_t>(bytes.size() < 4 ? bytes.size() : 4);
  return false;
}

}  // namespace mockgpu::isa::amd
