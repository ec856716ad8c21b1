// What the design asks to be measured. Each row compares the fastest runs of both sides, which take turns in
// one worker: `percent_of_...` is the ratio. Google Benchmark's own columns are the mean of the same runs.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "isa/base/error.h"
#include "tests/bench/measure.h"
#include "tests/bench/native.h"

namespace mockgpu::bench {
namespace {

using benchmark::Counter;
using benchmark::State;
using runtime::Arguments;
using runtime::Buffer;

constexpr auto kUnit = benchmark::kMillisecond;

/// `rate`, which scales with the host's speed, as it would be on a core of 50 G lane-FMA/s.
void report_scaled(State& state, const Native& native, const char* name, double rate) {
  if (!has_native()) return;
  state.counters["F"] = native.fma();
  state.counters[fmt::format("{}_at_F50", name)] = rate * 50e9 / native.fma();
}

/// The ratio to a native loop of `operations` lane operations, of which `share` is the launch's work. Refused
/// when the loop is slower than `least` * F, because then something else than our speed was measured.
void report_ratio(State& state, const Native& native, const Launch& launch, double operations, double least,
                  double share = 1) {
  if (!has_native()) return;
  const double speed = operations / native.seconds();
  state.counters["F"] = native.fma();
  state.counters["native_op/s"] = speed;
  if (speed < least * native.fma()) {
    state.SkipWithError("no ratio: the native loop is too slow for this core's F");
    return;
  }
  state.counters["percent_of_native"] = 100 * native.seconds() * share / launch.seconds();
}

constexpr std::uint32_t kItems = 65536, kIterations = 1000;
constexpr double kOperations = 8.0 * kItems * kIterations;

Native native_hash_loop(std::vector<std::uint32_t>& out) {
  return Native([&out] { native_hash(out.data(), kItems, kIterations); });
}

void hash(State& state) {
  std::vector<std::uint32_t> out(kItems);
  Native native = native_hash_loop(out);
  Gpu gpu("bench");
  Launch launch(gpu, "hashloop", shape(kItems / 256, 256),
                Arguments(gpu.kernel("hashloop")).add(gpu.buffer(kItems * 4)).add(kIterations));
  in_turns(state, launch, {&native});
  report_ratio(state, native, launch, kOperations, 0.9);
}
BENCHMARK(hash)->Name("hash/64K_work_items")->Unit(kUnit);

void hash_single_wave(State& state) {
  constexpr std::uint32_t kLong = 200000;
  std::vector<std::uint32_t> out(kItems);
  Native native = native_hash_loop(out);
  Gpu gpu("bench");
  // The kernel asks for groups of 256: of a grid of 32 work-items only one wave starts.
  runtime::LaunchShape single = shape(1, 256);
  single.grid.x = 32;
  Launch launch(gpu, "hashloop", single,
                Arguments(gpu.kernel("hashloop")).add(gpu.buffer(256 * 4)).add(kLong));
  in_turns(state, launch, {&native});
  // The native loop's cost per work-item stays the same.
  report_ratio(state, native, launch, kOperations, 0.9, 32.0 / kItems * kLong / kIterations);
}
BENCHMARK(hash_single_wave)->Name("hash/single_wave")->Unit(kUnit);

void hash_flat(State& state) {
  Gpu gpu("bench");
  const auto launch_of = [&](std::uint64_t groups) {
    const auto iterations = static_cast<std::uint32_t>(std::max<std::uint64_t>(200000 / groups, 50));
    return Launch(gpu, "hashloop", shape(groups, 256),
                  Arguments(gpu.kernel("hashloop")).add(gpu.buffer(groups * 1024)).add(iterations));
  };
  Launch one = launch_of(1);
  Launch launch = launch_of(static_cast<std::uint64_t>(state.range(0)));
  in_turns(state, launch, {&one});
  state.counters["launch_wave_instr"] = static_cast<double>(launch.wave_instructions());
  state.counters["percent_of_one_group"] = 100 * launch.rate() / one.rate();
}
BENCHMARK(hash_flat)->Name("hash/groups_of_256")->RangeMultiplier(10)->Range(1, 10000)->Unit(kUnit);

void fma(State& state) {
  std::vector<float> out(kItems);
  Native native([&] { native_fma(out.data(), kItems, 0.999f, 0.5f, kIterations); });
  Gpu gpu("bench");
  Launch launch(
      gpu, "fmaloop", shape(kItems / 256, 256),
      Arguments(gpu.kernel("fmaloop")).add(gpu.buffer(kItems * 4)).add(0.999f).add(0.5f).add(kIterations));
  in_turns(state, launch, {&native});
  report_ratio(state, native, launch, kOperations, 0.5);
}
BENCHMARK(fma)->Name("fma/64K_work_items")->Unit(kUnit);

void vecadd(State& state) {
  const auto items = static_cast<std::uint64_t>(state.range(0));
  Gpu gpu("bench");
  const Buffer a = gpu.buffer(items * 4), b = gpu.buffer(items * 4), c = gpu.buffer(items * 4);
  Launch launch(gpu, "vecadd", shape(items / 256, 256), Arguments(gpu.kernel("vecadd")).add(a).add(b).add(c));
  in_turns(state, launch);
  state.counters["bytes/s"] = static_cast<double>(items) * 12 / launch.seconds();
}
BENCHMARK(vecadd)->Name("vecadd")->RangeMultiplier(4)->Range(1 << 18, 1 << 22)->Unit(kUnit);

void lds_reduction(State& state) {
  const auto items = static_cast<std::uint64_t>(state.range(0));
  Gpu gpu("bench");
  Native native;
  Launch launch(gpu, "reduce", shape(items / 256, 256),
                Arguments(gpu.kernel("reduce")).add(gpu.buffer(items * 4)).add(gpu.buffer(items / 256 * 4)));
  in_turns(state, launch, {&native});
  report_scaled(state, native, "wave_instr/s", launch.rate());
}
BENCHMARK(lds_reduction)->Name("lds_reduction")->Arg(1 << 18)->Arg(1 << 22)->Unit(kUnit);

void sgemm(State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  Gpu gpu("bench");
  const Buffer a = gpu.buffer(n * n * 4), b = gpu.buffer(n * n * 4), c = gpu.buffer(n * n * 4);
  runtime::LaunchShape grid;
  grid.grid = {n, n};
  grid.group = {16, 16};
  Launch launch(gpu, "sgemm", grid, Arguments(gpu.kernel("sgemm")).add(a).add(b).add(c).add(n));
  in_turns(state, launch);
  state.counters["MAC/s"] = static_cast<double>(n) * n * n / launch.seconds();
}
BENCHMARK(sgemm)->Name("sgemm_naive")->Arg(128)->Arg(256)->Unit(kUnit);

void wmma(State& state) {
  constexpr std::uint32_t kGroups = 32, kRounds = 200;
  Gpu gpu("wmma_loop");
  Native native;
  const Buffer a = gpu.buffer(512), c = gpu.buffer(kGroups * 256 * 8 * 4);
  Launch launch(gpu, "wmmaloop", shape(kGroups, 256),
                Arguments(gpu.kernel("wmmaloop")).add(a).add(c).add(kRounds));
  in_turns(state, launch, {&native});
  const double rate = kGroups * 8.0 * kRounds * 4 * 4096 / launch.seconds();
  state.counters["MAC/s"] = rate;
  report_scaled(state, native, "MAC/s", rate);
}
BENCHMARK(wmma)->Name("wmma_f32_16x16x16_f16")->Unit(kUnit);

void straight_line(State& state) {
  constexpr std::uint32_t kGroups = 16;
  Gpu small_gpu("straight_200"), large_gpu("straight_65536");
  const auto launch_of = [](Gpu& gpu, const char* name, std::uint32_t iterations) {
    return Launch(gpu, name, shape(kGroups, 256),
                  Arguments(gpu.kernel(name)).add(gpu.buffer(kGroups * 256 * 4)).add(iterations));
  };
  Launch small = launch_of(small_gpu, "straight_200", 1240),
         large = launch_of(large_gpu, "straight_65536", 4);
  in_turns(state, large, {&small});
  state.counters["percent_of_0.2KB"] = 100 * large.rate() / small.rate();
}
BENCHMARK(straight_line)->Name("straight_line_code/64KB")->Unit(kUnit);

/// What one reading of the clock costs, in seconds: part of every time measured with two.
double clock_cost() {
  std::vector<double> seconds;
  for (int i = 0; i < 1001; ++i) {
    const auto start = std::chrono::steady_clock::now();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return median(seconds);
}

/// Launch, and see its signal. A run is 10,000 of them, and costs their median less the clock's reading.
class EmptyDispatches final : public Measured {
 public:
  explicit EmptyDispatches(const char* mode)
      : gpu_("bench", fmt::format("gfx1100;mode={};threads=1", mode)),
        arguments_(Arguments(gpu_.kernel("empty")).add(std::uint64_t{0})) {}

 private:
  double run() override {
    const runtime::Kernel& kernel = gpu_.kernel("empty");
    std::vector<double> seconds;
    for (int i = 0; i < 10000; ++i) {
      const auto start = std::chrono::steady_clock::now();
      gpu_.device().wait(gpu_.device().launch(kernel, shape(1, 256), arguments_.bytes()));
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return median(seconds) - clock_cost();
  }

  Gpu gpu_;
  Arguments arguments_;
};

void empty_dispatch(State& state, const char* mode) {
  EmptyDispatches empty(mode);
  for ([[maybe_unused]] auto _ : state) empty.measure();
  state.counters["p50_us"] = empty.seconds() * 1e6;
}
BENCHMARK_CAPTURE(empty_dispatch, inline, "inline")->Unit(kUnit)->UseRealTime();
BENCHMARK_CAPTURE(empty_dispatch, async, "async")->Unit(kUnit)->UseRealTime();

/// One run of a command, its output thrown away: wall seconds and the most resident memory in bytes.
std::pair<double, double> run_process(const std::vector<const char*>& arguments) {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    const int null = open("/dev/null", O_RDWR);
    dup2(null, 1);
    execv(arguments[0], const_cast<char* const*>(arguments.data()));
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(Tag::failed, "mockgpu run of vecadd failed");
  return {took.count(), static_cast<double>(usage.ru_maxrss) * 1024};
}

void run_tool(State& state) {
  const std::vector<const char*> command{MOCKGPU_TOOL,
                                         "run",
                                         MOCKGPU_TEST_DATA "/kernels/gfx1100/vecadd.co",
                                         "--kernel",
                                         "vecadd",
                                         "--grid",
                                         "4096",
                                         "--block",
                                         "256",
                                         "--arg",
                                         "f32[4096]=iota",
                                         "--arg",
                                         "f32[4096]=ones",
                                         "--arg",
                                         "f32[4096]=zeros",
                                         "--arg",
                                         "u32=4096",
                                         nullptr};
  run_process(command);
  std::vector<double> milliseconds, bytes;
  for ([[maybe_unused]] auto _ : state) {
    const auto [seconds, memory] = run_process(command);
    milliseconds.push_back(seconds * 1e3);
    bytes.push_back(memory);
  }
  state.counters["p50_ms"] = median(milliseconds);
  state.counters["resident"] = Counter(median(bytes), Counter::kDefaults, Counter::kIs1024);
}
BENCHMARK(run_tool)->Name("mockgpu_run_vecadd")->Unit(kUnit)->Iterations(20)->UseRealTime();

}  // namespace
}  // namespace mockgpu::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  try {
    benchmark::RunSpecifiedBenchmarks();
  } catch (const mockgpu::Error& error) {
    std::fprintf(stderr, "bench: %s\n", mockgpu::format_error(error).c_str());
    return 2;
  }
}
