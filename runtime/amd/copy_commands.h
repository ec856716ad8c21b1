#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/amd/signal.h"
#include "runtime/amd/words.h"

namespace mockgpu::runtime::amd {

/// Builds the SDMA packets of a copy queue (SDMA 5 and later: gfx10, gfx11, gfx12). Packets run in order, and
/// each one sees the effects of those before it.
class CopyCommands {
 public:
  /// The queue stops until the signal's value is at least `value`.
  void wait(const Signal& signal, std::uint32_t value);
  void copy(std::uint64_t to, std::uint64_t from, std::size_t size);
  /// Sets `size` bytes to `value`.
  void fill(std::uint64_t to, std::uint8_t value, std::size_t size);
  /// Stores words that travel in the packet.
  void write(std::uint64_t address, std::span<const std::uint32_t> words);
  /// Stores the GPU clock in the signal's timestamp.
  void timestamp(const Signal& signal);
  void signal(const Signal& signal, std::uint32_t value);
  /// Raises a driver event.
  void interrupt(const QueueEvent& event);

  void clear() { words_.clear(); }
  std::span<const std::uint32_t> words() const { return words_.view(); }

 private:
  Words words_;
};

}  // namespace mockgpu::runtime::amd
