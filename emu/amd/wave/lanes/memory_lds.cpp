// LDS loads and stores with one and two addresses.
#include "emu/amd/wave/lanes/memory_parts.h"
#include "emu/amd/wave/lanes/memory_spaces.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {
namespace {

template <auto kKind>
inline void lds_slot(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  const U32* offsets = row(gang, record->src[0]) + slot * kLanes;
  access_lds<kKind>(gang, slot, lanes, data_rows<kKind>(record, gang, slot), offsets,
                    static_cast<U32>(record->imm));
}

template <auto kKind>
HandlerResult lds_access(const Record* record, Gang* gang) {
  constexpr U32 kRun = kLanes * kBytes<kKind>;
  const U32 size = gang->lds_bytes;
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (lanes == ~0u) {
      const U32* offsets = row(gang, record->src[0]) + slot * kLanes;
      const U32 start = offsets[0] + static_cast<U32>(record->imm);
      if (size >= kRun && start <= size - kRun && is_ramp(offsets, offsets[0], kBytes<kKind>)) {
        access_full_run<kKind>(data_rows<kKind>(record, gang, slot), gang->lds[slot] + start);
        continue;
      }
    }
    if (lanes) lds_slot<kKind>(record, gang, slot, lanes);
  }
  MOCKGPU_NEXT(record, gang);
}

/// Rows of the two values of a two-address access.
template <auto kKind>
struct TwoRows {
  U32* first;
  U32* second;
};
template <auto kKind>
inline TwoRows<kKind> two_rows(const Record* record, Gang* gang, unsigned slot) {
  U32* first = data_rows<kKind>(record, gang, slot);
  if constexpr (is_load(kKind)) {
    return {first, first + kDwords<kKind> * kRowWords};
  } else {
    return {first, row(gang, record->src[2]) + slot * kLanes};
  }
}

template <auto kKind>
__attribute__((noinline)) void lds_slot2(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  const U32* offsets = row(gang, record->src[0]) + slot * kLanes;
  // The address is read once: the first result may replace it.
  alignas(32) U32 copy[kLanes];
  for (unsigned lane = 0; lane < kLanes; lane += 8) row_vector(copy + lane) = row_vector(offsets + lane);
  const auto rows = two_rows<kKind>(record, gang, slot);
  access_lds<kKind>(gang, slot, lanes, rows.first, copy, static_cast<U32>(record->imm));
  access_lds<kKind>(gang, slot, lanes, rows.second, copy, static_cast<U32>(record->aux));
}

template <auto kKind>
HandlerResult lds_access2(const Record* record, Gang* gang) {
  constexpr U32 kRun = kLanes * kBytes<kKind>;
  const U32 size = gang->lds_bytes;
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (lanes == ~0u && size >= kRun) {
      const U32* offsets = row(gang, record->src[0]) + slot * kLanes;
      const U32 first = offsets[0] + static_cast<U32>(record->imm);
      const U32 second = offsets[0] + static_cast<U32>(record->aux);
      if (first <= size - kRun && second <= size - kRun && is_ramp(offsets, offsets[0], kBytes<kKind>)) {
        const auto rows = two_rows<kKind>(record, gang, slot);
        access_full_run<kKind>(rows.first, gang->lds[slot] + first);
        access_full_run<kKind>(rows.second, gang->lds[slot] + second);
        continue;
      }
    }
    if (lanes) lds_slot2<kKind>(record, gang, slot, lanes);
  }
  MOCKGPU_NEXT(record, gang);
}

/// ds_*_addtid_b32: M0[15:0] + offset + 4 * lane.
template <auto kKind>
__attribute__((noinline)) void lds_slot_addtid(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  const U32 m0 = row(gang, Gang::scalar_offset(kRowM0))[slot] & 0xffff;
  const U32 first = m0 + static_cast<U32>(record->imm) + (gang->wave64 ? (slot & 1) * kLanes * 4 : 0);
  alignas(32) U32 offsets[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) offsets[lane] = first + 4 * lane;
  access_lds<kKind>(gang, slot, lanes, data_rows<kKind>(record, gang, slot), offsets, 0);
}
template <auto kKind>
HandlerResult lds_addtid(const Record* record, Gang* gang) {
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (lanes) lds_slot_addtid<kKind>(record, gang, slot, lanes);
  }
  MOCKGPU_NEXT(record, gang);
}

}  // namespace

void add_lds(MemoryTable& table) {
#define MOCKGPU_ADD(kind) table.lds_load[static_cast<unsigned>(kind)] = lds_access<kind>;
  MOCKGPU_EACH_LOAD(MOCKGPU_ADD)
#undef MOCKGPU_ADD
#define MOCKGPU_ADD(kind) table.lds_store[static_cast<unsigned>(kind)] = lds_access<kind>;
  MOCKGPU_EACH_STORE(MOCKGPU_ADD)
#undef MOCKGPU_ADD
  table.lds_load2[static_cast<unsigned>(LoadKind::b32)] = lds_access2<LoadKind::b32>;
  table.lds_load2[static_cast<unsigned>(LoadKind::b64)] = lds_access2<LoadKind::b64>;
  table.lds_store2[static_cast<unsigned>(StoreKind::b32)] = lds_access2<StoreKind::b32>;
  table.lds_store2[static_cast<unsigned>(StoreKind::b64)] = lds_access2<StoreKind::b64>;
  table.lds_load_addtid = lds_addtid<LoadKind::b32>;
  table.lds_store_addtid = lds_addtid<StoreKind::b32>;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
