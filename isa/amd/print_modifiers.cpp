#include <fmt/format.h>

#include <span>

#include "isa/amd/disassembler.h"
#include "isa/amd/operand_names.h"

namespace mockgpu::isa::amd {

namespace {

// Scalar memory operations that have a cache policy: not the clock, the caches, probes and prefetches.
bool moves_data(const Form& form) {
  bool base = false, data = false;
  for (const OperandSpec& spec : form.specs()) {
    base |= spec.field == Field::sbase;
    data |= spec.field == Field::sdata && spec.holds == Holds::s;
  }
  return base && data;
}

}  // namespace

void Disassembler::flag(bool set, std::string_view name) {
  if (!set) return;
  out_ += ' ';
  out_ += name;
}

void Disassembler::dpp() {
  const Modifiers& mods = inst_.mods;
  if (mods.dpp == DppKind::none) return;
  if (mods.dpp == DppKind::dpp8) {
    out_ += fmt::format(" dpp8:[{}]", fmt::join(mods.dpp8, ","));
    flag(mods.dpp_fi, "fi:1");
    return;
  }
  constexpr std::string_view kInvalid = " /* Invalid dpp_ctrl value */";
  const unsigned control = mods.dpp_ctrl;
  const unsigned amount = control & 0xf;
  auto row = [&](std::string_view name) { out_ += fmt::format(" {}:{}", name, amount); };
  const bool gfx9 = is_gfx9(generation_);
  const bool new_broadcast = generation_ >= Generation::cdna2 && gfx9;
  const bool shift = control >= 0x100 && control < 0x130;
  bool wide = false;
  for (const Operand& operand : inst_.ops()) wide |= operand.bits == 64 && !operand.tied;
  if (new_broadcast && wide && control >> 4 != 0x15) {
    out_ += " /* DP ALU dpp only supports row_newbcast */";
  } else if (shift && amount == 0) {
    out_ += kInvalid;
  } else if (control < 0x100) {
    out_ += fmt::format(" quad_perm:[{},{},{},{}]", control & 3, control >> 2 & 3, control >> 4 & 3,
                        control >> 6 & 3);
  } else if (control == 0x140) {
    out_ += " row_mirror";
  } else if (control == 0x141) {
    out_ += " row_half_mirror";
  } else if (gfx9 && (control & ~0xcu) == 0x130) {
    constexpr std::string_view kWave[] = {"wave_shl", "wave_rol", "wave_shr", "wave_ror"};
    out_ += fmt::format(" {}:1", kWave[control >> 2 & 3]);
  } else if (gfx9 && (control == 0x142 || control == 0x143)) {
    out_ += control == 0x142 ? " row_bcast:15" : " row_bcast:31";
  } else {
    switch (control >> 4) {
      case 0x10: row("row_shl"); break;
      case 0x11: row("row_shr"); break;
      case 0x12: row("row_ror"); break;
      case 0x15:
        if (!gfx9 || new_broadcast)
          row(gfx9 ? "row_newbcast" : "row_share");
        else
          out_ += kInvalid;
        break;
      case 0x16:
        if (!gfx9)
          row("row_xmask");
        else
          out_ += kInvalid;
        break;
      default: out_ += kInvalid; break;
    }
  }
  out_ += fmt::format(" row_mask:{:#x} bank_mask:{:#x}", mods.dpp_row_mask, mods.dpp_bank_mask);
  flag(mods.dpp_bound_ctrl, "bound_ctrl:1");
  flag(mods.dpp_fi && !gfx9, "fi:1");
}

void Disassembler::sdwa() {
  const Modifiers& mods = inst_.mods;
  if (!mods.sdwa) return;
  if (has_sdwa_destination(inst_.op, inst_.encoding))
    out_ += fmt::format(" dst_sel:{} dst_unused:{}", sdwa_selector_name(mods.sdwa_dst_sel),
                        sdwa_unused_name(mods.sdwa_dst_unused));
  out_ += fmt::format(" src0_sel:{}", sdwa_selector_name(mods.sdwa_src0_sel));
  for (const OperandSpec& spec : inst_.form->specs())
    if (spec.field == Field::vsrc1)
      out_ += fmt::format(" src1_sel:{}", sdwa_selector_name(mods.sdwa_src1_sel));
}

void Disassembler::truth_table() {
  const unsigned table = inst_.mods.bitop3;
  constexpr unsigned kLastDecimal = 10;
  if (table)
    out_ += table <= kLastDecimal ? fmt::format(" bitop3:{}", table) : fmt::format(" bitop3:{:#x}", table);
}

// Conversions from 8 bits take the byte's number from the bits of the source, low bit second; stochastically
// rounding ones to 8 bits from those of src2 and the destination.
unsigned Disassembler::byte_select_bits() const {
  for (const OperandSpec& spec : inst_.form->specs())
    if (spec.field == Field::vdst && spec.is_src) return 0xc;
  return 3;
}

void Disassembler::byte_select() {
  if (!has(property::byte_sel)) return;
  const unsigned bits = inst_.mods.op_sel & byte_select_bits();
  const unsigned byte = byte_select_bits() == 3 ? (bits & 1) << 1 | bits >> 1 : bits >> 2;
  if (byte) out_ += fmt::format(" byte_sel:{}", byte);
}

// MFMA, and WMMA of gfx1250.
void Disassembler::matrix_modifiers() {
  namespace p = property;
  const Modifiers& mods = inst_.mods;
  if (inst_.encoding == Encoding::vop3p_mai && has(p::opsel)) {
    packed_modifier("op_sel", mods.op_sel, 0, 2, false);
    packed_modifier("op_sel_hi", mods.op_sel_hi, 3, 2, false);
  }
  if (inst_.encoding == Encoding::vop3px2 && !has(p::matrix_scale)) {
    packed_modifier("op_sel", mods.op_sel & 3u, 0, 3, false);
    packed_modifier("op_sel_hi", mods.op_sel_hi, 7, 3, false);
  }
  if (mods.cbsz) out_ += fmt::format(" cbsz:{}", mods.cbsz);
  if (mods.abid) out_ += fmt::format(" abid:{}", mods.abid);
  if (mods.blgp) {
    const bool f64 = inst_.form->specs()[0].format == Format::f64 && generation_ >= Generation::cdna3;
    if (f64)
      out_ += fmt::format(" neg:[{},{},{}]", mods.blgp & 1, mods.blgp >> 1 & 1, mods.blgp >> 2 & 1);
    else
      out_ += fmt::format(" blgp:{}", mods.blgp);
  }
  if (has(p::index_key16 | p::index_key32)) {
    const unsigned key = mods.op_sel & 3;
    if (key) out_ += fmt::format(" index_key:{}", key);
  }
  matrix_formats();
  if (inst_.encoding == Encoding::vop3px2 && has(p::mods)) {
    packed_modifier("neg_lo", mods.neg, 0, 3, false);
    packed_modifier("neg_hi", mods.neg_hi, 0, 3, false);
  }
}

void Disassembler::matrix_formats() {
  namespace p = property;
  const Modifiers& mods = inst_.mods;
  constexpr std::string_view kFormats[] = {"FP8", "BF8", "FP6", "BF6", "FP4"};
  constexpr std::string_view kScaleFormats[] = {"E8", "E5M3", "E4M3"};
  auto one = [&](std::string_view what, std::string_view prefix, auto names, unsigned value) {
    if (!value) return;
    if (value < names.size())
      out_ += fmt::format(" {}:{}{}", what, prefix, names[value]);
    else
      out_ += fmt::format(" {}:{}", what, value);
  };
  const std::span<const std::string_view> formats(kFormats), scales(kScaleFormats);
  if (has(p::matrix_fmt)) {
    one("matrix_a_fmt", "MATRIX_FMT_", formats, mods.matrix_a_fmt);
    one("matrix_b_fmt", "MATRIX_FMT_", formats, mods.matrix_b_fmt);
  }
  if (has(p::matrix_scale)) {
    flag(mods.matrix_a_scale, "matrix_a_scale:MATRIX_SCALE_ROW1");
    flag(mods.matrix_b_scale, "matrix_b_scale:MATRIX_SCALE_ROW1");
    one("matrix_a_scale_fmt", "MATRIX_SCALE_FMT_", scales, mods.matrix_a_scale_fmt);
    one("matrix_b_scale_fmt", "MATRIX_SCALE_FMT_", scales, mods.matrix_b_scale_fmt);
  }
  flag(mods.matrix_a_reuse, "matrix_a_reuse");
  flag(mods.matrix_b_reuse, "matrix_b_reuse");
}

void Disassembler::cache_policy() {
  const Modifiers& mods = inst_.mods;
  const GenerationTraits& traits = index_.traits();
  if (inst_.encoding == Encoding::smem && !moves_data(*inst_.form)) return;
  flag(mods.scale_offset, "scale_offset");
  if (traits.th_scope) {
    temporal_hint();
    constexpr std::string_view kScopes[] = {"", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"};
    if (mods.scope) out_ += fmt::format(" scope:{}", kScopes[mods.scope & 3]);
    flag(mods.nv, "nv");
    return;
  }
  const bool sc_bits = traits.sc_bits && inst_.encoding != Encoding::smem;
  flag(mods.glc, sc_bits ? "sc0" : "glc");
  flag(mods.slc && !(sc_bits && inst_.form->specs().empty()), sc_bits ? "nt" : "slc");
  flag(mods.dlc, "dlc");
  flag(mods.scc, sc_bits ? "sc1" : "scc");
}

// What th means depends on the kind of access, and sometimes on the scope.
void Disassembler::temporal_hint() {
  const unsigned th = inst_.mods.th, scope = inst_.mods.scope;
  if (!th) return;
  constexpr unsigned kDevice = 2, kSystem = 3;
  std::string_view name;
  const bool store = has(property::store) && !has(property::load);
  if (has(property::atomic)) {
    constexpr std::string_view kAtomic[] = {"",           "RETURN",     "NT",         "NT_RETURN",
                                            "CASCADE_RT", "CASCADE_RT", "CASCADE_NT", "CASCADE_NT"};
    if (th < 4 || scope >= kDevice) name = kAtomic[th];
    out_ += name.empty() ? fmt::format(" th:TH_ATOMIC_{:#x}", th) : fmt::format(" th:TH_ATOMIC_{}", name);
    return;
  }
  constexpr std::string_view kLoad[] = {"", "NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT", ""};
  constexpr std::string_view kStore[] = {"", "NT", "HT", "WB", "NT_RT", "RT_NT", "NT_HT", "NT_WB"};
  name = th == 3 && scope == kSystem ? "BYPASS" : store ? kStore[th] : kLoad[th];
  out_ += name.empty() ? fmt::format(" th:{:#x}", th)
                       : fmt::format(" th:TH_{}_{}", store ? "STORE" : "LOAD", name);
}

// Nothing where it is what the assembler takes if no format is given: 8 bits, UNORM.
void Disassembler::buffer_format() {
  const unsigned format = inst_.mods.format;
  constexpr unsigned kDefault = 1;
  if (format == kDefault) return;
  if (!is_gfx9(generation_)) {
    const std::string_view name = buffer_format_name(generation_, format);
    out_ += name.empty() ? fmt::format(" format:{}", format) : fmt::format(" format:[{}]", name);
    return;
  }
  const unsigned data = format & 0xf, number = format >> 4;
  out_ += " format:[";
  if (data != kDefault) out_ += buffer_data_format_name(data);
  if (data != kDefault && number) out_ += ',';
  if (number) out_ += buffer_number_format_name(number);
  out_ += ']';
}

void Disassembler::memory_modifiers() {
  const Modifiers& mods = inst_.mods;
  if (inst_.encoding == Encoding::mtbuf) buffer_format();
  const bool cache_control = inst_.form->specs().empty();
  if (cache_control && !index_.traits().sc_bits && !index_.traits().th_scope) return;
  flag(mods.idxen, "idxen");
  flag(mods.offen, "offen");
  if (inst_.encoding != Encoding::smem && !cache_control && mods.offset)
    out_ += fmt::format(" offset:{}", mods.offset);
  const bool lds = mods.lds && has(property::to_lds);
  const bool from_lds = has(property::store);
  flag(lds && from_lds, "lds");
  cache_policy();
  flag(lds && !from_lds, "lds");
  flag(mods.tfe, "tfe");
}

void Disassembler::ds_modifiers() {
  const Modifiers& mods = inst_.mods;
  if (inst_.op == Op::ds_swizzle_b32) {
    swizzle(static_cast<std::uint32_t>(mods.offset));
  } else if (has(property::two_addresses)) {
    if (mods.offset0) out_ += fmt::format(" offset0:{}", mods.offset0);
    if (mods.offset1) out_ += fmt::format(" offset1:{}", mods.offset1);
  } else if (mods.offset && inst_.op != Op::ds_nop) {
    out_ += fmt::format(" offset:{}", mods.offset);
  }
  // From gfx90a on only what must be in GDS says so.
  const bool always = is_gfx9(generation_) && generation_ >= Generation::cdna2;
  flag(mods.gds && (!always || op_name(inst_.op).starts_with("ds_gws")), "gds");
}

void Disassembler::image_modifiers() {
  const Modifiers& mods = inst_.mods;
  const bool tensor = inst_.form->specs()[0].field == Field::vaddr;
  if (tensor) flag(mods.r128, "r128");
  if (!has(property::bvh) && !tensor) {
    if (mods.dmask) out_ += fmt::format(" dmask:{:#x}", mods.dmask);
    if (!is_gfx9(generation_)) out_ += fmt::format(" dim:{}", image_dim_name(generation_, mods.dim));
    flag(mods.unorm, "unorm");
    cache_policy();
    flag(mods.r128, "r128");
  }
  flag(mods.a16, "a16");
  if (!has(property::bvh) && !tensor) {
    flag(mods.tfe, "tfe");
    flag(mods.lwe, "lwe");
    flag(mods.da, "da");
    flag(mods.d16, "d16");
  }
  if (tensor) cache_policy();
}

void Disassembler::export_modifiers() {
  flag(inst_.mods.exp_done, "done");
  flag(inst_.mods.exp_compressed, "compr");
  flag(inst_.mods.exp_valid_mask, "vm");
  flag(inst_.mods.exp_row_en, "row_en");
}

}  // namespace mockgpu::isa::amd
