#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/e2e/kernel_case.h"

// Bits of 16-bit floats, for the references.
namespace mockgpu::test {

/// binary16 bits, rounded to nearest even; for values that stay finite.
inline std::uint16_t half(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), -14);
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<std::uint16_t>(sign + (static_cast<std::uint32_t>(exponent + 14) << 10) + units);
}

inline double from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  const double magnitude =
      exponent ? std::ldexp(mantissa + 1024, exponent - 25) : std::ldexp(static_cast<double>(mantissa), -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

inline double round_half(double value) { return from_half(half(value)); }

/// bfloat16 bits, rounded to nearest even; for values that stay finite.
inline std::uint16_t bfloat(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// Small multiples of 1/4, whose products and sums are exact in every order.
inline std::vector<float> quarters(unsigned seed, std::size_t count) {
  std::vector<float> values(count);
  const auto integers = random_integers<std::int32_t>(seed, count, -20, 20);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(integers[i]) / 4;
  return values;
}

inline std::vector<std::uint16_t> halves(const std::vector<float>& values) {
  std::vector<std::uint16_t> bits;
  for (const float value : values) bits.push_back(half(value));
  return bits;
}

/// The bfloat16 bits of `values`.
inline std::vector<std::uint16_t> bfloats(const std::vector<float>& values) {
  std::vector<std::uint16_t> bits;
  for (const float value : values) bits.push_back(bfloat(value));
  return bits;
}

}  // namespace mockgpu::test
