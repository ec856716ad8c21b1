// Scalar memory loads (manual: "Scalar memory operations"). Waves of a workgroup usually load the same
// constants, so equal addresses are translated and read once.
#include "emu/amd/wave/scalar_memory.h"

#include <cstring>

#include "emu/amd/wave/control.h"
#include "emu/amd/wave/scalar_table.h"
#include "emu/memory/address_space.h"

namespace mockgpu::emu::amd {
namespace {

using isa::amd::Instruction;
using isa::amd::Op;
using isa::amd::Operand;
using isa::amd::OperandKind;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Host memory of [address, address + bytes) for reading, through the gang's cached range; null if no single
/// range has it.
const std::byte* readable(Gang* gang, u64 address, u32 bytes) {
  CachedRange& cached = gang->code_constants;
  const u64 offset = address - cached.begin;
  if (offset < cached.bytes && cached.bytes - offset >= bytes) return cached.host + offset;
  const MappedRange* range = gang->map->find(address, kRead);
  if (!range || !(range->rights & kRead)) return nullptr;
  cached = {range->begin, range->end - range->begin, range->host};
  const u64 inside = address - range->begin;
  return cached.bytes - inside >= bytes ? range->host + inside : nullptr;
}

/// Stores a fault of a scalar load; `done` bytes from `address` on were readable.
void scalar_fault(const Record* record, Gang* gang, unsigned slot, u64 address, u32 bytes, u64 done) {
  fault_at(record, gang, FaultKind::memory, nullptr);
  gang->fault.slot = static_cast<std::uint8_t>(slot);
  gang->fault.lanes = 0;
  gang->fault.bytes = bytes;
  gang->fault.address = address + done;
}

/// Loads `dwords` from one address into the rows of the slots in `mask`. False after a fault.
bool load_to(const Record* record, Gang* gang, u64 address, unsigned dwords, const u32* mask,
             unsigned first_slot) {
  u32 words[16];
  if (const std::byte* host = readable(gang, address, dwords * 4)) {
    std::memcpy(words, host, dwords * 4);
  } else if (const u64 done = gang->map->read(address, words, dwords * 4); done < dwords * 4) {
    scalar_fault(record, gang, first_slot, address, dwords * 4, done);
    return false;
  }
  u32* dst = row(gang, record->dst);
  for (unsigned d = 0; d < dwords; ++d) {
    for (unsigned s = 0; s < kSlots; ++s) scalar_detail::blend(dst + d * kSlots, s, words[d], mask[s]);
  }
  return true;
}

/// Loads for all active slots, given each slot's address. False after a fault.
bool load_all(const Record* record, Gang* gang, const u64 (&address)[kSlots], unsigned dwords) {
  const auto first = static_cast<unsigned>(__builtin_ctz(gang->active));
  bool same = true;
  for (unsigned s = 0; s < kSlots; ++s) same &= !gang->slot_mask[s] || address[s] == address[first];
  if (same) return load_to(record, gang, address[first], dwords, gang->slot_mask, first);
  for (unsigned s = first; s < kSlots; ++s) {
    u32 only[kSlots] = {};
    only[s] = gang->slot_mask[s];
    if (only[s] && !load_to(record, gang, address[s], dwords, only, s)) return false;
  }
  return true;
}

u64 pair(const u32* at, unsigned slot) { return at[slot] | static_cast<u64>(at[slot + kSlots]) << 32; }

[[gnu::noinline]] bool load_plain(const Record* record, Gang* gang) {
  const u32* base = row(gang, record->src[0]);
  const u32* soffset = row(gang, record->src[1]);
  u64 address[kSlots];
  for (unsigned s = 0; s < kSlots; ++s) address[s] = (pair(base, s) + soffset[s] + record->aux) & ~3ull;
  return load_all(record, gang, address, record->op);
}

HandlerResult scalar_load(const Record* record, Gang* gang) {
  if (!load_plain(record, gang)) [[unlikely]]
    MOCKGPU_STOP;
  MOCKGPU_NEXT(record, gang);
}

/// s_buffer_load: offsets are checked against the descriptor, dword by dword; what is outside reads 0 (facts:
/// s_buffer_load).
[[gnu::noinline]] bool load_buffer(const Record* record, Gang* gang) {
  const u32* rsrc = row(gang, record->src[0]);
  const u32* soffset = row(gang, record->src[1]);
  u32* dst = row(gang, record->dst);
  u32 words[kSlots][16] = {};
  for (unsigned s = 0; s < kSlots; ++s) {
    if (!gang->slot_mask[s]) continue;
    const u64 base = pair(rsrc, s) & 0xffffffffffffull;
    const u32 stride = rsrc[kSlots + s] >> 16 & 0x3fff;
    const u64 limit = static_cast<u64>(stride ? stride : 1) * rsrc[2 * kSlots + s];
    const u64 offset = (soffset[s] + record->aux) & ~3ull;
    for (unsigned d = 0; d < record->op; ++d) {
      if (offset + 4 * d + 4 > limit) continue;
      const u64 address = base + offset + 4 * d;
      const std::byte* host = readable(gang, address, 4);
      if (!host) {
        scalar_fault(record, gang, s, address, 4, 0);
        return false;
      }
      std::memcpy(&words[s][d], host, 4);
    }
  }
  for (unsigned d = 0; d < record->op; ++d) {
    for (unsigned s = 0; s < kSlots; ++s)
      scalar_detail::blend(dst + d * kSlots, s, words[s][d], gang->slot_mask[s]);
  }
  return true;
}

HandlerResult scalar_buffer_load(const Record* record, Gang* gang) {
  if (!load_buffer(record, gang)) [[unlikely]]
    MOCKGPU_STOP;
  MOCKGPU_NEXT(record, gang);
}

}  // namespace

bool prepare_scalar_load(const Instruction& instruction, Preparer& out) {
  unsigned dwords = 0;
  bool buffer = false;
  switch (instruction.op) {
    case Op::s_load_b32: dwords = 1; break;
    case Op::s_load_b64: dwords = 2; break;
    case Op::s_load_b128: dwords = 4; break;
    case Op::s_load_b256: dwords = 8; break;
    case Op::s_load_b512: dwords = 16; break;
    case Op::s_buffer_load_b32: dwords = 1, buffer = true; break;
    case Op::s_buffer_load_b64: dwords = 2, buffer = true; break;
    case Op::s_buffer_load_b128: dwords = 4, buffer = true; break;
    case Op::s_buffer_load_b256: dwords = 8, buffer = true; break;
    case Op::s_buffer_load_b512: dwords = 16, buffer = true; break;
    default: return false;
  }
  const auto ops = instruction.ops();
  if (ops.size() < 2) return false;
  Record& record = out.emit(buffer ? scalar_buffer_load : scalar_load);
  record.op = static_cast<std::uint8_t>(dwords);
  record.dst = scalar_operand_offset(ops[0], true);
  record.src[0] = scalar_operand_offset(ops[1], false);
  record.src[1] = Gang::scalar_offset(kRowNull);
  if (ops.size() > 2 && ops[2].kind == OperandKind::sgpr)
    record.src[1] = scalar_operand_offset(ops[2], false);
  record.aux = static_cast<u64>(static_cast<std::int64_t>(instruction.mods.offset));
  // A load into null or past the last register would overwrite rows that are not registers.
  const unsigned first = ops[0].kind == OperandKind::sgpr ? ops[0].index : 0u + kRowNull;
  return first + dwords <= kRowVccHi + 1u;
}

}  // namespace mockgpu::emu::amd
