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
  /// The queue stops until (word at `address` & mask) == value.
  void poll(std::uint64_t address, std::uint32_t value, std::uint32_t mask);
  /// Bytes that a copy or fill can have in a submission of at most `words` (more than 64) words.
  static std::size_t most_bytes(std::size_t words);
  void copy(std::uint64_t to, std::uint64_t from, std::size_t size);
  /// Sets `size` bytes to `value`.
  void fill(std::uint64_t to, std::uint8_t value, std::size_t size);
  /// Stores words that travel in the packet.
  void write(std::uint64_t address, std::span<const std::uint32_t> words);
  void write32(std::uint64_t address, std::uint32_t value) { write(address, {&value, 1}); }
  void write64(std::uint64_t address, std::uint64_t value);
  /// Stores the GPU clock in the signal's timestamp.
  void timestamp(const Signal& signal);
  void signal(const Signal& signal, std::uint32_t value);
  /// Raises a driver event.
  void interrupt(const QueueEvent& event);

  /// Calls `words` words of commands in memory (a multiple of 8, at a 32-byte boundary) where `start` words
  /// of the ring precede the first word of these commands. Takes kIndirectWords, most of it filler: the
  /// engine wants the packet to end at a boundary of 8 words.
  void indirect(std::uint64_t address, std::size_t words, std::size_t start);
  static constexpr std::size_t kIndirectWords = 6 + 7;
  /// Words of the other commands that end a submission.
  static constexpr std::size_t kSignalWords = 4, kInterruptWords = 6;

  /// Commands that were built before.
  void append(std::span<const std::uint32_t> words) { words_.append(words); }
  void replace(std::size_t first, std::span<const std::uint32_t> words) { words_.replace(first, words); }
  void clear() { words_.clear(); }
  std::span<const std::uint32_t> words() const { return words_.view(); }

 private:
  Words words_;
};

}  // namespace mockgpu::runtime::amd
