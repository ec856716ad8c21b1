#include "isa/object/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "isa/object/code_object.h"
#include "isa/object/generic_target.h"
#include "tests/object/files.h"

namespace mockgpu::isa::object::bundle_tests {

using ::testing::HasSubstr;

TEST(Bundle, ListsEntriesOfClangOffloadBundler) {
  const std::vector<std::byte> bytes = read_data("bundle.hipfb");
  ASSERT_TRUE(is_bundle(bytes));
  const std::vector<BundleEntry> entries = read_bundle(bytes, "bundle.hipfb");
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0].processor, "");
  EXPECT_EQ(entries[0].bytes.size(), 0u);
  EXPECT_EQ(entries[1].id, "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-");
  EXPECT_EQ(entries[1].processor, "gfx90a");
  EXPECT_EQ(entries[1].features, "xnack-");
  EXPECT_EQ(entries[1].bytes.size(), read_data("tiny_gfx90a.co").size());
  EXPECT_EQ(entries[3].processor, "gfx1100");
  EXPECT_EQ(entries[3].features, "");
}

TEST(Bundle, GivesTheCodeObjectOfTheTarget) {
  const std::vector<std::byte> bytes = read_data("bundle.hipfb");
  EXPECT_TRUE(CodeObject::parse(bytes, amd::find_target("gfx1100")).find_kernel("hidden") != nullptr);
  EXPECT_EQ(CodeObject::parse(bytes, amd::find_target("gfx1030")).target().name, "gfx1030");
  EXPECT_EQ(CodeObject::parse(bytes, amd::find_target("gfx90a")).target().name, "gfx90a");
}

TEST(Bundle, NamesItsEntriesWhenNoneFits) {
  const std::vector<std::byte> bytes = read_data("bundle.hipfb");
  const Error none = error_of([&] { CodeObject::parse(bytes, amd::find_target("gfx906"), "b"); });
  EXPECT_EQ(none.tag(), Tag::bad_file);
  EXPECT_THAT(none.message(), HasSubstr("no code object for gfx906"));
  EXPECT_THAT(none.message(), HasSubstr("hipv4-amdgcn-amd-amdhsa--gfx1030"));
  const Error ambiguous = error_of([&] { CodeObject::parse(bytes); });
  EXPECT_THAT(ambiguous.message(), HasSubstr("holds 3 code objects: choose a target"));
}

/// Builds a bundle of (id, contents) pairs by the format's description.
std::vector<std::byte> make_bundle(const std::vector<std::pair<std::string, std::string>>& entries) {
  const auto put = [](std::string& out, std::uint64_t value) {
    char raw[8];
    std::memcpy(raw, &value, 8);
    out.append(raw, 8);
  };
  std::size_t head = 24 + 8;
  for (const auto& entry : entries) head += 24 + entry.first.size();
  std::string out = "__CLANG_OFFLOAD_BUNDLE__";
  put(out, entries.size());
  std::string contents;
  for (const auto& entry : entries) {
    put(out, head + contents.size());
    put(out, entry.second.size());
    put(out, entry.first.size());
    out += entry.first;
    contents += entry.second;
  }
  out += contents;
  std::vector<std::byte> bytes;
  for (const char c : out) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

std::string selected(const std::vector<std::byte>& bundle, const char* target) {
  const auto bytes = select_from_bundle(bundle, target ? amd::find_target(target) : nullptr, "b");
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

TEST(Bundle, PrefersEntriesWithoutFeatureSettingsAndExactOnes) {
  const auto bundle = make_bundle({{"host-x86_64-unknown-linux-gnu-", ""},
                                   {"hipv4-amdgcn-amd-amdhsa--gfx11-generic", "generic"},
                                   {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", "on"},
                                   {"hipv4-amdgcn-amd-amdhsa--gfx90a", "any"},
                                   {"openmp-amdgcn-amd-amdhsa--gfx1100", "exact"}});
  EXPECT_EQ(selected(bundle, "gfx90a"), "any");
  EXPECT_EQ(selected(bundle, "gfx1100"), "exact");
  EXPECT_EQ(selected(bundle, "gfx1101"), "generic");
  EXPECT_EQ(selected(make_bundle({{"host-x", "h"}, {"hip-amdgcn-amd-amdhsa--gfx1100", "only"}}), nullptr),
            "only");
}

TEST(Bundle, RefusesMalformedOnes) {
  const auto good = make_bundle({{"hip-amdgcn-amd-amdhsa--gfx1100", "0123456789"}});
  for (std::size_t size = 24; size < good.size(); ++size) {
    const std::vector<std::byte> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(error_of([&] { read_bundle(cut, "b"); }).tag(), Tag::bad_file) << size;
  }
  auto many = good;
  for (std::size_t i = 24; i < 32; ++i) many[i] = std::byte{0xff};
  EXPECT_THAT(error_of([&] { read_bundle(many, "b"); }).message(), HasSubstr("bundle claims"));
  auto long_id = good;
  for (std::size_t i = 48; i < 56; ++i) long_id[i] = std::byte{0xff};
  EXPECT_THAT(error_of([&] { read_bundle(long_id, "b"); }).message(), HasSubstr("an id of"));
}

TEST(Bundle, SaysThatCompressedOnesAreNotSupported) {
  std::vector<std::byte> bytes;
  for (const char c : std::string("CCOB\2\0\1\0")) bytes.push_back(static_cast<std::byte>(c));
  const Error error = error_of([&] { CodeObject::parse(bytes, nullptr, "x.hipfb"); });
  EXPECT_EQ(error.tag(), Tag::unsupported);
  EXPECT_THAT(error.message(), HasSubstr("compressed offload bundle"));
}

TEST(GenericTargets, HaveTheirElfNumbers) {
  ASSERT_NE(find_generic_target(0x54), nullptr);
  EXPECT_EQ(find_generic_target(0x54)->name, "gfx11-generic");
  EXPECT_EQ(find_generic_target("gfx9-4-generic")->elf_mach, 0x5f);
  EXPECT_EQ(find_generic_target(0x41), nullptr);
  EXPECT_EQ(mach_name(0x41), "gfx1100");
  EXPECT_EQ(mach_name(0xfe), "");
}

}  // namespace mockgpu::isa::object::bundle_tests
