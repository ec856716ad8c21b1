#include "isa/amd/counters.h"

#include "isa/amd/generation.h"

namespace mockgpu::isa::amd {
namespace {

constexpr Counter kWaitCountersGfx9[] = {{"vmcnt", 0, 4, 14, 2}, {"expcnt", 4, 3}, {"lgkmcnt", 8, 4}};
constexpr Counter kWaitCountersGfx10[] = {{"vmcnt", 0, 4, 14, 2}, {"expcnt", 4, 3}, {"lgkmcnt", 8, 6}};
constexpr Counter kWaitCountersGfx11[] = {{"vmcnt", 10, 6}, {"expcnt", 0, 3}, {"lgkmcnt", 4, 6}};
constexpr Counter kDependencyCounters[] = {
    {"depctr_hold_cnt", 7, 1}, {"depctr_sa_sdst", 0, 1}, {"depctr_va_vdst", 12, 4}, {"depctr_va_sdst", 9, 3},
    {"depctr_va_ssrc", 8, 1},  {"depctr_va_vcc", 1, 1},  {"depctr_vm_vsrc", 2, 3},
};

}  // namespace

std::span<const Counter> wait_counters(Generation generation) {
  if (is_gfx9(generation)) return kWaitCountersGfx9;
  if (is_gfx10(generation)) return kWaitCountersGfx10;
  return kWaitCountersGfx11;
}

std::span<const Counter> dependency_counters(Generation generation) {
  // hold_cnt, the first one, came with gfx10.3.
  return std::span(kDependencyCounters).subspan(generation == Generation::rdna1 ? 1 : 0);
}

}  // namespace mockgpu::isa::amd
