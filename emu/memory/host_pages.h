#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "emu/memory/mapped_range.h"

namespace mockgpu::emu {

/// The memory of this process as GPU memory: GPU address = host address, rights as the operating system gives
/// them. What is mapped is asked at first touch (/proc/self/maps) and remembered; memory that goes away after
/// that is the access guard's business (guard.h). Methods may be called from several threads.
class HostPages {
 public:
  /// With `executable`, code is fetched from everything that can be read; otherwise from nothing.
  explicit HostPages(bool executable) : executable_(executable) {}

  /// The mapped range around `address`; null if nothing is mapped there. Looks again before it answers that
  /// there is none, or none with all of `rights`. Valid until forget().
  const MappedRange* find(std::uint64_t address, std::uint8_t rights);

  /// The range of `find` or else the nearest one, as they were when last looked at; null if there is none.
  const MappedRange* nearest(std::uint64_t address) const;

  void set_executable(bool executable);

  /// Drops what is remembered. Only while nothing executes.
  void forget();
  /// Drops older answers, keeps the last one. Only while nothing executes.
  void trim();

 private:
  using Ranges = std::vector<MappedRange>;
  const Ranges* look();

  bool executable_;
  std::mutex mutex_;
  std::atomic<const Ranges*> ranges_{nullptr};
  std::vector<std::unique_ptr<const Ranges>> all_;  ///< every answer: ranges of older ones are still in use
};

}  // namespace mockgpu::emu
