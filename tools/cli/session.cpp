#include "tools/cli/session.h"

namespace mockgpu::tools {

Session::Session(const std::string& spec) {
  const auto sink = [this](const emu::Report& report) {
    if (report.note) return;
    const std::lock_guard lock(mutex_);
    findings_.push_back(report.error);
  };
  opened_ =
      spec.empty() ? emu::open_machine(emu::machine_from_environment(), sink) : emu::open_machine(spec, sink);
}

Session::~Session() = default;

void Session::throw_finding() const {
  const std::lock_guard lock(mutex_);
  if (!findings_.empty()) throw findings_.front();
}

}  // namespace mockgpu::tools
