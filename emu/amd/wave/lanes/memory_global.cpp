// GLOBAL loads and stores.
#include "emu/amd/wave/lanes/memory_parts.h"
#include "emu/amd/wave/lanes/memory_spaces.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {
namespace {

/// The common case is inline: all lanes active, one after the other in memory, in the range used last.
template <auto kKind, bool kSaddr>
HandlerResult global_access(const Record* record, Gang* gang) {
  constexpr U32 kSize = kBytes<kKind>;
  const CachedRange& range = gang->ranges[cache_of<kKind>(record)];
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (lanes == ~0u) {
      const U32* low = row(gang, record->src[0]) + slot * kLanes;
      const U32 start = low[0];
      bool run = start <= ~0u - kLanes * kSize && is_ramp(low, start, kSize);
      U64 base;
      if constexpr (kSaddr) {
        base = scalar_pair(gang, record->src[2], slot);
      } else {
        run = run && is_ramp(low + kRowWords, low[kRowWords], 0);
        base = U64{low[kRowWords]} << 32;
      }
      const U64 inside = base + start + record->imm - range.begin;
      if (run && inside < range.bytes && range.bytes - inside >= kLanes * kSize) {
        access_full_run<kKind>(data_rows<kKind>(record, gang, slot), range.host + inside);
        continue;
      }
    }
    if (!access_global<kKind, kSaddr>(record, gang, slot, lanes)) MOCKGPU_STOP;
  }
  MOCKGPU_NEXT(record, gang);
}

/// global_*_addtid_b32: SGPR pair + offset + 4 * lane.
template <auto kKind>
__attribute__((noinline)) bool access_addtid(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  if (lanes == 0) return true;
  const U64 first_lane = gang->wave64 ? (slot & 1) * kLanes : 0;
  const U64 base = scalar_pair(gang, record->src[2], slot) + record->imm + 4 * first_lane;
  return access_scattered<kKind>(record, gang, slot, lanes,
                                 [base](unsigned lane) { return base + 4 * lane; });
}
template <auto kKind>
HandlerResult global_addtid(const Record* record, Gang* gang) {
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    if (!access_addtid<kKind>(record, gang, slot, lanes_of(gang, slot))) MOCKGPU_STOP;
  }
  MOCKGPU_NEXT(record, gang);
}

}  // namespace

void add_global(MemoryTable& table) {
#define MOCKGPU_ADD(kind)                                                         \
  table.global_load[0][static_cast<unsigned>(kind)] = global_access<kind, false>; \
  table.global_load[1][static_cast<unsigned>(kind)] = global_access<kind, true>;
  MOCKGPU_EACH_LOAD(MOCKGPU_ADD)
#undef MOCKGPU_ADD
#define MOCKGPU_ADD(kind)                                                          \
  table.global_store[0][static_cast<unsigned>(kind)] = global_access<kind, false>; \
  table.global_store[1][static_cast<unsigned>(kind)] = global_access<kind, true>;
  MOCKGPU_EACH_STORE(MOCKGPU_ADD)
#undef MOCKGPU_ADD
  table.global_load_addtid = global_addtid<LoadKind::b32>;
  table.global_store_addtid = global_addtid<StoreKind::b32>;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
