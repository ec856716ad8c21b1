#pragma once
#include <fmt/core.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emu/memory/memory_view.h"
#include "emu/observe/observer.h"
#include "emu/schedule/scheduler.h"
#include "isa/base/error.h"

namespace mockgpu::emu::amd {

/// A GPU access to memory that failed.
struct MemoryFault {
  std::uint64_t address = 0;
  bool write = false;
  bool present = false;  ///< mapped, but without the right
};

/// What queues want from the device that they belong to. Called from turns.
class QueueHost {
 public:
  virtual ~QueueHost() = default;
  /// An interrupt with its context (the event id that the packet carries; 0 = look at all slots).
  virtual void interrupt(std::uint32_t context) = 0;
  /// The queue stopped at a memory fault: tell the client, keep the report.
  virtual void memory_fault(const MemoryFault& fault, Error report) = 0;
  /// The queue stopped for another reason.
  virtual void queue_error(Error report) = 0;
  /// Number of the next dispatch, from 1, for messages.
  virtual std::uint32_t next_dispatch() = 0;
};

/// What CREATE_QUEUE says of a queue.
struct QueueSetup {
  std::uint32_t id = 0;
  std::uint64_t ring = 0;           ///< GPU address
  std::uint32_t ring_bytes = 0;     ///< power of two
  std::uint64_t read_pointer = 0;   ///< GPU address of the u64 that the queue writes back
  std::uint64_t write_pointer = 0;  ///< GPU address; the doorbell carries the same value
  /// What the client last wrote to the doorbell: the write pointer in the unit of the ring (PM4 words, SDMA
  /// bytes).
  const std::atomic<std::uint64_t>* doorbell = nullptr;
};

/// A user-mode queue: a ring of packets in shared memory and a doorbell. Derived classes execute the packets.
class Queue : public Runnable {
 public:
  Queue(const QueueSetup& setup, AddressSpace& memory, Scheduler& scheduler, QueueHost& host)
      : setup_(setup), memory_(memory), scheduler_(scheduler), host_(host) {}

  std::uint32_t id() const { return setup_.id; }

  // Between turns only:
  /// UPDATE_QUEUE with percentage 0 stops a queue, any other lets it go on.
  void set_enabled(bool enabled) { enabled_ = enabled; }
  /// Moves the ring. The pointers keep their values.
  void move_ring(std::uint64_t ring, std::uint32_t bytes) {
    setup_.ring = ring;
    setup_.ring_bytes = bytes;
    generation_ = kUnbound;
  }
  void observe(Observer* observer) { observer_ = observer; }
  /// Stopped by a fault or a bad packet; only a new queue helps.
  bool dead() const { return dead_; }

 protected:
  static constexpr std::uint64_t kUnbound = ~std::uint64_t{0};

  bool runs() const { return enabled_ && !dead_; }
  std::uint64_t doorbell() const { return setup_.doorbell->load(std::memory_order_acquire); }

  /// Translates ring and read pointer for a pinned map; false (and dead) when they are not mapped.
  bool bind(const AddressSpace::Pin& pin);
  /// Stores the read pointer where the client sees it.
  void write_back(std::uint64_t value) {
    if (read_pointer_) store_word(read_pointer_, value);
  }

  /// memmove between GPU addresses; false (and dead) at the first inaccessible byte, with what lies before
  /// done.
  bool copy_bytes(std::uint64_t to, std::uint64_t from, std::uint64_t size, std::string_view packet);
  /// Stores `size` / `element_bytes` copies of a 1, 2 or 4 byte value; false as copy_bytes.
  bool fill_bytes(std::uint64_t to, std::uint32_t value, unsigned element_bytes, std::uint64_t size,
                  std::string_view packet);
  /// Stops the queue: an access of `size` bytes at `address` in the packet called `packet` failed.
  [[gnu::cold]] void fail_access(std::string_view packet, std::uint64_t address, std::uint64_t size,
                                 bool write);
  /// Stops the queue with a report; adds where it stands.
  void fail(Error report);
  /// Cold: compilers keep the way to it out of the way of packets that work.
  [[gnu::cold]] void fail_formatted(Tag tag, fmt::string_view format, fmt::format_args args);
  void fail_memory(const MemoryFault& fault, Error report);
  /// Stops the queue with a report that already says where.
  void fail_plain(Error report);
  /// `compute queue 1, ring word 0x40` of the packet that runs, for reports.
  virtual std::string where() const = 0;
  /// The words of the packet that runs, as far as they can be read, and how they print.
  virtual std::vector<std::uint32_t> packet_words() const = 0;
  virtual std::string packet_text(std::span<const std::uint32_t> words) const = 0;

  QueueSetup setup_;
  AddressSpace& memory_;
  Scheduler& scheduler_;
  QueueHost& host_;
  Observer* observer_ = nullptr;
  bool tried_ = false;  ///< the packet that is next was begun before, and waits
  MemoryView view_;
  const std::uint32_t* ring_ = nullptr;  ///< host address of the ring
  std::uint64_t* read_pointer_ = nullptr;
  std::uint64_t generation_ = kUnbound;  ///< of the map that the pointers belong to

 private:
  /// Adds place, packet and bytes to a report.
  void add_place(Error& report) const;

  bool enabled_ = true;
  bool dead_ = false;
};

/// First inaccessible byte of [address, address + size), or address + size when all is accessible.
std::uint64_t first_fault(const AddressMap& map, std::uint64_t address, std::uint64_t size,
                          std::uint8_t rights);

}  // namespace mockgpu::emu::amd
