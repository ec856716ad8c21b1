#pragma once
#include <functional>
#include <mutex>
#include <vector>

#include "isa/base/error.h"

namespace mockgpu::emu {

/// What the machine has to say, as a kernel log would.
struct Report {
  Error error;
  /// False: a finding (a GPU fault, something that the mock does not support). True: a note, namely a request
  /// that the real driver refuses too.
  bool note = false;
};

/// Receives every report, on the thread where it arose. Must not call back into the machine, except
/// Machine::reports().
using ReportSink = std::function<void(const Report&)>;

/// Keeps the findings of a machine and passes every report on. Methods may be called from several threads.
class ReportLog {
 public:
  explicit ReportLog(ReportSink sink) : sink_(std::move(sink)) {}

  void finding(Error error);
  void note(Error error);

  /// All findings so far, oldest first. At most kMost are kept; later ones only reach the sink.
  std::vector<Error> findings() const;

  static constexpr std::size_t kMost = 1000;

 private:
  ReportSink sink_;
  mutable std::mutex mutex_;
  std::vector<Error> findings_;
};

}  // namespace mockgpu::emu
