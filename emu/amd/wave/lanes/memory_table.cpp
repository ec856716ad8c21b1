// The memory handlers of this level.
#include "emu/amd/wave/memory_table.h"

#include "emu/amd/wave/lanes/memory_parts.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

const MemoryTable& memory_table() {
  static const MemoryTable table = [] {
    MemoryTable t{};
    add_global(t);
    add_flat(t);
    add_scratch(t);
    add_lds(t);
    add_cross_lane(t);
    add_atomics(t);
    add_buffer(t);
    return t;
  }();
  return table;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
