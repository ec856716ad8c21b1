// The level's table, put together from the chapters at first use.
#include "emu/amd/wave/lanes/vector_chapters.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

static VectorTable make_table() {
  VectorTable table{};
  const VectorChapter* const chapters[] = {&kIntegerOps, &kFloatOps};
  for (const VectorChapter* chapter : chapters) {
    for (unsigned i = 0; i < chapter->count; ++i) {
      const VectorRow& row = chapter->rows[i];
      table.entries[static_cast<unsigned>(row.op)] = &row.entry;
    }
  }
  table.steps = kVectorSteps;
  return table;
}

const VectorTable& vector_table() {
  static const VectorTable table = make_table();
  return table;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
