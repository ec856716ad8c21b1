#include "emu/host/fault_plan.h"

namespace mockgpu::emu {

int FaultPlan::next(std::string_view call) {
  if (entries_.empty()) return 0;
  const std::lock_guard lock(mutex_);
  int result = 0;
  for (Entry& entry : entries_) {
    if (entry.fault.call != call) continue;
    ++entry.calls;
    const bool begun = entry.calls >= entry.fault.nth;
    const bool over = entry.fault.times != 0 && entry.calls - entry.fault.nth >= entry.fault.times;
    if (result == 0 && begun && !over) result = -entry.fault.error;
  }
  return result;
}

}  // namespace mockgpu::emu
