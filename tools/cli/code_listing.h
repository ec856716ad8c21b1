#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "isa/amd/target.h"

namespace mockgpu::tools {

/// Prints the disassembly of a code object to stdout: each symbol's label, then one line for each instruction
/// with its address and words. With a `symbol`, only that kernel or function. `target` chooses from a bundle
/// and must be the object's; null = its own. Returns false when some bytes were no instruction. Throws
/// Error(bad_file), and Error(bad_usage) for an unknown symbol, listing those there are.
bool print_listing(std::span<const std::byte> file, const std::string& name, const isa::amd::Target* target,
                   const std::string& symbol);

}  // namespace mockgpu::tools
