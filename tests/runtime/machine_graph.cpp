#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "isa/base/error.h"
#include "runtime/graph.h"
#include "tests/runtime/expectations.h"
#include "tests/runtime/on_machine.h"

namespace mockgpu::runtime::machine_graph_tests {

using MachineGraph = OnMachine;

INSTANTIATE_TEST_SUITE_P(Modes, MachineGraph, testing::ValuesIn(kModes), mode_name);

// y = x + x; z = a copy of y; w = z + x; then y is filled.
TEST_P(MachineGraph, KernelsAndCopiesInTheOrderOfTheirNodes) {
  const auto program = device->load_program(read_kernel_file("vecadd.co"));
  const Kernel& add = program->kernel("vecadd");
  constexpr std::uint32_t n = 5000;
  std::vector<Buffer> inputs;
  for (int i = 0; i < 4; ++i) inputs.push_back(upload(counting(n, static_cast<float>(i))));
  const Buffer y = device->allocate(n * 4), z = device->allocate(n * 4), w = device->allocate(n * 4);
  CommandShape shape;
  shape.grid.x = n;
  shape.group.x = 128;
  Graph graph(*device);
  const Variable x = graph.variable("x");
  const Graph::Node cleared = graph.fill(z.address, 0, n * 4);
  const Graph::Node doubled = graph.launch(add, shape, Arguments(add).add(x).add(x).add(y).add(n));
  const Graph::Node copied = graph.copy(z.address, y.address, n * 4, {doubled, cleared});
  const Graph::Node summed = graph.launch(add, shape, Arguments(add).add(z).add(x).add(w).add(n), {copied});
  graph.fill(y.address, 0xff, n * 4, {doubled, summed});
  for (int run = 0; run < 12; ++run) {
    graph.set(x, inputs[static_cast<std::size_t>(run % 4)].address);
    graph.run();
    if (run % 3 != 0) continue;  // runs follow each other without the host, too
    std::vector<float> seen(n);
    device->download(seen, w);
    for (std::uint32_t i = 0; i < n; ++i)
      ASSERT_EQ(seen[i], 3 * static_cast<float>(i + static_cast<std::uint32_t>(run % 4)));
    std::vector<std::uint32_t> words(n);
    device->download(words, y);
    ASSERT_EQ(words, std::vector<std::uint32_t>(n, 0xffffffff));
  }
}

TEST_P(MachineGraph, WrongUse) {
  Graph graph(*device);
  EXPECT_EQ(tag_of([&] { graph.run(); }), Tag::bad_usage);
  const Buffer buffer = device->allocate(64);
  EXPECT_EQ(tag_of([&] { graph.fill(buffer.address, 1, 64, {0}); }), Tag::bad_usage);
  graph.fill(graph.variable("to"), 1, 64);
  EXPECT_EQ(tag_of([&] { graph.run(); }), Tag::bad_usage);
  graph.set("to", buffer.address);
  device->wait(graph.run());
  EXPECT_EQ(tag_of([&] { graph.fill(buffer.address, 1, 64); }), Tag::bad_usage);

  const auto program = device->load_program(read_kernel_file("vecadd.co"));
  const Kernel& add = program->kernel("vecadd");
  Graph incomplete(*device);
  incomplete.fill(buffer.address, 2, 64);
  incomplete.launch(add, {}, Arguments(add));
  EXPECT_EQ(tag_of([&] { incomplete.run(); }), Tag::bad_usage);
  EXPECT_EQ(tag_of([&] { incomplete.run(); }), Tag::bad_usage);
}

}  // namespace mockgpu::runtime::machine_graph_tests
