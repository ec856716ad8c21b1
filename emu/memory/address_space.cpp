#include "emu/memory/address_space.h"

#include <fmt/format.h>

#include <algorithm>

#include "emu/memory/guard.h"
#include "emu/memory/raw_copy.h"

namespace mockgpu::emu {

const MappedRange* find_range(const std::vector<MappedRange>& ranges, std::uint64_t address) {
  auto after = std::upper_bound(ranges.begin(), ranges.end(), address,
                                [](std::uint64_t a, const MappedRange& r) { return a < r.begin; });
  if (after == ranges.begin()) return nullptr;
  const MappedRange& range = *(after - 1);
  return address < range.end ? &range : nullptr;
}

const MappedRange* AddressMap::find(std::uint64_t address, std::uint8_t rights) const {
  const MappedRange* range = find_range(ranges_, address);
  return range || !pages_ ? range : pages_->find(address, rights);
}

std::byte* AddressMap::translate(std::uint64_t address, std::uint64_t size, std::uint8_t rights) const {
  const MappedRange* range = find(address, rights);
  if (!range || (range->rights & rights) != rights || size > range->end - address) return nullptr;
  return range->host + (address - range->begin);
}

std::uint64_t AddressMap::extent(const MappedRange& range, std::uint64_t address, std::uint64_t size,
                                 std::uint8_t rights) const {
  size = std::min(size, range.end - address);
  if (!range.of_client) return size;
  return bytes_present(*this, range.host + (address - range.begin), size, (rights & kWrite) != 0);
}

std::uint64_t AddressMap::read(std::uint64_t address, void* to, std::uint64_t size, Right right) const {
  std::uint64_t done = 0;
  while (done < size) {
    const MappedRange* range = find(address + done, right);
    if (!range || !(range->rights & right)) break;
    const std::uint64_t part = extent(*range, address + done, size - done, right);
    if (part == 0) break;
    raw_copy(static_cast<std::byte*>(to) + done, range->host + (address + done - range->begin), part);
    done += part;
  }
  return done;
}

std::uint64_t AddressMap::write(std::uint64_t address, const void* from, std::uint64_t size) const {
  std::uint64_t done = 0;
  while (done < size) {
    const MappedRange* range = find(address + done, kWrite);
    if (!range || !(range->rights & kWrite)) break;
    const std::uint64_t part = extent(*range, address + done, size - done, kWrite);
    if (part == 0) break;
    raw_copy(range->host + (address + done - range->begin), static_cast<const std::byte*>(from) + done, part);
    done += part;
  }
  return done;
}

std::string AddressMap::describe(std::uint64_t address) const {
  const MappedRange* nearest = nullptr;
  std::uint64_t distance = 0;
  const auto consider = [&](const MappedRange& range) {
    const std::uint64_t away = address < range.begin  ? range.begin - address
                               : address >= range.end ? address - range.end + 1
                                                      : 0;
    if (!nearest || away < distance) nearest = &range, distance = away;
  };
  for (const MappedRange& range : ranges_) consider(range);
  if (const MappedRange* page = pages_ ? pages_->nearest(address) : nullptr) consider(*page);
  if (!nearest) return "nothing is mapped";
  std::string what = nearest->name.empty() ? std::string() : fmt::format("\"{}\" ", nearest->name);
  what += fmt::format("[{:#x}, +{})", nearest->begin, nearest->end - nearest->begin);
  if (nearest->allocation) what += fmt::format(", allocation {}", nearest->allocation);
  if (distance == 0) return fmt::format("{} bytes into {}", address - nearest->begin, what);
  constexpr std::uint64_t kNear = std::uint64_t{4} << 30;
  if (distance > kNear) return "no mapping within 4 GiB";
  return address < nearest->begin ? fmt::format("{} bytes before {}", distance, what)
                                  : fmt::format("{} bytes after {}", distance - 1, what);
}

AddressSpace::AddressSpace(HostPages* pages)
    : pages_(pages), map_(std::make_shared<const AddressMap>(std::vector<MappedRange>{}, pages)) {
  pinned_.reserve(64);  // taking a pin is on the launch path and must not allocate
}

AddressSpace::Pin::Pin(AddressSpace& space) : space_(space) {
  const std::lock_guard lock(space.mutex_);
  map_ = space.map_;
  generation_ = space.generation_;
  space.pinned_.push_back(generation_);
}

AddressSpace::Pin::~Pin() {
  bool wake = false;
  {
    const std::lock_guard lock(space_.mutex_);
    auto& pinned = space_.pinned_;
    auto mine = std::find(pinned.begin(), pinned.end(), generation_);
    *mine = pinned.back();
    pinned.pop_back();
    wake = space_.waiting_ > 0;
  }
  if (wake) space_.quiet_.notify_all();
}

void AddressSpace::publish(std::unique_lock<std::mutex>& lock, std::vector<MappedRange> ranges, bool wait) {
  map_ = std::make_shared<const AddressMap>(std::move(ranges), pages_);
  const std::uint64_t mine = ++generation_;
  if (!wait) return;
  ++waiting_;
  quiet_.wait(lock, [&] {
    return std::none_of(pinned_.begin(), pinned_.end(), [&](std::uint64_t g) { return g < mine; });
  });
  --waiting_;
}

bool AddressSpace::map(MappedRange range) {
  std::unique_lock lock(mutex_);
  if (range.begin >= range.end) return false;
  std::vector<MappedRange> ranges = map_->ranges();
  auto after = std::lower_bound(ranges.begin(), ranges.end(), range.begin,
                                [](const MappedRange& r, std::uint64_t a) { return r.begin < a; });
  if (after != ranges.end() && after->begin < range.end) return false;
  if (after != ranges.begin() && (after - 1)->end > range.begin) return false;
  ranges.insert(after, std::move(range));
  publish(lock, std::move(ranges), false);
  return true;
}

bool AddressSpace::unmap(std::uint64_t begin) {
  std::unique_lock lock(mutex_);
  std::vector<MappedRange> ranges = map_->ranges();
  auto mine =
      std::find_if(ranges.begin(), ranges.end(), [&](const MappedRange& r) { return r.begin == begin; });
  if (mine == ranges.end()) return false;
  ranges.erase(mine);
  publish(lock, std::move(ranges), true);
  return true;
}

}  // namespace mockgpu::emu
