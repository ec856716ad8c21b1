#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emu/machine_config.h"
#include "emu/observe/observer.h"
#include "emu/observe/report.h"
#include "runtime/io/file_io.h"

namespace mockgpu::emu {

/// A mock machine with GPUs: files, drivers, queues and engines, as one client process sees them. Any number
/// may exist. It must outlive the files that it opened; its memory mappings must not be used after it.
class Machine final : public runtime::FileIo {
 public:
  /// Throws Error(bad_usage) for a configuration that this host cannot run.
  explicit Machine(MachineConfig config, ReportSink sink = {});
  ~Machine() override;

  const MachineConfig& config() const;

  /// Everything that went wrong so far: GPU faults, bad packets, requests that are not supported.
  std::vector<Error> reports() const;

  /// Sends events to `observer` from now on; null ends that. The observer must outlive that. Where instructions
  /// are wanted, not while a launch is in progress.
  void observe(Observer* observer);

  /// Names code addresses for reports from now on (`vecadd+0x68`; empty = unknown): the machine sees only
  /// bytes. Called from turns, one call at a time; must not call the machine. Null ends that.
  void name_code(std::function<std::string(std::uint64_t pc)> names);

  std::unique_ptr<runtime::File> open(const std::string& path, int flags) override;
  std::unique_ptr<runtime::File> adopt(int number) override;
  std::unique_ptr<runtime::File> eventfd(unsigned initial, int flags) override;
  void* reserve(std::size_t size) override;
  void* anon_mmap(std::size_t size) override;
  int munmap(void* address, std::size_t size) override;
  bool exists(const std::string& path) override;
  std::optional<std::string> readlink(const std::string& path) override;
  std::optional<std::vector<std::string>> list(const std::string& path) override;
  bool relax() override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// What open_machine gives: the seam for the runtime, and the mock behind it, which is null on real hardware.
struct OpenedMachine {
  std::unique_ptr<runtime::FileIo> io;
  Machine* machine = nullptr;
};

/// The value of MOCKGPU, or nothing.
std::optional<std::string> machine_from_environment();

/// Opens the machine that `spec` describes (see parse_machine); nothing is the default mock machine. Without
/// a sink, reports go where the spec's `log=` says, by default to stderr. Throws Error(bad_usage) or
/// Error(bad_file).
OpenedMachine open_machine(const std::optional<std::string>& spec = machine_from_environment(),
                           ReportSink sink = {});

}  // namespace mockgpu::emu
