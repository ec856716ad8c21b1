#include <fmt/format.h>

#include <bit>

#include "isa/amd/asm/legality_rules.h"
#include "isa/amd/decode_bits.h"

namespace mockgpu::isa::amd {

namespace {

// Which modifiers an instruction has, by its name.
void check_modifiers(const Legality& legality) {
  const Modifiers& mods = legality.mods();
  const Op op = legality.inst.op;
  const std::string_view name = op_name(op);
  const bool packed = name.find("_pck") != std::string_view::npos;
  const bool half =
      !packed && !legality.has(property::atomic) && op != Op::image_get_lod && op != Op::image_get_resinfo;
  if (mods.d16 && !half) Legality::refuse("d16", "this instruction has no 16-bit data");
  const bool tensor = legality.inst.form->specs()[0].field == Field::vaddr;
  if (tensor && (mods.a16 || mods.r128))
    Legality::refuse(mods.a16 ? "a16" : "r128", "tensor operations have no such modifier");
  const Operand* third = legality.find(Field::vaddr2);
  const Operand* fourth = legality.find(Field::vaddr3);
  if (tensor && third && fourth && third->kind != OperandKind::none && fourth->kind == OperandKind::none)
    Legality::refuse_operand(static_cast<std::size_t>(legality.place(Field::vaddr3)),
                             "a tensor has two groups of SGPRs or four");
  const bool ray = legality.has(property::bvh);
  if (ray && mods.a16 &&
      (name.find("dual") != std::string_view::npos || name.find("bvh8") != std::string_view::npos))
    Legality::refuse("a16", "this instruction has no 16-bit addresses");
  if (is_gfx9(legality.generation())) return;
  constexpr unsigned kMsaa = 6, kMsaaArray = 7;
  const bool msaa = mods.dim == kMsaa || mods.dim == kMsaaArray;
  const bool samples = legality.find(Field::ssamp) != nullptr;
  if (msaa && samples) Legality::refuse("dim", "multisampled images are read without a sampler");
  if (msaa && legality.has(property::a_lod))
    Legality::refuse("dim", "multisampled images have one mip level");
  if (!msaa && op == Op::image_msaa_load)
    Legality::refuse("dim", "this instruction reads multisampled images",
                     "SQ_RSRC_IMG_2D_MSAA SQ_RSRC_IMG_2D_MSAA_ARRAY");
}

// Lists of gfx10 name every register of an address.
void check_addresses(const Legality& legality) {
  if (!is_gfx10(legality.generation()) || !legality.mods().nsa) return;
  for (std::size_t i = 0; i < legality.inst.operand_count; ++i) {
    const Operand& operand = legality.inst.operands[i];
    if (operand.kind == OperandKind::vgpr && operand.is_src && !operand.is_dst && operand.dwords > 1 &&
        static_cast<int>(i) != legality.place(Field::vdata))
      Legality::refuse_operand(i, "a list of addresses has no ranges on gfx10", "each register by its name");
  }
}

// Of a tuple at an odd register gfx90a's text is one register: the encoding does not tell.
void check_data(const Legality& legality) {
  const int place = legality.place(Field::vdata);
  if (place < 0 || legality.generation() != Generation::cdna2) return;
  const auto at = static_cast<std::size_t>(place);
  const Operand& data = legality.inst.operands[at];
  const unsigned row = legality.inst.form->specs()[at].bits / 32u;
  const unsigned dwords = image_data_dwords(*legality.inst.form, legality.mods(), row);
  if (data.dwords != dwords)
    Legality::refuse_operand(at, fmt::format("{} register{} where the instruction has {}", data.dwords,
                                             data.dwords == 1 ? "" : "s", dwords));
}

void check_resources(const Legality& legality) {
  for (std::size_t i = 0; i < legality.inst.operand_count; ++i) {
    const Operand& operand = legality.inst.operands[i];
    if (operand.kind == OperandKind::sgpr && operand.index == scalar::null && operand.dwords >= 4 &&
        legality.inst.form->specs()[0].field != Field::vaddr)
      Legality::refuse_operand(i, "null is no resource", "SGPRs");
  }
}

}  // namespace

void check_image(const Legality& legality) {
  const Modifiers& mods = legality.mods();
  check_modifiers(legality);
  check_data(legality);
  check_resources(legality);
  check_addresses(legality);
  check_cache_policy(legality);
  if (legality.has(property::gather4) && std::popcount(mods.dmask) != 1)
    Legality::refuse("dmask", "a gather reads one component: dmask has one bit", "0x1 0x2 0x4 0x8");
  const Operand* data = legality.find(Field::vdata);
  if (legality.has(property::atomic) && data) {
    // 32 or 64 bits, twice that with a value to compare.
    const std::string_view name = op_name(legality.inst.op);
    const bool compares = name.find("cmpswap") != std::string_view::npos;
    const bool pairs = name.find("_pk_add_") != std::string_view::npos;
    const unsigned mask = mods.dmask;
    const bool legal = pairs ? mask == 1 : compares ? mask == 3 || mask == 15 : mask == 1 || mask == 3;
    if (!legal)
      Legality::refuse("dmask", fmt::format("dmask {:#x} is no size of an atomic", mask),
                       pairs      ? "0x1"
                       : compares ? "0x3 0xf"
                                  : "0x1 0x3");
  }
}

}  // namespace mockgpu::isa::amd
