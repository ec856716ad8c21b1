#include "isa/amd/asm/legality.h"

#include <fmt/format.h>

#include "isa/amd/asm/legality_rules.h"

namespace mockgpu::isa::amd {
namespace {

// Whether tuples of VGPRs start at an even one.
bool aligns_tuples(Generation generation) {
  return generation == Generation::gfx1250 ||
         (generation >= Generation::cdna2 && generation <= Generation::cdna4);
}

// Three registers of six-bit elements may start anywhere, as LLVM has it.
bool is_unaligned(Op op) {
  return op == Op::global_load_tr6_b96 || op == Op::ds_load_tr6_b96 || op == Op::ds_read_b96_tr_b6;
}

void check_alignment(const Legality& legality) {
  const Instruction& inst = legality.inst;
  // Semaphores of global wave sync read a pair that is named by its first register.
  const bool pair = inst.encoding == Encoding::ds && op_name(inst.op).starts_with("ds_gws");
  for (std::size_t i = 0; i < inst.operand_count; ++i) {
    const Operand& operand = inst.operands[i];
    const bool vector = operand.kind == OperandKind::vgpr || operand.kind == OperandKind::agpr;
    if (vector && (operand.dwords > 1 || pair) && operand.index % 2 && !is_unaligned(inst.op))
      Legality::refuse_operand(
          i, fmt::format("tuples of vector registers start at an even one on {}", legality.target.name));
  }
}

void check_no_lds_direct(const Legality& legality) {
  const Instruction& inst = legality.inst;
  for (std::size_t i = 0; i < inst.operand_count; ++i) {
    const Operand& operand = inst.operands[i];
    if (operand.kind == OperandKind::special && operand.index == scalar::lds_direct)
      Legality::refuse_operand(i, "only VALU operations on one value read src_lds_direct");
  }
}

bool is_counter_wait(Op op) {
  return op == Op::s_waitcnt_vmcnt || op == Op::s_waitcnt_vscnt || op == Op::s_waitcnt_expcnt ||
         op == Op::s_waitcnt_lgkmcnt;
}

void check_scalar(const Legality& legality) {
  const Instruction& inst = legality.inst;
  const bool barrier = legality.has(property::barrier) || inst.op == Op::s_get_barrier_state ||
                       inst.op == Op::s_wakeup_barrier;
  const Operand* number = legality.find(Field::ssrc0);
  if (barrier && number && number->kind != OperandKind::constant && number->index != scalar::m0)
    Legality::refuse_operand(static_cast<std::size_t>(legality.place(Field::ssrc0)),
                             "the barrier's number is a constant or in m0", "m0, an inline constant");
  if (is_counter_wait(inst.op) && legality.generation() >= Generation::rdna3 &&
      inst.operands[0].index != scalar::null)
    Legality::refuse_operand(0, "only null can stand here", "null");
}

}  // namespace

void check_legality(const Target& target, bool wave64, const Instruction& instruction) {
  const Legality legality{target, wave64, instruction};
  if (aligns_tuples(target.generation)) check_alignment(legality);
  switch (instruction.encoding) {
    case Encoding::sop1:
    case Encoding::sop2:
    case Encoding::sopc:
    case Encoding::sopk: check_scalar(legality); break;
    case Encoding::vop1:
    case Encoding::vop2:
    case Encoding::vopc:
    case Encoding::vop3:
    case Encoding::vop3sd:
    case Encoding::vop3p:
    case Encoding::vop3p_mai:
    case Encoding::vop3px2: check_vector(legality); break;
    case Encoding::vopd:
    case Encoding::vopd3:
      if (wave64) Legality::refuse({}, "dual instructions exist in wave32 only");
      check_dual(legality);
      break;
    case Encoding::ds:
    case Encoding::smem:
    case Encoding::mubuf:
    case Encoding::mtbuf:
    case Encoding::flat:
    case Encoding::global:
    case Encoding::scratch:
    case Encoding::exp: check_memory(legality); break;
    case Encoding::mimg:
    case Encoding::vsample: check_image(legality); break;
    default: break;
  }
  if (!is_vop_e32(instruction.encoding) && !is_vop_e64(instruction.encoding)) check_no_lds_direct(legality);
  check_matrix(legality);
}

}  // namespace mockgpu::isa::amd
