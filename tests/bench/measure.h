#pragma once
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "emu/machine.h"
#include "runtime/platform.h"

namespace mockgpu::bench {

/// CPU seconds of this process: on a shared host more stable than the wall clock.
double cpu_seconds();

/// CPU seconds of one run of `action`.
template <typename Action>
double seconds_of(Action action) {
  const double start = cpu_seconds();
  action();
  return cpu_seconds() - start;
}

/// Middle element.
double median(std::vector<double> values);

/// A device of a machine of its own, and the kernels of one code object of tests/kernels.
class Gpu {
 public:
  /// `object` as in "bench"; `machine` as of MOCKGPU.
  explicit Gpu(const std::string& object, const std::string& machine = "gfx1100;mode=inline;threads=1");

  runtime::Device& device() { return *device_; }
  const runtime::Kernel& kernel(const std::string& name) const { return program_->kernel(name); }

  /// A buffer of `size` bytes of zeros.
  runtime::Buffer buffer(std::size_t size);

 private:
  emu::OpenedMachine machine_;
  std::unique_ptr<runtime::Device> device_;
  std::unique_ptr<runtime::Program> program_;
};

/// Something that is run several times and costs what its fastest run did.
class Measured {
 public:
  virtual ~Measured() = default;
  void measure() { seconds_ = std::min(seconds_, run()); }
  double seconds() const { return seconds_; }  ///< CPU, of the fastest run

 private:
  /// Runs once; CPU seconds.
  virtual double run() = 0;
  double seconds_ = std::numeric_limits<double>::infinity();
};

/// A kernel launch, submitted and waited for.
class Launch final : public Measured {
 public:
  /// Launches once to warm up and to count. The GPU has to be in inline mode.
  Launch(Gpu& gpu, const std::string& kernel, const runtime::LaunchShape& shape,
         const runtime::Arguments& arguments);

  std::uint64_t wave_instructions() const { return wave_instructions_; }
  /// Wave-instructions per second.
  double rate() const { return static_cast<double>(wave_instructions_) / seconds(); }

 private:
  double run() override;

  Gpu& gpu_;
  const runtime::Kernel& kernel_;
  runtime::LaunchShape shape_;
  runtime::Arguments arguments_;
  std::uint64_t wave_instructions_ = 0;
};

/// What this core does natively.
class Native final : public Measured {
 public:
  /// `loop` is the native form of a kernel: null if there is none, and then only F is measured.
  explicit Native(std::function<void()> loop = nullptr) : loop_(std::move(loop)) {}

  double fma() const { return fma_; }  ///< F: fused multiply-adds of one lane per second

 private:
  double run() override;

  std::function<void()> loop_;
  double fma_ = 0;
};

/// The benchmark's loop: `launch` and what it is compared to in turns, because the speed of a shared host
/// changes from second to second. Reports the launch's wave-instructions per second.
void in_turns(benchmark::State& state, Launch& launch, const std::vector<Measured*>& others = {});

/// A one-dimensional launch.
runtime::LaunchShape shape(std::uint64_t groups, std::uint32_t group_size);

}  // namespace mockgpu::bench
