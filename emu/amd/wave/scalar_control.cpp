// Control flow of a gang (manual: "Program flow control"): branches, calls, barriers, ends, EXEC masks and
// hardware registers.
#include "emu/amd/wave/scalar_control.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "emu/amd/wave/control.h"
#include "emu/amd/wave/scalar_table.h"

namespace mockgpu::emu::amd::control {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 kExec = Gang::scalar_offset(kRowExecLo);

const Record* target_of(const Record* record) { return reinterpret_cast<const Record*>(record->imm); }

#if defined(__SSE2__)
/// Sign bits of the eight words of a row.
u32 sign_bits(__m128i low, __m128i high) {
  return static_cast<u32>(_mm_movemask_ps(_mm_castsi128_ps(low)) | _mm_movemask_ps(_mm_castsi128_ps(high))
                                                                       << 4);
}
__m128i half_row(const Gang* gang, unsigned row, unsigned half) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(gang->sgpr[row]) + half);
}
#endif

/// Slots whose 32- or 64-bit mask is zero, as bits.
u32 zero_slots(const Gang* gang, unsigned low_row) {
#if defined(__SSE2__)
  __m128i low = half_row(gang, low_row, 0), high = half_row(gang, low_row, 1);
  if (gang->wave64) {
    low = _mm_or_si128(low, half_row(gang, low_row + 1, 0));
    high = _mm_or_si128(high, half_row(gang, low_row + 1, 1));
  }
  const __m128i zero = _mm_setzero_si128();
  return sign_bits(_mm_cmpeq_epi32(low, zero), _mm_cmpeq_epi32(high, zero));
#else
  u32 bits = 0;
  for (unsigned s = 0; s < kSlots; ++s) {
    const u32 any = gang->sgpr[low_row][s] | (gang->wave64 ? gang->sgpr[low_row + 1][s] : 0);
    bits |= static_cast<u32>(any == 0) << s;
  }
  return bits;
#endif
}

/// Slots whose SCC is set, as bits.
u32 scc_slots(const Gang* gang) {
#if defined(__SSE2__)
  return sign_bits(_mm_slli_epi32(half_row(gang, kRowScc, 0), 31),
                   _mm_slli_epi32(half_row(gang, kRowScc, 1), 31));
#else
  u32 bits = 0;
  for (unsigned s = 0; s < kSlots; ++s) bits |= (gang->sgpr[kRowScc][s] & 1) << s;
  return bits;
#endif
}

/// Slots whose branch is taken; bits of slots that are not active mean nothing.
template <Condition kCondition>
u32 taken_slots(const Gang* gang) {
  if constexpr (kCondition == Condition::scc0) return ~scc_slots(gang);
  if constexpr (kCondition == Condition::scc1) return scc_slots(gang);
  if constexpr (kCondition == Condition::vccz) return zero_slots(gang, kRowVccLo);
  if constexpr (kCondition == Condition::vccnz) return ~zero_slots(gang, kRowVccLo);
  if constexpr (kCondition == Condition::execz) return zero_slots(gang, kRowExecLo);
  if constexpr (kCondition == Condition::execnz) return ~zero_slots(gang, kRowExecLo);
}

bool must_look(const Gang* gang, const Record* next) {
  return gang->code_base + next->pc >= gang->join_pc || gang->fuse <= 0;
}

const Record* look(Gang* gang, const Record* next) {
  const std::uint64_t pc = gang->code_base + next->pc;
  if (pc == gang->join_pc && gang->fuse > 0 && meet(gang, pc)) return next;
  park(gang, pc);
  return choose(gang);
}

const Record* diverge(const Record* record, Gang* gang, u32 taken) {
  const Record* target = target_of(record);
  const bool ahead = target->pc > record[1].pc && !must_look(gang, record + 1);
  if (ahead) {
    part(gang, taken, gang->code_base + target->pc);
    return record + 1;
  }
  for (unsigned s = 0; s < kSlots; ++s) {
    if (gang->active >> s & 1) gang->pc[s] = gang->code_base + (taken >> s & 1 ? target : record + 1)->pc;
  }
  return choose(gang);
}

}  // namespace

HandlerResult join(const Record* record, Gang* gang) {
  retire(record, gang);
  const Record* next = record + 1;
  if (must_look(gang, next)) [[unlikely]] {
    next = look(gang, next);
    if (!next) MOCKGPU_STOP;
  }
  MOCKGPU_GOTO(next, gang);
}

HandlerResult branch(const Record* record, Gang* gang) {
  retire(record, gang);
  const Record* next = target_of(record);
  if (must_look(gang, next)) [[unlikely]] {
    next = look(gang, next);
    if (!next) MOCKGPU_STOP;
  }
  MOCKGPU_GOTO(next, gang);
}

template <Condition kCondition>
HandlerResult branch_if(const Record* record, Gang* gang) {
  retire(record, gang);
  const u32 taken = taken_slots<kCondition>(gang) & gang->active;
  const Record* next = taken == gang->active ? target_of(record) : record + 1;
  if (taken != 0 && taken != gang->active) [[unlikely]] {
    next = diverge(record, gang, taken);
    if (!next) MOCKGPU_STOP;
  } else if (must_look(gang, next)) [[unlikely]] {
    next = look(gang, next);
    if (!next) MOCKGPU_STOP;
  }
  MOCKGPU_GOTO(next, gang);
}

Handler conditional_branch(Condition condition) {
  switch (condition) {
    case Condition::scc0: return branch_if<Condition::scc0>;
    case Condition::scc1: return branch_if<Condition::scc1>;
    case Condition::vccz: return branch_if<Condition::vccz>;
    case Condition::vccnz: return branch_if<Condition::vccnz>;
    case Condition::execz: return branch_if<Condition::execz>;
    case Condition::execnz: return branch_if<Condition::execnz>;
  }
  return nullptr;
}

namespace {

/// Writes a 64-bit value to a scalar pair of the active slots.
void write_pair(Gang* gang, u32 offset, u64 value) {
  u32* at = row(gang, offset);
  for (unsigned s = 0; s < kSlots; ++s) {
    scalar_detail::blend(at, s, static_cast<u32>(value), gang->slot_mask[s]);
    scalar_detail::blend(at, s + kSlots, static_cast<u32>(value >> 32), gang->slot_mask[s]);
  }
}

const Record* jump_to_register(const Record* record, Gang* gang, bool link) {
  const u32* at = row(gang, record->src[0]);
  for (unsigned s = 0; s < kSlots; ++s) {
    if (gang->active >> s & 1) gang->pc[s] = (at[s] | static_cast<u64>(at[s + kSlots]) << 32) & ~3ull;
  }
  if (link) write_pair(gang, record->dst, record->imm);
  return choose(gang);
}

}  // namespace

HandlerResult set_pc(const Record* record, Gang* gang) {
  retire(record, gang);
  const Record* next = jump_to_register(record, gang, false);
  if (!next) MOCKGPU_STOP;
  MOCKGPU_GOTO(next, gang);
}

HandlerResult swap_pc(const Record* record, Gang* gang) {
  retire(record, gang);
  const Record* next = jump_to_register(record, gang, true);
  if (!next) MOCKGPU_STOP;
  MOCKGPU_GOTO(next, gang);
}

HandlerResult write_address(const Record* record, Gang* gang) {
  write_pair(gang, record->dst, record->imm);
  MOCKGPU_NEXT(record, gang);
}

HandlerResult barrier(const Record* record, Gang* gang) {
  retire(record, gang);
  if (!gang->alone || gang->active != gang->live) [[unlikely]] {
    wait_at_barrier(gang, gang->code_base + record[1].pc);
    const Record* next = choose(gang);
    if (!next) MOCKGPU_STOP;
    MOCKGPU_GOTO(next, gang);
  }
  MOCKGPU_NEXT(record, gang);
}

HandlerResult end_program(const Record* record, Gang* gang) {
  retire(record, gang);
  end_slots(gang, gang->code_base + record->pc);
  const Record* next = choose(gang);
  if (!next) MOCKGPU_STOP;
  MOCKGPU_GOTO(next, gang);
}

HandlerResult halt(const Record* record, Gang* gang) {
  retire(record, gang);
  park(gang, gang->code_base + record->pc);
  halt_slots(gang);
  const Record* next = choose(gang);
  if (!next) MOCKGPU_STOP;
  MOCKGPU_GOTO(next, gang);
}

HandlerResult raise(const Record* record, Gang* gang) {
  retire(record, gang);
  fault_at(record, gang, static_cast<FaultKind>(record->op), reinterpret_cast<const char*>(record->imm));
  MOCKGPU_STOP;
}

HandlerResult update_exec(const Record* record, Gang* gang) {
  update_full(gang);
  MOCKGPU_NEXT(record, gang);
}

HandlerResult observe(const Record* record, Gang* gang) {
  tell_observer(gang, gang->code_base + record->pc);
  MOCKGPU_NEXT(record, gang);
}

HandlerResult zero_flags(const Record* record, Gang* gang) {
  const u32 vccz = zero_slots(gang, kRowVccLo);
  const u32 execz = zero_slots(gang, kRowExecLo);
  for (unsigned s = 0; s < kSlots; ++s) {
    gang->sgpr[kRowVccz][s] = vccz >> s & 1;
    gang->sgpr[kRowExecz][s] = execz >> s & 1;
  }
  MOCKGPU_NEXT(record, gang);
}

namespace {

template <class T, class F, bool kWriteNew, bool kConstant>
HandlerResult save_exec(const Record* record, Gang* gang) {
  const u32* source = kConstant ? nullptr : row(gang, record->src[0]);
  u32* dst = row(gang, record->dst);
  u32* exec = row(gang, kExec);
  for (unsigned s = 0; s < kSlots; ++s) {
    const u32 mask = gang->slot_mask[s];
    const T a = kConstant ? static_cast<T>(record->imm) : scalar_detail::read<T>(source, s);
    const T old = scalar_detail::read<T>(exec, s);
    const T now = F{}(a, old);
    const T result = kWriteNew ? now : old;
    scalar_detail::blend(exec, s, static_cast<u32>(now), mask);
    scalar_detail::blend(dst, s, static_cast<u32>(result), mask);
    if constexpr (sizeof(T) == 8) {
      scalar_detail::blend(exec, s + kSlots, static_cast<u32>(now >> 32), mask);
      scalar_detail::blend(dst, s + kSlots, static_cast<u32>(result >> 32), mask);
    }
    scalar_detail::blend(gang->sgpr[kRowScc], s, now != 0, mask);
  }
  update_full(gang);
  MOCKGPU_NEXT(record, gang);
}

template <class F, bool kWriteNew = false>
void add(ExecEntry& entry, bool wide, F) {
  if (wide) {
    entry = {{save_exec<u64, F, kWriteNew, false>, save_exec<u64, F, kWriteNew, true>}};
  } else {
    entry = {{save_exec<u32, F, kWriteNew, false>, save_exec<u32, F, kWriteNew, true>}};
  }
}

}  // namespace

ExecEntry exec_entry(isa::amd::Op op) {
  using isa::amd::Op;
  ExecEntry e;
  const auto and_ = [](auto a, auto exec) { return a & exec; };
  const auto or_ = [](auto a, auto exec) { return a | exec; };
  const auto xor_ = [](auto a, auto exec) { return a ^ exec; };
  const auto nand_ = [](auto a, auto exec) { return ~(a & exec); };
  const auto nor_ = [](auto a, auto exec) { return ~(a | exec); };
  const auto xnor_ = [](auto a, auto exec) { return ~(a ^ exec); };
  const auto and_not0 = [](auto a, auto exec) { return ~a & exec; };
  const auto and_not1 = [](auto a, auto exec) { return a & ~exec; };
  const auto or_not0 = [](auto a, auto exec) { return ~a | exec; };
  const auto or_not1 = [](auto a, auto exec) { return a | ~exec; };
  switch (op) {
    case Op::s_and_saveexec_b32: add(e, false, and_); break;
    case Op::s_and_saveexec_b64: add(e, true, and_); break;
    case Op::s_or_saveexec_b32: add(e, false, or_); break;
    case Op::s_or_saveexec_b64: add(e, true, or_); break;
    case Op::s_xor_saveexec_b32: add(e, false, xor_); break;
    case Op::s_xor_saveexec_b64: add(e, true, xor_); break;
    case Op::s_nand_saveexec_b32: add(e, false, nand_); break;
    case Op::s_nand_saveexec_b64: add(e, true, nand_); break;
    case Op::s_nor_saveexec_b32: add(e, false, nor_); break;
    case Op::s_nor_saveexec_b64: add(e, true, nor_); break;
    case Op::s_xnor_saveexec_b32: add(e, false, xnor_); break;
    case Op::s_xnor_saveexec_b64: add(e, true, xnor_); break;
    case Op::s_and_not0_saveexec_b32: add(e, false, and_not0); break;
    case Op::s_and_not0_saveexec_b64: add(e, true, and_not0); break;
    case Op::s_and_not1_saveexec_b32: add(e, false, and_not1); break;
    case Op::s_and_not1_saveexec_b64: add(e, true, and_not1); break;
    case Op::s_or_not0_saveexec_b32: add(e, false, or_not0); break;
    case Op::s_or_not0_saveexec_b64: add(e, true, or_not0); break;
    case Op::s_or_not1_saveexec_b32: add(e, false, or_not1); break;
    case Op::s_or_not1_saveexec_b64: add(e, true, or_not1); break;
    case Op::s_and_not0_wrexec_b32: add<decltype(and_not0), true>(e, false, and_not0); break;
    case Op::s_and_not0_wrexec_b64: add<decltype(and_not0), true>(e, true, and_not0); break;
    case Op::s_and_not1_wrexec_b32: add<decltype(and_not1), true>(e, false, and_not1); break;
    case Op::s_and_not1_wrexec_b64: add<decltype(and_not1), true>(e, true, and_not1); break;
    default: break;
  }
  return e;
}

namespace {

/// Value of a hardware register that user code may read (abi facts, hwreg table). The mock has no trap
/// handler and no performance counters; identity registers give the slot's place so that they are
/// deterministic.
u32 hardware_register(const Gang* gang, unsigned id, unsigned slot) {
  switch (id) {
    case kHwMode: return gang->sgpr[kRowMode][slot];
    case kHwStatus: {
      const u32 exec_zero = zero_slots(gang, kRowExecLo) >> slot & 1;
      const u32 vcc_zero = zero_slots(gang, kRowVccLo) >> slot & 1;
      return (gang->sgpr[kRowScc][slot] & 1) | exec_zero << 9 | vcc_zero << 10 | 1u << 16;
    }
    case kHwFlatScratchLo: return gang->sgpr[kRowScratchLo][slot];
    case kHwFlatScratchHi: return gang->sgpr[kRowScratchHi][slot];
    case kHwId1: return gang->wave_of[slot] & 31;
    case kHwId2: return gang->group_of[slot];
    case kHwShaderCycles: return static_cast<u32>(wave_clock(gang)) & 0xfffff;
    default: return 0;
  }
}

}  // namespace

HandlerResult get_register(const Record* record, Gang* gang) {
  const unsigned id = record->imm & 63, offset = record->imm >> 6 & 31, size = (record->imm >> 11 & 31) + 1;
  u32* dst = row(gang, record->dst);
  const u32 bits = size == 32 ? ~0u : (1u << size) - 1;
  for (unsigned s = 0; s < kSlots; ++s) {
    scalar_detail::blend(dst, s, hardware_register(gang, id, s) >> offset & bits, gang->slot_mask[s]);
  }
  MOCKGPU_NEXT(record, gang);
}

HandlerResult set_mode(const Record* record, Gang* gang) {
  const unsigned offset = record->imm >> 6 & 31, size = (record->imm >> 11 & 31) + 1;
  const u32 field = (size == 32 ? ~0u : (1u << size) - 1) << offset;
  const Uniform value = uniform(record, gang, record->src[0]);
  for (unsigned s = 0; s < kSlots; ++s) {
    const u32 now = (gang->sgpr[kRowMode][s] & ~field) | (value[s] << offset & field);
    scalar_detail::blend(gang->sgpr[kRowMode], s, now, gang->slot_mask[s]);
  }
  // Slots with different modes cannot share MXCSR: choose() runs them apart.
  park(gang, gang->code_base + record[1].pc);
  const Record* next = choose(gang);
  if (!next) MOCKGPU_STOP;
  MOCKGPU_GOTO(next, gang);
}

HandlerResult read_clock(const Record* record, Gang* gang) {
  write_pair(gang, record->dst, wave_clock(gang));
  MOCKGPU_NEXT(record, gang);
}

HandlerResult message_interrupt(const Record* record, Gang* gang) {
  for (unsigned s = 0; s < kSlots; ++s) {
    if ((gang->active >> s & 1) && !(gang->wave64 && (s & 1))) send_interrupt(gang, gang->sgpr[kRowM0][s]);
  }
  MOCKGPU_NEXT(record, gang);
}

/// s_movrels / s_movreld: the source (or destination) register index has m0 added.
template <unsigned kDwords, bool kSource>
HandlerResult move_relative(const Record* record, Gang* gang) {
  for (unsigned s = 0; s < kSlots; ++s) {
    if (!(gang->active >> s & 1)) continue;
    const u32 shift = gang->sgpr[kRowM0][s] * sizeof(u32) * kSlots;
    const u32 limit = Gang::scalar_offset(kRowVccHi);
    const u32 from = record->src[0] + (kSource ? shift : 0), to = record->dst + (kSource ? 0 : shift);
    for (unsigned d = 0; d < kDwords; ++d) {
      const u32 step = d * sizeof(u32) * kSlots;
      const u32 value = from < kRecordOperand ? static_cast<u32>(record->imm >> (32 * d))
                        : from + step > limit ? 0
                                              : row(gang, from + step)[s];
      if (to + step <= limit) row(gang, to + step)[s] = value;
    }
  }
  MOCKGPU_NEXT(record, gang);
}

Handler relative_move(bool wide, bool source) {
  if (wide) return source ? move_relative<2, true> : move_relative<2, false>;
  return source ? move_relative<1, true> : move_relative<1, false>;
}

}  // namespace mockgpu::emu::amd::control
