#include <fmt/format.h>

#include "isa/amd/asm/legality_rules.h"

namespace mockgpu::isa::amd {

namespace {

// Matrix operations read their sum while they write it: both are the same registers, or share none.
void check_sum(const Legality& legality) {
  const int place = legality.place(Field::src2);
  const Operand* sum = legality.find(Field::src2);
  const Operand& result = legality.inst.operands[0];
  if (sum && sum->kind == OperandKind::constant && legality.generation() == Generation::cdna1)
    Legality::refuse_operand(static_cast<std::size_t>(place),
                             "gfx908 reads no inline constants as a sum: it would take them for other values",
                             "accumulation VGPRs");
  if (!sum || sum->kind != result.kind || sum->index == result.index || result.dwords <= 4) return;
  const bool overlap = sum->index < result.index + result.dwords && result.index < sum->index + sum->dwords;
  if (overlap)
    Legality::refuse_operand(static_cast<std::size_t>(place),
                             "the sum overlaps the result in part: hardware writes before it has read all",
                             "the registers of the result, or others");
}

// Formats without a name are reserved.
void check_formats(const Modifiers& mods) {
  constexpr unsigned kFormats = 5, kScaleFormats = 3;
  if (mods.matrix_a_fmt >= kFormats) Legality::refuse("matrix_a_fmt", "this format is reserved");
  if (mods.matrix_b_fmt >= kFormats) Legality::refuse("matrix_b_fmt", "this format is reserved");
  if (mods.matrix_a_scale_fmt >= kScaleFormats)
    Legality::refuse("matrix_a_scale_fmt", "this format is reserved");
  if (mods.matrix_b_scale_fmt >= kScaleFormats)
    Legality::refuse("matrix_b_scale_fmt", "this format is reserved");
}

void check_wmma(const Legality& legality, std::string_view name) {
  const Modifiers& mods = legality.mods();
  const bool sparse =
      legality.inst.form->specs()[0].is_src;  // adds to its result; its third source is an index
  constexpr unsigned kSum = 4;
  if (sparse && (mods.neg & kSum || mods.neg_hi & kSum))
    Legality::refuse(mods.neg & kSum ? "neg_lo" : "neg_hi", "the index of a sparse product has no sign");
  const bool small = name.find("_fp8") != name.npos || name.find("_bf8") != name.npos ||
                     name.ends_with("_f4") || name.ends_with("f8f6f4");
  if (small && ((mods.neg | mods.neg_hi) & 3))
    Legality::refuse(mods.neg & 3 ? "neg_lo" : "neg_hi", "only the sum of this instruction has a sign");
  const bool integers = legality.has(property::clamp);
  if (integers && mods.neg_hi) Legality::refuse("neg_hi", "integers have no sign modifier");
  if (integers && mods.neg & kSum)
    Legality::refuse("neg_lo", "neg_lo says which of the factors are signed; the sum is");
  // A register of the index holds the pattern of several products: more where they are smaller.
  const bool four_bits = name.find("_iu4") != name.npos;
  const unsigned keys = legality.wave64 && !four_bits ? 4 : 2;
  if (sparse && (mods.op_sel & 3u) >= keys)
    Legality::refuse("index_key", "index_key is out of range", fmt::format("0 to {}", keys - 1));
}

}  // namespace

void check_matrix(const Legality& legality) {
  const std::string_view name = op_name(legality.inst.op);
  const auto specs = legality.inst.form->specs();
  if (legality.has(property::matrix_fmt | property::matrix_scale)) check_formats(legality.mods());
  const bool product = !specs.empty() && specs[0].is_dst;
  const bool waves = legality.inst.encoding == Encoding::vop3p || legality.inst.encoding == Encoding::vop3px2;
  if (product && legality.has(property::cbsz) && !specs[0].is_src) check_sum(legality);
  if (name.starts_with("v_dot4_f32_") && ((legality.mods().neg | legality.mods().neg_hi) & 3))
    Legality::refuse(legality.mods().neg & 3 ? "neg_lo" : "neg_hi",
                     "factors of 8 bits have no sign modifier");
  if (product && waves && specs[0].format == Format::matrix && !legality.has(property::cbsz))
    check_wmma(legality, name);
  if (legality.inst.op == Op::v_accvgpr_write_b32 && legality.generation() == Generation::cdna1 &&
      legality.inst.operands[1].kind == OperandKind::sgpr)
    Legality::refuse_operand(1, "a scalar register cannot stand here", "a VGPR or an inline constant");
}

}  // namespace mockgpu::isa::amd
