#pragma once
#include <string>

#include "emu/observe/observer.h"
#include "runtime/io/tracing_file_io.h"
#include "tools/cli/launch_case.h"

namespace mockgpu::tools {

/// Who looks on while a launch runs. On the real hardware there is no observer to tell.
struct Watch {
  emu::Observer* observer = nullptr;
  runtime::TracingFileIo::Sink calls;  ///< of the runtime to the operating system
};

/// Runs one case on a device of its own and prints its results to stdout. Throws what went wrong, and
/// Error(failed) for the first expectation that does not hold; an error that the case expects is a success.
/// `machine` as of MOCKGPU; empty = the environment's.
void execute(const LaunchCase& launch_case, const std::string& machine, unsigned device,
             const Watch& watch = {});

}  // namespace mockgpu::tools
