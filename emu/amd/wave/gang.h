#pragma once
// The state of up to eight wave slots that run in lock-step. Layout is the performance: read performance
// facts in the README here. Included by the level files: no standard headers that emit weak symbols.
#include "emu/amd/wave/record.h"

namespace mockgpu::emu {
class AddressMap;
}

namespace mockgpu::emu::amd {

inline constexpr unsigned kSlots =
    8;  ///< wave32 slots of a gang; a wave64 is two neighbouring slots, the even one first
inline constexpr unsigned kLanes = 32;  ///< lanes of a slot
inline constexpr unsigned kRowWords = kSlots * kLanes;
inline constexpr unsigned kRowBytes = kRowWords * 4;

/// Rows of the scalar file: 0..127 are the encoded selectors (s0..s105, vcc, ttmp0..15, null, m0, exec); the
/// rest is ours. In wave64 both slots of a wave hold the same scalars, so that handlers need not know; only
/// lane masks differ (mask_row).
enum ScalarRow : unsigned {
  kRowVccLo = 106,
  kRowVccHi = 107,
  kRowTtmp0 = 108,
  kRowNull = 124,  ///< always 0; writes go to kRowSink
  kRowM0 = 125,
  kRowExecLo = 126,
  kRowExecHi = 127,
  kRowScc = 128,        ///< 0 or 1
  kRowMode = 129,       ///< MODE register
  kRowSink = 130,       ///< two rows: writes to null
  kRowTemp = 132,       ///< twelve rows: scalar temporaries of prepared code
  kRowScratchLo = 144,  ///< FLAT_SCRATCH of the wave: address of its scratch slot
  kRowScratchHi = 145,
  kRowSharedBase = 146,  ///< two rows (lo = 0, hi = aperture)
  kRowSharedLimit = 148,
  kRowPrivateBase = 150,
  kRowPrivateLimit = 152,
  kRowVccz = 154,  ///< computed by a record in front of an instruction that reads it
  kRowExecz = 155,
  kRowCount = 156,
};

/// Why a slot does not run.
enum class SlotState : std::uint8_t { free, ready, barrier, halted, ended };

/// Why a gang came back from its handlers.
enum class Stop : std::uint8_t {
  none,
  budget,  ///< used its budget; every ready slot's pc is stored
  idle,    ///< no slot is ready: all wait at barriers, are halted or have ended
  fault,   ///< Gang::fault says what
};

enum class FaultKind : std::uint8_t {
  none,
  memory,
  misaligned_atomic,
  undecodable,
  no_semantics,
  fetch,
  trap,
  unsupported
};

/// What stopped a gang, exactly.
struct Fault {
  FaultKind kind = FaultKind::none;
  bool write = false;
  std::uint8_t slot = 0;
  std::uint32_t lanes = 0;    ///< lanes of the slot whose access failed
  std::uint32_t bytes = 0;    ///< access size
  std::uint64_t address = 0;  ///< lowest-lane failing GPU address
  std::uint64_t pc = 0;
  const char* text = nullptr;  ///< what is unsupported
};

/// A translation that this gang used last at an instruction: one compare on the fast path.
struct CachedRange {
  std::uint64_t begin = 1;  ///< GPU address
  std::uint64_t bytes = 0;
  std::byte* host = nullptr;  ///< host address of `begin`
};
inline constexpr unsigned kCachedRanges =
    16;  ///< direct-mapped by instruction address; loads in the first half, stores in the second

struct CodeBlock;
struct Batch;

/// Up to eight wave32 slots in lock-step. Rows of vector registers follow the struct: vgpr(n) for n <
/// vgpr_rows.
struct alignas(64) Gang {
  std::uint64_t guard[8];  ///< no operand: offsets below kRecordOperand mean the record

  // ---- scalar registers: [row][slot]
  alignas(64) std::uint32_t sgpr[kRowCount][kSlots];

  // ---- which slots run
  alignas(32) std::uint32_t slot_mask[kSlots];  ///< all ones where the slot is active
  std::uint32_t active;                         ///< the same as bits
  std::uint32_t live;                           ///< slots that have not ended, as bits
  std::uint32_t slots;                          ///< slots in use: 1..8
  std::uint32_t active_waves;                   ///< active slots, or half of them in wave64
  std::uint8_t full;  ///< every slot in use is active and has EXEC all ones: handlers may ignore masks
  std::uint8_t wave64;
  std::uint8_t split_mode;  ///< f16/f64 rounding or denormals differ from those of f32: mxcsr_wide != mxcsr
  std::uint8_t alone;       ///< all waves of this gang's workgroups are in this gang
  std::uint32_t applied_mode;  ///< MODE that mxcsr and mxcsr_wide stand for
  std::uint32_t mxcsr;         ///< for f32, from MODE
  std::uint32_t mxcsr_wide;    ///< for f16 and f64

  // ---- progress
  std::uint64_t last_pc;    ///< where the last active set was parked
  std::uint32_t vgpr_rows;  ///< vector registers there are
  std::uint64_t join_pc;    ///< lowest pc at which another ready slot waits: the active set must not run past
                            ///< it; ~0 if none
  std::uint64_t parted_pc;  ///< where the only slots that wait do so since they parted; ~0 if that is not so
  std::uint32_t parted;     ///< those slots, as bits
  std::uint32_t parted_mode;  ///< their MODE
  std::int64_t fuse;          ///< wave-instructions until the next look at the budget or at the waiting slots
  std::int64_t fuse_length;   ///< what `fuse` was when it was lit
  std::int64_t turn;          ///< wave-instructions left in this turn when the fuse was lit
  std::uint64_t executed;     ///< wave-instructions so far in this execution
  std::uint64_t code_base;    ///< GPU address of `block`: code_base + Record::pc is the instruction's address
  const CodeBlock* block;
  Batch* batch;
  Stop stop;
  Fault fault;
  std::uint64_t pc[kSlots];  ///< GPU address, valid while a slot is not active
  SlotState state[kSlots];

  // ---- memory
  const AddressMap* map;
  CachedRange ranges[kCachedRanges];
  CachedRange code_constants;  ///< last range of scalar loads
  std::byte* lds[kSlots];      ///< LDS of the slot's workgroup
  std::uint32_t lds_bytes;
  std::uint32_t scratch_wave_bytes;
  std::uint32_t group_of[kSlots];  ///< index of the slot's workgroup in its batch
  std::uint32_t wave_of[kSlots];   ///< number of the wave in its workgroup

  // ---- vector temporaries for expanded operands: [row][slot][lane]
  static constexpr unsigned kTempRows = 16;
  alignas(64) std::uint32_t temp[kTempRows][kSlots][kLanes];

  /// Byte offsets for records.
  static constexpr std::uint32_t scalar_offset(unsigned row);
  static constexpr std::uint32_t temp_offset(unsigned row);
  static constexpr std::uint32_t vgpr_offset(unsigned index);
};

constexpr std::uint32_t Gang::scalar_offset(unsigned row) {
  return static_cast<std::uint32_t>(offsetof(Gang, sgpr) + row * sizeof(std::uint32_t) * kSlots);
}
constexpr std::uint32_t Gang::temp_offset(unsigned row) {
  return static_cast<std::uint32_t>(offsetof(Gang, temp) + row * kRowBytes);
}
constexpr std::uint32_t Gang::vgpr_offset(unsigned index) {
  return static_cast<std::uint32_t>(sizeof(Gang) + index * kRowBytes);
}

/// The row at a record's offset: [slot][lane] words of a vector row, [slot] words of a scalar row.
inline std::uint32_t* row(Gang* gang, std::uint32_t offset) {
  return reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(gang) + offset);
}

/// A uniform source (scalar row or constant in the record): value for slot s is `at[s * step]`.
struct Uniform {
  const std::uint32_t* at;
  std::uint32_t step;
  std::uint32_t operator[](unsigned slot) const { return at[slot * step]; }
};
inline Uniform uniform(const Record* record, const Gang* gang, std::uint32_t offset) {
  const bool constant = offset < kRecordOperand;
  const auto* base =
      constant ? reinterpret_cast<const std::byte*>(record) : reinterpret_cast<const std::byte*>(gang);
  return {reinterpret_cast<const std::uint32_t*>(base + offset), constant ? 0u : 1u};
}

/// The 32 bits of a lane mask (vcc, exec, an SGPR pair) that belong to a slot: in wave64 the odd slot has the
/// high row.
inline std::uint32_t mask_of(const Gang* gang, std::uint32_t offset, unsigned slot) {
  const auto* at = reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const std::byte*>(gang) + offset);
  return at[slot + (gang->wave64 & slot & 1) * kSlots];
}
inline void set_mask(Gang* gang, std::uint32_t offset, unsigned slot, std::uint32_t bits) {
  std::uint32_t* at = row(gang, offset);
  if (gang->wave64) {
    at += (slot & 1) * kSlots;
    at[slot & ~1u] = bits;
    at[slot | 1u] = bits;
  } else {
    at[slot] = bits;
  }
}
inline std::uint32_t exec_of(const Gang* gang, unsigned slot) {
  return mask_of(gang, Gang::scalar_offset(kRowExecLo), slot);
}

/// Recomputes `full` after EXEC or the active set changed.
inline void update_full(Gang* gang) {
  gang->full = 0;
  if (gang->active != (1u << gang->slots) - 1) return;
  std::uint32_t all = ~0u;
  for (unsigned s = 0; s < gang->slots; ++s) all &= exec_of(gang, s);
  gang->full = all == ~0u;
}

/// All ones in the words of `words` whose slots are in `bits`.
inline void spread_slots(std::uint32_t* words, std::uint32_t bits) {
  constexpr std::uint32_t kBits[kSlots] = {1, 2, 4, 8, 16, 32, 64, 128};
  for (unsigned s = 0; s < kSlots; ++s) words[s] = (bits & kBits[s]) == kBits[s] ? ~0u : 0u;
}

}  // namespace mockgpu::emu::amd
