#pragma once

#include <cstdint>
#include <span>

// One row per lane function (and WMMA kernel), compiled once per level by level_table.cpp.

namespace numerics_test {

enum class Operand { kF16, kF32, kF64, kInteger };

struct LevelRow {
  const char* name;
  Operand operand;  // what random bits the sources are made of
  // Applies the function to `count` lanes; f16 and 32-bit values are in the low bits.
  void (*run)(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c, std::uint64_t* d,
              int count);
};
struct LevelMatrix {
  const char* name;
  Operand operand;
  // Matrices of 8 registers of 32 lanes.
  void (*run)(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c, std::uint32_t* d);
};

namespace baseline {
std::span<const LevelRow> level_rows();
std::span<const LevelMatrix> level_matrices();
}  // namespace baseline
namespace v3 {
std::span<const LevelRow> level_rows();
std::span<const LevelMatrix> level_matrices();
}  // namespace v3

}  // namespace numerics_test
