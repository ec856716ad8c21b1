#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "runtime/amd/device.h"

// Copies and fills: through host buffers, or within device memory.

namespace mockgpu::runtime::amd {
namespace {

void check_range(const char* what, std::uint64_t address, std::size_t size) {
  constexpr std::uint64_t kAddressEnd = std::uint64_t{1} << 47;  // of GPU addresses that a process can have
  if (size > kAddressEnd || (size != 0 && address > kAddressEnd - size)) {
    throw Error(Tag::bad_usage,
                fmt::format("a {} of {} bytes at {:#x} leaves the address space", what, size, address));
  }
}

// Takes the lock again and lets go of the buffer, also when the device broke.
struct Release {
  std::unique_lock<std::mutex>* lock;
  Staging::Slot* slot;
  ~Release() {
    lock->lock();
    slot->held = false;
  }
};

}  // namespace

// A buffer that this thread holds from now on, or null when all are in use.
Staging::Slot* Device::try_take_staging() {
  return staging_.take([this](Point point) { return timeline_.reached(point); },
                       [this](std::size_t size) { return allocate_memory(size, MemoryKind::host); });
}

Staging::Slot& Device::take_staging(std::unique_lock<std::mutex>& lock) {
  for (;;) {
    if (Staging::Slot* const slot = try_take_staging()) return *slot;
    const Staging::Slot* const oldest = staging_.oldest();
    const Point point = oldest != nullptr ? oldest->last : 0;
    lock.unlock();
    if (oldest != nullptr) {
      wait(point, kForever);
    } else {
      std::this_thread::yield();  // other threads hold all of them, for as long as they copy
    }
    lock.lock();
  }
}

// The host copies without the lock: other threads submit meanwhile, and the copy engine works on the buffers
// before this one.

void Device::copy_in(std::uint64_t to, std::span<const std::byte> from) {
  std::unique_lock lock(mutex_);
  while (!from.empty()) {
    throw_if_broken();
    Staging::Slot& slot = take_staging(lock);
    const std::size_t part = std::min(from.size(), staging_.buffer_bytes());
    lock.unlock();
    std::memcpy(slot.buffer.host, from.data(), part);
    lock.lock();
    slot.held = false;
    begin_submission();
    begin_copy().copy(to, slot.buffer.address, part);
    slot.last = submit_copy();
    to += part;
    from = from.subspan(part);
  }
}

void Device::copy_out(std::span<std::byte> to, std::uint64_t from) {
  struct Part {
    Staging::Slot* slot = nullptr;
    std::span<std::byte> to;
    Point point = 0;
  };
  std::unique_lock lock(mutex_);
  // One buffer fills while the one before is read.
  Part previous;
  const auto finish = [&](Part& part) {
    if (part.slot == nullptr) return;
    lock.unlock();
    const Release release{&lock, part.slot};
    wait(part.point, kForever);
    std::memcpy(part.to.data(), part.slot->buffer.host, part.to.size());
    part.slot = nullptr;
  };
  while (!to.empty()) {
    throw_if_broken();
    Part next;
    next.slot = try_take_staging();
    if (next.slot == nullptr) {
      finish(previous);  // a thread that waits for a buffer must not hold another one
      next.slot = &take_staging(lock);
    }
    next.to = to.subspan(0, std::min(to.size(), staging_.buffer_bytes()));
    begin_submission();
    begin_copy().copy(next.slot->buffer.address, from, next.to.size());
    next.point = next.slot->last = submit_copy();
    finish(previous);
    previous = next;
    from += next.to.size();
    to = to.subspan(next.to.size());
  }
  finish(previous);
}

// Calls add(commands, offset, bytes) for pieces of `size` that fit into the copy queue, a submission each.
template <typename Add>
Point Device::in_pieces(std::size_t size, Add add) {
  const std::size_t most = CopyCommands::most_bytes(options_.ring_bytes / 2 / sizeof(std::uint32_t));
  const std::lock_guard lock(mutex_);
  std::size_t done = 0;
  Point point = 0;
  do {
    const std::size_t piece = std::min(size - done, most);
    begin_submission();
    add(begin_copy(), done, piece);
    point = submit_copy();
    done += piece;
  } while (done < size);
  return point;
}

Point Device::copy(std::uint64_t to, std::uint64_t from, std::size_t size) {
  check_range("copy", to, size);
  check_range("copy", from, size);
  return in_pieces(size, [=](CopyCommands& commands, std::size_t done, std::size_t piece) {
    commands.copy(to + done, from + done, piece);
  });
}

Point Device::fill(std::uint64_t to, std::uint8_t value, std::size_t size) {
  check_range("fill", to, size);
  return in_pieces(size, [=](CopyCommands& commands, std::size_t done, std::size_t piece) {
    commands.fill(to + done, value, piece);
  });
}

}  // namespace mockgpu::runtime::amd
