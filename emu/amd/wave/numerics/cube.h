#pragma once

#include "emu/amd/wave/numerics/nan.h"
#include "emu/amd/wave/numerics/types.h"

// Cube map coordinates of a direction (x, y, z): face 0..5 = +x, -x, +y, -y, +z, -z; z wins ties, then y.

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

/// The value for the major axis of (x, y, z).
MOCKGPU_LANE F32 by_major_axis(F32 x, F32 y, F32 z, F32 for_x, F32 for_y, F32 for_z) {
  const F32 minor = abs(y) >= abs(x) ? for_y : for_x;
  const F32 second = abs(z) >= abs(y) ? for_z : minor;
  return abs(z) >= abs(x) ? second : minor;
}
MOCKGPU_LANE F32 cubeid(F32 x, F32 y, F32 z) {
  return by_major_axis(x, y, z, x < 0.0f ? 1.0f : 0.0f, y < 0.0f ? 3.0f : 2.0f, z < 0.0f ? 5.0f : 4.0f);
}
MOCKGPU_LANE F32 cubesc(F32 x, F32 y, F32 z) {
  return quiet(by_major_axis(x, y, z, x < 0.0f ? z : neg(z), x, z < 0.0f ? neg(x) : x));
}
MOCKGPU_LANE F32 cubetc(F32 x, F32 y, F32 z) {
  return quiet(by_major_axis(x, y, z, neg(y), y < 0.0f ? neg(z) : z, neg(y)));
}
MOCKGPU_LANE F32 cubema(F32 x, F32 y, F32 z) {
  const F32 axis = by_major_axis(x, y, z, x, y, z);
  return fix_nan(axis * 2.0f, axis);
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
