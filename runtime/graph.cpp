#include "runtime/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/base/error.h"

namespace mockgpu::runtime {
namespace {

// Devices see 32 bits of a signal.
constexpr std::uint64_t kMostCount = 0x7fffffff;
// No user's variable has this name.
constexpr std::string_view kBaseName = "";

}  // namespace

Graph::Graph(Device& device)
    : device_(&device),
      compute_(device.make_compute_queue()),
      copy_(device.make_copy_queue()),
      done_{device.make_signal(), device.make_signal()},
      base_variable_(variable(kBaseName)) {}

Graph::~Graph() {
  try {
    device_->wait(last_);
  } catch (const Error&) {
    // The device is broken: nothing runs any more.
  }
  for (const Signal& signal : done_) device_->free(signal);
}

CommandQueue& Graph::queue(unsigned engine) {
  if (engine == kCompute) return *compute_;
  return *copy_;
}

// Both queues number their variables alike, since both get all of them.
Variable Graph::variable(std::string_view name) {
  copy_->variable(name);
  return compute_->variable(name);
}

void Graph::set(Variable variable, std::uint64_t value) {
  compute_->set(variable, value);
  copy_->set(variable, value);
}

void Graph::set(std::string_view name, std::uint64_t value) {
  compute_->set(name, value);
  copy_->set(name, value);
}

Graph::Node Graph::launch(const Kernel& kernel, const CommandShape& shape, const Arguments& arguments,
                          const std::vector<Node>& after) {
  return add(kCompute, after, [=, this, &kernel] { compute_->exec(kernel, shape, arguments); });
}

Graph::Node Graph::copy(const Value& to, const Value& from, std::size_t size,
                        const std::vector<Node>& after) {
  return add(kCopy, after, [=, this] { copy_->copy(to, from, size); });
}

Graph::Node Graph::fill(const Value& to, std::uint8_t value, std::size_t size,
                        const std::vector<Node>& after) {
  return add(kCopy, after, [=, this] { copy_->fill(to, value, size); });
}

// Nodes of one engine run in the order in which they were added; what remains is the order between engines.
Graph::Node Graph::add(unsigned engine, const std::vector<Node>& after, std::function<void()> record) {
  if (built_) throw Error(Tag::bad_usage, "the graph has run: nothing can be added");
  Item item;
  item.engine = engine;
  item.record = std::move(record);
  Node awaited = 0;
  for (const Node node : after) {
    if (node >= items_.size()) throw Error(Tag::bad_usage, fmt::format("the graph has no node {}", node));
    const Item& earlier = items_[node];
    if (earlier.engine == engine || earlier.place <= item.other) continue;
    item.other = earlier.place;
    awaited = node;
  }
  if (item.other != 0) items_[awaited].is_awaited = has_crossings_ = true;
  item.place = ++places_[engine];
  items_.push_back(std::move(item));
  return static_cast<Node>(items_.size() - 1);
}

void Graph::build() {
  std::uint32_t seen[2] = {};  // what each engine knows of the other one
  for (const Item& item : items_) {
    const unsigned other = 1 - item.engine;
    CommandQueue& commands = queue(item.engine);
    if (item.other > seen[item.engine]) {
      commands.wait(done_[other], base_variable_ + item.other);
      if (item.engine == kCompute) compute_->memory_barrier();
      seen[item.engine] = item.other;
    }
    item.record();
    if (item.is_awaited) commands.signal(done_[item.engine], base_variable_ + item.place);
  }
}

Point Graph::run() {
  if (items_.empty()) throw Error(Tag::bad_usage, "the graph is empty");
  if (!built_) {
    built_ = true;
    try {
      build();
    } catch (...) {
      items_.clear();  // half a graph must not run
      throw;
    }
  }
  if (has_crossings_) {
    const std::uint32_t most = std::max(places_[0], places_[1]);
    if (base_ > kMostCount - most) {
      device_->wait(last_);
      for (const Signal& signal : done_) signal.set(0);
      base_ = 0;
    }
    set(base_variable_, base_);
    base_ += most;
  }
  CommandQueue* parts[2] = {};
  std::size_t count = 0;
  for (const unsigned engine : {kCopy, kCompute}) {
    if (places_[engine] != 0) parts[count++] = &queue(engine);
  }
  last_ = device_->submit({parts, count});
  return last_;
}

}  // namespace mockgpu::runtime
