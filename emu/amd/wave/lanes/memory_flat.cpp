// FLAT loads and stores: the high half of each lane's address, before the offset is added, says whether it is
// LDS, scratch or global memory.
#include "emu/amd/wave/lanes/memory_flat.h"

#include "emu/amd/wave/lanes/memory_parts.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {

#define MOCKGPU_ELSEWHERE(kind) \
  extern MOCKGPU_GLOBAL_CODE(kind) extern MOCKGPU_LDS_CODE(kind) extern MOCKGPU_SCRATCH_CODE(kind)
MOCKGPU_EACH_LOAD(MOCKGPU_ELSEWHERE)
MOCKGPU_EACH_STORE(MOCKGPU_ELSEWHERE)
#undef MOCKGPU_ELSEWHERE

namespace {

template <auto kKind>
__attribute__((noinline)) bool flat_slot(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  const U32* low = row(gang, record->src[0]) + slot * kLanes;
  const Apertures part = apertures_of(gang, slot, lanes, low + kRowWords);
  const U32 imm = static_cast<U32>(record->imm);
  if (part.global && !access_pairs<kKind>(record, gang, slot, part.global, low)) return false;
  if (part.scratch && !access_scratch<kKind>(record, gang, slot, part.scratch, low, imm)) return false;
  if (part.lds) {
    alignas(32) U32 offsets[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) offsets[lane] = low[lane] & kLdsAperture;
    access_lds<kKind>(gang, slot, part.lds, data_rows<kKind>(record, gang, slot), offsets, imm);
  }
  return true;
}

template <auto kKind>
HandlerResult flat_access(const Record* record, Gang* gang) {
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (lanes && !flat_slot<kKind>(record, gang, slot, lanes)) MOCKGPU_STOP;
  }
  MOCKGPU_NEXT(record, gang);
}

}  // namespace

void add_flat(MemoryTable& table) {
#define MOCKGPU_ADD(kind) table.flat_load[static_cast<unsigned>(kind)] = flat_access<kind>;
  MOCKGPU_EACH_LOAD(MOCKGPU_ADD)
#undef MOCKGPU_ADD
#define MOCKGPU_ADD(kind) table.flat_store[static_cast<unsigned>(kind)] = flat_access<kind>;
  MOCKGPU_EACH_STORE(MOCKGPU_ADD)
#undef MOCKGPU_ADD
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
