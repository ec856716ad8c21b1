#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/base/error.h"
#include "runtime/amd/argument_ring.h"
#include "runtime/amd/compute_commands.h"
#include "runtime/amd/copy_commands.h"
#include "runtime/amd/device.h"
#include "runtime/amd/variables.h"
#include "runtime/commands.h"

namespace mockgpu::runtime::amd {

/// What the two kinds of recorded queues share. Commands are built as they are recorded. One that uses
/// variables (or addresses that a submission chooses) also leaves a function that builds it: when something
/// changed, that runs again and the result lands where the command is.
template <typename Interface, typename Commands>
class RecordedQueue : public Interface {
 public:
  RecordedQueue(Device& device, Commands commands, Commands parts)
      : device_(&device), commands_(std::move(commands)), part_(std::move(parts)) {}
  ~RecordedQueue() override {
    try {
      if (indirect_.size != 0) device_->release(indirect_, last_);
    } catch (const Error&) {
      // A device that broke while it was waited for frees its memory itself.
    }
  }

  Variable variable(std::string_view name) override { return variables_.find_or_add(name); }
  void set(Variable variable, std::uint64_t value) override {
    if (!variables_.set(variable, value)) return;
    for (const std::uint32_t user : variables_.users(variable)) mark_stale(user);
  }
  void set(std::string_view name, std::uint64_t value) override { set(variables_.find(name), value); }

  void wait(const Signal& signal, const Value& value) override {
    record({value}, [=, this](Commands& c) { c.wait(signal, word(value)); });
  }
  void poll(const Value& address, const Value& value, std::uint32_t mask) override {
    record({address, value}, [=, this](Commands& c) { c.poll(number(address), word(value), mask); });
  }
  void signal(const Signal& signal, const Value& value) override {
    record({value}, [=, this](Commands& c) { c.signal(signal, word(value)); });
  }
  void timestamp(const Signal& signal) override {
    record({}, [=](Commands& c) { c.timestamp(signal); });
  }
  void write(const Value& address, const Value& value, unsigned bytes) override {
    if (bytes != 4 && bytes != 8) throw Error(Tag::bad_usage, "commands write 4 or 8 bytes");
    record({address, value}, [=, this](Commands& c) {
      bytes == 4 ? c.write32(number(address), word(value)) : c.write64(number(address), number(value));
    });
  }

  void bind() override {
    if (bound()) return;
    // Copy engines read whole units of 8 words; zeros are NOPs there, and unused on compute queues.
    const std::size_t words = (std::max<std::size_t>(commands_.words().size(), 1) + 7) / 8 * 8;
    if (words > kMaxIndirectWords) {
      throw Error(Tag::bad_usage, "the command queue is too long to be bound: at most 1,048,568 words");
    }
    indirect_ = device_->allocate(words * sizeof(std::uint32_t), MemoryKind::uncached);
    std::memset(indirect_.host, 0, indirect_.size);
    store(0, commands_.words());
  }

  // For Device::submit.

  const Device* device() const { return device_; }
  bool bound() const { return indirect_.size != 0; }
  bool stale() const { return !stale_.empty(); }
  std::span<const std::uint32_t> words() const { return commands_.words(); }
  const Buffer& indirect() const { return indirect_; }
  /// The last submission.
  Point last() const { return last_; }
  void submitted(Point point) { last_ = point; }

  /// Builds the stale commands anew. All work that reads them must have ended.
  void refresh() {
    while (!stale_.empty()) {
      Command& command = symbolic_[stale_.back()];
      part_.clear();
      command.build(part_);
      if (part_.words().size() != command.words) {
        throw Error(Tag::bad_usage, "a command's length changed with a variable: record it with its value");
      }
      commands_.replace(command.first, part_.words());
      if (bound()) store(command.first, part_.words());
      command.stale = false;
      stale_.pop_back();
    }
  }

 protected:
  using Build = std::function<void(Commands&)>;

  std::uint64_t number(const Value& value) const {
    // Commands are recorded before their variables have values.
    return recording_ && !variables_.is_set(value) ? 0 : variables_.number(value);
  }
  std::uint32_t word(const Value& value) const { return static_cast<std::uint32_t>(number(value)); }

  /// Appends what `build` appends; keeps it when one of the values is a variable.
  void record(std::initializer_list<Value> values, Build build) {
    bool symbolic = false;
    begin_recording();
    for (const Value& value : values) {
      check(value);
      symbolic = symbolic || !value.is_fixed();
    }
    const std::size_t first = commands_.words().size();
    recording_ = true;
    build(commands_);
    recording_ = false;
    if (!symbolic) return;
    const std::uint32_t index = keep(first, std::move(build));
    for (const Value& value : values) use(value, index);
  }

  /// For refusing what comes after bind().
  void begin_recording() const {
    if (bound()) throw Error(Tag::bad_usage, "the command queue is bound: nothing can be added");
  }

  /// Throws Error(bad_usage) for a variable of another queue.
  void check(const Value& value) const { variables_.is_set(value); }

  /// Keeps the function that built the commands from word `first` on; its index.
  std::uint32_t keep(std::size_t first, Build build) {
    const auto index = static_cast<std::uint32_t>(symbolic_.size());
    symbolic_.push_back({first, commands_.words().size() - first, false, std::move(build)});
    mark_stale(index);
    return index;
  }
  void use(const Value& value, std::uint32_t command) {
    if (!value.is_fixed()) variables_.add_user(value.variable(), command);
  }
  void mark_stale(std::uint32_t index) {
    if (symbolic_[index].stale) return;
    symbolic_[index].stale = true;
    stale_.push_back(index);
  }

  Device* device_;
  Commands commands_;

 private:
  struct Command {
    std::size_t first = 0, words = 0;
    bool stale = false;
    Build build;
  };

  void store(std::size_t first, std::span<const std::uint32_t> words) {
    if (!words.empty())
      std::memcpy(indirect_.host + first * sizeof words[0], words.data(), words.size_bytes());
  }

  Commands part_;  // where changed commands are built
  Variables variables_;
  std::vector<Command> symbolic_;
  std::vector<std::uint32_t> stale_;
  bool recording_ = false;
  Buffer indirect_;
  Point last_ = 0;
};

/// Commands for the PM4 queue.
class RecordedComputeQueue final : public RecordedQueue<ComputeQueue, ComputeCommands> {
 public:
  explicit RecordedComputeQueue(Device& device)
      : RecordedQueue(device, ComputeCommands(device.family()), ComputeCommands(device.family())) {}
  ~RecordedComputeQueue() override;

  void memory_barrier() override;
  void exec(const Kernel& kernel, const CommandShape& shape, const Arguments& arguments) override;
  void bind() override;

  // For Device::submit.

  /// Private memory of a work-item that its launches need.
  std::uint32_t private_bytes() const { return private_bytes_; }
  /// What its launches need of the argument ring: nothing when bound.
  std::size_t ring_bytes() const { return bound() ? 0 : arguments_.size(); }
  /// The scratch memory, and where in the ring the arguments go: commands that refer to them get stale.
  void place(const Scratch& scratch, const ArgumentRing::Slot& slot);
  /// After refresh(): copies the arguments to their place.
  void store_arguments();

 private:
  struct Launch {
    const LoadedKernel* kernel = nullptr;
    CommandShape shape;
    std::vector<Arguments::Symbol> symbols;
    ArgumentLayout layout;
    std::size_t offset = 0;  // of its block, in arguments_
    std::uint32_t command = 0;
  };

  void build(const Launch& launch, ComputeCommands& commands);

  std::vector<std::unique_ptr<Launch>> launches_;
  std::vector<std::byte> arguments_;  // the blocks of all launches
  Buffer bound_arguments_;
  ArgumentRing::Slot slot_;
  Scratch scratch_;
  std::uint32_t private_bytes_ = 0;
  bool arguments_changed_ = false;
};

/// Commands for the SDMA queue.
class RecordedCopyQueue final : public RecordedQueue<CopyQueue, CopyCommands> {
 public:
  explicit RecordedCopyQueue(Device& device) : RecordedQueue(device, CopyCommands(), CopyCommands()) {}

  void copy(const Value& to, const Value& from, std::size_t size) override;
  void fill(const Value& to, std::uint8_t value, std::size_t size) override;
};

}  // namespace mockgpu::runtime::amd
