#include "emu/schedule/scheduler.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace mockgpu::emu {
namespace {

constexpr TurnBudget kTurn{256, 1 << 20};
/// What one doorbell or one relax() runs at most on the calling thread: some hundredths of a second.
constexpr std::uint64_t kDoorbellTicks = 1 << 24;
constexpr std::uint64_t kRelaxTicks = 1 << 22;
/// How long the machine's thread looks for work before it sleeps. Longer than the usual gap between two
/// submissions of a busy client, shorter than what anybody else on the processor notices.
constexpr std::uint64_t kSpinNanoseconds = 8'000;
/// A pause is some hundredths of a microsecond, a yield that finds nobody else some tenths.
constexpr std::uint32_t kPausesPerYield = 16;
constexpr std::uint64_t kFirstNap = 20, kLongestNap = 1'000;  // microseconds
constexpr std::uint64_t kForever = ~std::uint64_t{0};

std::uint64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  sched_yield();
#endif
}

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* timeout) {
  static_assert(sizeof(word) == 4);
  return syscall(SYS_futex, &word, operation, value, timeout, nullptr, 0);
}

}  // namespace

Scheduler::Scheduler(Mode mode, std::uint64_t seed) : mode_(mode), random_state_(seed) {
  runnables_.reserve(16);
}

Scheduler::~Scheduler() {
  stop_.store(true);
  if (thread_.joinable()) {
    work_.fetch_add(1);
    futex(work_, FUTEX_WAKE_PRIVATE, 1, nullptr);
    thread_.join();
  }
}

void Scheduler::add(Runnable& runnable) {
  between_turns([&] {
    runnables_.push_back(&runnable);
    // Most programs that only look at the machine never create a queue, so the thread starts here.
    if (mode_ == Mode::async && !thread_.joinable()) thread_ = std::thread([this] { run_thread(); });
  });
  kick();
}

void Scheduler::remove(Runnable& runnable) {
  between_turns([&] {
    runnables_.erase(std::remove(runnables_.begin(), runnables_.end(), &runnable), runnables_.end());
  });
}

void Scheduler::kick() {
  if (forked()) return;
  if (mode_ == Mode::async) {
    work_.fetch_add(1);
    if (sleeping_.load() != 0) futex(work_, FUTEX_WAKE_PRIVATE, 1, nullptr);
    return;
  }
  const std::lock_guard lock(turn_mutex_);
  blocked_.store(drain(kDoorbellTicks).blocked, std::memory_order_relaxed);
}

bool Scheduler::relax() {
  if (forked()) {
    sched_yield();
    return false;
  }
  if (mode_ == Mode::async) {
    // A waiting client may share its processor with the machine's thread: let go of it now and then.
    if (relaxed_.fetch_add(1, std::memory_order_relaxed) % kPausesPerYield == kPausesPerYield - 1) {
      sched_yield();
    } else {
      pause();
    }
    return false;
  }
  const std::unique_lock lock(turn_mutex_, std::try_to_lock);
  if (!lock) {
    sched_yield();  // another thread runs the machine at this moment
    return true;
  }
  const Round result = drain(kRelaxTicks);
  blocked_.store(result.blocked, std::memory_order_relaxed);
  if (!result.ran) pause();
  return result.ran;
}

std::uint64_t Scheduler::clock() const {
  if (mode_ == Mode::async) return now_ns() / 10;
  return ticks_.load(std::memory_order_relaxed);
}

std::uint64_t Scheduler::random() {
  // splitmix64, by Sebastiano Vigna (public domain)
  std::uint64_t z = random_state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

TurnBudget Scheduler::next_budget() {
  if (mode_ != Mode::seeded) return kTurn;
  // Short and uneven turns: between any two packets, and now and then amid a kernel, another queue may go on.
  return TurnBudget{1, std::uint64_t{1} << (4 + random() % 12)};
}

/// One turn for each queue; the caller holds the turn lock (modes without a thread) or none (async).
Scheduler::Round Scheduler::round() {
  Round result;
  const bool locked = mode_ != Mode::async;
  if (mode_ == Mode::seeded) first_ = static_cast<std::size_t>(random());
  for (std::size_t i = 0;; ++i) {
    std::unique_lock lock(turn_mutex_, std::defer_lock);
    if (!locked) lock.lock();
    const std::size_t count = runnables_.size();
    if (i >= count) break;
    const std::size_t index = mode_ == Mode::seeded ? (first_ + i) % count : i;
    const Step step = runnables_[index]->turn(next_budget());
    result.ran |= step == Step::ran;
    result.blocked |= step == Step::blocked;
    if (locked) continue;
    lock.unlock();
    // A mutex is not fair: whoever waits for the end of this turn must get in before the next one.
    while (waiters_.load(std::memory_order_relaxed) != 0) sched_yield();
  }
  return result;
}

Scheduler::Round Scheduler::drain(std::uint64_t most_ticks) {
  const std::uint64_t end = ticks_.load(std::memory_order_relaxed) + most_ticks;
  Round all;
  while (true) {
    const Round one = round();
    all.ran |= one.ran;
    all.blocked = one.blocked;
    if (!one.ran || ticks_.load(std::memory_order_relaxed) >= end) return all;
  }
}

bool Scheduler::spin(std::uint32_t seen) const {
  const std::uint64_t end = now_ns() + kSpinNanoseconds;
  do {
    for (std::uint32_t i = 0; i < kPausesPerYield; ++i) {
      if (work_.load(std::memory_order_relaxed) != seen) return true;
      pause();
    }
    sched_yield();  // the client may share this processor
  } while (now_ns() < end);
  return false;
}

void Scheduler::sleep(std::uint32_t seen, std::uint64_t microseconds) {
  sleeping_.store(1);
  timespec timeout{};
  timeout.tv_nsec = static_cast<long>(microseconds * 1000 % 1'000'000'000);
  if (work_.load() == seen) {
    futex(work_, FUTEX_WAIT_PRIVATE, seen, microseconds == kForever ? nullptr : &timeout);
  }
  sleeping_.store(0);
}

void Scheduler::run_thread() {
  std::uint64_t nap = kFirstNap;
  while (!stop_.load()) {
    const std::uint32_t seen = work_.load();
    const Round result = round();
    blocked_.store(result.blocked && !result.ran, std::memory_order_relaxed);
    if (result.ran) {
      nap = kFirstNap;
      continue;
    }
    if (spin(seen)) continue;
    sleep(seen, result.blocked ? nap : kForever);
    nap = std::min(nap * 2, kLongestNap);
  }
}

}  // namespace mockgpu::emu
