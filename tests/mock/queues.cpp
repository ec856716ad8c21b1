#include <gmock/gmock.h>
#include <sys/mman.h>

#include <chrono>
#include <thread>

#include "emu/amd/topology.h"
#include "tests/mock/client.h"

namespace mockgpu::test::queues_tests {

using testing::HasSubstr;

class Queues : public testing::TestWithParam<const char*> {
 protected:
  Queues() : client(std::string(";log=off;mode=") + GetParam()) { EXPECT_EQ(client.acquire(), 0); }
  bool is_async() const { return std::string(GetParam()) == "async"; }
  Client client;
};
INSTANTIATE_TEST_SUITE_P(Modes, Queues, testing::Values("inline", "async", "seeded"),
                         [](const auto& info) { return info.param; });

TEST_P(Queues, ADoorbellRunsPackets) {
  const Memory memory = client.allocate(0x1000);
  UserQueue queue = client.create_queue(false);
  for (std::uint32_t i = 1; i <= 100; ++i) {
    queue.submit(pm4_signal(memory.va, i));
    ASSERT_TRUE(client.reaches(memory, 0, i));
  }
  EXPECT_TRUE(client.reaches(queue.pointers, 0x80, 800));
}

TEST_P(Queues, QueuesWaitForEachOther) {
  const Memory memory = client.allocate(0x1000);
  UserQueue compute = client.create_queue(false), copy = client.create_queue(true);
  // compute waits for copy, which waits for compute's earlier signal.
  compute.submit(pm4_signal(memory.va, 1));
  compute.submit(pm4_wait(memory.va + 8, 1));
  compute.submit(pm4_signal(memory.va + 16, 2));
  EXPECT_EQ(memory.words()[4], 0u);
  copy.submit(sdma_wait(memory.va, 1));
  copy.submit(sdma_fence(memory.va + 8, 1));
  EXPECT_TRUE(client.reaches(memory, 16, 2));
}

TEST_P(Queues, ABlockedQueueDoesNotBlockAnother) {
  const Memory memory = client.allocate(0x1000);
  UserQueue blocked = client.create_queue(false), other = client.create_queue(false);
  blocked.submit(pm4_wait(memory.va, 1));
  blocked.submit(pm4_signal(memory.va + 8, 1));
  for (std::uint32_t i = 1; i <= 10; ++i) {
    other.submit(pm4_signal(memory.va + 16, i));
    EXPECT_TRUE(client.reaches(memory, 16, i));
  }
  EXPECT_EQ(memory.words()[2], 0u);
  runtime::Mmio(memory.mapping).write32(0, 1);  // the host signals
  EXPECT_TRUE(client.reaches(memory, 8, 1));
}

TEST_P(Queues, PlainStoresOfTheHostAreSeen) {
  const Memory memory = client.allocate(0x1000);
  UserQueue queue = client.create_queue(true);
  queue.submit(sdma_wait(memory.va, 1));
  queue.submit(sdma_fence(memory.va + 8, 1));
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  __atomic_store_n(memory.words(), 1u, __ATOMIC_RELEASE);
  EXPECT_TRUE(client.reaches(memory, 8, 1));
}

TEST_P(Queues, CopiesBetweenMemories) {
  const Memory visible = client.allocate(0x10000), target = client.allocate(0x10000, kVisibleVram);
  const Memory hidden = client.allocate(0x10000, kVram);
  for (std::uint32_t i = 0; i < 0x4000; ++i) visible.words()[i] = i * 3;
  UserQueue queue = client.create_queue(true);
  queue.submit(sdma_copy(hidden.va, visible.va, 0x10000));
  queue.submit(sdma_copy(target.va, hidden.va, 0x10000));
  queue.submit(sdma_fence(visible.va, 7));
  ASSERT_TRUE(client.reaches(visible, 0, 7));
  EXPECT_EQ(target.words()[0], 0u);
  EXPECT_EQ(target.words()[0x3fff], 0x3fffu * 3);
}

TEST_P(Queues, UserPointersHaveAnotherAddress) {
  void* user = client.machine.anon_mmap(0x2000);
  void* place = client.machine.reserve(0x2000);
  kfd::AllocMemoryOfGpuArgs alloc{};
  alloc.va_addr = reinterpret_cast<std::uint64_t>(place);
  alloc.mmap_offset = reinterpret_cast<std::uint64_t>(user);
  alloc.size = 0x2000;
  alloc.gpu_id = client.gpu_id;
  alloc.flags = 0xf6000004;
  ASSERT_EQ(client.call(kfd::kAllocMemoryOfGpu, alloc), 0);
  EXPECT_EQ(alloc.mmap_offset, reinterpret_cast<std::uint64_t>(user));
  Memory memory;
  memory.handle = alloc.handle;
  ASSERT_EQ(client.map(memory), 0);
  const Memory done = client.allocate(0x1000);
  UserQueue queue = client.create_queue(true);
  queue.submit(sdma_fence(alloc.va_addr + 0x1000, 99));
  queue.submit(sdma_fence(done.va, 1));
  ASSERT_TRUE(client.reaches(done, 0, 1));
  EXPECT_EQ(__atomic_load_n(static_cast<std::uint32_t*>(user) + 0x400, __ATOMIC_ACQUIRE), 99u);
}

TEST_P(Queues, PinnedMemoryThatTheClientUnmapsFaults) {
  client.event_page();
  const std::uint32_t memory_event = client.create_event(kfd::kEventMemory, false);
  void* user = client.machine.anon_mmap(0x1000);
  Memory pinned;
  pinned.va = reinterpret_cast<std::uint64_t>(user);
  kfd::AllocMemoryOfGpuArgs alloc{pinned.va, 0x1000, 0, pinned.va, client.gpu_id, 0xf0000004};
  ASSERT_EQ(client.call(kfd::kAllocMemoryOfGpu, alloc), 0);
  pinned.handle = alloc.handle;
  ASSERT_EQ(client.map(pinned), 0);
  UserQueue queue = client.create_queue(true);
  ASSERT_EQ(client.machine.munmap(user, 0x1000), 0);
  queue.submit(sdma_fence(pinned.va, 1));
  EXPECT_EQ(client.wait({memory_event}, 5000).result, kfd::kWaitComplete);
  EXPECT_EQ(client.unmap(pinned), 0);
  EXPECT_EQ(client.free(pinned), 0);
}

// The client gives pinned memory back to the operating system and tells nobody.
TEST_P(Queues, PinnedMemoryThatGoesAwayFaults) {
  client.event_page();
  const std::uint32_t memory_event = client.create_event(kfd::kEventMemory, true);
  const Memory data = client.allocate(0x2000);
  struct Case {
    const char* message;
    bool sdma;
    std::vector<std::uint32_t> (*packet)(std::uint64_t gone, std::uint64_t data);
  };
  const Case cases[] = {
      {"FENCE writes 4 bytes at", true, [](auto gone, auto) { return sdma_fence(gone, 1); }},
      {"COPY_LINEAR reads 4096 bytes at", true,
       [](auto gone, auto data) { return sdma_copy(data, gone - 0x1000, 0x2000); }},
      {"COPY_LINEAR writes 4096 bytes at", true,
       [](auto gone, auto data) { return sdma_copy(gone - 0x1000, data, 0x2000); }},
      {"POLL_REGMEM reads 4 bytes at", true, [](auto gone, auto) { return sdma_wait(gone, 1); }},
      {"RELEASE_MEM writes 4 bytes at", false, [](auto gone, auto) { return pm4_signal(gone, 1); }},
      {"WAIT_REG_MEM reads 4 bytes at", false, [](auto gone, auto) { return pm4_wait(gone, 1); }},
      {"INDIRECT_BUFFER reads 4 bytes at", false,
       [](auto gone, auto) {
         return std::vector<std::uint32_t>{0xc0023f00, low(gone), high(gone), 16};
       }},
  };
  void* user = client.machine.anon_mmap(0x2000);
  Memory pinned;
  pinned.va = reinterpret_cast<std::uint64_t>(user);
  const std::uint64_t gone = pinned.va + 0x1000;
  kfd::AllocMemoryOfGpuArgs alloc{pinned.va, 0x2000, 0, pinned.va, client.gpu_id, 0xf0000004};
  ASSERT_EQ(client.call(kfd::kAllocMemoryOfGpu, alloc), 0);
  pinned.handle = alloc.handle;
  ASSERT_EQ(client.map(pinned), 0);
  ASSERT_EQ(::mprotect(static_cast<std::byte*>(user) + 0x1000, 0x1000, PROT_NONE), 0);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    const std::size_t before = client.machine.reports().size();
    UserQueue queue = client.create_queue(c.sdma);
    queue.submit(c.packet(gone, data.va));
    const Client::Wait wait = client.wait({memory_event}, 5000);
    ASSERT_EQ(wait.result, kfd::kWaitComplete);
    EXPECT_EQ(wait.events[0].memory_exception_data.va, gone);
    EXPECT_EQ(wait.events[0].memory_exception_data.NotPresent, 1u);
    const std::vector<Error> reports = client.machine.reports();
    ASSERT_EQ(reports.size(), before + 1);
    EXPECT_EQ(reports.back().message(),
              fmt::format("{} {:#x}, which is memory that the client took away", c.message, gone));
  }
  EXPECT_EQ(client.unmap(pinned), 0);
  EXPECT_EQ(client.free(pinned), 0);
  client.machine.munmap(user, 0x2000);
}

TEST_P(Queues, FaultsReachTheClient) {
  client.event_page();
  const std::uint32_t memory_event = client.create_event(kfd::kEventMemory, false);
  const std::uint32_t hardware_event = client.create_event(kfd::kEventHwException, false);
  UserQueue queue = client.create_queue(true);
  const auto bad = reinterpret_cast<std::uint64_t>(client.machine.reserve(0x1000)) + 0x10;
  queue.submit(sdma_fence(bad, 1));
  const Client::Wait wait = client.wait({memory_event, hardware_event}, 5000);
  EXPECT_EQ(wait.result, kfd::kWaitComplete);
  const kfd::MemoryExceptionData& data = wait.events[0].memory_exception_data;
  EXPECT_EQ(data.NotPresent, 1u);
  EXPECT_EQ(data.gpu_id, client.gpu_id);
  EXPECT_EQ(data.va, bad & ~std::uint64_t{0xfff}) << "the driver knows the page";
  EXPECT_EQ(wait.events[1].hw_exception_data.gpu_id, 0u);
  ASSERT_EQ(client.machine.reports().size(), 1u);
  EXPECT_THAT(client.machine.reports()[0].message(), HasSubstr(fmt::format("{:#x}", bad)))
      << "the machine the address";
}

TEST_P(Queues, BadPacketsReachTheClient) {
  client.event_page();
  const std::uint32_t hardware_event = client.create_event(kfd::kEventHwException, false);
  UserQueue queue = client.create_queue(false);
  queue.submit({0xc000ee00, 0});
  const Client::Wait wait = client.wait({hardware_event}, 5000);
  EXPECT_EQ(wait.result, kfd::kWaitComplete);
  EXPECT_EQ(wait.events[0].hw_exception_data.gpu_id, client.gpu_id);
  ASSERT_EQ(client.machine.reports().size(), 1u);
  EXPECT_EQ(client.machine.reports()[0].tag(), Tag::bad_packet);
}

TEST_P(Queues, InactiveQueuesWait) {
  const Memory memory = client.allocate(0x1000);
  UserQueue queue = client.create_queue(false);
  kfd::UpdateQueueArgs update{queue.ring.va, queue.id, static_cast<std::uint32_t>(queue.ring.size), 0, 7};
  ASSERT_EQ(client.call(kfd::kUpdateQueue, update), 0);
  queue.submit(pm4_signal(memory.va, 1));
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  client.machine.relax();
  EXPECT_EQ(memory.words()[0], 0u);
  update.queue_percentage = 100;
  ASSERT_EQ(client.call(kfd::kUpdateQueue, update), 0);
  EXPECT_TRUE(client.reaches(memory, 0, 1));
}

TEST_P(Queues, UnmappingWhileOthersRun) {
  const Memory memory = client.allocate(0x1000);
  UserQueue queue = client.create_queue(false);
  queue.submit(pm4_wait(memory.va, 1));
  for (int i = 0; i < 50; ++i) {
    const Memory guest = client.allocate(0x4000);
    EXPECT_EQ(client.unmap(guest), 0);
    client.machine.munmap(guest.mapping.data, guest.size);
    EXPECT_EQ(client.free(guest), 0);
  }
  queue.submit(pm4_signal(memory.va + 8, 1));
  runtime::Mmio(memory.mapping).write32(0, 1);
  EXPECT_TRUE(client.reaches(memory, 8, 1));
  EXPECT_TRUE(client.machine.reports().empty());
}

TEST_P(Queues, DestroyedQueuesAreGone) {
  const Memory memory = client.allocate(0x1000);
  UserQueue queue = client.create_queue(false);
  queue.submit(pm4_wait(memory.va, 1));
  kfd::DestroyQueueArgs destroy{queue.id, 0};
  ASSERT_EQ(client.call(kfd::kDestroyQueue, destroy), 0);
  queue.submit(pm4_signal(memory.va + 8, 1));
  runtime::Mmio(memory.mapping).write32(0, 1);
  client.machine.relax();
  EXPECT_EQ(memory.words()[2], 0u);
}

TEST_P(Queues, SeveralClientsThreads) {
  const Memory memory = client.allocate(0x1000);
  std::vector<UserQueue> queues;
  for (int i = 0; i < 3; ++i) queues.push_back(client.create_queue(i == 2));
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 1; i <= 200; ++i) {
        const std::uint64_t address = memory.va + t * 64;
        queues[t].submit(queues[t].sdma ? sdma_fence(address, i) : pm4_signal(address, i));
        if (i % 50 == 0) {
          EXPECT_TRUE(client.reaches(memory, t * 64, i));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(client.machine.reports().empty());
}

TEST(Machines, AreIndependent) {
  Client first, second;
  ASSERT_EQ(first.acquire(), 0);
  ASSERT_EQ(second.acquire(), 0);
  const Memory a = first.allocate(0x1000), b = second.allocate(0x1000);
  UserQueue queue = first.create_queue(false);
  UserQueue other = second.create_queue(false);
  queue.submit(pm4_signal(a.va, 1));
  EXPECT_EQ(a.words()[0], 1u);
  EXPECT_EQ(b.words()[0], 0u);
  other.submit(pm4_signal(b.va, 2));
  EXPECT_EQ(b.words()[0], 2u);
}

TEST(Machines, ObserversSeePacketsAndCalls) {
  struct Watcher final : emu::Observer {
    std::vector<std::uint32_t> headers;
    std::vector<std::string> calls;
    void packet(const emu::PacketEvent& event) override { headers.push_back(event.words[0]); }
    void ioctl(const emu::IoctlEvent& event) override { calls.emplace_back(event.name); }
  } watcher;
  Client client;
  ASSERT_EQ(client.acquire(), 0);
  const Memory memory = client.allocate(0x1000);
  UserQueue queue = client.create_queue(false);
  client.machine.observe(&watcher);
  queue.submit(pm4_signal(memory.va, 1));
  client.acquire();
  client.machine.observe(nullptr);
  queue.submit(pm4_signal(memory.va, 2));
  EXPECT_EQ(watcher.headers, std::vector<std::uint32_t>{0xc0064900});
  EXPECT_EQ(watcher.calls, std::vector<std::string>{"AMDKFD_IOC_ACQUIRE_VM"});
}

TEST(Machines, TheSinkHearsOfNotesAndFindings) {
  std::vector<std::string> notes, findings;
  emu::Machine machine(emu::parse_machine(";mode=inline"), [&](const emu::Report& report) {
    (report.note ? notes : findings).push_back(report.error.message());
  });
  const auto file = machine.open("/dev/kfd", O_RDWR);
  kfd::DestroyQueueArgs destroy{5, 0};
  EXPECT_EQ(file->ioctl(kfd::kDestroyQueue, &destroy), -1);
  std::uint64_t nothing[4] = {};
  EXPECT_EQ(machine.open("/dev/dri/renderD128", O_RDWR)->ioctl(0xc0206440, nothing), -1);  // GEM_CREATE
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0], HasSubstr("0xc0206440"));
  EXPECT_THAT(notes.at(0), HasSubstr("AMDKFD_IOC_DESTROY_QUEUE"));
}

}  // namespace mockgpu::test::queues_tests
