#pragma once
#include "emu/amd/wave/numerics/types.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

/// f<kRound>() for the rounding mode at hand. Handlers pass the constant nearest in the common mode, so that
/// the choice disappears.
template <class F>
MOCKGPU_LANE auto rounded(Round round, F f) {
  switch (round) {
    case Round::kUp: return f.template operator()<Round::kUp>();
    case Round::kDown: return f.template operator()<Round::kDown>();
    case Round::kZero: return f.template operator()<Round::kZero>();
    default: return f.template operator()<Round::kNearestEven>();
  }
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
