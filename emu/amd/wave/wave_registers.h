#pragma once
#include <cstdint>

#include "emu/observe/observer.h"

namespace mockgpu::emu::amd {

struct Gang;

/// The registers of one wave that does not run at the moment.
class WaveRegisters {
 public:
  WaveRegisters(Gang& gang, unsigned slot) : gang_(gang), slot_(slot) {}

  /// Scalar registers beyond the encoded selectors 0..127 (s0..s105, vcc, ttmp0..15, null, m0, exec).
  static constexpr unsigned kScc = 128, kMode = 129;
  static constexpr unsigned kScalars = 130;

  WaveId id() const;
  unsigned lanes() const;         ///< 32 or 64
  unsigned vector_count() const;  ///< vector registers that the wave has
  /// GPU address of the instruction that runs next; of the last one after the wave has ended.
  std::uint64_t pc() const;

  std::uint32_t scalar(unsigned index) const;
  void set_scalar(unsigned index, std::uint32_t value);
  std::uint32_t vector(unsigned index, unsigned lane) const;
  void set_vector(unsigned index, unsigned lane, std::uint32_t value);

 private:
  std::uint32_t* lane_word(unsigned index, unsigned lane) const;

  Gang& gang_;
  unsigned slot_;
};

/// Sees the waves of a launch start and stop. The launch then runs on one thread.
class WaveHook {
 public:
  virtual ~WaveHook() = default;
  /// The initial registers are there and may be changed.
  virtual void wave_begins(WaveRegisters& wave) = 0;
  /// The wave has `ended`, or stands where a fault or a hang stopped the launch.
  virtual void wave_stops(const WaveRegisters& wave, bool ended) = 0;
};

}  // namespace mockgpu::emu::amd
