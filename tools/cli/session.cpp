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

void Session::observe(emu::Observer& observer) {
  if (!opened_.machine) {
    throw Error(
        Tag::bad_usage,
        "only a mock machine tells its packets and instructions; --ioctls works on the real hardware");
  }
  opened_.machine->observe(&observer);
}

void Session::throw_finding() const {
  const std::lock_guard lock(mutex_);
  if (!findings_.empty()) throw findings_.front();
}

}  // namespace mockgpu::tools
