// Atomics of GLOBAL, FLAT and DS instructions.
#include "emu/amd/wave/lanes/memory_atomic.h"

#include "emu/amd/wave/lanes/memory_flat.h"
#include "emu/amd/wave/lanes/memory_parts.h"
#include "emu/amd/wave/lanes/memory_spaces.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {

namespace {

template <class T>
bool lds_atomics(const Record* record, Gang* gang, unsigned slot, U32 lanes, const U32* offsets, U32 add,
                 const U32* other) {
  const auto op = static_cast<AtomicOp>(record->op);
  const U32* data = row(gang, record->src[1]) + slot * kLanes;
  U32* result = record->flags & kReturnsValue ? row(gang, record->dst) + slot * kLanes : nullptr;
  Byte* lds = gang->lds[slot];
  const U32 size = gang->lds_bytes;
  const FloatMode mode = lds_float_mode(gang, slot, sizeof(T) == 8);
  for (; lanes; lanes &= lanes - 1) {
    const unsigned lane = lowest(lanes);
    const U32 offset = offsets[lane] + add;
    if (offset % sizeof(T) != 0) {
      stop_with_fault(gang, record, FaultKind::misaligned_atomic, true, slot, 1u << lane, sizeof(T), offset);
      return false;
    }
    T old = 0;
    if (size >= sizeof(T) && offset <= size - sizeof(T)) {
      old = update_lds<T>(lds + offset, op, register_value<T>(data, lane),
                          other ? register_value<T>(other, lane) : T{0}, mode);
    }
    if (result) set_register<T>(result, lane, old);
  }
  return true;
}

template <class T, bool kSaddr>
bool global_atomics(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  const U32* low = row(gang, record->src[0]) + slot * kLanes;
  if constexpr (kSaddr) {
    const U64 base = scalar_pair(gang, record->src[2], slot) + record->imm;
    return atomic_lanes<T>(record, gang, slot, lanes,
                           [base, low](unsigned lane) { return base + low[lane]; });
  } else {
    const U64 imm = record->imm;
    return atomic_lanes<T>(record, gang, slot, lanes, [low, imm](unsigned lane) {
      return (low[lane] | U64{low[kRowWords + lane]} << 32) + imm;
    });
  }
}

template <class T>
bool scratch_atomics(const Record* record, Gang* gang, unsigned slot, U32 lanes, const U32* low) {
  const Scratch scratch = scratch_of(gang, slot);
  const U32 imm = static_cast<U32>(record->imm);
  for (U32 left = lanes; left; left &= left - 1) {
    const unsigned lane = lowest(left);
    const U32 offset = low[lane] + imm;
    // The dwords of a 64-bit value lie apart in scratch, so there is no such atomic.
    if (sizeof(T) == 8 || scratch.size < sizeof(T) || offset > scratch.size - sizeof(T)) {
      stop_with_fault(gang, record, FaultKind::memory, true, slot, 1u << lane, sizeof(T),
                      scratch.address(lane, offset));
      return false;
    }
  }
  return atomic_lanes<T>(record, gang, slot, lanes,
                         [=](unsigned lane) { return scratch.address(lane, low[lane] + imm); });
}

/// FLAT atomics go by aperture; lanes of different memories are done one memory after the other.
template <class T>
bool flat_atomics(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  const U32* low = row(gang, record->src[0]) + slot * kLanes;
  const Apertures part = apertures_of(gang, slot, lanes, low + kRowWords);
  alignas(32) U32 offsets[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) offsets[lane] = low[lane] & kLdsAperture;
  if (part.global && !global_atomics<T, false>(record, gang, slot, part.global)) return false;
  if (part.scratch && !scratch_atomics<T>(record, gang, slot, part.scratch, low)) return false;
  if (!part.lds) return true;
  const auto op = static_cast<AtomicOp>(record->op);
  const bool two = op == AtomicOp::cmpswap || op == AtomicOp::float_cmpswap;
  const U32* other = row(gang, record->src[1]) + slot * kLanes + sizeof(T) / 4 * kRowWords;
  return lds_atomics<T>(record, gang, slot, part.lds, offsets, static_cast<U32>(record->imm),
                        two ? other : nullptr);
}

template <class T>
bool ds_atomics(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  const U32* offsets = row(gang, record->src[0]) + slot * kLanes;
  const U32* other = record->src[2] ? row(gang, record->src[2]) + slot * kLanes : nullptr;
  return lds_atomics<T>(record, gang, slot, lanes, offsets, static_cast<U32>(record->imm), other);
}

template <class T>
bool ds_exchange2(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  const U32* address = row(gang, record->src[0]) + slot * kLanes;
  const U32* first = row(gang, record->src[1]) + slot * kLanes;
  const U32* second = row(gang, record->src[2]) + slot * kLanes;
  U32* result = row(gang, record->dst) + slot * kLanes;
  const U32 size = gang->lds_bytes;
  for (; lanes; lanes &= lanes - 1) {
    const unsigned lane = lowest(lanes);
    const U32 offsets[2] = {address[lane] + static_cast<U32>(record->imm),
                            address[lane] + static_cast<U32>(record->aux)};
    const T data[2] = {register_value<T>(first, lane), register_value<T>(second, lane)};
    for (unsigned i = 0; i < 2; ++i) {
      if (offsets[i] % sizeof(T) != 0) {
        stop_with_fault(gang, record, FaultKind::misaligned_atomic, true, slot, 1u << lane, sizeof(T),
                        offsets[i]);
        return false;
      }
      T old = 0;
      if (size >= sizeof(T) && offsets[i] <= size - sizeof(T)) {
        old = update_lds<T>(gang->lds[slot] + offsets[i], AtomicOp::swap, data[i], T{0}, FloatMode{});
      }
      set_register<T>(result + i * (sizeof(T) / 4) * kRowWords, lane, old);
    }
  }
  return true;
}

using SlotBody = bool (*)(const Record*, Gang*, unsigned, U32);

/// Runs the 32-bit or 64-bit body for all active slots.
template <SlotBody kNarrow, SlotBody kWideBody>
__attribute__((noinline)) bool each_slot(const Record* record, Gang* gang) {
  const NearestEven mode(is_float(static_cast<AtomicOp>(record->op)));
  const SlotBody body = record->flags & kWide ? kWideBody : kNarrow;
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (lanes && !body(record, gang, slot, lanes)) return false;
  }
  return true;
}

template <SlotBody kNarrow, SlotBody kWideBody>
HandlerResult run(const Record* record, Gang* gang) {
  if (!each_slot<kNarrow, kWideBody>(record, gang)) MOCKGPU_STOP;
  MOCKGPU_NEXT(record, gang);
}

}  // namespace

void add_atomics(MemoryTable& table) {
  table.global_atomic[0] = run<global_atomics<U32, false>, global_atomics<U64, false>>;
  table.global_atomic[1] = run<global_atomics<U32, true>, global_atomics<U64, true>>;
  table.flat_atomic = run<flat_atomics<U32>, flat_atomics<U64>>;
  table.lds_atomic = run<ds_atomics<U32>, ds_atomics<U64>>;
  table.lds_exchange2 = run<ds_exchange2<U32>, ds_exchange2<U64>>;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
