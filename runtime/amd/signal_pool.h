#pragma once
#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "runtime/amd/device_memory.h"
#include "runtime/device.h"
#include "runtime/signal.h"

namespace mockgpu::runtime::amd {

/// The signals of a device, in pages that are added as they fill. Safe to use from several threads.
class SignalPool {
 public:
  explicit SignalPool(DeviceMemory& memory) : memory_(&memory) {}

  /// A signal with this value that no work before `done` uses. Throws Error(out_of_memory).
  Signal take(std::uint32_t value, Point done);

  /// Takes a signal back that work up to `last` may use. Throws Error(bad_usage) for a signal of another
  /// pool, or one that was given back before.
  void give(const Signal& signal, Point last);

  /// The page that a signal is in.
  Buffer page(const Signal& signal) const;

 private:
  struct Free {
    Signal signal;
    Point last = 0;
  };

  const Buffer* find(const Signal& signal) const;  // with mutex_ held

  DeviceMemory* memory_;
  mutable std::mutex mutex_;
  std::vector<Buffer> pages_;
  std::size_t used_ = 0;                     // bytes of the last page that were ever taken
  std::deque<Free> free_;                    // in the order of release
  std::unordered_set<std::uint64_t> taken_;  // addresses
};

}  // namespace mockgpu::runtime::amd
