#include "runtime/amd/queue.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "runtime/amd/timeline.h"

namespace mockgpu::runtime::amd::queue_tests {

struct Doorbell : MmioHook {
  void written(std::size_t offset, unsigned size, std::uint64_t value) override {
    rung.push_back(value);
    EXPECT_EQ(offset, 0x18u);
    EXPECT_EQ(size, 8u);
  }
  std::vector<std::uint64_t> rung;
};

struct Fixture {
  explicit Fixture(Queue::Kind kind)
      : queue(kind, 7, buffer(ring, sizeof ring), buffer(pointers, sizeof pointers),
              Mmio(Mapping{doorbells, sizeof doorbells, &doorbell}).view(0x18, 8)) {}
  static Buffer buffer(void* data, std::size_t size) {
    Buffer b;
    b.host = static_cast<std::byte*>(data);
    b.size = size;
    return b;
  }
  std::uint64_t pointer(std::size_t offset) const {
    std::uint64_t value;
    std::memcpy(&value, pointers + offset, 8);
    return value;
  }
  void consumed(std::uint64_t value) { std::memcpy(pointers + 0x80, &value, 8); }

  alignas(8) std::uint32_t ring[16] = {};
  alignas(8) std::byte pointers[0x100] = {};
  alignas(8) std::byte doorbells[0x40] = {};
  Doorbell doorbell;
  Queue queue;
};

TEST(Queue, ComputeCountsWordsAndWraps) {
  Fixture f(Queue::Kind::compute);
  const std::uint32_t ten[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  ASSERT_TRUE(f.queue.fits(10));
  f.queue.submit(ten);
  EXPECT_EQ(f.pointer(0x38), 10u);
  EXPECT_FALSE(f.queue.fits(10));
  f.consumed(4);
  EXPECT_TRUE(f.queue.fits(10));
  f.queue.submit(ten);
  EXPECT_EQ(f.pointer(0x38), 20u);
  EXPECT_EQ(f.doorbell.rung, (std::vector<std::uint64_t>{10, 20}));
  const std::uint32_t expected[16] = {7, 8, 9, 10, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6};
  EXPECT_EQ(std::memcmp(f.ring, expected, sizeof expected), 0);
}

TEST(Queue, CopyCountsBytesAndFillsTheTail) {
  Fixture f(Queue::Kind::copy);
  const std::uint32_t ten[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  f.queue.submit(ten);
  EXPECT_EQ(f.pointer(0x38), 40u);
  EXPECT_FALSE(f.queue.fits(10));
  f.consumed(36);  // 16 words are needed: 6 of filler, 10 at the start
  EXPECT_FALSE(f.queue.fits(10));
  f.consumed(40);
  EXPECT_TRUE(f.queue.fits(10));
  f.queue.submit(ten);
  EXPECT_EQ(f.pointer(0x38), 104u);
  EXPECT_EQ(f.doorbell.rung, (std::vector<std::uint64_t>{40, 104}));
  const std::uint32_t expected[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(std::memcmp(f.ring, expected, sizeof expected), 0);
}

TEST(Queue, SaysWhereASubmissionBegins) {
  Fixture f(Queue::Kind::copy);
  EXPECT_EQ(f.queue.start_of(16), 0u);
  const std::uint32_t ten[10] = {};
  f.queue.submit(ten);
  EXPECT_EQ(f.queue.start_of(6), 10u);
  EXPECT_EQ(f.queue.start_of(7), 0u);  // behind filler
  EXPECT_EQ(f.queue.pending(), 10u);
  f.consumed(24);
  EXPECT_EQ(f.queue.pending(), 4u);
}

// A signal's 32 bits come to their end: points go on, and whoever waits for an old value still finds it.
TEST(Timeline, PointsGoOnWithTheSecondSignal) {
  alignas(8) std::byte memory[32] = {};
  const Mmio words(Mapping{memory, sizeof memory, nullptr});
  const Signal first{0x1000, words.view(0, 16)}, second{0x1010, words.view(16, 16)};
  Timeline timeline;
  timeline.start(first, second, 3);
  for (Point point = 1; point <= 10; ++point) {
    if (timeline.full()) {
      const Signal old = timeline.signal();
      timeline.restart();
      EXPECT_EQ(old.value(), 3u);
      EXPECT_NE(timeline.signal().address, old.address);
      EXPECT_EQ(timeline.value(), 0u);
      EXPECT_EQ(timeline.done(), point - 1);
    }
    EXPECT_EQ(timeline.advance(), point);
    EXPECT_EQ(timeline.last(), point);
    EXPECT_FALSE(timeline.reached(point));
    const Timeline::Place place = timeline.place(point);
    EXPECT_EQ(place.signal.address, timeline.signal().address);
    EXPECT_EQ(place.value, timeline.value());
    timeline.signal().set(timeline.value());
    EXPECT_TRUE(timeline.reached(point));
  }
  EXPECT_EQ(timeline.place(3).signal.address, first.address);
  EXPECT_EQ(timeline.place(3).value, 3u);
  EXPECT_EQ(timeline.place(4).signal.address, second.address);
  EXPECT_EQ(timeline.place(4).value, 1u);
}

TEST(Mmio, CallsTheHookWithMappingOffsets) {
  struct Hook : MmioHook {
    void written(std::size_t o, unsigned s, std::uint64_t v) override { offset = o, size = s, value = v; }
    std::uint64_t read(std::size_t o, unsigned, std::uint64_t stored) override { return stored + o; }
    std::size_t offset = 0;
    unsigned size = 0;
    std::uint64_t value = 0;
  } hook;
  alignas(8) std::byte memory[64] = {};
  const Mmio mmio(Mapping{memory, sizeof memory, &hook});
  const Mmio part = mmio.view(16, 32).view(8, 16);
  part.write32(4, 0xabcd);
  EXPECT_EQ(hook.offset, 28u);
  EXPECT_EQ(hook.size, 4u);
  EXPECT_EQ(hook.value, 0xabcdu);
  EXPECT_EQ(part.read32(4), 0xabcdu + 28u);
  EXPECT_EQ(part.size(), 16u);
}

TEST(Mmio, PlainMemoryHasNoHook) {
  alignas(8) std::byte memory[16] = {};
  const Mmio mmio(Mapping{memory, sizeof memory, nullptr});
  mmio.write64(8, 0x1122334455667788);
  EXPECT_EQ(mmio.read64(8), 0x1122334455667788u);
  EXPECT_EQ(mmio.read32(8), 0x55667788u);
}

}  // namespace mockgpu::runtime::amd::queue_tests
