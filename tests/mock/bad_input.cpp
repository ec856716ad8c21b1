// What a client can do wrong with queues, signals and memory: one clear error each, and the next good work
// runs in the same process.
#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "tests/mock/client.h"

namespace mockgpu::test::bad_input_tests {

using testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

/// gfx1100: polls *s[0:1] until it is 1, then stores 2 behind it.
///   v_mov_b32 v0, 0; loop: global_load_b32 v1, v0, s[0:1] glc; s_waitcnt vmcnt(0); v_readfirstlane_b32 s2,
///   v1; s_cmp_eq_u32 s2, 1; s_cbranch_scc0 loop; v_mov_b32 v1, 2; global_store_b32 v0, v1, s[0:1] offset:4;
///   s_endpgm
const Words kPollKernel = {0x7e000280, 0xdc524000, 0x01000000, 0xbf8903f7, 0x7e040501, 0xbf068102,
                           0xbfa1fffa, 0x7e020282, 0xdc6a0004, 0x00000100, 0xbfb00000};
/// Stores 7 to *s[0:1]: v_mov_b32 v0, 0; v_mov_b32 v1, 7; global_store_b32 v0, v1, s[0:1]; s_endpgm
const Words kStoreKernel = {0x7e000280, 0x7e020287, 0xdc6a0000, 0x00000100, 0xbfb00000};

/// Registers and dispatch of one wave32 of such a kernel.
Words dispatch(std::uint64_t code, std::uint64_t argument) {
  return {0xc0027600,
          0x20c,
          low(code >> 8),
          high(code >> 8),  // PGM_LO, PGM_HI
          0xc0027600,
          0x212,
          0x000f0000,
          2u << 1,  // RSRC1: keep denormals; 2 user SGPRs
          0xc0017600,
          0x228,
          0,  // RSRC3
          0xc0027600,
          0x240,
          low(argument),
          high(argument),  // USER_DATA
          0xc0087600,
          0x204,
          0,
          0,
          0,
          32,
          1,
          1,
          0,
          0,  // START, NUM_THREAD
          0xc0031500,
          1,
          1,
          1,
          0x8005};
}

class BadInput : public testing::TestWithParam<const char*> {
 protected:
  BadInput() : client(std::string(";log=off;mode=") + GetParam()) {
    EXPECT_EQ(client.acquire(), 0);
    client.event_page();
    memory_event = client.create_event(kfd::kEventMemory, false);
    hardware_event = client.create_event(kfd::kEventHwException, false);
    memory = client.allocate(0x1000);
    poll = code(kPollKernel);
    store = code(kStoreKernel);
  }
  ~BadInput() override { good_work_runs(); }

  std::uint64_t code(const Words& words) {
    const Memory place = client.allocate(0x1000, kVisibleVram);
    std::copy(words.begin(), words.end(), place.words());
    return place.va;
  }
  /// A new queue runs a kernel and signals.
  void good_work_runs() {
    UserQueue queue = client.create_queue(false);
    queue.submit(dispatch(store, memory.va + 0x800));
    queue.submit(pm4_signal(memory.va + 0x804, 1));
    EXPECT_TRUE(client.reaches(memory, 0x804, 1));
    EXPECT_EQ(__atomic_load_n(memory.words() + 0x200, __ATOMIC_ACQUIRE), 7u);
  }
  /// Waits for one of the error events; the only finding then.
  Error error(std::uint32_t event) {
    const Client::Wait wait = client.wait({event}, 5000);
    EXPECT_EQ(wait.error, 0);
    EXPECT_EQ(wait.result, kfd::kWaitComplete);
    const std::vector<Error> reports = client.machine.reports();
    EXPECT_EQ(reports.size(), 1u);
    return reports.empty() ? Error(Tag::failed, "no report") : reports.back();
  }
  void write(std::size_t offset, std::uint32_t value) {
    runtime::Mmio(memory.mapping).write32(offset, value);
  }
  void settle() {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    client.machine.relax();
  }

  Client client;
  std::uint32_t memory_event = 0, hardware_event = 0;
  Memory memory;
  std::uint64_t poll = 0, store = 0;
};
INSTANTIATE_TEST_SUITE_P(Modes, BadInput, testing::Values("inline", "async", "seeded"),
                         [](const auto& info) { return info.param; });

TEST_P(BadInput, AWritePointerBeyondTheRing) {
  UserQueue queue = client.create_queue(false);
  queue.doorbell.write64(0, 0x10000);
  const Error report = error(hardware_event);
  EXPECT_EQ(report.tag(), Tag::bad_packet);
  EXPECT_THAT(report.message(), HasSubstr("the doorbell says 0x10000, more than a ring of 0x4000 words"));
}

TEST_P(BadInput, AWritePointerBeyondTheRingOfACopyQueue) {
  UserQueue queue = client.create_queue(true);
  queue.doorbell.write64(0, 0x20000);
  EXPECT_THAT(error(hardware_event).message(), HasSubstr("the doorbell says 0x20000"));
}

TEST_P(BadInput, AWritePointerBehindTheReadPointer) {
  UserQueue queue = client.create_queue(false);
  queue.doorbell.write64(0, ~std::uint64_t{0});
  EXPECT_THAT(error(hardware_event).message(),
              HasSubstr("the doorbell says 0xffffffffffffffff, behind the read pointer 0x0"));
}

TEST_P(BadInput, ADoorbellForADestroyedQueue) {
  UserQueue queue = client.create_queue(false);
  kfd::DestroyQueueArgs destroy{queue.id, 0};
  ASSERT_EQ(client.call(kfd::kDestroyQueue, destroy), 0);
  queue.submit(pm4_signal(memory.va, 1));
  settle();
  EXPECT_EQ(memory.words()[0], 0u);
  ASSERT_EQ(client.machine.reports().size(), 1u);
  EXPECT_THAT(client.machine.reports()[0].message(),
              HasSubstr("doorbell 0x0 written with 0x8: no queue listens there, or it was destroyed"));
}

TEST_P(BadInput, ASignalInFreedMemory) {
  UserQueue queue = client.create_queue(false);
  const Memory signals = client.allocate(0x1000);
  ASSERT_EQ(client.unmap(signals), 0);
  ASSERT_EQ(client.free(signals), 0);
  queue.submit(pm4_signal(signals.va + 0x40, 1));
  const Error report = error(memory_event);
  EXPECT_EQ(report.tag(), Tag::memory_fault);
  EXPECT_THAT(
      report.message(),
      HasSubstr(fmt::format("RELEASE_MEM writes 4 bytes at {:#x}, which is not mapped", signals.va + 0x40)));
  client.machine.munmap(signals.mapping.data, signals.size);
}

TEST_P(BadInput, AnEventThatNeverComes) {
  const std::uint32_t event = client.create_event(kfd::kEventSignal, true);
  const auto start = std::chrono::steady_clock::now();
  const Client::Wait wait = client.wait({event}, 20);
  EXPECT_EQ(wait.error, 0);
  EXPECT_EQ(wait.result, kfd::kWaitTimeout);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(20));
  EXPECT_EQ(client.wait({event + 1000}, 20).error, EINVAL) << "an event that is none";
}

TEST_P(BadInput, AnUnknownIoctl) {
  std::uint64_t nothing[2] = {};
  EXPECT_EQ(client.call(0xc0104b3f, nothing), ENOTTY);
  EXPECT_TRUE(client.machine.reports().empty());
}

TEST_P(BadInput, AMalformedPacket) {
  UserQueue queue = client.create_queue(false);
  queue.submit({0});
  const Error report = error(hardware_event);
  EXPECT_THAT(format_error(report), HasSubstr("0x00000000 is no packet header"));
  EXPECT_THAT(format_error(report), HasSubstr("compute queue"));
}

TEST_P(BadInput, AnIndirectBufferThatContainsItself) {
  UserQueue queue = client.create_queue(false);
  const Words self{0xc0023f00, low(memory.va), high(memory.va),
                   0x900004};  // a jump to itself, without an end
  std::copy(self.begin(), self.end(), memory.words());
  queue.submit({0xc0023f00, low(memory.va), high(memory.va), 0x800004});
  const Error report = error(hardware_event);
  EXPECT_EQ(report.tag(), Tag::hang);
  EXPECT_THAT(report.message(), HasSubstr("chained in a circle"));
}

TEST_P(BadInput, MemoryUnmappedWhileAKernelUsesIt) {
  UserQueue queue = client.create_queue(false);
  const Memory flag = client.allocate(0x1000);
  queue.submit(dispatch(poll, flag.va));
  settle();
  ASSERT_EQ(client.unmap(flag), 0) << "the kernel's turn has ended when this returns";
  const Error report = error(memory_event);
  EXPECT_EQ(report.tag(), Tag::memory_fault);
  EXPECT_THAT(format_error(report), HasSubstr(fmt::format("{:#x}", flag.va)));
  EXPECT_EQ(client.free(flag), 0);
}

TEST_P(BadInput, AKernelThatFaultsWhileAnotherWorks) {
  UserQueue good = client.create_queue(false), bad = client.create_queue(false);
  good.submit(dispatch(poll, memory.va));
  good.submit(pm4_signal(memory.va + 8, 1));
  const auto nowhere = reinterpret_cast<std::uint64_t>(client.machine.reserve(0x1000));
  bad.submit(dispatch(store, nowhere));
  bad.submit(pm4_signal(memory.va + 12, 1));
  EXPECT_EQ(error(memory_event).tag(), Tag::memory_fault);
  write(0, 1);
  EXPECT_TRUE(client.reaches(memory, 8, 1)) << "the other queue finishes";
  EXPECT_EQ(memory.words()[1], 2u);
  EXPECT_EQ(memory.words()[3], 0u) << "the queue with the fault does not";
}

TEST_P(BadInput, ADispatchThatWaitsForAnotherQueue) {
  UserQueue first = client.create_queue(false), second = client.create_queue(false);
  first.submit(dispatch(poll, memory.va));
  first.submit(pm4_signal(memory.va + 8, 1));
  second.submit(pm4_signal(memory.va, 1));
  EXPECT_TRUE(client.reaches(memory, 8, 1));
  EXPECT_EQ(memory.words()[1], 2u);
}

TEST_P(BadInput, ADispatchThatWaitsForTheHost) {
  UserQueue queue = client.create_queue(false);
  queue.submit(dispatch(poll, memory.va));
  queue.submit(pm4_signal(memory.va + 8, 1));
  settle();
  EXPECT_EQ(memory.words()[2], 0u);
  __atomic_store_n(memory.words(), 1u, __ATOMIC_RELEASE);
  EXPECT_TRUE(client.reaches(memory, 8, 1));
}

TEST_P(BadInput, AStoppedQueueGoesOnWhereItWas) {
  UserQueue queue = client.create_queue(false);
  queue.submit(dispatch(poll, memory.va));
  queue.submit(pm4_signal(memory.va + 8, 1));
  for (int i = 0; i < 2000 && queue.read_pointer() == 0; ++i) settle();  // until its waves run
  kfd::UpdateQueueArgs update{queue.ring.va, queue.id, static_cast<std::uint32_t>(queue.ring.size), 0, 7};
  ASSERT_EQ(client.call(kfd::kUpdateQueue, update), 0);
  write(0, 1);
  settle();
  EXPECT_EQ(memory.words()[1], 0u) << "stopped amid its kernel";
  std::uint32_t header[4];
  kfd::GetQueueWaveStateArgs waves{reinterpret_cast<std::uint64_t>(header), 0, 0, queue.id, 0};
  EXPECT_EQ(client.call(kfd::kGetQueueWaveState, waves), ENOTTY) << "saved waves are not modelled";
  ASSERT_EQ(client.machine.reports().size(), 1u);
  EXPECT_THAT(format_error(client.machine.reports()[0]),
              testing::AllOf(testing::HasSubstr("AMDKFD_IOC_GET_QUEUE_WAVE_STATE (/dev/kfd number 0x1b)"),
                             testing::HasSubstr("bytes")));
  update.queue_percentage = 100;
  ASSERT_EQ(client.call(kfd::kUpdateQueue, update), 0);
  EXPECT_TRUE(client.reaches(memory, 8, 1));
}

TEST_P(BadInput, AQueueDestroyedAmidItsKernel) {
  UserQueue queue = client.create_queue(false);
  queue.submit(dispatch(poll, memory.va));
  queue.submit(pm4_signal(memory.va + 8, 1));
  settle();
  kfd::DestroyQueueArgs destroy{queue.id, 0};
  ASSERT_EQ(client.call(kfd::kDestroyQueue, destroy), 0);
  write(0, 1);
  settle();
  EXPECT_EQ(memory.words()[1], 0u);
  EXPECT_EQ(memory.words()[2], 0u);
  EXPECT_TRUE(client.machine.reports().empty());
}

}  // namespace mockgpu::test::bad_input_tests
