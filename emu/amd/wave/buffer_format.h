#pragma once
#include <array>
#include <cstdint>

namespace mockgpu::emu::amd {

/// A buffer format of gfx11: how elements of typed buffers lie in memory.
struct BufferFormat {
  enum class Numbers : std::uint8_t { none, unorm, snorm, uscaled, sscaled, uint, sint, floating };

  std::uint8_t bits[4];  ///< of each component from x on, which lies lowest; 0: absent
  Numbers numbers;

  constexpr unsigned components() const {
    unsigned count = 0;
    while (count < 4 && bits[count]) ++count;
    return count;
  }
  constexpr std::uint32_t bytes() const { return (std::uint32_t{bits[0]} + bits[1] + bits[2] + bits[3]) / 8; }
};

/// In the order of the hardware's numbers (facts, rdna3.json "mtbuf_format"); names there list the highest
/// component first.
constexpr std::array<BufferFormat, 64> make_buffer_formats() {
  using N = BufferFormat::Numbers;
  std::array<BufferFormat, 64> result{};
  unsigned next = 1;
  const auto add = [&](std::uint8_t x, std::uint8_t y, std::uint8_t z, std::uint8_t w, auto... numbers) {
    ((result[next++] = {{x, y, z, w}, numbers}), ...);
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
inline constexpr std::array<BufferFormat, 64> kBufferFormats = make_buffer_formats();
static_assert(kBufferFormats[63].bits[3] == 32 &&
              kBufferFormats[63].numbers == BufferFormat::Numbers::floating);
static_assert(kBufferFormats[22].numbers == BufferFormat::Numbers::floating &&
              kBufferFormats[42].bits[0] == 8);

constexpr const BufferFormat& buffer_format(std::uint32_t number) { return kBufferFormats[number % 64]; }

}  // namespace mockgpu::emu::amd
