#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "tools/cli/command.h"

namespace mockgpu::tools {

ExitCode exit_code(const Error& error) {
  switch (error.tag()) {
    case Tag::unsupported:
    case Tag::undecodable:
    case Tag::memory_fault:
    case Tag::hang:
    case Tag::trap:
    case Tag::bad_packet:
    case Tag::timeout:
    case Tag::failed: return kFinding;
    case Tag::bad_usage:
    case Tag::bad_file:
    case Tag::bad_request:
    case Tag::out_of_memory:
    case Tag::no_device:
    case Tag::io: return kWrongUse;
  }
  return kWrongUse;
}

void print_error(const Error& error) { std::fprintf(stderr, "mockgpu: %s\n", format_error(error).c_str()); }

namespace {

/// What describes a launch.
void add_launch(CLI::App* run, RunOptions& options) {
  run->add_option("file", options.file,
                  "Code object (.co, .hsaco: an AMDGPU ELF file or an offload bundle), assembler source (.s) "
                  "or a file of cases (.json), e.g. tests/kernels/gfx1100/vecadd.co")
      ->required();
  run->add_option("--kernel", options.kernel,
                  "Name of the kernel; needed where there are several, e.g. --kernel vecadd");
  run->add_option("--grid", options.grid, "Work-items in x, y and z, e.g. --grid 4096 or --grid 64,64");
  run->add_option("--groups", options.groups,
                  "Workgroups in x, y and z, in place of --grid, e.g. --groups 16");
  run->add_option("--block", options.block, "Work-items of one workgroup, e.g. --block 256 or --block 16,16");
  const auto many = [&](const char* name, std::vector<std::string>& values, const char* help) {
    run->add_option(name, values, help)->allow_extra_args(false);
  };
  many("--arg", options.arguments,
       "The next argument: a buffer TYPE[COUNT]=VALUES, a value TYPE=VALUE or local=BYTES of group memory. "
       "TYPE is "
       "i8..i64, u8..u64, f16, bf16, f32 or f64; VALUES is zeros, ones, fill:V, iota[*A][+B], "
       "rand:SEED[:LOW:HIGH], "
       "@FILE or a list, e.g. --arg 'f32[1024]=iota*0.5+1' --arg 'f32[1024]=@in.bin' --arg u32=1024");
  many("--show", options.shows,
       "Print elements of a buffer argument (counted from 0) after the launch, e.g. --show 2:16 or --show "
       "2:100..116");
  many("--out", options.outputs, "Write a buffer argument to a file, e.g. --out 2=result.bin");
  many("--expect", options.expectations,
       "Check a buffer argument against VALUES; a difference ends with exit code 1, e.g. --expect '2=iota*2' "
       "or "
       "--expect 2:0..3=0,2,4 or --expect 2=@expected.bin");
  run->add_option("--tolerance", options.tolerance,
                  "Let values differ by this factor of max(1, |expected|); without it bits must agree, e.g. "
                  "--tolerance 1e-6");
  run->add_option("--machine", options.machine,
                  "The machine, in place of $MOCKGPU, e.g. --machine 'gfx1100;mode=inline' or --machine off");
  run->add_option("--device", options.device, "Number of the device, see mockgpu info, e.g. --device 0")
      ->check(CLI::NonNegativeNumber);
}

void add_run(CLI::App& app, RunOptions& options, int& code) {
  CLI::App* run =
      app.add_subcommand("run", "Launch a kernel of a code object and show or check what it wrote");
  add_launch(run, options);
  run->footer(
      "Example:\n  mockgpu run vecadd.co --kernel vecadd --grid 1024 --block 256 --arg 'f32[1024]=iota' \\\n"
      "    --arg 'f32[1024]=ones' --arg 'f32[1024]=zeros' --arg u32=1024 --show 2:16");
  run->callback([&] { code = run_command(options); });
}

void add_trace(CLI::App& app, TraceCommandOptions& options, int& code) {
  CLI::App* trace = app.add_subcommand(
      "trace", "Launch a kernel as run does, and print what happens: instructions, packets, ioctls");
  add_launch(trace, options.run);
  trace->add_flag("--instructions", options.instructions,
                  "One line for every instruction of every wave with what it wrote; so it is without any of "
                  "the three, e.g. --instructions --packets");
  trace->add_flag("--packets", options.packets,
                  "The packets of the queues with their fields, e.g. --packets");
  trace->add_flag("--ioctls", options.ioctls,
                  "The runtime's calls to the driver, as strace prints them, e.g. --ioctls --machine off");
  trace->add_option("--output", options.output,
                    "Write the trace to a file instead of the standard output, e.g. --output a.trace");
  trace->add_option(
      "--workgroup", options.group,
      "Only instructions of this workgroup; exit code 2 if no launch has it, e.g. --workgroup 3 or "
      "--workgroup 0,2");
  trace
      ->add_option(
          "--wave", options.wave,
          "Only instructions of this wave of each workgroup; exit code 2 if none has it, e.g. --wave 0")
      ->check(CLI::NonNegativeNumber);  // the conversion would take -2^64 + 1 for 1
  trace->footer(
      "Without --machine and MOCKGPU, the mock machine runs inline: two runs give the same trace.\n"
      "Example:\n  mockgpu trace vecadd.co --kernel vecadd --grid 64 --block 32 --arg 'f32[64]=iota' \\\n"
      "    --arg 'f32[64]=ones' --arg 'f32[64]=zeros' --arg u32=64 --workgroup 1");
  trace->callback([&] { code = trace_command(options); });
}

void add_dis(CLI::App& app, DisOptions& options, int& code) {
  CLI::App* dis = app.add_subcommand("dis", "Disassemble a code object, or single instructions");
  dis->add_option("file", options.file, "Code object (.co, .hsaco), e.g. tests/kernels/gfx1100/vecadd.co");
  dis->add_option("--kernel", options.kernel, "Only this kernel or function, e.g. --kernel vecadd");
  dis->add_option("--target", options.target,
                  "Target of --hex, or which code object of a bundle, e.g. --target gfx1100");
  dis->add_flag(
      "--hex", options.hex,
      "Read one encoding as hex bytes from each line of the standard input and print one line for each, "
      "<undecodable> and exit code 1 for bad ones, e.g. echo 0202067e | mockgpu dis --target gfx1100 --hex");
  dis->add_flag(
      "--wave64", options.wave64,
      "With --hex: lane masks are 64 bits wide, e.g. mockgpu dis --target gfx1100 --hex --wave64 <lines");
  dis->callback([&] { code = dis_command(options); });
}

void add_asm(CLI::App& app, AsmOptions& options, int& code) {
  CLI::App* assemble =
      app.add_subcommand("asm", "Assemble a source file to a code object, or single instructions");
  assemble->add_option("file", options.file, "Assembler source in LLVM's syntax, e.g. kernel.s");
  assemble->add_option("-o,--output", options.output, "The code object to write, e.g. -o kernel.co");
  assemble->add_option("--target", options.target,
                       "Target of --hex, or of a source without .amdgcn_target, e.g. --target gfx1100");
  assemble->add_flag(
      "--hex", options.hex,
      "Read one instruction from each line of the standard input and print its bytes, <error> and exit "
      "code 2 for bad ones, e.g. echo 's_endpgm' | mockgpu asm --target gfx1100 --hex");
  assemble->add_flag(
      "--wave64", options.wave64,
      "Waves have 64 lanes, for sources and lines that do not say so, e.g. mockgpu asm kernel.s "
      "--wave64 -o kernel.co");
  assemble
      ->add_option("--defsym", options.symbols,
                   "Set a symbol before the first line, e.g. --defsym TILE=64 --defsym BETA=0")
      ->allow_extra_args(false);
  assemble
      ->add_option("-I,--include", options.folders,
                   "Where .include looks after the source's own folder, e.g. -I kernels/common")
      ->allow_extra_args(false);
  assemble->add_flag("--listing", options.listing,
                     "With --hex: read a disassembly and print the bytes of each of its instructions. Those "
                     "in its comments must be of "
                     "the text, and choose where several are, e.g. llvm-objdump -d vecadd.co | mockgpu asm "
                     "--target gfx1100 --hex "
                     "--listing");
  assemble->callback([&] { code = asm_command(options); });
}

void add_info(CLI::App& app, std::string& machine, int& code) {
  CLI::App* info = app.add_subcommand("info", "List the devices of the machine, mock or real");
  info->add_option(
      "--machine", machine,
      "The machine, in place of $MOCKGPU, e.g. --machine 'gfx1100;mode=inline' or --machine off");
  info->callback([&] { code = info_command(machine); });
}

int run(int argc, char** argv) {
  CLI::App app{
      "mockgpu runs real GPU machine code on a mock GPU, or on the real one, through the same runtime"};
  app.require_subcommand(1);
  app.footer(
      "The machine is chosen by --machine or the environment variable MOCKGPU: `on` (a mock gfx1100, the "
      "default),\n"
      "a description like `2xgfx1100;mode=inline`, a JSON file, or `off` for the real hardware.\n"
      "Exit codes: 0 success; 1 a finding (fault, hang, unsupported instruction, failed expectation);\n"
      "2 everything else (wrong usage, unreadable files, no device).");
  int code = kSuccess;
  RunOptions run_options;
  TraceCommandOptions trace_options;
  DisOptions dis_options;
  AsmOptions asm_options;
  std::string info_machine;
  add_run(app, run_options, code);
  add_trace(app, trace_options, code);
  add_dis(app, dis_options, code);
  add_asm(app, asm_options, code);
  add_info(app, info_machine, code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty()) {
      throw Error(Tag::bad_usage,
                  std::string("\"") + argv[1] + "\" is no command; there are run, trace, dis, asm and info");
    }
    throw Error(Tag::bad_usage, error.what(), {{"help", "mockgpu --help, mockgpu run --help"}});
  }
  return code;
}

}  // namespace
}  // namespace mockgpu::tools

int main(int argc, char** argv) {
  using namespace mockgpu;
  // One place turns everything that can go wrong into a message and an exit code.
  try {
    const int code = tools::run(argc, argv);
    if (std::fflush(stdout) == 0) return code;
    throw Error(Tag::io, "cannot write the output");
  } catch (const Error& error) {
    std::fflush(stdout);
    tools::print_error(error);
    return tools::exit_code(error);
  } catch (const std::bad_alloc&) {
    tools::print_error(Error(Tag::out_of_memory, "out of host memory"));
  } catch (const std::exception& error) {
    tools::print_error(Error(Tag::io, error.what()));
  }
  return tools::kWrongUse;
}
