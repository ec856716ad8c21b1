#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "runtime/commands.h"
#include "runtime/memory.h"
#include "runtime/program.h"
#include "runtime/signal.h"

namespace mockgpu::runtime {

/// What is known of a GPU before it is opened.
struct DeviceInfo {
  unsigned index = 0;            ///< position in list_devices
  std::string vendor;            ///< "AMD"
  std::string target;            ///< instruction set: "gfx1100"
  std::string name;              ///< the driver's name of the chip, or the target's
  std::uint64_t vram_bytes = 0;  ///< device memory
  std::uint32_t compute_units = 0;
  std::uint32_t wave_size = 0;    ///< native lanes in a wave
  std::uint32_t group_bytes = 0;  ///< most group (LDS, shared) memory of a workgroup
  std::uint32_t clock_mhz = 0;    ///< highest engine clock
  std::string location;           ///< PCI address, "0000:03:00.0"
  std::string node;               ///< its device file: "/dev/dri/renderD128"
};

/// Three extents, x fastest.
struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

/// The shape of one launch.
struct LaunchShape {
  Dim3 grid;   ///< work-items, as OpenCL's NDRange; need not be a multiple of `group`
  Dim3 group;  ///< work-items of one workgroup
  std::uint32_t dynamic_group_bytes = 0;  ///< group memory added to the kernel's own
  bool timed = false;                     ///< take GPU timestamps around it, see Device::kernel_time
};

/// When a kernel ran, by the GPU's clock, in nanoseconds since an arbitrary point.
struct KernelTime {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
};

/// A place in a device's order of work: 1 for the first submission, then 2, ...
using Point = std::uint64_t;

/// An open GPU. All work of a device (launches, copies, fills, submissions of command queues) is done in the
/// order of submission; launch, copy, fill, submit and copy_in return as soon as the work is queued. Methods
/// may be called from several threads. A GPU fault, a reset or a lost device is thrown as Error
/// (memory_fault, hang...) by the next wait and by every later call, with everything the driver said as its
/// facts. The destructor abandons work that has not ended.
class Device {
 public:
  static constexpr std::chrono::milliseconds kForever = std::chrono::milliseconds::max();

  virtual ~Device() = default;

  virtual const DeviceInfo& info() const = 0;

  /// `size` > 0 bytes, page aligned; zeroed by the driver unless the cache had them. Throws
  /// Error(out_of_memory).
  virtual Buffer allocate(std::size_t size, MemoryKind kind = MemoryKind::vram) = 0;

  /// Makes memory of the caller's (of any alignment) accessible to the device: at its own address, or where
  /// some of its pages are registered already, at another one. It must stay mapped until `free`, which leaves
  /// it to the caller. Throws Error(io) for addresses that the driver cannot pin.
  virtual Buffer register_memory(std::span<std::byte> memory) = 0;

  /// Waits for all work, then releases the allocation; a default Buffer is ignored. With a cache, keeps the
  /// memory for the next allocation of its size and kind and waits for nothing. Throws Error(bad_usage) for
  /// parts, and for what is not or no longer allocated.
  virtual void free(const Buffer& buffer) = 0;

  /// Lets the device keep up to `bytes` of freed memory for later allocations, the least recently freed going
  /// first; all of it goes when memory runs out. 0, as at the start: none. What it keeps stays mapped, so
  /// that a kernel that uses freed memory no longer faults.
  virtual void set_cache_limit(std::size_t bytes) = 0;

  /// Copies host bytes to device memory. `from` may be reused on return.
  virtual void copy_in(std::uint64_t to, std::span<const std::byte> from) = 0;

  /// Copies device memory to host bytes, after all work submitted before. They are there on return.
  virtual void copy_out(std::span<std::byte> to, std::uint64_t from) = 0;

  /// Device memory to device memory; the ranges must not overlap. Throws Error(bad_usage), as fill, for a
  /// range that leaves the address space.
  virtual Point copy(std::uint64_t to, std::uint64_t from, std::size_t size) = 0;

  /// Sets `size` bytes to `value`.
  virtual Point fill(std::uint64_t to, std::uint8_t value, std::size_t size) = 0;

  /// Loads a code object (an ELF file's bytes, or an offload bundle that has one for this target). Throws
  /// Error(bad_file); `file` names the bytes in messages.
  virtual std::unique_ptr<Program> load_program(std::span<const std::byte> code_object,
                                                std::string_view file = "code object") = 0;

  /// Queues a kernel. `arguments` is the explicit block (see Arguments); hidden arguments are added. Throws
  /// Error(bad_usage) for an impossible shape or a wrong argument block.
  virtual Point launch(const Kernel& kernel, const LaunchShape& shape,
                       std::span<const std::byte> arguments) = 0;

  /// Empty recordings for the device's engines.
  virtual std::unique_ptr<ComputeQueue> make_compute_queue() = 0;
  virtual std::unique_ptr<CopyQueue> make_copy_queue() = 0;

  /// Queues what these command queues recorded, as one piece of work: queues for different engines run side
  /// by side, those for the same one in the order given; the point is reached when all have ended. Throws
  /// Error(bad_usage) for a queue of another device, one that is named twice, a variable without a value, or
  /// what cannot be launched; then nothing is submitted.
  virtual Point submit(std::span<CommandQueue* const> queues) = 0;
  Point submit(CommandQueue& queue) {
    CommandQueue* const one[] = {&queue};
    return submit(one);
  }

  /// A signal with this value and timestamp 0.
  virtual Signal make_signal(std::uint32_t value = 0) = 0;
  /// Releases a signal; what is submitted already may still use it.
  virtual void free(const Signal& signal) = 0;
  /// Waits until the signal's value is at least `value`; throws as the other wait.
  virtual void wait(const Signal& signal, std::uint32_t value,
                    std::chrono::milliseconds timeout = kForever) = 0;
  /// What a timestamp of this device means.
  virtual std::uint64_t nanoseconds(std::uint64_t timestamp) const = 0;

  /// Lets another device of the same Platform use the allocation too, at the same address, until it is freed.
  /// Work of the other device that uses it must have ended by then. Throws Error(bad_usage) for a part or for
  /// a device of another Platform.
  virtual void share(const Buffer& buffer, Device& peer) = 0;
  /// Work that is submitted from now on starts after `point` of another device of the same Platform, which
  /// must exist until then.
  virtual void start_after(Device& peer, Point point) = 0;

  /// The point of the last submission.
  virtual Point last_point() const = 0;

  /// Whether everything up to `point` has ended; no fault check, no waiting.
  virtual bool reached(Point point) const = 0;

  /// Waits until everything up to `point` has ended: spins shortly, then sleeps in the driver. Throws the
  /// device's fault, Error(timeout) when `timeout` passes, and Error(hang) when nothing ends for
  /// hang_timeout(), which starts anew with everything that ends.
  virtual void wait(Point point, std::chrono::milliseconds timeout = kForever) = 0;

  /// Waits for all work submitted so far.
  void synchronize(std::chrono::milliseconds timeout = kForever) { wait(last_point(), timeout); }

  /// How long a wait sees nothing end before it gives up. The last resort: drivers report hangs themselves.
  virtual std::chrono::milliseconds hang_timeout() const = 0;
  virtual void set_hang_timeout(std::chrono::milliseconds timeout) = 0;

  /// Waits for the last launch that was `timed` and gives its times; nothing when there was none.
  virtual std::optional<KernelTime> kernel_time() = 0;

  /// Typed forms of the copies, for containers of plain values.
  template <typename Range>
  void upload(const Buffer& to, const Range& values) {
    copy_in(to.address, std::as_bytes(std::span(values)));
  }
  template <typename Range>
  void download(Range& values, const Buffer& from) {
    copy_out(std::as_writable_bytes(std::span(values)), from.address);
  }
};

}  // namespace mockgpu::runtime
