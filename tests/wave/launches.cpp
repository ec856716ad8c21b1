// What stops a launch, how it is told, and what must not depend on budgets, threads or levels.
#include <gtest/gtest.h>

#include <thread>

#include "tests/wave/programs.h"
#include "tests/wave/test_launch.h"

namespace mockgpu::emu::amd::launches_tests {

using testing::Test;

Engine::Options limited(std::uint64_t instructions) {
  Engine::Options options;
  options.limits = {instructions, 0};
  return options;
}

std::string fact(const Error& error, const std::string& name) {
  for (const Fact& f : error.facts()) {
    if (f.name == name) return f.text;
  }
  return "";
}

TEST(Launches, AnEndlessKernelIsReportedWithEveryWave) {
  TestLaunch test(kEndless);
  test.launch.group_size = {64, 1, 1};
  test.launch.dispatch_number = 3;
  const Outcome outcome = test.run(limited(1'000'000));
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->tag(), Tag::hang);
  unsigned waves = 0;
  for (const Fact& f : outcome.error->facts())
    waves += f.name == "by" && f.text.find("workgroup (0,0,0), wave") != f.text.npos;
  EXPECT_EQ(waves, 2u);
  EXPECT_NE(fact(*outcome.error, "at").find("s_branch 65535"), std::string::npos)
      << format_error(*outcome.error);
}

TEST(Launches, HaltedWavesAreAHangAtOnce) {
  TestLaunch test(kHalted);
  const Outcome outcome = test.run();
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->tag(), Tag::hang);
  EXPECT_EQ(outcome.error->message(),
            "the kernel hangs: every resident wave waits or is halted; 1 waves are resident");
}

TEST(Launches, AWildLoadNamesAddressInstructionAndLanes) {
  TestLaunch test(kWildLoad, 1024 - 16);  // the page ends behind word 1023
  const auto base = reinterpret_cast<std::uint64_t>(test.out.data());
  test.launch.user_data[0] = static_cast<std::uint32_t>(base + 4096 - 64);
  test.launch.dispatch_number = 2;
  const Outcome outcome = test.run();
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->tag(), Tag::memory_fault);
  EXPECT_EQ(outcome.fault_address, base + 4096);
  EXPECT_FALSE(outcome.fault_write);
  const std::string text = format_error(*outcome.error);
  EXPECT_NE(text.find("global_load_b32 reads 4 bytes at 0x"), std::string::npos) << text;
  EXPECT_NE(text.find("lanes 15-31"), std::string::npos) << text;
  EXPECT_NE(text.find("0 bytes after \"out\""), std::string::npos) << text;
  EXPECT_EQ(text.find("  by "), text.rfind("  by ")) << text;
}

TEST(Launches, WhatCannotBeDecodedNamesItsBytes) {
  TestLaunch test(kUndecodable);
  const Outcome outcome = test.run();
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->tag(), Tag::undecodable);
  EXPECT_NE(outcome.error->message().find("are no instruction of gfx1100"), std::string::npos);
  EXPECT_EQ(
      fact(*outcome.error, "pc"), "0x" + [&] {
        char text[32];
        std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(test.launch.entry + 4));
        return std::string(text);
      }());
}

TEST(Launches, ATrapIsAFinding) {
  TestLaunch test(kTrap);
  const Outcome outcome = test.run();
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->tag(), Tag::trap);
}

TEST(Launches, CodeThatIsNotMappedOrNotExecutableIsAFetchFault) {
  TestLaunch test(kSums);
  test.launch.entry = reinterpret_cast<std::uint64_t>(test.out.data());
  EXPECT_EQ(test.run().error->tag(), Tag::memory_fault);
  test.launch.entry = 0x10000;
  EXPECT_EQ(test.run().error->tag(), Tag::memory_fault);
}

TEST(Launches, ImpossibleWorkgroupsAreRefused) {
  TestLaunch test(kSums);
  test.launch.group_size = {1024, 2, 1};
  EXPECT_EQ(test.run().error->tag(), Tag::bad_packet);
  test.launch.group_size = {0, 1, 1};
  EXPECT_EQ(test.run().error->tag(), Tag::bad_packet);
  test.launch.group_size = {32, 1, 1};
  test.launch.rsrc2 |= 0x1ff << 15;
  EXPECT_EQ(test.run().error->tag(), Tag::bad_packet);
}

TEST(Launches, NoWorkgroupsIsDoneAtOnce) {
  TestLaunch test(kSums);
  test.launch.end_group = {0, 1, 1};
  const Outcome outcome = test.run();
  EXPECT_FALSE(outcome.error);
  EXPECT_EQ(outcome.groups, 0u);
}

TEST(Launches, SmallBudgetsGiveTheSameResult) {
  TestLaunch whole(kSums), pieces(kSums);
  for (TestLaunch* test : {&whole, &pieces}) test->launch.group_size = {256, 1, 1};
  const Outcome expected = whole.run();
  Engine engine({});
  const Engine::ExecutionPtr execution = engine.start(pieces.launch);
  unsigned turns = 1;
  while (execution->run(7, AddressSpace::Pin(pieces.memory.space)) == Progress::running) ++turns;
  EXPECT_FALSE(execution->outcome().error);
  EXPECT_GT(turns, 10u);
  EXPECT_EQ(execution->outcome().wave_instructions, expected.wave_instructions);
  EXPECT_TRUE(std::equal(whole.out.begin(), whole.out.end(), pieces.out.begin()));
}

TEST(Launches, ThreadsAndSeedsDoNotChangeResultsOrCounts) {
  constexpr std::uint32_t kGroups = 300;
  TestLaunch one(kReverse, 32 * 4), many(kReverse, 32 * 4);
  one.launch.end_group = many.launch.end_group = {kGroups, 1, 1};
  one.launch.group_size = many.launch.group_size = {32, 1, 1};
  Engine::Options options;
  options.threads = 3;
  const Outcome a = one.run(), b = many.run(options);
  ASSERT_FALSE(a.error);
  ASSERT_FALSE(b.error);
  EXPECT_EQ(a.groups, kGroups);
  EXPECT_EQ(b.groups, kGroups);
  EXPECT_EQ(a.wave_instructions, b.wave_instructions);

  TestLaunch seeded(kSpinInGroup);
  seeded.launch.group_size = {256, 1, 1};
  options = limited(50'000'000);
  options.seed = 7;
  const Outcome first = seeded.run(options), second = seeded.run(options);
  ASSERT_FALSE(first.error) << format_error(*first.error);
  EXPECT_EQ(first.wave_instructions, second.wave_instructions);
}

TEST(Launches, AFaultIsTheSameWithAnyNumberOfThreads) {
  for (unsigned threads : {1u, 4u}) {
    TestLaunch test(kWildLoad, 16);
    const auto base = reinterpret_cast<std::uint64_t>(test.out.data());
    test.launch.user_data[0] = static_cast<std::uint32_t>(base + 4096);
    test.launch.end_group = {1000, 1, 1};
    Engine::Options options;
    options.threads = threads;
    const Outcome outcome = test.run(options);
    ASSERT_TRUE(outcome.error);
    EXPECT_NE(format_error(*outcome.error).find("workgroup (0,0,0)"), std::string::npos)
        << format_error(*outcome.error);
  }
}

TEST(Launches, ChangedCodeIsDecodedAnew) {
  TestLaunch test(kTrap);
  Engine engine({});
  {
    const Engine::ExecutionPtr execution = engine.start(test.launch);
    EXPECT_EQ(execution->run(0, AddressSpace::Pin(test.memory.space)), Progress::failed);
  }
  test.code[0] = 0xbf800000;  // s_nop 0
  const Engine::ExecutionPtr execution = engine.start(test.launch);
  EXPECT_EQ(execution->run(0, AddressSpace::Pin(test.memory.space)), Progress::done);
  EXPECT_EQ(execution->outcome().wave_instructions, 2u);
}

TEST(Launches, AnObserverSeesEveryWaveInstructionAndChangesNothing) {
  struct Counter : Observer {
    void instruction(const InstructionEvent& event) override {
      count += event.waves.size();
      last_wave = event.waves.back().wave;
      if (event.dispatch != 5) ++strangers;
    }
    std::uint64_t count = 0, strangers = 0;
    std::uint32_t last_wave = 0;
  } counter;
  TestLaunch plain(kSums), observed(kSums);
  for (TestLaunch* test : {&plain, &observed}) test->launch.group_size = {256, 1, 1};
  observed.launch.dispatch_number = 5;
  Engine::Options options;
  options.observer = &counter;
  const Outcome expected = plain.run(), outcome = observed.run(options);
  ASSERT_FALSE(outcome.error);
  EXPECT_EQ(outcome.wave_instructions, expected.wave_instructions);
  EXPECT_EQ(counter.count, expected.wave_instructions);
  EXPECT_EQ(counter.last_wave, 7u);
  EXPECT_EQ(counter.strangers, 0u);
  EXPECT_TRUE(std::equal(plain.out.begin(), plain.out.end(), observed.out.begin()));
}

TEST(Launches, AnUnknownLevelIsRefused) {
  TestLaunch test(kSums);
  Engine::Options options;
  options.level = "v9";
  EXPECT_THROW(test.run(options), Error);
}

}  // namespace mockgpu::emu::amd::launches_tests
