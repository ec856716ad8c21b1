#include <chrono>
#include <thread>

#include "tests/mock/client.h"

namespace mockgpu::test::events_tests {

using Clock = std::chrono::steady_clock;

class Events : public testing::TestWithParam<const char*> {
 protected:
  Events() : client(std::string(";log=off;mode=") + GetParam()) { EXPECT_EQ(client.acquire(), 0); }
  Client client;
};
INSTANTIATE_TEST_SUITE_P(Modes, Events, testing::Values("inline", "async", "seeded"),
                         [](const auto& info) { return info.param; });

TEST_P(Events, NumbersAndSlots) {
  kfd::CreateEventArgs args{};
  args.event_type = 9;
  EXPECT_EQ(client.call(kfd::kCreateEvent, args), 0) << "the driver does not look at types without a slot";
  args = {};
  args.event_page_offset = 12345;
  EXPECT_EQ(client.call(kfd::kCreateEvent, args), EINVAL) << "no such memory";
  const Memory page = client.event_page();
  EXPECT_EQ(client.free(page), EPERM) << "the driver keeps the event page";
  EXPECT_EQ(page.words()[4], 0xffffffffu) << "slots start unsignaled";
  args = {};
  args.event_page_offset = page.handle;
  EXPECT_EQ(client.call(kfd::kCreateEvent, args), EINVAL) << "a second page";
  args = {};
  EXPECT_EQ(client.call(kfd::kCreateEvent, args), 0);
  EXPECT_EQ(args.event_id, 2u) << "1 came with the page, 0 is never given out";
  EXPECT_EQ(args.event_slot_index, 2u);
  EXPECT_EQ(args.event_trigger_data, 2u);
  EXPECT_GE(client.create_event(kfd::kEventMemory, false), 0x40000000u);
  kfd::DestroyEventArgs destroy{2, 0};
  EXPECT_EQ(client.call(kfd::kDestroyEvent, destroy), 0);
  EXPECT_EQ(client.call(kfd::kDestroyEvent, destroy), EINVAL);
  EXPECT_EQ(client.create_event(kfd::kEventSignal, true), 2u) << "the slot is free again";
}

TEST_P(Events, ThereAreAsManyAsSlots) {
  client.event_page();
  for (int i = 2; i < 4096; ++i) client.create_event(kfd::kEventSignal, true);
  kfd::CreateEventArgs args{};
  EXPECT_EQ(client.call(kfd::kCreateEvent, args), ENOSPC);
}

TEST_P(Events, SetWaitReset) {
  client.event_page();
  const std::uint32_t once = client.create_event(kfd::kEventSignal, true);
  const std::uint32_t stays = client.create_event(kfd::kEventSignal, false);
  EXPECT_EQ(client.wait({once}, 0).result, kfd::kWaitTimeout);
  kfd::SetEventArgs set{once, 0};
  EXPECT_EQ(client.call(kfd::kSetEvent, set), 0);
  EXPECT_EQ(client.wait({once}, 0).result, kfd::kWaitComplete);
  EXPECT_EQ(client.wait({once}, 0).result, kfd::kWaitTimeout) << "a wait consumes an auto-reset event";
  set.event_id = stays;
  EXPECT_EQ(client.call(kfd::kSetEvent, set), 0);
  EXPECT_EQ(client.wait({stays}, 0).result, kfd::kWaitComplete);
  EXPECT_EQ(client.wait({stays}, 0).result, kfd::kWaitComplete);
  kfd::ResetEventArgs reset{stays, 0};
  EXPECT_EQ(client.call(kfd::kResetEvent, reset), 0);
  EXPECT_EQ(client.wait({stays}, 0).result, kfd::kWaitTimeout);
  set.event_id = 77;
  EXPECT_EQ(client.call(kfd::kSetEvent, set), EINVAL);
  set.event_id = client.create_event(kfd::kEventMemory, false);
  EXPECT_EQ(client.call(kfd::kSetEvent, set), EINVAL) << "only the driver raises memory events";
}

TEST_P(Events, AnyAndAll) {
  client.event_page();
  const std::uint32_t a = client.create_event(kfd::kEventSignal, true);
  const std::uint32_t b = client.create_event(kfd::kEventSignal, true);
  kfd::SetEventArgs set{a, 0};
  ASSERT_EQ(client.call(kfd::kSetEvent, set), 0);
  EXPECT_EQ(client.wait({a, b}, 0, true).result, kfd::kWaitTimeout);
  EXPECT_EQ(client.wait({a, b}, 0, false).result, kfd::kWaitTimeout)
      << "the driver gives a wake back after a signal only";
  ASSERT_EQ(client.call(kfd::kSetEvent, set), 0);
  set.event_id = b;
  ASSERT_EQ(client.call(kfd::kSetEvent, set), 0);
  EXPECT_EQ(client.wait({a, b}, 0, true).result, kfd::kWaitComplete);
  EXPECT_EQ(client.wait({a, 77}, 0).error, EINVAL);
}

// A waiter that has its wake leaves the event's list, so the next one stays for the next wait.
TEST_P(Events, ASecondWakeIsKept) {
  client.event_page();
  const std::uint32_t a = client.create_event(kfd::kEventSignal, true);
  const std::uint32_t b = client.create_event(kfd::kEventSignal, true);
  kfd::SetEventArgs set{a, 0};
  std::thread waiter([&] { EXPECT_EQ(client.wait({a, b}, 5000, true).result, kfd::kWaitComplete); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_EQ(client.call(kfd::kSetEvent, set), 0) << "for the waiter";
  ASSERT_EQ(client.call(kfd::kSetEvent, set), 0) << "for whoever comes next";
  set.event_id = b;
  ASSERT_EQ(client.call(kfd::kSetEvent, set), 0);
  waiter.join();
  EXPECT_EQ(client.wait({a}, 0).result, kfd::kWaitComplete);
}

TEST_P(Events, TimeOutsAreHostTime) {
  client.event_page();
  const std::uint32_t id = client.create_event(kfd::kEventSignal, true);
  const auto start = Clock::now();
  const Client::Wait wait = client.wait({id}, 30);
  EXPECT_EQ(wait.error, 0);
  EXPECT_EQ(wait.result, kfd::kWaitTimeout);
  EXPECT_GE(Clock::now() - start, std::chrono::milliseconds(29));
}

TEST_P(Events, AnotherThreadWakesAWait) {
  client.event_page();
  const std::uint32_t id = client.create_event(kfd::kEventSignal, true);
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kfd::SetEventArgs set{id, 0};
    client.kfd_file->ioctl(kfd::kSetEvent, &set);
  });
  EXPECT_EQ(client.wait({id}, 0xffffffff).result, kfd::kWaitComplete);
  setter.join();
}

TEST_P(Events, DestroyingAnEventFailsItsWait) {
  client.event_page();
  const std::uint32_t id = client.create_event(kfd::kEventSignal, true);
  std::thread destroyer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kfd::DestroyEventArgs destroy{id, 0};
    client.kfd_file->ioctl(kfd::kDestroyEvent, &destroy);
  });
  const Client::Wait wait = client.wait({id}, 5000);
  destroyer.join();
  EXPECT_EQ(wait.error, EIO);
  EXPECT_EQ(wait.result, kfd::kWaitFail);
}

TEST_P(Events, AgesTellOfMissedEvents) {
  client.event_page();
  const std::uint32_t id = client.create_event(kfd::kEventSignal, true);
  kfd::EventData data{};
  data.event_id = id;
  data.signal_event_data.last_event_age = 1;
  kfd::WaitEventsArgs args{};
  args.events_ptr = reinterpret_cast<std::uint64_t>(&data);
  args.num_events = 1;
  ASSERT_EQ(client.call(kfd::kWaitEvents, args), 0);
  EXPECT_EQ(args.wait_result, kfd::kWaitTimeout) << "nothing happened since age 1";
  kfd::SetEventArgs set{id, 0};
  ASSERT_EQ(client.call(kfd::kSetEvent, set), 0);
  EXPECT_EQ(client.wait({id}, 0).result, kfd::kWaitComplete) << "somebody else consumes it";
  ASSERT_EQ(client.call(kfd::kWaitEvents, args), 0);
  EXPECT_EQ(args.wait_result, kfd::kWaitComplete) << "its age is another one than we know";
  EXPECT_EQ(data.signal_event_data.last_event_age, 2u);
}

TEST_P(Events, QueuesRaiseEvents) {
  const Memory page = client.event_page();
  const std::uint32_t a = client.create_event(kfd::kEventSignal, true);
  const std::uint32_t b = client.create_event(kfd::kEventSignal, true);
  UserQueue compute = client.create_queue(false), copy = client.create_queue(true);
  // The packet stores the id in the event's slot and interrupts with the id as context.
  compute.submit(pm4_interrupt(page.va + a * 8, a, a));
  EXPECT_EQ(client.wait({a}, 5000).result, kfd::kWaitComplete);
  EXPECT_EQ(page.words()[a * 2], 0xffffffffu) << "the driver took the slot back";
  EXPECT_EQ(client.wait({b}, 0).result, kfd::kWaitTimeout);
  // Context 0: the driver looks at all slots.
  compute.submit(pm4_interrupt(page.va + b * 8, b, 0));
  EXPECT_EQ(client.wait({b}, 5000).result, kfd::kWaitComplete);
  // The same from a copy queue: FENCE, then TRAP.
  copy.submit(sdma_fence(page.va + a * 8, a));
  copy.submit({0x6, a});
  EXPECT_EQ(client.wait({a}, 5000).result, kfd::kWaitComplete);
  // An interrupt that nobody asked for is tolerated.
  compute.submit({0xc0064900, 0x514, 0x02000000, 0, 0, 0, 0, 0});
  EXPECT_EQ(client.wait({a, b}, 5).result, kfd::kWaitTimeout);
  EXPECT_TRUE(client.machine.reports().empty());
}

}  // namespace mockgpu::test::events_tests
