#pragma once
// One slot's access to each memory: what the handlers of GLOBAL, FLAT, SCRATCH, LDS and buffer instructions
// are made of. Slots are handled in ascending order, lanes too. Functions that may fault return false after
// they have filled Gang::fault: other lanes of that slot have then been done, later slots have not.
#include "emu/amd/wave/lanes/memory_data.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {

template <auto kKind>
inline constexpr U8 kRight = is_load(kKind) ? kReadRight : kWriteRight;

template <auto kKind>
inline unsigned cache_of(const Record* record) {
  return is_load(kKind) ? load_cache(record) : store_cache(record);
}

/// Data rows of a slot: results of loads, sources of stores.
template <auto kKind>
inline U32* data_rows(const Record* record, Gang* gang, unsigned slot) {
  return row(gang, is_load(kKind) ? record->dst : record->src[1]) + slot * kLanes;
}

inline U64 scalar_pair(const Gang* gang, U32 offset, unsigned slot) {
  const U32* low = row(const_cast<Gang*>(gang), offset) + slot;
  return low[0] | U64{low[kSlots]} << 32;
}

/// Lanes of the slot that take part.
inline U32 lanes_of(const Gang* gang, unsigned slot) { return gang->full ? ~0u : exec_of(gang, slot); }

/// Collects the lanes that could not access memory.
struct Failures {
  U32 lanes = 0;
  U64 address = 0;
  void add(unsigned lane, U64 at) {
    if (lanes == 0) address = at;
    lanes |= 1u << lane;
  }
};

/// One lane at a GPU address, wherever it lies. False if it is not accessible.
template <auto kKind>
inline bool access_address(Gang* gang, unsigned cache, U32* rows, unsigned lane, U64 address) {
  if (Byte* at = find(gang, cache, address, kBytes<kKind>, kRight<kKind>)) {
    access_lane<kKind>(rows, lane, at);
    return true;
  }
  Byte bytes[16];
  if constexpr (is_load(kKind)) {
    if (!read_pieces(gang, address, bytes, kBytes<kKind>)) return false;
    access_lane<kKind>(rows, lane, bytes);
    return true;
  } else {
    access_lane<kKind>(rows, lane, bytes);
    return write_pieces(gang, address, bytes, kBytes<kKind>);
  }
}

/// Stops the gang if there are failures; false then.
template <auto kKind>
inline bool report(const Failures& failures, const Record* record, Gang* gang, unsigned slot) {
  if (failures.lanes == 0) return true;
  stop_with_fault(gang, record, FaultKind::memory, !is_load(kKind), slot, failures.lanes, kBytes<kKind>,
                  failures.address);
  return false;
}

/// Lanes at unrelated addresses: address(l) is that of lane l.
template <auto kKind, class Address>
inline bool access_scattered(const Record* record, Gang* gang, unsigned slot, U32 lanes, Address address) {
  U32* rows = data_rows<kKind>(record, gang, slot);
  const unsigned cache = cache_of<kKind>(record);
  Failures failures;
  for (; lanes; lanes &= lanes - 1) {
    const unsigned lane = lowest(lanes);
    const U64 at = address(lane);
    if (!access_address<kKind>(gang, cache, rows, lane, at)) failures.add(lane, at);
  }
  return report<kKind>(failures, record, gang, slot);
}

/// Half a slot at base + offsets[l] (offsets unsigned), if all of it lies in one range: else false, with
/// nothing done. There must be lanes.
template <auto kKind>
inline bool access_half(Gang* gang, unsigned cache, U32* rows, U32 lanes, U64 base, const U32* offsets) {
  constexpr U32 kSize = kBytes<kKind>;
  const unsigned first = lowest(lanes), last = highest(lanes);
  const U32 start = offsets[first];
  const U32 span = offsets[last] - start;

  if (span == (last - first) * kSize && offsets[last] >= start &&
      is_ramp<kHalf>(offsets, start - first * kSize, kSize, lanes)) {
    Byte* at = find(gang, cache, base + start, span + kSize, kRight<kKind>);
    if (at) access_run<kKind, kHalf>(rows, at - first * kSize, lanes);
    return at != nullptr;
  }
  Byte* at = find(gang, cache, base + start, kSize, kRight<kKind>);
  if (!at) return false;
  if constexpr (is_load(kKind)) {
    if (span == 0 && is_ramp<kHalf>(offsets, start, 0, lanes)) {
      load_same<kKind, kHalf>(rows, at, lanes);
      return true;
    }
  }
  // Lane addresses relative to the range that holds the first lane.
  const CachedRange& range = gang->ranges[cache];
  const U64 inside = base + start - range.begin;
  if (inside >= range.bytes || range.host + inside != at) return false;  // found, but not remembered
  const U64 below = inside < start ? inside : start;  // bytes of the range before `at` that offsets can reach
  const U32 lowest_offset = start - static_cast<U32>(below);
  const U64 room = range.bytes - (inside - below) - kSize;  // of offsets above the lowest one
  const U64 reach = ~0u - lowest_offset;
  if (greatest<kHalf>(offsets, lowest_offset, lanes) > (room < reach ? room : reach)) return false;
  Byte* origin = at - below;
  access_lanes<kKind, kHalf>(rows, lanes, [origin, offsets, lowest_offset](unsigned lane) {
    return origin + (offsets[lane] - lowest_offset);
  });
  return true;
}

/// Lanes at base + offsets[l] (offsets unsigned).
template <auto kKind>
__attribute__((noinline)) bool access_offsets(const Record* record, Gang* gang, unsigned slot, U32 lanes,
                                              U64 base, const U32* offsets) {
  U32* rows = data_rows<kKind>(record, gang, slot);
  const unsigned cache = cache_of<kKind>(record);
  Failures failures;
  for (unsigned half = 0; half < kLanes; half += kHalf) {
    U32 part = (lanes >> half) & kHalfLanes;
    if (part == 0 || access_half<kKind>(gang, cache, rows + half, part, base, offsets + half)) continue;
    for (; part; part &= part - 1) {
      const unsigned lane = half + lowest(part);
      const U64 at = base + offsets[lane];
      if (!access_address<kKind>(gang, cache, rows, lane, at)) failures.add(lane, at);
    }
  }
  return report<kKind>(failures, record, gang, slot);
}

/// Lanes at 64-bit addresses in two rows, plus `imm`.
template <auto kKind>
bool access_pairs(const Record* record, Gang* gang, unsigned slot, U32 lanes, const U32* low) {
  const U32* high = low + kRowWords;
  const U64 imm = record->imm;
  const U32 upper = high[lowest(lanes)];
  if (is_ramp(high, upper, 0, lanes)) {
    return access_offsets<kKind>(record, gang, slot, lanes, (U64{upper} << 32) + imm, low);
  }
  return access_scattered<kKind>(record, gang, slot, lanes, [low, high, imm](unsigned lane) {
    return (low[lane] | U64{high[lane]} << 32) + imm;
  });
}

/// GLOBAL: 64-bit addresses, or offsets from a pair of SGPRs. Not inlined: the handlers do the common case.
template <auto kKind, bool kSaddr>
__attribute__((noinline)) bool access_global(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  if (lanes == 0) return true;
  const U32* low = row(gang, record->src[0]) + slot * kLanes;
  if constexpr (kSaddr) {
    const U64 base = scalar_pair(gang, record->src[2], slot) + record->imm;
    return access_offsets<kKind>(record, gang, slot, lanes, base, low);
  } else {
    return access_pairs<kKind>(record, gang, slot, lanes, low);
  }
}

/// LDS: lanes at offsets[l] + add (modulo 2^32). Out of the group's LDS loads give 0 and stores do nothing;
/// an access counts as a whole.
template <auto kKind>
__attribute__((noinline)) void access_lds(Gang* gang, unsigned slot, U32 lanes, U32* rows, const U32* offsets,
                                          U32 add) {
  constexpr U32 kSize = kBytes<kKind>;
  Byte* lds = gang->lds[slot];
  const U32 size = gang->lds_bytes;
  for (unsigned half = 0; half < kLanes; half += kHalf, offsets += kHalf, rows += kHalf) {
    U32 part = (lanes >> half) & kHalfLanes;
    if (part == 0) continue;
    const unsigned first = lowest(part), last = highest(part);
    const U32 start = offsets[first] + add;
    const U32 span = offsets[last] - offsets[first];
    if (size >= kSize && greatest<kHalf>(offsets, 0 - add, part) <= size - kSize) {
      if (span == (last - first) * kSize &&
          is_ramp<kHalf>(offsets, offsets[first] - first * kSize, kSize, part)) {
        access_run<kKind, kHalf>(rows, lds + start - first * kSize, part);
        continue;
      }
      if constexpr (is_load(kKind)) {
        if (span == 0 && is_ramp<kHalf>(offsets, offsets[first], 0, part)) {
          load_same<kKind, kHalf>(rows, lds + start, part);
          continue;
        }
      }
      access_lanes<kKind, kHalf>(rows, part,
                                 [lds, offsets, add](unsigned lane) { return lds + (offsets[lane] + add); });
      continue;
    }
    for (; part; part &= part - 1) {
      const unsigned lane = lowest(part);
      const U32 offset = offsets[lane] + add;
      if (size >= kSize && offset <= size - kSize) {
        access_lane<kKind>(rows, lane, lds + offset);
      } else {
        if constexpr (is_load(kKind)) load_zero<kKind>(rows, 1u << lane);
      }
    }
  }
}

/// Where the private memory of a slot's lanes lies: dwords are interleaved over the lanes of the wave.
struct Scratch {
  U64 base;   ///< GPU address of the wave's scratch slot
  U32 lanes;  ///< of the wave: 32 or 64
  U32 first;  ///< lane number of the slot's lane 0
  U32 size;   ///< bytes of a lane
  U64 address(unsigned lane, U32 offset) const {
    return base + U64{offset >> 2} * 4 * lanes + 4 * (first + lane) + (offset & 3);
  }
};
inline Scratch scratch_of(const Gang* gang, unsigned slot) {
  const U32 lanes = gang->wave64 ? 2 * kLanes : kLanes;
  return {scalar_pair(gang, Gang::scalar_offset(kRowScratchLo), slot), lanes,
          gang->wave64 ? (slot & 1) * kLanes : 0, gang->scratch_wave_bytes / lanes};
}

/// One lane's access to scratch, in the pieces that lie together: dwords, or bytes if it is misaligned.
/// False if a piece is not mapped.
template <auto kKind>
inline bool access_scratch_lane(Gang* gang, unsigned cache, const Scratch& scratch, U32* rows, unsigned lane,
                                U32 offset) {
  constexpr U32 kSize = kBytes<kKind>;
  Byte bytes[16];
  if constexpr (!is_load(kKind)) access_lane<kKind>(rows, lane, bytes);
  const U32 piece = (offset & 3) + (kSize < 4 ? kSize : 4) <= 4 ? (kSize < 4 ? kSize : 4) : 1;
  for (U32 done = 0; done < kSize; done += piece) {
    const U64 address = scratch.address(lane, offset + done);
    Byte* at = find(gang, cache, address, piece, kRight<kKind>);
    if (!at && piece != 1) {
      if constexpr (is_load(kKind)) {
        if (!read_pieces(gang, address, bytes + done, piece)) return false;
      } else {
        if (!write_pieces(gang, address, bytes + done, piece)) return false;
      }
      continue;
    }
    if (!at) return false;
    for (U32 i = 0; i < piece; ++i) {
      if constexpr (is_load(kKind)) {
        bytes[done + i] = Byte{peek<U8>(at + i)};
      } else {
        poke<U8>(at + i, static_cast<U8>(bytes[done + i]));
      }
    }
  }
  if constexpr (is_load(kKind)) access_lane<kKind>(rows, lane, bytes);
  return true;
}

/// SCRATCH: lanes at offsets[l] + add (modulo 2^32) of their private memory; all at `add` if `offsets` is
/// null.
template <auto kKind>
__attribute__((noinline)) bool access_scratch(const Record* record, Gang* gang, unsigned slot, U32 lanes,
                                              const U32* offsets, U32 add) {
  constexpr U32 kSize = kBytes<kKind>;
  constexpr U32 kPiece = kSize < 4 ? kSize : 4;
  const Scratch scratch = scratch_of(gang, slot);
  U32* rows = data_rows<kKind>(record, gang, slot);
  const unsigned cache = cache_of<kKind>(record);
  const U32 start = offsets ? offsets[lowest(lanes)] + add : add;

  // The usual case: all lanes at the same offset, so each dword of it is a contiguous row.
  if (scratch.size >= kSize && start <= scratch.size - kSize && (start & 3) + kPiece <= 4 &&
      (!offsets || is_ramp(offsets, start - add, 0, lanes))) {
    const U32 stride = 4 * scratch.lanes;
    const U64 bytes = U64{kDwords<kKind> - 1} * stride + 4 * kLanes;
    if (Byte* at = find(gang, cache, scratch.address(0, start & ~3u), bytes, kRight<kKind>)) {
      if constexpr (kSize >= 4) {
        constexpr auto kDword = [] {
          if constexpr (is_load(kKind)) {
            return LoadKind::b32;
          } else {
            return StoreKind::b32;
          }
        }();
        for (unsigned k = 0; k < kDwords<kKind>; ++k) {
          access_run<kDword, kLanes>(rows + k * kRowWords, at + k * stride, lanes);
        }
      } else {
        at += start & 3;
        access_lanes<kKind, kLanes>(rows, lanes, [at](unsigned lane) { return at + 4 * lane; });
      }
      return true;
    }
  }

  // Aligned dwords at different offsets, the whole slot of the wave in one range.
  const bool inside =
      scratch.size >= kSize && (offsets ? greatest(offsets, 0 - add, lanes) : add) <= scratch.size - kSize;
  if constexpr (kSize == 4) {
    if (inside && offsets) {
      Byte* at = find(gang, cache, scratch.base, gang->scratch_wave_bytes, kRight<kKind>);
      Vector misaligned = broadcast(0);
      for (unsigned block = 0; block < 4; ++block) {
        misaligned |= (row_vector(offsets + 8 * block) + add) & lane_mask(lanes, block) & 3;
      }
      if (at && all_zero(misaligned)) {
        at += 4 * scratch.first;
        const U32 per_dword = scratch.lanes;
        access_lanes<kKind, kLanes>(rows, lanes, [at, offsets, add, per_dword](unsigned lane) {
          return at + U64{offsets[lane] + add} * per_dword + 4 * lane;
        });
        return true;
      }
    }
  }

  Failures failures;
  for (U32 left = lanes; left; left &= left - 1) {
    const unsigned lane = lowest(left);
    const U32 offset = (offsets ? offsets[lane] : 0) + add;
    if (scratch.size < kSize || offset > scratch.size - kSize ||
        !access_scratch_lane<kKind>(gang, cache, scratch, rows, lane, offset)) {
      failures.add(lane, scratch.address(lane, offset));
    }
  }
  return report<kKind>(failures, record, gang, slot);
}

#define MOCKGPU_EACH_LOAD(X) \
  X(LoadKind::u8)            \
  X(LoadKind::i8)            \
  X(LoadKind::u16)           \
  X(LoadKind::i16)           \
  X(LoadKind::d16_u8)        \
  X(LoadKind::d16_i8)        \
  X(LoadKind::d16_b16)       \
  X(LoadKind::d16_hi_u8)     \
  X(LoadKind::d16_hi_i8)     \
  X(LoadKind::d16_hi_b16) X(LoadKind::b32) X(LoadKind::b64) X(LoadKind::b96) X(LoadKind::b128)
#define MOCKGPU_EACH_STORE(X) \
  X(StoreKind::b8)            \
  X(StoreKind::b16)           \
  X(StoreKind::d16_hi_b8)     \
  X(StoreKind::d16_hi_b16) X(StoreKind::b32) X(StoreKind::b64) X(StoreKind::b96) X(StoreKind::b128)

// FLAT instructions reach all three memories; the code for each is compiled once, beside its own handlers.
#define MOCKGPU_GLOBAL_CODE(kind) \
  template bool access_pairs<kind>(const Record*, Gang*, unsigned, U32, const U32*);
#define MOCKGPU_LDS_CODE(kind) template void access_lds<kind>(Gang*, unsigned, U32, U32*, const U32*, U32);
#define MOCKGPU_SCRATCH_CODE(kind) \
  template bool access_scratch<kind>(const Record*, Gang*, unsigned, U32, const U32*, U32);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
