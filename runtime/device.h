#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "runtime/memory.h"
#include "runtime/program.h"

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

/// An open GPU. All work of a device (launches, copies, fills) is done in the order of submission; launch,
/// copy, fill and copy_in return as soon as the work is queued. Methods may be called from several threads.
/// A GPU fault, a reset or a lost device is thrown as Error (memory_fault, hang...) by the next wait and by
/// every later call, with everything the driver said as its facts. The destructor abandons work that has not
/// ended.
class Device {
 public:
  static constexpr std::chrono::milliseconds kForever = std::chrono::milliseconds::max();

  virtual ~Device() = default;

  virtual const DeviceInfo& info() const = 0;

  /// `size` > 0 bytes, page aligned, zeroed by the driver. Throws Error(out_of_memory).
  virtual Buffer allocate(std::size_t size, MemoryKind kind = MemoryKind::vram) = 0;

  /// Waits for all work, then releases `buffer`; a default Buffer is ignored.
  virtual void free(const Buffer& buffer) = 0;

  /// Copies host bytes to device memory. `from` may be reused on return.
  virtual void copy_in(std::uint64_t to, std::span<const std::byte> from) = 0;

  /// Copies device memory to host bytes, after all work submitted before. They are there on return.
  virtual void copy_out(std::span<std::byte> to, std::uint64_t from) = 0;

  /// Device memory to device memory; the ranges must not overlap.
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

  /// The point of the last submission.
  virtual Point last_point() const = 0;

  /// Whether everything up to `point` has ended; no fault check, no waiting.
  virtual bool reached(Point point) const = 0;

  /// Waits until everything up to `point` has ended. Throws the device's fault, Error(timeout) when `timeout`
  /// passes, and Error(hang) when nothing ends for hang_timeout().
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
