#include "tests/e2e/formats.h"
#include "tests/e2e/kernel_case.h"

namespace mockgpu::test {
namespace {

/// Distance from the exact result in units of the last place of f32 at that result.
long double ulps(float got, long double exact) {
  const int exponent = exact == 0 ? -126 : std::max(std::ilogb(exact), -126);
  return std::fabs(static_cast<long double>(got) - exact) / std::ldexp(1.0L, exponent - 23);
}

std::string check_math(const Outputs& outputs, const std::vector<float>& x) {
  const auto o = output<float>(outputs, 1);
  const long double two_pi = 6.283185307179586476925286766559L;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float v = x[i];
    const float turns = v * 0.15915494f;
    const long double fraction = turns - std::floor(turns);
    const struct {
      const char* name;
      long double exact;
      long double bound;  // ulp; two approximate instructions make one result of the last
    } results[8] = {{"exp2", std::exp2(static_cast<long double>(v * 1.44269504f)), 1},
                    {"log2", std::log2(static_cast<long double>(v)), 1},
                    {"sin", std::sin(two_pi * fraction), 1},
                    {"cos", std::cos(two_pi * fraction), 1},
                    {"rcp", 1.0L / v, 1},
                    {"rsq", 1.0L / std::sqrt(static_cast<long double>(v)), 1},
                    {"sqrt", std::sqrt(static_cast<long double>(v)), 1},
                    {"division", static_cast<long double>(std::fma(v, v, 1.0f)) / (v + 3.0f), 2.5L}};
    for (std::size_t k = 0; k < 8; ++k) {
      const long double distance = ulps(o[i * 8 + k], results[k].exact);
      if (!(distance <= results[k].bound)) {
        return std::string(results[k].name) + "(" + std::to_string(v) +
               ") = " + std::to_string(o[i * 8 + k]) + " is " + std::to_string(distance) + " ulp from " +
               std::to_string(results[k].exact);
      }
    }
  }
  return {};
}

KernelCase math_hw() {
  const std::uint32_t n = 500;
  const auto x = random_floats(21, n, 0.01f, 50);
  return {"math_hw",
          "math",
          "math_hw",
          {512},
          {64},
          {buffer(x), buffer(std::vector<float>(n * 8)), scalar(n)},
          [=](const Outputs& outputs) { return check_math(outputs, x); }};
}

KernelCase math_int() {
  const std::uint32_t n = 256;
  auto x = random_integers<std::int32_t>(22, n, -1000000000, 1000000000);
  for (std::size_t i = 0; i < n; i += 3) x[i] %= 1000;  // quotients of all sizes
  std::vector<std::int32_t> wanted(n * 8);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t a = x[i], b = x[i ^ 1] | 1;
    const auto ua = static_cast<std::uint32_t>(a), ub = static_cast<std::uint32_t>(b);
    const auto bits = [](std::uint32_t value, bool trailing) {
      int count = 0;
      while (count < 32 && !(trailing ? value >> count & 1 : value << count >> 31)) ++count;
      return count;
    };
    std::int32_t ones = 0;
    for (int bit = 0; bit < 32; ++bit) ones += ua >> bit & 1;
    const std::int64_t m = std::int64_t{a} * b;
    std::int32_t* o = &wanted[i * 8];
    o[0] = a / b;
    o[1] = a % b;
    o[2] = static_cast<std::int32_t>(ua / ub);
    o[3] = ones + bits(ua | 1, false) + bits(ua | 8, true);
    o[4] = static_cast<std::int32_t>(m >> 32);
    o[5] = static_cast<std::int32_t>(m / (std::int64_t{b} + 7));
    o[6] = static_cast<std::int32_t>(ua << (ub & 31) ^ static_cast<std::uint32_t>(a >> (ub & 31)) ^
                                     ua >> (ub & 31));
    // v_perm_b32 with selector bytes 0, 4, 1, 5: the low halves of b and a, byte by byte.
    o[7] = static_cast<std::int32_t>((ub & 0xff) | (ua & 0xff) << 8 | (ub >> 8 & 0xff) << 16 |
                                     (ua >> 8 & 0xff) << 24);
  }
  return {"math_int",
          "math",
          "math_int",
          {n},
          {128},
          {buffer(x), buffer(std::vector<std::int32_t>(n * 8)), scalar(n)},
          equals(1, wanted)};
}

KernelCase math_f64() {
  const std::uint32_t n = 300;
  std::vector<double> x(n), wanted(n);
  std::mt19937_64 engine(23);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = std::ldexp(static_cast<double>(engine() >> 11), static_cast<int>(engine() % 40) - 72);
    // Division and square root are expanded to sequences that round correctly; the first sum is contracted.
    wanted[i] = std::fma(x[i], x[i], 1.0 / x[i]) - std::sqrt(x[i]);
  }
  return {"math_f64",
          "math",
          "math_f64",
          {320},
          {64},
          {buffer(x), buffer(std::vector<double>(n)), scalar(n)},
          equals(1, wanted)};
}

KernelCase math_f16() {
  const std::uint32_t n = 256;
  std::vector<std::uint16_t> x(n), wanted(n);
  std::mt19937_64 engine(24);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = half(std::ldexp(static_cast<double>(engine() % 4096) - 2048, -7));
    const double v = from_half(x[i]), w = round_half(v + 1);
    // Each product and sum of an fma fits a double exactly: it is rounded once.
    wanted[i] = half(round_half(v * v + 0.5) + round_half(w * w + 2.0));
  }
  return {"math_f16",
          "math",
          "math_f16",
          {n},
          {64},
          {buffer(x), buffer(std::vector<std::uint16_t>(n)), scalar(n)},
          equals(1, wanted)};
}

KernelCase dots() {
  const std::size_t n = 128;
  const auto a = quarters(25, n * 2), b = quarters(26, n * 2), start = quarters(27, n);
  const auto u = random_integers<std::uint32_t>(28, n, 0, 0xffffffff);
  const auto v = random_integers<std::uint32_t>(29, n, 0, 0xffffffff);
  const auto r = random_integers<std::uint32_t>(30, n, 0, 0xffffffff);
  std::vector<float> f(n);
  std::vector<std::uint32_t> wanted = r;
  for (std::size_t i = 0; i < n; ++i) {
    f[i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1] + start[i];
    for (int byte = 0; byte < 32; byte += 8) wanted[i] += (u[i] >> byte & 0xff) * (v[i] >> byte & 0xff);
  }
  return {"dots",
          "dot",
          "dots",
          {128},
          {64},
          {buffer(halves(a)), buffer(halves(b)), buffer(start), buffer(u), buffer(v), buffer(r)},
          [=](const Outputs& outputs) {
            const std::string wrong = same(outputs, 2, f);
            return wrong.empty() ? same(outputs, 5, wanted) : wrong;
          }};
}

/// 16 x 16 x 16: C[i][j] = sum of A[i][k] * B[k][j].
std::vector<float> product16(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> c(256);
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 16; ++j) {
      for (std::size_t k = 0; k < 16; ++k) c[i * 16 + j] += a[i * 16 + k] * b[k * 16 + j];
    }
  }
  return c;
}

KernelCase wmma_f16() {
  const auto a = quarters(31, 256), b = quarters(32, 256);
  return {"wmma_f16",
          "wmma11",
          "wmma_f16",
          {32},
          {32},
          {buffer(halves(a)), buffer(halves(b)), buffer(std::vector<float>(256))},
          equals(2, product16(a, b))};
}

KernelCase wmma_bf16() {
  const auto a = quarters(33, 256), b = quarters(34, 256);
  std::vector<std::uint16_t> a_bits, b_bits;
  for (const float value : a) a_bits.push_back(bfloat(value));
  for (const float value : b) b_bits.push_back(bfloat(value));
  return {"wmma_bf16",
          "wmma11",
          "wmma_bf16",
          {32},
          {32},
          {buffer(a_bits), buffer(b_bits), buffer(std::vector<float>(256))},
          equals(2, product16(a, b))};
}

KernelCase wmma_iu8() {
  // Lane l holds row l % 16 of A and column l % 16 of B; both halves of the wave hold the same.
  auto a = random_integers<std::int8_t>(35, 512, -128, 127),
       b = random_integers<std::int8_t>(36, 512, -128, 127);
  std::copy_n(a.begin(), 256, a.begin() + 256);
  std::copy_n(b.begin(), 256, b.begin() + 256);
  const auto c = random_integers<std::int32_t>(37, 256, -1000000, 1000000);
  std::vector<std::int32_t> wanted = c;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    for (std::size_t element = 0; element < 8; ++element) {
      const std::size_t row = 2 * element + lane / 16, column = lane % 16;
      for (std::size_t k = 0; k < 16; ++k) wanted[lane * 8 + element] += a[row * 16 + k] * b[column * 16 + k];
    }
  }
  return {"wmma_iu8", "wmma11", "wmma_iu8", {32}, {32}, {buffer(a), buffer(b), buffer(c)}, equals(2, wanted)};
}

KernelCase wmma_loop() {
  const auto a = quarters(38, 256);
  // The kernel's B is A read by columns: b[k][l] = A[k * 16 + l].
  const std::vector<float> c = product16(a, a);
  const std::uint32_t iterations = 3;
  std::vector<float> wanted(256 * 8);
  for (std::size_t item = 0; item < 256; ++item) {
    for (std::size_t element = 0; element < 8; ++element) {
      const std::size_t row = 2 * element + item / 16 % 2, column = item % 16;
      wanted[item * 8 + element] = 4 * iterations * c[row * 16 + column] + 6;
    }
  }
  return {"wmma_loop",
          "wmma_loop",
          "wmmaloop",
          {256},
          {256},
          {buffer(halves(a)), buffer(std::vector<float>(256 * 8)), scalar(iterations)},
          equals(1, wanted)};
}

}  // namespace

std::vector<KernelCase> math_cases() {
  std::vector<KernelCase> cases{math_hw(),  math_int(),  math_f64(), math_f16(), dots(),
                                wmma_f16(), wmma_bf16(), wmma_iu8(), wmma_loop()};
  for (KernelCase& one : cases) {
    if (one.file != "math" && one.file != "dot") one.objects = Objects::wave32;
  }
  return cases;
}

}  // namespace mockgpu::test
