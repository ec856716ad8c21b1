// The addresses are those that llvm-readelf-19 prints for data/relocations.co.
#include "isa/object/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/object/files.h"

namespace mockgpu::isa::object::image_tests {

using ::testing::HasSubstr;

constexpr std::uint64_t kBase = 0x7f1234560000;

std::uint64_t word_at(const Image& image, std::uint64_t linked) {
  std::uint64_t value = 0;
  std::memcpy(&value, image.bytes().data() + (image.address(linked) - image.load_address()), 8);
  return value;
}

std::optional<std::uint64_t> resolve(std::string_view name) {
  if (name == "missing") return 0xabcdef0123;
  return std::nullopt;
}

TEST(Image, AppliesDynamicRelocations) {
  const CodeObject object = CodeObject::read_file(data_path("relocations.co"));
  const Image image = load_image(object, kBase, resolve);
  EXPECT_EQ(word_at(image, 0x35e0), kBase + 0x3608);      // local_value + 8
  EXPECT_EQ(word_at(image, 0x35e8), kBase + 0x3610 + 4);  // exported + 4
  EXPECT_EQ(word_at(image, 0x35f0), 0xabcdef0123u);       // missing
  EXPECT_EQ(word_at(image, 0x35f8), 0u);                  // optional: weak and undefined
  EXPECT_EQ(word_at(image, 0x3600), 0x1122334455667788u);
}

TEST(Image, HasSegmentsAtTheirAddressesAndZerosBetween) {
  const CodeObject object = CodeObject::read_file(data_path("relocations.co"));
  const ImageExtent extent = image_extent(object);
  EXPECT_EQ(extent.first_address, 0u);
  EXPECT_EQ(extent.size, 0x4000u);  // .bss ends at 0x3658
  const Image image = load_image(object, kBase, resolve);
  ASSERT_EQ(image.bytes().size(), 0x4000u);
  EXPECT_EQ(word_at(image, 0x1500) & 0xffffffffu, 0xbfb00000u);  // s_endpgm
  EXPECT_EQ(word_at(image, 0x3618), 0u);                         // .bss
  EXPECT_EQ(word_at(image, 0x3ff8), 0u);
  EXPECT_EQ(image.linked(image.address(0x1500)), 0x1500u);
  EXPECT_TRUE(image.contains(kBase + 0x3fff));
  EXPECT_FALSE(image.contains(kBase + 0x4000));
  EXPECT_FALSE(image.contains(kBase - 1));
}

TEST(Image, NamesUndefinedSymbols) {
  const CodeObject object = CodeObject::read_file(data_path("relocations.co"), nullptr);
  const Error error = error_of([&] { load_image(object, kBase); });
  EXPECT_EQ(error.tag(), Tag::bad_file);
  EXPECT_THAT(error.message(), HasSubstr("undefined symbol missing"));
}

TEST(Image, RefusesRelocationsOutside) {
  std::vector<std::byte> bytes = read_data("relocations.co");
  bytes[0x370 + 1] = std::byte{0x3f};  // the first relocation's place: 0x35e0 -> 0x3fe0, still inside
  EXPECT_NO_THROW(load_image(CodeObject::parse(bytes), kBase, resolve));
  bytes[0x370 + 2] = std::byte{0x01};
  EXPECT_THAT(error_of([&] { load_image(CodeObject::parse(bytes), kBase, resolve); }).message(),
              HasSubstr("outside the image"));
  bytes = read_data("relocations.co");
  bytes[0x388 + 12] = std::byte{0x77};  // the second relocation's symbol
  EXPECT_THAT(error_of([&] { load_image(CodeObject::parse(bytes), kBase, resolve); }).message(),
              HasSubstr("names symbol 119 of 8"));
  bytes = read_data("relocations.co");
  bytes[0x388 + 8] = std::byte{7};  // GOTPCREL: only in relocatable files
  EXPECT_EQ(error_of([&] { load_image(CodeObject::parse(bytes), kBase, resolve); }).tag(), Tag::unsupported);
}

// The formulas of the AMDGPU usage guide, with S + A = 0x123456789abc and P = 0x123456780000.
TEST(Relocations, ComputeEveryType) {
  constexpr std::uint64_t kSymbol = 0x123456789ab0;
  constexpr std::int64_t kAddend = 0xc;
  constexpr std::uint64_t kPlace = 0x123456780000;
  const auto value = [&](std::uint32_t type) {
    return relocated_value(type, kSymbol, kAddend, kPlace, 0x7000, "x").value;
  };
  EXPECT_EQ(value(1), 0x56789abcu);                                    // ABS32_LO
  EXPECT_EQ(value(2), 0x1234u);                                        // ABS32_HI
  EXPECT_EQ(value(3), 0x123456789abcu);                                // ABS64
  EXPECT_EQ(value(4), 0x9abcu);                                        // REL32
  EXPECT_EQ(value(5), 0x9abcu);                                        // REL64
  EXPECT_EQ(value(10), 0x9abcu);                                       // REL32_LO
  EXPECT_EQ(value(11), 0u);                                            // REL32_HI
  EXPECT_EQ(value(13), 0x7000u + 0xcu);                                // RELATIVE64
  EXPECT_EQ(value(14), (0x9abcu - 4u) / 4u);                           // REL16
  EXPECT_EQ(relocated_value(6, 0x1000, 4, 0, 0, "x").value, 0x1004u);  // ABS32
  EXPECT_EQ(relocated_value(4, 0x1000, 0, 0x2000, 0, "x").value, 0xfffff000u);
  EXPECT_EQ(relocated_value(11, 0x1000, 0, 0x2000, 0, "x").value, 0xffffffffu);
  EXPECT_EQ(relocated_value(14, 0x1000, 0, 0x2000, 0, "x").value, 0xfbffu);  // (-0x1000 - 4) / 4
  EXPECT_EQ(relocated_value(3, 0, 0, 0, 0, "x").size, 8u);
  EXPECT_EQ(relocated_value(4, 0, 0, 0, 0, "x").size, 4u);
  EXPECT_EQ(relocated_value(14, 0, 4, 0, 0, "x").size, 2u);
}

TEST(Relocations, RefuseWhatDoesNotFit) {
  EXPECT_EQ(error_of([] { relocated_value(6, 0x100000000, 0, 0, 0, "x"); }).tag(), Tag::bad_file);
  EXPECT_EQ(error_of([] { relocated_value(4, 0x80000000, 0, 0, 0, "x"); }).tag(), Tag::bad_file);
  EXPECT_EQ(error_of([] { relocated_value(14, 0x40000, 0, 0, 0, "x"); }).tag(), Tag::bad_file);
  EXPECT_EQ(error_of([] { relocated_value(8, 0, 0, 0, 0, "x"); }).tag(), Tag::unsupported);
}

}  // namespace mockgpu::isa::object::image_tests
