#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

namespace mockgpu::isa::amd {

/// A float format with a sign, so many bits of exponent, and of mantissa.
struct FloatKind {
  int exponent, mantissa;

  constexpr int bits() const { return 1 + exponent + mantissa; }
};

inline constexpr FloatKind kDouble{11, 52}, kSingle{8, 23}, kHalf{5, 10}, kBrainHalf{8, 7};

/// Whether `value` becomes neither infinity nor a denormal number that has lost places: LLVM refuses these.
inline bool is_in_range(double value, FloatKind kind) {
  const int bias = (1 << (kind.exponent - 1)) - 1;
  const double size = std::fabs(value);
  if (size >= std::ldexp(2 - std::ldexp(1.0, -kind.mantissa - 1), bias)) return false;
  const double places = std::ldexp(size, bias - 1 + kind.mantissa);
  return size >= std::ldexp(1.0, 1 - bias) || places == std::floor(places);
}

/// `value` rounded to the nearest number (ties to even) of a format of up to 32 bits; too large ones become
/// infinity.
inline std::uint32_t round_to_float(double value, FloatKind kind) {
  const auto [exponent, mantissa] = kind;
  const std::uint32_t sign = std::signbit(value) ? 1u << (exponent + mantissa) : 0;
  const std::uint32_t infinity = ((1u << exponent) - 1) << mantissa;
  value = std::fabs(value);
  if (std::isnan(value)) return sign | infinity | 1u << (mantissa - 1);
  if (std::isinf(value)) return sign | infinity;
  const int bias = (1 << (exponent - 1)) - 1;
  int power = 0;
  std::frexp(value, &power);  // value = f * 2^power, f in [0.5, 1)
  const int unit = (power - 1 > -bias ? power - 1 : 1 - bias) - mantissa;  // of the last place
  const double places = std::nearbyint(std::ldexp(value, -unit));
  if (places == 0) return sign;
  if (power - 1 > bias) return sign | infinity;
  // A carry out of the mantissa goes on into the exponent, as it should.
  const auto biased = static_cast<std::uint32_t>(unit + mantissa + bias);
  const bool normal = places >= std::ldexp(1.0, mantissa);
  const std::uint32_t bits = static_cast<std::uint32_t>(places) + (normal ? (biased - 1) << mantissa : 0u);
  return sign | (bits < infinity ? bits : infinity);
}

inline std::uint32_t f32_bits(double value) {
  const auto narrow = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &narrow, sizeof bits);
  return bits;
}

inline std::uint64_t f64_bits(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace mockgpu::isa::amd
