// DS instructions that move data between lanes without memory, and the wave-wide counters.
#include "emu/amd/wave/lanes/memory_parts.h"
#include "emu/amd/wave/lanes/memory_spaces.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {
namespace {

/// Writes `values` to the active lanes.
inline void write_lanes(U32* rows, const U32* values, U32 lanes) {
  for (unsigned block = 0; block < 4; ++block) {
    Vector& to = row_vector(rows + 8 * block);
    const Vector mask = lane_mask(lanes, block);
    to = (row_vector(values + 8 * block) & mask) | (to & ~mask);
  }
}

/// Runs `body(slot, lanes)` for the active slots that have active lanes.
template <class Body>
inline void each_slot(Gang* gang, Body body) {
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (lanes) body(slot, lanes);
  }
}

/// Every active lane pushes its value to lane (address + offset) / 4 mod 32; the highest source lane wins,
/// and lanes that get nothing read 0. A wave64 permutes each half by itself.
__attribute__((noinline)) void permute(const Record* record, Gang* gang) {
  each_slot(gang, [=](unsigned slot, U32 lanes) {
    const U32* address = row(gang, record->src[0]) + slot * kLanes;
    const U32* data = row(gang, record->src[1]) + slot * kLanes;
    alignas(32) U32 result[kLanes] = {};
    for (U32 left = lanes; left; left &= left - 1) {
      const unsigned lane = lowest(left);
      result[((address[lane] + static_cast<U32>(record->imm)) >> 2) % kLanes] = data[lane];
    }
    write_lanes(row(gang, record->dst) + slot * kLanes, result, lanes);
  });
}

/// Every active lane reads the value of lane (address + offset) / 4 mod 32, or 0 if that one is inactive.
__attribute__((noinline)) void bpermute(const Record* record, Gang* gang) {
  each_slot(gang, [=](unsigned slot, U32 lanes) {
    const U32* address = row(gang, record->src[0]) + slot * kLanes;
    const U32* data = row(gang, record->src[1]) + slot * kLanes;
    alignas(32) U32 result[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned from = ((address[lane] + static_cast<U32>(record->imm)) >> 2) % kLanes;
      result[lane] = (lanes >> from) & 1 ? data[from] : 0;
    }
    write_lanes(row(gang, record->dst) + slot * kLanes, result, lanes);
  });
}

/// The lane that ds_swizzle_b32 reads: the four patterns of its offset field.
inline unsigned swizzle_source(U32 pattern, unsigned lane) {
  const U32 mask = pattern & 0x1f;
  if (pattern >= 0xe000) {  // FFT: lane bits reversed
    U32 reversed = 0;
    for (unsigned bit = 0; bit < 5; ++bit) reversed |= ((lane >> bit) & 1) << (4 - bit);
    return (reversed >> __builtin_popcount(mask)) | (lane & mask);
  }
  if (pattern >= 0xc000) {  // rotate
    const U32 by = (pattern >> 5) & 0x1f;
    const U32 rotated = pattern & 0x400 ? lane - by : lane + by;
    return (lane & mask) | (rotated & ~mask & 0x1f);
  }
  if (pattern & 0x8000) return (lane & ~3u) | ((pattern >> (2 * (lane & 3))) & 3);  // within four lanes
  return ((lane & mask) | ((pattern >> 5) & 0x1f)) ^ ((pattern >> 10) & 0x1f);
}

__attribute__((noinline)) void swizzle(const Record* record, Gang* gang) {
  U8 from[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    from[lane] = static_cast<U8>(swizzle_source(static_cast<U32>(record->imm) & 0xffff, lane));
  }
  each_slot(gang, [&](unsigned slot, U32 lanes) {
    const U32* data = row(gang, record->src[0]) + slot * kLanes;
    alignas(32) U32 result[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      result[lane] = (lanes >> from[lane]) & 1 ? data[from[lane]] : 0;
    }
    write_lanes(row(gang, record->dst) + slot * kLanes, result, lanes);
  });
}

/// ds_append, ds_consume: a counter at M0[15:0] + offset grows or shrinks by the number of active lanes of
/// the wave, once; every lane gets the old value.
__attribute__((noinline)) void append(const Record* record, Gang* gang) {
  for (U32 left = gang->active; left;) {
    const unsigned slot = lowest(left);
    const unsigned slots = gang->wave64 ? 2 : 1;
    left &= ~(((1u << slots) - 1) << slot);
    U32 count = 0;
    for (unsigned s = slot; s < slot + slots; ++s) {
      count += static_cast<U32>(__builtin_popcount(lanes_of(gang, s)));
    }
    if (count == 0) continue;
    const U32 m0 = row(gang, Gang::scalar_offset(kRowM0))[slot] & 0xffff;
    const U64 offset = (m0 + (record->imm & 0xffff)) & ~U64{3};
    U32 old = 0;
    if (offset + 4 <= gang->lds_bytes) {
      Byte* at = gang->lds[slot] + offset;
      old = peek<U32>(at);
      poke<U32>(at, record->op ? old - count : old + count);
    }
    for (unsigned s = slot; s < slot + slots; ++s) {
      alignas(32) U32 result[kLanes];
      for (unsigned lane = 0; lane < kLanes; lane += 8) row_vector(result + lane) = broadcast(old);
      write_lanes(row(gang, record->dst) + s * kLanes, result, lanes_of(gang, s));
    }
  }
}

template <void (*kBody)(const Record*, Gang*)>
HandlerResult run(const Record* record, Gang* gang) {
  kBody(record, gang);
  MOCKGPU_NEXT(record, gang);
}

}  // namespace

void add_cross_lane(MemoryTable& table) {
  table.lds_permute = run<permute>;
  table.lds_bpermute = run<bpermute>;
  table.lds_swizzle = run<swizzle>;
  table.lds_append = run<append>;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
