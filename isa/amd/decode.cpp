#include "isa/amd/decoder.h"

namespace mockgpu::isa::amd {
namespace {

constexpr bool is_flat_family(Encoding encoding) { return encoding == Encoding::flat; }

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
  size_ = layout_->bits / 32u;
  Encoding encoding = layout_->encoding;
  if (encoding == Encoding::vopd) return dual();
  if (is_flat_family(encoding) && !flat_segment(get(Field::seg), encoding)) return false;
  form_ = index_.form(encoding, get(Field::op));
  if (!form_) return false;
  if (form_->encoding == Encoding::vop3sd) layout_ = index_.layout(Encoding::vop3sd);
  out_.form = form_;
  out_.op = form_->op;
  out_.encoding = form_->encoding;
  if (!extension_dwords()) return false;
  modifiers();
  if (form_->encoding == Encoding::mimg) return image();
  for (const OperandSpec& spec : form_->specs())
    if (!operand(spec, spec.field)) return false;
  finish_memory();
  return true;
}

bool Decoder::extension_dwords() {
  switch (form_->encoding) {
    case Encoding::vop1:
    case Encoding::vop2:
    case Encoding::vopc:
    case Encoding::vop3:
    case Encoding::vop3sd:
    case Encoding::vop3p: {
      const std::uint32_t src0 = get(Field::src0);
      const bool dpp16 = src0 == selector::kDpp16;
      const bool dpp8 = src0 == selector::kDpp8 || src0 == selector::kDpp8Fi;
      if (!dpp16 && !dpp8) break;
      if (form_->specs().size() < 2) break;  // v_nop: the field has no meaning
      if (!form_->has(property::dpp) || !take_dword(dpp_dword_)) return false;
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

bool Decoder::uses_literal(const OperandSpec& spec, Field field) const {
  switch (spec.holds) {
    case Holds::lit: return true;
    case Holds::sL:
    case Holds::vsL:
    case Holds::vsI:
    case Holds::vI:
    case Holds::sI: return get(field) == selector::kLiteral;
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
    case Encoding::vop1:
    case Encoding::vop2:
    case Encoding::vopc: break;
    case Encoding::vop3:
    case Encoding::vop3sd:
    case Encoding::vop3p:
    case Encoding::vinterp:
      mods.clamp = form_->has(p::clamp) && get(Field::clamp);
      if (form_->has(p::omod)) mods.omod = get(Field::omod) & 3;
      if (form_->has(p::opsel)) mods.op_sel = byte(Field::opsel);
      if (form_->has(p::opsel_hi))
        mods.op_sel_hi = static_cast<std::uint8_t>(get(Field::opsel_hi) | get(Field::opsel_hi2) << 2);
      if (form_->has(p::mods | p::neg)) mods.neg = byte(Field::neg);
      if (form_->has(p::mods)) mods.neg_hi = byte(Field::neg_hi);
      mods.wait_exp = byte(Field::waitexp);
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
    default:
      mods.glc = get(Field::glc);
      mods.slc = get(Field::slc);
      mods.dlc = get(Field::dlc);
      mods.tfe = get(Field::tfe);
      mods.lwe = get(Field::lwe);
      mods.offen = get(Field::offen);
      mods.idxen = get(Field::idxen);
      mods.unorm = get(Field::unorm);
      mods.r128 = get(Field::r128);
      mods.a16 = get(Field::a16);
      mods.d16 = get(Field::d16);
      mods.sve = get(Field::sve);
      mods.dmask = byte(Field::dmask);
      mods.dim = byte(Field::dim);
      mods.nsa = byte(Field::nsa);
      mods.format = byte(Field::format);
      mods.exp_enable = byte(Field::en);
      mods.exp_done = get(Field::done);
      mods.exp_row_en = get(Field::row_en);
      mods.offset = memory_offset();
      break;
  }
  if (mods.dpp != DppKind::none) dpp();
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

// FLAT has 12 unsigned bits, GLOBAL and SCRATCH 13 signed ones, SMEM is signed, buffers are unsigned.
std::int32_t Decoder::memory_offset() const {
  const FieldPlace place = layout_->fields[static_cast<std::size_t>(Field::offset)];
  const std::uint32_t offset = bits_.get(place);
  switch (form_->encoding) {
    case Encoding::flat: return static_cast<std::int32_t>(offset & 0xfff);
    case Encoding::global:
    case Encoding::scratch:
    case Encoding::smem: {
      const unsigned unused = 32u - place.length;
      return static_cast<std::int32_t>(offset << unused) >> unused;
    }
    default: return static_cast<std::int32_t>(offset);
  }
}

// What depends on modifiers: operands that are absent or have another size.
void Decoder::finish_memory() {
  const Modifiers& mods = out_.mods;
  const auto specs = form_->specs();
  const bool returns = !form_->has(property::atomic) || mods.glc;
  auto find = [&](Field field) -> Operand* {
    for (std::size_t i = 0; i < specs.size(); ++i)
      if (specs[i].field == field) return &out_.operands[i];
    return nullptr;
  };
  auto drop = [](Operand& operand) {
    operand = Operand{};
    operand.dwords = 0;
    operand.bits = 0;
  };
  switch (form_->encoding) {
    case Encoding::smem:
      if (Operand* soffset = find(Field::soffset); soffset && soffset->index == scalar::null) drop(*soffset);
      break;
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
      }
      break;
    case Encoding::flat:
    case Encoding::global:
    case Encoding::scratch: {
      Operand* saddr = find(Field::saddr);
      const bool no_saddr = saddr && saddr->index == scalar::null;
      if (no_saddr) drop(*saddr);
      if (Operand* addr = find(Field::addr)) {
        if (form_->encoding == Encoding::global) {
          addr->dwords = no_saddr ? 2 : 1;
          addr->bits = no_saddr ? 64 : 32;
        }
        if (form_->encoding == Encoding::scratch && !mods.sve) drop(*addr);
      }
      if (Operand* vdst = find(Field::vdst); vdst && !returns) drop(*vdst);
      break;
    }
    case Encoding::exp:
      for (std::size_t i = 1; i < specs.size(); ++i)
        if (!(mods.exp_enable >> (i - 1) & 1)) drop(out_.operands[i]);
      break;
    default: break;
  }
}

bool Decoder::dual() {
  const Form* x = index_.form(Encoding::vopd, get(Field::opx));
  const Form* y = index_.form(Encoding::vopd, get(Field::opy), true);
  if (!x || !y) return false;
  out_.form = x;
  out_.form_y = y;
  out_.op = x->op;
  out_.op_y = y->op;
  out_.encoding = Encoding::vopd;
  auto field_of = [](Field field, bool second) {
    switch (field) {
      case Field::vdst: return second ? Field::vdsty : Field::vdstx;
      case Field::src0: return second ? Field::srcy0 : Field::srcx0;
      case Field::vsrc1: return second ? Field::vsrcy1 : Field::vsrcx1;
      default: return field;
    }
  };
  bool literal = false;
  for (const OperandSpec& spec : x->specs()) literal |= uses_literal(spec, field_of(spec.field, false));
  for (const OperandSpec& spec : y->specs()) literal |= uses_literal(spec, field_of(spec.field, true));
  if (literal && !take_literal()) return false;
  form_ = x;
  for (const OperandSpec& spec : x->specs())
    if (!operand(spec, field_of(spec.field, false))) return false;
  out_.y_begin = out_.operand_count;
  form_ = y;
  for (const OperandSpec& spec : y->specs())
    if (!operand(spec, field_of(spec.field, true))) return false;
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
    Decoder decoder(*index, bytes, wave64, out);
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
