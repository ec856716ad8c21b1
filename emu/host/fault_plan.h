#pragma once
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace mockgpu::emu {

/// Calls that a machine fails on purpose, to test what a client does then.
struct PlannedFault {
  std::string call;         ///< an ioctl's name, "mmap", or "open " and a path
  std::uint64_t nth = 1;    ///< the first call of that kind that fails, counted from 1
  std::uint64_t times = 1;  ///< so many in a row; 0 = all from there on
  int error = 0;            ///< errno
};

/// Counts calls and says which of them fail. May be asked from several threads.
class FaultPlan {
 public:
  explicit FaultPlan(const std::vector<PlannedFault>& faults) : entries_(faults.begin(), faults.end()) {}

  /// A client makes this call: 0, or the negative errno that it gets instead of having it done.
  int next(std::string_view call);

 private:
  struct Entry {
    Entry(const PlannedFault& planned) : fault(planned) {}
    PlannedFault fault;
    std::uint64_t calls = 0;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace mockgpu::emu
