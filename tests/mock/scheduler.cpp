#include "emu/schedule/scheduler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

namespace mockgpu::emu::scheduler_tests {

/// A queue whose turns a test writes.
struct Scripted final : Runnable {
  explicit Scripted(std::function<Step()> script) : script(std::move(script)) {}
  Step turn(const TurnBudget&) override {
    turns.fetch_add(1);
    return script();
  }
  std::function<Step()> script;
  std::atomic<int> turns{0};
};

bool soon(const std::function<bool()>& condition) {
  for (int i = 0; i < 5000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

class EveryMode : public testing::TestWithParam<Mode> {};
INSTANTIATE_TEST_SUITE_P(All, EveryMode, testing::Values(Mode::async, Mode::on_call, Mode::seeded));

TEST_P(EveryMode, ABlockedQueueDoesNotBlockAnother) {
  Scheduler scheduler(GetParam(), 1);
  std::atomic<bool> open{false};
  std::atomic<int> work{0}, done{0};
  Scripted blocked([&] { return open ? Step::idle : Step::blocked; });
  Scripted other([&] {
    if (done == work) return Step::idle;
    ++done;
    return Step::ran;
  });
  scheduler.add(blocked);
  scheduler.add(other);
  for (int i = 1; i <= 10; ++i) {
    work = i;
    scheduler.kick();
    EXPECT_TRUE(soon([&] { return done == i; }));
  }
  scheduler.remove(blocked);
  scheduler.remove(other);
}

TEST_P(EveryMode, ABlockedQueueIsLookedAtAgain) {
  Scheduler scheduler(GetParam(), 1);
  std::atomic<bool> memory{false}, passed{false};
  Scripted queue([&] {
    if (passed) return Step::idle;
    if (!memory) return Step::blocked;
    passed = true;
    return Step::ran;
  });
  scheduler.add(queue);
  scheduler.kick();
  memory = true;  // somebody stores without telling
  EXPECT_TRUE(soon([&] {
    scheduler.relax();
    return passed.load();
  }));
  scheduler.remove(queue);
}

TEST_P(EveryMode, AMemoryWriteIsEnoughToGoOn) {
  Scheduler scheduler(GetParam(), 1);
  std::atomic<bool> memory{false}, passed{false};
  Scripted queue([&] {
    if (passed) return Step::idle;
    if (!memory) return Step::blocked;
    passed = true;
    return Step::ran;
  });
  scheduler.add(queue);
  memory = true;
  scheduler.memory_written();
  EXPECT_TRUE(soon([&] { return passed.load(); }));
  scheduler.remove(queue);
}

TEST_P(EveryMode, QueuesComeAndGoWhileOthersRun) {
  Scheduler scheduler(GetParam(), 1);
  std::atomic<bool> stop{false};
  Scripted busy([&] { return stop ? Step::idle : Step::blocked; });
  scheduler.add(busy);
  for (int i = 0; i < 100; ++i) {
    Scripted guest([] { return Step::idle; });
    scheduler.add(guest);
    EXPECT_TRUE(soon([&] {
      scheduler.relax();
      return guest.turns > 0;
    }));
    scheduler.remove(guest);
  }
  stop = true;
  scheduler.remove(busy);
}

TEST(Scheduler, OnCallRunsEverythingInTheDoorbell) {
  Scheduler scheduler(Mode::on_call, 1);
  int left = 100;
  Scripted queue([&] { return left > 0 && left-- ? Step::ran : Step::idle; });
  scheduler.add(queue);
  EXPECT_EQ(left, 0);
  left = 5;
  scheduler.kick();
  EXPECT_EQ(left, 0);
  EXPECT_FALSE(scheduler.relax());
  scheduler.remove(queue);
}

TEST(Scheduler, ADoorbellReturnsFromEndlessWork) {
  Scheduler scheduler(Mode::on_call, 1);
  Scripted queue([&] {
    scheduler.tick(1 << 20);
    return Step::ran;
  });
  scheduler.add(queue);
  const int first = queue.turns;
  EXPECT_GT(first, 1);
  EXPECT_TRUE(scheduler.relax());
  EXPECT_GT(queue.turns, first);
  scheduler.remove(queue);
}

TEST(Scheduler, OneQueuesStoreUnblocksAnotherInTheSameDoorbell) {
  Scheduler scheduler(Mode::on_call, 1);
  bool stored = false, passed = false, ready = false;
  Scripted waiter([&] {
    if (!ready || passed) return Step::idle;
    if (!stored) return Step::blocked;
    passed = true;
    return Step::ran;
  });
  Scripted writer([&] {
    if (!ready || stored) return Step::idle;
    stored = true;
    return Step::ran;
  });
  scheduler.add(waiter);
  scheduler.add(writer);
  ready = true;
  scheduler.kick();
  EXPECT_TRUE(passed);
  scheduler.remove(waiter);
  scheduler.remove(writer);
}

TEST(Scheduler, AsyncSleepsWhenIdle) {
  Scheduler scheduler(Mode::async, 1);
  Scripted queue([] { return Step::idle; });
  scheduler.add(queue);
  // A loaded host may run the scheduler's thread late.
  for (int i = 0; i < 500 && queue.turns == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const int turns = queue.turns;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(queue.turns, turns);
  scheduler.remove(queue);
}

TEST(Scheduler, TheSameSeedGivesTheSameOrder) {
  const auto order = [](std::uint64_t seed) {
    std::vector<int> order;
    Scheduler scheduler(Mode::seeded, seed);
    int ready = 0;
    std::vector<std::unique_ptr<Scripted>> queues;
    int left[3] = {20, 20, 20};
    for (int i = 0; i < 3; ++i) {
      queues.push_back(std::make_unique<Scripted>([&, i] {
        if (ready < 3 || left[i] == 0) return Step::idle;
        --left[i];
        order.push_back(i);
        return Step::ran;
      }));
    }
    for (auto& queue : queues) scheduler.add(*queue);
    ready = 3;
    scheduler.kick();
    for (auto& queue : queues) scheduler.remove(*queue);
    return order;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_EQ(order(1).size(), 60u);
  EXPECT_NE(order(1), order(2));
}

TEST(Scheduler, ClocksTick) {
  Scheduler counted(Mode::on_call, 1);
  const std::uint64_t before = counted.clock();
  counted.tick(7);
  EXPECT_EQ(counted.clock(), before + 7);
  Scheduler timed(Mode::async, 1);
  const std::uint64_t start = timed.clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_GE(timed.clock() - start, 500'000u) << "100 MHz of host time";
}

}  // namespace mockgpu::emu::scheduler_tests
