#include "tests/bench/measure.h"

#include <ctime>
#include <fstream>
#include <iterator>

#include "isa/base/error.h"
#include "tests/bench/native.h"

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

runtime::Buffer Gpu::buffer(std::size_t size) {
  const runtime::Buffer result = device_->allocate(size);
  device_->fill(result.address, 0, size);
  return result;
}

Launch::Launch(Gpu& gpu, const std::string& kernel, const runtime::LaunchShape& shape,
               const runtime::Arguments& arguments)
    : gpu_(gpu), kernel_(gpu.kernel(kernel)), shape_(shape), arguments_(arguments) {
  // In inline mode the GPU clock has one tick of 10 ns for each wave-instruction: the GPU counts for us. The
  // few packets between the two timestamps count too.
  runtime::LaunchShape timed = shape;
  timed.timed = true;
  gpu.device().launch(kernel_, timed, arguments_.bytes());
  const auto time = gpu.device().kernel_time();
  wave_instructions_ = (time->end_ns - time->start_ns) / 10;
}

double Launch::run() {
  return seconds_of([&] {
    gpu_.device().launch(kernel_, shape_, arguments_.bytes());
    gpu_.device().synchronize();
  });
}

double Native::run() {
  if (!has_native()) return std::numeric_limits<double>::infinity();
  std::uint64_t operations = 0;
  const double seconds = seconds_of([&] { operations = native_peak(); });
  fma_ = std::max(fma_, static_cast<double>(operations) / seconds);
  return loop_ ? seconds_of(loop_) : std::numeric_limits<double>::infinity();
}

void in_turns(benchmark::State& state, Launch& launch, const std::vector<Measured*>& others) {
  for ([[maybe_unused]] auto _ : state) {
    state.PauseTiming();
    for (Measured* other : others) other->measure();
    state.ResumeTiming();
    launch.measure();
  }
  state.counters["wave_instr/s"] = launch.rate();
}

runtime::LaunchShape shape(std::uint64_t groups, std::uint32_t group_size) {
  runtime::LaunchShape result;
  result.grid.x = static_cast<std::uint32_t>(groups * group_size);
  result.group.x = group_size;
  return result;
}

}  // namespace mockgpu::bench
