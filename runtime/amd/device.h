#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "isa/base/error.h"
#include "runtime/amd/argument_ring.h"
#include "runtime/amd/compute_commands.h"
#include "runtime/amd/connection.h"
#include "runtime/amd/copy_commands.h"
#include "runtime/amd/device_memory.h"
#include "runtime/amd/events.h"
#include "runtime/amd/program.h"
#include "runtime/amd/queue.h"
#include "runtime/amd/sizes.h"
#include "runtime/amd/staging.h"
#include "runtime/amd/timeline.h"
#include "runtime/device.h"

namespace mockgpu::runtime::amd {

/// Sizes of a device's shared structures; the defaults are those of the clients whose command sequences we
/// use.
struct DeviceOptions {
  std::size_t ring_bytes = 16 << 20;       ///< of each queue, a power of two
  std::size_t arguments_bytes = 16 << 20;  ///< ring of kernel arguments, a multiple of 64 KiB
  std::size_t staging_bytes = 2 << 20;     ///< of one staging buffer
  unsigned staging_buffers = 32;
  std::uint32_t timeline_limit = 0x7fffffff;  ///< the timeline restarts behind this value
};

/// An AMD GPU behind KFD: one PM4 compute queue, one SDMA copy queue, and one timeline that orders their
/// work.
class Device final : public runtime::Device {
 public:
  /// Throws Error(unsupported) for a target that the runtime has no packets for.
  Device(std::shared_ptr<Connection> connection, const Node& node, unsigned index,
         const DeviceOptions& options = {});
  ~Device() override;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceInfo& info() const override { return info_; }
  Buffer allocate(std::size_t size, MemoryKind kind) override;
  void free(const Buffer& buffer) override;
  void copy_in(std::uint64_t to, std::span<const std::byte> from) override;
  void copy_out(std::span<std::byte> to, std::uint64_t from) override;
  Point copy(std::uint64_t to, std::uint64_t from, std::size_t size) override;
  Point fill(std::uint64_t to, std::uint8_t value, std::size_t size) override;
  std::unique_ptr<runtime::Program> load_program(std::span<const std::byte> code_object,
                                                 std::string_view file) override;
  Point launch(const Kernel& kernel, const LaunchShape& shape, std::span<const std::byte> arguments) override;
  Point last_point() const override { return timeline_.last(); }
  bool reached(Point point) const override { return timeline_.reached(point); }
  void wait(Point point, std::chrono::milliseconds timeout) override;
  std::chrono::milliseconds hang_timeout() const override { return hang_timeout_.load(); }
  void set_hang_timeout(std::chrono::milliseconds timeout) override { hang_timeout_ = timeout; }
  std::optional<KernelTime> kernel_time() override;

  /// For Program: a number that no other kernel of this device has.
  std::uint64_t next_serial() { return ++serials_; }

 private:
  Signal make_signal(unsigned index) const;
  Queue create_queue(Queue::Kind kind);
  Mmio map_doorbell(std::uint64_t offset);
  void stop();  // destroys the queues

  // These are called with mutex_ held.
  void set_scratch(std::uint32_t private_bytes);
  void fill_hidden(const LoadedKernel& kernel, const LaunchShape& shape, std::span<std::byte> block);
  Dispatch make_dispatch(const LoadedKernel& kernel, const LaunchShape& shape,
                         std::span<const std::byte> arguments);
  // Commands that first wait for all earlier work; the submit functions end them with the next value of the
  // timeline.
  ComputeCommands& begin_compute();
  CopyCommands& begin_copy();
  Point submit_compute();
  Point submit_copy();
  Point submit(Queue& queue, std::span<const std::uint32_t> words);
  void begin_submission();
  Staging::Slot& take_staging();

  // These are called with or without it.
  template <typename Done>
  void wait_until(const Done& done, std::chrono::milliseconds timeout);
  void throw_if_broken();
  [[noreturn]] void break_with(const Error& error);

  std::shared_ptr<Connection> connection_;
  Node node_;
  DeviceInfo info_;
  DeviceOptions options_;
  const ComputeFamily* family_;
  DeviceMemory memory_;
  Events events_;
  Mapping doorbells_;
  std::uint64_t doorbells_offset_ = 0;
  Queue compute_;
  Queue copy_;
  ScratchLayout scratch_;
  Buffer scratch_buffer_;
  Buffer signals_;
  Timeline timeline_;
  Signal start_, end_;  // their timestamps frame the last timed launch
  Point timed_point_ = 0;
  ArgumentRing arguments_;
  // The hidden arguments of the last launch: most launches repeat it.
  std::uint64_t hidden_serial_ = 0;
  LaunchShape hidden_shape_;
  std::vector<std::byte> hidden_;
  std::atomic<std::uint64_t> serials_ = 0;
  Staging staging_;
  ComputeCommands compute_commands_;
  CopyCommands copy_commands_;
  std::atomic<std::chrono::milliseconds> hang_timeout_{std::chrono::minutes(2)};
  std::mutex mutex_;

  std::atomic<bool> broken_ = false;
  std::mutex broken_mutex_;
  std::optional<Error> broken_error_;
};

}  // namespace mockgpu::runtime::amd
