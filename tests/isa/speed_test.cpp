#include <gtest/gtest.h>

#include <ctime>
#include <iostream>

#include "isa/amd/decode_index.h"
#include "tests/isa/decoding.h"

namespace mockgpu::isa::amd::speed_tests {

// Seconds of this thread: what else the host does is not counted.
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Prints what an optimised build is to be judged by (10 million words in 2 s, an index in 1 ms); the bounds
// here hold for sanitizers too.
TEST(Speed, IndexAndDecoding) {
  constexpr std::size_t kWords = 200'000;
  const std::pair<const char*, const char*> targets[] = {{"gfx942", "cdna3.tsv"},
                                                         {"gfx1030", "rdna2.tsv"},
                                                         {"gfx1100", "rdna3.tsv"},
                                                         {"gfx1250", "gfx1250.tsv"}};
  for (const auto& [name, file] : targets) {
    const Target& target = *find_target(name);
    const double start = cpu_seconds();
    ASSERT_NE(DecodeIndex::of(target.generation), nullptr);
    const double indexed = cpu_seconds();
    std::vector<std::byte> code;
    for (const GoldenLine& line : read_golden(file))
      for (std::byte byte : bytes_of(line.hex)) code.push_back(byte);
    ASSERT_FALSE(code.empty()) << file << " has no rows";
    // Tests are not optimised: what is measured is made of calls of the decoder alone.
    Instruction instruction;
    std::vector<std::span<const std::byte>> places;
    for (std::span<const std::byte> rest(code); !rest.empty(); rest = rest.subspan(instruction.size)) {
      places.push_back(rest);
      decode(target, rest, !target.wave32, instruction);
    }
    const std::span<const std::byte>* const first = places.data();
    const std::span<const std::byte>* const last = first + places.size();
    std::size_t words = 0;
    const double begin = cpu_seconds();
    while (words < kWords) {
      for (const std::span<const std::byte>* place = first; place != last; ++place) {
        decode(target, *place, !target.wave32, instruction);
        words += instruction.size / 4u;
      }
    }
    const double seconds = cpu_seconds() - begin;
    std::cout << name << ": index " << (indexed - start) * 1e3 << " ms if it is the first, 10 million words "
              << seconds * 1e7 / static_cast<double>(words) << " s\n";
    EXPECT_LT(indexed - start, 0.1);
    EXPECT_LT(seconds, 2);
  }
}

}  // namespace mockgpu::isa::amd::speed_tests
