#include "isa/amd/asm/encode.h"

#include <cassert>
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

unsigned sources(const Form& form) {
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
  if (inst_.encoding == Encoding::vopd) {
    dual();
  } else {
    put(Field::op, index_.cell(*inst_.form).opcode);
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
  put(Field::clamp, mods.clamp);
  put(Field::omod, mods.omod);
  put(Field::opsel, mods.op_sel);
  put(Field::opsel_hi, mods.op_sel_hi & 3u);
  put(Field::opsel_hi2, mods.op_sel_hi >> 2);
  put(Field::neg, mods.neg);
  put(Field::neg_hi, mods.neg_hi);
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
  put(Field::tfe, mods.tfe);
  put(Field::lwe, mods.lwe);
  put(Field::offen, mods.offen);
  put(Field::idxen, mods.idxen);
  put(Field::unorm, mods.unorm);
  put(Field::r128, mods.r128);
  put(Field::a16, mods.a16);
  put(Field::d16, mods.d16);
  put(Field::sve, mods.sve);
  put(Field::dmask, mods.dmask);
  put(Field::dim, mods.dim);
  put(Field::nsa, mods.nsa);
  put(Field::format, mods.format);
  put(Field::en, mods.exp_enable);
  put(Field::done, mods.exp_done);
  put(Field::row_en, mods.exp_row_en);
}

// What LLVM writes into fields that have no meaning here.
void Encoder::fixed_bits() {
  // Packed instructions without op_sel_hi, and sources that do not exist, have its neutral value.
  if (inst_.encoding == Encoding::vop3p) {
    const unsigned kept = has(property::opsel_hi) ? (1u << sources(*inst_.form)) - 1 : 0;
    put(Field::opsel_hi, 7u & ~kept);
    put(Field::opsel_hi2, (7u & ~kept) >> 2);
  }
  // FLAT takes no saddr.
  if (inst_.encoding == Encoding::flat) put(Field::saddr, absent(Field::saddr));
}

std::uint32_t Encoder::dpp_dword() const {
  const Modifiers& mods = inst_.mods;
  std::uint32_t dword = 0;
  const Operand* sources[2] = {};
  for (std::size_t i = 0; i < inst_.form->specs().size(); ++i) {
    const Field field = inst_.form->specs()[i].field;
    if (field == Field::src0) sources[0] = &inst_.operands[i];
    if (field == Field::src1 || field == Field::vsrc1) sources[1] = &inst_.operands[i];
  }
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

void Encoder::dual() {
  put(Field::opx, index_.cell(*inst_.form).opcode);
  put(Field::opy, index_.cell(*inst_.form_y).opcode_y);
  operands(*inst_.form, 0, false);
  operands(*inst_.form_y, inst_.y_begin, true);
}

void Encoder::extension_dwords() {
  if (inst_.mods.nsa) append(nsa_dword_);
  if (inst_.mods.dpp != DppKind::none) append(dpp_dword());
  if (literal_) append(inst_.literal);
}

std::vector<std::byte> encode(const Target& target, const Instruction& instruction) {
  const DecodeIndex* index = DecodeIndex::of(target.generation);
  if (!index || !instruction.form) return {};
  return Encoder(*index, instruction).run();
}

}  // namespace mockgpu::isa::amd
