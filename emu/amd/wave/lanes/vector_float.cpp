// Vector ALU, f32 arithmetic.
#include "emu/amd/wave/lanes/float_handlers.h"
#include "emu/amd/wave/lanes/vector_chapters.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static constexpr auto kFma = [](auto a, auto b, auto c) { return fused(a, b, c); };

static constexpr VectorRow kRows[] = {
    float2(Op::v_add_f32, [](auto a, auto b) { return a + b; }),
    float2(Op::v_sub_f32, [](auto a, auto b) { return a - b; }),
    float2(Op::v_subrev_f32, [](auto a, auto b) { return b - a; }),
    float2(Op::v_mul_f32, [](auto a, auto b) { return a * b; }),
    float3(Op::v_fma_f32, kFma),
    float3(Op::v_fmac_f32, kFma),
    float3(Op::v_fmaak_f32, kFma),
    float3(Op::v_fmamk_f32, kFma),
};
const VectorChapter kFloatOps = chapter(kRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
