// portable.cl: its bodies compiled for the host give the references.
#include "tests/e2e/kernel_case.h"
#include "tests/kernels/source/portable.h"

namespace mockgpu::test {
namespace portable {
#include "tests/kernels/source/control.inc"
#include "tests/kernels/source/floats.inc"
#include "tests/kernels/source/integers.inc"
}  // namespace portable

namespace {

/// Work-items of every case: several groups, the last one partial.
constexpr std::uint32_t kItems = 500;

template <typename In, typename Out>
KernelCase portable_case(std::string name, const std::vector<In>& in, std::size_t results,
                         void (*body)(uint, const In*, Out*)) {
  const std::vector<Out> out(kItems * results, static_cast<Out>(0xabababababababab));
  std::vector<Out> wanted = out;
  for (uint i = 0; i < kItems; ++i) body(i, in.data(), wanted.data());
  return {"portable_" + name, "portable", name, {kItems}, {96}, {buffer(in), buffer(out)}, equals(1, wanted)};
}

/// Bits of all kinds: any, small, few bits set.
template <typename T>
std::vector<T> bits(unsigned seed) {
  std::vector<T> values = random_integers<T>(seed, kItems + 4, 0, static_cast<T>(~T{0}));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 5 == 1) values[i] >>= values[i] % (sizeof(T) * 8);
    if (i % 7 == 3) values[i] &= values[i] << 9;
    if (i % 31 == 5) values[i] = i % 2 ? T{0} : static_cast<T>(~T{0});
  }
  return values;
}

/// Bits of floats: `mantissa` bits in the mantissa; a third of ordinary size, the rest anything; specials.
template <typename T>
std::vector<T> float_bits(unsigned seed, unsigned mantissa) {
  constexpr unsigned kBits = sizeof(T) * 8;
  const T sign = T{1} << (kBits - 1), infinity = sign - (T{1} << mantissa), one = infinity / 2 & infinity;
  const T specials[] = {0,
                        1,
                        (T{1} << mantissa) - 1,
                        T{1} << mantissa,
                        one,
                        one + 1,
                        one - 1,
                        infinity,
                        infinity - 1,
                        infinity + (T{1} << (mantissa - 1)),
                        one + (T{1} << (mantissa - 1))};
  std::vector<T> values = random_integers<T>(seed, kItems + 4, 0, static_cast<T>(~T{0}));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T random = values[i];
    if (i % 3 == 0) values[i] = (random & (sign | ((T{1} << (mantissa + 3)) - 1))) + one - (T{3} << mantissa);
    if (i % 5 == 0) values[i] = specials[random % std::size(specials)] | (random & sign);
    if (i % 16 == 7) values[i] = random & (sign | ((T{1} << mantissa) - 1));
  }
  return values;
}

}  // namespace

std::vector<KernelCase> portable_cases() {
  using namespace portable;
  const auto x = bits<std::uint32_t>(51);
  const auto x64 = bits<ulong>(52);
  const auto f = float_bits<std::uint32_t>(53, 23);
  const auto d = float_bits<ulong>(54, 52);
  return {portable_case("integer8", x, 8, integer8_body),
          portable_case("integer16", x, 8, integer16_body),
          portable_case("integer32", x, 12, integer32_body),
          portable_case("integer64", x64, 10, integer64_body),
          portable_case("float_arithmetic", f, 8, float_arithmetic_body),
          portable_case("double_arithmetic", d, 7, double_arithmetic_body),
          portable_case("rounding", f, 7, rounding_body),
          portable_case("double_rounding", d, 5, double_rounding_body),
          portable_case("from_int", x64, 7, from_int_body),
          portable_case("to_int", x, 8, to_int_body),
          portable_case("nested", x, 1, nested_body),
          portable_case("collatz", x, 1, collatz_body),
          portable_case("recursion", x, 1, recursion_body),
          portable_case("pointers", x, 1, pointers_body),
          portable_case("sort", x, 3, sort_body)};
}

}  // namespace mockgpu::test
