// Vector ALU, conversions.
#include "emu/amd/wave/lanes/rounded.h"
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/convert.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static constexpr auto kNarrow = Environment::narrow;

static constexpr VectorRow kConvertRows[] = {
    hot(Op::v_cvt_f32_i32, [](I32 a) { return to_f32(a); }),
    hot(Op::v_cvt_f32_u32, [](U32 a) { return to_f32(a); }),
    {Op::v_cvt_i32_f32, [](F32 a) { return to_i32(a); }},
    {Op::v_cvt_u32_f32, [](F32 a) { return to_u32(a); }},
    {Op::v_cvt_nearest_i32_f32, [](F32 a) { return to_i32_nearest(a); }},
    {Op::v_cvt_floor_i32_f32, [](F32 a) { return to_i32_floor(a); }},
    {Op::v_cvt_off_f32_i4, [](U32 a) { return cvt_off_f32_i4(a); }},
    {Op::v_cvt_f32_ubyte0, [](U32 a) { return cvt_f32_ubyte(a, 0); }},
    {Op::v_cvt_f32_ubyte1, [](U32 a) { return cvt_f32_ubyte(a, 1); }},
    {Op::v_cvt_f32_ubyte2, [](U32 a) { return cvt_f32_ubyte(a, 2); }},
    {Op::v_cvt_f32_ubyte3, [](U32 a) { return cvt_f32_ubyte(a, 3); }},

    // Between f32 and f64 the f32 side sets rounding and denormals.
    in_environment<kNarrow>(Op::v_cvt_f32_f64, [](F64 a) { return to_f32(a); }),
    in_environment<kNarrow>(Op::v_cvt_f64_f32, [](F32 a) { return to_f64(a); }),
    {Op::v_cvt_f64_i32, [](I32 a) { return to_f64(a); }},
    {Op::v_cvt_f64_u32, [](U32 a) { return to_f64(a); }},
    {Op::v_cvt_i32_f64, [](F64 a) { return to_i32(a); }},
    {Op::v_cvt_u32_f64, [](F64 a) { return to_u32(a); }},

    {Op::v_cvt_f16_f32,
     [](BitsF32 a, Round round) {
       return rounded(round, [=]<Round kRound>() { return to_f16<kRound>(a.value); });
     }},
    {Op::v_cvt_f32_f16, [](F16 a) { return cvt_f32_f16(a); }},
    {Op::v_cvt_f16_i16,
     [](I16 a, Round round) { return rounded(round, [=]<Round kRound>() { return to_f16<kRound>(a); }); }},
    {Op::v_cvt_f16_u16,
     [](U16 a, Round round) { return rounded(round, [=]<Round kRound>() { return to_f16<kRound>(a); }); }},
    {Op::v_cvt_i16_f16, [](F16 a) { return to_i16(a); }},
    {Op::v_cvt_u16_f16, [](F16 a) { return to_u16(a); }},
    {Op::v_cvt_norm_i16_f16, [](F16 a) { return to_snorm16(a); }},
    {Op::v_cvt_norm_u16_f16, [](F16 a) { return to_unorm16(a); }},

    {Op::v_cvt_pk_rtz_f16_f32, [](BitsF32 a, BitsF32 b) { return cvt_pk_rtz_f16_f32(a.value, b.value); }},
    {Op::v_cvt_pk_i16_f32, [](F32 a, F32 b) { return cvt_pk_i16_f32(a, b); }},
    {Op::v_cvt_pk_u16_f32, [](F32 a, F32 b) { return cvt_pk_u16_f32(a, b); }},
    in_environment<Environment::plain>(Op::v_cvt_pk_norm_i16_f32,
                                       [](F32 a, F32 b) { return cvt_pk_norm_i16(a, b); }),
    in_environment<Environment::plain>(Op::v_cvt_pk_norm_u16_f32,
                                       [](F32 a, F32 b) { return cvt_pk_norm_u16(a, b); }),
    {Op::v_cvt_pk_norm_i16_f16, [](F16 a, F16 b) { return cvt_pk_norm_i16(a, b); }},
    {Op::v_cvt_pk_norm_u16_f16, [](F16 a, F16 b) { return cvt_pk_norm_u16(a, b); }},
    {Op::v_cvt_pk_u8_f32, [](F32 a, U32 b, U32 c) { return cvt_pk_u8_f32(a, b, c); }},
};
const VectorChapter kConvertOps = chapter(kConvertRows);

// Conversions to integers saturate with and without CLAMP.
static constexpr VectorRow kSaturatingConvertRows[] = {
    {Op::v_cvt_i32_f32, [](F32 a) { return to_i32(a); }},
    {Op::v_cvt_u32_f32, [](F32 a) { return to_u32(a); }},
    {Op::v_cvt_i32_f64, [](F64 a) { return to_i32(a); }},
    {Op::v_cvt_u32_f64, [](F64 a) { return to_u32(a); }},
    {Op::v_cvt_i16_f16, [](F16 a) { return to_i16(a); }},
    {Op::v_cvt_u16_f16, [](F16 a) { return to_u16(a); }},
};
const VectorChapter kSaturatingConvertOps = chapter(kSaturatingConvertRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
