// Vector ALU, 32-bit integers: arithmetic, logic, shifts, bit fields.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/integer.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static constexpr VectorRow kRows[] = {
    hot(Op::v_mov_b32, [](U32 a) { return a; }),
    hot(Op::v_add_nc_u32, [](U32 a, U32 b) { return a + b; }),
    hot(Op::v_mul_lo_u32, [](U32 a, U32 b) { return a * b; }),
    hot(Op::v_xor_b32, [](U32 a, U32 b) { return a ^ b; }),
    hot(Op::v_lshrrev_b32, [](U32 n, U32 x) { return lshr_b32(x, n); }),
    hot(Op::v_cmp_eq_u32, [](U32 a, U32 b) { return a == b; }),
    hot(Op::v_add_co_u32,
        [](U32 a, U32 b) {
          return WithBit<U32>{a + b, a + b < a};
        }),
    hot(Op::v_bfe_u32, [](U32 a, U32 b, U32 c) { return bfe_u32(a, b, c); }),
    hot(Op::v_lshlrev_b64, [](U32 n, U64 x) { return lshl_b64(x, n); }),
    hot(Op::v_mad_u64_u32,
        [](U32 a, U32 b, U64 c) {
          const WideResult wide = mad_u64_u32(a, b, c);
          return WithBit<U64>{wide.value, wide.carry};
        }),
};
const VectorChapter kIntegerOps = chapter(kRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
