#pragma once
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/device.h"

// The kernels of tests/kernels with their launches and their results in plain C++. One table serves the tests
// through the runtime (tests/e2e) and through the command line (tests/cli).
namespace mockgpu::test {

struct CaseArgument {
  std::string type;  ///< element type as in `mockgpu run --arg`
  std::size_t count = 1;
  bool buffer = false;
  std::vector<std::byte> bytes;
};

/// The buffers after the launch, by argument; empty for values.
using Outputs = std::vector<std::vector<std::byte>>;

/// How a code object was compiled.
struct Variant {
  unsigned optimisation = 2;  ///< 0 to 3
  unsigned wave = 32;         ///< lanes of a wave: 32 or 64
};

/// In which variants a source is prebuilt (tests/kernels/build.sh).
enum class Objects : std::uint8_t { every, wave32, single };

struct KernelCase {
  std::string name;
  std::string file;  ///< in tests/kernels/gfx1100
  std::string kernel;
  runtime::Dim3 grid, block;  ///< work-items
  std::vector<CaseArgument> arguments;
  std::function<std::string(const Outputs&)> check;  ///< what is wrong, or an empty string
  Objects objects = Objects::every;
};

// vecadd.cl, vecadd_asm.s, scratch.cl, matmul.cl, the straight-line code
std::vector<KernelCase> memory_cases();
// reduce.cl, atomics.cl, bench.cl
std::vector<KernelCase> group_cases(unsigned wave);
// math.cl, dot.cl, wmma11.cl
std::vector<KernelCase> math_cases();
// portable.cl
std::vector<KernelCase> portable_cases();
// cross.cl, lds.cl
std::vector<KernelCase> lane_cases(unsigned wave);
// memory.cl, atomic_kinds.cl
std::vector<KernelCase> access_cases();
// matrix.cl
std::vector<KernelCase> matrix_cases(unsigned wave);
// formats.cl
std::vector<KernelCase> format_cases();

/// All of them, with the results of waves of `wave` lanes; without those that such waves cannot run.
std::vector<KernelCase> kernel_cases(unsigned wave = 32);

/// The path of a prebuilt code object.
std::string kernel_path(const KernelCase& kernel_case, const Variant& variant = {});

template <typename T>
std::string element_name() {
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? "f32" : "f64";
  return fmt::format("{}{}", std::is_signed_v<T> ? "i" : "u", sizeof(T) * 8);
}

template <typename T>
CaseArgument buffer(const std::vector<T>& values) {
  CaseArgument argument{element_name<T>(), values.size(), true,
                        std::vector<std::byte>(values.size() * sizeof(T))};
  std::memcpy(argument.bytes.data(), values.data(), argument.bytes.size());
  return argument;
}

template <typename T>
CaseArgument scalar(T value) {
  CaseArgument argument = buffer(std::vector<T>{value});
  argument.buffer = false;
  return argument;
}

template <typename T>
std::vector<T> output(const Outputs& outputs, unsigned argument) {
  std::vector<T> values(outputs.at(argument).size() / sizeof(T));
  std::memcpy(values.data(), outputs[argument].data(), values.size() * sizeof(T));
  return values;
}

template <typename T>
std::string mismatch(unsigned argument, std::size_t index, T got, T wanted) {
  return fmt::format("argument {}, element {}: got {}, expected {}", argument, index, got, wanted);
}

/// Bit for bit.
template <typename T>
std::string same(const Outputs& outputs, unsigned argument, const std::vector<T>& wanted) {
  const std::vector<T> got = output<T>(outputs, argument);
  if (got.size() != wanted.size()) return fmt::format("argument {} has another size", argument);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::memcmp(&got[i], &wanted[i], sizeof(T)) != 0) return mismatch(argument, i, got[i], wanted[i]);
  }
  return {};
}

/// A check that an argument equals `wanted` bit for bit.
template <typename T>
std::function<std::string(const Outputs&)> equals(unsigned argument, std::vector<T> wanted) {
  return [=](const Outputs& outputs) { return same(outputs, argument, wanted); };
}

/// Inputs: the same on every run and host.
template <typename T>
std::vector<T> random_integers(unsigned seed, std::size_t count, T low, T high) {
  std::mt19937_64 engine(seed);
  std::vector<T> values(count);
  const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  // A span of 0 is all of 64 bits.
  for (T& value : values)
    value = static_cast<T>(static_cast<std::uint64_t>(low) + (span ? engine() % span : engine()));
  return values;
}

inline std::vector<float> random_floats(unsigned seed, std::size_t count, float low, float high) {
  std::mt19937_64 engine(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    value = low + (high - low) * std::ldexp(static_cast<float>(engine() >> 40), -24);
  }
  return values;
}

}  // namespace mockgpu::test
