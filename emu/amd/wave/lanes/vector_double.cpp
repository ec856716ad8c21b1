// Vector ALU, f64.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/approx.h"
#include "emu/amd/wave/numerics/arithmetic.h"
#include "emu/amd/wave/numerics/exponent.h"
#include "emu/amd/wave/numerics/minmax.h"
#include "emu/amd/wave/numerics/rounding.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static constexpr VectorRow kDoubleRows[] = {
    {Op::v_add_f64, [](F64 a, F64 b) { return add(a, b); }},
    {Op::v_mul_f64, [](F64 a, F64 b) { return mul(a, b); }},
    {Op::v_fma_f64, [](F64 a, F64 b, F64 c) { return fma(a, b, c); }},
    {Op::v_min_f64,
     [](BitsF64 a, BitsF64 b, Ieee ieee) {
       return BitsF64{ieee.on ? min_ieee(a.value, b.value) : min_num(a.value, b.value)};
     }},
    {Op::v_max_f64,
     [](BitsF64 a, BitsF64 b, Ieee ieee) {
       return BitsF64{ieee.on ? max_ieee(a.value, b.value) : max_num(a.value, b.value)};
     }},
    {Op::v_trunc_f64, [](BitsF64 a) { return BitsF64{trunc(a.value)}; }},
    {Op::v_floor_f64, [](BitsF64 a) { return BitsF64{floor(a.value)}; }},
    {Op::v_ceil_f64, [](BitsF64 a) { return BitsF64{ceil(a.value)}; }},
    {Op::v_rndne_f64, [](BitsF64 a) { return BitsF64{rndne(a.value)}; }},
    {Op::v_fract_f64, [](BitsF64 a) { return BitsF64{fract(a.value)}; }},
    {Op::v_frexp_exp_i32_f64, [](BitsF64 a) { return frexp_exp(a.value); }},
    {Op::v_frexp_mant_f64, [](BitsF64 a) { return BitsF64{frexp_mant(a.value)}; }},
    {Op::v_ldexp_f64, [](F64 a, I32 n) { return ldexp(a, n); }},
    {Op::v_rcp_f64, [](F64 a) { return rcp(a); }},
    {Op::v_rsq_f64, [](F64 a) { return rsq(a); }},
    {Op::v_sqrt_f64, [](F64 a) { return sqrt(a); }},
};
const VectorChapter kDoubleOps = chapter(kDoubleRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
