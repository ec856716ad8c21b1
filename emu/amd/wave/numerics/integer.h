#pragma once

#include "emu/amd/wave/numerics/types.h"

// Integer arithmetic of the vector ALU that is more than one operator. Source: RDNA3.5 ISA chapter 16.12;
// shift counts and field widths use their low 5 (6, 4) bits as semantics.json says.

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

// Shifts; the "rev" opcodes pass (value, count) swapped.
MOCKGPU_LANE U32 lshl_b32(U32 x, U32 n) { return x << (n & 31); }
MOCKGPU_LANE U32 lshr_b32(U32 x, U32 n) { return x >> (n & 31); }
MOCKGPU_LANE U32 ashr_i32(U32 x, U32 n) { return static_cast<U32>(static_cast<I32>(x) >> (n & 31)); }
MOCKGPU_LANE U64 lshl_b64(U64 x, U32 n) { return x << (n & 63); }
MOCKGPU_LANE U64 lshr_b64(U64 x, U32 n) { return x >> (n & 63); }
MOCKGPU_LANE U64 ashr_i64(U64 x, U32 n) { return static_cast<U64>(static_cast<I64>(x) >> (n & 63)); }
MOCKGPU_LANE U16 lshl_b16(U16 x, U16 n) { return static_cast<U16>(static_cast<U32>(x) << (n & 15)); }
MOCKGPU_LANE U16 lshr_b16(U16 x, U16 n) { return static_cast<U16>(x >> (n & 15)); }
MOCKGPU_LANE U16 ashr_i16(U16 x, U16 n) { return static_cast<U16>(static_cast<I16>(x) >> (n & 15)); }

// Bit fields.
MOCKGPU_LANE U32 bfe_u32(U32 x, U32 offset, U32 width) {
  return (x >> (offset & 31)) & ((1u << (width & 31)) - 1);
}
MOCKGPU_LANE U32 bfe_i32(U32 x, U32 offset, U32 width) {
  const U32 field = bfe_u32(x, offset, width);
  const U32 n = width & 31;
  const U32 sign = (1u << n) >> 1;
  return (field ^ sign) - sign;
}
MOCKGPU_LANE U32 bfi_b32(U32 mask, U32 inside, U32 outside) { return (mask & inside) | (~mask & outside); }
MOCKGPU_LANE U32 bfm_b32(U32 width, U32 offset) { return ((1u << (width & 31)) - 1) << (offset & 31); }
MOCKGPU_LANE U32 bfrev_b32(U32 x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
  return (x >> 16) | (x << 16);
}
/// The 64-bit value {high, low} shifted right.
MOCKGPU_LANE U32 alignbit_b32(U32 high, U32 low, U32 n) {
  return static_cast<U32>(((static_cast<U64>(high) << 32) | low) >> (n & 31));
}
MOCKGPU_LANE U32 alignbyte_b32(U32 high, U32 low, U32 n) { return alignbit_b32(high, low, (n & 3) * 8); }

/// What one selector byte of v_perm_b32 gives.
MOCKGPU_LANE U32 perm_byte(U32 s0, U32 s1, U32 sel) {
  const U32 from0 = 0u - ((sel >> 2) & 1);
  const U32 dword = (s0 & from0) | (s1 & ~from0);
  const U32 byte = (dword >> (8 * (sel & 3))) & 0xff;
  const U32 signs0 = 0u - ((sel >> 1) & 1);
  const U32 signs = (s0 & signs0) | (s1 & ~signs0);
  const U32 sign = (0u - ((signs >> (15 + 16 * (sel & 1))) & 1)) & 0xff;
  const U32 high = sel < 12 ? sign : sel == 12 ? 0u : 0xffu;
  return sel < 8 ? byte : high;
}
/// v_perm_b32: each selector byte picks a byte of {s0, s1} (0-3 s1, 4-7 s0), the sign of byte 1, 3, 5, 7
/// (8-11), 0 or 0xff.
MOCKGPU_LANE U32 perm_b32(U32 s0, U32 s1, U32 selector) {
  return perm_byte(s0, s1, selector & 0xff) | perm_byte(s0, s1, (selector >> 8) & 0xff) << 8 |
         perm_byte(s0, s1, (selector >> 16) & 0xff) << 16 | perm_byte(s0, s1, selector >> 24) << 24;
}

// Counting. "No bit found" is -1.
MOCKGPU_LANE U32 clz_i32_u32(U32 x) { return x == 0 ? ~0u : static_cast<U32>(__builtin_clz(x)); }
MOCKGPU_LANE U32 ctz_i32_b32(U32 x) { return x == 0 ? ~0u : static_cast<U32>(__builtin_ctz(x)); }
/// How many leading bits equal the sign bit (the sign included); -1 if all do.
MOCKGPU_LANE U32 cls_i32(U32 x) { return clz_i32_u32(x ^ static_cast<U32>(static_cast<I32>(x) >> 31)); }
MOCKGPU_LANE U32 popcount(U32 x) {
  x = x - ((x >> 1) & 0x55555555u);
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0fu;
  // Sums by shifts: with the usual multiplication g++ would see a popcount, which does not vectorise before
  // AVX-512.
  x = x + (x >> 8);
  return (x + (x >> 16)) & 0x3f;
}
MOCKGPU_LANE U32 bcnt_u32_b32(U32 x, U32 add) { return popcount(x) + add; }
/// `lane` in 0..63: bits of the mask below the lane, in the low (high) half of a wave64.
MOCKGPU_LANE U32 mbcnt_lo_u32_b32(U32 mask, U32 add, U32 lane) {
  const U32 below = lane >= 32 ? ~0u : (1u << (lane & 31)) - 1;
  return popcount(mask & below) + add;
}
MOCKGPU_LANE U32 mbcnt_hi_u32_b32(U32 mask, U32 add, U32 lane) {
  const U32 below = lane < 32 ? 0u : (1u << (lane & 31)) - 1;
  return popcount(mask & below) + add;
}

// 24-bit and widening multiplication.
MOCKGPU_LANE U32 u24(U32 x) { return x & 0x00ffffffu; }
MOCKGPU_LANE I32 i24(U32 x) { return static_cast<I32>(x << 8) >> 8; }
MOCKGPU_LANE U32 mul_u32_u24(U32 a, U32 b) { return u24(a) * u24(b); }
MOCKGPU_LANE U32 mul_i32_i24(U32 a, U32 b) { return static_cast<U32>(i24(a)) * static_cast<U32>(i24(b)); }
MOCKGPU_LANE U32 mul_hi_u32_u24(U32 a, U32 b) {
  return static_cast<U32>((static_cast<U64>(u24(a)) * u24(b)) >> 32);
}
MOCKGPU_LANE U32 mul_hi_i32_i24(U32 a, U32 b) {
  return static_cast<U32>((static_cast<I64>(i24(a)) * i24(b)) >> 32);
}
MOCKGPU_LANE U32 mad_u32_u24(U32 a, U32 b, U32 c) { return mul_u32_u24(a, b) + c; }
MOCKGPU_LANE U32 mad_i32_i24(U32 a, U32 b, U32 c) { return mul_i32_i24(a, b) + c; }
MOCKGPU_LANE U32 mul_hi_u32(U32 a, U32 b) { return static_cast<U32>((static_cast<U64>(a) * b) >> 32); }
MOCKGPU_LANE U32 mul_hi_i32(U32 a, U32 b) {
  return static_cast<U32>((static_cast<I64>(static_cast<I32>(a)) * static_cast<I32>(b)) >> 32);
}
MOCKGPU_LANE U32 mad_u32_u16(U16 a, U16 b, U32 c) { return static_cast<U32>(a) * b + c; }
MOCKGPU_LANE U32 mad_i32_i16(U16 a, U16 b, U32 c) {
  return static_cast<U32>(static_cast<I32>(static_cast<I16>(a)) * static_cast<I16>(b)) + c;
}

/// A 64-bit result and its carry (unsigned) or the sign bit of the exact 65-bit sum (signed).
struct WideResult {
  U64 value;
  bool carry;
};
MOCKGPU_LANE WideResult mad_u64_u32(U32 a, U32 b, U64 c) {
  const U64 sum = static_cast<U64>(a) * b + c;
  return {sum, sum < c};
}
/// The carry is bit 64 of the 65-bit two's complement sum.
MOCKGPU_LANE WideResult mad_i64_i32(U32 a, U32 b, U64 c) {
  const I64 product = static_cast<I64>(static_cast<I32>(a)) * static_cast<I32>(b);
  const U64 sum = static_cast<U64>(product) + c;
  const bool overflow = ((~(static_cast<U64>(product) ^ c) & (sum ^ c)) >> 63) != 0;
  return {sum, ((sum >> 63) != 0) != overflow};
}

// 16-bit arithmetic without and with the CLAMP modifier (saturation to the type).
MOCKGPU_LANE U16 add_u16(U16 a, U16 b) { return static_cast<U16>(a + b); }
MOCKGPU_LANE U16 sub_u16(U16 a, U16 b) { return static_cast<U16>(a - b); }
MOCKGPU_LANE U16 mul_lo_u16(U16 a, U16 b) { return static_cast<U16>(static_cast<U32>(a) * b); }
MOCKGPU_LANE U16 mad_u16(U16 a, U16 b, U16 c) { return static_cast<U16>(static_cast<U32>(a) * b + c); }
MOCKGPU_LANE U16 saturate_u16(I64 x) { return static_cast<U16>(x < 0 ? 0 : x > 0xffff ? 0xffff : x); }
MOCKGPU_LANE U16 saturate_i16(I64 x) {
  return static_cast<U16>(x < -0x8000 ? -0x8000 : x > 0x7fff ? 0x7fff : x);
}
MOCKGPU_LANE U32 saturate_u32(I64 x) {
  return static_cast<U32>(x < 0 ? 0 : x > 0xffffffffll ? 0xffffffffll : x);
}
MOCKGPU_LANE U32 saturate_i32(I64 x) {
  return static_cast<U32>(x < -0x80000000ll ? -0x80000000ll : x > 0x7fffffffll ? 0x7fffffffll : x);
}
MOCKGPU_LANE U16 add_u16_sat(U16 a, U16 b) { return saturate_u16(I64{a} + b); }
MOCKGPU_LANE U16 sub_u16_sat(U16 a, U16 b) { return saturate_u16(I64{a} - b); }
MOCKGPU_LANE U16 add_i16_sat(U16 a, U16 b) {
  return saturate_i16(I64{static_cast<I16>(a)} + static_cast<I16>(b));
}
MOCKGPU_LANE U16 sub_i16_sat(U16 a, U16 b) {
  return saturate_i16(I64{static_cast<I16>(a)} - static_cast<I16>(b));
}
MOCKGPU_LANE U16 mul_lo_u16_sat(U16 a, U16 b) { return saturate_u16(I64{a} * b); }
MOCKGPU_LANE U16 mad_u16_sat(U16 a, U16 b, U16 c) { return saturate_u16(I64{a} * b + c); }
MOCKGPU_LANE U16 mad_i16_sat(U16 a, U16 b, U16 c) {
  return saturate_i16(I64{static_cast<I16>(a)} * static_cast<I16>(b) + static_cast<I16>(c));
}
MOCKGPU_LANE U32 add_u32_sat(U32 a, U32 b) { return a + b < a ? ~0u : a + b; }
MOCKGPU_LANE U32 sub_u32_sat(U32 a, U32 b) { return a < b ? 0u : a - b; }
MOCKGPU_LANE U32 add_i32_sat(U32 a, U32 b) {
  return saturate_i32(I64{static_cast<I32>(a)} + static_cast<I32>(b));
}
MOCKGPU_LANE U32 sub_i32_sat(U32 a, U32 b) {
  return saturate_i32(I64{static_cast<I32>(a)} - static_cast<I32>(b));
}
MOCKGPU_LANE U32 mad_u32_u24_sat(U32 a, U32 b, U32 c) {
  const U64 sum = static_cast<U64>(u24(a)) * u24(b) + c;
  return sum > 0xffffffffu ? ~0u : static_cast<U32>(sum);
}
MOCKGPU_LANE U32 mad_i32_i24_sat(U32 a, U32 b, U32 c) {
  return saturate_i32(static_cast<I64>(i24(a)) * i24(b) + static_cast<I32>(c));
}
MOCKGPU_LANE U32 mad_u32_u16_sat(U16 a, U16 b, U32 c) { return saturate_u32(I64{a} * b + c); }
MOCKGPU_LANE U32 mad_i32_i16_sat(U16 a, U16 b, U32 c) {
  return saturate_i32(I64{static_cast<I16>(a)} * static_cast<I16>(b) + static_cast<I32>(c));
}

// Two operations in one; the intermediate result wraps.
MOCKGPU_LANE U32 add3_u32(U32 a, U32 b, U32 c) { return a + b + c; }
MOCKGPU_LANE U32 lshl_add_u32(U32 a, U32 n, U32 c) { return lshl_b32(a, n) + c; }
MOCKGPU_LANE U32 add_lshl_u32(U32 a, U32 b, U32 n) { return lshl_b32(a + b, n); }
MOCKGPU_LANE U32 lshl_or_b32(U32 a, U32 n, U32 c) { return lshl_b32(a, n) | c; }
MOCKGPU_LANE U32 and_or_b32(U32 a, U32 b, U32 c) { return (a & b) | c; }
MOCKGPU_LANE U32 or3_b32(U32 a, U32 b, U32 c) { return a | b | c; }
MOCKGPU_LANE U32 xor3_b32(U32 a, U32 b, U32 c) { return a ^ b ^ c; }
MOCKGPU_LANE U32 xad_u32(U32 a, U32 b, U32 c) { return (a ^ b) + c; }
MOCKGPU_LANE U64 lshl_add_u64(U64 a, U32 n, U64 c) { return (a << (n & 7)) + c; }

// Bytes.
MOCKGPU_LANE U32 byte_of(U32 x, U32 i) { return (x >> (8 * i)) & 0xff; }
MOCKGPU_LANE U32 abs_difference(U32 a, U32 b) { return a > b ? a - b : b - a; }
MOCKGPU_LANE U32 sad_u8(U32 a, U32 b, U32 c) {
  return c + abs_difference(byte_of(a, 0), byte_of(b, 0)) + abs_difference(byte_of(a, 1), byte_of(b, 1)) +
         abs_difference(byte_of(a, 2), byte_of(b, 2)) + abs_difference(byte_of(a, 3), byte_of(b, 3));
}
MOCKGPU_LANE U32 sad_hi_u8(U32 a, U32 b, U32 c) { return (sad_u8(a, b, 0) << 16) + c; }
MOCKGPU_LANE U32 sad_u16(U32 a, U32 b, U32 c) {
  return c + abs_difference(lo16(a), lo16(b)) + abs_difference(hi16(a), hi16(b));
}
MOCKGPU_LANE U32 sad_u32(U32 a, U32 b, U32 c) { return abs_difference(a, b) + c; }
/// As sad_u8 without the bytes whose reference (in b) is zero.
MOCKGPU_LANE U32 msad_u8(U32 a, U32 b, U32 c) {
  U32 sum = c;
  for (U32 i = 0; i < 4; ++i) {
    const U32 reference = byte_of(b, i);
    sum += reference == 0 ? 0 : abs_difference(byte_of(a, i), reference);
  }
  return sum;
}
/// Four sums over the 8 bytes of a at offsets 0..3, each added to 16 bits of c and cut to 16 bits.
MOCKGPU_LANE U64 qsad_pk_u16_u8(U64 a, U32 b, U64 c) {
  U64 result = 0;
  for (U32 i = 0; i < 4; ++i) {
    const U32 sum = sad_u8(static_cast<U32>(a >> (8 * i)), b, static_cast<U32>(c >> (16 * i)) & 0xffff);
    result |= static_cast<U64>(sum & 0xffff) << (16 * i);
  }
  return result;
}
MOCKGPU_LANE U64 mqsad_pk_u16_u8(U64 a, U32 b, U64 c) {
  U64 result = 0;
  for (U32 i = 0; i < 4; ++i) {
    const U32 sum = msad_u8(static_cast<U32>(a >> (8 * i)), b, static_cast<U32>(c >> (16 * i)) & 0xffff);
    result |= static_cast<U64>(sum & 0xffff) << (16 * i);
  }
  return result;
}
/// The dword `i` (0..3) of v_mqsad_u32_u8's result; c is the same dword of the third source.
MOCKGPU_LANE U32 mqsad_u32_u8(U64 a, U32 b, U32 c, U32 i) {
  return msad_u8(static_cast<U32>(a >> (8 * i)), b, c);
}
/// Average of bytes; the low bit of a byte of c rounds its half up.
MOCKGPU_LANE U32 lerp_u8(U32 a, U32 b, U32 c) {
  U32 result = 0;
  for (U32 i = 0; i < 4; ++i) {
    result |= ((byte_of(a, i) + byte_of(b, i) + (byte_of(c, i) & 1)) >> 1) << (8 * i);
  }
  return result;
}
/// Two signed 16-bit halves saturated to unsigned bytes, packed in 16 bits.
MOCKGPU_LANE U32 sat_pk_u8_i16(U32 x) {
  const I32 low = static_cast<I16>(lo16(x));
  const I32 high = static_cast<I16>(hi16(x));
  const U32 low8 = static_cast<U32>(low < 0 ? 0 : low > 255 ? 255 : low);
  const U32 high8 = static_cast<U32>(high < 0 ? 0 : high > 255 ? 255 : high);
  return low8 | (high8 << 8);
}
MOCKGPU_LANE U32 cvt_pk_u16_u32(U32 a, U32 b) { return pack16(saturate_u16(a), saturate_u16(b)); }
MOCKGPU_LANE U32 cvt_pk_i16_i32(U32 a, U32 b) {
  return pack16(saturate_i16(static_cast<I32>(a)), saturate_i16(static_cast<I32>(b)));
}

/// v_bitop3: bit (s0 << 2 | s1 << 1 | s2) of the table, for each bit of the sources.
MOCKGPU_LANE U32 bitop3_b32(U32 s0, U32 s1, U32 s2, U32 table) {
  U32 result = 0;
  for (U32 i = 0; i < 8; ++i) {
    const U32 x = (i & 4) != 0 ? s0 : ~s0;
    const U32 y = (i & 2) != 0 ? s1 : ~s1;
    const U32 z = (i & 1) != 0 ? s2 : ~s2;
    result |= (table >> i) & 1 ? x & y & z : 0u;
  }
  return result;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
