#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "runtime/device.h"

namespace mockgpu::runtime {

/// Launches and copies that are recorded once with an order of their own and run any number of times, each
/// run one submission. Every node names the nodes that it must come after; the device's engines work side by
/// side where that order allows it. One thread at a time; must not outlive its device or the programs of its
/// kernels.
class Graph {
 public:
  /// A node: 0 for the first one added, then 1, ...
  using Node = std::uint32_t;

  explicit Graph(Device& device);
  /// Waits for the last run.
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// As of command queues: numbers of nodes that get their values before a run.
  Variable variable(std::string_view name);
  void set(Variable variable, std::uint64_t value);
  void set(std::string_view name, std::uint64_t value);

  /// Nodes, each after those of `after`. Throw Error(bad_usage) for nodes that are not there, and after the
  /// first run.
  Node launch(const Kernel& kernel, const CommandShape& shape, const Arguments& arguments,
              const std::vector<Node>& after = {});
  Node copy(const Value& to, const Value& from, std::size_t size, const std::vector<Node>& after = {});
  Node fill(const Value& to, std::uint8_t value, std::size_t size, const std::vector<Node>& after = {});

  /// Queues a run, after all work submitted before. Throws as Device::submit; the first run also what
  /// recording the nodes throws (see ComputeQueue::exec), which empties the graph.
  Point run();

 private:
  static constexpr unsigned kCompute = 0, kCopy = 1;

  /// What a node adds to its engine's queue.
  struct Item {
    unsigned engine = kCompute;
    std::uint32_t place = 0;  // in its engine's order, from 1
    std::uint32_t other = 0;  // the place in the other engine's order that it comes after, 0 = none
    bool is_awaited = false;  // by a node of the other engine
    std::function<void()> record;
  };

  Node add(unsigned engine, const std::vector<Node>& after, std::function<void()> record);
  CommandQueue& queue(unsigned engine);
  void build();

  Device* device_;
  std::unique_ptr<ComputeQueue> compute_;
  std::unique_ptr<CopyQueue> copy_;
  std::vector<Item> items_;
  std::uint32_t places_[2] = {};  // how many nodes each engine has
  // Each engine counts its nodes here, on from `base_` in every run.
  Signal done_[2];
  Variable base_variable_;
  std::uint64_t base_ = 0;
  bool has_crossings_ = false;  // between engines
  bool built_ = false;
  Point last_ = 0;
};

}  // namespace mockgpu::runtime
