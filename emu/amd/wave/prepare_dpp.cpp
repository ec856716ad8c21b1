#include "emu/amd/wave/prepare_vector.h"

namespace mockgpu::emu::amd {

namespace {

/// The lane (0..15) of its row that `lane` reads under a DPP16 control of gfx10 and later, 16 if there is
/// none, 17 if the control is unknown. Source: RDNA3.5 ISA, "DPP16 control"; LLVM AMDGPU operand syntax.
unsigned dpp16_source(unsigned control, unsigned lane) {
  if (control <= 0xff) return (lane & ~3u) | ((control >> ((lane & 3) * 2)) & 3);  // quad_perm
  const unsigned n = control & 15;
  switch (control & ~15u) {
    case 0x100: return n == 0 ? 17 : lane + n < 16 ? lane + n : 16;  // row_shl
    case 0x110: return n == 0 ? 17 : lane >= n ? lane - n : 16;      // row_shr
    case 0x120: return n == 0 ? 17 : (lane - n) & 15;                // row_ror
    case 0x140:
      if (n == 0) return 15 - lane;                        // row_mirror
      return n == 1 ? (lane & 8) | (7 - (lane & 7)) : 17;  // row_half_mirror
    case 0x150: return n;                                  // row_share
    case 0x160: return lane ^ n;                           // row_xmask
    default: return 17;
  }
}

}  // namespace

bool dpp_control(const isa::amd::Modifiers& mods, DppControl& control) {
  control.selectors = 0;
  control.valid = ~0u;
  control.fetch_inactive = mods.dpp_fi;
  if (mods.dpp == isa::amd::DppKind::dpp8) {
    for (unsigned lane = 0; lane < 16; ++lane) {
      control.selectors |= std::uint64_t{(lane & 8) | mods.dpp8[lane & 7]} << (lane * 4);
    }
    control.enabled = ~std::uint64_t{0};
    control.any_source = true;
    control.narrows = false;
    return true;
  }
  for (unsigned lane = 0; lane < 16; ++lane) {
    const unsigned source = dpp16_source(mods.dpp_ctrl, lane);
    if (source == 17) return false;
    if (source == 16) {
      control.valid &= ~(0x00010001u << lane);
    } else {
      control.selectors |= std::uint64_t{source} << (lane * 4);
    }
  }
  control.enabled = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const bool row_on = (mods.dpp_row_mask >> (lane / 16) & 1) != 0;
    const bool bank_on = (mods.dpp_bank_mask >> (lane % 16 / 4) & 1) != 0;
    control.enabled |= std::uint64_t{row_on && bank_on} << lane;
  }
  control.any_source = mods.dpp_bound_ctrl;
  control.narrows = !control.any_source || ~control.enabled != 0;
  return true;
}

}  // namespace mockgpu::emu::amd
