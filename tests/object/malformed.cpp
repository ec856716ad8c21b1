// Malformed code objects must end in one Error: no crash, no hang, no wild allocation. Sanitizer builds run
// this too.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "isa/object/code_object.h"
#include "isa/object/image.h"
#include "tests/object/files.h"

namespace mockgpu::isa::object::malformed_tests {

const char* const kFiles[] = {"hidden_v5.co", "hidden_v4.co", "relocations.co", "bundle.hipfb"};

/// Parses, loads and asks about everything. Returns whether all of it succeeded.
bool exercise(const std::vector<std::byte>& bytes) {
  try {
    const CodeObject object = CodeObject::parse(bytes, amd::find_target("gfx1100"), "mutant");
    const auto resolver = [](std::string_view) { return std::optional<std::uint64_t>(0x1000); };
    if (image_extent(object).size <= (64u << 20)) load_image(object, 0x7f0000000000, resolver);
    for (const Function& function : object.functions()) {
      object.bytes_at(function.address, function.size);
      object.locate(function.address);
    }
    for (const Kernel& kernel : object.kernels()) object.find_kernel(kernel.name);
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(error.tag() == Tag::bad_file || error.tag() == Tag::unsupported) << error.message();
    EXPECT_FALSE(error.message().empty());
    return false;
  }
}

TEST(Malformed, TruncationAtEveryByteIsAnError) {
  for (const char* file : kFiles) {
    const std::vector<std::byte> good = read_data(file);
    ASSERT_TRUE(exercise(good)) << file;
    for (std::size_t size = 0; size < good.size(); ++size) {
      const std::vector<std::byte> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
      ASSERT_FALSE(exercise(cut)) << file << " cut to " << size << " bytes";
    }
  }
}

TEST(Malformed, RandomMutationsNeverEscape) {
  constexpr int kRounds = 1000;
  constexpr std::uint8_t kInteresting[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0xdd, 0xdf, 0x91};
  std::mt19937 random(20240229);  // fixed: a failure can be repeated
  int survivors = 0;
  for (const char* file : kFiles) {
    const std::vector<std::byte> good = read_data(file);
    for (int round = 0; round < kRounds; ++round) {
      std::vector<std::byte> bytes = good;
      const unsigned changes = 1 + random() % 8;
      for (unsigned i = 0; i < changes; ++i) {
        // Headers decide most, so half of the changes go there.
        const std::size_t span = random() % 2 == 0 ? std::min<std::size_t>(bytes.size(), 512) : bytes.size();
        const std::size_t at = random() % span;
        bytes[at] = random() % 2 == 0
                        ? static_cast<std::byte>(kInteresting[random() % std::size(kInteresting)])
                        : static_cast<std::byte>(random());
      }
      if (random() % 8 == 0) bytes.resize(random() % bytes.size());
      survivors += exercise(bytes) ? 1 : 0;
    }
  }
  EXPECT_GT(survivors, 0);
}

TEST(Malformed, RandomBytesAreNoCodeObject) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::byte> bytes(random() % 4096);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    EXPECT_FALSE(exercise(bytes));
  }
}

/// Every aligned word of the headers set to each of a few extreme values: sizes, offsets and counts that
/// overflow.
TEST(Malformed, ExtremeHeaderFieldsNeverEscape) {
  constexpr std::uint64_t kExtremes[] = {
      0, 1, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0xfffffffffffffff0, 0xffffffffffffffff};
  for (const char* file : {"hidden_v5.co", "relocations.co"}) {
    const std::vector<std::byte> good = read_data(file);
    for (std::size_t at = 16; at + 8 <= std::min<std::size_t>(good.size(), 0x400); at += 4) {
      for (const std::uint64_t extreme : kExtremes) {
        std::vector<std::byte> bytes = good;
        std::memcpy(bytes.data() + at, &extreme, at % 8 == 0 ? 8 : 4);
        exercise(bytes);
      }
    }
  }
}

}  // namespace mockgpu::isa::object::malformed_tests
