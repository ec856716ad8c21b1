#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>

#include "emu/observe/trace.h"
#include "tools/cli/command.h"
#include "tools/cli/execute.h"
#include "tools/cli/session.h"

namespace mockgpu::tools {
namespace {

/// Lines to a file or the standard output, from any thread.
class LineWriter {
 public:
  explicit LineWriter(const std::string& path) : path_(path) {
    if (path.empty()) return;
    file_.reset(std::fopen(path.c_str(), "w"));
    if (!file_) throw Error(Tag::bad_usage, fmt::format("--output {}: {}", path, std::strerror(errno)));
  }
  void write(std::string_view line) {
    const std::lock_guard lock(mutex_);
    std::FILE* const to = file_ ? file_.get() : stdout;
    std::fwrite(line.data(), 1, line.size(), to);
    std::fputc('\n', to);
  }
  void close() {
    if (file_ && std::fclose(file_.release()) != 0)
      throw Error(Tag::io, fmt::format("cannot write {}", path_));
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::mutex mutex_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// `3`, `0,2` or `1,2,3`: the id of a workgroup.
std::array<std::uint32_t, 3> parse_group(const std::string& text) {
  std::array<std::uint32_t, 3> id{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t axis = 0; axis < id.size(); ++axis) {
    const auto [next, code] = std::from_chars(at, end, id[axis]);
    if (code != std::errc()) break;
    if (next == end) return id;
    if (*next != ',') break;
    at = next + 1;
  }
  throw Error(Tag::bad_usage,
              fmt::format("--workgroup \"{}\": expected one to three numbers, as in 0,2", text));
}

/// Inline, unless the user chose a machine: then two runs give the same lines.
std::string machine_of(const TraceCommandOptions& options) {
  if (!options.run.machine.empty()) return options.run.machine;
  return emu::machine_from_environment().value_or(";mode=inline");
}

}  // namespace

int trace_command(const TraceCommandOptions& options) {
  LineWriter lines(options.output);
  emu::TraceOptions shown;
  shown.packets = options.packets;
  shown.instructions = options.instructions || !(options.packets || options.ioctls);
  if (!options.group.empty()) {
    shown.group = parse_group(options.group);
  }
  shown.wave = options.wave;
  emu::Trace trace(shown, [&](std::string_view line) { lines.write(line); });
  Watch watch;
  if (shown.packets || shown.instructions) watch.observer = &trace;
  if (options.ioctls) watch.calls = [&](std::string_view line) { lines.write(line); };
  RunOptions run = options.run;
  run.machine = machine_of(options);
  const int code = run_watched(run, watch);
  lines.close();
  if (shown.instructions && !trace.has_instructions() && (shown.group || shown.wave)) {
    throw Error(Tag::bad_usage, fmt::format("no launch has{}{}: no instruction to show",
                                            shown.group ? fmt::format(" --workgroup {}", options.group) : "",
                                            shown.wave ? fmt::format(" --wave {}", *shown.wave) : ""));
  }
  return code;
}

}  // namespace mockgpu::tools
