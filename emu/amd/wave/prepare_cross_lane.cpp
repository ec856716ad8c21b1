// Vector ALU instructions whose operands are not one value per lane: moves between lanes and to scalars,
// matrices.
#include "emu/amd/wave/prepare_vector.h"

namespace mockgpu::emu::amd {

using isa::amd::DppKind;
using isa::amd::Instruction;
using isa::amd::Modifiers;
using isa::amd::Op;
using isa::amd::Operand;
using isa::amd::OperandKind;

namespace {

bool is_vgpr(const Operand& operand) { return operand.kind == OperandKind::vgpr; }

/// A source that is the same for all lanes, in the record or a scalar row. Constants take the dword `word` of
/// imm.
bool place_uniform(const Operand& operand, unsigned word, Record& record, unsigned index) {
  if (operand.kind == OperandKind::constant) {
    record.imm |= (operand.value & 0xffffffff) << (32 * word);
    record.src[index] = kImmOperand + 4 * word;
    return true;
  }
  if (operand.kind != OperandKind::sgpr) return false;
  record.src[index] = scalar_operand_offset(operand, false);
  return true;
}

bool prepare_wmma(const Instruction& instruction, Handler handler, const VectorSteps& steps, Preparer& out) {
  const auto operands = instruction.ops();
  if (operands.size() != 4 || !is_vgpr(operands[0]) || !is_vgpr(operands[1]) || !is_vgpr(operands[2]))
    return false;
  Record record{};
  record.run = handler;
  record.aux = kRowBytes / 4;
  if (operands[3].kind == OperandKind::constant) {
    Record& splat = out.emit(steps.splat32);
    splat.src[0] = kImmOperand;
    splat.imm = operands[3].value;
    splat.dst = record.src[2] = out.temp();
    record.aux = 0;
  } else if (is_vgpr(operands[3])) {
    record.src[2] = Gang::vgpr_offset(operands[3].index);
  } else {
    return false;
  }
  record.dst = Gang::vgpr_offset(operands[0].index);
  record.src[0] = Gang::vgpr_offset(operands[1].index);
  record.src[1] = Gang::vgpr_offset(operands[2].index);
  const Modifiers& mods = instruction.mods;
  record.op = static_cast<std::uint8_t>((mods.neg & 7) | (mods.neg_hi & 7) << 3 | (mods.clamp ? 64 : 0) |
                                        ((mods.op_sel & 4) != 0 ? 128 : 0));
  out.emit(handler) = record;
  return true;
}

/// The half of a register that `operand` names, in the low half of a temporary.
std::uint32_t take_half(const Operand& operand, const VectorSteps& steps, Preparer& out) {
  Record& record = out.emit(steps.modify32);
  record.src[0] = Gang::vgpr_offset(operand.index);
  record.op = operand.high ? 16 : 0;
  record.imm = 0xffffffff;
  return record.dst = out.temp();
}

/// The other way round, under EXEC.
void put_half(const Operand& operand, std::uint32_t half, const VectorTable& table, Preparer& out) {
  const Handler low = table.entries[static_cast<unsigned>(Op::v_mov_b16)]->run[0];
  Record& record = out.emit(operand.high ? table.steps.merge_high : low);
  record.dst = record.src[1] = Gang::vgpr_offset(operand.index);
  record.src[0] = half;
}

}  // namespace

bool is_exec(const Operand& operand) {
  return operand.kind == OperandKind::sgpr &&
         (operand.index == isa::amd::scalar::exec_lo || operand.index == isa::amd::scalar::exec_hi);
}

bool prepare_swap16(const Instruction& instruction, const VectorTable& table, Preparer& out) {
  const auto operands = instruction.ops();
  if (operands.size() != 2 || !is_vgpr(operands[0]) || !is_vgpr(operands[1])) return false;
  const std::uint32_t first = take_half(operands[0], table.steps, out);
  const std::uint32_t second = take_half(operands[1], table.steps, out);
  put_half(operands[0], second, table, out);
  put_half(operands[1], first, table, out);
  return true;
}

bool prepare_special(const Instruction& instruction, Handler handler, const VectorSteps& steps,
                     Preparer& out) {
  const auto operands = instruction.ops();
  if (instruction.mods.dpp != DppKind::none || operands.size() < 2) return false;
  Record record{};
  const Operand& dst = operands[0];
  const Operand& src = operands[1];
  switch (instruction.op) {
    case Op::v_wmma_f32_16x16x16_f16:
    case Op::v_wmma_f32_16x16x16_bf16:
    case Op::v_wmma_f16_16x16x16_f16:
    case Op::v_wmma_bf16_16x16x16_bf16:
    case Op::v_wmma_i32_16x16x16_iu8:
    case Op::v_wmma_i32_16x16x16_iu4: return prepare_wmma(instruction, handler, steps, out);
    case Op::v_readlane_b32:
    case Op::v_readfirstlane_b32:
      if (dst.kind != OperandKind::sgpr || !is_vgpr(src)) return false;
      record.src[0] = Gang::vgpr_offset(src.index);
      if (operands.size() > 2 && !place_uniform(operands[2], 0, record, 1)) return false;
      record.dst = scalar_operand_offset(dst, true);
      break;
    case Op::v_writelane_b32:
      if (!is_vgpr(dst) || operands.size() != 3 || !place_uniform(src, 0, record, 0) ||
          !place_uniform(operands[2], 1, record, 1)) {
        return false;
      }
      record.dst = Gang::vgpr_offset(dst.index);
      break;
    case Op::v_permlane16_b32:
    case Op::v_permlanex16_b32:
      if (!is_vgpr(dst) || !is_vgpr(src) || operands.size() != 4 ||
          !place_uniform(operands[2], 0, record, 1) || !place_uniform(operands[3], 1, record, 2)) {
        return false;
      }
      record.dst = Gang::vgpr_offset(dst.index);
      record.src[0] = Gang::vgpr_offset(src.index);
      record.op = instruction.mods.op_sel & 3;
      break;
    case Op::v_mqsad_u32_u8:
      if (operands.size() != 4 || instruction.mods.clamp) return false;
      for (const Operand& operand : operands) {
        if (!is_vgpr(operand)) return false;
      }
      record.dst = Gang::vgpr_offset(dst.index);
      for (unsigned i = 0; i < 3; ++i) record.src[i] = Gang::vgpr_offset(operands[i + 1].index);
      break;
    case Op::v_movreld_b32:
      if (!is_vgpr(dst)) return false;
      record.dst = Gang::vgpr_offset(dst.index);
      if (is_vgpr(src)) {
        record.src[0] = Gang::vgpr_offset(src.index);
      } else {
        Record& splat = out.emit(steps.splat32);
        if (!place_uniform(src, 0, splat, 0)) return false;
        splat.dst = record.src[0] = out.temp();
      }
      break;
    default:
      if (!is_vgpr(dst) || !is_vgpr(src) || operands.size() != 2) return false;
      record.dst = Gang::vgpr_offset(dst.index);
      record.src[0] = Gang::vgpr_offset(src.index);
  }
  record.run = handler;
  out.emit(handler) = record;
  if (is_exec(dst)) out.emit(steps.update_full);
  return true;
}

}  // namespace mockgpu::emu::amd
