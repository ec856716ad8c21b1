// Offsets are those of the AMDGPU usage guide's implicit argument tables (v5: 256 bytes; v4: 56 bytes), which
// start at byte 16 in both test objects.
#include "isa/object/kernarg.h"

#include <gtest/gtest.h>

#include <cstring>

#include "isa/object/code_object.h"
#include "tests/object/files.h"

namespace mockgpu::isa::object::kernarg_tests {

constexpr std::size_t kImplicit = 16;

template <typename T>
T at(const std::vector<std::byte>& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + kImplicit + offset, sizeof(T));
  return value;
}

HiddenValues example() {
  HiddenValues values;
  values.grid = {1000, 70, 5};
  values.group = {256, 32, 5};
  values.dimensions = 3;
  values.global_offset = {0x1111111111, 0x22, 0x33};
  values.hostcall_buffer = 0x4444;
  values.default_queue = 0x5555;
  values.completion_action = 0x6666;
  values.multigrid_sync_arg = 0x7777;
  values.heap_v1 = 0x8888;
  values.queue_ptr = 0x9999;
  values.private_base = 0xaaaa;
  values.shared_base = 0xbbbb;
  values.dynamic_lds_size = 0xcccc;
  return values;
}

TEST(HiddenArguments, FillVersion5) {
  const CodeObject object = CodeObject::read_file(data_path("hidden_v5.co"));
  const KernelMetadata& kernel = object.kernel("hidden").metadata;
  std::vector<std::byte> kernarg(kernel.kernarg_segment_size, std::byte{0xee});
  fill_hidden_arguments(kernel.arguments, example(), kernarg);
  EXPECT_EQ(kernarg[0], std::byte{0xee});        // explicit arguments are left alone
  EXPECT_EQ(at<std::uint32_t>(kernarg, 0), 3u);  // 1000 / 256: the partial group does not count
  EXPECT_EQ(at<std::uint32_t>(kernarg, 4), 2u);
  EXPECT_EQ(at<std::uint32_t>(kernarg, 8), 1u);
  EXPECT_EQ(at<std::uint16_t>(kernarg, 12), 256u);
  EXPECT_EQ(at<std::uint16_t>(kernarg, 14), 32u);
  EXPECT_EQ(at<std::uint16_t>(kernarg, 16), 5u);
  EXPECT_EQ(at<std::uint16_t>(kernarg, 18), 1000u % 256u);
  EXPECT_EQ(at<std::uint16_t>(kernarg, 20), 70u % 32u);
  EXPECT_EQ(at<std::uint16_t>(kernarg, 22), 0u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 40), 0x1111111111u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 48), 0x22u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 56), 0x33u);
  EXPECT_EQ(at<std::uint16_t>(kernarg, 64), 3u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 80), 0x4444u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 88), 0x7777u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 96), 0x8888u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 104), 0x5555u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 112), 0x6666u);
}

TEST(HiddenArguments, FillVersion4) {
  const CodeObject object = CodeObject::read_file(data_path("hidden_v4.co"));
  const KernelMetadata& kernel = object.kernel("hidden").metadata;
  std::vector<std::byte> kernarg(kernel.kernarg_segment_size);
  fill_hidden_arguments(kernel.arguments, example(), kernarg);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 0), 0x1111111111u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 8), 0x22u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 16), 0x33u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 24), 0x4444u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 32), 0x5555u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 40), 0x6666u);
  EXPECT_EQ(at<std::uint64_t>(kernarg, 48), 0x7777u);
}

TEST(HiddenArguments, ValueOfEveryKind) {
  const HiddenValues values = example();
  EXPECT_EQ(hidden_value(ValueKind::hidden_private_base, values), 0xaaaau);
  EXPECT_EQ(hidden_value(ValueKind::hidden_shared_base, values), 0xbbbbu);
  EXPECT_EQ(hidden_value(ValueKind::hidden_dynamic_lds_size, values), 0xccccu);
  EXPECT_EQ(hidden_value(ValueKind::hidden_queue_ptr, values), 0x9999u);
  EXPECT_EQ(hidden_value(ValueKind::hidden_none, values), 0u);
  EXPECT_EQ(hidden_value(ValueKind::hidden_block_count_x, HiddenValues{{8, 1, 1}, {0, 1, 1}}), 0u);
}

TEST(HiddenArguments, RefuseWhatTheyCannotFill) {
  KernelArgument argument;
  argument.kind = ValueKind::hidden_heap_v1;
  argument.kind_name = "hidden_heap_v1";
  argument.hidden = true;
  argument.offset = 8;
  argument.size = 8;
  std::vector<std::byte> kernarg(12);
  EXPECT_EQ(error_of([&] { fill_hidden_arguments({&argument, 1}, {}, kernarg); }).tag(), Tag::bad_usage);
  argument.kind = ValueKind::unknown;
  argument.kind_name = "hidden_of_next_year";
  const Error error = error_of([&] { fill_hidden_arguments({&argument, 1}, {}, kernarg); });
  EXPECT_EQ(error.tag(), Tag::unsupported);
  EXPECT_NE(error.message().find("hidden_of_next_year"), std::string::npos);
}

}  // namespace mockgpu::isa::object::kernarg_tests
