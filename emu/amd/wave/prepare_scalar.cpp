#include "emu/amd/wave/prepare.h"
#include "emu/amd/wave/scalar_control.h"
#include "emu/amd/wave/scalar_memory.h"
#include "emu/amd/wave/scalar_table.h"

namespace mockgpu::emu::amd {
namespace {

using isa::amd::Encoding;
using isa::amd::Instruction;
using isa::amd::Op;
using isa::amd::Operand;
using isa::amd::OperandKind;
namespace scalar = isa::amd::scalar;

bool is_constant(const Operand& operand) {
  return operand.kind == OperandKind::constant || operand.kind == OperandKind::immediate;
}

bool touches_exec(const Operand& operand) {
  return operand.kind == OperandKind::sgpr && operand.index <= scalar::exec_hi &&
         operand.index + operand.dwords > scalar::exec_lo;
}

const Operand* find_operand(const Instruction& instruction, bool dst) {
  for (const Operand& operand : instruction.ops()) {
    if (operand.tied) continue;
    if (dst ? operand.is_dst : operand.is_src) return &operand;
  }
  return nullptr;
}

/// Puts a source into the record: a row, or the constant in imm (index 0) or aux (index 1).
void place_source(Record& record, unsigned index, const Operand& operand) {
  if (is_constant(operand)) {
    (index == 0 ? record.imm : record.aux) = operand.value;
    record.src[index] = index == 0 ? kImmOperand : kAuxOperand;
  } else {
    record.src[index] = scalar_operand_offset(operand, false);
  }
}

bool prepare_alu(const Instruction& instruction, const ScalarEntry& entry, Preparer& out) {
  const Operand* sources[2] = {};
  unsigned count = 0;
  const Operand* dst = nullptr;
  for (const Operand& operand : instruction.ops()) {
    if (operand.is_dst && !dst) dst = &operand;
    if (operand.is_src && !operand.is_dst && count < 2) sources[count++] = &operand;
  }
  if (entry.reads_dst && count < 2) sources[count++] = dst;
  if (count != entry.sources || (entry.has_dst && !dst)) return false;
  unsigned constants = 0;
  for (unsigned i = 0; i < count; ++i) constants |= static_cast<unsigned>(is_constant(*sources[i])) << i;
  Record& record = out.emit(entry.run[constants]);
  for (unsigned i = 0; i < count; ++i) place_source(record, i, *sources[i]);
  record.dst = entry.has_dst ? scalar_operand_offset(*dst, true) : Gang::scalar_offset(kRowSink);
  if (entry.has_dst && touches_exec(*dst)) out.emit(control::update_exec);
  return true;
}

bool prepare_save_exec(const Instruction& instruction, const control::ExecEntry& entry, Preparer& out) {
  const Operand* dst = find_operand(instruction, true);
  const Operand* src = find_operand(instruction, false);
  if (!dst || !src) return false;
  Record& record = out.emit(entry.run[is_constant(*src)]);
  place_source(record, 0, *src);
  record.dst = scalar_operand_offset(*dst, true);
  return true;
}

Record& emit_counting(Preparer& out, Handler handler) {
  Record& record = out.emit(handler);
  record.flags |= kCountingPoint;
  return record;
}

std::uint64_t immediate(const Instruction& instruction) {
  for (const Operand& operand : instruction.ops()) {
    if (operand.kind == OperandKind::immediate) return operand.value;
  }
  return 0;
}

std::uint64_t branch_target(const Instruction& instruction, const Preparer& out) {
  const auto words = static_cast<std::int16_t>(immediate(instruction));
  return out.next_pc() + static_cast<std::uint64_t>(static_cast<std::int64_t>(words) * 4);
}

void emit_branch(Preparer& out, Handler handler, std::uint64_t target) {
  Record& record = emit_counting(out, handler);
  record.imm = target;
  record.flags |= kTargetPc;
}

bool emit_unsupported(Preparer& out, const char* what) {
  Record& record = emit_counting(out, control::raise);
  record.op = static_cast<std::uint8_t>(FaultKind::unsupported);
  record.imm = reinterpret_cast<std::uint64_t>(what);
  return true;
}

bool emit_get_register(const Instruction& instruction, Preparer& out) {
  const unsigned id = immediate(instruction) & 63;
  switch (id) {
    case control::kHwMode:
    case control::kHwStatus:
    case control::kHwTrapStatus:
    case control::kHwFlatScratchLo:
    case control::kHwFlatScratchHi:
    case control::kHwId1:
    case control::kHwId2:
    case control::kHwShaderCycles: break;
    default: return emit_unsupported(out, "s_getreg_b32 of this hardware register");
  }
  Record& record = out.emit(control::get_register);
  record.imm = immediate(instruction) & 0xffff;
  const Operand* dst = find_operand(instruction, true);
  record.dst = scalar_operand_offset(*dst, true);
  if (touches_exec(*dst)) out.emit(control::update_exec);
  return true;
}

bool emit_set_register(const Instruction& instruction, Preparer& out) {
  const Operand* source = nullptr;
  std::uint64_t simm = 0;
  bool have_simm = false;
  for (const Operand& operand : instruction.ops()) {
    if (operand.kind == OperandKind::immediate && !have_simm) {
      simm = operand.value & 0xffff;
      have_simm = true;
    } else {
      source = &operand;
    }
  }
  if (!source) return false;
  if ((simm & 63) != control::kHwMode) return emit_unsupported(out, "s_setreg of this hardware register");
  Record& record = out.emit(control::set_mode);
  record.imm = simm;
  if (is_constant(*source)) {
    record.aux = source->value;
    record.src[0] = kAuxOperand;
  } else {
    record.src[0] = scalar_operand_offset(*source, false);
  }
  return true;
}

/// MODE fields that s_round_mode and s_denorm_mode set: bits [3:0] and [7:4].
void emit_set_mode_field(const Instruction& instruction, Preparer& out, unsigned offset) {
  Record& record = out.emit(control::set_mode);
  record.imm = control::kHwMode | offset << 6 | 3u << 11;
  record.aux = immediate(instruction) & 15;
  record.src[0] = kAuxOperand;
}

constexpr unsigned kInterrupt = 1, kDeallocVgprs = 3;

bool emit_message(const Instruction& instruction, Preparer& out) {
  switch (immediate(instruction) & 15) {
    case kInterrupt: out.emit(control::message_interrupt); return true;
    case kDeallocVgprs: return true;  // registers of a wave that is about to end: nothing to do here
    default: return emit_unsupported(out, "this s_sendmsg message");
  }
}

bool emit_message_return(const Instruction& instruction, Preparer& out) {
  constexpr unsigned kGetRealtime = 131;
  if ((immediate(instruction) & 255) != kGetRealtime || instruction.op != Op::s_sendmsg_rtn_b64) {
    return emit_unsupported(out, "this s_sendmsg_rtn message");
  }
  out.emit(control::read_clock).dst = scalar_operand_offset(*find_operand(instruction, true), true);
  return true;
}

bool emit_relative_move(const Instruction& instruction, Preparer& out, bool wide, bool source) {
  const Operand* dst = find_operand(instruction, true);
  const Operand* src = find_operand(instruction, false);
  if (!dst || !src) return false;
  Record& record = out.emit(control::relative_move(wide, source));
  place_source(record, 0, *src);
  record.dst = scalar_operand_offset(*dst, true);
  return true;
}

/// 1 handled, 0 no such op here, -1 no semantics.
int prepare_control(const Instruction& instruction, Preparer& out) {
  using control::Condition;
  switch (instruction.op) {
    case Op::s_nop:
    case Op::s_sleep:
    case Op::s_clause:
    case Op::s_delay_alu:
    case Op::s_waitcnt:
    case Op::s_waitcnt_depctr:
    case Op::s_waitcnt_expcnt:
    case Op::s_waitcnt_lgkmcnt:
    case Op::s_waitcnt_vmcnt:
    case Op::s_waitcnt_vscnt:
    case Op::s_wait_idle:
    case Op::s_wait_event:
    case Op::s_set_inst_prefetch_distance:
    case Op::s_setprio:
    case Op::s_icache_inv:
    case Op::s_dcache_inv:
    case Op::s_gl1_inv:
    case Op::s_incperflevel:
    case Op::s_decperflevel:
    case Op::s_ttracedata:
    case Op::s_ttracedata_imm:
    case Op::s_wakeup:
    case Op::s_version: return 1;
    case Op::s_branch: emit_branch(out, control::branch, branch_target(instruction, out)); return 1;
    case Op::s_cbranch_scc0:
      emit_branch(out, control::conditional_branch(Condition::scc0), branch_target(instruction, out));
      return 1;
    case Op::s_cbranch_scc1:
      emit_branch(out, control::conditional_branch(Condition::scc1), branch_target(instruction, out));
      return 1;
    case Op::s_cbranch_vccz:
      emit_branch(out, control::conditional_branch(Condition::vccz), branch_target(instruction, out));
      return 1;
    case Op::s_cbranch_vccnz:
      emit_branch(out, control::conditional_branch(Condition::vccnz), branch_target(instruction, out));
      return 1;
    case Op::s_cbranch_execz:
      emit_branch(out, control::conditional_branch(Condition::execz), branch_target(instruction, out));
      return 1;
    case Op::s_cbranch_execnz:
      emit_branch(out, control::conditional_branch(Condition::execnz), branch_target(instruction, out));
      return 1;
    case Op::s_cbranch_cdbgsys:
    case Op::s_cbranch_cdbguser:
    case Op::s_cbranch_cdbgsys_or_user:
    case Op::s_cbranch_cdbgsys_and_user: return 1;  // no debugger is attached: never taken
    case Op::s_call_b64: {
      Record& link = out.emit(control::write_address);
      link.imm = out.next_pc();
      link.dst = scalar_operand_offset(*find_operand(instruction, true), true);
      emit_branch(out, control::branch, branch_target(instruction, out));
      return 1;
    }
    case Op::s_getpc_b64: {
      Record& record = out.emit(control::write_address);
      record.imm = out.next_pc();
      record.dst = scalar_operand_offset(*find_operand(instruction, true), true);
      return 1;
    }
    case Op::s_setpc_b64:
    case Op::s_swappc_b64: {
      const Operand* src = find_operand(instruction, false);
      if (!src || is_constant(*src)) return -1;
      const bool link = instruction.op == Op::s_swappc_b64;
      Record& record = emit_counting(out, link ? control::swap_pc : control::set_pc);
      record.src[0] = scalar_operand_offset(*src, false);
      record.imm = out.next_pc();
      if (link) record.dst = scalar_operand_offset(*find_operand(instruction, true), true);
      return 1;
    }
    case Op::s_barrier: emit_counting(out, control::barrier); return 1;
    case Op::s_endpgm: emit_counting(out, control::end_program); return 1;
    case Op::s_sethalt:
      if (immediate(instruction) & 1) emit_counting(out, control::halt);
      return 1;
    case Op::s_trap: {
      Record& record = emit_counting(out, control::raise);
      record.op = static_cast<std::uint8_t>(FaultKind::trap);
      return 1;
    }
    case Op::s_getreg_b32: return emit_get_register(instruction, out) ? 1 : -1;
    case Op::s_setreg_b32:
    case Op::s_setreg_imm32_b32: return emit_set_register(instruction, out) ? 1 : -1;
    case Op::s_round_mode: emit_set_mode_field(instruction, out, 0); return 1;
    case Op::s_denorm_mode: emit_set_mode_field(instruction, out, 4); return 1;
    case Op::s_sendmsg: return emit_message(instruction, out) ? 1 : -1;
    case Op::s_sendmsg_rtn_b32:
    case Op::s_sendmsg_rtn_b64: return emit_message_return(instruction, out) ? 1 : -1;
    case Op::s_movrels_b32: return emit_relative_move(instruction, out, false, true) ? 1 : -1;
    case Op::s_movrels_b64: return emit_relative_move(instruction, out, true, true) ? 1 : -1;
    case Op::s_movreld_b32: return emit_relative_move(instruction, out, false, false) ? 1 : -1;
    case Op::s_movreld_b64: return emit_relative_move(instruction, out, true, false) ? 1 : -1;
    default: return 0;
  }
}

}  // namespace

bool sends_interrupt(const Instruction& instruction) { return (immediate(instruction) & 15) == kInterrupt; }

std::uint32_t scalar_operand_offset(const Operand& operand, bool write) {
  if (operand.kind == OperandKind::special) {
    const bool high_half = operand.bits == 32;
    switch (operand.index) {
      case scalar::flat_scratch_base_lo: return Gang::scalar_offset(kRowScratchLo);
      case scalar::flat_scratch_base_hi: return Gang::scalar_offset(kRowScratchHi);
      case scalar::shared_base: return Gang::scalar_offset(kRowSharedBase + high_half);
      case scalar::shared_limit: return Gang::scalar_offset(kRowSharedLimit + high_half);
      case scalar::private_base: return Gang::scalar_offset(kRowPrivateBase + high_half);
      case scalar::private_limit: return Gang::scalar_offset(kRowPrivateLimit + high_half);
      case scalar::vccz: return Gang::scalar_offset(kRowVccz);
      case scalar::execz: return Gang::scalar_offset(kRowExecz);
      case scalar::scc: return Gang::scalar_offset(kRowScc);
      default: return Gang::scalar_offset(kRowNull);
    }
  }
  if (operand.kind != OperandKind::sgpr || operand.index == scalar::null) {
    return Gang::scalar_offset(write ? kRowSink : kRowNull);
  }
  return Gang::scalar_offset(operand.index);
}

bool prepare_scalar(const Instruction& instruction, Preparer& out) {
  for (const Operand& operand : instruction.ops()) {
    if (operand.kind != OperandKind::special) continue;
    const bool flag = operand.index >= scalar::vccz && operand.index <= scalar::scc;
    if (flag && operand.bits != 32) return false;  // a 64-bit read of a flag: no compiler emits it
    if (operand.index == scalar::pops_exiting_wave_id || operand.index == scalar::lds_direct) return false;
    if (flag && operand.index != scalar::scc) {
      out.emit(control::zero_flags);
      break;
    }
  }
  if (instruction.encoding == Encoding::smem) {
    switch (instruction.op) {
      case Op::s_icache_inv:
      case Op::s_dcache_inv:
      case Op::s_gl1_inv: return true;
      default: return prepare_scalar_load(instruction, out);
    }
  }
  if (const int known = prepare_control(instruction, out)) return known > 0;
  if (const control::ExecEntry entry = control::exec_entry(instruction.op); entry.run[0]) {
    return prepare_save_exec(instruction, entry, out);
  }
  const ScalarEntry& entry = scalar_entry(instruction.op);
  return entry.run[0] && prepare_alu(instruction, entry, out);
}

}  // namespace mockgpu::emu::amd
