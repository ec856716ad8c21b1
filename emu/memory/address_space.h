#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "emu/memory/host_pages.h"
#include "emu/memory/mapped_range.h"

namespace mockgpu::emu {

/// An immutable map of GPU virtual addresses: ranges sorted by address, none overlapping. With `pages`, the
/// memory of this process lies behind all addresses that no range has.
class AddressMap {
 public:
  explicit AddressMap(std::vector<MappedRange> ranges, HostPages* pages = nullptr)
      : ranges_(std::move(ranges)), pages_(pages) {}

  /// The range that contains `address`, or null. The caller checks its rights; host memory is looked at again
  /// if what is remembered lacks some of `rights`.
  const MappedRange* find(std::uint64_t address, std::uint8_t rights = 0) const;

  /// Host address of [address, address + size) if one range covers it with all of `rights`, else null.
  std::byte* translate(std::uint64_t address, std::uint64_t size, std::uint8_t rights) const;

  /// Bytes of [address, address + size) that `range`, which contains `address`, has without a gap: memory of
  /// the client may have gone. `rights`: with kWrite, what can still be written.
  std::uint64_t extent(const MappedRange& range, std::uint64_t address, std::uint64_t size,
                       std::uint8_t rights) const;

  /// Copies between GPU addresses and the host, across neighbouring ranges. Returns the number of bytes done:
  /// less than `size` means that the byte at address + result is not accessible. `right`: kRead, or kExecute
  /// for code.
  std::uint64_t read(std::uint64_t address, void* to, std::uint64_t size, Right right = kRead) const;
  std::uint64_t write(std::uint64_t address, const void* from, std::uint64_t size) const;

  /// Where `address` lies, for the `near` line of a report: `4 bytes after "a" [0x7f0040000000, +4096),
  /// allocation 12`.
  std::string describe(std::uint64_t address) const;

  const std::vector<MappedRange>& ranges() const { return ranges_; }
  HostPages* pages() const { return pages_; }

 private:
  std::vector<MappedRange> ranges_;
  HostPages* pages_;
};

/// The GPU virtual addresses of one device. Changing it publishes a new snapshot; readers work on a pinned
/// one.
class AddressSpace {
 public:
  /// `pages`: host memory behind all other addresses (AddressMap); it must outlive the space.
  explicit AddressSpace(HostPages* pages = nullptr);

  /// A snapshot held for one turn. Unmapping waits until every Pin taken before it is gone (a TLB shootdown),
  /// so a Pin must not outlive a turn, and its holder must not unmap.
  class Pin {
   public:
    explicit Pin(AddressSpace& space);
    ~Pin();
    Pin(const Pin&) = delete;
    Pin& operator=(const Pin&) = delete;
    const AddressMap& operator*() const { return *map_; }
    const AddressMap* operator->() const { return map_.get(); }
    /// Grows with every change of the map: equal generations mean that cached translations are still good.
    std::uint64_t generation() const { return generation_; }

   private:
    AddressSpace& space_;
    std::shared_ptr<const AddressMap> map_;
    std::uint64_t generation_;
  };

  /// Adds a range. False if it is empty, wraps, or overlaps a mapped one.
  bool map(MappedRange range);

  /// Removes the range that begins at `begin`; false if there is none. Returns when no running turn can see
  /// it.
  bool unmap(std::uint64_t begin);

 private:
  friend class Pin;
  void publish(std::unique_lock<std::mutex>& lock, std::vector<MappedRange> ranges, bool wait);

  HostPages* const pages_;
  std::mutex mutex_;
  std::condition_variable quiet_;
  std::shared_ptr<const AddressMap> map_;
  std::uint64_t generation_ = 0;
  unsigned waiting_ = 0;               ///< threads that wait in `quiet_`
  std::vector<std::uint64_t> pinned_;  ///< generations of the live pins
};

}  // namespace mockgpu::emu
