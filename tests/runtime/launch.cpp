#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "isa/base/error.h"
#include "runtime/amd/argument_ring.h"
#include "runtime/amd/device.h"
#include "runtime/amd/program.h"
#include "runtime/amd/sizes.h"
#include "runtime/platform.h"
#include "tests/runtime/expectations.h"
#include "tests/runtime/fake_gpu.h"

namespace mockgpu::runtime::launch_tests {

std::vector<std::byte> read_file(const std::string& name) {
  std::ifstream file(std::string(MOCKGPU_TEST_DATA) + "/kernels/gfx1100/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

std::string message_of(const std::function<void()>& action, Tag tag) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.tag(), tag);
    return format_error(error);
  }
  ADD_FAILURE() << "no error";
  return {};
}

struct Launches : testing::Test {
  FakeGpu gpu;
  std::unique_ptr<Device> device = open_device(gpu);

  const std::vector<std::uint32_t>& dispatch() { return gpu.dispatches.back(); }
  const std::byte* arguments() {
    const auto user = registers(dispatch(), 0x240, 2);
    return reinterpret_cast<const std::byte*>(isa::amd::join(user[0], user[1]));
  }
  template <typename T>
  T argument(std::size_t offset) {
    T value;
    std::memcpy(&value, arguments() + offset, sizeof value);
    return value;
  }
};

// Expected values: llvm-readobj-19 and llvm-objdump-19 of the code object.
TEST_F(Launches, Vecadd) {
  const auto program = device->load_program(read_file("vecadd.co"));
  std::vector<std::string> names;
  for (const Kernel* kernel : program->kernels()) names.push_back(kernel->name);
  EXPECT_EQ(names, (std::vector<std::string>{"vecadd", "saxpy4", "strided"}));
  const Kernel& kernel = program->kernel("vecadd");
  EXPECT_EQ(kernel.wave_size, 32u);
  ASSERT_EQ(kernel.arguments.size(), 4u);
  EXPECT_EQ(kernel.arguments[0].kind, KernelArgument::Kind::pointer);
  EXPECT_EQ(kernel.arguments[0].size, 8u);
  EXPECT_EQ(kernel.arguments[3].kind, KernelArgument::Kind::value);
  EXPECT_EQ(kernel.arguments[3].offset, 24u);
  EXPECT_EQ(kernel.arguments[3].size, 4u);

  const Buffer a = device->allocate(4000), b = device->allocate(4000), c = device->allocate(4000);
  LaunchShape shape;
  shape.grid = {1000, 1, 1};
  shape.group = {256, 1, 1};
  shape.timed = true;
  EXPECT_EQ(device->kernel_time(), std::nullopt);
  const Point point =
      device->launch(kernel, shape, Arguments(kernel).add(a).add(b).add(c).add(std::uint32_t{1000}).bytes());
  EXPECT_EQ(point, device->last_point());
  device->synchronize();

  ASSERT_EQ(gpu.dispatches.size(), 1u);
  const auto pgm = registers(dispatch(), 0x20c, 2);
  const std::uint64_t entry = isa::amd::join(pgm[0], pgm[1]) << 8;
  EXPECT_EQ(program->locate(entry), "vecadd+0x0");
  EXPECT_EQ(program->locate(entry + 0x104), "saxpy4+0x4");
  EXPECT_EQ(program->locate(1), std::nullopt);
  // The code is where the registers say: the first instruction of vecadd.
  const auto object = read_file("vecadd.co");
  const auto& loaded = static_cast<const amd::Program&>(*program);
  const auto code = loaded.object().bytes_at(0x2400, 180);
  EXPECT_EQ(std::memcmp(reinterpret_cast<const void*>(entry), code.data(), code.size()), 0);

  EXPECT_EQ(registers(dispatch(), 0x212, 2), (std::vector<std::uint32_t>{0x60af0080 | 1u << 20, 0x9e}));
  EXPECT_EQ(registers(dispatch(), 0x218, 1), (std::vector<std::uint32_t>{512 | 32u << 12}));
  EXPECT_EQ(registers(dispatch(), 0x204, 8),
            (std::vector<std::uint32_t>{0, 0, 0, 256 | 232u << 16, 1 | 1u << 16, 1 | 1u << 16, 0, 0}));
  EXPECT_THAT(std::vector<std::uint32_t>(dispatch().end() - 4, dispatch().end()),
              testing::ElementsAre(4, 1, 1, 0x8007));

  EXPECT_EQ(argument<std::uint64_t>(0), a.address);
  EXPECT_EQ(argument<std::uint64_t>(16), c.address);
  EXPECT_EQ(argument<std::uint32_t>(24), 1000u);
  // Hidden arguments of code object v5 start at 32: block counts, group sizes, remainders, ..., dimensions.
  EXPECT_EQ(argument<std::uint32_t>(32), 3u);
  EXPECT_EQ(argument<std::uint16_t>(32 + 12), 256u);
  EXPECT_EQ(argument<std::uint16_t>(32 + 18), 232u);
  EXPECT_EQ(argument<std::uint16_t>(32 + 64), 1u);

  // The fake clock counts dispatches from 100: one tick is 10 ns.
  const auto time = device->kernel_time();
  ASSERT_TRUE(time);
  EXPECT_EQ(time->start_ns, 1000u);
  EXPECT_EQ(time->end_ns, 1010u);
}

TEST_F(Launches, RefusesWrongUse) {
  const auto program = device->load_program(read_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");
  EXPECT_THAT(message_of([&] { program->kernel("nothing"); }, Tag::bad_usage),
              testing::HasSubstr("vecadd, saxpy4, strided"));
  const auto block = [&] {
    return Arguments(kernel).add(std::uint64_t{0}).add(std::uint64_t{0}).add(std::uint64_t{0}).add(7u);
  };
  const auto launch = [&](Dim3 grid, Dim3 group, std::uint32_t dynamic = 0) {
    return message_of(
        [&] {
          device->launch(kernel, {grid, group, dynamic, false}, block().bytes());
        },
        Tag::bad_usage);
  };
  EXPECT_THAT(launch({0, 1, 1}, {1, 1, 1}), testing::HasSubstr("empty grid"));
  EXPECT_THAT(launch({1, 1, 1}, {1, 0, 1}), testing::HasSubstr("empty workgroup"));
  EXPECT_THAT(launch({4096, 1, 1}, {2048, 1, 1}), testing::HasSubstr("the most is"));
  EXPECT_THAT(launch({~0u, ~0u, ~0u}, {1, 1, 1}), testing::HasSubstr("the most is 2^32 workgroups"));
  EXPECT_THAT(launch({1, 1, 1}, {0x10000, 0x10000, 1}), testing::HasSubstr("the most is"));
  EXPECT_THAT(launch({1, 1, 1}, {1, 1, 1}, 0x10001), testing::HasSubstr("group memory"));
  EXPECT_THAT(message_of([&] { block().add(1u); }, Tag::bad_usage), testing::HasSubstr("takes 4"));
  EXPECT_THAT(message_of([&] { Arguments(kernel).add(1u); }, Tag::bad_usage),
              testing::HasSubstr("has 8 bytes, got 4"));
  EXPECT_THAT(message_of([&] { Arguments(kernel).add(std::uint64_t{1}).bytes(); }, Tag::bad_usage),
              testing::HasSubstr("takes 4 arguments, got 1"));
  EXPECT_THAT(message_of([&] { device->launch(kernel, {}, {}); }, Tag::bad_usage),
              testing::HasSubstr("takes 28 bytes"));
  FakeGpu other_gpu;
  const auto other = open_device(other_gpu);
  EXPECT_THAT(message_of([&] { other->launch(kernel, {}, block().bytes()); }, Tag::bad_usage),
              testing::HasSubstr("another device"));
  EXPECT_TRUE(gpu.dispatches.empty());
}

TEST_F(Launches, RefusesOtherFiles) {
  const std::byte text[16] = {};
  message_of([&] { device->load_program(text); }, Tag::bad_file);
  std::ifstream file(std::string(MOCKGPU_TEST_DATA) + "/kernels/gfx1030/vecadd.co", std::ios::binary);
  const std::string other((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(
      message_of([&] { device->load_program(std::as_bytes(std::span(other)), "other.co"); }, Tag::bad_file),
      testing::AllOf(testing::HasSubstr("other.co"), testing::HasSubstr("gfx1030")));
}

TEST_F(Launches, DynamicGroupMemoryAndScratch) {
  const auto program = device->load_program(read_file("vecadd.co"));
  const Kernel& kernel = program->kernel("saxpy4");
  const std::vector<std::byte> block(kernel.explicit_bytes);
  device->launch(kernel, {{64, 2, 3}, {64, 1, 1}, 1000, false}, block);
  EXPECT_EQ(registers(dispatch(), 0x212, 2)[1], 0x9eu | 2u << 15);  // two granules of 512 bytes
  EXPECT_EQ(argument<std::uint16_t>(24 + 64), 3u);

  const auto scratch = device->load_program(read_file("scratch.co"));
  std::uint32_t most = 0;
  for (const Kernel* k : scratch->kernels()) {
    std::vector<std::byte> arguments(k->explicit_bytes);
    device->launch(*k, {{1, 1, 1}, {1, 1, 1}, 0, false}, arguments);
    most = std::max(most, k->private_bytes);
  }
  // Whatever grew, the last launch has room for its private bytes: WAVESIZE counts 256 bytes for 64 lanes.
  ASSERT_GT(most, 0u);
  EXPECT_GE((registers(dispatch(), 0x218, 1)[0] >> 12) * 4, std::max(most, 128u));
}

TEST(SmallDevice, ArgumentsOfManyLaunchesStayApart) {
  FakeGpu gpu;
  amd::DeviceOptions options;
  options.arguments_bytes = 16 * 4096;
  options.ring_bytes = 16 * 1024;
  amd::Device amd_device(std::make_shared<amd::Connection>(gpu), amd::read_topology(gpu).at(0), 0, options);
  Device& device = amd_device;
  const auto program = device.load_program(read_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");
  for (std::uint32_t i = 0; i < 1000; ++i) {  // several times what the rings hold
    std::byte block[28] = {};
    std::memcpy(block + 24, &i, 4);
    device.launch(kernel, {{1, 1, 1}, {1, 1, 1}, 0, false}, block);
    const auto user = registers(gpu.dispatches.back(), 0x240, 2);
    std::uint32_t seen = 0;
    std::memcpy(&seen, reinterpret_cast<const std::byte*>(isa::amd::join(user[0], user[1])) + 24, 4);
    ASSERT_EQ(seen, i);
  }
}

TEST(ArgumentRing, ReusesASegmentAfterItsLastLaunch) {
  amd::ArgumentRing ring;
  std::vector<std::byte> memory(16 * 256);
  Buffer buffer;
  buffer.address = 0x10000;
  buffer.size = memory.size();
  buffer.host = memory.data();
  ring.start(buffer);
  std::vector<Point> waits;
  const auto wait = [&](Point point) { waits.push_back(point); };
  for (Point point = 1; point <= 33; ++point) {
    const auto slot = ring.take(100, wait);  // 128 with alignment: two in a segment
    EXPECT_EQ(slot.address, 0x10000 + (point - 1) % 32 * 128);
    ring.used_by(point);
  }
  ASSERT_EQ(waits.size(), 16u);  // for every segment but the first one
  EXPECT_EQ(waits.back(), 2u);
  EXPECT_THROW(ring.take(257, wait), Error);
}

// The published numbers of an RX 7900 XTX client.
TEST(Sizes, SaveAreaAndScratchOfGfx1100) {
  FakeGpu gpu;
  const amd::Node node = amd::read_topology(gpu).at(0);
  const amd::SaveAreaSizes save = amd::save_area_sizes(node);
  EXPECT_EQ(save.control_stack, 0xa000u);
  EXPECT_EQ(save.save, 0x2bea000u);
  EXPECT_EQ(save.total, 0x2c02000u);
  const amd::ScratchLayout small = amd::scratch_layout(node, 128, 32);
  EXPECT_EQ(small.tmpring, 512u | 32u << 12);
  EXPECT_EQ(small.bytes, 0x1800000u);
  const amd::ScratchLayout odd = amd::scratch_layout(node, 129, 32);
  EXPECT_EQ(odd.per_lane, 132u);
  EXPECT_EQ(odd.tmpring, 512u | 33u << 12);
  EXPECT_EQ(amd::max_private_bytes(), 0x7fffu * 4);
}

}  // namespace mockgpu::runtime::launch_tests
