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

// Registers of the parts of a ray with nsa: node, extent, origin, direction and inverse direction.
unsigned ray_part_dwords(const OperandSpec& spec, unsigned part) {
  if (part == 0) return spec.bits / 32u;
  return part == 1 ? 1 : 3;
}

unsigned data_dwords(const Form& form, const Modifiers& mods, unsigned at_least) {
  namespace p = property;
  if (form.has(p::bvh)) return 4;
  unsigned components = form.has(p::gather4) ? 4 : static_cast<unsigned>(std::popcount(mods.dmask));
  if (components == 0) components = 1;
  if (mods.d16) components = (components + 1) / 2;
  if (form.has(p::atomic) && components < at_least) components = at_least;
  return components + mods.tfe;
}

}  // namespace

// Operands: vdata, the addresses, srsrc and ssamp. Without nsa the address is one range of registers; with
// it, the extra dword names the second register and those after it, and what is left over continues the last
// one.
bool Decoder::image() {
  constexpr unsigned kNsaAddresses = 5;
  const auto specs = form_->specs();
  std::uint8_t nsa_dword = 0;
  if (out_.mods.nsa && !take_dword(nsa_dword)) return false;
  for (const OperandSpec& spec : specs) {
    if (spec.field != Field::vaddr) {
      if (!operand(spec, spec.field)) return false;
      Operand& last = out_.operands[out_.operand_count - 1];
      if (spec.field == Field::vdata) {
        last.dwords = static_cast<std::uint8_t>(data_dwords(*form_, out_.mods, last.dwords));
        if (form_->has(property::atomic) && !out_.mods.glc) last.is_dst = false;
      }
      continue;
    }
    const bool ray = form_->has(property::bvh);
    unsigned left = address_dwords(*form_, out_.mods);
    for (unsigned i = 0; left > 0; ++i) {
      Operand& address = out_.operands[out_.operand_count++];
      address.kind = OperandKind::vgpr;
      address.format = spec.format;
      address.is_src = true;
      address.index = static_cast<std::uint16_t>(i == 0 ? get(Field::vaddr)
                                                        : bits_.dword(nsa_dword) >> (8 * (i - 1)) & 0xff);
      unsigned dwords = 1;
      if (!out_.mods.nsa || (!ray && i + 1 == kNsaAddresses))
        dwords = left;
      else if (ray)
        dwords = ray_part_dwords(spec, i);
      address.dwords = static_cast<std::uint8_t>(dwords);
      address.bits = static_cast<std::uint8_t>(dwords <= 4 ? 32 * dwords : 0);
      left -= std::min(dwords, left);
    }
  }
  return true;
}

}  // namespace mockgpu::isa::amd
