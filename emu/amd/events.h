#pragma once
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "emu/schedule/scheduler.h"
#include "isa/amd/commands/kfd.h"

namespace mockgpu::emu::amd {

/// The events of a process, as KFD keeps them: what queues raise and what WAIT_EVENTS sleeps on. Calls return
/// 0 or a negative errno like the kernel's functions. May be called from several threads, also from turns.
class EventTable {
 public:
  explicit EventTable(Scheduler& scheduler) : scheduler_(scheduler) {}

  /// Whether a page with the slots of signal events is known.
  bool has_page() const;
  /// The page: kSignalEventLimit u64 slots, which become "not signaled" (all ones), of which events use the
  /// first `count`. Called once.
  void set_page(std::uint64_t* slots, std::uint32_t count);
  /// The client mapped so many slots of the driver's page.
  void set_slot_count(std::uint32_t count);

  /// Creates an event and fills id, trigger data and slot index of `args`. Signal events need the page.
  /// -ENOSPC when there are too many.
  int create(isa::amd::kfd::CreateEventArgs& args);
  int destroy(std::uint32_t id);
  int set(std::uint32_t id);
  int reset(std::uint32_t id);

  /// WAIT_EVENTS on `events`. `timeout_ms` 0 only looks, 0xffffffff waits for ever. `with_ages` compares and
  /// returns event ages (KFD 1.14). Where the machine has no thread of its own, this runs its turns. -EIO
  /// when an event was destroyed meanwhile.
  int wait(std::span<isa::amd::kfd::EventData> events, bool all, std::uint32_t timeout_ms, bool with_ages,
           std::uint32_t& result);

  /// A queue interrupted with this context: raises the signal event of that id if its slot was written,
  /// otherwise every one whose slot was. An unknown context is tolerated.
  void interrupt(std::uint32_t context);
  /// Raises all memory or hardware-exception events with this data.
  void memory_fault(const isa::amd::kfd::MemoryExceptionData& data);
  void hw_exception(const isa::amd::kfd::HwExceptionData& data);

 private:
  struct Waiter;
  struct Event {
    std::uint32_t type = 0;
    bool auto_reset = false;
    bool signaled = false;
    std::uint64_t age = 1;
    isa::amd::kfd::MemoryExceptionData memory{};
    isa::amd::kfd::HwExceptionData hardware{};
    std::list<Waiter*> waiters;  ///< those that the next raise activates
  };
  /// One event that one WAIT_EVENTS call waits for.
  struct Waiter {
    std::shared_ptr<Event> event;
    bool destroyed = false;
    bool activated = false;
    bool compares_age = false;
  };

  void raise(Event& event);
  void raise_slot(std::uint32_t id);
  static bool is_signal(std::uint32_t type);
  std::uint32_t verdict(const std::vector<Waiter>& waiters, bool all) const;
  /// Begins a wait; false for an unknown event.
  bool begin(Waiter& waiter, const isa::amd::kfd::EventData& data, bool with_ages);
  void sleep(std::unique_lock<std::mutex>& lock, std::vector<Waiter>& waiters, bool all,
             std::uint32_t timeout_ms);

  Scheduler& scheduler_;
  mutable std::mutex mutex_;
  std::condition_variable raised_;
  std::map<std::uint32_t, std::shared_ptr<Event>> events_;
  std::uint64_t* slots_ = nullptr;
  std::uint32_t slot_count_ = 0;
  std::uint32_t next_signal_ = 1;
  std::uint32_t next_other_ = 0x40000000;
};

}  // namespace mockgpu::emu::amd
