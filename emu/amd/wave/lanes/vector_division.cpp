// Vector ALU, the steps of division and of trigonometric reduction.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/division.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static constexpr VectorRow kDivisionRows[] = {
    {Op::v_div_scale_f32,
     [](BitsF32 a, BitsF32 b, BitsF32 c) {
       const DivScale<F32> scaled = div_scale(a.value, b.value, c.value);
       return WithBit<F32>{scaled.value, scaled.post_scale};
     }},
    {Op::v_div_scale_f64,
     [](BitsF64 a, BitsF64 b, BitsF64 c) {
       const DivScale<F64> scaled = div_scale(a.value, b.value, c.value);
       return WithBit<F64>{scaled.value, scaled.post_scale};
     }},
    {Op::v_div_fmas_f32, [](F32 a, F32 b, F32 c, Bit scale) { return div_fmas(a, b, c, scale.set); }},
    {Op::v_div_fmas_f64, [](F64 a, F64 b, F64 c, Bit scale) { return div_fmas(a, b, c, scale.set); }},
    {Op::v_div_fixup_f32,
     [](BitsF32 a, BitsF32 b, BitsF32 c) { return BitsF32{div_fixup(a.value, b.value, c.value)}; }},
    {Op::v_div_fixup_f64,
     [](BitsF64 a, BitsF64 b, BitsF64 c) { return BitsF64{div_fixup(a.value, b.value, c.value)}; }},
    {Op::v_div_fixup_f16, [](F16 a, F16 b, F16 c) { return div_fixup(a, b, c); }},
    {Op::v_trig_preop_f64, [](F64 a, U32 segment) { return trig_preop(a, segment); }},
};
const VectorChapter kDivisionOps = chapter(kDivisionRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
