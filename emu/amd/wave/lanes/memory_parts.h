#pragma once
// The files of a level's memory handlers, each of which fills in its part of the table.
#include "emu/amd/wave/memory_table.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {

void add_global(MemoryTable& table);
void add_flat(MemoryTable& table);
void add_scratch(MemoryTable& table);
void add_lds(MemoryTable& table);
void add_cross_lane(MemoryTable& table);
void add_atomics(MemoryTable& table);
void add_buffer(MemoryTable& table);
void add_typed(MemoryTable& table);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
