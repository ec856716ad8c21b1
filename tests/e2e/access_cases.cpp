// memory.cl and atomic_kinds.cl.
#include <algorithm>
#include <numeric>

#include "tests/e2e/kernel_case.h"

namespace mockgpu::test {
namespace {

using Words = std::vector<std::uint32_t>;
using Longs = std::vector<std::uint64_t>;
using Bytes = std::vector<std::uint8_t>;

KernelCase flat() {
  const Words x = random_integers<std::uint32_t>(91, 256, 0, 0xffffffff);
  Words wanted;
  for (const std::uint32_t a : x) {
    std::uint32_t p[4] = {a, a + 1, a + 2, a + 3};
    for (unsigned k = 0; k < 8; ++k) p[a >> k & 3] += p[k & 3] ^ k;
    const auto byte = static_cast<std::uint8_t>(a * 29);
    std::memcpy(reinterpret_cast<char*>(p) + (a & 7), &byte, 1);
    std::uint64_t wide;
    std::memcpy(&wide, p + 2, 8);
    wide += 0x100000003;
    std::memcpy(p + 2, &wide, 8);
    if (a % 3 != 1) p[a & 3] += 9;
    wanted.insert(wanted.end(), p, p + 4);
  }
  return {"flat", "memory", "flat", {256}, {64}, {buffer(x), buffer(Words(1024))}, equals(1, wanted)};
}

template <typename T>
T peek(const Bytes& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, &bytes[at], sizeof value);
  return value;
}

template <typename T>
void poke(Bytes& bytes, std::size_t at, T value) {
  std::memcpy(&bytes[at], &value, sizeof value);
}

KernelCase widths() {
  const Bytes x = random_integers<std::uint8_t>(92, 128 * 64, 0, 255);
  const Bytes start(x.size(), 0xee);
  Bytes o = start;
  for (std::size_t at = 0; at < x.size(); at += 64) {
    o[at] = static_cast<std::uint8_t>(x[at] + 1);
    poke(o, at + 2, static_cast<std::int16_t>(static_cast<std::int8_t>(x[at + 1]) * 3));
    poke(o, at + 4, peek<std::uint16_t>(x, at + 2) + peek<std::uint32_t>(x, at + 4));
    poke(o, at + 8,
         peek<std::uint64_t>(x, at + 8) ^
             static_cast<std::uint64_t>(std::int64_t{peek<std::int16_t>(x, at + 12)}));
    for (std::size_t word = 0; word < 4; ++word)
      poke(o, at + 16 + word * 4, peek<std::uint32_t>(x, at + 28 - word * 4));
    for (std::size_t word = 0; word < 3; ++word)
      poke(o, at + 32 + word * 4, peek<std::uint32_t>(x, at + 32 + (word + 2) % 3 * 4));
    poke(o, at + 45, peek<std::uint16_t>(x, at + 47));
    poke(o, at + 49, peek<std::uint32_t>(x, at + 51));
    poke(o, at + 55, peek<std::uint64_t>(x, at + 53));
  }
  return {"widths", "memory", "widths", {128}, {64}, {buffer(x), buffer(start)}, equals(1, o)};
}

KernelCase buffers() {
  const Words x = random_integers<std::uint32_t>(93, 256, 0, 0xffffffff);
  Bytes bytes(256);
  std::memcpy(bytes.data(), x.data(), 256);
  const auto word = [&](std::size_t at) { return at + 4 <= 256 ? peek<std::uint32_t>(bytes, at) : 0; };
  const Words start(1024 + 512, 0xeeeeeeee);
  Words o = start;
  for (std::uint32_t i = 0; i < 256; ++i) {
    const std::uint32_t byte = i + 8 < 256 ? bytes[i + 8] : 0;
    const std::uint32_t half = i * 2 + 4 < 256 ? peek<std::uint16_t>(bytes, i * 2 + 4) : 0;
    o[i * 4] = word(i * 4) + 3 * byte + 5 * half;
    o[i * 4 + 1] = word(i * 8) + 3 * word(i * 8 + 4);
    o[i * 4 + 2] = word(i * 16) + 3 * word(i * 16 + 4) + 5 * word(i * 16 + 8);
    o[i * 4 + 3] = o[i * 4 + 2] + 7 * word(i * 16 + 12);
    if (i >= 128) continue;
    o[1024 + i] = i * 17;
    o[1152 + i] = 0xeeee00ee | i << 8;
    o[1280 + i] = 0xeeee | i * 3 << 16;
  }
  return {"buffers", "memory", "buffers", {256}, {64}, {buffer(x), buffer(start)}, equals(1, o)};
}

KernelCase records() {
  const Words x = random_integers<std::uint32_t>(94, 64, 0, 0xffffffff);
  Bytes bytes(256);
  std::memcpy(bytes.data(), x.data(), 256);
  Words o(64 * 4);
  for (std::uint32_t i = 0; i < 20; ++i) {
    for (std::uint32_t word = 0; word < 3; ++word) o[i * 4 + word] = x[i * 3 + word];
    if ((i & 7) < 6) o[i * 4 + 3] = peek<std::uint16_t>(bytes, i * 12 + (i & 7) * 2);
  }
  return {"records", "memory", "records", {64}, {64}, {buffer(x), buffer(Words(64 * 4, 7))}, equals(1, o)};
}

/// What the kernel's order decides: the value that an exchange left, and so the sum of those it took away.
template <typename T>
std::string check_exchange(std::vector<T>& s, std::size_t at, T sum) {
  if (static_cast<T>(s[at] + s[at + 1]) != sum)
    return fmt::format("exchange: {} was left and {} taken away", s[at], s[at + 1]);
  s[at] = s[at + 1] = 0;
  return {};
}

KernelCase atomics32() {
  const auto x = random_integers<std::int32_t>(95, 256, -10000000, 10000000);
  Words start(64 + 256);
  start[2] = start[7] = ~0u;
  Words s = start;
  std::uint32_t sum = 0;
  std::int32_t least = 0, most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto u = static_cast<std::uint32_t>(x[i]);
    sum += u;
    s[1] -= u;
    s[2] &= u | 0xff0000ff;
    s[3] |= u & 0x0f0f0f0f;
    s[4] ^= u;
    s[7] = std::min(s[7], u);
    s[8] = std::max(s[8], u);
    s[11] += s[9];
    s[9] = s[9] >= 40 ? 0 : s[9] + 1;
    s[10] = s[10] == 0 || s[10] > 40 ? 40 : s[10] - 1;
    least = std::min(least, x[i]);
    most = std::max(most, x[i]);
    ++s[32 + i / 64];
    s[64 + i] = u;
  }
  s[0] = s[14] = sum;
  s[5] = static_cast<std::uint32_t>(least);
  s[6] = static_cast<std::uint32_t>(most);
  s[15] = 99;
  const std::vector<float> f{64, 256, static_cast<float>(least), static_cast<float>(most), 255 * 128};
  return {"atomics32",
          "atomic_kinds",
          "atomics32",
          {256},
          {64},
          {buffer(start), buffer(x), buffer(std::vector<float>{0, 0, 1e9f, -1e9f, 0})},
          [=](const Outputs& outputs) {
            Words got = output<std::uint32_t>(outputs, 0);
            std::string wrong = check_exchange(got, 12, sum);
            for (std::size_t i = 0; wrong.empty() && i < s.size(); ++i) {
              if (got[i] != s[i]) wrong = mismatch(0, i, got[i], s[i]);
            }
            return wrong.empty() ? same(outputs, 2, f) : wrong;
          }};
}

KernelCase atomics64() {
  const auto x = random_integers<std::int32_t>(96, 256, -2000000000, 2000000000);
  Longs start(13);
  start[2] = start[7] = ~std::uint64_t{0};
  Longs s = start;
  std::uint64_t sum = 0;
  std::int64_t least = 0, most = 0, exact = 0;
  for (const std::int32_t value : x) {
    const std::int64_t a = std::int64_t{value} * 0x10001;
    const auto u = static_cast<std::uint64_t>(a);
    sum += u;
    exact += a;
    s[1] -= u;
    s[2] &= u | 0xff0000ff00ff;
    s[3] |= u & 0x0f0f0f0f0f0f0f0f;
    s[4] ^= u;
    s[7] = std::min(s[7], u);
    s[8] = std::max(s[8], u);
    least = std::min(least, a);
    most = std::max(most, a);
  }
  s[0] = s[11] = sum;
  s[5] = static_cast<std::uint64_t>(least);
  s[6] = static_cast<std::uint64_t>(most);
  const auto total = static_cast<double>(exact);
  std::memcpy(&s[12], &total, 8);
  return {"atomics64",
          "atomic_kinds",
          "atomics64",
          {256},
          {64},
          {buffer(start), buffer(x)},
          [=](const Outputs& outputs) {
            Longs got = output<std::uint64_t>(outputs, 0);
            std::string wrong = check_exchange(got, 9, sum);
            for (std::size_t i = 0; wrong.empty() && i < s.size(); ++i) {
              if (got[i] != s[i]) wrong = mismatch(0, i, got[i], s[i]);
            }
            return wrong;
          }};
}

}  // namespace

std::vector<KernelCase> access_cases() {
  return {flat(), widths(), buffers(), records(), atomics32(), atomics64()};
}

}  // namespace mockgpu::test
