#include <fmt/format.h>

#include "isa/amd/asm/legality_rules.h"

namespace mockgpu::isa::amd {
namespace {

bool is_scalar_buffer(const Legality& legality) {
  const int base = legality.place(Field::sbase);
  return base >= 0 && legality.inst.form->specs()[static_cast<std::size_t>(base)].format == Format::resource;
}

// Buffers have no room below them.
void check_offset(const Legality& legality) {
  const Instruction& inst = legality.inst;
  const bool scalar_buffer = is_scalar_buffer(legality);
  const bool buffer = inst.encoding == Encoding::mubuf || inst.encoding == Encoding::mtbuf;
  if (!scalar_buffer && !buffer) return;
  const bool wide = is_gfx12(legality.generation());
  const std::int32_t most = wide ? 0x7fffff : scalar_buffer ? 0xfffff : 0xfff;
  if (inst.mods.offset < 0 || inst.mods.offset > most)
    Legality::refuse("offset", fmt::format("offset {} is out of range of a buffer", inst.mods.offset),
                     fmt::format("0 to {}", most));
}

}  // namespace

void check_cache_policy(const Legality& legality) {
  const Modifiers& mods = legality.mods();
  if (!traits(legality.generation()).th_scope) return;
  const bool new_bits = legality.generation() == Generation::gfx1250;
  if (mods.nv && !new_bits) Legality::refuse("nv", fmt::format("{} has no nv", legality.target.name));
  constexpr unsigned kDevice = 2, kReserved = 7;
  if (legality.has(property::atomic)) {
    if (mods.th >= 4 && mods.scope < kDevice)
      Legality::refuse("th", "cascaded atomics need a scope beyond the work-group processor",
                       "scope:SCOPE_DEV scope:SCOPE_SYS");
  } else if (mods.th == kReserved && (legality.has(property::load) || !legality.has(property::store))) {
    Legality::refuse("th", "th 7 is reserved");
  }
  if (!mods.scale_offset) return;
  if (!new_bits)
    Legality::refuse("scale_offset", fmt::format("{} has no scale_offset", legality.target.name));
  const Operand* saddr = legality.find(Field::saddr);
  const Operand* addr = legality.find(Field::addr);
  bool scalable = false;
  switch (legality.inst.encoding) {
    case Encoding::smem: scalable = !is_scalar_buffer(legality); break;
    case Encoding::scratch: scalable = addr && addr->kind != OperandKind::none; break;
    default: scalable = saddr && addr && saddr->kind != OperandKind::none;
  }
  if (!scalable)
    Legality::refuse("scale_offset", "scale_offset needs a register with an offset beside the address");
}

namespace {

void check_ds(const Legality& legality) {
  const bool has_gds = legality.generation() < Generation::cdna2 || !is_gfx9(legality.generation());
  const std::string_view name = op_name(legality.inst.op);
  const bool global = name.starts_with("ds_gws") || name.starts_with("ds_ordered_count") ||
                      name.find("_gs_reg_rtn") != std::string_view::npos;
  const bool lanes = name == "ds_permute_b32" || name == "ds_bpermute_b32" || name == "ds_nop" ||
                     name.starts_with("ds_bvh_stack");
  if (global && !legality.mods().gds) Legality::refuse("gds", "this instruction works on GDS only", "gds");
  if (!global && !has_gds && legality.mods().gds)
    Legality::refuse("gds", fmt::format("{} has no GDS", legality.target.name));
  if (lanes && legality.mods().gds) Legality::refuse("gds", "this instruction has no GDS");
}

// Instructions on whole caches take a policy from gfx940 on; loads to LDS are instructions of their own there
// and in FLAT.
void check_policy_bits(const Legality& legality) {
  const Instruction& inst = legality.inst;
  const Modifiers& mods = inst.mods;
  const GenerationTraits& has = traits(legality.generation());
  const bool scalar = inst.encoding == Encoding::smem;
  if (inst.form->specs().empty() && (scalar || !(has.sc_bits || has.th_scope)))
    for (auto [name, set] : {std::pair{"glc", mods.glc}, std::pair{"slc", mods.slc},
                             std::pair{"dlc", mods.dlc}, std::pair{"scc", mods.scc}})
      if (set) Legality::refuse(name, "this instruction has no cache policy");
  const bool flat = inst.encoding == Encoding::flat || inst.encoding == Encoding::global ||
                    inst.encoding == Encoding::scratch;
  if (flat && mods.lds && !legality.has(property::to_lds))
    Legality::refuse("lds", "this instruction loads to registers");
}

// EXEC is no address and no result of memory, null no resource.
void check_memory_scalars(const Legality& legality) {
  const auto specs = legality.inst.form->specs();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const Operand& operand = legality.inst.operands[i];
    if (operand.kind == OperandKind::special && specs[i].format == Format::resource)
      Legality::refuse_operand(i, "this register is no resource", "SGPRs");
    if (operand.kind != OperandKind::sgpr) continue;
    const bool exec = operand.index == scalar::exec_lo || operand.index == scalar::exec_hi;
    const bool address = specs[i].field == Field::saddr || specs[i].field == Field::sdata;
    if (exec && address)
      Legality::refuse_operand(i, "exec cannot stand here", "an SGPR, vcc, ttmp0 to ttmp15");
    const bool m0 = operand.index == scalar::m0 && specs[i].field == Field::sdata;
    if (m0 && legality.has(property::atomic)) Legality::refuse_operand(i, "m0 cannot stand here", "an SGPR");
    if (operand.index == scalar::null && specs[i].format == Format::resource)
      Legality::refuse_operand(i, "null is no resource", "SGPRs");
  }
}

void check_buffer(const Legality& legality) {
  const Instruction& inst = legality.inst;
  if (inst.encoding != Encoding::mubuf && inst.encoding != Encoding::mtbuf) return;
  const bool typed = inst.encoding == Encoding::mtbuf;
  const bool only_loads = legality.has(property::load) && !legality.has(property::store | property::atomic);
  const Operand* data = legality.find(Field::vdata);
  const bool to_registers = data && data->kind != OperandKind::none;
  if (inst.mods.lds && !legality.has(property::to_lds))
    Legality::refuse("lds", "this instruction does not work on LDS");
  if (inst.op == Op::buffer_store_lds_dword && !inst.mods.lds)
    Legality::refuse("lds", "this instruction stores from LDS", "lds");
  if (inst.mods.tfe && (typed || !only_loads || !to_registers))
    Legality::refuse("tfe", "only untyped loads to VGPRs tell of texture fails");
  if (!legality.find(Field::vaddr)) {
    for (auto [name, set] : {std::pair{"offen", inst.mods.offen}, std::pair{"idxen", inst.mods.idxen}})
      if (set) Legality::refuse(name, "this instruction has no address");
  }
}

// gfx908's floating-point atomics return nothing.
void check_float_atomic(const Legality& legality) {
  const std::string_view name = op_name(legality.inst.op);
  const bool is_float = name.ends_with("_f32") || name.ends_with("_pk_add_f16");
  if (legality.generation() == Generation::cdna1 && legality.has(property::atomic) && is_float &&
      legality.mods().glc)
    Legality::refuse("glc", "floating-point atomics return nothing on gfx908");
}

// Compressed exports name each of their two registers twice.
void check_export(const Legality& legality) {
  if (!legality.mods().exp_compressed) return;
  const unsigned enabled = legality.mods().exp_enable;
  for (unsigned pair : {0u, 2u})
    if ((enabled >> pair & 1) != (enabled >> (pair + 1) & 1))
      Legality::refuse_operand(pair + 1, "a compressed export writes channels in pairs",
                               "v1, v1, v2, v2, or off twice");
}

}  // namespace

void check_memory(const Legality& legality) {
  const Instruction& inst = legality.inst;
  check_offset(legality);
  check_cache_policy(legality);
  check_policy_bits(legality);
  check_float_atomic(legality);
  if (inst.encoding == Encoding::ds) check_ds(legality);
  if (inst.encoding == Encoding::exp) check_export(legality);
  check_memory_scalars(legality);
  const Operand* addr = legality.find(Field::addr);
  const Operand* saddr = legality.find(Field::saddr);
  const bool no_address =
      addr && saddr && addr->kind == OperandKind::none && saddr->kind == OperandKind::none;
  if (inst.encoding == Encoding::scratch && no_address && !inst.mods.lds &&
      legality.generation() == Generation::rdna1)
    Legality::refuse_operand(static_cast<std::size_t>(legality.place(Field::saddr)),
                             "gfx1010 has no scratch without an address", "a VGPR or an SGPR");
  check_buffer(legality);
}

}  // namespace mockgpu::isa::amd
