#pragma once
#include "emu/amd/wave/gang.h"
#include "emu/memory/guard.h"

namespace mockgpu::emu::amd {

/// Guards a gang's turn and finds out which instruction met memory that has gone.
class GangGuard final : public Guard {
 public:
  GangGuard(const AddressMap& map, Gang& gang) : Guard(map), map_(map), gang_(gang) {}

  /// After a host fault: fills the gang's fault.
  void report();

 private:
  void inspect(const std::uintptr_t* words, std::size_t count) noexcept override;

  static constexpr unsigned kMostFound = 8;
  const AddressMap& map_;
  Gang& gang_;
  const Record* found_[kMostFound];  ///< records that the interrupted code held pointers to
  unsigned count_ = 0;
};

}  // namespace mockgpu::emu::amd
