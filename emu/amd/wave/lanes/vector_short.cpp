// Vector ALU, 16-bit integers.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/integer.h"
#include "emu/amd/wave/numerics/minmax.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static constexpr VectorRow kShortRows[] = {
    {Op::v_mov_b16, [](U16 a) { return a; }},
    {Op::v_cndmask_b16, [](U16 a, U16 b, Bit bit) { return static_cast<U16>(bit.choose(b, a)); }},
    {Op::v_not_b16, [](U16 a) { return static_cast<U16>(~a); }},
    {Op::v_and_b16, [](U16 a, U16 b) { return static_cast<U16>(a & b); }},
    {Op::v_or_b16, [](U16 a, U16 b) { return static_cast<U16>(a | b); }},
    {Op::v_xor_b16, [](U16 a, U16 b) { return static_cast<U16>(a ^ b); }},
    {Op::v_lshlrev_b16, [](U16 n, U16 x) { return lshl_b16(x, n); }},
    {Op::v_lshrrev_b16, [](U16 n, U16 x) { return lshr_b16(x, n); }},
    {Op::v_ashrrev_i16, [](U16 n, U16 x) { return ashr_i16(x, n); }},
    {Op::v_add_nc_u16, [](U16 a, U16 b) { return add_u16(a, b); }},
    {Op::v_sub_nc_u16, [](U16 a, U16 b) { return sub_u16(a, b); }},
    {Op::v_add_nc_i16, [](U16 a, U16 b) { return add_u16(a, b); }},
    {Op::v_sub_nc_i16, [](U16 a, U16 b) { return sub_u16(a, b); }},
    {Op::v_mul_lo_u16, [](U16 a, U16 b) { return mul_lo_u16(a, b); }},
    {Op::v_mad_u16, [](U16 a, U16 b, U16 c) { return mad_u16(a, b, c); }},
    {Op::v_mad_i16, [](U16 a, U16 b, U16 c) { return mad_u16(a, b, c); }},
    {Op::v_min_u16, [](U16 a, U16 b) { return min_int(a, b); }},
    {Op::v_max_u16, [](U16 a, U16 b) { return max_int(a, b); }},
    {Op::v_min_i16, [](I16 a, I16 b) { return min_int(a, b); }},
    {Op::v_max_i16, [](I16 a, I16 b) { return max_int(a, b); }},
    {Op::v_min3_u16, [](U16 a, U16 b, U16 c) { return min3_int(a, b, c); }},
    {Op::v_max3_u16, [](U16 a, U16 b, U16 c) { return max3_int(a, b, c); }},
    {Op::v_med3_u16, [](U16 a, U16 b, U16 c) { return med3_int(a, b, c); }},
    {Op::v_min3_i16, [](I16 a, I16 b, I16 c) { return min3_int(a, b, c); }},
    {Op::v_max3_i16, [](I16 a, I16 b, I16 c) { return max3_int(a, b, c); }},
    {Op::v_med3_i16, [](I16 a, I16 b, I16 c) { return med3_int(a, b, c); }},
    {Op::v_pack_b32_f16, [](U16 a, U16 b) { return pack16(a, b); }},
    {Op::v_cvt_i32_i16, [](I16 a) { return I32{a}; }},
    {Op::v_cvt_u32_u16, [](U16 a) { return U32{a}; }},
};
const VectorChapter kShortOps = chapter(kShortRows);

static constexpr VectorRow kSaturatingShortRows[] = {
    {Op::v_add_nc_u16, [](U16 a, U16 b) { return add_u16_sat(a, b); }},
    {Op::v_sub_nc_u16, [](U16 a, U16 b) { return sub_u16_sat(a, b); }},
    {Op::v_add_nc_i16, [](U16 a, U16 b) { return add_i16_sat(a, b); }},
    {Op::v_sub_nc_i16, [](U16 a, U16 b) { return sub_i16_sat(a, b); }},
    {Op::v_mad_u16, [](U16 a, U16 b, U16 c) { return mad_u16_sat(a, b, c); }},
    {Op::v_mad_i16, [](U16 a, U16 b, U16 c) { return mad_i16_sat(a, b, c); }},
};
const VectorChapter kSaturatingShortOps = chapter(kSaturatingShortRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
