#pragma once

// Independent references for the tests of the lane functions: exact integer or wide arithmetic, plain and
// slow.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "emu/amd/wave/numerics/types.h"

namespace numerics_test {

namespace lane = mockgpu::emu::amd::baseline;

inline std::uint32_t bits(float x) {
  std::uint32_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}
inline std::uint64_t bits(double x) {
  std::uint64_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}
inline float f32(std::uint32_t b) {
  float x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}
inline double f64(std::uint64_t b) {
  double x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}

// Exact arithmetic on f16 values: multiples of 2^-48 below 2^64.
__extension__ typedef __int128 Int128;

/// splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint32_t u32() { return static_cast<std::uint32_t>(next() >> 32); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(next() >> 48); }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((next() >> 32) * n >> 32); }

  /// Any f32: often special, often with few mantissa bits, else uniform bits.
  std::uint32_t f32_bits() {
    static const std::uint32_t special[] = {
        0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001,
        0x4b000000, 0x4f000000, 0x4f800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fc12345,
        0x7fa54321, 0x477fefff, 0x477ff000, 0x38800000, 0x33800000, 0x33000000, 0x33000001, 0x42fc0000};
    const std::uint32_t kind = below(8);
    const std::uint32_t sign = u32() & 0x80000000u;
    if (kind == 0) return special[below(sizeof special / sizeof special[0])] | sign;
    if (kind == 1) return u32() & 0xfff00000u;
    if (kind == 2) return (0x3f800000u - (8u << 23) + (u32() & 0x0bffffffu) % (16u << 23)) | sign;
    return u32();
  }
  std::uint64_t f64_bits() {
    static const std::uint64_t special[] = {
        0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x3fe0000000000000,
        0x3ff0000000000000, 0x3ff0000000000001, 0x4330000000000000, 0x41dfffffffc00000, 0x41e0000000000000,
        0x41f0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8000000000000,
        0x7ff8123456789abc, 0x47efffffe0000000, 0x36a0000000000000, 0x3690000000000001};
    const std::uint32_t kind = below(8);
    const std::uint64_t sign = next() & 0x8000000000000000u;
    if (kind == 0) return special[below(sizeof special / sizeof special[0])] | sign;
    if (kind == 1) return next() & 0xfff8000000000000u;
    if (kind == 2) return (0x3f80000000000000u + (next() & 0x00ffffffffffffffu)) | sign;
    return next();
  }
  std::uint16_t f16_bits() {
    static const std::uint16_t special[] = {0x0000, 0x0001, 0x03ff, 0x0400, 0x3800, 0x3bff, 0x3c00, 0x3c01,
                                            0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7e55, 0x7d23, 0x6400, 0x6800};
    const std::uint32_t kind = below(8);
    const std::uint16_t sign = u16() & 0x8000;
    if (kind == 0) return static_cast<std::uint16_t>(special[below(16)] | sign);
    if (kind == 1) return static_cast<std::uint16_t>(u16() & 0xffc0);
    return u16();
  }

 private:
  std::uint64_t state_;
};

// --- f16 by definition
// -------------------------------------------------------------------------------------------------
inline bool is_nan16(std::uint16_t h) { return (h & 0x7fff) > 0x7c00; }
inline bool is_inf16(std::uint16_t h) { return (h & 0x7fff) == 0x7c00; }
/// sign * significand * 2^exponent.
inline double value16(std::uint16_t h) {
  const int exponent = (h >> 10) & 31;
  const int mantissa = h & 0x3ff;
  double v = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  if (exponent == 31) {
    v = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return (h & 0x8000) != 0 ? -v : v;
}

/// Rounds the exact number n * 2^-48 to f16 by looking for its neighbours among all f16 values. A zero gets
/// `zero_sign`.
inline std::uint16_t round16(Int128 n, lane::Round mode, std::uint16_t zero_sign) {
  if (n == 0) return zero_sign;
  const bool negative = n < 0;
  const Int128 magnitude = negative ? -n : n;
  const auto exact = [](int h) {
    const int exponent = h >> 10;
    const int mantissa = h & 0x3ff;
    // Values are multiples of 2^-24; 0x7c00 continues the scale as 2^16.
    const Int128 units = exponent == 0 ? mantissa : static_cast<Int128>(1024 + mantissa) << (exponent - 1);
    return units << 24;
  };
  int low = 0;
  int high = 0x7c00;
  if (magnitude >= exact(0x7c00)) {
    low = 0x7bff;
  } else {
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (exact(middle) <= magnitude ? low : high) = middle;
    }
  }
  int result = low;
  if (exact(low) != magnitude) {
    const int above = low + 1;
    switch (mode) {
      case lane::Round::kNearestEven: {
        const Int128 down = magnitude - exact(low);
        const Int128 up = exact(above) - magnitude;
        result = down < up ? low : up < down ? above : (low % 2 == 0 ? low : above);
        break;
      }
      case lane::Round::kUp: result = negative ? low : above; break;
      case lane::Round::kDown: result = negative ? above : low; break;
      case lane::Round::kZero: result = low; break;
    }
  }
  return static_cast<std::uint16_t>(result | (negative ? 0x8000 : 0));
}
/// Rounds any finite double to f16.
inline std::uint16_t round16(double v, lane::Round mode) {
  const std::uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  const double size = std::fabs(v);
  if (size == 0.0) return sign;
  Int128 n = static_cast<Int128>(1) << 70;
  if (size < 0x1p20) {
    const double scaled = std::ldexp(size, 48);
    n = static_cast<Int128>(scaled);
    // What lies below 2^-48 only matters for being there.
    if (std::floor(scaled) != scaled || n == 0) n |= 1;
  }
  return round16(sign != 0 ? -n : n, mode, sign);
}
/// An f16 as a multiple of 2^-24.
inline Int128 units16(std::uint16_t h) {
  const int exponent = (h >> 10) & 31;
  const int mantissa = h & 0x3ff;
  const Int128 units = exponent == 0 ? mantissa : static_cast<Int128>(1024 + mantissa) << (exponent - 1);
  return (h & 0x8000) != 0 ? -units : units;
}

inline const lane::Round kModes[] = {lane::Round::kNearestEven, lane::Round::kUp, lane::Round::kDown,
                                     lane::Round::kZero};

}  // namespace numerics_test
