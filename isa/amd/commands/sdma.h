#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "isa/amd/commands/field.h"
#include "isa/amd/commands/pm4.h"

/// SDMA packets, version 6 (gfx11); field positions that other versions change are noted. Every struct below
/// is a whole packet: it **includes the header word**. Rings count in bytes; a zero word is a one-word NOP.
/// Layouts: Linux amdgpu SDMA packet headers (sdma0 v4, v5, v6), ROCm runtime.
namespace mockgpu::isa::amd::sdma {

enum class Opcode : std::uint8_t {
  nop = 0,
  copy = 1,
  write = 2,
  indirect = 4,
  fence = 5,
  trap = 6,
  sem = 7,
  poll_regmem = 8,
  cond_exe = 9,
  atomic = 10,
  const_fill = 11,
  ptepde = 12,
  timestamp = 13,
  srbm_write = 14,
  pre_exe = 15,
  gpuvm_inv = 16,
  gcr_req = 17,
  dummy_trap = 32,
};

/// Sub-operations by opcode.
enum class CopySub : std::uint8_t {
  linear = 0,
  tiled = 1,
  sub_window = 4,
  tiled_sub_window = 5,
  sub_window_large = 36
};
enum class WriteSub : std::uint8_t { linear = 0, tiled = 1 };
enum class PollSub : std::uint8_t {
  poll = 0,
  reg_write_mem = 1,
  dbit_write_mem = 2,
  mem_verify = 3,
  vm_invalidation = 4
};
enum class TimestampSub : std::uint8_t { set_local = 0, get_local = 1, get_global = 2 };
enum class GcrSub : std::uint8_t { kernel = 0, user = 1 };

inline constexpr Bits kOpcode{0, 8};
inline constexpr Bits kSubOpcode{8, 8};

/// AMD's spelling, e.g. `POLL_REGMEM`; empty when unknown.
std::string_view opcode_name(std::uint8_t opcode);

constexpr std::uint32_t make_header(Opcode opcode, std::uint32_t sub = 0) {
  return kOpcode.set(static_cast<std::uint32_t>(opcode)) | kSubOpcode.set(sub);
}
constexpr Opcode opcode_of(std::uint32_t header) { return static_cast<Opcode>(kOpcode.get(header)); }
constexpr std::uint32_t sub_of(std::uint32_t header) { return kSubOpcode.get(header); }

/// The most bytes of one linear copy or fill on SDMA 5.2 and later.
inline constexpr std::uint32_t kMaxCopyBytes = 1u << 30;

/// Words of the packet whose first words are `words` (header first, at least as many as the header asks for
/// to find the length: 4 for WRITE). 0 when the opcode or sub-operation is unknown, or a WRITE is cut before
/// its count.
std::size_t packet_words(std::span<const std::uint32_t> words);

/// NOP: `count` further words are skipped.
struct Nop {
  std::uint32_t header;

  static constexpr Bits kCount{16, 14};
};
static_assert(sizeof(Nop) == 4 && offsetof(Nop, header) == 0);
void describe(const Nop& packet, FieldPrinter& printer);

/// COPY, sub-operation linear.
struct CopyLinear {
  std::uint32_t header;
  std::uint32_t count_minus_1;  ///< bytes - 1
  std::uint32_t parameters;
  std::uint32_t source_lo;
  std::uint32_t source_hi;
  std::uint32_t destination_lo;
  std::uint32_t destination_hi;

  static constexpr Bits kEncrypt{16, 1};
  static constexpr Bits kBackwards{25, 1};
  static constexpr Bits kBroadcast{27, 1};  ///< then two more words: a second destination
  static constexpr Bits kCount{0, 30};
  static constexpr Bits kDestinationSwap{16,
                                         2};  ///< in `parameters`; 0 none, 1 8-in-16, 2 8-in-32, 3 8-in-64
  static constexpr Bits kSourceSwap{24, 2};

  constexpr std::uint32_t byte_count() const { return kCount.get(count_minus_1) + 1; }
  constexpr std::uint64_t source() const { return join(source_lo, source_hi); }
  constexpr std::uint64_t destination() const { return join(destination_lo, destination_hi); }
};
static_assert(sizeof(CopyLinear) == 28 && offsetof(CopyLinear, header) == 0 &&
              offsetof(CopyLinear, count_minus_1) == 4 && offsetof(CopyLinear, parameters) == 8 &&
              offsetof(CopyLinear, source_lo) == 12 && offsetof(CopyLinear, source_hi) == 16 &&
              offsetof(CopyLinear, destination_lo) == 20 && offsetof(CopyLinear, destination_hi) == 24);
void describe(const CopyLinear& packet, FieldPrinter& printer);

/// COPY, sub-operation sub_window. Coordinates, pitches and extents count elements of `element_bytes`.
struct CopySubWindow {
  std::uint32_t header;
  std::uint32_t source_lo;
  std::uint32_t source_hi;
  std::uint32_t source_xy;
  std::uint32_t source_z_pitch;
  std::uint32_t source_slice_pitch;
  std::uint32_t destination_lo;
  std::uint32_t destination_hi;
  std::uint32_t destination_xy;
  std::uint32_t destination_z_pitch;
  std::uint32_t destination_slice_pitch;
  std::uint32_t rect_xy;
  std::uint32_t rect_z;

  static constexpr Bits kElementLog2{29, 3};
  static constexpr std::uint32_t kMostElementLog2 = 4;
  static constexpr Bits kX{0, 14};
  static constexpr Bits kY{16, 14};
  static constexpr Bits kZ{0, 13};           ///< version 4: [10:0]
  static constexpr Bits kPitch{13, 19};      ///< elements - 1
  static constexpr Bits kSlicePitch{0, 28};  ///< elements - 1
  static constexpr Bits kRectX{0, 14};       ///< extent - 1
  static constexpr Bits kRectY{16, 14};
  static constexpr Bits kRectZ{0, 13};
  static constexpr Bits kDestinationSwap{16, 2};  ///< with rect_z, as in CopyLinear
  static constexpr Bits kSourceSwap{24, 2};

  constexpr std::uint32_t element_bytes() const { return 1u << kElementLog2.get(header); }
  constexpr std::uint64_t source() const { return join(source_lo, source_hi); }
  constexpr std::uint64_t destination() const { return join(destination_lo, destination_hi); }
};
static_assert(sizeof(CopySubWindow) == 52 && offsetof(CopySubWindow, header) == 0 &&
              offsetof(CopySubWindow, source_lo) == 4 && offsetof(CopySubWindow, source_hi) == 8 &&
              offsetof(CopySubWindow, source_xy) == 12 && offsetof(CopySubWindow, source_z_pitch) == 16 &&
              offsetof(CopySubWindow, source_slice_pitch) == 20 &&
              offsetof(CopySubWindow, destination_lo) == 24 &&
              offsetof(CopySubWindow, destination_hi) == 28 &&
              offsetof(CopySubWindow, destination_xy) == 32 &&
              offsetof(CopySubWindow, destination_z_pitch) == 36 &&
              offsetof(CopySubWindow, destination_slice_pitch) == 40 &&
              offsetof(CopySubWindow, rect_xy) == 44 && offsetof(CopySubWindow, rect_z) == 48);
void describe(const CopySubWindow& packet, FieldPrinter& printer);

/// WRITE, sub-operation linear; the data words follow.
struct WriteLinear {
  std::uint32_t header;
  std::uint32_t destination_lo;
  std::uint32_t destination_hi;
  std::uint32_t count_minus_1;  ///< words - 1

  static constexpr Bits kCount{0, 20};
  static constexpr Bits kSwap{24, 2};

  constexpr std::uint32_t word_count() const { return kCount.get(count_minus_1) + 1; }
  constexpr std::uint64_t destination() const { return join(destination_lo, destination_hi); }
};
static_assert(sizeof(WriteLinear) == 16 && offsetof(WriteLinear, header) == 0 &&
              offsetof(WriteLinear, destination_lo) == 4 && offsetof(WriteLinear, destination_hi) == 8 &&
              offsetof(WriteLinear, count_minus_1) == 12);
void describe(const WriteLinear& packet, FieldPrinter& printer);

/// CONST_FILL.
struct ConstFill {
  std::uint32_t header;
  std::uint32_t destination_lo;
  std::uint32_t destination_hi;
  std::uint32_t data;
  std::uint32_t count;

  static constexpr Bits kFillSize{30, 2};  ///< 0 byte, 1 u16, 2 word
  static constexpr Bits kSwap{16, 2};
  static constexpr Bits kCount{0, 30};

  constexpr std::uint64_t destination() const { return join(destination_lo, destination_hi); }
  constexpr std::uint32_t fill_size() const { return kFillSize.get(header); }
  /// Elements to store. Clients encode a word fill as bytes - 4 or as bytes - 1; the rounding below suits
  /// both.
  constexpr std::uint32_t element_count() const { return (kCount.get(count) >> fill_size()) + 1; }
};
static_assert(sizeof(ConstFill) == 20 && offsetof(ConstFill, header) == 0 &&
              offsetof(ConstFill, destination_lo) == 4 && offsetof(ConstFill, destination_hi) == 8 &&
              offsetof(ConstFill, data) == 12 && offsetof(ConstFill, count) == 16);
void describe(const ConstFill& packet, FieldPrinter& printer);

/// FENCE: stores exactly 4 bytes after all earlier packets of the queue have completed.
struct Fence {
  std::uint32_t header;
  std::uint32_t address_lo;
  std::uint32_t address_hi;
  std::uint32_t data;

  static constexpr Bits kMtype{16, 3};  ///< version 5 and later; 3 = uncached
  static constexpr std::uint32_t kMtypeUncached = 3;

  constexpr std::uint64_t address() const { return join(address_lo, address_hi); }
};
static_assert(sizeof(Fence) == 16 && offsetof(Fence, header) == 0 && offsetof(Fence, address_lo) == 4 &&
              offsetof(Fence, address_hi) == 8 && offsetof(Fence, data) == 12);
void describe(const Fence& packet, FieldPrinter& printer);

/// TRAP: interrupts with a context (the event id).
struct Trap {
  std::uint32_t header;
  std::uint32_t int_ctx;

  static constexpr Bits kContext{0, 28};
  constexpr std::uint32_t context() const { return kContext.get(int_ctx); }
};
static_assert(sizeof(Trap) == 8 && offsetof(Trap, header) == 0 && offsetof(Trap, int_ctx) == 4);
void describe(const Trap& packet, FieldPrinter& printer);

/// POLL_REGMEM, sub-operation poll.
struct PollRegmem {
  std::uint32_t header;
  std::uint32_t address_lo;  ///< register form: byte address of the register
  std::uint32_t address_hi;
  std::uint32_t reference;
  std::uint32_t mask;
  std::uint32_t control;

  static constexpr Bits kHdpFlush{26, 1};  ///< request in address_hi, done in address_lo (byte addresses)
  static constexpr Bits kFunction{28, 3};
  static constexpr Bits kMemory{31, 1};
  static constexpr Bits kInterval{0, 16};
  static constexpr Bits kRetry{16, 12};
  static constexpr std::uint32_t kForever = 0xfff;

  constexpr bool memory() const { return kMemory.get(header) != 0; }
  constexpr bool hdp_flush() const { return kHdpFlush.get(header) != 0; }
  constexpr pm4::Compare function() const { return static_cast<pm4::Compare>(kFunction.get(header)); }
  constexpr std::uint64_t address() const { return join(address_lo, address_hi); }
};
static_assert(sizeof(PollRegmem) == 24 && offsetof(PollRegmem, header) == 0 &&
              offsetof(PollRegmem, address_lo) == 4 && offsetof(PollRegmem, address_hi) == 8 &&
              offsetof(PollRegmem, reference) == 12 && offsetof(PollRegmem, mask) == 16 &&
              offsetof(PollRegmem, control) == 20);
void describe(const PollRegmem& packet, FieldPrinter& printer);

/// ATOMIC: operation numbers as `pm4::AtomicOp`.
struct Atomic {
  std::uint32_t header;
  std::uint32_t address_lo;
  std::uint32_t address_hi;
  std::uint32_t source_lo;
  std::uint32_t source_hi;
  std::uint32_t compare_lo;
  std::uint32_t compare_hi;
  std::uint32_t control;

  static constexpr Bits kLoop{16, 1};  ///< 1: retry until the compare matches
  static constexpr Bits kOp{25, 7};
  static constexpr Bits kInterval{0, 13};

  constexpr std::uint32_t op() const { return kOp.get(header); }
  constexpr bool loop() const { return kLoop.get(header) != 0; }
  constexpr std::uint64_t address() const { return join(address_lo, address_hi); }
  constexpr std::uint64_t source() const { return join(source_lo, source_hi); }
  constexpr std::uint64_t compare() const { return join(compare_lo, compare_hi); }
};
static_assert(sizeof(Atomic) == 32 && offsetof(Atomic, header) == 0 && offsetof(Atomic, address_lo) == 4 &&
              offsetof(Atomic, address_hi) == 8 && offsetof(Atomic, source_lo) == 12 &&
              offsetof(Atomic, source_hi) == 16 && offsetof(Atomic, compare_lo) == 20 &&
              offsetof(Atomic, compare_hi) == 24 && offsetof(Atomic, control) == 28);
void describe(const Atomic& packet, FieldPrinter& printer);

/// TIMESTAMP: sub get_local and get_global store a u64; set_local carries the value instead of an address.
struct Timestamp {
  std::uint32_t header;
  std::uint32_t address_lo;
  std::uint32_t address_hi;

  constexpr std::uint64_t address() const { return join(address_lo, address_hi); }
};
static_assert(sizeof(Timestamp) == 12 && offsetof(Timestamp, header) == 0 &&
              offsetof(Timestamp, address_lo) == 4 && offsetof(Timestamp, address_hi) == 8);
void describe(const Timestamp& packet, FieldPrinter& printer);

/// INDIRECT: runs another stream of packets.
struct Indirect {
  std::uint32_t header;
  std::uint32_t base_lo;  ///< 32-byte aligned
  std::uint32_t base_hi;
  std::uint32_t size_words;
  std::uint32_t csa_lo;
  std::uint32_t csa_hi;

  static constexpr Bits kVmid{16, 4};
  static constexpr Bits kPriv{31, 1};
  static constexpr Bits kSize{0, 20};

  constexpr std::uint64_t base() const { return join(base_lo, base_hi); }
};
static_assert(sizeof(Indirect) == 24 && offsetof(Indirect, header) == 0 && offsetof(Indirect, base_lo) == 4 &&
              offsetof(Indirect, base_hi) == 8 && offsetof(Indirect, size_words) == 12 &&
              offsetof(Indirect, csa_lo) == 16 && offsetof(Indirect, csa_hi) == 20);
void describe(const Indirect& packet, FieldPrinter& printer);

/// SRBM_WRITE: stores one register.
struct SrbmWrite {
  std::uint32_t header;
  std::uint32_t address;
  std::uint32_t data;

  static constexpr Bits kByteEnables{28, 4};
  static constexpr Bits kRegister{0, 18};
};
static_assert(sizeof(SrbmWrite) == 12 && offsetof(SrbmWrite, header) == 0 &&
              offsetof(SrbmWrite, address) == 4 && offsetof(SrbmWrite, data) == 8);
void describe(const SrbmWrite& packet, FieldPrinter& printer);

/// GCR_REQ: cache control over an address range; its control bits are `pm4::gcr`, split over two words.
struct GcrReq {
  std::uint32_t header;
  std::uint32_t base_lo;           ///< [31:7]
  std::uint32_t base_hi_control;   ///< base [47:32] in [15:0], control [15:0] in [31:16]
  std::uint32_t control_limit_lo;  ///< control [18:16] in [2:0], limit [31:7]
  std::uint32_t limit_hi_vmid;     ///< limit [47:32] in [15:0], vmid in [27:24]

  constexpr std::uint32_t control() const {
    return (base_hi_control >> 16) | ((control_limit_lo & 7u) << 16);
  }
  constexpr std::uint64_t base() const { return join(base_lo & ~127u, base_hi_control & 0xffff); }
  constexpr std::uint64_t limit() const { return join(control_limit_lo & ~127u, limit_hi_vmid & 0xffff); }
};
static_assert(sizeof(GcrReq) == 20 && offsetof(GcrReq, header) == 0 && offsetof(GcrReq, base_lo) == 4 &&
              offsetof(GcrReq, base_hi_control) == 8 && offsetof(GcrReq, control_limit_lo) == 12 &&
              offsetof(GcrReq, limit_hi_vmid) == 16);
void describe(const GcrReq& packet, FieldPrinter& printer);

/// COND_EXE: skips `exec_count` words when the u32 at the address is not the reference.
struct CondExe {
  std::uint32_t header;
  std::uint32_t address_lo;
  std::uint32_t address_hi;
  std::uint32_t reference;
  std::uint32_t exec;

  static constexpr Bits kExecCount{0, 14};
  constexpr std::uint64_t address() const { return join(address_lo, address_hi); }
};
static_assert(sizeof(CondExe) == 20 && offsetof(CondExe, header) == 0 && offsetof(CondExe, address_lo) == 4 &&
              offsetof(CondExe, address_hi) == 8 && offsetof(CondExe, reference) == 12 &&
              offsetof(CondExe, exec) == 16);
void describe(const CondExe& packet, FieldPrinter& printer);

/// Throws Error(bad_packet) that names the opcode.
[[noreturn]] void throw_short_packet(std::uint32_t header, std::size_t have, std::size_t need);

/// The packet at the start of `words` as a struct. Throws Error(bad_packet) when there are too few words.
template <typename Packet>
Packet read(std::span<const std::uint32_t> words) {
  static_assert(std::is_trivially_copyable_v<Packet> && sizeof(Packet) % 4 == 0);
  constexpr std::size_t kWords = sizeof(Packet) / 4;
  if (words.size() < kWords) throw_short_packet(words.empty() ? 0 : words[0], words.size(), kWords);
  Packet packet;
  std::memcpy(&packet, words.data(), sizeof(Packet));
  return packet;
}

/// Appends a packet and `extra` words to `out`.
template <typename Packet>
void append(std::vector<std::uint32_t>& out, const Packet& packet,
            std::span<const std::uint32_t> extra = {}) {
  static_assert(std::is_trivially_copyable_v<Packet> && sizeof(Packet) % 4 == 0);
  const std::size_t at = out.size();
  out.resize(at + sizeof(Packet) / 4);
  std::memcpy(out.data() + at, &packet, sizeof(Packet));
  out.insert(out.end(), extra.begin(), extra.end());
}

/// One line for the packet at the start of `words`: `COPY_LINEAR {byte_count=4096, ...}`. Never fails.
std::string format_packet(std::span<const std::uint32_t> words);

}  // namespace mockgpu::isa::amd::sdma
