#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "emu/observe/observer.h"

namespace mockgpu::emu {

/// What a trace shows.
struct TraceOptions {
  bool packets = false;
  bool instructions = true;
  std::optional<std::array<std::uint32_t, 3>> group;  ///< only this workgroup
  std::optional<std::uint32_t> wave;                  ///< only this wave of each workgroup
};

/// Writes what a machine does as lines that stay the same from run to run, so that two traces can be
/// compared:
///   dispatch workgroup wave place instruction | what it wrote
///   1 (0,0,0) 0 vecadd+0x8c global_load_b32 v3, v[4:5], off | v3=[0x0 x16 0x3f800000 - x15]
///   queue 1 PM4 0x40 DISPATCH_DIRECT {dim_x=16, ...}
///   fault error[memory-fault]: ...
/// Values are hexadecimal; `V xN` stands for N equal ones, `-` for a lane that was not written. Stores follow
/// as `global[0x7f00]=[...]`, one for each run of addresses that rise without a gap; accesses outside of LDS
/// or a buffer as `lds[0x1000] outside: lanes 3-5`.
class Trace final : public Observer {
 public:
  /// Takes one line, without a newline.
  using Sink = std::function<void(std::string_view line)>;

  Trace(TraceOptions options, Sink sink) : options_(options), sink_(std::move(sink)) {}

  void packet(const PacketEvent& event) override;
  void fault(const Error& error) override;
  bool wants_instructions() const override { return options_.instructions; }
  void executed(const ExecutedEvent& event) override;

  /// Whether an instruction was shown. Asked when the machine is still.
  bool has_instructions() const { return has_instructions_; }

 private:
  TraceOptions options_;
  Sink sink_;
  std::string line_;
  std::atomic<bool> has_instructions_{false};
};

}  // namespace mockgpu::emu
