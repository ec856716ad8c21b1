#pragma once
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "emu/amd/compute_queue.h"
#include "emu/amd/sdma_queue.h"

namespace mockgpu::test {

constexpr std::uint64_t kRing = 0x10'0000, kPointers = 0x20'0000, kData = 0x30'0000, kReadOnly = 0x40'0000,
                        kNothing = 0x50'0000;
constexpr std::uint32_t kRingBytes = 0x1000;

/// Remembers what a queue told its device.
struct FakeHost final : emu::amd::QueueHost {
  std::vector<std::uint32_t> interrupts;
  std::vector<emu::amd::MemoryFault> faults;
  std::vector<Error> reports;
  std::uint32_t dispatches = 0;

  void interrupt(std::uint32_t context) override { interrupts.push_back(context); }
  void memory_fault(const emu::amd::MemoryFault& fault, Error report) override {
    faults.push_back(fault);
    reports.push_back(std::move(report));
  }
  void queue_error(Error report) override { reports.push_back(std::move(report)); }
  std::uint32_t next_dispatch() override { return dispatches++; }
};

/// Counts the packets that it is told of.
struct PacketCounter final : emu::Observer {
  unsigned count = 0;
  void packet(const emu::PacketEvent&) override { ++count; }
};

/// A queue alone: a ring, a pointer page and two pages of data in a small address space.
class QueueTest : public testing::Test {
 protected:
  QueueTest() {
    map(kRing, ring_, emu::kRead | emu::kWrite, "ring");
    map(kPointers, pointers_, emu::kRead | emu::kWrite, "pointers");
    map(kData, data_, emu::kRead | emu::kWrite, "data");
    map(kReadOnly, read_only_, emu::kRead, "constants");
    setup_.id = 1;
    setup_.ring = kRing;
    setup_.ring_bytes = kRingBytes;
    setup_.read_pointer = kPointers + 0x80;
    setup_.write_pointer = kPointers + 0x38;
    setup_.doorbell = &doorbell_;
  }

  void map(std::uint64_t address, std::vector<std::uint32_t>& words, int rights, const char* name) {
    emu::MappedRange range;
    range.begin = address;
    range.end = address + words.size() * 4;
    range.host = reinterpret_cast<std::byte*>(words.data());
    range.rights = static_cast<std::uint8_t>(rights);
    range.name = name;
    ASSERT_TRUE(memory_.map(range));
  }

  /// Appends words to the ring. `unit` is what the doorbell counts per word.
  void put(const std::vector<std::uint32_t>& words, unsigned unit) {
    for (const std::uint32_t word : words) ring_[put_++ % (kRingBytes / 4)] = word;
    doorbell_.store(put_ * unit);
  }
  std::uint64_t read_pointer() const {
    std::uint64_t value = 0;
    std::memcpy(&value, pointers_.data() + 0x20, 8);
    return value;
  }
  std::uint64_t data64(std::size_t word) const {
    std::uint64_t value = 0;
    std::memcpy(&value, data_.data() + word, 8);
    return value;
  }
  /// The message of the only report, or all of them.
  std::string report() const {
    std::string text;
    for (const Error& error : host_.reports) text += format_error(error);
    return text;
  }

  static constexpr emu::TurnBudget kTurn{1000, 1'000'000};

  std::vector<std::uint32_t> ring_ = std::vector<std::uint32_t>(kRingBytes / 4);
  std::vector<std::uint32_t> pointers_ = std::vector<std::uint32_t>(0x400);
  std::vector<std::uint32_t> data_ = std::vector<std::uint32_t>(0x400);
  std::vector<std::uint32_t> read_only_ = std::vector<std::uint32_t>(0x400);
  emu::AddressSpace memory_;
  emu::Scheduler scheduler_{emu::Mode::on_call, 1};
  FakeHost host_;
  std::atomic<std::uint64_t> doorbell_{0};
  emu::amd::QueueSetup setup_;
  std::uint64_t put_ = 0;
};

/// A compute queue alone. Its ring counts words.
class ComputeQueueTest : public QueueTest {
 protected:
  ComputeQueueTest()
      : queue_(setup_, memory_, scheduler_, host_, engine_, *emu::amd::find_model("gfx1100")) {}

  emu::Step run(const std::vector<std::uint32_t>& words) {
    put(words, 1);
    return queue_.turn(kTurn);
  }
  /// Runs words that must succeed.
  void good(const std::vector<std::uint32_t>& words) {
    EXPECT_EQ(run(words), emu::Step::ran);
    EXPECT_EQ(report(), "");
    EXPECT_EQ(read_pointer(), put_);
  }

  emu::amd::Engine engine_{{}};
  emu::amd::ComputeQueue queue_;
};

/// A copy queue alone. Its ring counts bytes.
class CopyQueueTest : public QueueTest {
 protected:
  CopyQueueTest() : queue_(setup_, memory_, scheduler_, host_) {}

  emu::Step run(const std::vector<std::uint32_t>& words) {
    put(words, 4);
    return queue_.turn(kTurn);
  }
  void good(const std::vector<std::uint32_t>& words) {
    EXPECT_EQ(run(words), emu::Step::ran);
    EXPECT_EQ(report(), "");
    EXPECT_EQ(read_pointer(), put_ * 4) << "pointers count bytes";
  }

  emu::amd::SdmaQueue queue_;
};

}  // namespace mockgpu::test
