// Where the lanes of a memory instruction access memory, from its operands.
#include <bit>
#include <string_view>

#include "emu/amd/wave/batch.h"
#include "emu/amd/wave/numerics/buffer_format.h"
#include "emu/amd/wave/observed.h"

namespace mockgpu::emu::amd {
namespace {

using isa::amd::Encoding;
using isa::amd::FormFlags;
using isa::amd::Instruction;
using isa::amd::Op;
using isa::amd::Operand;
using isa::amd::OperandKind;
using Space = MemoryAccess::Space;

/// A wave's registers.
struct Wave {
  const Gang& gang;
  unsigned slot;

  std::uint32_t vector(unsigned index, unsigned lane) const {
    return row(const_cast<Gang*>(&gang), Gang::vgpr_offset(index))[slot * kLanes + lane];
  }
  std::uint32_t scalar(unsigned index) const { return gang.sgpr[index][slot]; }
  std::uint64_t pair(unsigned index) const { return scalar(index) | std::uint64_t{scalar(index + 1)} << 32; }
};

/// The operands of a memory instruction by role; null where it has none (instruction.h, Instruction).
struct Roles {
  const Operand* address = nullptr;
  const Operand* data[2] = {};
  const Operand* scalar = nullptr;  ///< saddr, or the descriptor of a buffer
  const Operand* soffset = nullptr;
};

const Operand* present(const Operand& operand) {
  return operand.kind == OperandKind::none ? nullptr : &operand;
}

bool is_buffer(const Instruction& instruction) {
  return instruction.encoding == Encoding::mubuf || instruction.encoding == Encoding::mtbuf;
}

Roles roles_of(const Instruction& instruction, const FormFlags& flags) {
  Roles roles;
  const auto ops = instruction.ops();
  std::size_t next = 0;
  const auto take = [&]() -> const Operand* { return next < ops.size() ? present(ops[next++]) : nullptr; };
  if (is_buffer(instruction)) {
    roles.data[0] = take();
    roles.address = take();
    roles.scalar = take();
    roles.soffset = take();
    return roles;
  }
  // [vdst,] addr, data...: atomics that return nothing may keep the place of the destination.
  const bool keeps_place = !ops.empty() && (ops[0].is_dst || ops[0].kind == OperandKind::none);
  if (flags.load || (flags.atomic && keeps_place)) ++next;
  roles.address = take();
  if (instruction.encoding == Encoding::ds) {
    roles.data[0] = take();
    roles.data[1] = take();
    return roles;
  }
  if (flags.store || flags.atomic) roles.data[0] = take();
  if (instruction.encoding != Encoding::flat) roles.scalar = take();
  return roles;
}

/// The bytes of one access, from the op's name: global_store_d16_hi_b8, ds_add_rtn_u64.
unsigned bytes_of(std::string_view name) {
  unsigned bits = 0, factor = 1;
  for (; !name.empty() && name.back() >= '0' && name.back() <= '9'; name.remove_suffix(1), factor *= 10)
    bits += static_cast<unsigned>(name.back() - '0') * factor;
  return bits / 8 <= 16 ? bits / 8 : 0;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The bytes of an access that converts: those of an element of its format.
unsigned bytes_of_format(const Wave& wave, const Instruction& instruction, const Roles& roles) {
  const std::uint32_t number = instruction.encoding == Encoding::mtbuf
                                   ? instruction.mods.format
                                   : wave.scalar(roles.scalar->index + 3u) >> 12 & 0x3f;
  return MOCKGPU_LEVEL::buffer_format(number).bytes();
}

/// ds_append and ds_consume: a wave's lanes count one word of LDS.
MemoryAccess counter_access(const Wave& wave, const Instruction& instruction, std::uint64_t lanes) {
  MemoryAccess access;
  access.space = Space::lds;
  access.kind = MemoryAccess::Kind::atomic;
  access.after = true;
  access.lane = static_cast<std::uint8_t>(std::countr_zero(lanes));
  access.bytes = 4;
  access.address =
      ((wave.scalar(kRowM0) & 0xffff) + static_cast<std::uint32_t>(instruction.mods.offset)) & ~3u;
  access.outside = access.address + access.bytes > wave.gang.lds_bytes;
  return access;
}

/// Where a lane of a buffer instruction accesses, by its descriptor (facts: abi.json, buffer_rsrc).
void locate_buffer(const Wave& wave, const Instruction& instruction, const Roles& roles, unsigned lane,
                   MemoryAccess& access) {
  std::uint32_t word[4];
  for (unsigned i = 0; i < 4; ++i) word[i] = wave.scalar(roles.scalar->index + i);
  const std::uint64_t base = word[0] | std::uint64_t{word[1] & 0xffff} << 32;
  const std::uint64_t stride = word[1] >> 16 & 0x3fff, records = word[2];
  const std::uint32_t swizzle = word[1] >> 30;
  const std::uint64_t element = swizzle ? 2u << swizzle : 0, group = 8u << (word[3] >> 21 & 3);
  std::uint64_t soffset = 0;
  if (roles.soffset) {
    soffset = roles.soffset->kind == OperandKind::sgpr ? wave.scalar(roles.soffset->index)
                                                       : roles.soffset->value & 0xffffffff;
  }
  const bool idxen = instruction.mods.idxen, offen = instruction.mods.offen;
  std::uint64_t index = idxen && roles.address ? wave.vector(roles.address->index, lane) : 0;
  if (word[3] >> 23 & 1) index += lane;
  std::uint64_t offset = static_cast<std::uint32_t>(instruction.mods.offset);
  if (offen && roles.address) offset += wave.vector(roles.address->index + idxen, lane);
  std::uint64_t place = offset + stride * index;
  const bool swizzled = element && stride;
  if (swizzled) {
    place = (index / group * stride + offset / element * element) * group + index % group * element +
            offset % element;
  }
  bool inside = false;
  switch (word[3] >> 28 & 3) {
    case 0: inside = index < records && offset + access.bytes <= stride; break;
    case 1: inside = index < records; break;
    case 2: inside = records != 0; break;
    default:
      inside = swizzled ? index < records && offset + access.bytes <= stride
                        : soffset <= records && place + access.bytes <= records - soffset;
  }
  access.address = base + soffset + place;
  access.outside = !inside || (word[0] | word[1] | word[2] | word[3]) == 0;
}

void locate(const Wave& wave, const Instruction& instruction, const Roles& roles, unsigned lane,
            MemoryAccess& access) {
  const auto offset = static_cast<std::uint64_t>(static_cast<std::int64_t>(instruction.mods.offset));
  const std::uint32_t low = roles.address ? wave.vector(roles.address->index, lane) : 0;
  const auto high = [&] { return wave.vector(roles.address->index + 1u, lane); };
  const auto in_lds = [&](std::uint64_t at) {
    access.space = Space::lds;
    access.address = static_cast<std::uint32_t>(at);
    access.outside = access.address + access.bytes > wave.gang.lds_bytes;
  };
  switch (instruction.encoding) {
    case Encoding::ds: in_lds(low + offset); break;
    case Encoding::scratch:
      access.space = Space::scratch;
      access.address =
          static_cast<std::uint32_t>(low + offset + (roles.scalar ? wave.scalar(roles.scalar->index) : 0));
      break;
    case Encoding::mubuf:
    case Encoding::mtbuf: locate_buffer(wave, instruction, roles, lane, access); break;
    case Encoding::global:
      access.address = roles.scalar ? wave.pair(roles.scalar->index) + low + offset
                                    : (low | std::uint64_t{high()} << 32) + offset;
      break;
    default:  // flat
      if (high() == wave.scalar(kRowSharedBase + 1)) {
        in_lds((low & 0x1ffff) + offset);
      } else if (high() == wave.scalar(kRowPrivateBase + 1)) {
        access.space = Space::scratch;
        access.address = static_cast<std::uint32_t>(low + offset);
      } else {
        access.address = (low | std::uint64_t{high()} << 32) + offset;
      }
  }
}

void read_data(const Wave& wave, const Operand& operand, unsigned lane, bool upper, MemoryAccess& access) {
  for (unsigned d = 0; d < (access.bytes + 3u) / 4; ++d)
    access.data[d] = wave.vector(operand.index + d, lane);
  if (upper) access.data[0] >>= 16;
  if (access.bytes < 4) access.data[0] &= (1u << 8 * access.bytes) - 1;
}

}  // namespace

void collect_accesses(const Gang& gang, unsigned slot, const Instruction& instruction, std::uint64_t lanes,
                      std::vector<MemoryAccess>& out) {
  const FormFlags flags = isa::amd::form_flags(*instruction.form);
  switch (instruction.encoding) {
    case Encoding::ds:
    case Encoding::flat:
    case Encoding::global:
    case Encoding::scratch:
    case Encoding::mubuf:
    case Encoding::mtbuf: break;
    default: return;
  }
  const std::string_view name = isa::amd::op_name(instruction.op);
  const Wave wave{gang, slot};
  if (instruction.op == Op::ds_append || instruction.op == Op::ds_consume) {
    if (lanes) out.push_back(counter_access(wave, instruction, lanes));
    return;
  }
  const Roles roles = roles_of(instruction, flags);
  const bool converts = is_buffer(instruction) && contains(name, "_format_");
  const unsigned bytes = converts ? bytes_of_format(wave, instruction, roles) : bytes_of(name);
  const bool own_lane = contains(name, "addtid");
  // Exchanges between lanes have no address, neither have elements of no format.
  if (!(flags.load || flags.store || flags.atomic) || bytes == 0 || contains(name, "permute") ||
      contains(name, "swizzle"))
    return;
  const bool two = contains(name, "2addr");
  const bool upper = contains(name, "_hi_");
  for (unsigned lane = 0; lane < (gang.wave64 ? 2 * kLanes : kLanes); ++lane) {
    if (!(lanes >> lane & 1)) continue;
    for (unsigned part = 0; part < (two ? 2u : 1u); ++part) {
      MemoryAccess access;
      access.kind = flags.atomic  ? MemoryAccess::Kind::atomic
                    : flags.store ? MemoryAccess::Kind::store
                                  : MemoryAccess::Kind::load;
      access.lane = static_cast<std::uint8_t>(lane);
      access.bytes = static_cast<std::uint8_t>(bytes);
      if (two) {
        const unsigned scale = bytes * (contains(name, "stride64") ? 64 : 1);
        access.space = Space::lds;
        const std::uint32_t offset = (part ? instruction.mods.offset1 : instruction.mods.offset0) * scale;
        access.address = static_cast<std::uint32_t>(
            (roles.address ? wave.vector(roles.address->index, lane) : 0) + offset);
        access.outside = access.address + bytes > gang.lds_bytes;
      } else {
        locate(wave, instruction, roles, lane, access);
        if (own_lane) access.address += 4 * lane;
      }
      const Operand* const data = roles.data[part];
      access.after = converts || access.kind == MemoryAccess::Kind::atomic;
      if (access.kind == MemoryAccess::Kind::store && !converts && data)
        read_data(wave, *data, lane, upper, access);
      out.push_back(access);
    }
  }
}

}  // namespace mockgpu::emu::amd
