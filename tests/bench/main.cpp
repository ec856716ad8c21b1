// The benchmarks: what the design asks to be measured, as one table. Ratios are native CPU seconds / ours,
// best of 15, one worker; rates scale with F, the G lane-FMA/s of this core, which is measured right before.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>

#include "isa/base/error.h"
#include "tests/bench/measure.h"
#include "tests/bench/native.h"

namespace mockgpu::bench {
namespace {

using runtime::Arguments;
using runtime::Buffer;

/// What this core does natively, taken in turns with what it is compared to.
class Native {
 public:
  /// `loop` is the native form of the kernel: null if there is none, and then only F is measured.
  explicit Native(std::function<void()> loop = nullptr) : loop_(std::move(loop)) {}

  void measure() {
    if (!has_native()) return;
    std::uint64_t operations = 0;
    const double seconds = seconds_of([&] { operations = native_peak(); });
    fma_ = std::max(fma_, static_cast<double>(operations) / seconds * 1e-9);
    if (loop_) seconds_ = std::min(seconds_, seconds_of(loop_));
  }
  std::function<void()> measuring() {
    return [this] { measure(); };
  }

  double fma() const { return fma_; }          ///< F, G lane-FMA/s
  double seconds() const { return seconds_; }  ///< of the loop

 private:
  std::function<void()> loop_;
  double fma_ = 0;
  double seconds_ = std::numeric_limits<double>::infinity();
};

void row(const std::string& name, const std::string& value, const std::string& more = {}) {
  fmt::print("{:<38} {:>22}   {}\n", name, value, more);
  std::fflush(stdout);
}

std::string rate_text(const Cost& cost) { return fmt::format("{:.0f} M wave-instr/s", cost.rate() * 1e-6); }

/// The ratio column of a kernel that has a native loop: `operations` lane operations each; `share` of the
/// loop's work is the kernel's. Refused when the native loop is slower than `least` * F, because then
/// something else than our speed was measured.
std::string ratio_text(const Native& native, double ours, double operations, double least, double share = 1) {
  if (!has_native()) return "no native loop on this host";
  const double speed = operations / native.seconds() * 1e-9;
  const std::string text = fmt::format("native {:.1f} G lane-op/s, F {:.1f}", speed, native.fma());
  if (speed < least * native.fma()) {
    return fmt::format("no ratio: {}, expected at least {:.1f}", text, least * native.fma());
  }
  return fmt::format("ratio {:.3f}   ({})", native.seconds() * share / ours, text);
}

std::string scaled_text(const Native& native, double rate, const char* unit) {
  if (native.fma() == 0) return {};
  return fmt::format("at F = 50: {:.1f} {}   (F {:.1f})", rate * 50 / native.fma(), unit, native.fma());
}

void bench_hash() {
  constexpr std::uint32_t kItems = 65536, kIterations = 1000;
  constexpr double kOperations = 8.0 * kItems * kIterations;
  std::vector<std::uint32_t> out(kItems);
  const auto loop = [&] { native_hash(out.data(), kItems, kIterations); };
  Gpu gpu("bench");
  const Buffer buffer = gpu.buffer(kItems * 4);
  Native native(loop);
  const Cost cost =
      gpu.measure("hashloop", shape(kItems / 256, 256),
                  Arguments(gpu.kernel("hashloop")).add(buffer).add(kIterations), native.measuring());
  row("hash, 64 K work-items", rate_text(cost), ratio_text(native, cost.seconds, kOperations, 0.9));

  // The kernel asks for groups of 256: of a grid of 32 work-items only one wave starts. The native loop's
  // cost per work-item stays the same.
  constexpr std::uint32_t kLong = 200000;
  runtime::LaunchShape single = shape(1, 256);
  single.grid.x = 32;
  Native again(loop);
  const Cost wave = gpu.measure("hashloop", single, Arguments(gpu.kernel("hashloop")).add(buffer).add(kLong),
                                again.measuring());
  row("hash, a single wave", rate_text(wave),
      ratio_text(again, wave.seconds, kOperations, 0.9, 32.0 / kItems * kLong / kIterations));
}

void bench_fma() {
  constexpr std::uint32_t kItems = 65536, kIterations = 1000;
  std::vector<float> out(kItems);
  Native native([&] { native_fma(out.data(), kItems, 0.999f, 0.5f, kIterations); });
  Gpu gpu("bench");
  const Arguments arguments =
      Arguments(gpu.kernel("fmaloop")).add(gpu.buffer(kItems * 4)).add(0.999f).add(0.5f).add(kIterations);
  const Cost cost = gpu.measure("fmaloop", shape(kItems / 256, 256), arguments, native.measuring());
  row("fma, 64 K work-items", rate_text(cost),
      ratio_text(native, cost.seconds, 8.0 * kItems * kIterations, 0.5));
}

void bench_memory() {
  Gpu gpu("bench");
  for (const std::uint64_t items : {std::uint64_t{1} << 18, std::uint64_t{1} << 20, std::uint64_t{1} << 22}) {
    const Buffer a = gpu.buffer(items * 4), b = gpu.buffer(items * 4), c = gpu.buffer(items * 4);
    const Cost cost =
        gpu.measure("vecadd", shape(items / 256, 256), Arguments(gpu.kernel("vecadd")).add(a).add(b).add(c));
    row(fmt::format("vecadd, {} K floats", items >> 10), rate_text(cost),
        fmt::format("{:.1f} GB/s", static_cast<double>(items) * 12 / cost.seconds * 1e-9));
    for (const Buffer& buffer : {a, b, c}) gpu.device().free(buffer);
  }
  for (const std::uint64_t items : {std::uint64_t{1} << 18, std::uint64_t{1} << 22}) {
    const Buffer in = gpu.buffer(items * 4), out = gpu.buffer(items / 256 * 4);
    Native native;
    const Cost cost = gpu.measure("reduce", shape(items / 256, 256),
                                  Arguments(gpu.kernel("reduce")).add(in).add(out), native.measuring());
    row(fmt::format("LDS reduction, {} K floats", items >> 10), rate_text(cost),
        scaled_text(native, cost.rate() * 1e-6, "M"));
    gpu.device().free(in);
    gpu.device().free(out);
  }
}

void bench_sgemm() {
  Gpu gpu("bench");
  for (const std::uint32_t n : {128u, 256u}) {
    const Buffer a = gpu.buffer(n * n * 4), b = gpu.buffer(n * n * 4), c = gpu.buffer(n * n * 4);
    runtime::LaunchShape launch;
    launch.grid = {n, n};
    launch.group = {16, 16};
    const Cost cost =
        gpu.measure("sgemm", launch, Arguments(gpu.kernel("sgemm")).add(a).add(b).add(c).add(n));
    row(fmt::format("sgemm, naive, {0} x {0}", n), rate_text(cost),
        fmt::format("{:.2f} GMAC/s", static_cast<double>(n) * n * n / cost.seconds * 1e-9));
  }
}

void bench_wmma() {
  constexpr std::uint32_t kGroups = 32, kIterations = 1000;
  Gpu gpu("wmma_loop");
  Native native;
  const Buffer a = gpu.buffer(512), c = gpu.buffer(kGroups * 256 * 8 * 4);
  const Cost cost =
      gpu.measure("wmmaloop", shape(kGroups, 256),
                  Arguments(gpu.kernel("wmmaloop")).add(a).add(c).add(kIterations), native.measuring());
  const double rate = kGroups * 8.0 * kIterations * 4 * 4096 / cost.seconds * 1e-9;
  row("WMMA f32_16x16x16_f16", fmt::format("{:.1f} GMAC/s", rate), scaled_text(native, rate, "GMAC/s"));
}

void bench_straight() {
  double rates[2];
  for (int i = 0; i < 2; ++i) {
    const char* name = i ? "straight_65536" : "straight_200";
    constexpr std::uint32_t kGroups = 16;
    const std::uint32_t iterations = i ? 4 : 1240;
    Gpu gpu(name);
    const Buffer out = gpu.buffer(kGroups * 256 * 4);
    const Cost cost =
        gpu.measure(name, shape(kGroups, 256), Arguments(gpu.kernel(name)).add(out).add(iterations));
    rates[i] = cost.rate();
    row(i ? "straight-line code, 64 KB" : "straight-line code, 0.2 KB", rate_text(cost),
        i ? fmt::format("{:.2f} of the 0.2 KB speed", rates[1] / rates[0]) : "");
  }
}

void bench_flat() {
  Gpu gpu("bench");
  double first = 0;
  for (const std::uint64_t groups : {1, 10, 100, 1000, 10000}) {
    const Buffer out = gpu.buffer(groups * 1024);
    const auto iterations = static_cast<std::uint32_t>(std::max<std::uint64_t>(200000 / groups, 100));
    const Cost cost = gpu.measure("hashloop", shape(groups, 256),
                                  Arguments(gpu.kernel("hashloop")).add(out).add(iterations));
    if (groups == 1) first = cost.rate();
    row(fmt::format("hash, {} workgroups of 256", groups), rate_text(cost),
        fmt::format("{:.2f} of one workgroup's; {:.1f} M wave-instructions", cost.rate() / first,
                    static_cast<double>(cost.wave_instructions) * 1e-6));
    gpu.device().free(out);
  }
}

/// What one reading of the clock costs, in microseconds: part of every time measured with two.
double clock_cost() {
  std::vector<double> microseconds;
  for (int i = 0; i < 1001; ++i) {
    const auto start = std::chrono::steady_clock::now();
    microseconds.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return median(microseconds);
}

void bench_empty() {
  for (const char* mode : {"inline", "async"}) {
    Gpu gpu("bench", fmt::format("gfx1100;mode={};threads=1", mode));
    const Arguments arguments = Arguments(gpu.kernel("empty")).add(std::uint64_t{0});
    const runtime::Kernel& kernel = gpu.kernel("empty");
    const runtime::LaunchShape one = shape(1, 256);
    double best = std::numeric_limits<double>::infinity();
    for (int batch = 0; batch < 50; ++batch) {
      std::vector<double> microseconds;
      for (int i = 0; i < 1000; ++i) {
        const auto start = std::chrono::steady_clock::now();
        gpu.device().wait(gpu.device().launch(kernel, one, arguments.bytes()));
        const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
        microseconds.push_back(took.count());
      }
      best = std::min(best, median(microseconds) - clock_cost());
    }
    row(fmt::format("empty dispatch, {}", mode), fmt::format("{:.2f} us", best),
        "p50 of 1,000, submit to signal seen, less the clock's cost; best of 50");
  }
}

/// One run of a command, its output thrown away: wall seconds and the most resident memory in MiB.
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
  return {took.count(), static_cast<double>(usage.ru_maxrss) / 1024};
}

void bench_start() {
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
  std::vector<double> milliseconds, mebibytes;
  for (int i = 0; i < 21; ++i) {
    const auto [seconds, memory] = run_process(command);
    if (i == 0) continue;
    milliseconds.push_back(seconds * 1e3);
    mebibytes.push_back(memory);
  }
  row("mockgpu run vecadd, whole process", fmt::format("{:.1f} ms", median(milliseconds)),
      fmt::format("median of 20; {:.1f} MiB resident", median(mebibytes)));
}

struct Benchmark {
  const char* name;
  std::function<void()> run;
};

int run(int argc, char** argv) {
  const std::vector<Benchmark> benchmarks{
      {"hash", bench_hash},   {"fma", bench_fma},     {"memory", bench_memory},
      {"sgemm", bench_sgemm}, {"wmma", bench_wmma},   {"straight", bench_straight},
      {"flat", bench_flat},   {"empty", bench_empty}, {"start", bench_start}};
  int ran = 0;
  Native native;
  for (int i = 0; i < 5; ++i) native.measure();
  row("F: native lane-FMA", has_native() ? fmt::format("{:.1f} G/s", native.fma()) : "none",
      "AVX2, registers only");
  for (const Benchmark& benchmark : benchmarks) {
    bool chosen = argc == 1;
    for (int i = 1; i < argc; ++i) chosen = chosen || std::strcmp(argv[i], benchmark.name) == 0;
    if (!chosen) continue;
    ++ran;
    benchmark.run();
  }
  if (ran) return 0;
  std::string names;
  for (const Benchmark& benchmark : benchmarks) names += fmt::format(" {}", benchmark.name);
  throw Error(Tag::bad_usage, fmt::format("usage: bench [NAME...]; names are{}", names));
}

}  // namespace
}  // namespace mockgpu::bench

int main(int argc, char** argv) {
  try {
    return mockgpu::bench::run(argc, argv);
  } catch (const mockgpu::Error& error) {
    std::fprintf(stderr, "bench: %s\n", mockgpu::format_error(error).c_str());
    return 2;
  }
}
