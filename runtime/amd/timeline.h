#pragma once
#include <atomic>
#include <cstdint>

#include "runtime/amd/signal.h"
#include "runtime/device.h"

namespace mockgpu::runtime::amd {

/// The order of a device's work: a signal that every submission moves to the next value. Points count on when
/// the signal's value, of which the device sees 32 bits, starts anew.
class Timeline {
 public:
  Timeline() = default;
  /// The signal's value must be 0. `limit` is the highest value before a restart.
  void start(const Signal& signal, std::uint32_t limit) {
    signal_ = signal;
    limit_ = limit;
  }

  const Signal& signal() const { return signal_; }

  Point last() const { return last_.load(std::memory_order_acquire); }
  /// Everything up to this point has ended.
  Point done() const { return base_.load(std::memory_order_acquire) + signal_.value(); }
  bool reached(Point point) const { return done() >= point; }

  // For the one submitting thread.

  /// Whether the signal must restart before the next value.
  bool full() const { return value_ >= limit_; }
  /// Starts anew from 0; all work must have ended.
  void restart() {
    base_.store(base_.load(std::memory_order_relaxed) + value_, std::memory_order_release);
    value_ = 0;
    signal_.set(0);
  }
  /// The value that the next submission waits for is `value()`, the one that it signals is `value() + 1`.
  std::uint32_t value() const { return value_; }
  /// The next submission is in the queue; its point.
  Point advance() {
    ++value_;
    const Point point = base_.load(std::memory_order_relaxed) + value_;
    last_.store(point, std::memory_order_release);
    return point;
  }

 private:
  Signal signal_;
  std::uint32_t limit_ = 0;
  std::uint32_t value_ = 0;
  std::atomic<Point> base_ = 0;
  std::atomic<Point> last_ = 0;
};

}  // namespace mockgpu::runtime::amd
