// SCRATCH loads and stores: private memory, interleaved by dwords over the lanes of the wave.
#include "emu/amd/wave/lanes/memory_parts.h"
#include "emu/amd/wave/lanes/memory_spaces.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {
namespace {

template <auto kKind>
__attribute__((noinline)) bool scratch_slot(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  const U32 saddr = row(gang, record->src[2])[slot];
  const U32* offsets = record->flags & kHasAddress ? row(gang, record->src[0]) + slot * kLanes : nullptr;
  return access_scratch<kKind>(record, gang, slot, lanes, offsets, saddr + static_cast<U32>(record->imm));
}

template <auto kKind>
HandlerResult scratch_access(const Record* record, Gang* gang) {
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (lanes && !scratch_slot<kKind>(record, gang, slot, lanes)) MOCKGPU_STOP;
  }
  MOCKGPU_NEXT(record, gang);
}

}  // namespace

MOCKGPU_EACH_LOAD(MOCKGPU_SCRATCH_CODE)
MOCKGPU_EACH_STORE(MOCKGPU_SCRATCH_CODE)

void add_scratch(MemoryTable& table) {
#define MOCKGPU_ADD(kind) table.scratch_load[static_cast<unsigned>(kind)] = scratch_access<kind>;
  MOCKGPU_EACH_LOAD(MOCKGPU_ADD)
#undef MOCKGPU_ADD
#define MOCKGPU_ADD(kind) table.scratch_store[static_cast<unsigned>(kind)] = scratch_access<kind>;
  MOCKGPU_EACH_STORE(MOCKGPU_ADD)
#undef MOCKGPU_ADD
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
