#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "emu/machine.h"
#include "isa/base/error.h"
#include "runtime/io/tracing_file_io.h"

namespace mockgpu::tools {

/// The machine of one command, with everything it reports kept instead of printed.
class Session {
 public:
  /// `spec` as of MOCKGPU; empty = what the environment says. Throws Error(bad_usage).
  explicit Session(const std::string& spec);
  ~Session();

  runtime::FileIo& io() { return traced_ ? *traced_ : *opened_.io; }

  /// Gives `sink` a line for every call through io() from now on.
  void trace_calls(runtime::TracingFileIo::Sink sink) {
    traced_ = std::make_unique<runtime::TracingFileIo>(*opened_.io, std::move(sink));
  }

  /// Tells `observer` what the mock machine does. Throws Error(bad_usage) on the real hardware.
  void observe(emu::Observer& observer);

  /// Whether the devices are mock ones.
  bool is_mock() const { return opened_.machine != nullptr; }

  /// Names code addresses in the machine's reports, `vecadd+0x68`; null ends that. The real hardware reports
  /// none.
  void name_code(std::function<std::string(std::uint64_t pc)> names) {
    if (opened_.machine) opened_.machine->name_code(std::move(names));
  }

  /// Runs `action`. Where the machine itself has reported a finding, that is thrown in place of what
  /// `action` threw: it knows the instruction, the driver only the address.
  template <typename Action>
  void watch(Action&& action) {
    try {
      action();
    } catch (const Error&) {
      throw_finding();
      throw;
    }
    throw_finding();
  }

 private:
  void throw_finding() const;

  mutable std::mutex mutex_;
  std::vector<Error> findings_;
  emu::OpenedMachine opened_;  // behind what it may report to until it is gone
  std::unique_ptr<runtime::TracingFileIo> traced_;
};

}  // namespace mockgpu::tools
