#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "emu/host/fork_guard.h"
#include "emu/machine_config.h"

namespace mockgpu::emu {

/// The most that one turn may do.
struct TurnBudget {
  std::uint32_t packets = 0;
  std::uint64_t instructions = 0;  ///< wave-instructions; whole batches: a little more is fine
};

/// How a turn ended.
enum class Step : std::uint8_t {
  idle,     ///< nothing to do until a doorbell rings
  blocked,  ///< waits for memory or a register
  ran,      ///< did something; there may be more
};

/// Something that takes turns: a queue. Turns of one machine never overlap.
class Runnable {
 public:
  virtual ~Runnable() = default;
  /// One turn. Must return soon even where its work is endless, must not throw, and must not call the
  /// scheduler other than tick() and clock().
  virtual Step turn(const TurnBudget& budget) = 0;
};

/// Gives turns to the queues of a machine (design, section 4 point 3), on a thread of its own or on the
/// threads that call it. A blocked queue never blocks another one. All methods may be called from several
/// threads.
class Scheduler {
 public:
  Scheduler(Mode mode, std::uint64_t seed);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  Mode mode() const { return mode_; }
  /// Whether this process is a child of the one that made the machine. Nothing runs here.
  bool forked() const { return guard_.forked(); }

  /// From now on `runnable` gets turns.
  void add(Runnable& runnable);
  /// `runnable` gets no more turns. Returns between turns, so that it may be destroyed then.
  void remove(Runnable& runnable);

  /// A doorbell rang or a queue was changed. Wakes the machine's thread, or runs turns here until all is
  /// idle, blocked, or one budget was used.
  void kick();

  /// Shared memory was written: looks again at blocked queues, if there are any.
  void memory_written() {
    if (blocked_.load(std::memory_order_relaxed)) kick();
  }

  /// For wait loops. Without a thread of its own the machine makes progress here. Returns whether something
  /// ran.
  bool relax();

  /// Runs `action` while no turn runs.
  template <typename Action>
  void between_turns(Action&& action) {
    waiters_.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard lock(turn_mutex_);
    waiters_.fetch_sub(1, std::memory_order_relaxed);
    action();
  }

  /// GPU clock, 100 MHz: host time in async mode, else one tick per packet and executed wave-instruction.
  std::uint64_t clock() const;
  /// Packets or wave-instructions were executed; only from turns.
  void tick(std::uint64_t count) {
    ticks_.store(ticks_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }

 private:
  struct Round {
    bool ran = false, blocked = false;
  };
  TurnBudget next_budget();
  Round round();
  Round drain(std::uint64_t most_ticks);
  void run_thread();
  bool spin(std::uint32_t seen) const;
  void sleep(std::uint32_t seen, std::uint64_t microseconds);
  std::uint64_t random();

  const Mode mode_;
  const ForkGuard guard_;
  std::uint64_t random_state_;
  std::mutex turn_mutex_;
  std::vector<Runnable*> runnables_;
  std::size_t first_ = 0;  ///< who goes first in the next round
  std::atomic<std::uint64_t> ticks_{0};
  std::atomic<std::uint32_t> waiters_{0};
  std::atomic<bool> blocked_{false};

  // The machine's thread sleeps on `work_`, a counter of kicks.
  std::atomic<std::uint32_t> work_{0};
  std::atomic<std::uint32_t> sleeping_{0};
  std::atomic<std::uint32_t> relaxed_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace mockgpu::emu
