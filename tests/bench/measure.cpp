#include "tests/bench/measure.h"

#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>

#include "isa/base/error.h"

namespace mockgpu::bench {

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Gpu::Gpu(const std::string& object, const std::string& machine) : machine_(emu::open_machine(machine)) {
  device_ = runtime::open_device(*machine_.io);
  const std::string path = MOCKGPU_TEST_DATA "/kernels/gfx1100/" + object + ".co";
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(Tag::bad_file, "cannot read " + path);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  program_ = device_->load_program(std::as_bytes(std::span(bytes)));
}

runtime::Buffer Gpu::buffer(std::size_t size, std::uint8_t fill) {
  const runtime::Buffer result = device_->allocate(size);
  device_->fill(result.address, fill, size);
  return result;
}

Cost Gpu::measure(const std::string& name, const runtime::LaunchShape& shape,
                  const runtime::Arguments& arguments, const std::function<void()>& before) {
  const runtime::Kernel& launched = kernel(name);
  Cost cost;
  // In inline mode the GPU clock has one tick of 10 ns for each wave-instruction: the GPU counts for us. The
  // few packets between the two timestamps count too.
  runtime::LaunchShape timed = shape;
  timed.timed = true;
  device_->launch(launched, timed, arguments.bytes());
  const auto time = device_->kernel_time();
  cost.wave_instructions = (time->end_ns - time->start_ns) / 10;
  cost.seconds = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 15; ++i) {
    if (before) before();
    cost.seconds = std::min(cost.seconds, seconds_of([&] {
                              device_->launch(launched, shape, arguments.bytes());
                              device_->synchronize();
                            }));
  }
  return cost;
}

runtime::LaunchShape shape(std::uint64_t groups, std::uint32_t group_size) {
  runtime::LaunchShape result;
  result.grid.x = static_cast<std::uint32_t>(groups * group_size);
  result.group.x = group_size;
  return result;
}

}  // namespace mockgpu::bench
