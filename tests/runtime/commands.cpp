#include "runtime/commands.h"
#include "tests/runtime/expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include "runtime/amd/device.h"
#include "tests/runtime/fake_gpu.h"

// Recorded queues on a fake GPU. What a recorded launch must look like is what the same launch without
// recording looks like, which launch.cpp and compute_commands.cpp check.

namespace mockgpu::runtime::commands_tests {

using testing::HasSubstr;

std::vector<std::byte> read_file(const std::string& name) {
  std::ifstream file(std::string(MOCKGPU_TEST_DATA) + "/kernels/gfx1100/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.tag(), Tag::bad_usage);
    return format_error(error);
  }
  ADD_FAILURE() << "no error";
  return {};
}

struct Commands : testing::TestWithParam<bool> {
  FakeGpu gpu;
  std::unique_ptr<Device> device = make_device(gpu, {});
  std::unique_ptr<Program> program = device->load_program(read_file("vecadd.co"));
  const Kernel& kernel = program->kernel("vecadd");

  static std::unique_ptr<Device> make_device(FakeGpu& gpu, const amd::DeviceOptions& options) {
    return std::make_unique<amd::Device>(std::make_shared<amd::Connection>(gpu),
                                         amd::read_topology(gpu).at(0), 0, options);
  }

  void finish(CommandQueue& queue) {
    if (GetParam()) queue.bind();
  }

  struct Seen {
    std::vector<std::uint32_t> words;  // of the dispatch, without the address of the arguments
    std::vector<std::byte> arguments;
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  Seen last_launch() {
    Seen seen{gpu.dispatches.back(), {}};
    const auto user = registers(seen.words, 0x240, 2);
    const auto* block = reinterpret_cast<const std::byte*>(isa::amd::join(user.at(0), user.at(1)));
    seen.arguments.assign(block, block + 32 + 66);
    const auto at = std::search(seen.words.begin(), seen.words.end(), user.begin(), user.end());
    at[0] = at[1] = 0;
    return seen;
  }
};

INSTANTIATE_TEST_SUITE_P(Both, Commands, testing::Bool(),
                         [](const auto& info) { return info.param ? "bound" : "unbound"; });

TEST_P(Commands, LaunchesWithVariablesEqualLaunchesWithValues) {
  const auto queue = device->make_compute_queue();
  const Variable n = queue->variable("n"), b = queue->variable("b");
  CommandShape shape;
  shape.grid.x = n + 1;
  shape.group.x = 256;
  queue->memory_barrier();
  queue->exec(kernel, shape, Arguments(kernel).add(std::uint64_t{0x1000}).add(b + 16).add(b).add(n));
  finish(*queue);
  for (const std::uint32_t count : {1000u, 255u, 70000u}) {
    const std::uint64_t address = 0x7f0000000000 + count;
    queue->set("n", count);
    queue->set(b, address);
    const Point point = device->submit(*queue);
    EXPECT_TRUE(device->reached(point));
    const Seen recorded = last_launch();
    device->launch(
        kernel, {{count + 1, 1, 1}, {256, 1, 1}, 0, false},
        Arguments(kernel).add(std::uint64_t{0x1000}).add(address + 16).add(address).add(count).bytes());
    EXPECT_EQ(recorded, last_launch()) << count;
  }
  EXPECT_EQ(gpu.indirect_calls.size(), GetParam() ? 3u : 0u);
  // The same again: nothing to patch.
  const Seen before = last_launch();
  device->submit(*queue);
  EXPECT_EQ(last_launch(), before);
  EXPECT_EQ(gpu.dispatches.size(), 7u);
}

TEST_P(Commands, ValuesOfEveryCommand) {
  const Buffer memory = device->allocate(4096, MemoryKind::host);
  const auto word = [&](std::size_t offset) { return memory.mmio().read32(offset); };
  const Signal done = device->make_signal();
  for (const bool copies : {false, true}) {
    std::memset(memory.host, 0, 4096);
    std::unique_ptr<CommandQueue> queue;
    if (copies) {
      auto copy = device->make_copy_queue();
      copy->fill(copy->variable("at") + 256, 0x5a, 64);
      copy->copy(copy->variable("at") + 512, copy->variable("at") + 256, 32);
      queue = std::move(copy);
    } else {
      queue = device->make_compute_queue();
    }
    const Variable at = queue->variable("at"), value = queue->variable("value");
    queue->wait(done, 0);
    queue->poll(at, 0, 1);
    queue->write(at, value);
    queue->write(at + 8, value + 1, 8);
    queue->write(memory.address + 16, 17);
    queue->timestamp(done);
    queue->signal(done, value);
    finish(*queue);
    for (const std::uint64_t number : {std::uint64_t{5}, std::uint64_t{0x1'0000'0006}}) {
      queue->set(at, memory.address + 1024);
      queue->set(value, number);
      device->submit(*queue);
      EXPECT_EQ(word(1024), static_cast<std::uint32_t>(number));
      EXPECT_EQ(memory.mmio().read64(1032), number + 1);
      EXPECT_EQ(word(16), 17u);
      EXPECT_EQ(done.value(), static_cast<std::uint32_t>(number));
      EXPECT_EQ(done.timestamp(), 100u);
      EXPECT_EQ(device->nanoseconds(done.timestamp()), 1000u);
      if (!copies) continue;
      EXPECT_EQ(word(1024 + 256 + 60), 0x5a5a5a5au);
      EXPECT_EQ(word(1024 + 512 + 28), 0x5a5a5a5au);
      EXPECT_EQ(word(1024 + 512 + 32), 0u);
    }
    queue->set(at, memory.address + 2048);
    device->submit(*queue);
    EXPECT_EQ(word(2048), 6u);
  }
}

// The fixed part of an indirect call, from the facts: PM4 c0023f00, address, 0x800000 | words; the words of a
// copy queue's buffer are a multiple of 8, and the packet ends at a multiple of 8 words.
TEST(BoundCommands, CopyQueuesKeepTheEnginesAlignment) {
  amd::DeviceOptions options;
  options.ring_bytes = 4096;
  FakeGpu small;
  const auto other = Commands::make_device(small, options);
  const Buffer memory = other->allocate(4096, MemoryKind::host);
  const auto one = other->make_copy_queue(), two = other->make_copy_queue(), plain = other->make_copy_queue();
  one->write(memory.address, 1);
  two->write(memory.address + 4, 2);
  two->write(memory.address + 8, 3);
  plain->write(memory.address + 12, 4);
  one->bind();
  two->bind();
  CommandQueue* const all[] = {one.get(), plain.get(), two.get()};
  for (unsigned i = 0; i < 200; ++i) {
    std::memset(memory.host, 0, 16);
    other->submit(all);
    other->fill(memory.address + 64 + i % 4, 1, 1 + i % 7);
    const std::uint32_t expected[4] = {1, 2, 3, 4};
    ASSERT_EQ(std::memcmp(memory.host, expected, 16), 0) << i;
  }
  EXPECT_EQ(small.indirect_calls.size(), 400u);
  for (const std::uint32_t words : small.indirect_calls) ASSERT_EQ(words % 8, 0u);
  for (const std::uint64_t end : small.call_ends) ASSERT_EQ(end % 8, 0u);
}

TEST_P(Commands, OneSubmissionOfBothEngines) {
  const Buffer memory = device->allocate(64, MemoryKind::host);
  const auto compute = device->make_compute_queue();
  const auto copy = device->make_copy_queue();
  compute->write(memory.address, 1);
  copy->write(memory.address + 4, 2);
  finish(*compute);
  finish(*copy);
  CommandQueue* const both[] = {copy.get(), compute.get()};
  const Point before = device->last_point();
  EXPECT_EQ(device->submit(both), before + 1);
  EXPECT_TRUE(device->reached(before + 1));
  EXPECT_EQ(memory.mmio().read64(0), 0x2'0000'0001u);
}

TEST_P(Commands, LaunchesFollowTheScratchMemory) {
  const auto queue = device->make_compute_queue();
  const std::uint32_t count = 1;
  queue->exec(kernel, {{}, {}, 0}, Arguments(kernel).add(0ull).add(0ull).add(0ull).add(count));
  finish(*queue);
  device->submit(*queue);
  const auto old = registers(gpu.dispatches.back(), 0x210, 2);
  const auto scratch = device->load_program(read_file("scratch.co"));
  const Kernel* most = scratch->kernels()[0];
  for (const Kernel* k : scratch->kernels()) {
    if (k->private_bytes > most->private_bytes) most = k;
  }
  ASSERT_GT(most->private_bytes, 128u);
  gpu.run_queues = false;  // work is in flight: growing must not wait for it
  device->launch(*most, {{1, 1, 1}, {1, 1, 1}, 0, false}, std::vector<std::byte>(most->explicit_bytes));
  gpu.run_queues = true;
  device->submit(*queue);
  EXPECT_NE(registers(gpu.dispatches.back(), 0x210, 2), old);
  EXPECT_GE((registers(gpu.dispatches.back(), 0x218, 1)[0] >> 12) * 4, most->private_bytes);
}

TEST_P(Commands, WrongUseIsRefusedAndSubmitsNothing) {
  const auto queue = device->make_compute_queue();
  const Variable n = queue->variable("count");
  CommandShape shape;
  shape.grid.x = n;
  queue->write(0x1000, 1);
  queue->exec(kernel, shape, Arguments(kernel).add(0ull).add(0ull).add(0ull).add(1u));
  finish(*queue);
  const Point before = device->last_point();
  EXPECT_THAT(message_of([&] { device->submit(*queue); }), HasSubstr("\"count\""));
  EXPECT_THAT(message_of([&] { queue->set("other", 1); }), HasSubstr("no variable \"other\""));
  queue->set(n, 0);
  EXPECT_THAT(message_of([&] { device->submit(*queue); }), HasSubstr("empty grid"));
  CommandQueue* const twice[] = {queue.get(), queue.get()};
  EXPECT_THAT(message_of([&] { device->submit(twice); }), HasSubstr("twice"));
  EXPECT_THAT(message_of([&] { device->submit(std::span<CommandQueue* const>()); }),
              HasSubstr("no command queues"));
  FakeGpu other_gpu;
  const auto other = make_device(other_gpu, {});
  EXPECT_THAT(message_of([&] { other->submit(*queue); }), HasSubstr("another device"));
  const auto foreign = other->make_compute_queue();
  EXPECT_THAT(message_of([&] { foreign->write(n, 1); }), HasSubstr("no variable"));
  EXPECT_THAT(message_of([&] { foreign->exec(kernel, {}, Arguments(kernel)); }), HasSubstr("another device"));
  EXPECT_THAT(message_of([&] { foreign->write(0x1000, 1, 2); }), HasSubstr("4 or 8"));
  EXPECT_EQ(device->last_point(), before);
  EXPECT_TRUE(gpu.dispatches.empty());

  const Arguments symbolic = Arguments(kernel).add(0ull).add(0ull).add(n).add(1u);
  EXPECT_THAT(message_of([&] { symbolic.bytes(); }), HasSubstr("variables"));
  if (GetParam()) {
    EXPECT_THAT(message_of([&] { queue->write(0x1000, 1); }), HasSubstr("bound"));
    EXPECT_THAT(message_of([&] { queue->exec(kernel, shape, symbolic); }), HasSubstr("bound"));
  }
  queue->set(n, 7);
  EXPECT_THAT(message_of([&] {
                const auto copy = device->make_copy_queue();
                copy->fill(copy->variable("to"), 1, 64);
                copy->set("to", 0x1001);  // not at a word: needs more packets
                device->submit(*copy);
              }),
              HasSubstr("length"));
}

TEST_P(Commands, SubmissionsDoNotDisturbThoseInFlight) {
  const auto queue = device->make_compute_queue();
  const Variable n = queue->variable("n");
  CommandShape shape;
  shape.grid.x = n;
  queue->exec(kernel, shape, Arguments(kernel).add(0ull).add(0ull).add(0ull).add(n));
  finish(*queue);
  gpu.run_queues = false;
  queue->set(n, 11);
  device->submit(*queue);
  queue->set(n, 22);
  if (GetParam()) {
    // The commands are in use: the second submission has to wait.
    device->set_hang_timeout(std::chrono::milliseconds(5));
    EXPECT_THROW(device->submit(*queue), Error);
    return;
  }
  gpu.run_queues = true;
  device->submit(*queue);
  ASSERT_EQ(gpu.dispatches.size(), 2u);
  for (const std::uint32_t expected : {11u, 22u}) {
    const auto& dispatch = gpu.dispatches[expected / 11 - 1];
    const auto user = registers(dispatch, 0x240, 2);
    std::uint32_t seen = 0;
    std::memcpy(&seen, reinterpret_cast<const std::byte*>(isa::amd::join(user[0], user[1])) + 24, 4);
    EXPECT_EQ(seen, expected);
    EXPECT_EQ(*(dispatch.end() - 4), expected);
  }
}

TEST_P(Commands, BoundCommandsAreFreedWithTheirQueue) {
  const std::size_t before = gpu.count(isa::amd::kfd::kFreeMemoryOfGpu);
  {
    const auto queue = device->make_compute_queue();
    queue->exec(kernel, {}, Arguments(kernel).add(0ull).add(0ull).add(0ull).add(1u));
    finish(*queue);
    device->submit(*queue);
  }
  EXPECT_EQ(gpu.count(isa::amd::kfd::kFreeMemoryOfGpu), before + (GetParam() ? 2 : 0));
}

}  // namespace mockgpu::runtime::commands_tests
