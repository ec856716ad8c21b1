#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emu/host/fault_plan.h"

namespace mockgpu::emu {

/// Who runs the machine's turns, and in which order.
enum class Mode : std::uint8_t {
  async,    ///< a thread of the machine, as real GPUs do
  on_call,  ///< the calling thread, in doorbells, waits and relax(): `mode=inline`
  seeded,   ///< as on_call, but interleaved by a seeded generator
};

/// One GPU of a mock machine.
struct DeviceConfig {
  std::string target = "gfx1100";
  std::uint64_t vram_bytes = 0;  ///< 0 = what the real board has
};

/// A mock machine as plain data.
struct MachineConfig {
  std::vector<DeviceConfig> devices{DeviceConfig{}};
  Mode mode = Mode::async;
  unsigned threads = 0;  ///< host threads for groups of one launch; 0 = as many as this process may use
  std::string level;     ///< lane kernels: "baseline", "v3"; empty = best of the host
  std::uint64_t seed = 1;
  bool parallel_schedule = false;     ///< `schedule=parallel`: run groups in parallel even where order shows
  std::optional<std::uint64_t> hang;  ///< wave-instructions without a finished group; nothing = the default
  std::string log = "stderr";         ///< where reports go: `stderr`, `off`, or a file
  unsigned kfd_major = 1, kfd_minor = 17;  ///< version of /dev/kfd
  std::vector<PlannedFault> faults;        ///< calls that fail on purpose; only from JSON
  bool real = false;                       ///< `off`: no mock, the machine that this program runs on
};

/// Reads a value of MOCKGPU or --machine (grammar: design, section 2):
///   on | off | FILE.json
///   [Nx]TARGET[:kfd=1.17][:vram=SIZE] {,...} {;mode=async|inline|seeded ;threads=N ;level=L ;seed=N
///   ;schedule=parallel|auto ;hang=N ;log=stderr|off|FILE}
/// A value that starts with `;` changes the default machine; an empty one is the default machine. Sizes are
/// bytes with an optional K, M, G or T (powers of 1024). Throws Error(bad_usage) that names what is legal,
/// Error(bad_file) for a JSON file that cannot be read.
MachineConfig parse_machine(std::string_view spec);

/// The same from JSON text: {"devices": [{"target": "gfx1100", "count": 1, "vram": "1G"}], "kfd": "1.17",
/// "mode": "inline", "threads": 1, "level": "v3", "seed": 1, "schedule": "auto", "hang": 1000000, "log":
/// "off", "faults": [{"call": "AMDKFD_IOC_CREATE_QUEUE", "nth": 2, "times": 1, "errno": "ENOMEM"}]}. `name`
/// is for messages. A fault makes calls fail on purpose: `call` is the name of a request (AMDKFD_IOC_...,
/// DRM_IOCTL_...), "mmap" (of /dev/kfd, render nodes and DMA buffers) or "open PATH"; the `nth` call of that
/// kind (default 1) and the next ones, `times` in all (default 1; 0 = for ever), get `errno` and do nothing.
MachineConfig parse_machine_json(std::string_view text, const std::string& name);

/// Processors that this process may use: the affinity mask, cut to the cgroup's CPU quota. At least 1.
unsigned usable_processors();

}  // namespace mockgpu::emu
