#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "isa/amd/asm/legality_rules.h"

namespace mockgpu::isa::amd {
namespace {

bool is_register_source(const Operand& operand) {
  return operand.is_src && (operand.kind == OperandKind::sgpr || operand.kind == OperandKind::special);
}

// The scalar values that one VALU instruction can read: the constant bus.
unsigned scalar_reads(const Legality& legality) {
  if (legality.generation() < Generation::rdna1) return 1;
  switch (legality.inst.op) {
    case Op::v_lshlrev_b64:
    case Op::v_lshrrev_b64:
    case Op::v_ashrrev_i64: return 1;
    default: return 2;
  }
}

// Instructions whose scalar operands select lanes or are the only source.
bool reads_lanes(Op op) {
  switch (op) {
    case Op::v_readlane_b32:
    case Op::v_readfirstlane_b32:
    case Op::v_permlane16_b32:
    case Op::v_permlanex16_b32: return true;
    default: return false;
  }
}

void check_scalar_reads(const Legality& legality) {
  if (reads_lanes(legality.inst.op)) return;
  const unsigned most = scalar_reads(legality);
  std::vector<std::uint32_t> read;
  bool literal = false;
  const auto specs = legality.inst.form->specs();
  // VCC that is read without being named is read first.
  for (bool implied : {true, false}) {
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const Operand& operand = legality.inst.operands[i];
      if ((specs[i].holds == Holds::implied_vcc) != implied) continue;
      // The lane select of a write comes from M0 without the bus.
      const bool lane = legality.inst.op == Op::v_writelane_b32 && specs[i].field == Field::src1;
      if (lane && operand.index == scalar::m0) continue;
      const bool scalar = is_register_source(operand) && operand.index != scalar::null &&
                          operand.index != scalar::lds_direct && specs[i].holds != Holds::implied_exec;
      const std::uint32_t name = operand.index | std::uint32_t{operand.dwords} << 16;
      if (scalar && std::find(read.begin(), read.end(), name) == read.end())
        read.push_back(name);
      else if (operand.is_literal && !literal)
        literal = true;
      else
        continue;
      if (read.size() + literal > most)
        Legality::refuse_operand(i,
                                 fmt::format("{} can read {} scalar value{}, and this is one more",
                                             op_name(legality.inst.op), most, most == 1 ? "" : "s"),
                                 "a VGPR, an inline constant, or a scalar that it reads already");
    }
  }
}

// LDS as a source: the first one, of instructions without SDWA that do not exchange their sources.
void check_lds_direct(const Legality& legality) {
  const auto specs = legality.inst.form->specs();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const Operand& operand = legality.inst.operands[i];
    if (operand.kind != OperandKind::special || operand.index != scalar::lds_direct) continue;
    if (!traits(legality.generation()).lds_direct)
      Legality::refuse_operand(i, fmt::format("{} has no src_lds_direct", legality.target.name));
    const bool two = legality.find(Field::src1) || legality.find(Field::vsrc1);
    const bool reversed = two && op_name(legality.inst.op).find("rev_") != std::string_view::npos;
    if (specs[i].field != Field::src0 || operand.bits == 64 || reversed || legality.mods().sdwa)
      Legality::refuse_operand(
          i, "src_lds_direct can only be the first source, and not of this instruction's kind");
  }
}

bool is_shared_row(std::uint16_t control) { return control >= 0x150 && control <= 0x15f; }

bool is_packed_dot(Op op) { return op_name(op).starts_with("v_dot4_f32_"); }

void check_dpp(const Legality& legality) {
  const Modifiers& mods = legality.mods();
  if (mods.dpp == DppKind::none) return;
  const auto specs = legality.inst.form->specs();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const Operand& operand = legality.inst.operands[i];
    const bool second = specs[i].field == Field::src1 || specs[i].field == Field::vsrc1;
    const bool vector = operand.kind == OperandKind::vgpr || operand.kind == OperandKind::none;
    if (second && !vector && legality.generation() < Generation::rdna35)
      Legality::refuse_operand(
          i, fmt::format("the second source of a DPP instruction is a VGPR on {}", legality.target.name),
          "a VGPR");
    if (operand.is_literal) Legality::refuse_operand(i, "a DPP instruction has no literal");
    if (operand.kind == OperandKind::constant && is_packed_dot(legality.inst.op))
      Legality::refuse_operand(i, "the sources of this DPP instruction are VGPRs", "a VGPR");
    const bool wide = operand.bits == 64 && operand.kind == OperandKind::vgpr;
    if (wide && (mods.dpp == DppKind::dpp8 || !is_shared_row(mods.dpp_ctrl)))
      Legality::refuse({}, "instructions on 64 bits share a lane of a row at most",
                       is_gfx9(legality.generation()) ? "row_newbcast:n" : "row_share:n");
  }
}

bool is_float(Format format) {
  switch (format) {
    case Format::f16:
    case Format::f32:
    case Format::f64:
    case Format::pk2_f16:
    case Format::pk2_f32: return true;
    default: return false;
  }
}

void check_sdwa(const Legality& legality) {
  if (!legality.mods().sdwa) return;
  if (legality.mods().omod && !is_float(legality.inst.form->specs()[0].format))
    Legality::refuse("mul", "only floating-point results are multiplied or divided");
}

// The instruction has as many bits of op_sel as operands of 16 bits.
void check_halves(const Legality& legality) {
  const auto specs = legality.inst.form->specs();
  const bool compares = !specs.empty() && specs[0].format == Format::lanemask;
  if (compares && legality.inst.encoding == Encoding::vop3 && legality.mods().op_sel & 8)
    Legality::refuse("op_sel", "a comparison has no half to write");
  const Generation generation = legality.generation();
  const bool whole = generation == Generation::cdna3 || generation == Generation::cdna4;
  const Op op = legality.inst.op;
  const bool dot = op == Op::v_dot2_f32_f16 || op == Op::v_dot2_i32_i16 || op == Op::v_dot2_u32_u16 ||
                   op == Op::v_dot2_f32_bf16;
  if (whole && dot && (legality.mods().op_sel & 7 || (legality.mods().op_sel_hi & 7) != 7))
    Legality::refuse(legality.mods().op_sel & 7 ? "op_sel" : "op_sel_hi",
                     fmt::format("dot products of {} read their halves in order", legality.target.name));
}

bool is_bf16(Format format) { return format == Format::bf16 || format == Format::pk2_bf16; }

// Signs on operands that are no floats, although their neighbours are.
void check_signs(const Legality& legality) {
  const Op op = legality.inst.op;
  const bool exponent = op == Op::v_ldexp_f16;
  const std::string_view name = op_name(op);
  const bool unpacks = name.starts_with("v_cvt_scalef32_") || name.starts_with("v_cvt_pk_f32_") ||
                       name.starts_with("v_permlane");
  if (!exponent && !unpacks) return;
  const auto specs = legality.inst.form->specs();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const Operand& operand = legality.inst.operands[i];
    const bool integer = exponent ? specs[i].field == Field::src1 || specs[i].field == Field::vsrc1
                                  : !is_float(specs[i].format) && !is_bf16(specs[i].format);
    const bool extended = operand.sext && name.starts_with("v_cvt_pk_f32_");
    if (integer && (operand.neg || operand.abs || extended))
      Legality::refuse_operand(i, "this operand is an integer, it takes no sign modifier");
  }
}

// Packed operations on 32 bits read one scalar for both halves on gfx1250.
void check_packed_scalars(const Legality& legality) {
  if (legality.generation() != Generation::gfx1250 || legality.inst.encoding != Encoding::vop3p) return;
  const auto specs = legality.inst.form->specs();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const Operand& operand = legality.inst.operands[i];
    const bool packed = operand.format == Format::pk2_f32 || operand.format == Format::pk2_b32;
    unsigned n = 0;
    if (specs[i].field == Field::src1) n = 1;
    if (specs[i].field == Field::src2) n = 2;
    const unsigned halves = legality.mods().op_sel | legality.mods().op_sel_hi;
    if (packed && operand.is_src && operand.kind == OperandKind::sgpr && (halves >> n & 1))
      Legality::refuse_operand(i,
                               "a scalar pair is one value for both halves: its op_sel and op_sel_hi are 0");
  }
}

// Scalars that VALU operations write.
void check_result(const Legality& legality) {
  const Operand& result = legality.inst.operands[0];
  const bool exec = result.index == scalar::exec_lo || result.index == scalar::exec_hi;
  if (legality.has(property::trans) && result.kind == OperandKind::sgpr && exec)
    Legality::refuse_operand(0, "exec cannot stand here", "an SGPR");
}

// A constant of 64 bits leaves no room for another literal.
void check_literals(const Legality& legality) {
  const bool mix =
      legality.inst.encoding == Encoding::vop3p && legality.inst.form->specs()[1].holds == Holds::vsI;
  for (unsigned n = 0; mix && n < 3; ++n)
    if (legality.inst.operands[n + 1].is_literal && legality.mods().op_sel_hi >> n & 1 &&
        legality.inst.literal >> 16)
      Legality::refuse_operand(n + 1, "a 16-bit source has a literal of 16 bits", "0 to 0xffff");
  if (legality.inst.op != Op::v_fmaak_f64 && legality.inst.op != Op::v_fmamk_f64) return;
  const int place = legality.place(Field::src0);
  if (place >= 0 && legality.inst.operands[static_cast<std::size_t>(place)].is_literal)
    Legality::refuse_operand(static_cast<std::size_t>(place), "an instruction has one literal at most");
}

}  // namespace

void check_vector(const Legality& legality) {
  check_signs(legality);
  check_packed_scalars(legality);
  check_literals(legality);
  check_result(legality);
  check_scalar_reads(legality);
  check_lds_direct(legality);
  check_dpp(legality);
  check_sdwa(legality);
  check_halves(legality);
}

}  // namespace mockgpu::isa::amd
