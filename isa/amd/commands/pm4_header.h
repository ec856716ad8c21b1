#pragma once
#include <cstdint>
#include <string_view>

#include "isa/amd/commands/field.h"

/// Opcodes and the header word of PM4 packets.
namespace mockgpu::isa::amd::pm4 {

/// Opcodes of type-3 packets that a compute queue may meet.
enum class Opcode : std::uint8_t {
  nop = 0x10,
  set_base = 0x11,
  clear_state = 0x12,
  dispatch_direct = 0x15,
  dispatch_indirect = 0x16,
  atomic_mem = 0x1e,
  cond_exec = 0x22,
  pred_exec = 0x23,
  context_control = 0x28,
  write_data = 0x37,
  mem_semaphore = 0x39,
  wait_reg_mem = 0x3c,
  indirect_buffer = 0x3f,
  copy_data = 0x40,
  pfp_sync_me = 0x42,
  event_write = 0x46,
  release_mem = 0x49,
  dma_data = 0x50,
  acquire_mem = 0x58,
  rewind = 0x59,
  load_uconfig_reg = 0x5e,
  load_sh_reg = 0x5f,
  load_config_reg = 0x60,
  load_context_reg = 0x61,
  load_sh_reg_index = 0x63,
  set_config_reg = 0x68,
  set_context_reg = 0x69,
  set_sh_reg = 0x76,
  set_sh_reg_offset = 0x77,
  set_queue_reg = 0x78,
  set_uconfig_reg = 0x79,
  set_uconfig_reg_index = 0x7a,
  wait_reg_mem64 = 0x93,
  hdp_flush = 0x95,
  invalidate_tlbs = 0x98,
  aql_packet = 0x99,
  set_sh_reg_index = 0x9b,
  set_resources = 0xa0,
  map_process = 0xa1,
  map_queues = 0xa2,
  unmap_queues = 0xa3,
  query_status = 0xa4,
  run_list = 0xa5,
  map_process_vm = 0xa6,
};

/// AMD's spelling, e.g. `WAIT_REG_MEM`; empty when the opcode is not in the enum.
std::string_view opcode_name(std::uint8_t opcode);
inline std::string_view opcode_name(Opcode opcode) { return opcode_name(static_cast<std::uint8_t>(opcode)); }

// ---- Header ----

inline constexpr Bits kHeaderType{30, 2};
inline constexpr Bits kHeaderCount{16, 14};  ///< body words - 1
inline constexpr Bits kHeaderOpcode{8, 8};
inline constexpr Bits kHeaderShaderType{1, 1};  ///< 1 = compute; only read on a graphics ring
inline constexpr Bits kHeaderPredicate{0, 1};

/// A NOP that is its own whole packet: count 0x3fff has this special meaning.
inline constexpr std::uint32_t kNopOneWord = 0xffff1000;
/// A type-2 packet: one filler word.
inline constexpr std::uint32_t kFiller = 0x80000000;
inline constexpr std::uint32_t kMaxBodyWords = 0x3fff;

/// The header of a type-3 packet with `body_words` words (1..0x3fff) behind it.
constexpr std::uint32_t make_header(Opcode opcode, std::uint32_t body_words) {
  return kHeaderType.set(3) | kHeaderCount.set(body_words - 1) |
         kHeaderOpcode.set(static_cast<std::uint32_t>(opcode));
}

/// A decoded header word.
struct Header {
  std::uint8_t type;         ///< 3 = normal, 2 = filler; 0 and 1 are illegal on a compute queue
  std::uint8_t opcode;       ///< 0 unless type is 3
  std::uint16_t body_words;  ///< words behind the header; 0 for a filler and for `kNopOneWord`

  constexpr std::uint32_t packet_words() const { return body_words + 1u; }
  constexpr bool is(Opcode op) const { return type == 3 && opcode == static_cast<std::uint8_t>(op); }
};

constexpr Header decode_header(std::uint32_t word) {
  const auto type = static_cast<std::uint8_t>(kHeaderType.get(word));
  if (type != 3) return Header{type, 0, 0};
  const auto opcode = static_cast<std::uint8_t>(kHeaderOpcode.get(word));
  const std::uint32_t count = kHeaderCount.get(word);
  if (opcode == static_cast<std::uint8_t>(Opcode::nop) && count == 0x3fff) return Header{type, opcode, 0};
  return Header{type, opcode, static_cast<std::uint16_t>(count + 1)};
}

}  // namespace mockgpu::isa::amd::pm4
