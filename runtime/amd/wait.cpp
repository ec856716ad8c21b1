#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "runtime/amd/device.h"

// How the host waits for the device, and learns that it is broken.

namespace mockgpu::runtime::amd {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// A wait spins this long before it sleeps in the driver, and wakes up this often to look at the time.
constexpr auto kSpin = std::chrono::microseconds(100);
constexpr milliseconds kSleep{100};
constexpr unsigned kSpinsPerClock = 16;
// A machine without a thread of its own works while it is waited for, and its calls must not depend on the
// clock; but after so many turns the driver is asked what it knows.
constexpr unsigned kMostTurns = 256;

}  // namespace

void Device::wait(Point point, milliseconds timeout) {
  if (broken_.load(std::memory_order_acquire)) throw_if_broken();
  if (timeline_.reached(point)) return;
  wait_until([this, point] { return timeline_.reached(point); }, timeout);
}

void Device::wait(const Signal& signal, std::uint32_t value, milliseconds timeout) {
  throw_if_broken();
  if (signal.address == 0) throw Error(Tag::bad_usage, "a wait for a signal that no device made");
  if (signal.value() >= value) return;
  wait_until([&signal, value] { return signal.value() >= value; }, timeout);
}

void Device::wait_until(const std::function<bool()>& done, milliseconds timeout) {
  FileIo& io = connection_->io();
  const Clock::time_point start = Clock::now();
  const auto passed = [](Clock::time_point since) {
    return std::chrono::duration_cast<milliseconds>(Clock::now() - since);
  };
  const auto check_time = [&] {
    if (timeout == kForever || passed(start) < timeout) return;
    throw Error(Tag::timeout, fmt::format("{} did not finish within {} ms", info_.target, timeout.count()));
  };
  for (unsigned turns = 0, spins = 0; turns < kMostTurns;) {
    if (done()) return;
    if (io.relax()) {
      ++turns;
      if (!done()) check_time();
    } else if (++spins % kSpinsPerClock == 0 && Clock::now() - start >= kSpin) {
      break;
    }
  }

  Clock::time_point progress = Clock::now();
  Point seen = timeline_.done();
  while (!done()) {
    const milliseconds left = timeout == kForever ? kSleep : timeout - passed(start);
    const std::optional<Error> fault = events_.sleep(std::clamp(left, milliseconds(0), kSleep));
    if (fault) break_with(*fault);
    if (done()) return;
    throw_if_broken();
    if (const Point now = timeline_.done(); now != seen) {
      seen = now;
      progress = Clock::now();
    }
    check_time();
    if (passed(progress) >= hang_timeout()) {
      // What the driver knows says more than that nothing happened.
      if (const std::optional<Error> late = events_.sleep(milliseconds(0))) break_with(*late);
      break_with(hang_error(seen));
    }
    io.relax();
  }
}

Error Device::hang_error(Point seen) const {
  Error error(Tag::hang, fmt::format("nothing ended on {} for {} ms", info_.target, hang_timeout().count()));
  error.add("at", fmt::format("point {} of {}", seen, timeline_.last()));
  error.add("queues", fmt::format("the compute queue has {} words to do, the copy queue {}",
                                  compute_.pending(), copy_.pending()));
  error.add("kfd", "no memory exception, no hardware exception");
  return error;
}

void Device::throw_if_broken() {
  if (!broken_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(broken_mutex_);
  throw *broken_error_;
}

void Device::break_with(const Error& error) {
  const std::lock_guard lock(broken_mutex_);
  if (!broken_error_) broken_error_ = error;
  broken_.store(true, std::memory_order_release);
  throw *broken_error_;
}

std::optional<KernelTime> Device::kernel_time() {
  const std::lock_guard lock(mutex_);
  if (timed_point_ == 0) return std::nullopt;
  wait(timed_point_, kForever);
  return KernelTime{start_.timestamp() * kNanosecondsPerTick, end_.timestamp() * kNanosecondsPerTick};
}

}  // namespace mockgpu::runtime::amd
