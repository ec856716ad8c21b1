// matrix.cl: dot products and WMMA.
#include <algorithm>

#include "tests/e2e/formats.h"
#include "tests/e2e/kernel_case.h"

namespace mockgpu::test {
namespace {

using Words = std::vector<std::uint32_t>;

/// Field `n` of `bits` bits.
std::int64_t field(std::uint32_t word, unsigned n, unsigned bits, bool is_signed) {
  const std::int64_t value = word >> n * bits & ((1u << bits) - 1);
  return is_signed && value >> (bits - 1) ? value - (std::int64_t{1} << bits) : value;
}

std::int64_t dot(std::uint32_t a, bool sign_a, std::uint32_t b, bool sign_b, unsigned bits) {
  std::int64_t sum = 0;
  for (unsigned n = 0; n < 32 / bits; ++n) sum += field(a, n, bits, sign_a) * field(b, n, bits, sign_b);
  return sum;
}

KernelCase integer_dots() {
  const Words x = random_integers<std::uint32_t>(71, 128, 0, 0xffffffff);
  std::vector<std::int32_t> wanted;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint32_t a = x[i], b = x[i ^ 1];
    const std::int64_t c = x[i ^ 2] >> 4, most = 0x7fffffff;
    for (const std::int64_t sum :
         {dot(a, true, b, true, 8) + c, dot(a, true, b, false, 8) + c, dot(a, false, b, true, 8) + c,
          dot(a, false, b, false, 8) + c, dot(a, true, b, true, 4) + c,
          std::min(dot(a, false, b, true, 4) + 0x7fffff00, most), dot(a, false, b, false, 4) + c,
          std::min<std::int64_t>(dot(a, false, b, false, 8) + 0xffffff00, 0xffffffff)})
      wanted.push_back(static_cast<std::int32_t>(sum));
  }
  return {"integer_dots",
          "matrix",
          "integer_dots",
          {128},
          {64},
          {buffer(x), buffer(std::vector<std::int32_t>(1024))},
          equals(1, wanted)};
}

/// Values that are exact in every format, as are sums of two products.
std::vector<float> small_integers(unsigned seed, std::size_t count) {
  std::vector<float> values;
  for (const std::int32_t value : random_integers<std::int32_t>(seed, count, -5, 5))
    values.push_back(static_cast<float>(value));
  return values;
}

KernelCase float_dots() {
  const auto x = quarters(72, 256), y = small_integers(73, 256);
  std::vector<float> wanted;
  for (std::size_t i = 0; i < 128; ++i) {
    const auto sum = [&](const std::vector<float>& v) {
      return v[i * 2] * v[(i ^ 1) * 2] + v[i * 2 + 1] * v[(i ^ 1) * 2 + 1];
    };
    wanted.insert(wanted.end(), {sum(x) + 0.25f, sum(y) + 0.5f, sum(x) + 0.25f, sum(y) + 1});
  }
  return {"float_dots",
          "matrix",
          "float_dots",
          {128},
          {64},
          {buffer(halves(x)), buffer(bfloats(y)), buffer(std::vector<float>(512))},
          equals(2, wanted)};
}

/// 16 x 16: A by rows, B by rows.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, float start) {
  std::vector<float> c(256, start);
  for (std::size_t i = 0; i < 256; ++i) {
    for (std::size_t k = 0; k < 16; ++k) c[i] += a[i / 16 * 16 + k] * b[k * 16 + i % 16];
  }
  return c;
}

KernelCase wmma_f32(unsigned wave) {
  const auto a = quarters(74, 256), b = quarters(75, 256), c = quarters(76, 256), d = quarters(77, 256);
  std::vector<float> wanted = product(a, b, 0);
  const std::vector<float> second = product(c, d, 0);
  wanted.insert(wanted.end(), second.begin(), second.end());
  return {"wmma_f32",
          "matrix",
          "wmma_f32",
          {wave},
          {wave},
          {buffer(halves(a)), buffer(halves(b)), buffer(bfloats(c)), buffer(bfloats(d)),
           buffer(std::vector<float>(512))},
          equals(4, wanted)};
}

KernelCase wmma_16(unsigned wave) {
  const auto a = quarters(78, 256), b = quarters(79, 256), c = quarters(80, 256), d = quarters(81, 256);
  std::vector<std::uint16_t> half_sums = halves(product(a, b, 1)), bfloat_sums = bfloats(product(c, d, 0));
  half_sums.insert(half_sums.end(), half_sums.begin(), half_sums.begin() + 256);
  bfloat_sums.insert(bfloat_sums.end(), bfloat_sums.begin(), bfloat_sums.begin() + 256);
  return {"wmma_16",
          "matrix",
          "wmma_16",
          {wave},
          {wave},
          {buffer(halves(a)), buffer(halves(b)), buffer(bfloats(c)), buffer(bfloats(d)),
           buffer(std::vector<std::uint16_t>(512)), buffer(std::vector<std::uint16_t>(512))},
          [=](const Outputs& outputs) {
            const std::string wrong = same(outputs, 4, half_sums);
            return wrong.empty() ? same(outputs, 5, bfloat_sums) : wrong;
          }};
}

KernelCase wmma_integers(unsigned wave) {
  const Words a = random_integers<std::uint32_t>(82, 64, 0, 0xffffffff),
              b = random_integers<std::uint32_t>(83, 64, 0, 0xffffffff);
  std::vector<std::int32_t> wanted;
  const struct {
    unsigned bits;
    bool sign_a, sign_b, saturates;
  } steps[6] = {{8, true, true, false}, {8, false, true, false}, {8, false, false, true},
                {4, true, true, false}, {4, true, false, false}, {4, false, false, false}};
  for (const auto& step : steps) {
    for (std::size_t i = 0; i < 256; ++i) {
      std::int64_t sum = step.saturates ? 0x7fffff00 : 0;
      for (std::size_t word = 0; word < step.bits / 2; ++word)
        sum += dot(a[i / 16 * 4 + word], step.sign_a, b[i % 16 * 4 + word], step.sign_b, step.bits);
      wanted.push_back(static_cast<std::int32_t>(std::min<std::int64_t>(sum, 0x7fffffff)));
    }
  }
  return {"wmma_integers",  "matrix", "wmma_integers",
          {wave},           {wave},   {buffer(a), buffer(b), buffer(std::vector<std::int32_t>(6 * 256))},
          equals(2, wanted)};
}

}  // namespace

std::vector<KernelCase> matrix_cases(unsigned wave) {
  return {integer_dots(), float_dots(), wmma_f32(wave), wmma_16(wave), wmma_integers(wave)};
}

}  // namespace mockgpu::test
