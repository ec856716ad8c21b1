#include "isa/object/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/object/files.h"

namespace mockgpu::isa::object::metadata_tests {

using nlohmann::json;
using ::testing::HasSubstr;

std::vector<std::byte> pack(const json& value) {
  std::vector<std::byte> bytes;
  for (const std::uint8_t byte : json::to_msgpack(value)) bytes.push_back(static_cast<std::byte>(byte));
  return bytes;
}

json example() {
  return {{"amdhsa.version", {1, 2}},
          {"amdhsa.target", "amdgcn-amd-amdhsa--gfx1100"},
          {"amdhsa.kernels",
           {{{".name", "k"},
             {".symbol", "k.kd"},
             {".kernarg_segment_size", 300},
             {".kernarg_segment_align", 16},
             {".group_segment_fixed_size", 70000},
             {".private_segment_fixed_size", 12},
             {".wavefront_size", 64},
             {".max_flat_workgroup_size", 1024},
             {".vgpr_count", 9},
             {".sgpr_count", 8},
             {".agpr_count", 7},
             {".uses_dynamic_stack", true},
             {".args",
              {{{".name", "a"}, {".offset", 8}, {".size", 4}, {".value_kind", "by_value"}},
               {{".offset", 16}, {".size", 8}, {".value_kind", "hidden_of_next_year"}}}}}}}};
}

TEST(Metadata, ReadsEveryField) {
  const Metadata metadata = parse_metadata(pack(example()), "x.co");
  EXPECT_EQ(metadata.version_major, 1u);
  EXPECT_EQ(metadata.version_minor, 2u);
  EXPECT_EQ(metadata.target, "amdgcn-amd-amdhsa--gfx1100");
  ASSERT_EQ(metadata.kernels.size(), 1u);
  const KernelMetadata& kernel = metadata.kernels[0];
  EXPECT_EQ(kernel.name, "k");
  EXPECT_EQ(kernel.symbol, "k.kd");
  EXPECT_EQ(kernel.kernarg_segment_size, 300u);
  EXPECT_EQ(kernel.kernarg_segment_align, 16u);
  EXPECT_EQ(kernel.group_segment_fixed_size, 70000u);
  EXPECT_EQ(kernel.private_segment_fixed_size, 12u);
  EXPECT_EQ(kernel.wavefront_size, 64u);
  EXPECT_EQ(kernel.max_flat_workgroup_size, 1024u);
  EXPECT_EQ(kernel.vgpr_count, 9u);
  EXPECT_EQ(kernel.sgpr_count, 8u);
  EXPECT_EQ(kernel.agpr_count, 7u);
  EXPECT_TRUE(kernel.uses_dynamic_stack);
  EXPECT_THAT(kernel.reqd_workgroup_size, ::testing::ElementsAre(0u, 0u, 0u));
  ASSERT_EQ(kernel.arguments.size(), 2u);
  EXPECT_EQ(kernel.arguments[0].name, "a");
  EXPECT_EQ(kernel.arguments[0].offset, 8u);
  EXPECT_EQ(kernel.arguments[0].kind, ValueKind::by_value);
  EXPECT_FALSE(kernel.arguments[0].hidden);
  EXPECT_EQ(kernel.arguments[1].kind, ValueKind::unknown);
  EXPECT_EQ(kernel.arguments[1].kind_name, "hidden_of_next_year");
  EXPECT_TRUE(kernel.arguments[1].hidden);
}

TEST(Metadata, NamesValueKinds) {
  EXPECT_EQ(value_kind_name(ValueKind::hidden_block_count_x), "hidden_block_count_x");
  EXPECT_EQ(value_kind_name(ValueKind::unknown), "unknown");
}

std::string message(const std::vector<std::byte>& bytes) {
  const Error error = error_of([&] { parse_metadata(bytes, "x.co"); });
  EXPECT_EQ(error.tag(), Tag::bad_file);
  return error.message();
}

std::string message_with(const json& patch) {
  json value = example();
  value["amdhsa.kernels"][0].merge_patch(patch);
  return message(pack(value));
}

TEST(Metadata, RefusesWrongTypesByName) {
  EXPECT_THAT(message(pack(json::array({1}))), HasSubstr("the root is not a map"));
  EXPECT_THAT(message(pack({{"amdhsa.kernels", 3}})),
              HasSubstr("amdhsa.kernels of the root is not an array"));
  EXPECT_THAT(message(pack({{"amdhsa.kernels", {3}}})), HasSubstr("a kernel is not a map"));
  EXPECT_THAT(message_with({{".name", 7}}), HasSubstr("no .name"));
  EXPECT_THAT(message_with({{".wavefront_size", "x"}}), HasSubstr(".wavefront_size of k is not a number"));
  EXPECT_THAT(message_with({{".wavefront_size", -1}}), HasSubstr(".wavefront_size of k is out of range"));
  EXPECT_THAT(message_with({{".wavefront_size", 1ull << 40}}), HasSubstr("out of range"));
  EXPECT_THAT(message_with({{".args", 1}}), HasSubstr(".args of k is not an array"));
  EXPECT_THAT(message_with({{".args", {1}}}), HasSubstr("an argument of kernel k is not a map"));
  EXPECT_THAT(message_with({{".reqd_workgroup_size", {1, 2}}}), HasSubstr("has not 3 numbers"));
  EXPECT_THAT(message_with({{".kernarg_segment_size", 20}}), HasSubstr("lies outside its 20 argument bytes"));
}

TEST(Metadata, RefusesTruncationAtEveryByte) {
  const std::vector<std::byte> good = pack(example());
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::vector<std::byte> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THAT(message(cut), HasSubstr("truncated")) << size;
  }
  std::vector<std::byte> longer = good;
  longer.push_back(std::byte{0});
  EXPECT_THAT(message(longer), HasSubstr("1 bytes behind the end"));
}

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> result;
  for (const int value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

// Compilers leave notes to themselves, with numbers for keys: Tensile's custom.config.
TEST(Metadata, LeavesOutEntriesWithoutATextForKey) {
  std::vector<std::byte> note = bytes({0x82, 0xa1, 'c', 0x83, 0x03, 0x20, 0xc3, 0x91, 0xc0, 0xa1, 'x', 0xff});
  const std::vector<std::byte> rest = pack(example());
  ASSERT_EQ(std::to_integer<int>(rest[0]) & 0xf0, 0x80);
  note[0] = static_cast<std::byte>(std::to_integer<int>(rest[0]) + 1);
  note.insert(note.end(), rest.begin() + 1, rest.end());
  EXPECT_EQ(parse_metadata(note, "x.co").kernels.at(0).name, "k");
}

// Every width of a number and a text that MessagePack has.
TEST(Metadata, ReadsEveryWidth) {
  const std::vector<std::byte> kernel =
      bytes({0xde, 0,   9,   0xa5, '.', 'n', 'a',  'm', 'e', 0xd9, 1, 'k', 0xda, 0,   7,  '.',
             's',  'y', 'm', 'b',  'o', 'l', 0xdb, 0,   0,   0,    4, 'k', '.',  'k', 'd'});
  const auto field = [](std::string_view name, std::initializer_list<int> value) {
    std::vector<std::byte> result{static_cast<std::byte>(0xa0 | name.size())};
    for (const char c : name) result.push_back(static_cast<std::byte>(c));
    for (const std::byte byte : bytes(value)) result.push_back(byte);
    return result;
  };
  std::vector<std::byte> note = bytes({0xdf, 0, 0, 0, 1, 0xae});
  for (const char c : std::string_view("amdhsa.kernels")) note.push_back(static_cast<std::byte>(c));
  for (const auto& part : {
           bytes({0xdd, 0, 0, 0, 1}),
           kernel,
           field(".sgpr_count", {0xcc, 0xfe}),
           field(".vgpr_count", {0xcd, 0x01, 0x02}),
           field(".agpr_count", {0xd1, 0x7f, 0xfe}),
           field(".wavefront_size", {0xd0, 0x40}),
           field(".private_segment_fixed_size", {0xce, 0xfe, 0xdc, 0xba, 0x98}),
           field(".group_segment_fixed_size", {0xd2, 0x7e, 0xdc, 0xba, 0x98}),
           field(".kernarg_segment_size", {0xcf, 0, 0, 0, 0, 0x12, 0x34, 0x56, 0x78}),
       })
    note.insert(note.end(), part.begin(), part.end());
  const KernelMetadata read = parse_metadata(note, "x.co").kernels.at(0);
  EXPECT_EQ(read.name, "k");
  EXPECT_EQ(read.symbol, "k.kd");
  EXPECT_EQ(read.sgpr_count, 0xfeu);
  EXPECT_EQ(read.vgpr_count, 0x102u);
  EXPECT_EQ(read.agpr_count, 0x7ffeu);
  EXPECT_EQ(read.wavefront_size, 0x40u);
  EXPECT_EQ(read.private_segment_fixed_size, 0xfedcba98u);
  EXPECT_EQ(read.group_segment_fixed_size, 0x7edcba98u);
  EXPECT_EQ(read.kernarg_segment_size, 0x12345678u);
  EXPECT_THAT(message(bytes({0x81, 0xae, 'a', 'm', 'd', 'h', 's', 'a', '.', 'k', 'e', 'r', 'n', 'e', 'l', 's',
                             0xd0, 0x80})),
              HasSubstr("amdhsa.kernels of the root is not an array"));
}

TEST(Metadata, RefusesDeepNestingAndHugeCounts) {
  // 100,000 arrays of one element inside each other would overflow a recursive reader's stack.
  EXPECT_THAT(message(std::vector<std::byte>(100000, std::byte{0x91})), HasSubstr("nested deeper than 32"));
  EXPECT_THAT(message(bytes({0xdd, 0xff, 0xff, 0xff, 0xff})), HasSubstr("truncated"));        // array of 4 G
  EXPECT_THAT(message(bytes({0xdf, 0xff, 0xff, 0xff, 0xff, 0xc0})), HasSubstr("truncated"));  // map of 4 G
  EXPECT_THAT(message(bytes({0xdb, 0xff, 0xff, 0xff, 0xff, 0x41})),
              HasSubstr("truncated"));  // string of 4 GB
  EXPECT_THAT(message(bytes({0xc1})), HasSubstr("0xc1"));
}

}  // namespace mockgpu::isa::object::metadata_tests
