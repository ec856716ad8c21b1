// Semantics of the scalar ALU (manual: "Scalar ALU operations"). One line per operation; SCC is the last
// parameter.
#include <array>
#include <bit>

#include "emu/amd/wave/scalar_table.h"

namespace mockgpu::emu::amd {
namespace {

using isa::amd::Op;
using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

using Table = std::array<ScalarEntry, static_cast<std::size_t>(Op::count)>;

template <class F>
void add(Table& table, Op op, F, bool reads_dst = false) {
  table[static_cast<std::size_t>(op)] = scalar_detail::entry<F>(reads_dst);
}

/// For operations whose destination is also their last source.
template <class F>
void add_rmw(Table& table, Op op, F f) {
  add(table, op, f, true);
}

u64 expand_mask(u64 bits, unsigned from) { return from >= 64 ? 0 : bits << from; }

u32 bfe_u32(u32 value, u32 control) {
  const u32 offset = control & 31, width = control >> 16 & 127;
  if (width == 0) return 0;
  const u32 shifted = value >> offset;
  return width >= 32 ? shifted : shifted & ((1u << width) - 1);
}
i32 bfe_i32(i32 value, u32 control) {
  const u32 offset = control & 31, width = control >> 16 & 127;
  if (width == 0) return 0;
  if (width + offset >= 32) return value >> offset;
  return static_cast<i32>(static_cast<u32>(value) << (32 - width - offset)) >> (32 - width);
}
u64 bfe_u64(u64 value, u32 control) {
  const u32 offset = control & 63, width = control >> 16 & 127;
  if (width == 0) return 0;
  const u64 shifted = value >> offset;
  return width >= 64 ? shifted : shifted & ((1ull << width) - 1);
}
i64 bfe_i64(i64 value, u32 control) {
  const u32 offset = control & 63, width = control >> 16 & 127;
  if (width == 0) return 0;
  if (width + offset >= 64) return value >> offset;
  return static_cast<i64>(static_cast<u64>(value) << (64 - width - offset)) >> (64 - width);
}

/// Whole quad mode: a group of four bits becomes all ones if any is set.
u64 whole_quads(u64 value) {
  u64 any = value | value >> 1;
  any |= any >> 2;
  any &= 0x1111111111111111ull;
  return any * 15;
}
/// One bit per group of four.
u64 quad_bits(u64 value) {
  u64 out = 0;
  for (unsigned q = 0; q < 16; ++q) out |= static_cast<u64>((value >> (4 * q) & 15) != 0) << q;
  return out;
}

u64 reverse64(u64 v) {
  u64 out = 0;
  for (unsigned i = 0; i < 64; ++i) out |= (v >> i & 1) << (63 - i);
  return out;
}
u32 reverse32(u32 v) { return static_cast<u32>(reverse64(v) >> 32); }

/// Leading bits equal to the sign bit; -1 if all are (V_CLS).
i32 sign_run(i64 value, unsigned bits) {
  for (unsigned i = 1; i < bits; ++i) {
    if ((value >> (bits - 1 - i) & 1) != (value >> (bits - 1) & 1)) return static_cast<i32>(i);
  }
  return -1;
}

void add_arithmetic(Table& t) {
  add(t, Op::s_add_u32, [](u32 a, u32 b, u32& scc) {
    const u32 d = a + b;
    scc = d < a;
    return d;
  });
  add(t, Op::s_sub_u32, [](u32 a, u32 b, u32& scc) {
    scc = a < b;
    return a - b;
  });
  add(t, Op::s_add_i32, [](u32 a, u32 b, u32& scc) {
    const u32 d = a + b;
    scc = ((d ^ a) & (d ^ b)) >> 31;
    return d;
  });
  add(t, Op::s_sub_i32, [](u32 a, u32 b, u32& scc) {
    const u32 d = a - b;
    scc = ((a ^ b) & (a ^ d)) >> 31;
    return d;
  });
  add(t, Op::s_addc_u32, [](u32 a, u32 b, u32& scc) {
    const u64 d = static_cast<u64>(a) + b + scc;
    scc = static_cast<u32>(d >> 32);
    return static_cast<u32>(d);
  });
  add(t, Op::s_subb_u32, [](u32 a, u32 b, u32& scc) {
    const u64 d = static_cast<u64>(a) - b - scc;
    scc = static_cast<u32>(d >> 32) & 1;
    return static_cast<u32>(d);
  });
  add(t, Op::s_mul_i32, [](u32 a, u32 b) { return a * b; });
  add(t, Op::s_mul_hi_u32, [](u32 a, u32 b) { return static_cast<u32>(static_cast<u64>(a) * b >> 32); });
  add(t, Op::s_mul_hi_i32,
      [](i32 a, i32 b) { return static_cast<u32>(static_cast<u64>(static_cast<i64>(a) * b) >> 32); });
  add(t, Op::s_min_i32, [](i32 a, i32 b, u32& scc) {
    scc = a < b;
    return a < b ? a : b;
  });
  add(t, Op::s_min_u32, [](u32 a, u32 b, u32& scc) {
    scc = a < b;
    return a < b ? a : b;
  });
  add(t, Op::s_max_i32, [](i32 a, i32 b, u32& scc) {
    scc = a >= b;
    return a >= b ? a : b;
  });
  add(t, Op::s_max_u32, [](u32 a, u32 b, u32& scc) {
    scc = a >= b;
    return a >= b ? a : b;
  });
  add(t, Op::s_abs_i32, [](u32 a, u32& scc) {
    const u32 d = static_cast<i32>(a) < 0 ? 0 - a : a;
    scc = d != 0;
    return d;
  });
  add(t, Op::s_absdiff_i32, [](u32 a, u32 b, u32& scc) {
    const u32 difference = a - b;
    const u32 d = static_cast<i32>(difference) < 0 ? 0 - difference : difference;
    scc = d != 0;
    return d;
  });
  add_rmw(t, Op::s_addk_i32, [](u32 k, u32 a, u32& scc) {
    const u32 d = a + k;
    scc = ((d ^ a) & (d ^ k)) >> 31;
    return d;
  });
  add_rmw(t, Op::s_mulk_i32, [](u32 k, u32 a) { return a * k; });
  add(t, Op::s_lshl1_add_u32, [](u32 a, u32 b, u32& scc) {
    const u64 d = (static_cast<u64>(a) << 1) + b;
    scc = d >> 32 != 0;
    return static_cast<u32>(d);
  });
  add(t, Op::s_lshl2_add_u32, [](u32 a, u32 b, u32& scc) {
    const u64 d = (static_cast<u64>(a) << 2) + b;
    scc = d >> 32 != 0;
    return static_cast<u32>(d);
  });
  add(t, Op::s_lshl3_add_u32, [](u32 a, u32 b, u32& scc) {
    const u64 d = (static_cast<u64>(a) << 3) + b;
    scc = d >> 32 != 0;
    return static_cast<u32>(d);
  });
  add(t, Op::s_lshl4_add_u32, [](u32 a, u32 b, u32& scc) {
    const u64 d = (static_cast<u64>(a) << 4) + b;
    scc = d >> 32 != 0;
    return static_cast<u32>(d);
  });
}

void add_logic(Table& t) {
  add(t, Op::s_and_b32, [](u32 a, u32 b, u32& scc) {
    const u32 d = a & b;
    scc = d != 0;
    return d;
  });
  add(t, Op::s_and_b64, [](u64 a, u64 b, u32& scc) {
    const u64 d = a & b;
    scc = d != 0;
    return d;
  });
  add(t, Op::s_or_b32, [](u32 a, u32 b, u32& scc) {
    const u32 d = a | b;
    scc = d != 0;
    return d;
  });
  add(t, Op::s_or_b64, [](u64 a, u64 b, u32& scc) {
    const u64 d = a | b;
    scc = d != 0;
    return d;
  });
  add(t, Op::s_xor_b32, [](u32 a, u32 b, u32& scc) {
    const u32 d = a ^ b;
    scc = d != 0;
    return d;
  });
  add(t, Op::s_xor_b64, [](u64 a, u64 b, u32& scc) {
    const u64 d = a ^ b;
    scc = d != 0;
    return d;
  });
  add(t, Op::s_nand_b32, [](u32 a, u32 b, u32& scc) {
    const u32 d = ~(a & b);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_nand_b64, [](u64 a, u64 b, u32& scc) {
    const u64 d = ~(a & b);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_nor_b32, [](u32 a, u32 b, u32& scc) {
    const u32 d = ~(a | b);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_nor_b64, [](u64 a, u64 b, u32& scc) {
    const u64 d = ~(a | b);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_xnor_b32, [](u32 a, u32 b, u32& scc) {
    const u32 d = ~(a ^ b);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_xnor_b64, [](u64 a, u64 b, u32& scc) {
    const u64 d = ~(a ^ b);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_and_not1_b32, [](u32 a, u32 b, u32& scc) {
    const u32 d = a & ~b;
    scc = d != 0;
    return d;
  });
  add(t, Op::s_and_not1_b64, [](u64 a, u64 b, u32& scc) {
    const u64 d = a & ~b;
    scc = d != 0;
    return d;
  });
  add(t, Op::s_or_not1_b32, [](u32 a, u32 b, u32& scc) {
    const u32 d = a | ~b;
    scc = d != 0;
    return d;
  });
  add(t, Op::s_or_not1_b64, [](u64 a, u64 b, u32& scc) {
    const u64 d = a | ~b;
    scc = d != 0;
    return d;
  });
  add(t, Op::s_not_b32, [](u32 a, u32& scc) {
    scc = ~a != 0;
    return ~a;
  });
  add(t, Op::s_not_b64, [](u64 a, u32& scc) {
    scc = ~a != 0;
    return ~a;
  });
  add(t, Op::s_wqm_b32, [](u32 a, u32& scc) {
    const u32 d = static_cast<u32>(whole_quads(a));
    scc = d != 0;
    return d;
  });
  add(t, Op::s_wqm_b64, [](u64 a, u32& scc) {
    const u64 d = whole_quads(a);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_quadmask_b32, [](u32 a, u32& scc) {
    const u32 d = static_cast<u32>(quad_bits(a));
    scc = d != 0;
    return d;
  });
  add(t, Op::s_quadmask_b64, [](u64 a, u32& scc) {
    const u64 d = quad_bits(a);
    scc = d != 0;
    return d;
  });
}

void add_shifts_and_fields(Table& t) {
  add(t, Op::s_lshl_b32, [](u32 a, u32 b, u32& scc) {
    const u32 d = a << (b & 31);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_lshl_b64, [](u64 a, u32 b, u32& scc) {
    const u64 d = a << (b & 63);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_lshr_b32, [](u32 a, u32 b, u32& scc) {
    const u32 d = a >> (b & 31);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_lshr_b64, [](u64 a, u32 b, u32& scc) {
    const u64 d = a >> (b & 63);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_ashr_i32, [](i32 a, u32 b, u32& scc) {
    const i32 d = a >> (b & 31);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_ashr_i64, [](i64 a, u32 b, u32& scc) {
    const i64 d = a >> (b & 63);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_bfm_b32, [](u32 a, u32 b) { return ((1u << (a & 31)) - 1) << (b & 31); });
  add(t, Op::s_bfm_b64, [](u32 a, u32 b) { return ((1ull << (a & 63)) - 1) << (b & 63); });
  add(t, Op::s_bfe_u32, [](u32 a, u32 b, u32& scc) {
    const u32 d = bfe_u32(a, b);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_bfe_i32, [](i32 a, u32 b, u32& scc) {
    const i32 d = bfe_i32(a, b);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_bfe_u64, [](u64 a, u32 b, u32& scc) {
    const u64 d = bfe_u64(a, b);
    scc = d != 0;
    return d;
  });
  add(t, Op::s_bfe_i64, [](i64 a, u32 b, u32& scc) {
    const i64 d = bfe_i64(a, b);
    scc = d != 0;
    return d;
  });
  add_rmw(t, Op::s_bitset0_b32, [](u32 bit, u32 old) { return old & ~(1u << (bit & 31)); });
  add_rmw(t, Op::s_bitset1_b32, [](u32 bit, u32 old) { return old | 1u << (bit & 31); });
  add_rmw(t, Op::s_bitset0_b64, [](u32 bit, u64 old) { return old & ~(1ull << (bit & 63)); });
  add_rmw(t, Op::s_bitset1_b64, [](u32 bit, u64 old) { return old | 1ull << (bit & 63); });
  add(t, Op::s_bitreplicate_b64_b32, [](u32 a) {
    u64 d = 0;
    for (unsigned i = 0; i < 32; ++i) d |= (a >> i & 1 ? expand_mask(3, 2 * i) : 0);
    return d;
  });
  add(t, Op::s_brev_b32, [](u32 a) { return reverse32(a); });
  add(t, Op::s_brev_b64, [](u64 a) { return reverse64(a); });
  add(t, Op::s_sext_i32_i8, [](u32 a) { return static_cast<i32>(static_cast<std::int8_t>(a)); });
  add(t, Op::s_sext_i32_i16, [](u32 a) { return static_cast<i32>(static_cast<std::int16_t>(a)); });
  add(t, Op::s_pack_ll_b32_b16, [](u32 a, u32 b) { return (a & 0xffff) | b << 16; });
  add(t, Op::s_pack_lh_b32_b16, [](u32 a, u32 b) { return (a & 0xffff) | (b & 0xffff0000); });
  add(t, Op::s_pack_hh_b32_b16, [](u32 a, u32 b) { return a >> 16 | (b & 0xffff0000); });
  add(t, Op::s_pack_hl_b32_b16, [](u32 a, u32 b) { return a >> 16 | b << 16; });
}

void add_counts(Table& t) {
  add(t, Op::s_bcnt0_i32_b32, [](u32 a, u32& scc) {
    const u32 d = 32 - static_cast<u32>(std::popcount(a));
    scc = d != 0;
    return d;
  });
  add(t, Op::s_bcnt0_i32_b64, [](u64 a, u32& scc) {
    const u32 d = 64 - static_cast<u32>(std::popcount(a));
    scc = d != 0;
    return d;
  });
  add(t, Op::s_bcnt1_i32_b32, [](u32 a, u32& scc) {
    const u32 d = static_cast<u32>(std::popcount(a));
    scc = d != 0;
    return d;
  });
  add(t, Op::s_bcnt1_i32_b64, [](u64 a, u32& scc) {
    const u32 d = static_cast<u32>(std::popcount(a));
    scc = d != 0;
    return d;
  });
  add(t, Op::s_ctz_i32_b32, [](u32 a) { return a == 0 ? ~0u : static_cast<u32>(std::countr_zero(a)); });
  add(t, Op::s_ctz_i32_b64, [](u64 a) { return a == 0 ? ~0u : static_cast<u32>(std::countr_zero(a)); });
  add(t, Op::s_clz_i32_u32, [](u32 a) { return a == 0 ? ~0u : static_cast<u32>(std::countl_zero(a)); });
  add(t, Op::s_clz_i32_u64, [](u64 a) { return a == 0 ? ~0u : static_cast<u32>(std::countl_zero(a)); });
  add(t, Op::s_cls_i32, [](i32 a) { return sign_run(a, 32); });
  add(t, Op::s_cls_i32_i64, [](i64 a) { return sign_run(a, 64); });
}

void add_moves_and_selects(Table& t) {
  add(t, Op::s_mov_b32, [](u32 a) { return a; });
  add(t, Op::s_mov_b64, [](u64 a) { return a; });
  add(t, Op::s_movk_i32, [](u32 k) { return k; });
  add(t, Op::s_cselect_b32, [](u32 a, u32 b, u32& scc) { return scc ? a : b; });
  add(t, Op::s_cselect_b64, [](u64 a, u64 b, u32& scc) { return scc ? a : b; });
  add_rmw(t, Op::s_cmov_b32, [](u32 a, u32 old, u32& scc) { return scc ? a : old; });
  add_rmw(t, Op::s_cmov_b64, [](u64 a, u64 old, u32& scc) { return scc ? a : old; });
  add_rmw(t, Op::s_cmovk_i32, [](u32 a, u32 old, u32& scc) { return scc ? a : old; });
}

void add_compares(Table& t) {
  add(t, Op::s_cmp_eq_i32, [](u32 a, u32 b, u32& scc) { scc = a == b; });
  add(t, Op::s_cmp_lg_i32, [](u32 a, u32 b, u32& scc) { scc = a != b; });
  add(t, Op::s_cmp_gt_i32, [](i32 a, i32 b, u32& scc) { scc = a > b; });
  add(t, Op::s_cmp_ge_i32, [](i32 a, i32 b, u32& scc) { scc = a >= b; });
  add(t, Op::s_cmp_lt_i32, [](i32 a, i32 b, u32& scc) { scc = a < b; });
  add(t, Op::s_cmp_le_i32, [](i32 a, i32 b, u32& scc) { scc = a <= b; });
  add(t, Op::s_cmp_eq_u32, [](u32 a, u32 b, u32& scc) { scc = a == b; });
  add(t, Op::s_cmp_lg_u32, [](u32 a, u32 b, u32& scc) { scc = a != b; });
  add(t, Op::s_cmp_gt_u32, [](u32 a, u32 b, u32& scc) { scc = a > b; });
  add(t, Op::s_cmp_ge_u32, [](u32 a, u32 b, u32& scc) { scc = a >= b; });
  add(t, Op::s_cmp_lt_u32, [](u32 a, u32 b, u32& scc) { scc = a < b; });
  add(t, Op::s_cmp_le_u32, [](u32 a, u32 b, u32& scc) { scc = a <= b; });
  add(t, Op::s_cmp_eq_u64, [](u64 a, u64 b, u32& scc) { scc = a == b; });
  add(t, Op::s_cmp_lg_u64, [](u64 a, u64 b, u32& scc) { scc = a != b; });
  add(t, Op::s_cmpk_eq_i32, [](u32 a, u32 k, u32& scc) { scc = a == k; });
  add(t, Op::s_cmpk_lg_i32, [](u32 a, u32 k, u32& scc) { scc = a != k; });
  add(t, Op::s_cmpk_gt_i32, [](i32 a, i32 k, u32& scc) { scc = a > k; });
  add(t, Op::s_cmpk_ge_i32, [](i32 a, i32 k, u32& scc) { scc = a >= k; });
  add(t, Op::s_cmpk_lt_i32, [](i32 a, i32 k, u32& scc) { scc = a < k; });
  add(t, Op::s_cmpk_le_i32, [](i32 a, i32 k, u32& scc) { scc = a <= k; });
  // The unsigned forms take simm16 zero-extended.
  add(t, Op::s_cmpk_eq_u32, [](u32 a, u32 k, u32& scc) { scc = a == (k & 0xffff); });
  add(t, Op::s_cmpk_lg_u32, [](u32 a, u32 k, u32& scc) { scc = a != (k & 0xffff); });
  add(t, Op::s_cmpk_gt_u32, [](u32 a, u32 k, u32& scc) { scc = a > (k & 0xffff); });
  add(t, Op::s_cmpk_ge_u32, [](u32 a, u32 k, u32& scc) { scc = a >= (k & 0xffff); });
  add(t, Op::s_cmpk_lt_u32, [](u32 a, u32 k, u32& scc) { scc = a < (k & 0xffff); });
  add(t, Op::s_cmpk_le_u32, [](u32 a, u32 k, u32& scc) { scc = a <= (k & 0xffff); });
  add(t, Op::s_bitcmp0_b32, [](u32 a, u32 b, u32& scc) { scc = !(a >> (b & 31) & 1); });
  add(t, Op::s_bitcmp1_b32, [](u32 a, u32 b, u32& scc) { scc = a >> (b & 31) & 1; });
  add(t, Op::s_bitcmp0_b64, [](u64 a, u32 b, u32& scc) { scc = !(a >> (b & 63) & 1); });
  add(t, Op::s_bitcmp1_b64, [](u64 a, u32 b, u32& scc) { scc = a >> (b & 63) & 1; });
}

Table make_table() {
  Table table{};
  add_arithmetic(table);
  add_logic(table);
  add_shifts_and_fields(table);
  add_counts(table);
  add_moves_and_selects(table);
  add_compares(table);
  return table;
}

}  // namespace

const ScalarEntry& scalar_entry(Op op) {
  static const Table table = make_table();
  return table[static_cast<std::size_t>(op)];
}

}  // namespace mockgpu::emu::amd
