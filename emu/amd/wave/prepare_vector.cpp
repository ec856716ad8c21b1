// Vector ALU instructions -> records: operands are resolved, expanded and modified here, so that handlers see
// rows, scalars and constants only.
#include "emu/amd/wave/prepare_vector.h"

namespace mockgpu::emu::amd {

using isa::amd::DppKind;
using isa::amd::Encoding;
using isa::amd::Instruction;
using isa::amd::Modifiers;
using isa::amd::Op;
using isa::amd::Operand;
using isa::amd::OperandKind;

namespace {

constexpr std::uint64_t sign_bit(LaneType type) {
  switch (type) {
    case LaneType::b16: return 0x8000;
    case LaneType::b64: return std::uint64_t{1} << 63;
    default: return 0x80000000;
  }
}

/// Where a source is after everything that has to happen before the op.
struct Source {
  enum Kind { row, scalar, constant, mask } kind = row;
  std::uint32_t offset = 0;
  std::uint64_t value = 0;
  bool uniform() const { return kind == scalar || kind == constant; }
};

bool overlaps_scalar(const Operand& a, const Operand& b) {
  if (a.kind != OperandKind::sgpr || b.kind != OperandKind::sgpr) return false;
  return a.index < b.index + b.dwords && b.index < a.index + a.dwords;
}

/// One lane op (an instruction, or a half of a VOPD instruction).
class LaneOp {
 public:
  LaneOp(std::span<const Operand> operands, const Modifiers& mods, bool vop3p, const VectorTable& table,
         Preparer& out)
      : operands_(operands), mods_(mods), vop3p_(vop3p), steps_(table.steps), table_(table), out_(out) {}

  /// `dst_override`: a row that takes the result instead of the destination, or 0.
  bool prepare(Op op, std::uint32_t dst_override);

 private:
  bool take_operands(const VectorEntry& entry);
  bool read(const Operand& operand, LaneType type, Source& source);
  bool read_mixed(const Operand& operand, Source& source);
  bool modify_row(const Operand& operand, LaneType type, Source& source);
  void modify_constant(const Operand& operand, LaneType type, Source& source) const;
  bool modify_scalar(const Operand& operand, LaneType type, Source& source);
  void splat(LaneType type, Source& source);
  bool read_dpp(const Operand& operand, Source& source);
  void place(const VectorEntry& entry, Record& record);
  void finish(const VectorEntry& entry, std::uint32_t result, std::uint32_t dst);
  bool packed_select(const Operand& operand) const {
    return operand.high || !operand.high2 || operand.neg || operand.abs;
  }

  std::span<const Operand> operands_;
  const Modifiers& mods_;
  bool vop3p_;
  const VectorSteps& steps_;
  const VectorTable& table_;
  Preparer& out_;
  const Operand* dst_ = nullptr;
  const Operand* second_dst_ = nullptr;
  const Operand* in_[kMaxSources] = {};
  Source sources_[kMaxSources];
  Operand implied_vcc_{};
  DppControl dpp_{};
  bool mixed_ = false;
};

bool LaneOp::take_operands(const VectorEntry& entry) {
  std::size_t next = 0;
  if (operands_.empty()) return false;
  dst_ = &operands_[next++];
  if (entry.second_dst == LaneType::mask) {
    if (next == operands_.size()) return false;
    second_dst_ = &operands_[next++];
  }
  unsigned count = 0;
  while (next < operands_.size() && count < entry.sources) in_[count++] = &operands_[next++];
  if (next != operands_.size()) return false;
  if (count + 1 == entry.sources) {
    if (entry.src[count] == LaneType::mask) {
      implied_vcc_.kind = OperandKind::sgpr;
      implied_vcc_.index = isa::amd::scalar::vcc_lo;
      in_[count++] = &implied_vcc_;
    } else {
      in_[count++] = dst_;
    }
  }
  return count == entry.sources;
}

bool LaneOp::read(const Operand& operand, LaneType type, Source& source) {
  const bool modified = operand.neg || operand.abs;
  if (operand.sext) return false;
  if (operand.kind == OperandKind::special &&
      (operand.index == isa::amd::scalar::vccz || operand.index == isa::amd::scalar::execz)) {
    return false;
  }
  if (operand.high && type != LaneType::b16 && type != LaneType::packed16) return false;
  // Of 32-bit sources only those of mixed fma have an absolute value: elsewhere the bit means neg_hi.
  if (vop3p_ && !mixed_ && type == LaneType::b32 && operand.abs) return false;
  if (type == LaneType::mask) {
    source.kind = Source::mask;
    // The row behind null is m0: in wave64 null has no second half.
    const bool null = operand.index == isa::amd::scalar::null;
    if (operand.kind != OperandKind::sgpr || (null && out_.wave64()) || modified) return false;
    source.offset = scalar_operand_offset(operand, false);
    return true;
  }
  switch (operand.kind) {
    case OperandKind::vgpr:
      source.kind = Source::row;
      source.offset = Gang::vgpr_offset(operand.index);
      return modify_row(operand, type, source);
    case OperandKind::sgpr:
    case OperandKind::special:
      if (operand.kind == OperandKind::sgpr && operand.index == isa::amd::scalar::null) {
        source.kind = Source::constant;
        modify_constant(operand, type, source);
        return true;
      }
      source.kind = Source::scalar;
      source.offset = scalar_operand_offset(operand, false);
      return modify_scalar(operand, type, source);
    case OperandKind::constant:
      source.kind = Source::constant;
      source.value = operand.value;
      modify_constant(operand, type, source);
      return true;
    default: return false;
  }
}

/// Bits to keep (low half of the result) and to flip (high half), for the dword with the sign.
std::uint64_t sign_modifier(const Operand& operand, LaneType type) {
  const auto sign = static_cast<std::uint32_t>(type == LaneType::b64 ? 0x80000000 : sign_bit(type));
  const std::uint32_t keep = operand.abs ? ~sign : ~0u;
  const std::uint32_t flip = operand.neg ? sign : 0;
  return std::uint64_t{flip} << 32 | keep;
}

std::uint32_t half_signs(const Operand& operand) {
  return (operand.neg ? 0x8000u : 0u) | (operand.abs ? 0x80000000u : 0u);
}

std::uint8_t half_selects(const Operand& operand) {
  return static_cast<std::uint8_t>((operand.high ? 1 : 0) | (operand.high2 ? 2 : 0));
}

bool LaneOp::modify_row(const Operand& operand, LaneType type, Source& source) {
  if (type == LaneType::packed16) {
    if (!vop3p_ || !packed_select(operand)) return true;
    Record& record = out_.emit(steps_.select_halves);
    record.src[0] = source.offset;
    record.op = half_selects(operand);
    record.imm = half_signs(operand);
    record.dst = source.offset = out_.temp();
    return true;
  }
  if (!operand.neg && !operand.abs && !operand.high) return true;
  const bool wide = type == LaneType::b64;
  Record& record = out_.emit(wide ? steps_.modify64 : steps_.modify32);
  record.src[0] = source.offset;
  record.op = operand.high ? 16 : 0;
  record.imm = sign_modifier(operand, type);
  record.dst = source.offset = out_.temp(wide ? 2 : 1);
  return true;
}

bool LaneOp::modify_scalar(const Operand& operand, LaneType type, Source& source) {
  if (type == LaneType::packed16) {
    if (!vop3p_ || !packed_select(operand)) return true;
    Record& record = out_.emit(steps_.splat_select_halves);
    record.src[0] = source.offset;
    record.op = half_selects(operand);
    record.imm = half_signs(operand);
    source.kind = Source::row;
    record.dst = source.offset = out_.temp();
    return true;
  }
  if (!operand.neg && !operand.abs && !operand.high) return true;
  const bool wide = type == LaneType::b64;
  Record& record = out_.emit(wide ? steps_.splat_modify64 : steps_.splat_modify32);
  record.src[0] = source.offset;
  record.op = operand.high ? 16 : 0;
  record.imm = sign_modifier(operand, type);
  source.kind = Source::row;
  record.dst = source.offset = out_.temp(wide ? 2 : 1);
  return true;
}

void LaneOp::modify_constant(const Operand& operand, LaneType type, Source& source) const {
  std::uint64_t& value = source.value;
  if (type == LaneType::packed16) {
    if (!vop3p_) return;
    const std::uint64_t low = (operand.high ? value >> 16 : value) & 0xffff;
    const std::uint64_t high = (operand.high2 ? value >> 16 : value) & 0xffff;
    value = (low | high << 16) ^ half_signs(operand);
    return;
  }
  if (operand.high) value = value >> 16 & 0xffff;
  if (operand.abs) value &= ~sign_bit(type);
  if (operand.neg) value ^= sign_bit(type);
}

/// A source of mixed fma: op_sel_hi says f16 (then op_sel chooses the half) or f32.
bool LaneOp::read_mixed(const Operand& operand, Source& source) {
  Operand half = operand;
  half.high = half.high2 = false;
  if (!operand.high2) return read(half, LaneType::b32, source);
  half.neg = half.abs = false;
  half.high = operand.high;
  if (!read(half, LaneType::b16, source)) return false;
  if (source.uniform()) splat(LaneType::b32, source);
  Record& widened = out_.emit(steps_.f16_to_f32);
  widened.src[0] = source.offset;
  widened.dst = source.offset = out_.temp();
  half = operand;
  half.high = half.high2 = false;
  return modify_row(half, LaneType::b32, source);
}

void LaneOp::splat(LaneType type, Source& source) {
  const bool wide = type == LaneType::b64;
  Record& record = out_.emit(wide ? steps_.splat64 : steps_.splat32);
  if (source.kind == Source::constant) {
    record.imm = source.value;
    record.src[0] = kImmOperand;
  } else {
    record.src[0] = source.offset;
  }
  source.kind = Source::row;
  record.dst = source.offset = out_.temp(wide ? 2 : 1);
}

bool LaneOp::read_dpp(const Operand& operand, Source& source) {
  if (operand.kind != OperandKind::vgpr || operand.dwords != 1) return false;
  Record& record = out_.emit(steps_.dpp_read);
  record.src[0] = Gang::vgpr_offset(operand.index);
  record.src[1] = dpp_.valid;
  record.imm = dpp_.selectors;
  record.op = dpp_.fetch_inactive;
  record.dst = source.offset = out_.temp();
  source.kind = Source::row;
  return true;
}

/// Puts sources into the record: uniform ones as they are where the entry has a handler for that, else as
/// splats.
void LaneOp::place(const VectorEntry& entry, Record& record) {
  unsigned uniform = 0;
  for (unsigned i = 0; i < entry.sources; ++i) {
    if (!sources_[i].uniform()) continue;
    // In wave64 the first slot's result would overwrite the scalar that the second one reads.
    const bool overwritten =
        out_.wave64() && ((second_dst_ != nullptr && overlaps_scalar(*second_dst_, *in_[i])) ||
                          overlaps_scalar(*dst_, *in_[i]));
    if (i < 3 && !overwritten) uniform |= 1u << i;
  }
  // Constants live in imm and, if there is no fourth source, in the low half of aux: wide ones first, as they
  // need both halves of imm.
  const unsigned room = entry.sources > 3 ? 2 : 3;
  unsigned used = 0;
  std::uint32_t words[3] = {};
  unsigned at[3] = {};
  for (const bool wide : {true, false}) {
    for (unsigned i = 0; i < 3; ++i) {
      if ((uniform >> i & 1) == 0 || sources_[i].kind != Source::constant) continue;
      if ((entry.src[i] == LaneType::b64) != wide) continue;
      if (used + (wide ? 2 : 1) > (wide ? 2 : room)) {
        uniform &= ~(1u << i);
        continue;
      }
      at[i] = used;
      words[used++] = static_cast<std::uint32_t>(sources_[i].value);
      if (wide) words[used++] = static_cast<std::uint32_t>(sources_[i].value >> 32);
    }
  }
  // The largest subset that a handler takes.
  unsigned best = 0;
  for (unsigned k = uniform; k != 0; k = (k - 1) & uniform) {
    if (entry.run[k] != nullptr && __builtin_popcount(k) > __builtin_popcount(best)) best = k;
  }
  for (unsigned i = 0; i < entry.sources; ++i) {
    if (sources_[i].uniform() && (i > 2 || (best >> i & 1) == 0)) splat(entry.src[i], sources_[i]);
  }
  record.run = entry.run[best];
  record.imm = std::uint64_t{words[1]} << 32 | words[0];
  record.aux = words[2];
  for (unsigned i = 0; i < entry.sources; ++i) {
    const bool constant = sources_[i].kind == Source::constant;
    const std::uint32_t offset = constant ? kImmOperand + 4 * at[i] : sources_[i].offset;
    if (i < 3) {
      record.src[i] = offset;
    } else {
      record.aux = offset;
    }
  }
}

bool LaneOp::prepare(Op op, std::uint32_t dst_override) {
  const VectorEntry* entry = table_.entries[static_cast<unsigned>(op)];
  if (entry == nullptr || entry->dst == LaneType::none) return false;
  mixed_ = op == Op::v_fma_mix_f32 || op == Op::v_fma_mixlo_f16 || op == Op::v_fma_mixhi_f16;
  if (mods_.clamp && entry->clamp == ClampType::none && entry->dst != LaneType::mask) {
    entry = table_.saturating[static_cast<unsigned>(op)];
    if (entry == nullptr) return false;
  }
  if (!take_operands(*entry)) return false;

  // Destinations.
  std::uint32_t dst = 0;
  if (entry->dst == LaneType::mask) {
    if (dst_->kind != OperandKind::sgpr) return false;
    dst = scalar_operand_offset(*dst_, true);
  } else {
    if (dst_->kind != OperandKind::vgpr) return false;
    dst = dst_override != 0 ? dst_override : Gang::vgpr_offset(dst_->index);
  }
  const bool high_dst = (dst_->high && !vop3p_) || op == Op::v_fma_mixhi_f16;
  if (high_dst && (entry->dst != LaneType::b16 || dst_override != 0)) return false;
  if (second_dst_ != nullptr && second_dst_->kind != OperandKind::sgpr) return false;

  // Sources.
  const bool dpp = mods_.dpp != DppKind::none;
  if (dpp && (mixed_ || !dpp_control(mods_, dpp_))) return false;
  for (unsigned i = 0; i < entry->sources; ++i) {
    const Operand* operand = in_[i];
    Operand plain{};
    if (entry->raw_bits) {
      plain = *operand;
      plain.neg = plain.abs = plain.high = false;
      operand = &plain;
    }
    if (dpp && i == 0) {
      if (entry->src[0] == LaneType::mask || entry->src[0] == LaneType::b64) return false;
      if (!read_dpp(*operand, sources_[0]) || !modify_row(*operand, entry->src[0], sources_[0])) return false;
    } else if (mixed_ ? !read_mixed(*operand, sources_[i]) : !read(*operand, entry->src[i], sources_[i])) {
      return false;
    }
  }
  Record record{};
  place(*entry, record);
  const std::uint32_t result = high_dst ? out_.temp() : dst;
  record.dst = result;
  if (second_dst_ != nullptr) {
    record.aux |= std::uint64_t{scalar_operand_offset(*second_dst_, true)} << 32;
  }
  if (entry->raw_bits) record.op = static_cast<std::uint8_t>(mods_.neg | mods_.op_sel << 4);

  const bool narrow = dpp && dpp_.narrows;
  if (narrow) {
    Record& step = out_.emit(steps_.dpp_narrow);
    step.src[0] = Gang::scalar_offset(kRowTemp);
    step.src[1] = dpp_.valid;
    step.imm = dpp_.selectors;
    step.aux = dpp_.enabled;
    step.op = dpp_.fetch_inactive;
    step.flags = dpp_.any_source;
  }
  out_.emit(record.run) = record;
  finish(*entry, result, dst);
  const bool writes_exec =
      (entry->dst == LaneType::mask && is_exec(*dst_)) || (second_dst_ != nullptr && is_exec(*second_dst_));
  if (narrow && !writes_exec) out_.emit(steps_.dpp_restore).src[0] = Gang::scalar_offset(kRowTemp);
  if (writes_exec) out_.emit(steps_.update_full);
  return !out_.out_of_temps();
}

/// What happens to a result: OMOD, CLAMP, the high half.
void LaneOp::finish(const VectorEntry& entry, std::uint32_t result, std::uint32_t dst) {
  Handler clamp = nullptr;
  Handler omod = nullptr;
  switch (entry.clamp) {
    case ClampType::f16: clamp = steps_.clamp_f16, omod = steps_.omod_f16; break;
    case ClampType::f32: clamp = steps_.clamp_f32, omod = steps_.omod_f32; break;
    case ClampType::f64: clamp = steps_.clamp_f64, omod = steps_.omod_f64; break;
    case ClampType::packed_f16: clamp = steps_.clamp_packed_f16; break;
    case ClampType::none: break;
  }
  if (mods_.omod != 0 && omod != nullptr) {
    Record& record = out_.emit(omod);
    record.dst = record.src[0] = result;
    record.op = mods_.omod;
  }
  if (mods_.clamp && clamp != nullptr) {
    Record& record = out_.emit(clamp);
    record.dst = record.src[0] = result;
  }
  if (result != dst) {
    Record& record = out_.emit(steps_.merge_high);
    record.dst = dst;
    record.src[0] = result;
    record.src[1] = dst;
  }
}

bool reads_vgpr(std::span<const Operand> half, std::uint16_t index) {
  for (const Operand& operand : half) {
    if (operand.is_src && operand.kind == OperandKind::vgpr && operand.index == index) return true;
  }
  return false;
}

/// Both halves read before either writes: the half whose result the other one does not read comes last, or a
/// temporary takes the first result.
bool prepare_dual(const Instruction& instruction, const VectorTable& table, Preparer& out) {
  const auto operands = instruction.ops();
  if (instruction.y_begin == 0 || instruction.y_begin >= operands.size()) return false;
  const auto x = operands.first(instruction.y_begin);
  const auto y = operands.subspan(instruction.y_begin);
  LaneOp run_x(x, instruction.mods, false, table, out);
  LaneOp run_y(y, instruction.mods, false, table, out);
  if (!reads_vgpr(y, x[0].index))
    return run_x.prepare(instruction.op, 0) && run_y.prepare(instruction.op_y, 0);
  if (!reads_vgpr(x, y[0].index))
    return run_y.prepare(instruction.op_y, 0) && run_x.prepare(instruction.op, 0);
  const std::uint32_t held = out.temp();
  if (!run_x.prepare(instruction.op, held) || !run_y.prepare(instruction.op_y, 0)) return false;
  Record& copy = out.emit(table.steps.masked_copy32);
  copy.dst = Gang::vgpr_offset(x[0].index);
  copy.src[0] = held;
  return true;
}

}  // namespace

bool prepare_vector(const Instruction& instruction, const LaneKernels& kernels, Preparer& out) {
  const VectorTable& table = *kernels.vector;
  switch (instruction.encoding) {
    case Encoding::vopd: return prepare_dual(instruction, table, out);
    case Encoding::vop1:
    case Encoding::vop2:
    case Encoding::vopc:
    case Encoding::vop3:
    case Encoding::vop3sd:
    case Encoding::vop3p: break;
    default: return false;
  }
  if (instruction.op == Op::v_nop || instruction.op == Op::v_pipeflush) return true;
  if (instruction.op == Op::v_swap_b16) return prepare_swap16(instruction, table, out);
  const VectorEntry* entry = table.entries[static_cast<unsigned>(instruction.op)];
  if (entry == nullptr) return false;
  if (entry->dst == LaneType::none) return prepare_special(instruction, entry->run[0], table.steps, out);
  LaneOp op(instruction.ops(), instruction.mods, instruction.encoding == Encoding::vop3p, table, out);
  return op.prepare(instruction.op, 0);
}

}  // namespace mockgpu::emu::amd
