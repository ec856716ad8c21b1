// Every target with mutated seeds, the same ones each time: a fixed budget.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "tests/fuzz/targets.h"

namespace mockgpu::fuzz {
namespace {

using Bytes = std::vector<std::byte>;

/// splitmix64: small, and the same numbers everywhere.
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t end) { return end == 0 ? 0 : static_cast<std::size_t>(next() % end); }
};

void mutate(Bytes& bytes, Random& random) {
  for (std::size_t i = 1 + random.below(4); i > 0; --i) {
    const std::size_t at = random.below(bytes.size());
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random.below(6)) {
      case 0:
        if (!bytes.empty()) bytes[at] ^= std::byte{1} << random.below(8);
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = static_cast<std::byte>(random.next());
        break;
      case 2: bytes.resize(at); break;
      case 3: bytes.insert(place, 1 + random.below(8), static_cast<std::byte>(random.next())); break;
      case 4: {  // a number that is often at the edge of something
        constexpr std::uint64_t kEdges[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, ~std::uint64_t{0}};
        const std::uint64_t edge = kEdges[random.below(std::size(kEdges))];
        for (std::size_t k = 0; k < 4 && at + k < bytes.size(); ++k)
          bytes[at + k] = static_cast<std::byte>(edge >> (8 * k));
        break;
      }
      default:  // a piece again, elsewhere
        for (std::size_t k = 0, from = random.below(bytes.size());
             k < 8 && std::max(at, from) + k < bytes.size(); ++k)
          bytes[at + k] = bytes[from + k];
    }
  }
}

class Budget : public testing::TestWithParam<Target> {};

TEST_P(Budget, NothingGetsOut) {
  const Target& target = GetParam();
  const std::vector<Bytes> seeds = target.seeds();
  ASSERT_FALSE(seeds.empty());
  for (const Bytes& seed : seeds) {
    ASSERT_FALSE(seed.empty());
    target.run(seed);
  }
  Random random{0x6d6f636b677075};
  for (unsigned i = 0; i < target.budget; ++i) {
    Bytes bytes = seeds[random.below(seeds.size())];
    mutate(bytes, random);
    target.run(bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Budget, testing::ValuesIn(targets()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace mockgpu::fuzz
