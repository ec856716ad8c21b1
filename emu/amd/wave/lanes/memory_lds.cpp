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

/// Whether the halves of a whole slot are runs (or, with kStep 0, single addresses) inside LDS, at offsets[l]
/// + add and at offsets[l] + add2.
template <auto kKind, U32 kStep>
inline bool in_two_runs(U32 size, const U32* offsets, U32 add, U32 add2) {
  constexpr U32 kSpan = kHalfSpan<kKind, kStep>;
  if (size < kSpan) return false;
  const U32 most = size - kSpan;
  return offsets[0] + add <= most && offsets[kHalf] + add <= most && offsets[0] + add2 <= most &&
         offsets[kHalf] + add2 <= most && are_two_ramps<kStep>(offsets);
}
template <auto kKind, U32 kStep>
inline void access_two_runs(Byte* lds, U32* rows, U32 first, U32 second, U32 lanes) {
  if (kBytes<kKind> != 4 || lanes == ~0u) {
    access_half_run<kKind, kStep>(rows, lds + first);
    access_half_run<kKind, kStep>(rows + kHalf, lds + second);
  } else if constexpr (kBytes<kKind> == 4) {
    access_half_run_masked<kKind, kStep>(rows, lds + first, lanes & kHalfLanes);
    access_half_run_masked<kKind, kStep>(rows + kHalf, lds + second, lanes >> kHalf);
  }
}

/// Whether a slot with these lanes may be looked at as a whole: of dwords, those of other lanes are kept.
template <auto kKind>
inline bool whole(U32 lanes) {
  return lanes == ~0u || (kBytes<kKind> == 4 && lanes != 0);
}

template <auto kKind, U32 kStep>
inline bool lds_fast(const Record* record, Gang* gang, unsigned slot, U32 lanes, const U32* offsets) {
  const U32 add = static_cast<U32>(record->imm);
  if (!in_two_runs<kKind, kStep>(gang->lds_bytes, offsets, add, add)) return false;
  access_two_runs<kKind, kStep>(gang->lds[slot], data_rows<kKind>(record, gang, slot), offsets[0] + add,
                                offsets[kHalf] + add, lanes);
  return true;
}

/// The common cases are inline: each half one after the other or all at one place.
template <auto kKind>
HandlerResult lds_access(const Record* record, Gang* gang) {
  constexpr U32 kSize = kBytes<kKind>;
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (whole<kKind>(lanes)) {
      const U32* offsets = row(gang, record->src[0]) + slot * kLanes;
      const U32 step = offsets[1] - offsets[0];
      if (step == kSize && lds_fast<kKind, kSize>(record, gang, slot, lanes, offsets)) continue;
      if constexpr (kSameIsInline<kKind>) {
        if (step == 0 && lds_fast<kKind, 0>(record, gang, slot, lanes, offsets)) continue;
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

template <auto kKind, U32 kStep>
inline bool lds_fast2(const Record* record, Gang* gang, unsigned slot, U32 lanes, const U32* offsets) {
  const U32 add = static_cast<U32>(record->imm), add2 = static_cast<U32>(record->aux);
  if (!in_two_runs<kKind, kStep>(gang->lds_bytes, offsets, add, add2)) return false;
  const U32 low = offsets[0], high = offsets[kHalf];  // the first result may replace the address
  const auto rows = two_rows<kKind>(record, gang, slot);
  Byte* lds = gang->lds[slot];
  access_two_runs<kKind, kStep>(lds, rows.first, low + add, high + add, lanes);
  access_two_runs<kKind, kStep>(lds, rows.second, low + add2, high + add2, lanes);
  return true;
}

template <auto kKind>
HandlerResult lds_access2(const Record* record, Gang* gang) {
  constexpr U32 kSize = kBytes<kKind>;
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (whole<kKind>(lanes)) {
      const U32* offsets = row(gang, record->src[0]) + slot * kLanes;
      const U32 step = offsets[1] - offsets[0];
      if (step == kSize && lds_fast2<kKind, kSize>(record, gang, slot, lanes, offsets)) continue;
      if constexpr (kSameIsInline<kKind>) {
        if (step == 0 && lds_fast2<kKind, 0>(record, gang, slot, lanes, offsets)) continue;
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

MOCKGPU_EACH_LOAD(MOCKGPU_LDS_CODE)
MOCKGPU_EACH_STORE(MOCKGPU_LDS_CODE)

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
