#include "runtime/amd/signal_pool.h"

#include <fmt/format.h>

#include "isa/base/error.h"

namespace mockgpu::runtime::amd {
namespace {

constexpr std::size_t kSignalPageBytes = 0x1000;

}  // namespace

Signal SignalPool::take(std::uint32_t value, Point done) {
  const std::lock_guard lock(mutex_);
  Signal signal;
  if (!free_.empty() && free_.front().last <= done) {
    signal = free_.front().signal;
    free_.pop_front();
  } else {
    if (pages_.empty() || used_ == kSignalPageBytes) {
      pages_.push_back(memory_->allocate(kSignalPageBytes, MemoryKind::uncached));
      used_ = 0;
    }
    signal = {pages_.back().address + used_, pages_.back().mmio().view(used_, kSignalBytes)};
    used_ += kSignalBytes;
  }
  taken_.insert(signal.address);
  signal.words.write64(kSignalTimestamp, 0);
  signal.set(value);
  return signal;
}

void SignalPool::give(const Signal& signal, Point last) {
  const std::lock_guard lock(mutex_);
  if (taken_.erase(signal.address) == 0) {
    throw Error(Tag::bad_usage, fmt::format("no signal at {:#x} to free", signal.address));
  }
  free_.push_back({signal, last});
}

Buffer SignalPool::page(const Signal& signal) const {
  const std::lock_guard lock(mutex_);
  const Buffer* page = find(signal);
  if (page == nullptr) throw Error(Tag::bad_usage, fmt::format("no signal at {:#x}", signal.address));
  return *page;
}

const Buffer* SignalPool::find(const Signal& signal) const {
  for (const Buffer& page : pages_) {
    if (signal.address >= page.address && signal.address - page.address < page.size) return &page;
  }
  return nullptr;
}

}  // namespace mockgpu::runtime::amd
