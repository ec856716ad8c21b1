#include "isa/amd/generation.h"

#include <array>

namespace mockgpu::isa::amd {
namespace {

constexpr GenerationTraits gcn(bool sc_bits) {
  GenerationTraits t{};
  t.sdwa = true;
  t.sc_bits = sc_bits;
  t.m0 = 124;
  t.saddr_off = 0x7f;
  t.sgprs = 102;
  return t;
}

constexpr GenerationTraits gfx10() {
  GenerationTraits t{};
  t.sdwa = t.dpp8 = t.vop3_literal = t.has_null = true;
  t.m0 = 124;
  t.saddr_off = 0x7d;
  t.sgprs = 106;
  return t;
}

constexpr GenerationTraits gfx11(bool th_scope, bool literal64) {
  GenerationTraits t{};
  t.dpp8 = t.vop3_dpp = t.vop3_literal = t.true16 = t.has_null = true;
  t.th_scope = th_scope;
  t.literal64 = literal64;
  t.m0 = 125;
  t.saddr_off = 0x7c;
  t.sgprs = 106;
  return t;
}

// In the order of Generation.
constexpr std::array<GenerationTraits, static_cast<std::size_t>(Generation::count)> kTraits{
    gcn(false), gcn(false),          gcn(false),          gcn(true),          gcn(true),        gfx10(),
    gfx10(),    gfx11(false, false), gfx11(false, false), gfx11(true, false), gfx11(true, true)};

}  // namespace

const GenerationTraits& traits(Generation generation) {
  return kTraits[static_cast<std::size_t>(generation)];
}

}  // namespace mockgpu::isa::amd
