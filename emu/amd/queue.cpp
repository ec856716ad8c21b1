#include "emu/amd/queue.h"

#include <fmt/format.h>

#include <algorithm>

#include "emu/memory/guard.h"

namespace mockgpu::emu::amd {
namespace {

constexpr std::size_t kShownWords = 16;  // of a packet in a report

}  // namespace

std::uint64_t first_fault(const AddressMap& map, std::uint64_t address, std::uint64_t size,
                          std::uint8_t rights) {
  std::uint64_t done = 0;
  while (done < size) {
    const MappedRange* range = map.find(address + done);
    if (!range || (range->rights & rights) != rights) break;
    const std::uint64_t part = map.extent(*range, address + done, size - done, rights);
    if (part == 0) break;
    done += part;
  }
  return address + done;
}

bool Queue::bind(const AddressSpace::Pin& pin) {
  view_.bind(*pin);
  if (generation_ == pin.generation()) return true;
  ring_ = reinterpret_cast<const std::uint32_t*>(view_.at(setup_.ring, setup_.ring_bytes, kRead));
  const bool ring_lasts = view_.is_lasting();
  read_pointer_ = view_.word64(setup_.read_pointer, kWrite);
  if (!ring_) {
    const std::uint64_t bad = first_fault(*pin, setup_.ring, setup_.ring_bytes, kRead);
    fail_access("the queue's ring", bad, 4, false);
    return false;
  }
  if (!read_pointer_) {
    fail_access("the queue's read pointer", setup_.read_pointer, 8, true);
    return false;
  }
  // Memory of the client is looked at again in every turn.
  generation_ = ring_lasts && view_.is_lasting() ? pin.generation() : kUnbound;
  return true;
}

bool Queue::copy_bytes(std::uint64_t to, std::uint64_t from, std::uint64_t size, std::string_view packet) {
  for (std::uint64_t done = 0; done < size;) {
    const std::span<const std::byte> source = view_.span(from + done, size - done, kRead);
    if (source.empty()) {
      fail_access(packet, from + done, size - done, false);
      return false;
    }
    const std::span<std::byte> target = view_.span(to + done, source.size(), kWrite);
    if (target.empty()) {
      fail_access(packet, to + done, size - done, true);
      return false;
    }
    // What goes away in between is found by the next look.
    if (guarded(view_.map(), [&] { raw_copy(target.data(), source.data(), target.size()); }))
      done += target.size();
  }
  return true;
}

bool Queue::fill_bytes(std::uint64_t to, std::uint32_t value, unsigned element_bytes, std::uint64_t size,
                       std::string_view packet) {
  for (std::uint64_t done = 0; done < size;) {
    const std::span<std::byte> target = view_.span(to + done, size - done, kWrite);
    const std::size_t count = target.size() / element_bytes;
    if (count == 0) {
      fail_access(packet, to + done, size - done, true);
      return false;
    }
    if (guarded(view_.map(), [&] { raw_fill(target.data(), value, element_bytes, count); }))
      done += count * element_bytes;
  }
  return true;
}

void Queue::fail_access(std::string_view packet, std::uint64_t address, std::uint64_t size, bool write) {
  const AddressMap& map = view_.map();
  const std::uint64_t bad = first_fault(map, address, size, write ? kWrite : kRead);
  if (bad == address + size) {  // mapped, and with the right: then it was the alignment
    fail(Error(Tag::bad_packet, fmt::format("{} {} {} bytes at {:#x}, which is not aligned", packet,
                                            write ? "writes" : "reads", size, address)));
    return;
  }
  MemoryFault fault;
  fault.address = bad;
  fault.write = write;
  const MappedRange* range = map.find(bad);
  const bool allowed = range && (range->rights & (write ? kWrite : kRead));
  fault.present = range && !allowed;
  Error report(Tag::memory_fault, fmt::format("{} {} {} bytes at {:#x}, which is {}", packet,
                                              write ? "writes" : "reads", size, bad,
                                              allowed  ? "memory that the client took away"
                                              : !range ? "not mapped"
                                              : write  ? "read-only"
                                                       : "not readable"));
  add_place(report);
  report.add("near", map.describe(bad));
  fail_memory(fault, std::move(report));
}

void Queue::add_place(Error& report) const {
  report.add("at", where());
  const std::vector<std::uint32_t> words = packet_words();
  if (words.empty()) return;
  report.add("packet", packet_text(words));
  std::string hex;
  for (std::size_t i = 0; i < std::min(words.size(), kShownWords); ++i)
    hex += fmt::format("{}{:08x}", i == 0 ? "" : " ", words[i]);
  if (words.size() > kShownWords) hex += fmt::format(" ... {} words", words.size());
  report.add("bytes", hex);
}

void Queue::fail(Error report) {
  add_place(report);
  fail_plain(std::move(report));
}

void Queue::fail_formatted(Tag tag, fmt::string_view format, fmt::format_args args) {
  fail(Error(tag, fmt::vformat(format, args)));
}

void Queue::fail_plain(Error report) {
  dead_ = true;
  if (observer_) observer_->fault(report);
  host_.queue_error(std::move(report));
}

void Queue::fail_memory(const MemoryFault& fault, Error report) {
  dead_ = true;
  if (observer_) observer_->fault(report);
  host_.memory_fault(fault, std::move(report));
}

}  // namespace mockgpu::emu::amd
