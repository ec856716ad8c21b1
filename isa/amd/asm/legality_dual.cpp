#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "isa/amd/asm/legality_rules.h"

namespace mockgpu::isa::amd {
namespace {

// The operand of a half in this field, or -1.
int place_in_half(const Instruction& inst, bool second, Field field) {
  const auto specs = (second ? inst.form_y : inst.form)->specs();
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (specs[i].field == field) return static_cast<int>(i + (second ? inst.y_begin : 0));
  return -1;
}

// Two moves read their sources through different ports from gfx12 on.
bool is_pair_of_moves(const Instruction& inst) {
  return inst.op == Op::v_mov_b32 && inst.op_y == Op::v_mov_b32;
}

bool is_multiply_by_constant(Op op) { return op == Op::v_fmamk_f32; }

// The place of a half's source 0, 1 or 2, or -1. fmamk has its constant between its registers; what fmac adds
// to is its result.
int source_of(const Instruction& inst, bool second, unsigned source) {
  const bool constant = is_multiply_by_constant(second ? inst.op_y : inst.op);
  const std::size_t result = second ? inst.y_begin : 0;
  switch (source) {
    case 0: return place_in_half(inst, second, Field::src0);
    case 1: return constant ? -1 : place_in_half(inst, second, Field::vsrc1);
    default:
      if (constant) return place_in_half(inst, second, Field::vsrc1);
      return inst.operands[result].is_src ? static_cast<int>(result)
                                          : place_in_half(inst, second, Field::vsrc2);
  }
}

// Sources with the same number must come from different banks: the lowest bits of the register's number.
void check_banks(const Legality& legality, unsigned source, std::string_view name) {
  const Instruction& inst = legality.inst;
  const int x = source_of(inst, false, source), y = source_of(inst, true, source);
  if (x < 0 || y < 0) return;
  const Operand& first = inst.operands[static_cast<std::size_t>(x)];
  const Operand& other = inst.operands[static_cast<std::size_t>(y)];
  if (first.kind != OperandKind::vgpr || other.kind != OperandKind::vgpr) return;
  if (legality.generation() == Generation::gfx1250 && first.index == other.index) return;
  constexpr unsigned kBanks = 4;
  const unsigned banks = source == 2 && inst.encoding == Encoding::vopd ? 2 : kBanks;
  const unsigned pair = std::max<unsigned>(first.dwords, other.dwords);
  for (unsigned i = 0; i < pair; ++i)
    for (unsigned j = 0; j < pair; ++j)
      if (i < first.dwords && j < other.dwords && (first.index + i) % banks == (other.index + j) % banks)
        Legality::refuse_operand(
            static_cast<std::size_t>(y),
            fmt::format("the {} of both halves, v{} and v{}, are in the same bank of registers", name,
                        first.index, other.index),
            fmt::format("a VGPR whose number modulo {} is not {}", banks, first.index % banks));
}

void check_destinations(const Legality& legality) {
  const Instruction& inst = legality.inst;
  const Operand& first = inst.operands[0];
  const Operand& other = inst.operands[inst.y_begin];
  if (first.kind == OperandKind::vgpr && other.kind == OperandKind::vgpr &&
      first.index % 2 == other.index % 2)
    Legality::refuse_operand(
        inst.y_begin, fmt::format("v{} and v{} are both {}: of the results of a dual instruction one is "
                                  "even and one odd",
                                  first.index, other.index, first.index % 2 ? "odd" : "even"));
}

void check_dual_scalars(const Legality& legality) {
  constexpr std::size_t kMost = 2;
  const Instruction& inst = legality.inst;
  std::vector<std::uint16_t> read;
  bool literal = false;
  for (std::size_t i = 0; i < inst.operand_count; ++i) {
    const Operand& operand = inst.operands[i];
    // VCC that is implied is one more, as LLVM counts.
    if (operand.tied && operand.is_src && operand.kind == OperandKind::sgpr) {
      constexpr std::uint16_t kImplied = 0xffff;
      if (std::find(read.begin(), read.end(), kImplied) == read.end()) read.push_back(kImplied);
      if (read.size() + literal > kMost)
        Legality::refuse_operand(i, "a dual instruction can read 2 scalar values, and vcc is one more");
      continue;
    }
    const bool scalar = operand.is_src && operand.index != scalar::null &&
                        (operand.kind == OperandKind::sgpr || operand.kind == OperandKind::special);
    if (scalar && std::find(read.begin(), read.end(), operand.index) == read.end())
      read.push_back(operand.index);
    else if (operand.is_literal && !literal)
      literal = true;
    else
      continue;
    if (read.size() + literal > kMost)
      Legality::refuse_operand(i, "a dual instruction can read 2 scalar values, and this is one more",
                               "two SGPRs, or one and a literal");
  }
}

}  // namespace

void check_dual(const Legality& legality) {
  const Instruction& inst = legality.inst;
  if (inst.encoding == Encoding::vopd) check_destinations(legality);
  if (inst.operands[0].index == inst.operands[inst.y_begin].index)
    Legality::refuse_operand(inst.y_begin, "both halves write the same register");
  const bool moves = is_pair_of_moves(legality.inst) && legality.generation() >= Generation::rdna4;
  if (!moves) check_banks(legality, 0, "first sources");
  check_banks(legality, 1, "second sources");
  check_banks(legality, 2, "third sources");
  check_dual_scalars(legality);
}

}  // namespace mockgpu::isa::amd
