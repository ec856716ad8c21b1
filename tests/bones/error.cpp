#include "isa/base/error.h"

#include <gtest/gtest.h>

namespace mockgpu::error_tests {

TEST(Error, FormatsTagMessageAndFacts) {
  Error error(Tag::memory_fault, "read of 4 bytes at 0x1000, which is not mapped");
  error.add("at", "vecadd+0x68").add("by", "workgroup (0,0,0)");
  EXPECT_EQ(format_error(error),
            "error[memory-fault]: read of 4 bytes at 0x1000, which is not mapped\n"
            "  at   vecadd+0x68\n"
            "  by   workgroup (0,0,0)");
}

}  // namespace mockgpu::error_tests
