#pragma once
#include "emu/amd/wave/prepare.h"

namespace mockgpu::emu::amd {

/// Scalar loads (s_load_*, s_buffer_load_*). False if the op is none of them.
bool prepare_scalar_load(const isa::amd::Instruction& instruction, Preparer& out);

}  // namespace mockgpu::emu::amd
