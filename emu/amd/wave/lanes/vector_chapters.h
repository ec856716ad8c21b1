#pragma once
// The chapters of the vector ALU's table and what else a level has.
#include "emu/amd/wave/lanes/lane_handlers.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

extern const VectorChapter kIntegerOps;
extern const VectorChapter kFloatOps;
extern const VectorSteps kVectorSteps;

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
