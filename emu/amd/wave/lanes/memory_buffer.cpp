// MUBUF loads, stores and atomics of raw data.
#include "emu/amd/wave/lanes/memory_buffer.h"

#include "emu/amd/wave/lanes/memory_atomic.h"
#include "emu/amd/wave/lanes/memory_parts.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {
namespace {

template <auto kKind>
__attribute__((noinline)) bool buffer_slot(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  BufferLanes at;
  locate(record, gang, slot, lanes, kBytes<kKind>, descriptor_of(record, gang, slot), at);
  if constexpr (is_load(kKind)) {
    load_zero<kKind>(data_rows<kKind>(record, gang, slot), lanes & ~at.inside);
  }
  return access_scattered<kKind>(record, gang, slot, at.inside,
                                 [&at](unsigned lane) { return at.address[lane]; });
}

template <auto kKind>
HandlerResult buffer_access(const Record* record, Gang* gang) {
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (lanes && !buffer_slot<kKind>(record, gang, slot, lanes)) MOCKGPU_STOP;
  }
  MOCKGPU_NEXT(record, gang);
}

template <class T>
bool atomic_slot(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  BufferLanes at;
  locate(record, gang, slot, lanes, sizeof(T), descriptor_of(record, gang, slot), at);
  if (!atomic_lanes<T>(record, gang, slot, at.inside, [&at](unsigned lane) { return at.address[lane]; })) {
    return false;
  }
  if (record->flags & kReturnsValue) {
    constexpr LoadKind kKind = sizeof(T) == 8 ? LoadKind::b64 : LoadKind::b32;
    load_zero<kKind>(row(gang, record->dst) + slot * kLanes, lanes & ~at.inside);
  }
  return true;
}

__attribute__((noinline)) bool atomic_slots(const Record* record, Gang* gang) {
  const NearestEven mode(is_float(static_cast<AtomicOp>(record->op)));
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (lanes == 0) continue;
    const bool done = record->flags & kWide ? atomic_slot<U64>(record, gang, slot, lanes)
                                            : atomic_slot<U32>(record, gang, slot, lanes);
    if (!done) return false;
  }
  return true;
}

HandlerResult buffer_atomic(const Record* record, Gang* gang) {
  if (!atomic_slots(record, gang)) MOCKGPU_STOP;
  MOCKGPU_NEXT(record, gang);
}

}  // namespace

void add_buffer(MemoryTable& table) {
#define MOCKGPU_ADD(kind) table.buffer_load[static_cast<unsigned>(kind)] = buffer_access<kind>;
  MOCKGPU_EACH_LOAD(MOCKGPU_ADD)
#undef MOCKGPU_ADD
#define MOCKGPU_ADD(kind) table.buffer_store[static_cast<unsigned>(kind)] = buffer_access<kind>;
  MOCKGPU_EACH_STORE(MOCKGPU_ADD)
#undef MOCKGPU_ADD
  table.buffer_atomic = buffer_atomic;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
