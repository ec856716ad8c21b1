#include "emu/observe/report.h"

namespace mockgpu::emu {

void ReportLog::finding(Error error) {
  {
    const std::lock_guard lock(mutex_);
    if (findings_.size() < kMost) findings_.push_back(error);
  }
  if (sink_) sink_(Report{std::move(error), false});
}

void ReportLog::note(Error error) {
  if (sink_) sink_(Report{std::move(error), true});
}

std::vector<Error> ReportLog::findings() const {
  const std::lock_guard lock(mutex_);
  return findings_;
}

}  // namespace mockgpu::emu
