// Vector ALU, 32-bit integers: arithmetic, logic, shifts, bit fields, bytes.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/integer.h"
#include "emu/amd/wave/numerics/minmax.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static constexpr VectorRow kIntegerRows[] = {
    hot(Op::v_mov_b32, [](U32 a) { return a; }),
    hot(Op::v_cndmask_b32, [](U32 a, U32 b, Bit bit) { return bit.choose(b, a); }),

    hot(Op::v_add_nc_u32, [](U32 a, U32 b) { return a + b; }),
    hot(Op::v_sub_nc_u32, [](U32 a, U32 b) { return a - b; }),
    hot(Op::v_subrev_nc_u32, [](U32 a, U32 b) { return b - a; }),
    {Op::v_add_nc_i32, [](U32 a, U32 b) { return a + b; }},
    {Op::v_sub_nc_i32, [](U32 a, U32 b) { return a - b; }},
    hot(Op::v_mul_lo_u32, [](U32 a, U32 b) { return a * b; }),
    hot(Op::v_mul_u32_u24, [](U32 a, U32 b) { return mul_u32_u24(a, b); }),
    {Op::v_mul_hi_u32_u24, [](U32 a, U32 b) { return mul_hi_u32_u24(a, b); }},
    {Op::v_mul_i32_i24, [](U32 a, U32 b) { return mul_i32_i24(a, b); }},
    {Op::v_mul_hi_i32_i24, [](U32 a, U32 b) { return mul_hi_i32_i24(a, b); }},
    hot(Op::v_mad_u32_u24, [](U32 a, U32 b, U32 c) { return mad_u32_u24(a, b, c); }),
    {Op::v_mad_i32_i24, [](U32 a, U32 b, U32 c) { return mad_i32_i24(a, b, c); }},
    {Op::v_mad_u32_u16, [](U16 a, U16 b, U32 c) { return mad_u32_u16(a, b, c); }},
    {Op::v_mad_i32_i16, [](U16 a, U16 b, U32 c) { return mad_i32_i16(a, b, c); }},
    hot(Op::v_add3_u32, [](U32 a, U32 b, U32 c) { return a + b + c; }),
    hot(Op::v_lshl_add_u32, [](U32 a, U32 b, U32 c) { return lshl_add_u32(a, b, c); }),
    hot(Op::v_add_lshl_u32, [](U32 a, U32 b, U32 c) { return add_lshl_u32(a, b, c); }),
    hot(Op::v_xad_u32, [](U32 a, U32 b, U32 c) { return xad_u32(a, b, c); }),

    hot(Op::v_and_b32, [](U32 a, U32 b) { return a & b; }),
    hot(Op::v_or_b32, [](U32 a, U32 b) { return a | b; }),
    hot(Op::v_xor_b32, [](U32 a, U32 b) { return a ^ b; }),
    {Op::v_xnor_b32, [](U32 a, U32 b) { return ~(a ^ b); }},
    {Op::v_not_b32, [](U32 a) { return ~a; }},
    hot(Op::v_and_or_b32, [](U32 a, U32 b, U32 c) { return (a & b) | c; }),
    hot(Op::v_or3_b32, [](U32 a, U32 b, U32 c) { return a | b | c; }),
    hot(Op::v_xor3_b32, [](U32 a, U32 b, U32 c) { return a ^ b ^ c; }),
    hot(Op::v_lshl_or_b32, [](U32 a, U32 b, U32 c) { return lshl_or_b32(a, b, c); }),

    hot(Op::v_lshlrev_b32, [](U32 n, U32 x) { return lshl_b32(x, n); }),
    hot(Op::v_lshrrev_b32, [](U32 n, U32 x) { return lshr_b32(x, n); }),
    hot(Op::v_ashrrev_i32, [](U32 n, U32 x) { return ashr_i32(x, n); }),
    hot(Op::v_alignbit_b32, [](U32 a, U32 b, U32 c) { return alignbit_b32(a, b, c); }),
    {Op::v_alignbyte_b32, [](U32 a, U32 b, U32 c) { return alignbyte_b32(a, b, c); }},

    hot(Op::v_bfe_u32, [](U32 a, U32 b, U32 c) { return bfe_u32(a, b, c); }),
    {Op::v_bfe_i32, [](U32 a, U32 b, U32 c) { return bfe_i32(a, b, c); }},
    hot(Op::v_bfi_b32, [](U32 a, U32 b, U32 c) { return bfi_b32(a, b, c); }),
    {Op::v_bfm_b32, [](U32 a, U32 b) { return bfm_b32(a, b); }},
    {Op::v_bfrev_b32, [](U32 a) { return bfrev_b32(a); }},
    {Op::v_clz_i32_u32, [](U32 a) { return clz_i32_u32(a); }},
    {Op::v_ctz_i32_b32, [](U32 a) { return ctz_i32_b32(a); }},
    {Op::v_cls_i32, [](U32 a) { return cls_i32(a); }},
    hot(Op::v_bcnt_u32_b32, [](U32 a, U32 b) { return bcnt_u32_b32(a, b); }),
    hot(Op::v_mbcnt_lo_u32_b32,
        [](U32 a, U32 b, LaneNumber lane) { return mbcnt_lo_u32_b32(a, b, lane.value); }),
    hot(Op::v_mbcnt_hi_u32_b32,
        [](U32 a, U32 b, LaneNumber lane) { return mbcnt_hi_u32_b32(a, b, lane.value); }),

    hot(Op::v_min_i32, [](I32 a, I32 b) { return min_int(a, b); }),
    hot(Op::v_max_i32, [](I32 a, I32 b) { return max_int(a, b); }),
    hot(Op::v_min_u32, [](U32 a, U32 b) { return min_int(a, b); }),
    hot(Op::v_max_u32, [](U32 a, U32 b) { return max_int(a, b); }),
    {Op::v_min3_i32, [](I32 a, I32 b, I32 c) { return min3_int(a, b, c); }},
    {Op::v_max3_i32, [](I32 a, I32 b, I32 c) { return max3_int(a, b, c); }},
    {Op::v_med3_i32, [](I32 a, I32 b, I32 c) { return med3_int(a, b, c); }},
    {Op::v_min3_u32, [](U32 a, U32 b, U32 c) { return min3_int(a, b, c); }},
    {Op::v_max3_u32, [](U32 a, U32 b, U32 c) { return max3_int(a, b, c); }},
    {Op::v_med3_u32, [](U32 a, U32 b, U32 c) { return med3_int(a, b, c); }},
    {Op::v_maxmin_i32, [](I32 a, I32 b, I32 c) { return min_int(max_int(a, b), c); }},
    {Op::v_minmax_i32, [](I32 a, I32 b, I32 c) { return max_int(min_int(a, b), c); }},
    {Op::v_maxmin_u32, [](U32 a, U32 b, U32 c) { return min_int(max_int(a, b), c); }},
    {Op::v_minmax_u32, [](U32 a, U32 b, U32 c) { return max_int(min_int(a, b), c); }},

    {Op::v_lerp_u8, [](U32 a, U32 b, U32 c) { return lerp_u8(a, b, c); }},
    {Op::v_sad_u8, [](U32 a, U32 b, U32 c) { return sad_u8(a, b, c); }},
    {Op::v_sad_hi_u8, [](U32 a, U32 b, U32 c) { return sad_hi_u8(a, b, c); }},
    {Op::v_sad_u16, [](U32 a, U32 b, U32 c) { return sad_u16(a, b, c); }},
    {Op::v_sad_u32, [](U32 a, U32 b, U32 c) { return sad_u32(a, b, c); }},
    {Op::v_msad_u8, [](U32 a, U32 b, U32 c) { return msad_u8(a, b, c); }},
    {Op::v_sat_pk_u8_i16, [](U32 a) { return static_cast<U16>(sat_pk_u8_i16(a)); }},
    {Op::v_cvt_pk_u16_u32, [](U32 a, U32 b) { return cvt_pk_u16_u32(a, b); }},
    {Op::v_cvt_pk_i16_i32, [](U32 a, U32 b) { return cvt_pk_i16_i32(a, b); }},
};
const VectorChapter kIntegerOps = chapter(kIntegerRows);

static constexpr VectorRow kSaturatingIntegerRows[] = {
    {Op::v_add_nc_u32, [](U32 a, U32 b) { return add_u32_sat(a, b); }},
    {Op::v_sub_nc_u32, [](U32 a, U32 b) { return sub_u32_sat(a, b); }},
    {Op::v_subrev_nc_u32, [](U32 a, U32 b) { return sub_u32_sat(b, a); }},
    {Op::v_add_nc_i32, [](U32 a, U32 b) { return add_i32_sat(a, b); }},
    {Op::v_sub_nc_i32, [](U32 a, U32 b) { return sub_i32_sat(a, b); }},
    {Op::v_mad_u32_u24, [](U32 a, U32 b, U32 c) { return mad_u32_u24_sat(a, b, c); }},
    {Op::v_mad_i32_i24, [](U32 a, U32 b, U32 c) { return mad_i32_i24_sat(a, b, c); }},
    {Op::v_mad_u32_u16, [](U16 a, U16 b, U32 c) { return mad_u32_u16_sat(a, b, c); }},
    {Op::v_mad_i32_i16, [](U16 a, U16 b, U32 c) { return mad_i32_i16_sat(a, b, c); }},
};
const VectorChapter kSaturatingIntegerOps = chapter(kSaturatingIntegerRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
