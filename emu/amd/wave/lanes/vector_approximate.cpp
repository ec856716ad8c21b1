// Vector ALU, the transcendental unit: f32 and f16. These bodies need MXCSR to round to nearest.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/approx.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static constexpr auto kPlain = Environment::plain;

static constexpr VectorRow kApproximateRows[] = {
    in_environment<kPlain>(Op::v_rcp_f32, [](F32 a) { return rcp(a); }),
    in_environment<kPlain>(Op::v_rcp_iflag_f32, [](F32 a) { return rcp_iflag(a); }),
    in_environment<kPlain>(Op::v_rsq_f32, [](F32 a) { return rsq(a); }),
    in_environment<kPlain>(Op::v_sqrt_f32, [](F32 a) { return sqrt(a); }),
    in_environment<kPlain>(Op::v_exp_f32, [](F32 a) { return exp(a); }),
    in_environment<kPlain>(Op::v_log_f32, [](F32 a) { return log(a); }),
    in_environment<kPlain>(Op::v_sin_f32, [](BitsF32 a) { return BitsF32{sin(a.value)}; }),
    in_environment<kPlain>(Op::v_cos_f32, [](BitsF32 a) { return BitsF32{cos(a.value)}; }),
    {Op::v_rcp_f16, [](F16 a) { return rcp(a); }},
    {Op::v_rsq_f16, [](F16 a) { return rsq(a); }},
    {Op::v_sqrt_f16, [](F16 a) { return sqrt(a); }},
    {Op::v_exp_f16, [](F16 a) { return exp(a); }},
    {Op::v_log_f16, [](F16 a) { return log(a); }},
    {Op::v_sin_f16, [](F16 a) { return sin(a); }},
    {Op::v_cos_f16, [](F16 a) { return cos(a); }},
};
const VectorChapter kApproximateOps = chapter(kApproximateRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
