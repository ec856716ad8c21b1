// The small languages of the command line: values, slices, shapes, cases.
#include "tools/cli/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "isa/base/error.h"
#include "tools/cli/launch_case.h"

namespace mockgpu::tools::values_tests {

template <typename T>
std::vector<T> made(ElementType type, std::size_t count, std::string_view description) {
  const std::vector<std::byte> bytes = make_values(type, count, description, "");
  std::vector<T> values(count);
  EXPECT_EQ(bytes.size(), count * sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(Values, Descriptions) {
  EXPECT_EQ(made<float>(ElementType::f32, 3, "zeros"), (std::vector<float>{0.0f, 0.0f, 0.0f}));
  EXPECT_EQ(made<std::uint8_t>(ElementType::u8, 2, "ones"), (std::vector<std::uint8_t>{1, 1}));
  EXPECT_EQ(made<double>(ElementType::f64, 2, "fill:-2.5"), (std::vector<double>{-2.5, -2.5}));
  EXPECT_EQ(made<float>(ElementType::f32, 3, "iota"), (std::vector<float>{0.0f, 1.0f, 2.0f}));
  EXPECT_EQ(made<float>(ElementType::f32, 3, "iota*2-0.5"), (std::vector<float>{-0.5f, 1.5f, 3.5f}));
  EXPECT_EQ(made<float>(ElementType::f32, 2, "iota*5e-1+1"), (std::vector<float>{1.0f, 1.5f}));
  EXPECT_EQ(made<std::int32_t>(ElementType::i32, 3, "iota*-1"), (std::vector<std::int32_t>{0, -1, -2}));
  EXPECT_EQ(made<std::int16_t>(ElementType::i16, 3, "1,-2,0x10"), (std::vector<std::int16_t>{1, -2, 16}));
  EXPECT_EQ(made<std::uint64_t>(ElementType::u64, 1, "18446744073709551615"),
            (std::vector<std::uint64_t>{~std::uint64_t{0}}));
  EXPECT_EQ(made<std::uint8_t>(ElementType::u8, 3, "iota+255"), (std::vector<std::uint8_t>{255, 0, 1}));
}

TEST(Values, IntegersCountModuloTheirSize) {
  constexpr std::uint64_t kLast = ~std::uint64_t{0};
  EXPECT_EQ(made<std::uint64_t>(ElementType::u64, 4, "iota+18446744073709551615"),
            (std::vector<std::uint64_t>{kLast, 0, 1, 2}));
  EXPECT_EQ(made<std::uint64_t>(ElementType::u64, 4, "iota*18446744073709551615+1"),
            (std::vector<std::uint64_t>{1, 0, kLast, kLast - 1}));
  // 3 * (2^63 + 1) = 2^63 + 3 modulo 2^64.
  EXPECT_EQ(made<std::uint64_t>(ElementType::u64, 4, "iota*0x8000000000000001").back(), 0x8000000000000003u);
  EXPECT_EQ(made<std::int64_t>(ElementType::i64, 3, "iota-9223372036854775808"),
            (std::vector<std::int64_t>{INT64_MIN, INT64_MIN + 1, INT64_MIN + 2}));
  EXPECT_EQ(made<std::int32_t>(ElementType::i32, 4, "iota*0.5+1"), (std::vector<std::int32_t>{1, 1, 2, 2}));
}

TEST(Values, IntegersAreFinite) {
  for (const char* text :
       {"fill:nan", "fill:inf", "fill:-inf", "1,nan,2", "iota+inf", "iota*nan", "rand:nan"}) {
    EXPECT_THROW(make_values(ElementType::i32, 3, text, ""), Error) << text;
    EXPECT_THROW(make_values(ElementType::u64, 3, text, ""), Error) << text;
  }
  EXPECT_EQ(made<std::int8_t>(ElementType::i8, 1, "fill:300"), (std::vector<std::int8_t>{44}));
}

TEST(Values, SixteenBitFloatsRoundToNearestEven) {
  EXPECT_EQ(made<std::uint16_t>(ElementType::f16, 8, "1,-2,65504,65520,5.9604645e-8,inf,0.1,-0.0"),
            (std::vector<std::uint16_t>{0x3c00, 0xc000, 0x7bff, 0x7c00, 0x0001, 0x7c00, 0x2e66, 0x8000}));
  // 1 + 2^-11 is a tie (to even: down), 1 + 3 * 2^-11 one upwards; 2047.75 carries into the next exponent.
  EXPECT_EQ(made<std::uint16_t>(ElementType::f16, 3, "1.00048828125,1.00146484375,2047.75"),
            (std::vector<std::uint16_t>{0x3c00, 0x3c02, 0x6800}));
  EXPECT_EQ(made<std::uint16_t>(ElementType::bf16, 4, "1,3.14159265,-inf,1e-40"),
            (std::vector<std::uint16_t>{0x3f80, 0x4049, 0xff80, 0x0001}));
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
      std::byte bytes[2], again[2];
      std::memcpy(bytes, &bits, 2);
      const Number value = read_element(type, bytes, 0);
      if (std::isnan(value)) continue;
      write_element(type, again, 0, value);
      ASSERT_EQ(std::memcmp(bytes, again, 2), 0) << bits;
    }
  }
}

TEST(Values, RandomIsReproducibleAndInRange) {
  const auto floats = made<float>(ElementType::f32, 1000, "rand:1");
  EXPECT_EQ(floats, made<float>(ElementType::f32, 1000, "rand:1"));
  EXPECT_NE(floats, made<float>(ElementType::f32, 1000, "rand:2"));
  for (const float value : floats) EXPECT_TRUE(value >= -1 && value < 1);
  bool low = false, high = false;
  for (const std::int32_t value : made<std::int32_t>(ElementType::i32, 1000, "rand:1:-2:2")) {
    EXPECT_TRUE(value >= -2 && value <= 2);
    low = low || value == -2;
    high = high || value == 2;
  }
  EXPECT_TRUE(low && high);
}

TEST(Values, RandomIntegersReachEveryBit) {
  // Values of 64 bits: each bit is set in some and clear in others, and they lie in all quarters of the
  // range.
  const auto check = [](std::string_view description, std::uint64_t low, std::uint64_t high) {
    std::uint64_t set = 0, clear = 0;
    unsigned quarters = 0;
    for (const std::uint64_t value : made<std::uint64_t>(ElementType::u64, 1000, description)) {
      EXPECT_TRUE(value >= low && value <= high) << value;
      set |= value;
      clear |= ~value;
      quarters |= 1u << (value - low) / ((high - low) / 4 + 1);
    }
    EXPECT_EQ(set & clear & 0xffffffffffffffu, 0xffffffffffffffu) << description;
    EXPECT_EQ(quarters, 0xfu) << description;
  };
  check("rand:1:0:18446744073709551615", 0, ~std::uint64_t{0});
  check("rand:1:3:0xc000000000000002", 3, 0xc000000000000002u);
  EXPECT_EQ(made<std::int64_t>(ElementType::i64, 2, "rand:1:-9223372036854775808:-9223372036854775808"),
            (std::vector<std::int64_t>{INT64_MIN, INT64_MIN}));
  // Only integers between the bounds.
  for (const std::int32_t value : made<std::int32_t>(ElementType::i32, 100, "rand:1:0.5:2.5"))
    EXPECT_TRUE(value == 1 || value == 2) << value;
}

TEST(Values, RandomBoundsAreAFiniteRange) {
  for (const char* range : {"-inf:inf", "0:inf", "-inf:0", "inf:inf", "nan:1", "0:nan", "1:0"}) {
    for (const ElementType type : {ElementType::f16, ElementType::f32, ElementType::f64, ElementType::i32}) {
      EXPECT_THROW(make_values(type, 3, std::string("rand:1:") + range, ""), Error) << range;
    }
  }
  EXPECT_THROW(make_values(ElementType::u64, 3, "rand:1:0:18446744073709551616", ""), Error);
  EXPECT_THROW(make_values(ElementType::i32, 3, "rand:1:0.2:0.8", ""), Error);
}

TEST(Values, BadOnesThrow) {
  for (const char* text :
       {"", "five", "1,2", "iota+", "iota2", "rand:", "rand:1:5", "rand:1:5:4", "fill:", "1,,2", " 1"}) {
    EXPECT_THROW(make_values(ElementType::f32, 3, text, ""), Error) << text;
  }
}

TEST(CommandLine, Slices) {
  const Slice all = parse_slice("2");
  EXPECT_EQ(all.argument, 2u);
  EXPECT_FALSE(all.count);
  const Slice first = parse_slice("2:16");
  EXPECT_EQ(first.first, 0u);
  EXPECT_EQ(first.count, 16u);
  const Slice middle = parse_slice("0:8..24");
  EXPECT_EQ(middle.first, 8u);
  EXPECT_EQ(middle.count, 16u);
  for (const char* text : {"", "x", "1:", "1:0", "1:5..5", "1:5..", "-1"})
    EXPECT_THROW(parse_slice(text), Error) << text;
}

TEST(CommandLine, Arguments) {
  const ArgumentText buffer = parse_argument("f16[12]=iota*2");
  EXPECT_EQ(buffer.kind, ArgumentText::Kind::buffer);
  EXPECT_EQ(buffer.type, ElementType::f16);
  EXPECT_EQ(buffer.count, 12u);
  EXPECT_EQ(buffer.description, "iota*2");
  EXPECT_EQ(parse_argument("u64=7").kind, ArgumentText::Kind::scalar);
  EXPECT_EQ(parse_argument("local=4096").count, 4096u);
  for (const char* text : {"", "f32", "f32=", "f32[]=1", "f32[-1]=1", "f32[4=1", "f33=1", "local=x"}) {
    EXPECT_THROW(parse_argument(text), Error) << text;
  }
}

TEST(CommandLine, Shapes) {
  const runtime::Dim3 d = parse_dim3("8,4,2", "--grid");
  EXPECT_EQ(d.x * 100 + d.y * 10 + d.z, 842u);
  EXPECT_EQ(parse_dim3("7", "--grid").y, 1u);
  for (const char* text : {"", "0", "1,", "1,2,3,4", "-1", "4294967296", "a"}) {
    EXPECT_THROW(parse_dim3(text, "--grid"), Error) << text;
  }
}

}  // namespace mockgpu::tools::values_tests
