// formats.cl: 16-bit floats, MODE, NaNs.
#include <algorithm>
#include <cfenv>
#include <initializer_list>

#include "tests/e2e/formats.h"
#include "tests/e2e/kernel_case.h"

namespace mockgpu::test {
namespace {

using Words = std::vector<std::uint32_t>;
using Longs = std::vector<std::uint64_t>;
using Halves = std::vector<std::uint16_t>;

template <typename To, typename From>
To same_bits(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

KernelCase half_arithmetic() {
  // 2^-6 to 2^6, so that sums and products of three are exact in double; zeros.
  Halves x = random_integers<std::uint16_t>(101, 260, 0, 0xffff);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const unsigned exponent = 9 + (x[i] >> 10 & 31) % 13;
    x[i] = static_cast<std::uint16_t>(i % 19 == 4 ? x[i] & 0x8000 : (x[i] & 0x83ff) | exponent << 10);
  }
  Halves wanted;
  for (std::size_t i = 0; i < 256; ++i) {
    const double a = from_half(x[i]), b = from_half(x[i ^ 1]), c = from_half(x[i ^ 2]);
    for (const double value : {a + b, a - b, a * b, a * b + c, std::floor(a), std::nearbyint(a)})
      wanted.push_back(half(value));
    wanted.push_back(static_cast<std::uint16_t>((a < b) | (a == c) << 1 | (a >= c) << 2));
    for (const double value : {b + c, b * c, a * a}) wanted.push_back(half(value));
  }
  return {"half_arithmetic", "formats", "half_arithmetic", {256}, {64}, {buffer(x), buffer(Halves(2560))},
          equals(1, wanted)};
}

KernelCase half_conversions() {
  std::vector<float> x = random_floats(102, 256, -30000, 30000);
  for (std::size_t i = 0; i < x.size(); i += 3) x[i] *= std::ldexp(1.0f, -static_cast<int>(i % 40));
  Halves h;
  std::vector<float> f;
  std::vector<std::int16_t> s;
  for (const float value : x) {
    const auto integer = static_cast<std::int16_t>(value);
    h.push_back(half(value));
    h.push_back(half(integer));
    h.push_back(half(std::abs(integer)));
    h.push_back(half(value * 1.0009765625));
    f.push_back(static_cast<float>(round_half(value)));
    s.push_back(static_cast<std::int16_t>(f.back()));
  }
  return {"half_conversions",
          "formats",
          "half_conversions",
          {256},
          {64},
          {buffer(x), buffer(Halves(1024)), buffer(std::vector<float>(256)),
           buffer(std::vector<std::int16_t>(256))},
          [=](const Outputs& outputs) {
            const std::string wrong = same(outputs, 1, h), wrong_float = same(outputs, 2, f);
            return !wrong.empty() ? wrong : !wrong_float.empty() ? wrong_float : same(outputs, 3, s);
          }};
}

KernelCase bfloat_arithmetic() {
  const Halves x = bfloats(random_floats(103, 256, -100, 100));
  const auto value = [&](std::size_t i) { return same_bits<float>(static_cast<std::uint32_t>(x[i]) << 16); };
  Halves wanted;
  for (std::size_t i = 0; i < 256; ++i) {
    const float a = value(i), b = value(i ^ 1);
    for (const float result : {a + b, a * b, std::fma(a, b, 1.0f)}) wanted.push_back(bfloat(result));
  }
  return {"bfloat_arithmetic", "formats", "bfloat_arithmetic", {256}, {64}, {buffer(x), buffer(Halves(768))},
          equals(1, wanted)};
}

KernelCase rounding_modes() {
  const std::vector<float> x = random_floats(104, 256, -3, 3);
  std::vector<double> y;
  for (const float value : random_floats(105, 256, -3, 3)) y.push_back(value * 1.00000001234567);
  Words wanted;
  for (std::size_t i = 0; i < 256; ++i) {
    const volatile float a = x[i], b = x[i ^ 1];
    const volatile double wide = y[i], other = y[i ^ 1];
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
      const volatile float sum = a + b, fused = std::fma(a, b, a), product = a * b;
      const volatile double wide_product = wide * other;
      const volatile float narrow = static_cast<float>(wide);
      std::fesetround(FE_TONEAREST);
      const auto bits = same_bits<std::uint64_t>(static_cast<double>(wide_product));
      wanted.insert(wanted.end(), {same_bits<std::uint32_t>(static_cast<float>(sum)),
                                   same_bits<std::uint32_t>(static_cast<float>(fused)),
                                   same_bits<std::uint32_t>(static_cast<float>(product)),
                                   static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32),
                                   same_bits<std::uint32_t>(static_cast<float>(narrow))});
    }
  }
  return {"rounding_modes",
          "formats",
          "rounding_modes",
          {256},
          {64},
          {buffer(x), buffer(y), buffer(Words(wanted.size()))},
          equals(2, wanted)};
}

float flush(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

KernelCase denormal_modes() {
  // Around the smallest normal number; products too.
  Words x = random_integers<std::uint32_t>(106, 256, 0, 0xffffffff);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint32_t exponent = i % 4 == 0 ? 127 - 12 + x[i] / 1024 % 24 : x[i] / 1024 % 3;
    x[i] = (x[i] & 0x807fffff) | exponent << 23;
  }
  Words wanted;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float a = same_bits<float>(x[i]), b = same_bits<float>(x[i ^ 1]);
    for (const float value :
         {a * b, flush(flush(a) * flush(b)), flush(flush(a) + flush(b)), flush(a + b), flush(a) + flush(b)})
      wanted.push_back(same_bits<std::uint32_t>(value));
  }
  return {"denormal_modes", "formats", "denormal_modes", {256}, {64}, {buffer(x), buffer(Words(1280))},
          equals(1, wanted)};
}

/// NAN-1: the first NaN source, quieted; an operation that makes a NaN makes the positive default one.
float nan_rule(std::initializer_list<float> sources, float result) {
  for (const float source : sources) {
    if (source != source) return same_bits<float>(same_bits<std::uint32_t>(source) | 0x400000);
  }
  return result != result ? same_bits<float>(0x7fc00000) : result;
}
double nan_rule(std::initializer_list<double> sources, double result) {
  for (const double source : sources) {
    if (source != source) return same_bits<double>(same_bits<std::uint64_t>(source) | std::uint64_t{1} << 51);
  }
  return result != result ? same_bits<double>(std::uint64_t{0x7ff8} << 48) : result;
}

KernelCase nans() {
  const Words kinds{0x7fc12345, 0xffc54321, 0x7f800001, 0xffa00077, 0x7f800000, 0xff800000,
                    0,          0x80000000, 0x3f800000, 0xbf800000, 0x7ff00003, 0xfff00005};
  Words x = random_integers<std::uint32_t>(107, 256, 0, 0xffffffff);
  for (std::uint32_t& value : x) value = kinds[value % kinds.size()];
  Words wanted;
  Longs wide_wanted;
  // Sums and products are those of the host, as bits: its own NaNs are replaced by the rule.
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float a = same_bits<float>(x[i]), b = same_bits<float>(x[i ^ 1]), c = same_bits<float>(x[i ^ 2]);
    const float less = same_bits<float>(x[i] ^ 0x80000000);
    for (const float value :
         {nan_rule({a, b}, a + b), nan_rule({a, b}, a - b), nan_rule({a, b}, a * b),
          nan_rule({a, b, c}, std::fma(a, b, c)), nan_rule({a}, std::sqrt(a)), nan_rule({less, b}, less + b)})
      wanted.push_back(same_bits<std::uint32_t>(value));
    const auto d = same_bits<double>(static_cast<std::uint64_t>(x[i]) << 32 | 5),
               e = same_bits<double>(static_cast<std::uint64_t>(x[i ^ 1]) << 32 | 9);
    wide_wanted.push_back(same_bits<std::uint64_t>(nan_rule({d, e}, d + e)));
    wide_wanted.push_back(same_bits<std::uint64_t>(nan_rule({d, e}, std::fma(d, e, d))));
  }
  return {"nans",
          "formats",
          "nans",
          {256},
          {64},
          {buffer(x), buffer(Words(wanted.size())), buffer(Longs(wide_wanted.size()))},
          [=](const Outputs& outputs) {
            const std::string wrong = same(outputs, 1, wanted);
            return wrong.empty() ? same(outputs, 2, wide_wanted) : wrong;
          }};
}

}  // namespace

std::vector<KernelCase> format_cases() {
  return {half_arithmetic(), half_conversions(), bfloat_arithmetic(),
          rounding_modes(),  denormal_modes(),   nans()};
}

}  // namespace mockgpu::test
