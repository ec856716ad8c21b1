// GLOBAL loads and stores.
#include "emu/amd/wave/lanes/memory_parts.h"
#include "emu/amd/wave/lanes/memory_spaces.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {
namespace {

/// A whole slot whose halves are runs (or, with kStep 0, single addresses) inside the range used last: tiles
/// of 16 work-items, and plain runs too. False, with nothing done, if it is not like that.
template <auto kKind, U32 kStep>
inline bool access_two_runs(const CachedRange& range, U32* rows, U64 base, const U32* offsets) {
  constexpr U32 kSpan = kHalfSpan<kKind, kStep>;
  const U32 first = offsets[0], second = offsets[kHalf];
  if (first > ~0u - kSpan || second > ~0u - kSpan || !are_two_ramps<kStep>(offsets)) return false;
  const U64 inside = base + first - range.begin, inside2 = base + second - range.begin;
  if (inside >= range.bytes || range.bytes - inside < kSpan) return false;
  if (inside2 >= range.bytes || range.bytes - inside2 < kSpan) return false;
  Byte* host = range.host;
  if constexpr (kStep != 0) {
    // Groups mostly stream: fetch what the same instruction of the next gang will ask for.
    constexpr U32 kAhead = kSlots * kLanes * kStep;
    __builtin_prefetch(host + inside + kAhead);
    __builtin_prefetch(host + inside2 + kAhead);
  }
  access_half_run<kKind, kStep>(rows, host + inside);
  access_half_run<kKind, kStep>(rows + kHalf, host + inside2);
  return true;
}

/// The common cases are inline: all lanes active, each half one after the other or all at one place.
template <auto kKind, bool kSaddr>
HandlerResult global_access(const Record* record, Gang* gang) {
  constexpr U32 kSize = kBytes<kKind>;
  const CachedRange& range = gang->ranges[cache_of<kKind>(record)];
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (lanes == ~0u) {
      const U32* low = row(gang, record->src[0]) + slot * kLanes;
      U64 base = record->imm;
      bool close = true;
      if constexpr (kSaddr) {
        base += scalar_pair(gang, record->src[2], slot);
      } else {
        const U32* high = low + kRowWords;
        base += U64{high[0]} << 32;
        close = is_ramp(high, high[0], 0);
      }
      U32* rows = data_rows<kKind>(record, gang, slot);
      const U32 step = low[1] - low[0];
      if (step == kSize && close && access_two_runs<kKind, kSize>(range, rows, base, low)) continue;
      if constexpr (kSameIsInline<kKind>) {
        if (step == 0 && close && access_two_runs<kKind, 0>(range, rows, base, low)) continue;
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

MOCKGPU_EACH_LOAD(MOCKGPU_GLOBAL_CODE)
MOCKGPU_EACH_STORE(MOCKGPU_GLOBAL_CODE)

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
