#pragma once
// The handlers that are compiled once per level (baseline, x86-64-v3, ...) and picked at run time.
#include <cstdint>

#include "emu/amd/wave/record.h"

namespace mockgpu::emu::amd {

struct VectorTable;  ///< vector ALU handlers by op and operand kinds (vector_table.h)
struct MemoryTable;  ///< memory handlers (memory_table.h)

/// All lane kernels of one level.
struct LaneKernels {
  const char* name;  ///< "baseline", "v3"
  const VectorTable* vector;
  const MemoryTable* memory;
};

/// The levels that this build has and this host can run, best first.
const LaneKernels* find_level(const char* name_or_null);

}  // namespace mockgpu::emu::amd
