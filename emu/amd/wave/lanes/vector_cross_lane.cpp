// Vector ALU, moves between lanes, to and from scalars, and with register numbers in M0.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/integer.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

using Work = void (*)(const Record* record, Gang* gang);

template <Work kWork>
static HandlerResult run(const Record* record, Gang* gang) {
  kWork(record, gang);
  MOCKGPU_NEXT(record, gang);
}

/// Calls body(slot) for each slot that runs.
template <class F>
static void for_slots(const Gang* gang, F body) {
  for (U32 left = gang->active; left != 0; left &= left - 1) {
    body(static_cast<unsigned>(__builtin_ctz(left)));
  }
}

/// Calls body(first slot) for each wave that runs.
template <class F>
static void for_waves(const Gang* gang, F body) {
  for_slots(gang, [&](unsigned slot) {
    if (!gang->wave64 || (slot & 1) == 0) body(slot);
  });
}

/// Writes a scalar row of a wave: of both slots in wave64.
static void put_scalar(Gang* gang, U32 offset, unsigned slot, U32 value) {
  U32* const at = row(gang, offset);
  at[slot] = value;
  if (gang->wave64) at[slot + 1] = value;
}

/// Word of a vector row: lane 0..63 of the wave whose first slot is `slot`.
static U32* lane_word(Gang* gang, U32 offset, unsigned slot, U32 lane) {
  return row(gang, offset) + slot * kLanes + lane;
}

[[gnu::noinline]] static void readfirstlane(const Record* record, Gang* gang) {
  for_waves(gang, [&](unsigned slot) {
    U64 exec = exec_of(gang, slot);
    if (gang->wave64) exec |= static_cast<U64>(exec_of(gang, slot + 1)) << 32;
    const U32 lane = exec == 0 ? 0 : static_cast<U32>(__builtin_ctzll(exec));
    put_scalar(gang, record->dst, slot, *lane_word(gang, record->src[0], slot, lane));
  });
}

[[gnu::noinline]] static void readlane(const Record* record, Gang* gang) {
  const Uniform number = uniform(record, gang, record->src[1]);
  const U32 mask = gang->wave64 ? 63 : 31;
  for_waves(gang, [&](unsigned slot) {
    put_scalar(gang, record->dst, slot, *lane_word(gang, record->src[0], slot, number[slot] & mask));
  });
}

[[gnu::noinline]] static void writelane(const Record* record, Gang* gang) {
  const Uniform value = uniform(record, gang, record->src[0]);
  const Uniform number = uniform(record, gang, record->src[1]);
  const U32 mask = gang->wave64 ? 63 : 31;
  for_waves(gang,
            [&](unsigned slot) { *lane_word(gang, record->dst, slot, number[slot] & mask) = value[slot]; });
}

/// Lanes of dst that have EXEC take what `from` holds for them.
static void store(Gang* gang, U32 offset, unsigned slot, U32 lanes, const U32* from) {
  U32* const to = row(gang, offset) + slot * kLanes;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    to[lane] = ((lanes >> lane) & 1) != 0 ? from[lane] : to[lane];
}

/// v_permlane16_b32 and, from the other row of 16, v_permlanex16_b32. Record::op bit 0: fetch inactive lanes;
/// bit 1: bound control, which makes inactive lanes read as 0 instead of not writing.
template <U32 kOther>
[[gnu::noinline]] static void permlane(const Record* record, Gang* gang) {
  const Uniform low = uniform(record, gang, record->src[1]);
  const Uniform high = uniform(record, gang, record->src[2]);
  for_slots(gang, [&](unsigned slot) {
    const U64 selectors = static_cast<U64>(high[slot]) << 32 | low[slot];
    const U32 exec = exec_of(gang, slot);
    const U32* const from = row(gang, record->src[0]) + slot * kLanes;
    U32 value[kLanes];
    U32 written = exec;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const U32 source = ((lane ^ kOther) & 16) | static_cast<U32>((selectors >> ((lane & 15) * 4)) & 15);
      const bool valid = (record->op & 1) != 0 || ((exec >> source) & 1) != 0;
      value[lane] = valid ? from[source] : 0;
      if (!valid && (record->op & 2) == 0) written &= ~(1u << lane);
    }
    store(gang, record->dst, slot, written, value);
  });
}

/// Swaps the halves of a wave64; nothing in wave32.
[[gnu::noinline]] static void permlane64(const Record* record, Gang* gang) {
  if (!gang->wave64) return;
  for_waves(gang, [&](unsigned slot) {
    U32 value[2 * kLanes];
    for (unsigned lane = 0; lane < 2 * kLanes; ++lane) {
      value[lane] = *lane_word(gang, record->src[0], slot, lane ^ 32);
    }
    store(gang, record->dst, slot, exec_of(gang, slot), value);
    store(gang, record->dst, slot + 1, exec_of(gang, slot + 1), value + kLanes);
  });
}

static void swap_lanes(Gang* gang, U32 a, U32 b, unsigned slot, U32 exec) {
  U32* const x = row(gang, a) + slot * kLanes;
  U32* const y = row(gang, b) + slot * kLanes;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U32 mask = 0u - ((exec >> lane) & 1);
    const U32 difference = (x[lane] ^ y[lane]) & mask;
    x[lane] ^= difference;
    y[lane] ^= difference;
  }
}

/// dst and src[0] exchange their values.
[[gnu::noinline]] static void swap(const Record* record, Gang* gang) {
  for_slots(gang, [&](unsigned slot) {
    if (record->dst == record->src[0]) return;
    swap_lanes(gang, record->dst, record->src[0], slot, exec_of(gang, slot));
  });
}

/// The row `index` registers behind `offset`; a register that the wave does not have is 0 for sources.
static U32 moved(const Gang* gang, U32 offset, U32 index) {
  const U64 number = (offset - Gang::vgpr_offset(0)) / kRowBytes + U64{index};
  return number < gang->vgpr_rows ? Gang::vgpr_offset(static_cast<unsigned>(number)) : 0;
}

/// Moves with the source (kSource), the destination or both moved by M0; `kSplit`: by M0[9:0] and M0[25:16].
template <bool kSource, bool kDestination, bool kSplit>
[[gnu::noinline]] static void move_relative(const Record* record, Gang* gang) {
  for_slots(gang, [&](unsigned slot) {
    const U32 m0 = gang->sgpr[kRowM0][slot];
    const U32 by_source = kSplit ? m0 & 0x3ff : m0;
    const U32 by_destination = kSplit ? (m0 >> 16) & 0x3ff : m0;
    U32 from = kSource ? moved(gang, record->src[0], by_source) : record->src[0];
    if (from == 0) from = Gang::vgpr_offset(0);
    const U32 to = kDestination ? moved(gang, record->dst, by_destination) : record->dst;
    if (to == 0) return;
    store(gang, to, slot, exec_of(gang, slot), row(gang, from) + slot * kLanes);
  });
}

/// As movrelsd_2, with an exchange.
[[gnu::noinline]] static void swap_relative(const Record* record, Gang* gang) {
  for_slots(gang, [&](unsigned slot) {
    const U32 m0 = gang->sgpr[kRowM0][slot];
    const U32 from = moved(gang, record->src[0], m0 & 0x3ff);
    const U32 to = moved(gang, record->dst, (m0 >> 16) & 0x3ff);
    if (from == 0 || to == 0 || from == to) return;
    swap_lanes(gang, to, from, slot, exec_of(gang, slot));
  });
}

/// Four masked sums of absolute differences: src[0] a pair of rows, src[1] a row, src[2] and dst four rows.
[[gnu::noinline]] static void mqsad_u32(const Record* record, Gang* gang) {
  for_slots(gang, [&](unsigned slot) {
    const U32 exec = exec_of(gang, slot);
    const U32* const a = row(gang, record->src[0]) + slot * kLanes;
    const U32* const b = row(gang, record->src[1]) + slot * kLanes;
    const U32* const c = row(gang, record->src[2]) + slot * kLanes;
    U32 value[4][kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const U64 wide = static_cast<U64>(a[lane + kRowWords]) << 32 | a[lane];
      for (unsigned i = 0; i < 4; ++i)
        value[i][lane] = mqsad_u32_u8(wide, b[lane], c[lane + i * kRowWords], i);
    }
    for (unsigned i = 0; i < 4; ++i) store(gang, record->dst + i * kRowBytes, slot, exec, value[i]);
  });
}

static constexpr VectorRow kCrossLaneRows[] = {
    special(Op::v_readfirstlane_b32, run<readfirstlane>),
    special(Op::v_readlane_b32, run<readlane>),
    special(Op::v_writelane_b32, run<writelane>),
    special(Op::v_permlane16_b32, run<permlane<0>>),
    special(Op::v_permlanex16_b32, run<permlane<16>>),
    special(Op::v_permlane64_b32, run<permlane64>),
    special(Op::v_swap_b32, run<swap>),
    special(Op::v_movrels_b32, run<move_relative<true, false, false>>),
    special(Op::v_movreld_b32, run<move_relative<false, true, false>>),
    special(Op::v_movrelsd_b32, run<move_relative<true, true, false>>),
    special(Op::v_movrelsd_2_b32, run<move_relative<true, true, true>>),
    special(Op::v_swaprel_b32, run<swap_relative>),
    special(Op::v_mqsad_u32_u8, run<mqsad_u32>),
};
const VectorChapter kCrossLaneOps = chapter(kCrossLaneRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
