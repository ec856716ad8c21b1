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
  add_run(app, code);
  add_dis(app, code);
  add_info(app, code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty()) {
      throw Error(Tag::bad_usage,
                  std::string("\"") + argv[1] + "\" is no command; there are run, dis and info");
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
