#include "isa/amd/generation.h"

#include <array>

#include "isa/amd/instruction.h"

namespace mockgpu::isa::amd {
namespace {

constexpr GenerationTraits gcn(bool sc_bits, bool lds_direct) {
  GenerationTraits t{};
  t.sdwa = true;
  t.lds_direct = lds_direct;
  t.sc_bits = sc_bits;
  t.m0 = 124;
  t.saddr_off = 0x7f;
  t.sgprs = 102;
  return t;
}

constexpr GenerationTraits gfx10() {
  GenerationTraits t{};
  t.sdwa = t.dpp8 = t.vop3_literal = t.has_null = t.lds_direct = true;
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
    gcn(false, true), gcn(false, true),    gcn(false, false),   gcn(true, false),   gcn(true, false), gfx10(),
    gfx10(),          gfx11(false, false), gfx11(false, false), gfx11(true, false), gfx11(true, true)};

}  // namespace

const GenerationTraits& traits(Generation generation) {
  return kTraits[static_cast<std::size_t>(generation)];
}

bool has_special(Generation generation, unsigned selector) {
  switch (selector) {
    case scalar::flat_scratch_base_lo:
    case scalar::flat_scratch_base_hi: return generation == Generation::gfx1250;
    case scalar::shared_base:
    case scalar::shared_limit:
    case scalar::private_base:
    case scalar::private_limit:
    case scalar::scc: return true;
    case scalar::pops_exiting_wave_id:
    case scalar::vccz:
    case scalar::execz:
    case scalar::lds_direct: return generation < Generation::rdna3;
    default: return false;
  }
}

}  // namespace mockgpu::isa::amd
