#pragma once
#include <cstddef>
#include <vector>

#include "isa/amd/asm/source.h"

namespace mockgpu::isa::amd {

/// What is wrong with a metadata block, and in which of its lines.
struct MetadataMismatch {
  Mismatch mismatch;
  SourceLinePtr line;
};

/// Turns the lines of an `.amdgpu_metadata` block, YAML as LLVM writes it (block and flow collections,
/// plain and quoted scalars, each on one line), so JSON too, into MessagePack. Throws a MetadataMismatch.
std::vector<std::byte> pack_metadata(const std::vector<SourceLinePtr>& lines);

}  // namespace mockgpu::isa::amd
