#include <algorithm>
#include <bit>

#include "isa/amd/decoder.h"

namespace mockgpu::isa::amd {
namespace {

// Components of an address and of the gradients, by dim: 1D 2D 3D CUBE 1D_ARRAY 2D_ARRAY 2D_MSAA
// 2D_MSAA_ARRAY.
constexpr std::uint8_t kCoordinates[8] = {1, 2, 3, 3, 2, 3, 3, 4};
constexpr std::uint8_t kGradients[8] = {2, 4, 6, 4, 2, 4, 4, 4};

// Address dwords of an image instruction: offset, bias and compare value have one each; gradients and
// coordinates (with lod, lod clamp or mip level) are packed in pairs if they have 16 bits.
unsigned address_dwords(const Form& form, const Modifiers& mods) {
  namespace p = property;
  if (form.op == Op::image_bvh_dual_intersect_ray) return 12;
  if (form.op == Op::image_bvh8_intersect_ray) return 11;
  if (form.has(p::bvh)) {
    const bool wide = form.specs()[1].bits == 64;
    return (mods.a16 ? 8 : 11) + (wide ? 1u : 0u);
  }
  if (form.has(p::a_lod_only)) return 1;
  unsigned dwords = 0;
  for (std::uint64_t extra : {p::a_offset, p::a_bias, p::a_compare}) dwords += form.has(extra);
  if (form.has(p::a_gradient)) {
    const unsigned gradients = kGradients[mods.dim];
    // Packed gradients: each direction starts a dword of its own.
    dwords += form.has(p::a_g16) ? 2 * ((gradients / 2 + 1) / 2) : gradients;
  }
  const unsigned coordinates = kCoordinates[mods.dim] + (form.has(p::a_lod) ? 1u : 0u);
  return dwords + (mods.a16 ? (coordinates + 1) / 2 : coordinates);
}

// Registers of the parts of a ray with nsa: node, extent, origin, direction and inverse direction; gfx12's
// two wider instructions have bases, extent and mask, origin, direction and offsets.
unsigned ray_part_dwords(Op op, const OperandSpec& spec, unsigned part) {
  if (op == Op::image_bvh_dual_intersect_ray || op == Op::image_bvh8_intersect_ray) {
    constexpr std::uint8_t kDwords[] = {2, 2, 3, 3};
    return part < 4 ? kDwords[part] : op == Op::image_bvh8_intersect_ray ? 1 : 2;
  }
  if (part == 0) return spec.bits / 32u;
  return part == 1 ? 1 : 3;
}

// gfx9 does not say how many dimensions there are; this is what one dimension needs.
unsigned least_address_dwords(const Form& form) {
  namespace p = property;
  unsigned dwords = form.has(p::a_gradient) ? 2 : 1;
  for (std::uint64_t extra : {p::a_offset, p::a_bias, p::a_compare}) dwords += form.has(extra);
  return dwords;
}

}  // namespace

unsigned image_data_dwords(const Form& form, const Modifiers& mods, unsigned at_least) {
  namespace p = property;
  if (form.has(p::bvh)) return at_least;
  unsigned components = form.has(p::gather4) ? 4 : static_cast<unsigned>(std::popcount(mods.dmask));
  if (components == 0) components = 1;
  if (mods.d16) components = (components + 1) / 2;
  // Atomics are at least as wide as their op and at most about twice that.
  if (form.has(p::atomic) && (components < at_least || components > 2 * at_least + 1)) components = at_least;
  return components + mods.tfe;
}

// The number of addresses that stand in separate fields: without nsa one, of any length; with it, and on
// gfx12 always, as many as the encoding has room for, of which the last one may be a range.
unsigned Decoder::address_fields() const {
  if (form_->encoding == Encoding::vsample) return 4;
  if (has_field(Field::vaddr4)) return 5;
  if (!out_.mods.nsa) return 1;
  constexpr unsigned kPerDword = 4;
  return 1 + kPerDword * out_.mods.nsa;
}

std::uint32_t Decoder::address_register(unsigned i, std::uint8_t nsa_dword) const {
  if (i == 0) return get(Field::vaddr);
  if (!has_field(Field::vaddr1)) return bits_.dword(nsa_dword + (i - 1) / 4) >> (8 * ((i - 1) % 4)) & 0xff;
  constexpr Field kFields[] = {Field::vaddr, Field::vaddr1, Field::vaddr2, Field::vaddr3, Field::vaddr4};
  return get(kFields[i]);
}

// Operands: vdata, the addresses, srsrc and ssamp.
bool Decoder::image() {
  const auto specs = form_->specs();
  std::uint8_t nsa_dword = 0;
  for (unsigned i = 0; i < out_.mods.nsa; ++i) {
    std::uint8_t position = 0;
    if (!take_dword(position)) return false;
    if (i == 0) nsa_dword = position;
  }
  for (const OperandSpec& spec : specs) {
    if (spec.field != Field::vaddr) {
      if (!operand(spec, spec.field)) return false;
      Operand& last = out_.operands[out_.operand_count - 1];
      if (spec.field == Field::vdata) {
        last.dwords = static_cast<std::uint8_t>(image_data_dwords(*form_, out_.mods, last.dwords));
        if (form_->has(property::atomic) && !out_.mods.glc) last.is_dst = false;
        // gfx90a wants wide operands at even registers; LLVM reads others as one register.
        if (index_.generation() == Generation::cdna2 && last.index % 2) last.dwords = 1;
      }
      continue;
    }
    const bool ray = form_->has(property::bvh);
    const bool dimensions = has_field(Field::dim);
    unsigned left = dimensions ? address_dwords(*form_, out_.mods) : least_address_dwords(*form_);
    const unsigned fields = address_fields();
    for (unsigned i = 0; left > 0; ++i) {
      if (out_.operand_count >= out_.operands.size() - 2) return false;
      Operand& address = out_.operands[out_.operand_count++];
      address.kind = OperandKind::vgpr;
      address.format = spec.format;
      address.is_src = true;
      address.index = static_cast<std::uint16_t>(address_register(i, nsa_dword));
      unsigned dwords = 1;
      if (fields == 1 || (!ray && i + 1 == fields))
        dwords = left;
      else if (ray && !is_gfx10(index_.generation()))
        dwords = ray_part_dwords(form_->op, spec, i);
      address.dwords = static_cast<std::uint8_t>(dwords);
      address.bits = static_cast<std::uint8_t>(dwords <= 4 ? 32 * dwords : 0);
      left -= std::min(dwords, left);
    }
  }
  return true;
}

}  // namespace mockgpu::isa::amd
