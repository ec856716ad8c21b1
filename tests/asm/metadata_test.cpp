#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "isa/amd/asm/metadata_text.h"

namespace mockgpu::tests::asm_metadata_tests {

using isa::amd::MetadataMismatch;
using isa::amd::SourceLine;
using isa::amd::SourceLinePtr;

std::vector<SourceLinePtr> lines_of(const std::string& text) {
  std::vector<SourceLinePtr> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    auto source = std::make_shared<SourceLine>();
    source->number = lines.size() + 1;
    source->text = line;
    lines.push_back(std::move(source));
  }
  return lines;
}

std::string packed(const std::string& text) {
  const std::vector<std::byte> bytes = isa::amd::pack_metadata(lines_of(text));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// What all the texts below say, in MessagePack: 0x8n is a map of n, 0x9n an array, 0xan and 0xbn texts, 0xc2
// false.
constexpr std::string_view kKernel =
    "\x82\xae"
    "amdhsa.kernels"
    "\x91\x84\xa5"
    ".args"
    "\x92\x82\xa5"
    ".size"
    "\x08\xaa"
    ".type_name"
    "\xa6"
    "float*"
    "\x80\xa5"
    ".name"
    "\xa1"
    "k"
    "\xb3"
    ".uses_dynamic_stack"
    "\xc2\xa4"
    ".vec"
    "\xa9"
    "int[4], x"
    "\xae"
    "amdhsa.version"
    "\x92\x01\x02";

TEST(AsmMetadata, BlocksAsLlvmWritesThem) {
  EXPECT_EQ(packed(R"(---
amdhsa.kernels:
  - .args:
      - .size:           8
        .type_name:      'float*'
      - {}
    .name:           k
    .uses_dynamic_stack: false
    .vec:  int[4], x
amdhsa.version:
  - 1
  - 2
...
)"),
            kKernel);
}

// JSON is YAML, and programs that write assembly write JSON.
TEST(AsmMetadata, Json) {
  EXPECT_EQ(packed(R"({"amdhsa.version":[1,2],"amdhsa.kernels":[{".name":"k",".args":[{".size":8,)"
                   R"(".type_name":"float*"},{}],".uses_dynamic_stack":false,".vec":"int[4], x"}]})"),
            kKernel);
  EXPECT_EQ(packed(R"({
  "amdhsa.kernels": [
    {
      ".name": "k",
      ".args": [
        {
          ".size": 8,
          ".type_name": "float*"
        },
        {}
      ],
      ".uses_dynamic_stack": false,
      ".vec": "int[4], x"
    }
  ],
  "amdhsa.version": [
	1,
	2
  ]
})"),
            kKernel);
}

TEST(AsmMetadata, SpacesCommentsAndTruth) {
  EXPECT_EQ(packed(R"(# all of it
amdhsa.version : [1, # the first
  2]
amdhsa.kernels : # one
  - { .name : k, .args : [{.size: 8, .type_name: 'float*'}, {}], .uses_dynamic_stack: False,
      .vec: "int[4], x" } # done
)"),
            kKernel);
  EXPECT_EQ(packed("a: 'x # y'\nb: it's#3 # no\nc: [True, yes, OFF]"),
            "\x83\xa1"
            "a\xa5"
            "x # y\xa1"
            "b\xa6"
            "it's#3\xa1"
            "c\x93\xc3\xc3\xc2");
}

// As llvm-mc-19 packs them: 0xff is -1, 0xd3 a number of 8 bytes.
TEST(AsmMetadata, KeysAreNumbersToo) {
  EXPECT_EQ(packed("a: {x: 1, 3: 32, -1: 2, 0x10: -0x8000000000000000}"),
            std::string_view("\x81\xa1"
                             "a\x84\xff\x02\x03\x20\x10\xd3\x80\0\0\0\0\0\0\0\xa1"
                             "x\x01",
                             21));
  EXPECT_EQ(packed("1:\n  - 2\n2: b"),
            "\x82\x01\x91\x02\x02\xa1"
            "b");
}

TEST(AsmMetadata, LongCollectionsHaveLongHeads) {
  std::string text = "[0", map = "{0: 0";
  for (int i = 1; i < 300; ++i) {
    text += ",0";
    map += fmt::format(",{}: 0", i);
  }
  EXPECT_EQ(packed(text + "]"), std::string("\xdc\x01\x2c", 3) + std::string(300, '\0'));
  EXPECT_TRUE(packed(map + "}").starts_with(std::string_view("\xde\x01\x2c\0\0\x01\0", 7)));
  std::string longest = "[0";
  for (int i = 1; i < 70'000; ++i) longest += ",0";
  EXPECT_EQ(packed(longest + "]"), std::string("\xdd\0\x01\x11\x70", 5) + std::string(70'000, '\0'));
}

TEST(AsmMetadata, CollectionsInBracketsGoOnBelow) {
  EXPECT_EQ(packed(R"(
amdhsa.version: [1,
                 2]
amdhsa.kernels:
  - {.name: k, .args: [
      { .size: 8,
        .type_name: "float*" },
      {}],
     .uses_dynamic_stack: false, .vec: 'int[4], x'}
)"),
            kKernel);
}

TEST(AsmMetadata, MistakesHaveALineAndAColumn) {
  struct Case {
    const char *text, *message;
    std::size_t line, column;  // the column from 0
  };
  for (const Case& test : {
           Case{"a: [1, 2", "']' is missing", 1, 8},
           Case{"a: [1,\n  2}", "expected ',' or ']'", 2, 3},
           Case{"a:\n  - {b: 1,\n     c 2}", "expected `key: value`", 3, 8},
           Case{"a:\n  - {b: 1,\n     b: 2}", "b stands here twice", 3, 6},
           Case{"a: 'x", "no closing quote", 1, 5},
           Case{"a: \"x\\", "no closing quote", 1, 6},
           Case{"a: {3: 1, 0x3: 2}", "3 stands here twice", 1, 13},
           Case{"a: [1] 2", "unexpected text", 1, 7},
           Case{"a: 1\n  b: 2", "fits nowhere", 2, 2},
           Case{"a: 1\nb", "expected `key: value`", 2, 0},
           Case{"a: 1\nb: 2\na: 3", "a stands here twice", 3, 0},
           Case{"a:\n  -\nb: 1", "an item without a value", 3, 0},
       }) {
    try {
      packed(test.text);
      ADD_FAILURE() << test.text;
    } catch (const MetadataMismatch& wrong) {
      EXPECT_THAT(wrong.mismatch.message, ::testing::HasSubstr(test.message)) << test.text;
      EXPECT_EQ(wrong.line->number, test.line) << test.text;
      EXPECT_EQ(wrong.mismatch.column, test.column) << test.text;
    }
  }
  EXPECT_THROW(packed(std::string(100, '[')), MetadataMismatch);
}

}  // namespace mockgpu::tests::asm_metadata_tests
