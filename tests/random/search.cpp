// random_search FOLDER: runs the sets that build.sh wrote there. Part of search.sh.
#include <fmt/format.h>

#include "emu/machine.h"
#include "isa/base/error.h"
#include "runtime/platform.h"
#include "tests/random/run_set.h"

int main(int argc, char** argv) {
  using namespace mockgpu;
  if (argc != 2) {
    fmt::print(stderr, "usage: random_search FOLDER\n");
    return 2;
  }
  unsigned programs = 0, failures = 0;
  for (const std::string& name : test::set_names()) {
    for (const char* spec : {"gfx1100;mode=inline;threads=1", "gfx1100;mode=seeded;level=baseline"}) {
      try {
        const emu::OpenedMachine machine = emu::open_machine(spec);
        const auto device = runtime::open_device(*machine.io);
        unsigned count = 0;
        for (const std::string& wrong : test::run_set(argv[1], name, *device, count)) {
          fmt::print("{} on {}\n", wrong, spec);
          ++failures;
        }
        programs += count;
      } catch (const Error& error) {
        fmt::print("{} on {}: {}\n", name, spec, format_error(error));
        ++failures;
      }
    }
  }
  fmt::print("{}: {} runs, {} failures\n", argv[1], programs, failures);
  return failures ? 1 : 0;
}
