#pragma once
#include <string>

#include "tools/cli/launch_case.h"

namespace mockgpu::tools {

/// Runs one case on a device of its own and prints its results to stdout. Throws what went wrong, and
/// Error(failed) for the first expectation that does not hold; an error that the case expects is a success.
/// `machine` as of MOCKGPU; empty = the environment's.
void execute(const LaunchCase& launch_case, const std::string& machine, unsigned device);

}  // namespace mockgpu::tools
