#include <fmt/format.h>

#include "isa/amd/asm/instruction_parser.h"
#include "isa/amd/operand_names.h"

namespace mockgpu::isa::amd {
namespace {

// For the message about a modifier that is none.
std::string_view known_modifiers(Encoding encoding) {
  switch (encoding) {
    case Encoding::ds: return "offset:n offset0:n offset1:n gds";
    case Encoding::smem: return "offset:n glc dlc";
    case Encoding::mubuf: return "idxen offen offset:n glc slc dlc tfe";
    case Encoding::mtbuf: return "format:[...] idxen offen offset:n glc slc dlc tfe";
    case Encoding::flat:
    case Encoding::global:
    case Encoding::scratch: return "offset:n glc slc dlc";
    case Encoding::mimg: return "dmask:n dim:SQ_RSRC_IMG_2D unorm glc slc dlc r128 a16 tfe lwe d16";
    case Encoding::exp: return "done row_en";
    case Encoding::vop3p: return "op_sel:[...] op_sel_hi:[...] neg_lo:[...] neg_hi:[...] clamp";
    case Encoding::vop3:
    case Encoding::vop3sd: return "op_sel:[...] clamp mul:2 mul:4 div:2, or a lane control of DPP";
    case Encoding::vop1:
    case Encoding::vop2:
    case Encoding::vopc: return "a lane control of DPP, row_mask:n bank_mask:n bound_ctrl:1 fi:1";
    case Encoding::vinterp: return "op_sel:[...] clamp wait_exp:n";
    case Encoding::ldsdir: return "wait_vdst:n";
    default: return "none";
  }
}

unsigned count_sources(const Form& form) {
  unsigned count = 0;
  for (const OperandSpec& spec : form.specs())
    count += spec.field == Field::src0 || spec.field == Field::src1 || spec.field == Field::src2;
  return count;
}

constexpr unsigned kBufferFormats = 128;

// `noclamp` is about clamp.
std::string_view positive(std::string_view name) { return name.starts_with("no") ? name.substr(2) : name; }

}  // namespace

void InstructionParser::modifiers() {
  while (!scanner_.at_end()) {
    scanner_.accept(",");
    modifier();
  }
}

void InstructionParser::modifier() {
  const std::size_t column = scanner_.column();
  const std::string_view name = scanner_.word();
  if (name.empty())
    throw Mismatch{column, "this is no operand or modifier of the instruction",
                   std::string(known_modifiers(inst_.encoding))};
  for (const auto& [other, where] : modifier_columns_)
    if (positive(other) == positive(name))
      throw Mismatch{column, fmt::format("{} stands here twice", positive(name))};
  modifier_columns_.emplace_back(name, column);
  if (flag(name) || cache_flag(name)) return;
  if (dpp_modifier(name)) {
    const bool swap = inst_.op == Op::v_permlane16_swap_b32 || inst_.op == Op::v_permlane32_swap_b32;
    if (!candidate_.dpp && !swap) throw Mismatch{column, "only DPP instructions have lane controls"};
    return;
  }
  if (scanner_.accept(":") &&
      (sdwa_modifier(name) || matrix_modifier(name) || packed_list(name) || valued(name, column)))
    return;
  throw Mismatch{column, fmt::format("unknown modifier {}", name),
                 std::string(known_modifiers(inst_.encoding))};
}

std::size_t InstructionParser::modifier_column(std::string_view name) const {
  for (const auto& [other, column] : modifier_columns_)
    if (other == name) return column;
  return begin_;
}

bool InstructionParser::valued(std::string_view name, std::size_t column) {
  Modifiers& mods = inst_.mods;
  const auto byte = [&](std::int64_t most) { return static_cast<std::uint8_t>(known(name, 0, most)); };
  if (name == "offset") {
    mods.smem_offset = inst_.encoding == Encoding::smem;
    mods.offset = scanner_.peek_word() == "swizzle"
                      ? swizzle()
                      : static_cast<std::int32_t>(known("offset", -0x7fffffff, 0x7fffffff));
  } else if (name == "offset0") {
    mods.offset0 = byte(255);
  } else if (name == "offset1") {
    mods.offset1 = byte(255);
  } else if (name == "dmask") {
    mods.dmask = byte(15);
  } else if (name == "dim") {
    mods.dim = static_cast<std::uint8_t>(image_dim());
  } else if (name == "format") {
    if (inst_.encoding != Encoding::mtbuf) return false;
    mods.format = static_cast<std::uint8_t>(buffer_format());
  } else if (name == "wait_exp") {
    mods.wait_exp = byte(7);
  } else if (name == "wait_vdst" || name == "wait_va_vdst" || name == "wait_vm_vsrc") {
    const bool waits = is_gfx12(generation()) ? name != "wait_vdst" : name == "wait_vdst";
    if (inst_.encoding != Encoding::ldsdir || !waits) return false;
    const Field field = name == "wait_vm_vsrc" ? Field::waitvsrc : Field::waitvdst;
    const auto specs = inst_.form->specs();
    std::size_t place = 0;
    while (place < specs.size() && specs[place].field != field) ++place;
    if (place == specs.size()) return false;
    inst_.operands[place].value = known(name, 0, field == Field::waitvsrc ? 1 : 15);
  } else if (name == "th") {
    temporal_hint();
  } else if (name == "scope") {
    scope();
  } else if (name == "cbsz") {
    mods.cbsz = byte(7);
  } else if (name == "abid") {
    mods.abid = byte(15);
  } else if (name == "blgp") {
    if (negates_doubles()) throw Mismatch{column, "products of doubles have neg in its place", "neg:[a,b,c]"};
    mods.blgp = byte(7);
  } else if (name == "neg") {
    if (!negates_doubles()) return false;
    const auto bits = list(name, 3, 3, 1);
    mods.blgp = static_cast<std::uint8_t>(bits[0] | bits[1] << 1 | bits[2] << 2);
  } else if (name == "bitop3") {
    const bool second = inst_.form_y && inst_.form_y->has(property::bitop3);
    if (!has(property::bitop3) && !second) return false;
    mods.bitop3 = byte(255);
  } else if (name == "scale_sel" || name == "index_key") {
    if (!has(name == "scale_sel" ? property::scale_sel : property::index_key16 | property::index_key32))
      return false;
    mods.op_sel = static_cast<std::uint8_t>(mods.op_sel | byte(15));
  } else if (name == "byte_sel") {
    if (!has(property::byte_sel)) return false;
    byte_select(byte(3));
  } else if (name == "mul" || name == "div") {
    const std::uint32_t factor = known(name, 1, 4);
    if (factor == 3 || (name == "div" && factor == 4))
      throw Mismatch{column, "unknown output modifier", "mul:2 mul:4 div:2"};
    mods.omod = factor == 1 ? 0 : name == "div" ? 3 : factor == 2 ? 1 : 2;
  } else {
    return false;
  }
  return true;
}

// From gfx940 on products of doubles have signs where others have blgp.
bool InstructionParser::negates_doubles() const {
  return has(property::blgp) && inst_.form->specs()[0].format == Format::f64 &&
         generation() >= Generation::cdna3;
}

bool InstructionParser::dpp_modifier(std::string_view name) {
  struct Row {
    std::string_view name;
    unsigned control, least, most;
  };
  constexpr Row kRows[] = {{"row_shl", 0x100, 1, 15},
                           {"row_shr", 0x110, 1, 15},
                           {"row_ror", 0x120, 1, 15},
                           {"row_share", 0x150, 0, 15},
                           {"row_xmask", 0x160, 0, 15}};
  Modifiers& mods = inst_.mods;
  const auto control = [&](unsigned value) {
    if (mods.dpp != DppKind::none) scanner_.fail("one lane control is enough");
    mods.dpp = DppKind::dpp16;
    mods.dpp_ctrl = static_cast<std::uint16_t>(value);
    return true;
  };
  const bool rows = !is_gfx9(generation()), broadcasts = !rows && generation() >= Generation::cdna2;
  if ((!rows && (name == "row_share" || name == "row_xmask")) || (!broadcasts && name == "row_newbcast") ||
      ((name == "dpp8" || (name == "fi" && candidate_.dpp)) && !traits(generation()).dpp8))
    scanner_.fail(fmt::format("{} has no {}", target_.name, name));
  if (is_gfx9(generation())) {
    struct Wave {
      std::string_view name;
      unsigned control, amount;
    };
    constexpr Wave kWaves[] = {{"wave_shl", 0x130, 1}, {"wave_rol", 0x134, 1},   {"wave_shr", 0x138, 1},
                               {"wave_ror", 0x13c, 1}, {"row_bcast", 0x142, 15}, {"row_bcast", 0x143, 31}};
    for (const Wave& wave : kWaves) {
      if (name != wave.name) continue;
      scanner_.expect(":");
      const std::uint32_t amount = known(name, wave.amount == 1 ? 1 : 15, wave.amount == 1 ? 1 : 31);
      if (wave.amount == 15 && amount != 15 && amount != 31) scanner_.fail("unknown broadcast", "15 31");
      return control(amount == 31 ? 0x143 : wave.control);
    }
    if (name == "row_newbcast" && scanner_.accept(":")) return control(0x150 + known(name, 0, 15));
  }
  if (name == "row_mirror") return control(0x140);
  if (name == "row_half_mirror") return control(0x141);
  const std::size_t begin = scanner_.column();
  if (!scanner_.accept(":")) return false;
  for (const Row& row : kRows)
    if (name == row.name) return control(row.control + known(name, row.least, row.most));
  if (name == "quad_perm") {
    const auto lanes = list(name, 4, 4, 3);
    return control(lanes[0] | lanes[1] << 2 | lanes[2] << 4 | lanes[3] << 6);
  }
  if (name == "dpp8") {
    const auto lanes = list(name, 8, 8, 7);
    control(0);
    mods.dpp = DppKind::dpp8;
    for (std::size_t i = 0; i < lanes.size(); ++i) mods.dpp8[i] = static_cast<std::uint8_t>(lanes[i]);
    return true;
  }
  if (name == "row_mask") {
    mods.dpp_row_mask = static_cast<std::uint8_t>(known(name, 0, 15));
  } else if (name == "bank_mask") {
    mods.dpp_bank_mask = static_cast<std::uint8_t>(known(name, 0, 15));
  } else if (name == "bound_ctrl") {
    // Before gfx11 both spellings mean the same.
    mods.dpp_bound_ctrl = known(name, 0, 1) == 1 || generation() < Generation::rdna3;
  } else if (name == "fi") {
    mods.dpp_fi = known(name, 0, 1);
  } else {
    scanner_.seek(begin);
    return false;
  }
  return true;
}

std::vector<std::uint32_t> InstructionParser::list(std::string_view name, std::size_t least, std::size_t most,
                                                   std::uint32_t limit) {
  const std::size_t column = scanner_.column();
  std::vector<std::uint32_t> values;
  scanner_.expect("[");
  do {
    if (values.size() == most) scanner_.fail(fmt::format("{} has {} values at most", name, most));
    values.push_back(known(name, 0, limit));
  } while (scanner_.accept(","));
  scanner_.expect("]");
  if (values.size() < least) throw Mismatch{column, fmt::format("{} has {} values", name, least)};
  return values;
}

// One bit per source; op_sel of VOP3 has the destination's last.
bool InstructionParser::packed_list(std::string_view name) {
  Modifiers& mods = inst_.mods;
  const bool sel = name == "op_sel";
  if (!sel && name != "op_sel_hi" && name != "neg_lo" && name != "neg_hi") return false;
  if (sel && has(property::byte_sel) && !has(property::opsel)) return false;
  const unsigned sources = has(property::op_sel3) ? 3 : count_sources(*inst_.form);
  const bool packed = inst_.encoding == Encoding::vop3p;
  const std::vector<std::uint32_t> values = list(name, 1, 4, 1);
  unsigned bits = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool destination = sel && !packed && (i == 3 || (i == sources && i + 1 == values.size()));
    const bool idle = i >= sources && values[i] && name != "op_sel_hi";
    if (idle && !destination && inst_.op != Op::v_fmac_f16)
      scanner_.fail(fmt::format("the instruction has {} sources", sources));
    bits |= values[i] << (destination ? 3 : i);
  }
  const auto value = static_cast<std::uint8_t>(bits);
  if (sel)
    mods.op_sel = value;
  else if (name == "op_sel_hi") {
    // What the list leaves out is 0; sources that the instruction does not have keep what they have without
    // it.
    const unsigned named = (1u << sources) - 1;
    mods.op_sel_hi = static_cast<std::uint8_t>((bits & named) | (mods.op_sel_hi & ~named));
  } else if (name == "neg_lo")
    mods.neg = value;
  else
    mods.neg_hi = value;
  return true;
}

std::uint8_t InstructionParser::named(std::string_view what, unsigned count,
                                      std::string_view (*name_of)(unsigned)) {
  const std::size_t column = scanner_.column();
  if (scanner_.at_number()) return static_cast<std::uint8_t>(known(what, 0, count - 1));
  const std::string_view name = scanner_.word();
  std::string names;
  for (unsigned id = 0; id < count; ++id) {
    if (name_of(id) == name && !name.empty()) return static_cast<std::uint8_t>(id);
    names += fmt::format("{}{}", id ? " " : "", name_of(id));
  }
  throw Mismatch{column, fmt::format("unknown value of {}", what), names};
}

bool InstructionParser::sdwa_modifier(std::string_view name) {
  if (!candidate_.sdwa) return false;
  Modifiers& mods = inst_.mods;
  if (name.starts_with("dst_") && !has_sdwa_destination(inst_.op, inst_.encoding)) return false;
  if (name == "dst_sel")
    mods.sdwa_dst_sel = named(name, 7, sdwa_selector_name);
  else if (name == "dst_unused")
    mods.sdwa_dst_unused = named(name, 3, sdwa_unused_name);
  else if (name == "src0_sel")
    mods.sdwa_src0_sel = named(name, 7, sdwa_selector_name);
  else if (name == "src1_sel")
    mods.sdwa_src1_sel = named(name, 7, sdwa_selector_name);
  else
    return false;
  return true;
}

bool InstructionParser::matrix_modifier(std::string_view name) {
  Modifiers& mods = inst_.mods;
  const auto format = [](unsigned id) -> std::string_view {
    constexpr std::string_view kNames[] = {
        "MATRIX_FMT_FP8", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6", "MATRIX_FMT_FP4", "", "", ""};
    return kNames[id];
  };
  const auto row = [](unsigned id) -> std::string_view {
    return id ? "MATRIX_SCALE_ROW1" : "MATRIX_SCALE_ROW0";
  };
  const auto scale_format = [](unsigned id) -> std::string_view {
    constexpr std::string_view kNames[] = {"MATRIX_SCALE_FMT_E8", "MATRIX_SCALE_FMT_E5M3",
                                           "MATRIX_SCALE_FMT_E4M3", ""};
    return kNames[id];
  };
  if (!has(name.find("_scale") == name.npos ? property::matrix_fmt : property::matrix_scale)) return false;
  if (name == "matrix_a_fmt")
    mods.matrix_a_fmt = named(name, 8, format);
  else if (name == "matrix_b_fmt")
    mods.matrix_b_fmt = named(name, 8, format);
  else if (name == "matrix_a_scale")
    mods.matrix_a_scale = named(name, 2, row);
  else if (name == "matrix_b_scale")
    mods.matrix_b_scale = named(name, 2, row);
  else if (name == "matrix_a_scale_fmt")
    mods.matrix_a_scale_fmt = named(name, 4, scale_format);
  else if (name == "matrix_b_scale_fmt")
    mods.matrix_b_scale_fmt = named(name, 4, scale_format);
  else
    return false;
  return true;
}

// As Disassembler::byte_select has it.
void InstructionParser::byte_select(std::uint32_t byte) {
  bool merges = false;
  for (const OperandSpec& spec : inst_.form->specs()) merges |= spec.field == Field::vdst && spec.is_src;
  const std::uint32_t bits = merges ? byte << 2 : (byte >> 1 & 1) | (byte & 1) << 1;
  inst_.mods.op_sel = static_cast<std::uint8_t>(inst_.mods.op_sel | bits);
}

std::uint32_t InstructionParser::image_dim() {
  constexpr unsigned kDims = 8;
  const std::size_t column = scanner_.column();
  if (scanner_.at_number() && scanner_.next(1) != 'D') return known("dim", 0, kDims - 1);
  std::string wanted;
  if (scanner_.at_number()) wanted = fmt::format("{}", scanner_.next()), scanner_.seek(column + 1);
  wanted += scanner_.word();
  std::string names;
  for (unsigned id = 0; id < kDims; ++id) {
    const std::string_view name = image_dim_name(generation(), id);
    if (name.empty()) continue;
    if (wanted == name || fmt::format("SQ_RSRC_IMG_{}", wanted) == name) return id;
    names += fmt::format("{}{}", names.empty() ? "" : " ", name);
  }
  throw Mismatch{column, fmt::format("unknown dimension {}", wanted), names};
}

// Two parts, either of which may be missing; gfx10 on has one number for each pair that there is.
std::uint32_t InstructionParser::split_buffer_format() {
  constexpr unsigned kData = 16, kNumbers = 8;
  std::optional<unsigned> data, number;
  const std::size_t begin = scanner_.column();
  do {
    const std::size_t column = scanner_.column();
    const std::string_view name = scanner_.word();
    bool found = false;
    for (unsigned id = 0; id < kData && !name.empty(); ++id) {
      std::optional<unsigned>* part = nullptr;
      if (buffer_data_format_name(id) == name) part = &data;
      if (id < kNumbers && buffer_number_format_name(id) == name) part = &number;
      if (!part) continue;
      if (*part) throw Mismatch{column, "this part of the format stands here twice"};
      *part = id;
      found = true;
    }
    if (!found) throw Mismatch{column, fmt::format("unknown buffer format {}", name)};
  } while (scanner_.accept(","));
  scanner_.expect("]");
  if (is_gfx9(generation())) return data.value_or(1) | number.value_or(0) << 4;
  if (data == 0u && !number) return 0;
  constexpr std::string_view kDataPrefix = "BUF_DATA_FORMAT", kNumberPrefix = "BUF_NUM_FORMAT";
  const std::string name =
      fmt::format("BUF_FMT{}{}", buffer_data_format_name(data.value_or(1)).substr(kDataPrefix.size()),
                  buffer_number_format_name(number.value_or(0)).substr(kNumberPrefix.size()));
  for (unsigned id = 0; id < kBufferFormats; ++id)
    if (buffer_format_name(generation(), id) == name) return id;
  throw Mismatch{begin, fmt::format("{} has no format {}", target_.name, name)};
}

// Before soffset, as older kernels have it: `dfmt:4, nfmt:7,` on gfx9, `format:22,` after it.
void InstructionParser::leading_format() {
  const std::size_t begin = scanner_.column();
  std::uint32_t format = inst_.mods.format;
  bool data = false, number = false;
  const auto part = [&](std::string_view name, bool& given) {
    const std::size_t column = scanner_.column();
    if (scanner_.peek_word() != name) return false;
    scanner_.word();
    scanner_.expect(":");
    if (given) throw Mismatch{column, fmt::format("{} stands here twice", name)};
    return given = true;
  };
  if (!is_gfx9(generation())) {
    if (!part("format", data)) return;
    format = buffer_format();
    comma();
  }
  while (is_gfx9(generation())) {
    if (part("dfmt", data))
      format = (format & 0x70) | known("dfmt", 0, 15);
    else if (part("nfmt", number))
      format = (format & 0x0f) | known("nfmt", 0, 7) << 4;
    else
      break;
    comma();
  }
  inst_.mods.format = static_cast<std::uint8_t>(format);
  if (data || number) modifier_columns_.emplace_back("format", begin);
}

std::uint32_t InstructionParser::buffer_format() {
  if (!scanner_.accept("[")) return known("format", 0, kBufferFormats - 1);
  const std::size_t column = scanner_.column();
  const std::string_view name = scanner_.peek_word();
  if (is_gfx9(generation()) || name.starts_with("BUF_DATA_") || name.starts_with("BUF_NUM_"))
    return split_buffer_format();
  scanner_.word();
  scanner_.expect("]");
  for (unsigned id = 0; id < kBufferFormats; ++id)
    if (!name.empty() && buffer_format_name(generation(), id) == name) return id;
  throw Mismatch{column, fmt::format("unknown buffer format {}", name), "as BUF_FMT_32_FLOAT, or format:n"};
}

// ds_swizzle_b32: the patterns of its offset.
std::int32_t InstructionParser::swizzle() {
  scanner_.word();
  scanner_.expect("(");
  const std::size_t column = scanner_.column();
  const std::string_view mode = scanner_.word();
  const auto next = [&](std::int64_t least, std::int64_t most) {
    scanner_.expect(",");
    return static_cast<std::int32_t>(known("the value", least, most));
  };
  const auto power = [&](std::int32_t value) {
    if (value & (value - 1)) scanner_.fail("expected a power of two");
    return value;
  };
  std::int32_t value = 0;
  if (mode == "QUAD_PERM") {
    value = 0x8000;
    for (int i = 0; i < 4; ++i) value |= next(0, 3) << (2 * i);
  } else if (mode == "BITMASK_PERM") {
    scanner_.expect(",");
    const std::string pattern = scanner_.quoted();
    if (pattern.size() != 5) scanner_.fail("the pattern has five characters", "0 1 p i");
    std::int32_t and_mask = 0, or_mask = 0, xor_mask = 0;
    for (int i = 0; i < 5; ++i) {
      const std::int32_t bit = 1 << (4 - i);
      switch (pattern[static_cast<std::size_t>(i)]) {
        case '0': break;
        case '1': or_mask |= bit; break;
        case 'p': and_mask |= bit; break;
        case 'i': and_mask |= bit, xor_mask |= bit; break;
        default: scanner_.fail("unknown character of a pattern", "0 1 p i");
      }
    }
    value = and_mask | or_mask << 5 | xor_mask << 10;
  } else if (mode == "BROADCAST") {
    const std::int32_t group = power(next(2, 32));
    const std::int32_t lane = next(0, group - 1);
    value = (32 - group) | lane << 5;
  } else if (mode == "SWAP") {
    value = 0x1f | power(next(1, 16)) << 10;
  } else if (mode == "REVERSE") {
    value = 0x1f | (power(next(2, 32)) - 1) << 10;
  } else if (mode == "ROTATE") {
    const std::int32_t direction = next(0, 1);
    value = 0xc000 | direction << 10 | next(0, 31) << 5;
  } else if (mode == "FFT") {
    value = 0xe000 | next(0, 31);
  } else {
    throw Mismatch{column, fmt::format("unknown swizzle {}", mode),
                   "QUAD_PERM BITMASK_PERM BROADCAST SWAP REVERSE ROTATE FFT"};
  }
  scanner_.expect(")");
  return value;
}

}  // namespace mockgpu::isa::amd
