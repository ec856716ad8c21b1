#pragma once
// The apertures of FLAT addresses.
#include "emu/amd/wave/lanes/memory_spaces.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {

inline constexpr U32 kLdsAperture = 0x1ffff;  ///< bits of a FLAT address that address LDS

/// Which lanes of a slot address which memory. A lane is in exactly one.
struct Apertures {
  U32 global, lds, scratch;
};

inline U32 lanes_equal(const U32* values, U32 value) {
  U32 result = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) result |= U32{values[lane] == value} << lane;
  return result;
}

/// By the high halves of the address registers.
inline Apertures apertures_of(Gang* gang, unsigned slot, U32 lanes, const U32* high) {
  const U32 shared = row(gang, Gang::scalar_offset(kRowSharedBase + 1))[slot];
  const U32 private_ = row(gang, Gang::scalar_offset(kRowPrivateBase + 1))[slot];
  const U32 upper = high[lowest(lanes)];
  if (is_ramp(high, upper, 0, lanes)) {
    return upper == shared     ? Apertures{0, lanes, 0}
           : upper == private_ ? Apertures{0, 0, lanes}
                               : Apertures{lanes, 0, 0};
  }
  const U32 lds = lanes & lanes_equal(high, shared);
  const U32 scratch = lanes & ~lds & lanes_equal(high, private_);
  return {lanes & ~lds & ~scratch, lds, scratch};
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
