#include <algorithm>
#include <numeric>

#include "tests/e2e/kernel_case.h"

namespace mockgpu::test {
namespace {

/// Sum of 256 values in the order of the kernels' trees.
float tree_sum(std::vector<float> values) {
  for (std::size_t half = 128; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) values[i] += values[i + half];
  }
  return values[0];
}

KernelCase reduce_lds(std::string name, std::string file, std::string kernel, std::uint32_t n, bool with_n) {
  const std::uint32_t groups = (n + 255) / 256;
  const auto in = random_floats(11, n, -1, 1);
  std::vector<float> wanted(groups);
  for (std::uint32_t group = 0; group < groups; ++group) {
    std::vector<float> part(256);
    for (std::uint32_t i = 0; i < 256 && group * 256 + i < n; ++i) part[i] = in[group * 256 + i];
    wanted[group] = tree_sum(part);
  }
  std::vector<CaseArgument> arguments{buffer(in), buffer(std::vector<float>(groups))};
  if (with_n) arguments.push_back(scalar(n));
  return {std::move(name), std::move(file),      std::move(kernel), {groups * 256},
          {256},           std::move(arguments), equals(1, wanted)};
}

/// ds_bpermute works inside 32 lanes: the first step of a wave64 adds each value to itself.
KernelCase reduce_bpermute(unsigned wave) {
  const auto in = random_integers<std::int32_t>(12, 512, -1000000, 1000000);
  std::vector<std::int32_t> wanted(16);
  for (std::size_t first = 0; first < in.size(); first += wave) {
    const auto begin = in.begin() + static_cast<std::ptrdiff_t>(first);
    wanted[first / wave] = std::accumulate(begin, begin + 32, 0) * (wave == 64 ? 2 : 1);
  }
  return {"reduce_bpermute",
          "reduce",
          "reduce_bpermute",
          {512},
          {128},
          {buffer(in), buffer(std::vector<std::int32_t>(16))},
          equals(1, wanted)};
}

KernelCase scan_dpp() {
  const auto in = random_integers<std::int32_t>(13, 256, -1000, 1000);
  std::vector<std::int32_t> wanted(256);
  for (std::size_t row = 0; row < 256; row += 16) {
    std::partial_sum(in.begin() + static_cast<std::ptrdiff_t>(row),
                     in.begin() + static_cast<std::ptrdiff_t>(row + 16),
                     wanted.begin() + static_cast<std::ptrdiff_t>(row));
  }
  return {"scan_dpp",
          "reduce",
          "scan_dpp",
          {256},
          {64},
          {buffer(in), buffer(std::vector<std::int32_t>(256))},
          equals(1, wanted)};
}

KernelCase ballot_readlane(unsigned lanes) {
  const auto in = random_integers<std::int32_t>(14, 128, -1000, 1000);
  std::vector<std::uint64_t> ballots(128);
  std::vector<std::int32_t> firsts(128);
  for (std::size_t i = 0; i < 128; ++i) {
    const std::size_t wave = i / lanes * lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      ballots[i] |= static_cast<std::uint64_t>(in[wave + lane] > 0) << lane;
    }
    firsts[i] = in[wave] + in[wave + 3];
  }
  return {"ballot_readlane",
          "reduce",
          "ballot_readlane",
          {128},
          {64},
          {buffer(in), buffer(std::vector<std::uint64_t>(128)), buffer(std::vector<std::int32_t>(128))},
          [=](const Outputs& outputs) {
            const std::string wrong = same(outputs, 1, ballots);
            return wrong.empty() ? same(outputs, 2, firsts) : wrong;
          }};
}

KernelCase hist() {
  const std::uint32_t n = 10000;
  const auto in = random_integers<std::uint8_t>(15, n, 0, 255);
  std::vector<std::uint32_t> wanted(256, 5);
  for (const std::uint8_t value : in) ++wanted[value];
  return {"hist",           "atomics", "hist",
          {4096},           {256},     {buffer(in), buffer(std::vector<std::uint32_t>(256, 5)), scalar(n)},
          equals(1, wanted)};
}

/// The order of the work-items is free, but there must be one that explains everything.
std::string check_atomics(const Outputs& outputs, std::int32_t n) {
  const auto p = output<std::int32_t>(outputs, 0);
  const auto u = output<std::uint32_t>(outputs, 1);
  const auto q = output<std::int64_t>(outputs, 2);
  const auto old = output<std::int32_t>(outputs, 3);
  std::vector<std::int32_t> order(old.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    const auto key = [&](std::int32_t i) { return std::pair(old[static_cast<std::size_t>(i)], i); };
    return key(a) < key(b);
  });
  std::int32_t sum = 0;
  for (const std::int32_t i : order) {
    if (old[static_cast<std::size_t>(i)] != sum)
      return mismatch(3, static_cast<std::size_t>(i), old[static_cast<std::size_t>(i)], sum);
    sum += i;
  }
  std::uint32_t bits = 0;
  for (std::int32_t i = 0; i < n; ++i) bits ^= static_cast<std::uint32_t>(i);
  if (p[0] != sum) return "add: " + mismatch(0, 0, p[0], sum);
  if (p[1] != n - 1) return "max: " + mismatch(0, 1, p[1], n - 1);
  if (p[2] < 1 || p[2] > n) return "compare-exchange: no work-item stores " + std::to_string(p[2]);
  if (p[3] < 0 || p[3] >= n) return "exchange: no work-item stores " + std::to_string(p[3]);
  if (u[0] != bits) return "xor: " + mismatch(1, 0, u[0], bits);
  if (q[0] != sum) return "64-bit add: " + mismatch<std::int64_t>(2, 0, q[0], sum);
  return {};
}

KernelCase atomics() {
  const std::int32_t n = 512;
  return {"atomics",
          "atomics",
          "atomics",
          {512},
          {128},
          {buffer(std::vector<std::int32_t>{0, -1, 0, -1}), buffer(std::vector<std::uint32_t>(1)),
           buffer(std::vector<std::int64_t>(1)), buffer(std::vector<std::int32_t>(512, -1))},
          [=](const Outputs& outputs) { return check_atomics(outputs, n); }};
}

KernelCase spinlock() {
  return {"spinlock",
          "atomics",
          "spinlock",
          {1280},
          {64},
          {buffer(std::vector<std::int32_t>(1)), buffer(std::vector<std::int32_t>{100})},
          [](const Outputs& outputs) {
            const std::string wrong = same(outputs, 0, std::vector<std::int32_t>{0});
            return wrong.empty() ? same(outputs, 1, std::vector<std::int32_t>{120}) : wrong;
          }};
}

KernelCase hash_loop() {
  const std::uint32_t iterations = 100;
  std::vector<std::uint32_t> wanted(1024);
  for (std::uint32_t id = 0; id < 1024; ++id) {
    std::uint32_t x = id * 2654435761u + 1u;
    for (std::uint32_t i = 0; i < iterations; ++i) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
      x = x * 1664525u + i;
    }
    wanted[id] = x;
  }
  return {"bench_hash",     "bench", "hashloop",
          {1024},           {256},   {buffer(std::vector<std::uint32_t>(1024)), scalar(iterations)},
          equals(0, wanted)};
}

KernelCase fma_loop() {
  const std::uint32_t iterations = 100;
  const float b = 0.99f, c = 0.125f;
  std::vector<float> wanted(512);
  for (std::size_t id = 0; id < 512; ++id) {
    float a[8];
    for (std::size_t k = 0; k < 8; ++k) a[k] = static_cast<float>(id % 256 + k);
    for (std::uint32_t i = 0; i < iterations; ++i) {
      for (float& value : a) value = std::fma(value, b, c);
    }
    wanted[id] = ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
  }
  return {"bench_fma",
          "bench",
          "fmaloop",
          {512},
          {256},
          {buffer(std::vector<float>(512)), scalar(b), scalar(c), scalar(iterations)},
          equals(0, wanted)};
}

KernelCase empty() {
  return {"bench_empty",
          "bench",
          "empty",
          {256},
          {256},
          {buffer(std::vector<std::uint32_t>{42})},
          equals(0, std::vector<std::uint32_t>{42})};
}

}  // namespace

std::vector<KernelCase> group_cases(unsigned wave) {
  return {reduce_lds("reduce_lds", "reduce", "reduce_lds", 1000, true),
          reduce_lds("bench_reduce", "bench", "reduce", 2048, false),
          reduce_bpermute(wave),
          scan_dpp(),
          ballot_readlane(wave),
          hist(),
          atomics(),
          spinlock(),
          hash_loop(),
          fma_loop(),
          empty()};
}

}  // namespace mockgpu::test
