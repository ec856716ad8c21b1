#pragma once
#include <string>
#include <vector>

#include "runtime/device.h"

namespace mockgpu::test {

/// Runs the programs of a set (FOLDER/NAME.co) and compares what every work-item computed with NAME.expected,
/// bit for bit. Returns one line per program that differs or fails; `count` is set to the number of programs.
std::vector<std::string> run_set(const std::string& folder, const std::string& name, runtime::Device& device,
                                 unsigned& count);

/// The names of the sets that build.sh makes: optimisation and wave size.
const std::vector<std::string>& set_names();

}  // namespace mockgpu::test
