#pragma once
#include <string>

#include "isa/amd/target.h"

namespace mockgpu::tools {

/// The target called `name`; throws Error(bad_usage), listing those there are.
const isa::amd::Target& target_called(const std::string& name);

/// Whether single instructions are of waves of 64 lanes: where it was asked for, and where nothing else exists.
/// Throws Error(bad_usage) if the target has no such waves.
bool is_wave64(const isa::amd::Target& target, bool asked);

}  // namespace mockgpu::tools
