#pragma once
// The chapters of the vector ALU's table and what else a level has.
#include "emu/amd/wave/lanes/lane_handlers.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

extern const VectorChapter kIntegerOps;
extern const VectorChapter kWideOps;
extern const VectorChapter kMultiplyOps;
extern const VectorChapter kPermuteOps;
extern const VectorChapter kShortOps;
extern const VectorChapter kFloatOps;
extern const VectorChapter kHalfOps;
extern const VectorChapter kDoubleOps;
extern const VectorChapter kApproximateOps;
extern const VectorChapter kDivisionOps;
extern const VectorChapter kConvertOps;
extern const VectorChapter kCompareOps;
extern const VectorChapter kPackedOps;
extern const VectorChapter kDotOps;
extern const VectorChapter kMatrixOps;
extern const VectorChapter kCrossLaneOps;

// What CLAMP makes of integers: saturation.
extern const VectorChapter kSaturatingIntegerOps;
extern const VectorChapter kSaturatingShortOps;
extern const VectorChapter kSaturatingConvertOps;
extern const VectorChapter kSaturatingPackedOps;
extern const VectorChapter kSaturatingDotOps;

extern const VectorSteps kVectorSteps;

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
