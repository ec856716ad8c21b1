#pragma once
// How the bytes of a lane become its registers and back: every load and store kind, for one lane, for lanes
// in a contiguous run, and for lanes anywhere. `rows` is the first data row at its slot; the next dword of a
// wide access is kRowWords further.
#include "emu/amd/wave/lanes/memory_access.h"
#include "emu/amd/wave/memory_table.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {

constexpr bool is_load(LoadKind) { return true; }
constexpr bool is_load(StoreKind) { return false; }

/// Bytes of memory that one lane accesses.
constexpr U32 bytes_of(LoadKind kind) {
  switch (kind) {
    case LoadKind::u8:
    case LoadKind::i8:
    case LoadKind::d16_u8:
    case LoadKind::d16_i8:
    case LoadKind::d16_hi_u8:
    case LoadKind::d16_hi_i8: return 1;
    case LoadKind::u16:
    case LoadKind::i16:
    case LoadKind::d16_b16:
    case LoadKind::d16_hi_b16: return 2;
    case LoadKind::b64: return 8;
    case LoadKind::b96: return 12;
    case LoadKind::b128: return 16;
    default: return 4;
  }
}
constexpr U32 bytes_of(StoreKind kind) {
  switch (kind) {
    case StoreKind::b8:
    case StoreKind::d16_hi_b8: return 1;
    case StoreKind::b16:
    case StoreKind::d16_hi_b16: return 2;
    case StoreKind::b64: return 8;
    case StoreKind::b96: return 12;
    case StoreKind::b128: return 16;
    default: return 4;
  }
}
template <auto kKind>
inline constexpr U32 kBytes = bytes_of(kKind);
template <auto kKind>
inline constexpr U32 kDwords = (kBytes<kKind> + 3) / 4;

inline void set_low_half(U32& reg, U32 value) { reg = (reg & 0xffff0000u) | (value & 0xffffu); }
inline void set_high_half(U32& reg, U32 value) { reg = (reg & 0x0000ffffu) | (value << 16); }
inline U32 sign_extend8(U8 value) { return static_cast<U32>(static_cast<std::int8_t>(value)); }
inline U32 sign_extend16(U16 value) { return static_cast<U32>(static_cast<std::int16_t>(value)); }

/// Loads or stores one lane.
template <auto kKind>
inline void access_lane(U32* rows, unsigned lane, Byte* at) {
  U32& reg = rows[lane];
  if constexpr (is_load(kKind)) {
    constexpr LoadKind kind = kKind;
    if constexpr (kind == LoadKind::u8) reg = peek<U8>(at);
    if constexpr (kind == LoadKind::i8) reg = sign_extend8(peek<U8>(at));
    if constexpr (kind == LoadKind::u16) reg = peek<U16>(at);
    if constexpr (kind == LoadKind::i16) reg = sign_extend16(peek<U16>(at));
    if constexpr (kind == LoadKind::d16_u8) set_low_half(reg, peek<U8>(at));
    if constexpr (kind == LoadKind::d16_i8) set_low_half(reg, sign_extend8(peek<U8>(at)));
    if constexpr (kind == LoadKind::d16_b16) set_low_half(reg, peek<U16>(at));
    if constexpr (kind == LoadKind::d16_hi_u8) set_high_half(reg, peek<U8>(at));
    if constexpr (kind == LoadKind::d16_hi_i8) set_high_half(reg, sign_extend8(peek<U8>(at)));
    if constexpr (kind == LoadKind::d16_hi_b16) set_high_half(reg, peek<U16>(at));
    if constexpr (kBytes<kKind> >= 4) {
      for (unsigned k = 0; k < kDwords<kKind>; ++k) rows[k * kRowWords + lane] = peek<U32>(at + 4 * k);
    }
  } else {
    constexpr StoreKind kind = kKind;
    if constexpr (kind == StoreKind::b8) poke<U8>(at, static_cast<U8>(reg));
    if constexpr (kind == StoreKind::b16) poke<U16>(at, static_cast<U16>(reg));
    if constexpr (kind == StoreKind::d16_hi_b8) poke<U8>(at, static_cast<U8>(reg >> 16));
    if constexpr (kind == StoreKind::d16_hi_b16) poke<U16>(at, static_cast<U16>(reg >> 16));
    if constexpr (kBytes<kKind> >= 4) {
      for (unsigned k = 0; k < kDwords<kKind>; ++k) poke<U32>(at + 4 * k, rows[k * kRowWords + lane]);
    }
  }
}

/// Four lanes of 16 bytes, or registers of them, turned by 90 degrees.
inline void transpose(Quad& a, Quad& b, Quad& c, Quad& d) {
  const Quad ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Quad ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Quad cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Quad cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/// Loads or stores four lanes from `lane` on; at(l) is the host address of lane l. In lane order.
template <auto kKind, class At>
inline void access_four(U32* rows, unsigned lane, At at) {
  if constexpr (kBytes<kKind> == 16) {
    if constexpr (is_load(kKind)) {
      Quad a = peek_quad(at(lane)), b = peek_quad(at(lane + 1)), c = peek_quad(at(lane + 2)),
           d = peek_quad(at(lane + 3));
      transpose(a, b, c, d);
      row_quad(rows + lane) = a;
      row_quad(rows + kRowWords + lane) = b;
      row_quad(rows + 2 * kRowWords + lane) = c;
      row_quad(rows + 3 * kRowWords + lane) = d;
    } else {
      Quad a = row_quad(rows + lane), b = row_quad(rows + kRowWords + lane),
           c = row_quad(rows + 2 * kRowWords + lane), d = row_quad(rows + 3 * kRowWords + lane);
      transpose(a, b, c, d);
      poke_quad(at(lane), a);
      poke_quad(at(lane + 1), b);
      poke_quad(at(lane + 2), c);
      poke_quad(at(lane + 3), d);
    }
  } else {
    for (unsigned i = 0; i < 4; ++i) access_lane<kKind>(rows, lane + i, at(lane + i));
  }
}

/// Loads or stores `lanes` of kCount lanes; at(l) is the host address of lane l, asked for before lane l is
/// written. In lane order, so that the highest lane wins where stores meet.
template <auto kKind, unsigned kCount, class At>
inline void access_lanes(U32* rows, U32 lanes, At at) {
  if ((~lanes << (32 - kCount)) == 0) {
    for (unsigned lane = 0; lane < kCount; lane += 4) access_four<kKind>(rows, lane, at);
  } else {
    for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = lowest(lanes);
      access_lane<kKind>(rows, lane, at(lane));
    }
  }
}

/// Loads or stores eight lanes, lane l at first + l * size.
template <auto kKind>
inline void access_eight(U32* rows, Byte* first) {
  typedef std::int32_t SignedVector __attribute__((vector_size(32)));
  typedef std::int16_t SignedHalf8 __attribute__((vector_size(16)));
  typedef std::int8_t SignedByte8 __attribute__((vector_size(8)));
  Vector& row = row_vector(rows);
  if constexpr (kBytes<kKind> == 16) {
    const auto at = [first](unsigned lane) { return first + 16 * lane; };
    access_four<kKind>(rows, 0, at);
    access_four<kKind>(rows, 4, at);
  } else if constexpr (kBytes<kKind> == 12) {
    for (unsigned lane = 0; lane < 8; ++lane) access_lane<kKind>(rows, lane, first + 12 * lane);
  } else if constexpr (kBytes<kKind> == 8) {
    for (unsigned lane = 0; lane < 8; lane += 4) {
      Byte* at = first + lane * 8;
      if constexpr (is_load(kKind)) {
        const Quad a = peek_quad(at), b = peek_quad(at + 16);
        row_quad(rows + lane) = __builtin_shufflevector(a, b, 0, 2, 4, 6);
        row_quad(rows + kRowWords + lane) = __builtin_shufflevector(a, b, 1, 3, 5, 7);
      } else {
        const Quad a = row_quad(rows + lane), b = row_quad(rows + kRowWords + lane);
        poke_quad(at, __builtin_shufflevector(a, b, 0, 4, 1, 5));
        poke_quad(at + 16, __builtin_shufflevector(a, b, 2, 6, 3, 7));
      }
    }
  } else if constexpr (kBytes<kKind> == 4) {
    if constexpr (is_load(kKind)) {
      row = peek_vector(first);
    } else {
      poke_vector(first, row);
    }
  } else if constexpr (is_load(kKind)) {
    constexpr LoadKind kind = kKind;
    constexpr bool kSigned = kind == LoadKind::i8 || kind == LoadKind::i16 || kind == LoadKind::d16_i8 ||
                             kind == LoadKind::d16_hi_i8;
    Vector value;
    if constexpr (kBytes<kKind> == 2) {
      const Half8 halves = peek_half8(first);
      value = kSigned ? reinterpret_cast<Vector>(
                            __builtin_convertvector(reinterpret_cast<SignedHalf8>(halves), SignedVector))
                      : __builtin_convertvector(halves, Vector);
    } else {
      const Byte8 bytes = peek_byte8(first);
      value = kSigned ? reinterpret_cast<Vector>(
                            __builtin_convertvector(reinterpret_cast<SignedByte8>(bytes), SignedVector))
                      : __builtin_convertvector(bytes, Vector);
    }
    if constexpr (kind == LoadKind::d16_u8 || kind == LoadKind::d16_i8 || kind == LoadKind::d16_b16) {
      row = (row & 0xffff0000u) | (value & 0xffffu);
    } else if constexpr (kind == LoadKind::d16_hi_u8 || kind == LoadKind::d16_hi_i8 ||
                         kind == LoadKind::d16_hi_b16) {
      row = (row & 0x0000ffffu) | (value << 16);
    } else {
      row = value;
    }
  } else {
    constexpr StoreKind kind = kKind;
    constexpr bool kHigh = kind == StoreKind::d16_hi_b8 || kind == StoreKind::d16_hi_b16;
    const Vector value = kHigh ? row >> 16 : row;
    if constexpr (kBytes<kKind> == 2) {
      poke_half8(first, __builtin_convertvector(value, Half8));
    } else {
      poke_byte8(first, __builtin_convertvector(value, Byte8));
    }
  }
}

/// Loads or stores the 16 lanes of half a slot, lane l at first + l * kStep: kStep is the size of a lane's
/// data, or 0 if all lanes load the same dwords.
template <auto kKind, U32 kStep>
inline void access_half_run(U32* rows, Byte* first) {
  if constexpr (kStep == 0) {
    for (unsigned k = 0; k < kDwords<kKind>; ++k) {
      const Vector value = broadcast(peek<U32>(first + 4 * k));
      row_vector(rows + k * kRowWords) = value;
      row_vector(rows + k * kRowWords + 8) = value;
    }
  } else {
    access_eight<kKind>(rows, first);
    access_eight<kKind>(rows + 8, first + 8 * kStep);
  }
}

/// The same for some of the lanes. Other lanes' memory is read and written back: only for memory of this
/// thread.
template <auto kKind, U32 kStep>
inline void access_half_run_masked(U32* rows, Byte* first, U32 lanes) {
  static_assert(kBytes<kKind> == 4);
  const Vector low = lane_mask(lanes, 0), high = lane_mask(lanes, 1);
  Vector &row = row_vector(rows), &row2 = row_vector(rows + 8);
  if constexpr (kStep == 0) {
    const Vector value = broadcast(peek<U32>(first));
    row = (value & low) | (row & ~low);
    row2 = (value & high) | (row2 & ~high);
  } else {
    const Vector old = peek_vector(first), old2 = peek_vector(first + 32);
    if constexpr (is_load(kKind)) {
      row = (old & low) | (row & ~low);
      row2 = (old2 & high) | (row2 & ~high);
    } else {
      poke_vector(first, (row & low) | (old & ~low));
      poke_vector(first + 32, (row2 & high) | (old2 & ~high));
    }
  }
}

/// Whether the handlers do accesses of this kind inline when all lanes of a half are at one address.
template <auto kKind>
inline constexpr bool kSameIsInline = is_load(kKind) && kBytes<kKind> >= 4;

/// Bytes from a half's first lane to its end.
template <auto kKind, U32 kStep>
inline constexpr U32 kHalfSpan = (kHalf - 1) * kStep + kBytes<kKind>;

/// Loads or stores `lanes` of kCount lanes, lane l at first + l * size. Touches no byte of other lanes.
template <auto kKind, unsigned kCount>
inline void access_run(U32* rows, Byte* first, U32 lanes) {
  for (unsigned lane = 0; lane < kCount; lane += 8) {
    U32 part = (lanes >> lane) & 0xff;
    if (part == 0xff) {
      access_eight<kKind>(rows + lane, first + lane * kBytes<kKind>);
      continue;
    }
    for (; part; part &= part - 1) {
      const unsigned l = lane + lowest(part);
      access_lane<kKind>(rows, l, first + l * kBytes<kKind>);
    }
  }
}

/// Gives all `lanes` of kCount lanes what a load finds at one address.
template <auto kKind, unsigned kCount>
inline void load_same(U32* rows, Byte* at, U32 lanes) {
  if constexpr (kBytes<kKind> >= 4) {
    for (unsigned k = 0; k < kDwords<kKind>; ++k) {
      const Vector value = broadcast(peek<U32>(at + 4 * k));
      for (unsigned block = 0; block < kCount / 8; ++block) {
        Vector& to = row_vector(rows + k * kRowWords + 8 * block);
        const Vector mask = lane_mask(lanes, block);
        to = (value & mask) | (to & ~mask);
      }
    }
  } else {
    access_lanes<kKind, kCount>(rows, lanes, [at](unsigned) { return at; });
  }
}

/// Loads of these lanes find nothing: zero, as an access out of range gives.
template <LoadKind kKind>
inline void load_zero(U32* rows, U32 lanes) {
  static const Byte kZeros[16] = {};
  Byte* zeros = const_cast<Byte*>(kZeros);
  access_lanes<kKind, kLanes>(rows, lanes, [zeros](unsigned) { return zeros; });
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
