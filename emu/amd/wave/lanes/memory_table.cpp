// The memory handlers of this level.
#include "emu/amd/wave/memory_table.h"

#include "emu/amd/wave/lanes/memory_parts.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

const MemoryTable& memory_table() {
  static const MemoryTable table = [] {
    MemoryTable t{};
    memory::add_global(t);
    memory::add_flat(t);
    memory::add_scratch(t);
    memory::add_lds(t);
    memory::add_cross_lane(t);
    memory::add_atomics(t);
    memory::add_buffer(t);
    memory::add_typed(t);
    return t;
  }();
  return table;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
