#include "isa/amd/counters.h"

namespace mockgpu::isa::amd {
namespace {

constexpr Counter kWaitCountersGfx11[] = {{"vmcnt", 10, 6}, {"expcnt", 0, 3}, {"lgkmcnt", 4, 6}};
constexpr Counter kDependencyCountersGfx11[] = {
    {"depctr_hold_cnt", 7, 1}, {"depctr_sa_sdst", 0, 1}, {"depctr_va_vdst", 12, 4}, {"depctr_va_sdst", 9, 3},
    {"depctr_va_ssrc", 8, 1},  {"depctr_va_vcc", 1, 1},  {"depctr_vm_vsrc", 2, 3},
};

}  // namespace

// gfx11 is the only column of the form tables, so there is nothing to choose from.
std::span<const Counter> wait_counters(Generation) { return kWaitCountersGfx11; }

std::span<const Counter> dependency_counters(Generation) { return kDependencyCountersGfx11; }

}  // namespace mockgpu::isa::amd
