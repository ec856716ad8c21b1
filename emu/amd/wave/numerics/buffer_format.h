#pragma once

#include "emu/amd/wave/numerics/types.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

/// A buffer format of gfx11: how elements of typed buffers lie in memory.
struct BufferFormat {
  enum class Numbers : U8 { none, unorm, snorm, uscaled, sscaled, uint, sint, floating };

  U8 bits[4];  ///< of each component from x on, which lies lowest; 0: absent
  Numbers numbers;

  constexpr unsigned components() const {
    unsigned count = 0;
    while (count < 4 && bits[count]) ++count;
    return count;
  }
  constexpr U32 bytes() const { return (U32{bits[0]} + bits[1] + bits[2] + bits[3]) / 8; }
};

/// In the order of the hardware's numbers (facts, rdna3.json "mtbuf_format"); names there list the highest
/// component first.
struct BufferFormats {
  BufferFormat at[64];
};

constexpr BufferFormats make_buffer_formats() {
  using N = BufferFormat::Numbers;
  BufferFormats result{};
  unsigned next = 1;
  const auto add = [&](U8 x, U8 y, U8 z, U8 w, auto... numbers) {
    ((result.at[next++] = {{x, y, z, w}, numbers}), ...);
  };
  add(8, 0, 0, 0, N::unorm, N::snorm, N::uscaled, N::sscaled, N::uint, N::sint);
  add(16, 0, 0, 0, N::unorm, N::snorm, N::uscaled, N::sscaled, N::uint, N::sint, N::floating);
  add(8, 8, 0, 0, N::unorm, N::snorm, N::uscaled, N::sscaled, N::uint, N::sint);
  add(32, 0, 0, 0, N::uint, N::sint, N::floating);
  add(16, 16, 0, 0, N::unorm, N::snorm, N::uscaled, N::sscaled, N::uint, N::sint, N::floating);
  add(11, 11, 10, 0, N::floating);
  add(10, 11, 11, 0, N::floating);
  add(2, 10, 10, 10, N::unorm, N::snorm, N::uint, N::sint);
  add(10, 10, 10, 2, N::unorm, N::snorm, N::uscaled, N::sscaled, N::uint, N::sint);
  add(8, 8, 8, 8, N::unorm, N::snorm, N::uscaled, N::sscaled, N::uint, N::sint);
  add(32, 32, 0, 0, N::uint, N::sint, N::floating);
  add(16, 16, 16, 16, N::unorm, N::snorm, N::uscaled, N::sscaled, N::uint, N::sint, N::floating);
  add(32, 32, 32, 0, N::uint, N::sint, N::floating);
  add(32, 32, 32, 32, N::uint, N::sint, N::floating);
  return result;
}
inline constexpr BufferFormats kBufferFormats = make_buffer_formats();
static_assert(kBufferFormats.at[63].bits[3] == 32 &&
              kBufferFormats.at[63].numbers == BufferFormat::Numbers::floating);
static_assert(kBufferFormats.at[22].numbers == BufferFormat::Numbers::floating &&
              kBufferFormats.at[42].bits[0] == 8);

MOCKGPU_LANE const BufferFormat& buffer_format(U32 number) { return kBufferFormats.at[number % 64]; }

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
