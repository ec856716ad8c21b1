#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
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

/// A kernel launch and its cost.
struct Cost {
  double seconds = 0;  ///< CPU, best of 5
  std::uint64_t wave_instructions = 0;

  double rate() const { return static_cast<double>(wave_instructions) / seconds; }
};

/// A device of a machine of its own, and the kernels of one code object of tests/kernels.
class Gpu {
 public:
  /// `object` as in "bench"; `machine` as of MOCKGPU.
  explicit Gpu(const std::string& object, const std::string& machine = "gfx1100;mode=inline;threads=1");

  runtime::Device& device() { return *device_; }
  const runtime::Kernel& kernel(const std::string& name) const { return program_->kernel(name); }

  /// A buffer of `size` bytes, each of them `fill`.
  runtime::Buffer buffer(std::size_t size, std::uint8_t fill = 0);

  /// Launches and waits, once to warm up and five times for the cost. `before` runs before each of the five:
  /// what is compared is measured in turns, because the speed of a shared host changes from second to second.
  Cost measure(const std::string& kernel, const runtime::LaunchShape& shape,
               const runtime::Arguments& arguments, const std::function<void()>& before = nullptr);

 private:
  emu::OpenedMachine machine_;
  std::unique_ptr<runtime::Device> device_;
  std::unique_ptr<runtime::Program> program_;
};

/// A one-dimensional launch.
runtime::LaunchShape shape(std::uint64_t groups, std::uint32_t group_size);

}  // namespace mockgpu::bench
