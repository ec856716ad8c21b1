#include "tests/e2e/kernel_case.h"

namespace mockgpu::test {
namespace {

/// c[i] = a[i] + b[i] for i < n, over a grid that need not fit n.
KernelCase add_case(std::string name, std::string file, std::string kernel, std::uint32_t n,
                    std::uint32_t grid, std::uint32_t block, bool with_n = true) {
  const auto a = random_floats(1, n, -100, 100), b = random_floats(2, n, -1, 1);
  std::vector<float> c(n + 8, -7.0f), wanted = c;
  for (std::uint32_t i = 0; i < n; ++i) wanted[i] = a[i] + b[i];
  std::vector<CaseArgument> arguments{buffer(a), buffer(b), buffer(c)};
  if (with_n) arguments.push_back(scalar(n));
  return {std::move(name), std::move(file),      std::move(kernel), {grid},
          {block},         std::move(arguments), equals(2, wanted)};
}

KernelCase saxpy4() {
  const std::uint32_t n4 = 300;
  const float factor = 1.7f;
  const auto x = random_floats(3, n4 * 4, -10, 10), y = random_floats(4, n4 * 4, -10, 10);
  std::vector<float> wanted(y.size());
  // The compiler contracts a*x+y into a fused multiply-add.
  for (std::size_t i = 0; i < y.size(); ++i) wanted[i] = std::fma(factor, x[i], y[i]);
  return {
      "saxpy4",         "vecadd", "saxpy4", {512}, {64}, {buffer(x), buffer(y), scalar(factor), scalar(n4)},
      equals(1, wanted)};
}

KernelCase strided() {
  const std::uint32_t n = 2000, stride = 256;
  const auto source = random_integers<std::uint8_t>(5, n, 0, 255);
  std::vector<std::uint16_t> wanted(n);
  for (std::uint32_t i = 0; i < n; ++i) wanted[i] = static_cast<std::uint16_t>((source[i] * 257u) ^ i);
  return {"strided",
          "vecadd",
          "strided",
          {stride},
          {128},
          {buffer(source), buffer(std::vector<std::uint16_t>(n)), scalar(n), scalar(stride)},
          equals(1, wanted)};
}

KernelCase scratch() {
  const std::uint32_t n = 512;
  const auto in = random_integers<std::int32_t>(6, n, 0, 1000);
  std::vector<std::int32_t> wanted(n);
  for (std::uint32_t g = 0; g < n; ++g) {
    std::int32_t a[48];
    for (std::uint32_t i = 0; i < 48; ++i) a[i] = in[(g + i) % n];
    std::int32_t s = 0;
    for (std::int32_t i = 0; i < (in[g] & 63); ++i) {
      const std::int32_t k = a[(i * 7) % 48] & 31;
      a[k] += i;
      s += a[k];
    }
    switch (s & 3) {
      case 0: s = -s; break;
      case 1: s = s * 3; break;
      case 2: s ^= 0x55; break;
      default: s >>= 1;
    }
    wanted[g] = s;
  }
  return {"scratch",
          "scratch",
          "scratch",
          {n},
          {128},
          {buffer(in), buffer(std::vector<std::int32_t>(n)), scalar(n)},
          equals(1, wanted)};
}

KernelCase calls() {
  std::vector<std::int32_t> wanted(200);
  for (std::int32_t i = 0; i < 200; ++i)
    wanted[static_cast<std::size_t>(i)] = i < 2 ? i : i + (i & 1 ? 3 : 5);
  return {"calls",          "scratch", "calls", {200}, {100}, {buffer(std::vector<std::int32_t>(200))},
          equals(0, wanted)};
}

/// C = A * B, accumulated with fused multiply-adds in order of k.
std::vector<float> multiply(const std::vector<float>& a, const std::vector<float>& b, std::uint32_t n) {
  std::vector<float> c(n * n);
  for (std::uint32_t row = 0; row < n; ++row) {
    for (std::uint32_t column = 0; column < n; ++column) {
      float sum = 0;
      for (std::uint32_t k = 0; k < n; ++k) sum = std::fma(a[row * n + k], b[k * n + column], sum);
      c[row * n + column] = sum;
    }
  }
  return c;
}

KernelCase matmul(std::string name, std::string file, std::string kernel, std::uint32_t n,
                  std::uint32_t grid) {
  const auto a = random_floats(7, n * n, -1, 1), b = random_floats(8, n * n, -1, 1);
  return {std::move(name),
          std::move(file),
          std::move(kernel),
          {grid, grid},
          {16, 16},
          {buffer(a), buffer(b), buffer(std::vector<float>(n * n)), scalar(n)},
          equals(2, multiply(a, b, n))};
}

/// Random vector code, as long as the benchmark's. There is no C++ for it: the tests compare its results
/// between machines; here only that every work-item wrote something.
KernelCase straight(std::string name) {
  const auto written = [](const Outputs& outputs) {
    const auto values = output<std::uint32_t>(outputs, 0);
    std::size_t same_as_before = 0;
    for (const std::uint32_t value : values) same_as_before += value == 0xdeadbeef;
    return same_as_before ? std::to_string(same_as_before) + " work-items wrote nothing" : std::string();
  };
  return {name,   name,  name,
          {512},  {256}, {buffer(std::vector<std::uint32_t>(512, 0xdeadbeef)), scalar(std::uint32_t{2})},
          written};
}

}  // namespace

std::vector<KernelCase> memory_cases() {
  std::vector<KernelCase> cases{add_case("vecadd", "vecadd", "vecadd", 4096, 4096, 256),
                                add_case("vecadd_partial_group", "vecadd", "vecadd", 1000, 1000, 256),
                                add_case("vecadd_large_grid", "vecadd", "vecadd", 77, 640, 64),
                                add_case("vecadd_object_v4", "vecadd_v4", "vecadd", 500, 512, 128),
                                add_case("vecadd_object_v6", "vecadd_v6", "vecadd", 500, 512, 128),
                                add_case("vecadd_asm", "vecadd_asm", "vadd", 1000, 1024, 64),
                                add_case("bench_vecadd", "bench", "vecadd", 1024, 1024, 256, false),
                                saxpy4(),
                                strided(),
                                scratch(),
                                calls(),
                                matmul("matmul32", "matmul", "matmul32", 64, 32),
                                matmul("matmul_naive", "matmul", "matmul_naive", 48, 48),
                                matmul("bench_sgemm", "bench", "sgemm", 32, 32),
                                straight("straight_200"),
                                straight("straight_65536")};
  for (KernelCase& one : cases) {
    const bool plain =
        one.file == "vecadd" || one.file == "scratch" || one.file == "matmul" || one.file == "bench";
    if (!plain) one.objects = Objects::single;
  }
  return cases;
}

}  // namespace mockgpu::test
