#include "emu/amd/events.h"

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "emu/memory/memory_view.h"

namespace mockgpu::emu::amd {
namespace kfd = isa::amd::kfd;

namespace {

constexpr std::uint64_t kUnsignaled = ~std::uint64_t{0};
constexpr std::uint32_t kForever = 0xffffffff;

}  // namespace

bool EventTable::is_signal(std::uint32_t type) {
  return type == kfd::kEventSignal || type == kfd::kEventDebugEvent;
}

bool EventTable::has_page() const {
  const std::lock_guard lock(mutex_);
  return slots_ != nullptr;
}

void EventTable::set_page(std::uint64_t* slots, std::uint32_t count) {
  const std::lock_guard lock(mutex_);
  for (std::uint32_t i = 0; i < kfd::kSignalEventLimit; ++i) store_word(&slots[i], kUnsignaled);
  slots_ = slots;
  slot_count_ = count;
}

void EventTable::set_slot_count(std::uint32_t count) {
  const std::lock_guard lock(mutex_);
  slot_count_ = count;
}

int EventTable::create(kfd::CreateEventArgs& args) {
  const std::lock_guard lock(mutex_);
  std::uint32_t id = 0;
  if (is_signal(args.event_type)) {
    // The lowest free slot; slot 0 is never given out.
    for (id = next_signal_; id < slot_count_ && events_.count(id); ++id) {
    }
    if (id >= slot_count_) return -ENOSPC;
    next_signal_ = id + 1;
    args.event_trigger_data = id;
    args.event_slot_index = id;
  } else {
    id = next_other_++;
  }
  auto event = std::make_shared<Event>();
  event->type = args.event_type;
  event->auto_reset = args.auto_reset != 0;
  events_[id] = std::move(event);
  args.event_id = id;
  return 0;
}

int EventTable::destroy(std::uint32_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(id);
  if (found == events_.end()) return -EINVAL;
  for (Waiter* waiter : found->second->waiters) waiter->destroyed = true;
  if (is_signal(found->second->type)) next_signal_ = std::min(next_signal_, id);
  events_.erase(found);
  raised_.notify_all();
  return 0;
}

void EventTable::raise(Event& event) {
  event.signaled = !event.auto_reset || event.waiters.empty();
  if (++event.age == 0) event.age = 2;
  if (event.waiters.empty()) return;
  for (Waiter* waiter : event.waiters) waiter->activated = true;
  // A waiter that has its wake leaves the list: the next raise is for others, or stays.
  event.waiters.clear();
  raised_.notify_all();
}

int EventTable::set(std::uint32_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(id);
  if (found == events_.end() || found->second->type != kfd::kEventSignal) return -EINVAL;
  raise(*found->second);
  return 0;
}

int EventTable::reset(std::uint32_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(id);
  if (found == events_.end() || found->second->type != kfd::kEventSignal) return -EINVAL;
  found->second->signaled = false;
  return 0;
}

void EventTable::raise_slot(std::uint32_t id) {
  const auto found = events_.find(id);
  if (found == events_.end()) return;
  store_word(&slots_[id], kUnsignaled);
  raise(*found->second);
}

void EventTable::interrupt(std::uint32_t context) {
  const std::lock_guard lock(mutex_);
  if (!slots_) return;
  if (context != 0 && context < kfd::kSignalEventLimit && load_word(&slots_[context]) != kUnsignaled &&
      events_.count(context)) {
    raise_slot(context);
    return;
  }
  for (auto& [id, event] : events_) {
    if (id >= kfd::kSignalEventLimit) break;
    if (load_word(&slots_[id]) != kUnsignaled) raise_slot(id);
  }
}

void EventTable::memory_fault(const kfd::MemoryExceptionData& data) {
  const std::lock_guard lock(mutex_);
  for (auto& [id, event] : events_) {
    if (event->type != kfd::kEventMemory) continue;
    event->memory = data;
    raise(*event);
  }
}

void EventTable::hw_exception(const kfd::HwExceptionData& data) {
  const std::lock_guard lock(mutex_);
  for (auto& [id, event] : events_) {
    if (event->type != kfd::kEventHwException) continue;
    event->hardware = data;
    raise(*event);
  }
}

std::uint32_t EventTable::verdict(const std::vector<Waiter>& waiters, bool all) const {
  std::size_t activated = 0;
  for (const Waiter& waiter : waiters) {
    if (waiter.destroyed) return kfd::kWaitFail;
    if (!waiter.activated) continue;
    if (!all) return kfd::kWaitComplete;
    ++activated;
  }
  return activated == waiters.size() ? kfd::kWaitComplete : kfd::kWaitTimeout;
}

/// Returns when the verdict is no longer "timeout", or the time is over. `lock` holds the table before and
/// after.
void EventTable::sleep(std::unique_lock<std::mutex>& lock, std::vector<Waiter>& waiters, bool all,
                       std::uint32_t timeout_ms) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(timeout_ms == kForever ? 0 : timeout_ms);
  const auto ready = [&] { return verdict(waiters, all) != kfd::kWaitTimeout; };
  if (scheduler_.mode() == Mode::async) {
    if (timeout_ms == kForever) {
      raised_.wait(lock, ready);
    } else {
      raised_.wait_until(lock, end, ready);
    }
    return;
  }
  // Turns raise events, so the table is unlocked meanwhile. When nothing can run, somebody else must act:
  // sleep in growing steps of at most 1 ms, as blocked queues are looked at again.
  auto nap = std::chrono::microseconds(20);
  while (!ready()) {
    lock.unlock();
    const bool ran = scheduler_.relax();
    lock.lock();
    if (ready()) return;
    const auto now = Clock::now();
    if (timeout_ms != kForever && now >= end) return;
    if (ran) {
      nap = std::chrono::microseconds(20);
      continue;
    }
    const auto until = timeout_ms == kForever ? now + nap : std::min(now + nap, end);
    raised_.wait_until(lock, until, ready);
    nap = std::min(nap * 2, std::chrono::microseconds(1000));
  }
}

bool EventTable::begin(Waiter& waiter, const kfd::EventData& data, bool with_ages) {
  const auto found = events_.find(data.event_id);
  if (found == events_.end()) return false;
  waiter.event = found->second;
  Event& event = *waiter.event;
  waiter.activated = event.signaled;
  event.signaled = event.signaled && !event.auto_reset;
  const std::uint64_t known = data.signal_event_data.last_event_age;
  waiter.compares_age = with_ages && event.type == kfd::kEventSignal && known != 0;
  if (waiter.compares_age && event.age != known) waiter.activated = true;
  if (!waiter.activated) event.waiters.push_back(&waiter);
  return true;
}

int EventTable::wait(std::span<kfd::EventData> events, bool all, std::uint32_t timeout_ms, bool with_ages,
                     std::uint32_t& result) {
  std::unique_lock lock(mutex_);
  std::vector<Waiter> waiters(events.size());
  bool known = true;
  for (std::size_t i = 0; known && i < events.size(); ++i) known = begin(waiters[i], events[i], with_ages);
  if (known && timeout_ms != 0 && verdict(waiters, all) == kfd::kWaitTimeout)
    sleep(lock, waiters, all, timeout_ms);
  result = known ? verdict(waiters, all) : kfd::kWaitFail;
  // A wait that fails or times out keeps the wakes that it took from auto-reset events, as the driver's does.
  for (std::size_t i = 0; i < waiters.size(); ++i) {
    Waiter& waiter = waiters[i];
    if (!waiter.event) continue;
    const Event& event = *waiter.event;
    waiter.event->waiters.remove(&waiter);
    if (result != kfd::kWaitComplete || !waiter.activated) continue;
    if (event.type == kfd::kEventMemory) events[i].memory_exception_data = event.memory;
    if (event.type == kfd::kEventHwException) events[i].hw_exception_data = event.hardware;
    if (waiter.compares_age) events[i].signal_event_data.last_event_age = event.age;
  }
  if (!known) return -EINVAL;
  return result == kfd::kWaitFail ? -EIO : 0;
}

}  // namespace mockgpu::emu::amd
