#pragma once
// The memory handlers of one level, and how their records are filled in. Included by the level files.
#include "emu/amd/wave/record.h"

namespace mockgpu::emu::amd {

/// What a load does with the bytes of a lane. The d16 kinds keep the other half of the register.
enum class LoadKind : std::uint8_t {
  u8,
  i8,
  u16,
  i16,
  d16_u8,
  d16_i8,
  d16_b16,
  d16_hi_u8,
  d16_hi_i8,
  d16_hi_b16,
  b32,
  b64,
  b96,
  b128,
  count
};

/// Which bytes of a lane's registers a store writes. The d16_hi kinds take them from bit 16 on.
enum class StoreKind : std::uint8_t { b8, b16, d16_hi_b8, d16_hi_b16, b32, b64, b96, b128, count };

/// What an atomic does to memory; `data` and `other` are its operands (semantics: lanes/memory_atomic.h).
enum class AtomicOp : std::uint8_t {
  swap,
  cmpswap,
  add,
  sub,
  rsub,
  inc,
  dec,
  smin,
  smax,
  umin,
  umax,
  bit_and,
  bit_or,
  bit_xor,
  csub,
  mskor,
  wrap,
  condxchg,
  float_add,
  float_min,
  float_max,
  float_cmpswap,
};

/// Bits of Record::flags of memory records (0x40 and 0x80 mean control flow: RecordFlag in prepare.h).
enum MemoryFlag : std::uint8_t {
  kReturnsValue = 1,   ///< atomics: the old value goes to `dst`
  kWide = 2,           ///< atomics: 64 bits
  kHasAddress = 4,     ///< SCRATCH, LDS: the VGPR address `src[0]` is used
  kOffsetEnable = 8,   ///< buffers: a VGPR holds an offset
  kIndexEnable = 16,   ///< buffers: a VGPR holds an index (before the offset)
  kSoffsetValue = 32,  ///< buffers: the low half of `aux` is the value of soffset, not its row
};

/// Typed buffer accesses: Record::op holds the number of components and these bits; a format number of
/// kFormatOfDescriptor in the high half of `aux` means the descriptor's.
inline constexpr std::uint8_t kTypedComponents = 7, kTypedD16 = 0x40, kTypedHigh = 0x80;
inline constexpr std::uint32_t kFormatOfDescriptor = 0xffff;

/// Handlers by access. Records:
///   dst     first row of the result (loads, atomics that return)
///   src[0]  first row of the VGPR address: global and flat: 64-bit pair, or the 32-bit offset with saddr
///   src[1]  first row of the data (stores, atomics)
///   src[2]  row of the scalar address: saddr pair of global; saddr of scratch (the null row if it is off);
///           first row of the descriptor of buffers; first row of the second data of LDS instructions
///   imm     byte offset, sign-extended
///   aux     LDS: the second offset; buffers: soffset in the low half, MTBUF format in the high one
///   op      AtomicOp; element kind of handlers that serve several; ds_append: 0, ds_consume: 1
///   flags   MemoryFlag
struct MemoryTable {
  static constexpr unsigned kLoads = static_cast<unsigned>(LoadKind::count);
  static constexpr unsigned kStores = static_cast<unsigned>(StoreKind::count);

  Handler global_load[2][kLoads];  ///< [1]: with saddr
  Handler global_store[2][kStores];
  Handler flat_load[kLoads];
  Handler flat_store[kStores];
  Handler scratch_load[kLoads];
  Handler scratch_store[kStores];
  Handler lds_load[kLoads];
  Handler lds_store[kStores];
  Handler lds_load2[kLoads];    ///< two addresses; b32 and b64 only
  Handler lds_store2[kStores];  ///< two addresses; b32 and b64 only
  Handler buffer_load[kLoads];
  Handler buffer_store[kStores];

  Handler global_atomic[2];  ///< [1]: with saddr
  Handler flat_atomic;
  Handler lds_atomic;
  Handler lds_exchange2;  ///< ds_storexchg_2addr
  Handler buffer_atomic;

  Handler global_load_addtid, global_store_addtid;
  Handler lds_load_addtid, lds_store_addtid;
  Handler lds_append;
  Handler lds_permute, lds_bpermute, lds_swizzle;

  Handler typed_load, typed_store;  ///< MTBUF and buffer_*_format_*
};

}  // namespace mockgpu::emu::amd
