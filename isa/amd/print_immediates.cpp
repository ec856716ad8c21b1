#include <fmt/format.h>

#include <bit>

#include "isa/amd/counters.h"
#include "isa/amd/disassembler.h"
#include "isa/amd/operand_names.h"

namespace mockgpu::isa::amd {
namespace {

// `name(n)` of all counters that wait, or of all if none does.
std::string counters(std::span<const Counter> list, std::uint32_t value) {
  bool any = false;
  for (const Counter& counter : list) any |= counter.of(value) != counter.max();
  std::string text;
  for (const Counter& counter : list) {
    if (any && counter.of(value) == counter.max()) continue;
    if (!text.empty()) text += ' ';
    text += fmt::format("{}({})", counter.name, counter.of(value));
  }
  return text;
}

}  // namespace

void Disassembler::immediate(const OperandSpec& spec, const Operand& operand) {
  const auto value = static_cast<std::uint32_t>(operand.value);
  const std::uint32_t low16 = value & 0xffff;
  switch (spec.field) {
    case Field::vsrc: interpolation_parameter(value); return;
    case Field::ssrc1: gpr_index_mode(value); return;
    case Field::src0:
    case Field::src1: interpolation_parameter(value); return;
    case Field::attr: out_ += fmt::format("attr{}", value); return;
    case Field::attrchan: out_ += fmt::format(".{}", "xyzw"[value & 3]); return;
    case Field::tgt: {
      const std::string_view name = export_target_name(generation_, value);
      out_ += name.empty() ? fmt::format("invalid_target_{}", value) : std::string(name);
      return;
    }
    case Field::ssrc0:
      if (inst_.op == Op::s_sendmsg_rtn_b32 || inst_.op == Op::s_sendmsg_rtn_b64) {
        message(value);
        return;
      }
      break;
    case Field::sdata: out_ += value <= 64 ? fmt::format("{}", value) : fmt::format("{:#x}", value); return;
    default: break;
  }
  switch (inst_.op) {
    case Op::s_waitcnt: wait_counts(low16); break;
    case Op::s_waitcnt_depctr: wait_dependencies(low16); break;
    case Op::s_delay_alu: delay(low16); break;
    case Op::s_sendmsg:
    case Op::s_sendmsghalt: message(low16); break;
    case Op::s_getreg_b32:
    case Op::s_setreg_b32:
    case Op::s_setreg_imm32_b32: hardware_register(low16); break;
    case Op::s_set_gpr_idx_mode: gpr_index_mode(low16); break;
    case Op::s_version: version(low16); break;
    case Op::s_nop:
    case Op::s_sleep:
    case Op::s_setprio:
    case Op::s_sethalt:
    case Op::s_trap:
    case Op::s_denorm_mode:
    case Op::s_setkill:
    case Op::s_incperflevel:
    case Op::s_decperflevel:
    case Op::s_barrier_wait:
    case Op::s_monitor_sleep:
    case Op::s_set_vgpr_msb:
    case Op::s_setprio_inc_wg:
      out_ += low16 <= 64 ? fmt::format("{}", low16) : fmt::format("{:#x}", low16);
      break;
    case Op::s_endpgm:
    case Op::s_call_b64:
    case Op::s_subvector_loop_begin:
    case Op::s_subvector_loop_end: out_ += fmt::format("{}", low16); break;
    default: out_ += has(property::branch) ? fmt::format("{}", low16) : fmt::format("{:#x}", low16); break;
  }
}

void Disassembler::wait_counts(std::uint32_t value) { out_ += counters(wait_counters(generation_), value); }

void Disassembler::wait_dependencies(std::uint32_t value) {
  const std::span<const Counter> list = dependency_counters(generation_);
  std::uint32_t known = 0;
  for (const Counter& counter : list) known = counter.with(known, counter.max());
  if ((value & ~known) == 0)
    out_ += counters(list, value);
  else
    out_ += fmt::format("{:#x}", value);
}

// v_interp_mov_f32: which vertex.
void Disassembler::interpolation_parameter(std::uint32_t value) {
  constexpr std::string_view kParameters[] = {"p10", "p20", "p0"};
  out_ += value < 3 ? std::string(kParameters[value]) : fmt::format("invalid_param_{}", value);
}

// s_set_gpr_idx_on: which operands are indexed.
void Disassembler::gpr_index_mode(std::uint32_t value) {
  constexpr std::string_view kNames[] = {"SRC0", "SRC1", "SRC2", "DST"};
  if (value > 0xf) {
    out_ += fmt::format("{:#x}", value);
    return;
  }
  out_ += "gpr_idx(";
  std::string_view separator;
  for (unsigned bit = 0; bit < 4; ++bit) {
    if (!(value >> bit & 1)) continue;
    out_ += separator;
    out_ += kNames[bit];
    separator = ",";
  }
  out_ += ')';
}

// (UC_VERSION_GFX12|UC_VERSION_W64_BIT)|UC_VERSION_W32_BIT
void Disassembler::version(std::uint32_t value) {
  std::uint32_t flags = 0;
  std::string text = fmt::format("{}", value & 0xff);
  for (const VersionName& name : version_names()) {
    if (name.is_flag())
      flags |= name.value;
    else if (name.value == (value & 0xff))
      text = name.name;
  }
  if (value & ~(flags | 0xff)) {
    out_ += fmt::format("{:#x}", value);
    return;
  }
  bool one = true;
  for (const VersionName& name : version_names()) {
    if (!name.is_flag() || !(value & name.value)) continue;
    text = fmt::format("{}|{}", one ? text : fmt::format("({})", text), name.name);
    one = false;
  }
  out_ += text;
}

void Disassembler::delay(std::uint32_t value) {
  std::string_view separator;
  auto part = [&](std::string_view what, unsigned id, std::string_view name) {
    if (!id) return;
    out_ += separator;
    if (name.empty())
      out_ += fmt::format("{}(/* invalid {} value */)", what, what.starts_with("instid") ? "instid" : what);
    else
      out_ += fmt::format("{}({})", what, name);
    separator = " | ";
  };
  const unsigned first = value & 0xf, skip = value >> 4 & 7, second = value >> 7 & 0xf;
  part("instid0", first, delay_name(first));
  part("instskip", skip, delay_skip_name(skip));
  part("instid1", second, delay_name(second));
  if (separator.empty()) out_ += '0';
}

void Disassembler::hardware_register(std::uint32_t value) {
  const unsigned id = value & 0x3f, offset = value >> 6 & 0x1f, size = (value >> 11 & 0x1f) + 1;
  const std::string_view name = hwreg_name(generation_, id);
  out_ += name.empty() ? fmt::format("hwreg({}", id) : fmt::format("hwreg({}", name);
  if (offset != 0 || size != 32) out_ += fmt::format(", {}, {}", offset, size);
  out_ += ')';
}

// Before gfx11 some messages have an operation, in bits 6:4, and a stream, in bits 9:8.
void Disassembler::message_with_operation(std::uint32_t value) {
  constexpr unsigned kGs = 2, kGsDone = 3, kSystem = 15;
  const unsigned id = value & 0xf, operation = value >> 4 & 7, stream = value >> 8 & 3;
  const std::string_view name = message_name(generation_, id);
  std::string_view operation_name;
  if (id == kGs || id == kGsDone) operation_name = gs_operation_name(operation);
  if (id == kSystem) operation_name = system_operation_name(operation);
  const bool has_operation = id == kGs || id == kGsDone || id == kSystem;
  const bool has_stream = (id == kGs || id == kGsDone) && operation != 0;
  const bool valid =
      !name.empty() &&
      (has_operation ? !operation_name.empty() && !(id == kGs && operation == 0) : operation == 0) &&
      (has_stream || stream == 0);
  if (value != (id | operation << 4 | stream << 8))
    out_ += fmt::format("{}", value);
  else if (!valid)
    out_ += fmt::format("sendmsg({}, {}, {})", id, operation, stream);
  else if (has_stream)
    out_ += fmt::format("sendmsg({}, {}, {})", name, operation_name, stream);
  else if (has_operation)
    out_ += fmt::format("sendmsg({}, {})", name, operation_name);
  else
    out_ += fmt::format("sendmsg({})", name);
}

void Disassembler::message(std::uint32_t value) {
  if (is_gfx9(generation_) || is_gfx10(generation_)) {
    message_with_operation(value);
    return;
  }
  const unsigned id = value & 0xff;
  const std::string_view name = message_name(generation_, id);
  if (value != id)
    out_ += fmt::format("{}", value);
  else if (name.empty())
    out_ += fmt::format("sendmsg({}, 0, 0)", id);
  else
    out_ += fmt::format("sendmsg({})", name);
}

// ds_swizzle_b32: the patterns of its offset.
void Disassembler::swizzle(std::uint32_t value) {
  if (value == 0) return;
  out_ += " offset:";
  if (value >= 0xe000) {
    out_ += fmt::format("swizzle(FFT,{})", value & 0x1f);
  } else if (value >= 0xc000) {
    out_ += fmt::format("swizzle(ROTATE,{},{})", value >> 10 & 1, value >> 5 & 0x1f);
  } else if ((value & 0xff00) == 0x8000) {
    out_ += fmt::format("swizzle(QUAD_PERM,{},{},{},{})", value & 3, value >> 2 & 3, value >> 4 & 3,
                        value >> 6 & 3);
  } else if (value & 0x8000) {
    out_ += fmt::format("{}", value);
  } else {
    const unsigned and_mask = value & 0x1f, or_mask = value >> 5 & 0x1f, xor_mask = value >> 10 & 0x1f;
    const unsigned group = 32 - and_mask;
    if (and_mask == 0x1f && or_mask == 0 && std::has_single_bit(xor_mask)) {
      out_ += fmt::format("swizzle(SWAP,{})", xor_mask);
    } else if (and_mask == 0x1f && or_mask == 0 && xor_mask && std::has_single_bit(xor_mask + 1)) {
      out_ += fmt::format("swizzle(REVERSE,{})", xor_mask + 1);
    } else if (group > 1 && std::has_single_bit(group) && or_mask < group && xor_mask == 0) {
      out_ += fmt::format("swizzle(BROADCAST,{},{})", group, or_mask);
    } else {
      // Per bit of the lane number, from the top: set, cleared, preserved or inverted.
      out_ += "swizzle(BITMASK_PERM,\"";
      for (int bit = 4; bit >= 0; --bit) {
        const unsigned from0 = (or_mask ^ xor_mask) >> bit & 1;
        const unsigned from1 = ((and_mask | or_mask) ^ xor_mask) >> bit & 1;
        out_ += from0 == from1 ? (from0 ? '1' : '0') : (from0 ? 'i' : 'p');
      }
      out_ += "\")";
    }
  }
}

}  // namespace mockgpu::isa::amd
