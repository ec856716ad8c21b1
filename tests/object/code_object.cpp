// Expected addresses, sizes and flags are what llvm-readelf-19 prints for the files in data/.
#include "isa/object/code_object.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/object/files.h"

namespace mockgpu::isa::object::code_object_tests {

using ::testing::HasSubstr;

TEST(CodeObject, ReadsKernelsOfVersion5) {
  const CodeObject object = CodeObject::read_file(data_path("hidden_v5.co"));
  EXPECT_EQ(object.version(), 5u);
  EXPECT_EQ(object.target().name, "gfx1100");
  EXPECT_EQ(object.xnack(), FeatureSetting::unsupported);
  ASSERT_EQ(object.kernels().size(), 1u);
  const Kernel& kernel = object.kernel("hidden");
  EXPECT_EQ(&kernel, &object.kernel("hidden.kd"));
  EXPECT_TRUE(kernel.has_metadata);
  EXPECT_TRUE(kernel.wave32());
  EXPECT_EQ(kernel.entry_address % 256, 0u);
  EXPECT_EQ(kernel.entry_address,
            kernel.descriptor_address +
                static_cast<std::uint64_t>(kernel.descriptor.kernel_code_entry_byte_offset));
  EXPECT_EQ(kernel.metadata.wavefront_size, 32u);
  EXPECT_EQ(kernel.metadata.max_flat_workgroup_size, 64u);
  EXPECT_THAT(kernel.metadata.reqd_workgroup_size, ::testing::ElementsAre(8u, 4u, 2u));
  // Version 5: 256 bytes of implicit arguments behind the explicit ones, which end at 16.
  EXPECT_EQ(kernel.metadata.kernarg_segment_size, 16u + 256u);
  EXPECT_EQ(kernel.descriptor.kernarg_size, 16u + 256u);
  EXPECT_EQ(kernel.metadata.kernarg_segment_align, 8u);
  EXPECT_TRUE(kernel.descriptor.has(KernelDescriptor::kKernargSegmentPtr));
  ASSERT_GE(kernel.metadata.arguments.size(), 4u);
  EXPECT_EQ(kernel.metadata.arguments[0].kind, ValueKind::global_buffer);
  EXPECT_EQ(kernel.metadata.arguments[0].type_name, "ulong*");
  EXPECT_TRUE(kernel.metadata.arguments[0].is_pointer());
  EXPECT_EQ(kernel.metadata.arguments[1].kind, ValueKind::by_value);
  EXPECT_EQ(kernel.metadata.arguments[1].offset, 8u);
  EXPECT_EQ(kernel.metadata.arguments[1].size, 4u);
  EXPECT_EQ(kernel.metadata.arguments[2].kind, ValueKind::dynamic_shared_pointer);
  EXPECT_EQ(kernel.metadata.arguments[3].kind, ValueKind::hidden_block_count_x);
  EXPECT_TRUE(kernel.metadata.arguments[3].hidden);
  EXPECT_EQ(kernel.metadata.arguments[3].offset, 16u);
}

TEST(CodeObject, ReadsVersion4And6) {
  const CodeObject v4 = CodeObject::read_file(data_path("hidden_v4.co"));
  EXPECT_EQ(v4.version(), 4u);
  EXPECT_EQ(v4.kernel("hidden").metadata.kernarg_segment_size, 72u);
  EXPECT_EQ(v4.kernel("hidden").metadata.arguments[3].kind, ValueKind::hidden_global_offset_x);
  const CodeObject v6 = CodeObject::read_file(data_path("tiny_v6.co"));
  EXPECT_EQ(v6.version(), 6u);
  EXPECT_EQ(v6.target().name, "gfx1100");
}

TEST(CodeObject, ReadsVersion3Features) {
  std::vector<std::byte> bytes = read_data("tiny_gfx90a.co");
  bytes[8] = std::byte{1};      // ABI version of code object v3
  bytes[49] = std::byte{0x03};  // e_flags [15:8] of v3: xnack 0x100, sramecc 0x200
  const CodeObject object = CodeObject::parse(bytes);
  EXPECT_EQ(object.version(), 3u);
  EXPECT_EQ(object.xnack(), FeatureSetting::on);
  EXPECT_EQ(object.sramecc(), FeatureSetting::on);
}

TEST(CodeObject, ReadsFeaturesOfVersion4AndLater) {
  const CodeObject object = CodeObject::read_file(data_path("tiny_gfx90a.co"));
  EXPECT_EQ(object.target().name, "gfx90a");
  EXPECT_EQ(object.xnack(), FeatureSetting::off);
  EXPECT_EQ(object.sramecc(), FeatureSetting::on);
  EXPECT_EQ(object.kernel("tiny").metadata.wavefront_size, 64u);
  EXPECT_FALSE(object.kernel("tiny").wave32());
}

TEST(CodeObject, GenericProcessorServesItsFamily) {
  const std::vector<std::byte> bytes = read_data("tiny_generic.co");
  EXPECT_EQ(CodeObject::parse(bytes).target().name, "gfx1100");
  if (const amd::Target* target = amd::find_target("gfx1102")) {
    EXPECT_EQ(&CodeObject::parse(bytes, target).target(), target);
  }
  if (const amd::Target* target = amd::find_target("gfx1030")) {
    const Error error = error_of([&] { CodeObject::parse(bytes, target, "a.co"); });
    EXPECT_EQ(error.tag(), Tag::bad_file);
    EXPECT_THAT(error.message(), HasSubstr("a.co: a code object for gfx11-generic, not for gfx1030"));
  }
}

TEST(CodeObject, KernelsWithoutMetadataComeFromTheirDescriptors) {
  const CodeObject object = CodeObject::read_file(data_path("relocations.co"));
  const Kernel& kernel = object.kernel("start");
  EXPECT_FALSE(kernel.has_metadata);
  EXPECT_EQ(kernel.descriptor_address, 0x400u);
  EXPECT_EQ(kernel.entry_address, 0x1500u);
  EXPECT_EQ(kernel.metadata.wavefront_size, 32u);
}

TEST(CodeObject, FindsFunctionsAndSymbols) {
  const CodeObject object = CodeObject::read_file(data_path("relocations.co"));
  ASSERT_EQ(object.functions().size(), 2u);
  EXPECT_EQ(object.functions()[0].name, "start");
  EXPECT_EQ(object.functions()[0].address, 0x1500u);
  EXPECT_EQ(object.functions()[0].size, 4u);
  EXPECT_EQ(object.functions()[1].name, "helper");
  EXPECT_EQ(object.functions()[1].size, 8u);
  const auto location = object.locate(0x1508);
  ASSERT_TRUE(location.has_value());
  EXPECT_EQ(location->function, "helper");
  EXPECT_EQ(location->offset, 4u);
  EXPECT_FALSE(object.locate(0x14ff).has_value());
  EXPECT_FALSE(object.locate(0x150c).has_value());
  ASSERT_NE(object.find_symbol("table"), nullptr);
  EXPECT_EQ(object.find_symbol("table")->address, 0x35e0u);
  EXPECT_EQ(object.find_symbol("missing"), nullptr);
  const auto code = object.bytes_at(0x1500, 4);
  ASSERT_EQ(code.size(), 4u);
  EXPECT_EQ(code[3], std::byte{0xbf});  // s_endpgm = 0xbfb00000
  EXPECT_EQ(code[2], std::byte{0xb0});
  EXPECT_EQ(object.bytes_at(0x1508, 100).size(), 4u);
  EXPECT_TRUE(object.bytes_at(0x3640, 4).empty());  // .bss has no file bytes
}

TEST(CodeObject, KeepsItsViewsWhenMoved) {
  CodeObject first = CodeObject::read_file(data_path("hidden_v5.co"));
  const CodeObject second = std::move(first);
  EXPECT_EQ(second.functions()[0].name, "hidden");
  ASSERT_NE(second.find_symbol("hidden.kd"), nullptr);
  EXPECT_EQ(second.find_symbol("hidden.kd")->address, second.kernel("hidden").descriptor_address);
}

TEST(CodeObject, MissingKernelListsThoseThereAre) {
  const CodeObject object = CodeObject::read_file(data_path("hidden_v5.co"));
  EXPECT_EQ(object.find_kernel("nothing"), nullptr);
  const Error error = error_of([&] { object.kernel("nothing"); });
  EXPECT_EQ(error.tag(), Tag::bad_usage);
  EXPECT_THAT(error.message(), HasSubstr("no kernel 'nothing'; it has: hidden"));
}

TEST(CodeObject, RefusesAnotherTarget) {
  const Error error =
      error_of([&] { CodeObject::read_file(data_path("tiny_gfx1030.co"), amd::find_target("gfx1100")); });
  EXPECT_EQ(error.tag(), Tag::bad_file);
  EXPECT_THAT(error.message(), HasSubstr("a code object for gfx1030, not for gfx1100"));
}

TEST(CodeObject, RefusesWhatIsNoCodeObject) {
  const std::vector<std::byte> good = read_data("hidden_v5.co");
  const auto refuse = [&](std::size_t offset, int value) {
    std::vector<std::byte> bytes = good;
    bytes[offset] = static_cast<std::byte>(value);
    return error_of([&] { CodeObject::parse(bytes); });
  };
  EXPECT_THAT(refuse(0, 0).message(), HasSubstr("not an ELF file"));
  EXPECT_THAT(refuse(4, 1).message(), HasSubstr("64-bit"));
  EXPECT_THAT(refuse(18, 62).message(), HasSubstr("x86-64, not for AMDGPU"));
  EXPECT_EQ(refuse(7, 65).tag(), Tag::unsupported);  // PAL
  EXPECT_EQ(refuse(8, 0).tag(), Tag::unsupported);   // code object v2
  EXPECT_THAT(refuse(8, 0).message(), HasSubstr("code object version 2"));
  EXPECT_EQ(refuse(8, 5).tag(), Tag::unsupported);
  EXPECT_THAT(refuse(16, 1).message(), HasSubstr("relocatable object file"));
  EXPECT_EQ(refuse(48, 0x2a).tag(), Tag::unsupported);
  EXPECT_THAT(refuse(48, 0x2a).message(), HasSubstr("gfx803"));
  EXPECT_THAT(refuse(56, 0).message(), HasSubstr("no loadable segments"));
  EXPECT_EQ(error_of([] { CodeObject::parse({}); }).tag(), Tag::bad_file);
}

TEST(CodeObject, RefusesUnreadableFiles) {
  EXPECT_THAT(error_of([] { CodeObject::read_file("/nonexistent.co"); }).message(),
              HasSubstr("/nonexistent.co: No such file or directory"));
  EXPECT_EQ(error_of([] { CodeObject::read_file(MOCKGPU_TEST_DATA); }).tag(), Tag::bad_file);
}

TEST(CodeObject, RefusesEntriesOutsideTheCode) {
  std::vector<std::byte> bytes = read_data("relocations.co");
  bytes[0x400 + 16] = std::byte{0x80};  // entry offset 0x1100 -> 0x1180: in the segment, not aligned
  EXPECT_THAT(error_of([&] { CodeObject::parse(bytes); }).message(), HasSubstr("outside the code"));
  bytes = read_data("relocations.co");
  bytes[0x400 + 16] = std::byte{0x04};
  EXPECT_THAT(error_of([&] { CodeObject::parse(bytes); }).message(), HasSubstr("not aligned to 256"));
  bytes[0x400 + 18] = std::byte{0x10};
  EXPECT_THAT(error_of([&] { CodeObject::parse(bytes); }).message(), HasSubstr("outside the code"));
}

TEST(KernelDescriptorText, PrintsFieldsByName) {
  const CodeObject object = CodeObject::read_file(data_path("hidden_v4.co"));
  const std::string text = fmt::format("{}", object.kernel("hidden").descriptor);
  EXPECT_THAT(text, HasSubstr("kernarg_size=72"));
  EXPECT_THAT(text, HasSubstr("KERNARG_SEGMENT_PTR|WAVEFRONT_SIZE32"));
}

}  // namespace mockgpu::isa::object::code_object_tests
