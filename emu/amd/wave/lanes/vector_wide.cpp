// Vector ALU, integers of 64 bits and with carry.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/integer.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static constexpr auto kAddCarry = [](U32 a, U32 b, Bit carry) {
  const U32 sum = a + b;
  const U32 all = sum + (carry.set ? 1u : 0u);
  return WithBit<U32>{all, ((sum < a) | (all < sum)) != 0};
};
static constexpr auto kSubBorrow = [](U32 a, U32 b, Bit borrow) {
  const U32 difference = a - b;
  const U32 all = difference - (borrow.set ? 1u : 0u);
  return WithBit<U32>{all, ((a < b) | (difference < all)) != 0};
};

// Shifts on dwords vectorise better than on their 64-bit value.
static constexpr auto kShiftLeft64 = [](U32 count, Pair x) {
  const U32 n = count & 31;
  const U32 carried = (x.low >> 1) >> (31 - n);
  const bool whole = (count & 32) != 0;
  return Pair{whole ? 0 : x.low << n, whole ? x.low << n : (x.high << n) | carried};
};
static constexpr auto kShiftRight64 = [](U32 count, Pair x) {
  const U32 n = count & 31;
  const U32 carried = (x.high << 1) << (31 - n);
  const bool whole = (count & 32) != 0;
  return Pair{whole ? x.high >> n : (x.low >> n) | carried, whole ? 0 : x.high >> n};
};
static constexpr auto kShiftRightSigned64 = [](U32 count, Pair x) {
  const U32 n = count & 31;
  const U32 carried = (x.high << 1) << (31 - n);
  const bool whole = (count & 32) != 0;
  const U32 shifted = ashr_i32(x.high, n);
  return Pair{whole ? shifted : (x.low >> n) | carried, whole ? ashr_i32(x.high, 31) : shifted};
};

static constexpr VectorRow kWideRows[] = {
    hot(Op::v_add_co_u32,
        [](U32 a, U32 b) {
          return WithBit<U32>{a + b, a + b < a};
        }),
    hot(Op::v_sub_co_u32,
        [](U32 a, U32 b) {
          return WithBit<U32>{a - b, a < b};
        }),
    hot(Op::v_subrev_co_u32,
        [](U32 a, U32 b) {
          return WithBit<U32>{b - a, b < a};
        }),
    hot(Op::v_add_co_ci_u32, kAddCarry),
    hot(Op::v_sub_co_ci_u32, kSubBorrow),
    hot(Op::v_subrev_co_ci_u32, [](U32 a, U32 b, Bit borrow) { return kSubBorrow(b, a, borrow); }),

    hot(Op::v_lshlrev_b64, kShiftLeft64),
    hot(Op::v_lshrrev_b64, kShiftRight64),
    hot(Op::v_ashrrev_i64, kShiftRightSigned64),

    {Op::v_qsad_pk_u16_u8, [](U64 a, U32 b, U64 c) { return qsad_pk_u16_u8(a, b, c); }},
    {Op::v_mqsad_pk_u16_u8, [](U64 a, U32 b, U64 c) { return mqsad_pk_u16_u8(a, b, c); }},
};
const VectorChapter kWideOps = chapter(kWideRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
