#pragma once
#include <atomic>
#include <cstdint>

#include "runtime/amd/signal.h"
#include "runtime/device.h"

namespace mockgpu::runtime::amd {

/// The order of a device's work: a signal that every submission moves to the next value. Points count on when
/// the signal's value, of which the device sees 32 bits, has come to its end: a second signal takes over from
/// 0, so that whoever still looks at the first one sees its last value.
class Timeline {
 public:
  Timeline() = default;
  /// The signals' values must be 0. `limit` is the highest value before the other signal takes over.
  void start(const Signal& first, const Signal& second, std::uint32_t limit) {
    signals_[0] = first;
    signals_[1] = second;
    limit_ = limit;
  }

  Point last() const { return last_.load(std::memory_order_acquire); }
  /// Everything up to this point has ended.
  Point done() const {
    const Point epoch = epoch_.load(std::memory_order_acquire);
    return epoch * limit_ + signals_[epoch % 2].value();
  }
  bool reached(Point point) const { return done() >= point; }

  /// What a queue waits for to start after `point`: the signal has at least `value`.
  struct Place {
    Signal signal;
    std::uint32_t value;
  };
  /// The place of a point that was not reached just now.
  Place place(Point point) const {
    const Point epoch = (point - 1) / limit_;
    return {signals_[epoch % 2], static_cast<std::uint32_t>(point - epoch * limit_)};
  }

  // For the one submitting thread.

  const Signal& signal() const { return signals_[epoch_.load(std::memory_order_relaxed) % 2]; }
  /// Whether the other signal must take over before the next value.
  bool full() const { return value_ >= limit_; }
  /// The other signal takes over; all work must have ended.
  void restart() {
    const Point next = epoch_.load(std::memory_order_relaxed) + 1;
    signals_[next % 2].set(0);
    value_ = 0;
    epoch_.store(next, std::memory_order_release);
  }
  /// The value that the next submission waits for is `value()`, the one that it signals is `value() + 1`.
  std::uint32_t value() const { return value_; }
  /// The next submission is in the queue; its point.
  Point advance() {
    ++value_;
    const Point point = epoch_.load(std::memory_order_relaxed) * limit_ + value_;
    last_.store(point, std::memory_order_release);
    return point;
  }

 private:
  Signal signals_[2];
  std::uint32_t limit_ = 1;
  std::uint32_t value_ = 0;
  std::atomic<Point> epoch_ = 0;
  std::atomic<Point> last_ = 0;
};

}  // namespace mockgpu::runtime::amd
