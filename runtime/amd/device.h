#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "isa/base/error.h"
#include "runtime/amd/argument_ring.h"
#include "runtime/amd/buffer_cache.h"
#include "runtime/amd/compute_commands.h"
#include "runtime/amd/connection.h"
#include "runtime/amd/copy_commands.h"
#include "runtime/amd/device_memory.h"
#include "runtime/amd/dispatch.h"
#include "runtime/amd/events.h"
#include "runtime/amd/program.h"
#include "runtime/amd/queue.h"
#include "runtime/amd/signal_pool.h"
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

class RecordedComputeQueue;
class RecordedCopyQueue;

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
  Buffer register_memory(std::span<std::byte> memory) override;
  void free(const Buffer& buffer) override;
  void set_cache_limit(std::size_t bytes) override;
  void copy_in(std::uint64_t to, std::span<const std::byte> from) override;
  void copy_out(std::span<std::byte> to, std::uint64_t from) override;
  Point copy(std::uint64_t to, std::uint64_t from, std::size_t size) override;
  Point fill(std::uint64_t to, std::uint8_t value, std::size_t size) override;
  std::unique_ptr<runtime::Program> load_program(std::span<const std::byte> code_object,
                                                 std::string_view file) override;
  Point launch(const Kernel& kernel, const LaunchShape& shape, std::span<const std::byte> arguments) override;
  std::unique_ptr<ComputeQueue> make_compute_queue() override;
  std::unique_ptr<CopyQueue> make_copy_queue() override;
  using runtime::Device::submit;
  Point submit(std::span<CommandQueue* const> queues) override;
  Signal make_signal(std::uint32_t value) override;
  void free(const Signal& signal) override;
  void wait(const Signal& signal, std::uint32_t value, std::chrono::milliseconds timeout) override;
  std::uint64_t nanoseconds(std::uint64_t timestamp) const override {
    return timestamp * kNanosecondsPerTick;
  }
  void share(const Buffer& buffer, runtime::Device& peer) override;
  void start_after(runtime::Device& peer, Point point) override;
  Point last_point() const override { return timeline_.last(); }
  bool reached(Point point) const override { return timeline_.reached(point); }
  void wait(Point point, std::chrono::milliseconds timeout) override;
  std::chrono::milliseconds hang_timeout() const override { return hang_timeout_.load(); }
  void set_hang_timeout(std::chrono::milliseconds timeout) override { hang_timeout_ = timeout; }
  std::optional<KernelTime> kernel_time() override;

  /// For Program: a number that no other kernel of this device has.
  std::uint64_t next_serial() { return ++serials_; }

  // For recorded queues.

  /// The kernel as this device loaded it; throws Error(bad_usage) for another device's, Error(unsupported)
  /// for one that cannot be launched.
  const LoadedKernel& loaded_kernel(const Kernel& kernel) const;
  const ComputeFamily& family() const { return *family_; }
  /// Releases memory of theirs: waits for `point` unless the device is broken.
  void release(const Buffer& buffer, Point point);

 private:
  Queue create_queue(Queue::Kind kind);
  Mmio map_doorbell(std::uint64_t offset);
  void stop();  // destroys the queues
  Device& peer_device(runtime::Device& peer) const;
  // As DeviceMemory::allocate; gives back what is kept for later when nothing else is left.
  Buffer allocate_memory(std::size_t size, MemoryKind kind);
  bool reclaim_memory();
  void trim_cache(std::size_t limit);
  void recycle(const Buffer& buffer);

  // These are called with mutex_ held.
  void ensure_scratch(std::uint32_t private_bytes);
  void fill_hidden(const LoadedKernel& kernel, const LaunchShape& shape, std::span<std::byte> block);
  Dispatch begin_dispatch(const LoadedKernel& kernel, const LaunchShape& shape,
                          std::span<const std::byte> arguments);
  // Commands that first wait for all earlier work; the submit functions end them with the next value of the
  // timeline.
  ComputeCommands& begin_compute();
  CopyCommands& begin_copy();
  template <typename Add>
  Point in_pieces(std::size_t size, Add add);
  Point submit_compute();
  Point submit_copy();
  Point submit_to(Queue& queue, std::span<const std::uint32_t> words);
  // Waits until the words fit.
  void make_room(Queue& queue, std::size_t words);
  void begin_submission();
  void prepare(std::span<RecordedComputeQueue* const> compute, std::span<RecordedCopyQueue* const> copy);
  void build_copies(std::span<RecordedCopyQueue* const> queues, bool joined);
  Staging::Slot* try_take_staging();
  // This one lets go of the lock while it waits.
  Staging::Slot& take_staging(std::unique_lock<std::mutex>& lock);

  // These are called with or without it.
  void wait_until(const std::function<bool()>& done, std::chrono::milliseconds timeout);
  void throw_if_broken();
  Error hang_error(Point seen) const;
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
  BufferCache cache_;
  Scratch scratch_;
  SignalPool signals_;
  Timeline timeline_;
  Signal start_, end_;  // their timestamps frame the last timed launch
  Signal join_;         // where the copy queue tells the compute queue that its part of a submission is done
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
