// The level's table, put together from the chapters at first use.
#include "emu/amd/wave/lanes/vector_chapters.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

template <unsigned kCount>
static void fill(const VectorEntry** entries, const VectorChapter* const (&chapters)[kCount]) {
  for (const VectorChapter* chapter : chapters) {
    for (unsigned i = 0; i < chapter->count; ++i) {
      entries[static_cast<unsigned>(chapter->rows[i].op)] = &chapter->rows[i].entry;
    }
  }
}

static VectorTable make_table() {
  VectorTable table{};
  const VectorChapter* const chapters[] = {&kIntegerOps,     &kWideOps,     &kMultiplyOps, &kPermuteOps,
                                           &kShortOps,       &kFloatOps,    &kHalfOps,     &kDoubleOps,
                                           &kApproximateOps, &kDivisionOps, &kConvertOps,  &kCompareOps,
                                           &kPackedOps,      &kDotOps,      &kMatrixOps,   &kCrossLaneOps};
  const VectorChapter* const saturating[] = {&kSaturatingIntegerOps, &kSaturatingShortOps,
                                             &kSaturatingConvertOps, &kSaturatingPackedOps,
                                             &kSaturatingDotOps};
  fill(table.entries, chapters);
  fill(table.saturating, saturating);
  table.steps = kVectorSteps;
  return table;
}

const VectorTable& vector_table() {
  static const VectorTable table = make_table();
  return table;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
