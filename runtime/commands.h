#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/program.h"
#include "runtime/signal.h"
#include "runtime/value.h"

namespace mockgpu::runtime {

/// Work for one of a device's engines that is recorded once and submitted any number of times, with
/// Device::submit. Commands start in the order of recording. Every number may be a variable: the commands
/// that use it are patched where they are when a submission finds a new value. One thread at a time; must not
/// outlive its device.
class CommandQueue {
 public:
  virtual ~CommandQueue() = default;
  CommandQueue(const CommandQueue&) = delete;
  CommandQueue& operator=(const CommandQueue&) = delete;

  /// The variable of this name; a new one has no value.
  virtual Variable variable(std::string_view name) = 0;
  /// The value for all submissions from now on. Throws Error(bad_usage) for an unknown name.
  virtual void set(Variable variable, std::uint64_t value) = 0;
  virtual void set(std::string_view name, std::uint64_t value) = 0;

  /// The engine stops until the signal's value is at least `value`.
  virtual void wait(const Signal& signal, const Value& value) = 0;
  /// The engine stops until (word at `address` & mask) == value.
  virtual void poll(const Value& address, const Value& value, std::uint32_t mask = 0xffffffff) = 0;
  /// Stores `value` in the signal when all commands before have ended and their stores can be seen.
  virtual void signal(const Signal& signal, const Value& value) = 0;
  /// Stores the device's clock in the signal's timestamp when all commands before have ended.
  virtual void timestamp(const Signal& signal) = 0;
  /// Stores a value of 4 or 8 bytes when all commands before have ended.
  virtual void write(const Value& address, const Value& value, unsigned bytes = 4) = 0;

  /// Ends the recording: moves the commands into device memory, from where each submission calls them, which
  /// makes it short. A submission with new values then waits until the one before has ended.
  virtual void bind() = 0;

 protected:
  CommandQueue() = default;
};

/// Three extents that may be variables, x fastest.
struct Extents {
  Value x = 1, y = 1, z = 1;
};

/// The shape of a recorded launch; see LaunchShape.
struct CommandShape {
  Extents grid;   ///< work-items
  Extents group;  ///< work-items of one workgroup
  std::uint32_t dynamic_group_bytes = 0;
};

/// Commands for the compute engine.
class ComputeQueue : public CommandQueue {
 public:
  /// Makes what the host and other engines wrote visible to the launches that follow.
  virtual void memory_barrier() = 0;
  /// Runs a kernel, and waits for it before the next command. Its program must outlive the last submission.
  /// Throws Error(bad_usage) like Device::launch, for what depends on variables when it is submitted.
  virtual void exec(const Kernel& kernel, const CommandShape& shape, const Arguments& arguments) = 0;
};

/// Commands for the copy engine.
class CopyQueue : public CommandQueue {
 public:
  /// Device memory to device memory; the ranges must not overlap.
  virtual void copy(const Value& to, const Value& from, std::size_t size) = 0;
  /// Sets `size` bytes to `value`.
  virtual void fill(const Value& to, std::uint8_t value, std::size_t size) = 0;
};

}  // namespace mockgpu::runtime
