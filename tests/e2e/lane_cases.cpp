// cross.cl and lds.cl: what work-items see of each other.
#include <algorithm>

#include "tests/e2e/kernel_case.h"

namespace mockgpu::test {
namespace {

using Words = std::vector<std::uint32_t>;
using Longs = std::vector<std::uint64_t>;

Words any_words(unsigned seed, std::size_t count) {
  return random_integers<std::uint32_t>(seed, count, 0, 0xffffffff);
}

/// The lane that lane `i` reads under a DPP control (RDNA3 manual), or -1 where nothing comes in.
int dpp_source(unsigned control, int i) {
  const int row = i & ~15, at = i & 15, n = static_cast<int>(control & 15);
  if (control < 0x100) return (i & ~3) | static_cast<int>(control >> (i & 3) * 2 & 3);
  switch (control & 0x1f0) {
    case 0x100: return at + n < 16 ? i + n : -1;
    case 0x110: return at - n >= 0 ? i - n : -1;
    case 0x120: return row | ((at - n) & 15);
    case 0x140: return n == 0 ? row | (15 - at) : (i & ~7) | (7 - (i & 7));
    case 0x150: return row | n;
    default: return row | (at ^ n);
  }
}

KernelCase dpp(unsigned wave) {
  const Words x = any_words(61, 256);
  struct Step {
    unsigned control, rows, banks;
    bool keeps_x;  ///< the old value is the work-item's own
    std::uint32_t old;
    bool zero;
  };
  const Step steps[12] = {
      {0x1b, 15, 15, false, 7, true},  {0x103, 15, 15, false, 7, true}, {0x105, 15, 15, false, 7, false},
      {0x11f, 15, 15, false, 7, true}, {0x112, 15, 15, true, 0, false}, {0x124, 15, 15, false, 7, true},
      {0x140, 15, 15, false, 7, true}, {0x141, 15, 15, false, 7, true}, {0x15a, 15, 15, false, 7, true},
      {0x167, 15, 15, false, 7, true}, {0x1b, 2, 15, false, 9, false},  {0x1b, 15, 6, false, 9, false}};
  Words wanted;
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    const std::uint32_t first = i / wave * wave;
    const int lane = static_cast<int>(i % wave);
    const auto at = [&](int source) { return x[first + static_cast<std::uint32_t>(source)]; };
    for (const Step& step : steps) {
      const int source = dpp_source(step.control, lane);
      const bool enabled = (step.rows >> lane / 16 & 1) && (step.banks >> lane % 16 / 4 & 1);
      const std::uint32_t old = step.keeps_x ? x[i] : step.old;
      wanted.push_back(!enabled ? old : source >= 0 ? at(source) : step.zero ? 0 : old);
    }
    wanted.push_back(at((lane & ~7) | ((lane + 1) & 7)));
    wanted.push_back(x[i] + (lane % 16 ? at(lane - 1) : 0));
    wanted.push_back(x[i] & 1 ? (at(lane ^ 1) & 1 ? at(lane ^ 1) : 0) : 1);
  }
  return {"dpp", "cross", "dpp", {256}, {128}, {buffer(x), buffer(Words(wanted.size()))}, equals(1, wanted)};
}

KernelCase permutes(unsigned wave) {
  const Words x = any_words(62, 256);
  Words wanted(x.size() * 8);
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    // All of these work inside 32 lanes, in wave64 too.
    const std::uint32_t half = i & ~31u, lane = i & 31, row = i & ~15u, in_row = i & 15, number = i % wave;
    const auto nibble = [&](std::uint32_t low, std::uint32_t high) {
      return (in_row < 8 ? low : high) >> in_row % 8 * 4 & 15;
    };
    std::uint32_t* o = &wanted[i * 8];
    o[0] = x[row + nibble(0x76543210, 0x89abcdef)];
    o[1] = x[(row ^ 16) + nibble(0x01234567, 0xfedcba98)];
    o[2] = x[half + (number * 5 + 3) % 32];
    wanted[(half + (number * 5 + 3) % 32) * 8 + 3] = x[i];
    o[4] = x[half + (lane ^ 1)];
    o[5] = x[half + (((lane & 24) | 2) ^ 3)];
    o[6] = x[(i & ~3u) + 3 - i % 4];
    o[7] = lane & 2 ? x[i ^ 1] : 0xffffffff;
  }
  return {"permutes",       "cross", "permutes", {256}, {64}, {buffer(x), buffer(Words(wanted.size()))},
          equals(1, wanted)};
}

std::uint64_t loop_over_values(const std::uint32_t* lanes, unsigned wave, std::uint32_t lane) {
  std::uint64_t rounds = 0, done = 0;
  for (unsigned i = 0; i < wave; ++i) {
    const std::uint32_t first = lanes[i] % 5;
    if (done >> first & 1) continue;
    done |= std::uint64_t{1} << first;
    rounds = rounds * 8 + first + 1;
    if (first == lanes[lane] % 5) break;
  }
  return rounds;
}

KernelCase ballots(unsigned wave) {
  const Words x = any_words(63, 256);
  Longs wanted;
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    const std::uint32_t* lanes = &x[i / wave * wave];
    const std::uint32_t lane = i % wave;
    std::uint64_t ones = 0, inner = 0;
    for (unsigned k = 0; k < wave; ++k) {
      ones |= static_cast<std::uint64_t>((lanes[k] & 3) == 1) << k;
      inner |= static_cast<std::uint64_t>((lanes[k] & 12) == 12) << k;
    }
    unsigned first = 0, count = 5;
    while (!(lanes[first] & 4)) ++first;
    for (unsigned k = 0; k < lane; ++k) count += k < 32 ? 0x33333333u >> k & 1 : 0x0f0f0f0fu >> (k - 32) & 1;
    wanted.insert(wanted.end(),
                  {ones, x[i] & 4 ? inner ^ (lanes[first] & 0xffff) : 0, count, lane == 9 ? 33 : x[i],
                   lanes[lanes[0] & 31], loop_over_values(lanes, wave, lane)});
  }
  return {"ballots",        "cross", "ballots", {256}, {128}, {buffer(x), buffer(Longs(wanted.size()))},
          equals(1, wanted)};
}

KernelCase lds_widths() {
  const Words x = any_words(64, 256);
  Words wanted;
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    const std::uint32_t n = (i % 64 * 7 + 3) % 64, group = i / 64 * 64, a = x[group + n];
    const auto sign8 = static_cast<std::uint32_t>(static_cast<std::int8_t>(a));
    const auto sign16 = static_cast<std::uint32_t>(static_cast<std::int16_t>(a >> 3));
    const std::uint64_t wide = static_cast<std::uint64_t>(a) << 17;
    wanted.insert(
        wanted.end(),
        {(a & 0xff) + (sign8 << 1), (a >> 3 & 0xffff) + (sign16 << 1), a * 3 ^ x[group + (n + 16) % 64] * 3,
         static_cast<std::uint32_t>(wide) ^ static_cast<std::uint32_t>(wide >> 32),
         a + 3 * (a + 1) + 5 * (a + 2), (a ^ 1) + 3 * (a ^ 2) + 5 * (a ^ 4) + 7 * (a ^ 8)});
  }
  return {"lds_widths",     "lds", "lds_widths", {256}, {64}, {buffer(x), buffer(Words(wanted.size()))},
          equals(1, wanted)};
}

KernelCase lds_rounds() {
  Words values = any_words(65, 384);
  const Words x = values;
  for (std::size_t group = 0; group < 384; group += 192) {
    for (std::uint32_t k = 1; k < 9; ++k) {
      const Words s(values.begin() + static_cast<std::ptrdiff_t>(group),
                    values.begin() + static_cast<std::ptrdiff_t>(group + 192));
      for (std::uint32_t l = 0; l < 192; ++l) {
        std::uint32_t& a = values[group + l];
        a = a & 1 ? a + s[(l + k * 31) % 192] : a * 5 + s[191 - l];
      }
    }
  }
  return {"lds_rounds",     "lds", "lds_rounds", {384}, {192}, {buffer(x), buffer(Words(384))},
          equals(1, values)};
}

KernelCase lds_atomics() {
  const auto x = random_integers<std::int32_t>(66, 256, -2000000000, 2000000000);
  Words words;
  Longs longs;
  for (std::size_t group = 0; group < 256; group += 64) {
    std::uint32_t s[16] = {};
    std::uint64_t q[7] = {};
    s[2] = s[7] = ~0u;
    q[2] = q[5] = ~std::uint64_t{0};
    for (std::size_t l = 0; l < 64; ++l) {
      const std::int32_t a = x[group + l];
      const auto u = static_cast<std::uint32_t>(a);
      const std::uint64_t w = static_cast<std::uint64_t>(u) << 20;
      s[0] += u;
      s[1] -= u;
      s[2] &= u | 0xff0000ff;
      s[3] |= u & 0x0f0f0f0f;
      s[4] ^= u;
      s[5] = static_cast<std::uint32_t>(std::min(static_cast<std::int32_t>(s[5]), a));
      s[6] = static_cast<std::uint32_t>(std::max(static_cast<std::int32_t>(s[6]), a));
      s[7] = std::min(s[7], u);
      s[8] = std::max(s[8], u);
      s[11] += s[9];
      s[9] = s[9] >= 40 ? 0 : s[9] + 1;
      s[10] = s[10] == 0 || s[10] > 40 ? 40 : s[10] - 1;
      if (l == 5) s[12] = u;
      q[0] += static_cast<std::uint64_t>(static_cast<std::int64_t>(a)) << 20;
      q[1] -= w;
      q[2] &= w | 0xffff;
      q[3] |= w & 0x0f0f0f0f0f0f0f0f;
      q[4] ^= w;
      q[5] = std::min(q[5], w);
      q[6] = static_cast<std::uint64_t>(std::max(static_cast<std::int64_t>(q[6]), std::int64_t{a} * 1024));
    }
    s[13] = 77;
    s[14] = 3 * 77;  // one of four finds 0
    const float sum = 0.5f + 64 * 0.25f;
    std::memcpy(&s[15], &sum, 4);
    words.insert(words.end(), s, s + 16);
    longs.insert(longs.end(), q, q + 7);
  }
  return {"lds_atomics",
          "lds",
          "lds_atomics",
          {256},
          {64},
          {buffer(x), buffer(Words(64)), buffer(Longs(28))},
          [=](const Outputs& outputs) {
            const std::string wrong = same(outputs, 1, words);
            return wrong.empty() ? same(outputs, 2, longs) : wrong;
          }};
}

KernelCase lds_unaligned() {
  const Words x = any_words(67, 128);
  Words wanted;
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    const std::uint32_t a = x[i / 64 * 64 + 63 - i % 64];
    const std::uint64_t c = a * std::uint64_t{0x100000001} + 5;
    wanted.push_back((a & 0xff) + a * 7 + static_cast<std::uint32_t>(c) +
                     static_cast<std::uint32_t>(c >> 32) * 3 + (a >> 16));
  }
  return {"lds_unaligned",  "lds", "lds_unaligned", {128}, {64}, {buffer(x), buffer(Words(128))},
          equals(1, wanted)};
}

}  // namespace

std::vector<KernelCase> lane_cases(unsigned wave) {
  return {dpp(wave),    permutes(wave), ballots(wave),  lds_widths(),
          lds_rounds(), lds_atomics(),  lds_unaligned()};
}

}  // namespace mockgpu::test
