#pragma once
#include <cstdint>
#include <span>

#include "isa/amd/commands/pm4.h"
#include "isa/amd/commands/registers.h"
#include "runtime/amd/signal.h"
#include "runtime/amd/words.h"

namespace mockgpu::runtime::amd {

/// What differs between generations in the packets of a compute queue.
struct ComputeFamily {
  isa::amd::RegisterFile registers;
  std::uint32_t rsrc1_set;       ///< bits that every wave needs in RSRC1
  std::uint32_t acquire_all;     ///< ACQUIRE_MEM's GCR_CNTL: all caches
  std::uint32_t acquire_launch;  ///< before a dispatch: neither instruction cache nor L2
  std::uint32_t release_flush;   ///< RELEASE_MEM's cache bits
};

/// The family of a target's major version, or null when the runtime has no packets for it. Now gfx11.
const ComputeFamily* find_compute_family(std::uint32_t target_major);

/// All that one dispatch puts into registers.
struct Dispatch {
  std::uint64_t entry = 0;  ///< address of the first instruction, 256-byte aligned
  std::uint32_t rsrc1 = 0;
  std::uint32_t rsrc2 = 0;  ///< with LDS_SIZE
  std::uint32_t rsrc3 = 0;
  std::uint32_t tmpring = 0;
  std::uint64_t scratch = 0;
  std::uint32_t user_data[16] = {};
  unsigned user_count = 0;        ///< words of user_data that are used
  std::uint32_t group[3] = {};    ///< work-items of a workgroup
  std::uint32_t partial[3] = {};  ///< of the last workgroup of each axis, `group` where it is full
  std::uint32_t groups[3] = {};   ///< workgroups
  bool wave32 = true;
};

/// What one INDIRECT_BUFFER packet can call.
inline constexpr std::size_t kMaxIndirectWords = 0xfffff;

/// Builds the PM4 packets of a compute queue. Queues take them with Queue::submit. Packets run in order, but
/// a dispatch only starts waves: `exec` ends with a wait for them.
class ComputeCommands {
 public:
  explicit ComputeCommands(const ComputeFamily& family) : family_(&family) {}

  /// The queue stops until the signal's value is at least `value`.
  void wait(const Signal& signal, std::uint32_t value);
  /// The queue stops until (word at `address` & mask) == value.
  void poll(std::uint64_t address, std::uint32_t value, std::uint32_t mask);
  /// Makes what the host and other queues wrote visible: flushes the host data path, invalidates all caches.
  void memory_barrier();
  void exec(const Dispatch& dispatch);
  /// Stores the GPU clock in the signal's timestamp when all work before has ended.
  void timestamp(const Signal& signal);
  /// Flushes the caches and stores `value` when all work before has ended.
  void signal(const Signal& signal, std::uint32_t value);
  /// Raises a driver event after all that came before.
  void interrupt(const QueueEvent& event);
  /// Stores one word (or two) when all work before has ended.
  void write32(std::uint64_t address, std::uint32_t value);
  void write64(std::uint64_t address, std::uint64_t value);

  /// Calls commands in memory, read when it executes. At most kMaxIndirectWords.
  void indirect(std::uint64_t address, std::size_t words);

  /// Commands that were built before.
  void append(std::span<const std::uint32_t> words) { words_.append(words); }
  void replace(std::size_t first, std::span<const std::uint32_t> words) { words_.replace(first, words); }
  void clear() { words_.clear(); }
  std::span<const std::uint32_t> words() const { return words_.view(); }

 private:
  void acquire(std::uint32_t gcr);
  void release(std::uint32_t cache_bits, isa::amd::pm4::ReleaseData data,
               isa::amd::pm4::ReleaseInterrupt interrupt, std::uint64_t address, std::uint64_t value,
               std::uint32_t context);

  const ComputeFamily* family_;
  Words words_;
};

}  // namespace mockgpu::runtime::amd
