#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "tools/cli/command.h"
#include "tools/cli/execute.h"

namespace mockgpu::tools {
namespace {

struct RunOptions {
  std::string file, machine, kernel, grid, groups, block;
  unsigned device = 0;
  std::vector<std::string> arguments, shows, outputs, expectations;
  double tolerance = 0;
};

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
  result.tolerance = options.tolerance;
  return result;
}

/// Runs all cases of a file, going on after a failed one.
int run_cases(const RunOptions& options) {
  if (!options.grid.empty() || !options.groups.empty() || !options.block.empty() ||
      !options.arguments.empty() || !options.shows.empty() || !options.outputs.empty() ||
      !options.expectations.empty()) {
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
      execute(launch_case, options.machine, options.device);
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

void add_run(CLI::App& app, int& code) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* run =
      app.add_subcommand("run", "Launch a kernel of a code object and show or check what it wrote");
  run->add_option(
         "file", options->file,
         "Code object (.co, .hsaco: an AMDGPU ELF file or an offload bundle) or a file of cases (.json), "
         "e.g. tests/kernels/gfx1100/vecadd.co")
      ->required();
  run->add_option("--kernel", options->kernel,
                  "Name of the kernel; needed where there are several, e.g. --kernel vecadd");
  run->add_option("--grid", options->grid, "Work-items in x, y and z, e.g. --grid 4096 or --grid 64,64");
  run->add_option("--groups", options->groups,
                  "Workgroups in x, y and z, in place of --grid, e.g. --groups 16");
  run->add_option("--block", options->block,
                  "Work-items of one workgroup, e.g. --block 256 or --block 16,16");
  const auto many = [&](const char* name, std::vector<std::string>& values, const char* help) {
    run->add_option(name, values, help)->allow_extra_args(false);
  };
  many("--arg", options->arguments,
       "The next argument: a buffer TYPE[COUNT]=VALUES, a value TYPE=VALUE or local=BYTES of group memory. "
       "TYPE is "
       "i8..i64, u8..u64, f16, bf16, f32 or f64; VALUES is zeros, ones, fill:V, iota[*A][+B], "
       "rand:SEED[:LOW:HIGH], "
       "@FILE or a list, e.g. --arg 'f32[1024]=iota*0.5+1' --arg 'f32[1024]=@in.bin' --arg u32=1024");
  many("--show", options->shows,
       "Print elements of a buffer argument (counted from 0) after the launch, e.g. --show 2:16 or --show "
       "2:100..116");
  many("--out", options->outputs, "Write a buffer argument to a file, e.g. --out 2=result.bin");
  many("--expect", options->expectations,
       "Check a buffer argument against VALUES; a difference ends with exit code 1, e.g. --expect '2=iota*2' "
       "or "
       "--expect 2:0..3=0,2,4 or --expect 2=@expected.bin");
  run->add_option("--tolerance", options->tolerance,
                  "Let values differ by this factor of max(1, |expected|); without it bits must agree, e.g. "
                  "--tolerance 1e-6");
  run->add_option("--machine", options->machine,
                  "The machine, in place of $MOCKGPU, e.g. --machine 'gfx1100;mode=inline' or --machine off");
  run->add_option("--device", options->device, "Number of the device, see mockgpu info, e.g. --device 0");
  run->footer(
      "Example:\n  mockgpu run vecadd.co --kernel vecadd --grid 1024 --block 256 --arg 'f32[1024]=iota' \\\n"
      "    --arg 'f32[1024]=ones' --arg 'f32[1024]=zeros' --arg u32=1024 --show 2:16");
  run->callback([options, &code] {
    if (ends_with(options->file, ".json")) {
      code = run_cases(*options);
    } else {
      execute(single_case(*options), options->machine, options->device);
    }
  });
}

}  // namespace mockgpu::tools
