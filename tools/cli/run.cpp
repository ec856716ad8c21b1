#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tools/cli/command.h"
#include "tools/cli/execute.h"

namespace mockgpu::tools {
namespace {

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

LaunchCase single_case(const RunOptions& options) {
  LaunchCase result;
  result.code_object = options.file;
  result.kernel = options.kernel;
  if (options.grid.empty() == options.groups.empty()) {
    throw Error(Tag::bad_usage, "give the launch's size with --grid (work-items) or --groups (workgroups)");
  }
  if (options.block.empty()) throw Error(Tag::bad_usage, "give the work-items of a workgroup with --block");
  result.block = parse_dim3(options.block, "--block");
  result.grid = options.grid.empty() ? grid_of_groups(parse_dim3(options.groups, "--groups"), result.block)
                                     : parse_dim3(options.grid, "--grid");
  for (const std::string& text : options.arguments) result.arguments.push_back(parse_argument(text));
  for (const std::string& text : options.shows) result.shows.push_back(parse_slice(text));
  for (const std::string& text : options.outputs) result.outputs.push_back(parse_output(text));
  for (const std::string& text : options.expectations) result.expectations.push_back(parse_expectation(text));
  result.tolerance = checked_tolerance(options.tolerance.value_or(0));
  return result;
}

/// Runs all cases of a file, going on after a failed one.
int run_cases(const RunOptions& options, const Watch& watch) {
  if (!options.grid.empty() || !options.groups.empty() || !options.block.empty() ||
      !options.arguments.empty() || !options.shows.empty() || !options.outputs.empty() ||
      !options.expectations.empty() || options.tolerance) {
    throw Error(Tag::bad_usage, fmt::format("{} describes its launches itself; of the options only --kernel, "
                                            "--machine and --device go with it",
                                            options.file));
  }
  int code = kSuccess;
  unsigned count = 0, failed = 0;
  for (const LaunchCase& launch_case : read_cases(options.file)) {
    if (!options.kernel.empty() && launch_case.kernel != options.kernel) continue;
    ++count;
    try {
      execute(launch_case, options.machine, options.device, watch);
    } catch (Error& error) {
      ++failed;
      code = std::max<int>(code, exit_code(error));
      std::fflush(stdout);
      print_error(error.add("case", launch_case.name));
    }
  }
  fmt::print("{} cases, {} failed\n", count, failed);
  if (count == 0) throw Error(Tag::bad_usage, fmt::format("no case uses kernel {}", options.kernel));
  return code;
}

}  // namespace

int run_watched(const RunOptions& options, const Watch& watch) {
  if (ends_with(options.file, ".json")) return run_cases(options, watch);
  execute(single_case(options), options.machine, options.device, watch);
  return kSuccess;
}

int run_command(const RunOptions& options) { return run_watched(options, {}); }

}  // namespace mockgpu::tools
