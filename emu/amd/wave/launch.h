#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "emu/amd/wave/wave_registers.h"
#include "emu/memory/address_space.h"
#include "emu/observe/observer.h"
#include "isa/amd/target.h"
#include "isa/base/error.h"

namespace mockgpu::emu::amd {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

/// Everything that starts a grid of waves: what COMPUTE_* registers and the dispatch packet say (facts:
/// amd_commands, chapter 2).
struct Launch {
  const isa::amd::Target* target = nullptr;
  std::uint64_t entry = 0;    ///< GPU virtual address of the first instruction
  Dim3 first_group{0, 0, 0};  ///< first workgroup id
  Dim3 end_group;   ///< one past the last workgroup id, per axis; equal to first_group means no waves
  Dim3 group_size;  ///< work-items per full workgroup
  Dim3 last_group_size{0, 0, 0};  ///< work-items of the last group of each axis; 0 = full
  bool wave32 = true;
  std::uint32_t rsrc1 = 0;  ///< COMPUTE_PGM_RSRC1: VGPR count, float mode, priority...
  std::uint32_t rsrc2 = 0;  ///< COMPUTE_PGM_RSRC2: user SGPR count, workgroup-id enables, LDS size...
  std::uint32_t rsrc3 = 0;
  std::array<std::uint32_t, 16> user_data{};
  std::uint64_t scratch_base = 0;        ///< GPU virtual address of scratch slot 0
  std::uint32_t scratch_wave_bytes = 0;  ///< bytes per wave slot (TMPRING WAVESIZE * 256)
  std::uint32_t scratch_waves =
      0;  ///< wave slots there are; resident waves that use scratch are limited to it
  std::uint32_t dispatch_number = 0;  ///< for messages: "dispatch 3"
  WaveHook* waves = nullptr;          ///< sees waves start and stop; null: nobody
};

/// Bounds of one execution.
struct Limits {
  /// Wave-instructions without a finished workgroup after which a launch counts as hung; 0 = never.
  std::uint64_t hang_instructions = 10'000'000'000;
  /// Never hang before this many wave-instructions per resident wave have run.
  std::uint64_t hang_instructions_per_wave = 20'000'000;
};

/// How an execution stands after a turn.
enum class Progress : std::uint8_t {
  running,  ///< used its budget
  done,     ///< every wave has ended
  failed,   ///< stopped by a fault, a hang, an undecodable instruction...: see Outcome::error
};

struct Outcome {
  std::optional<Error> error;
  std::uint64_t fault_address = 0;  ///< of a memory fault
  bool fault_write = false;
  std::uint64_t wave_instructions = 0;
  std::uint64_t groups = 0;  ///< finished workgroups
};

/// Names a code address for messages: returns for example `vecadd+0x68`, or an empty string.
using Symbolizer = std::function<std::string(std::uint64_t pc)>;

/// A message sent by a wave to the host (s_sendmsg MSG_INTERRUPT): m0.
using InterruptSink = std::function<void(std::uint32_t m0)>;

/// The wave engine of one device: decoded code, worker threads, the level of its lane kernels.
/// Thread-compatible: one thread drives its executions; helpers inside are its own.
class Engine {
 public:
  struct Options {
    unsigned threads =
        1;              ///< host threads that may run groups of one launch in parallel, the caller included
    std::string level;  ///< "baseline", "v3"; empty = best that the host has
    Limits limits;
    bool force_parallel =
        false;  ///< run groups in parallel even where the order could be seen (schedule=parallel)
    std::uint64_t seed = 0;  ///< non-zero: interleave groups and waves by this seed
    Symbolizer symbolize;
    InterruptSink interrupt;
    /// Told of every instruction before waves execute it; launches then run on one thread. Null: the fast
    /// loop.
    Observer* observer = nullptr;
    /// GPU clock in 100 MHz ticks, for s_memrealtime and friends; null: counts executed wave-instructions.
    std::function<std::uint64_t()> clock;
  };

  explicit Engine(Options options);
  ~Engine();

  /// A launch in progress. Creating one never fails: what is wrong shows in its first turn.
  class Execution {
   public:
    virtual ~Execution() = default;
    /// Runs about `budget` wave-instructions (whole batches: a little more) in the memory that `pin` shows.
    /// 0 = until done or failed.
    virtual Progress run(std::uint64_t budget, const AddressSpace::Pin& pin) = 0;
    virtual const Outcome& outcome() const = 0;
  };
  /// Starts a launch. The engine keeps finished executions for reuse, so a launch does not allocate in the
  /// steady state. The pointer's deleter gives it back; it must not outlive the engine.
  struct Recycle {
    Engine* engine = nullptr;
    void operator()(Execution* execution) const;
  };
  using ExecutionPtr = std::unique_ptr<Execution, Recycle>;
  ExecutionPtr start(const Launch& launch);

  /// Tells `observer` of instructions from now on, as Options::observer would; null ends that. Not while a
  /// launch is in progress.
  void observe(Observer* observer);

  /// Code may have changed: decoded blocks are compared with memory before their next use (an
  /// instruction-cache invalidate).
  void invalidate_code();

  /// Name of the lane-kernel level in use.
  std::string_view level() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Runs a launch alone on the calling thread, without files, queues or scheduler (design, section 4 point 4).
Outcome run_launch(const Launch& launch, AddressSpace& memory, const Engine::Options& options = {});

}  // namespace mockgpu::emu::amd
