// SMI_EVENTS: what a device's listeners hear.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <optional>

#include "emu/amd/smi_events.h"
#include "emu/amd/topology.h"
#include "tests/mock/client.h"

namespace mockgpu::test::smi_tests {

constexpr std::uint64_t kVmFault = 1, kStart = 1 << 11, kEnd = 1 << 12;

/// A descriptor of SMI_EVENTS.
class Listener {
 public:
  explicit Listener(int number) : number_(number) {}
  Listener(Client& client, std::uint32_t gpu_id) {
    kfd::SmiEventsArgs args{gpu_id, ~0u};
    EXPECT_EQ(client.call(kfd::kSmiEvents, args), 0);
    number_ = static_cast<int>(args.anon_fd);
  }
  ~Listener() { close(number_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int number() const { return number_; }
  void want(std::uint64_t mask) const { EXPECT_EQ(write(number_, &mask, sizeof mask), 8); }
  bool readable() const {
    pollfd entry{number_, POLLIN, 0};
    return poll(&entry, 1, 0) == 1 && (entry.revents & POLLIN);
  }
  /// What there is, at most `size` bytes; "EAGAIN" when nothing.
  std::string text(std::size_t size = 4096) const {
    std::string bytes(size, '\0');
    const ssize_t done = read(number_, bytes.data(), size);
    if (done < 0) return errno == EAGAIN ? "EAGAIN" : "error";
    return bytes.substr(0, static_cast<std::size_t>(done));
  }

 private:
  int number_ = -1;
};

/// The calling thread as events name it.
std::string thread_id() { return fmt::format("{:x}", syscall(SYS_gettid)); }
std::string thread_name() {
  char name[16] = {};
  prctl(PR_GET_NAME, name);
  return name;
}

/// A write of the copy engine to an address that nothing is mapped at.
void fault(Client& client) {
  UserQueue queue = client.create_queue(true);
  queue.submit({5, 0x10000, 0, 1});
}

TEST(SmiEvents, DescriptorsStartSilent) {
  Client client;
  kfd::SmiEventsArgs args{1, 0};
  EXPECT_EQ(client.call(kfd::kSmiEvents, args), EINVAL) << "no such GPU";
  const Listener listener(client, client.gpu_id);  // needs no VM
  EXPECT_EQ(fcntl(listener.number(), F_GETFD), 0) << "not closed by exec";
  EXPECT_EQ(listener.text(), "EAGAIN");
  EXPECT_FALSE(listener.readable());
  ASSERT_EQ(client.acquire(), 0);
  fault(client);
  EXPECT_EQ(listener.text(), "EAGAIN") << "no event was asked for";
}

TEST(SmiEvents, AMemoryFaultIsToldToThoseWhoAsked) {
  Client client("2xgfx1100;mode=inline;log=off");
  ASSERT_EQ(client.acquire(), 0);
  const Listener faults(client, client.gpu_id), others(client, client.gpu_id),
      second(client, emu::amd::gpu_id_of(1));
  auto gone = std::make_optional<Listener>(client, client.gpu_id);
  faults.want(kVmFault);
  others.want(~kVmFault);
  second.want(~std::uint64_t{0});
  gone->want(kVmFault);
  gone.reset();
  fault(client);
  const std::string line = "1 " + thread_id() + ":" + thread_name() + "\n";
  EXPECT_TRUE(faults.readable());
  EXPECT_EQ(faults.text(4), line.substr(0, 4)) << "in parts, as one likes";
  EXPECT_EQ(faults.text(), line.substr(4));
  EXPECT_FALSE(faults.readable());
  EXPECT_EQ(others.text(), "EAGAIN");
  EXPECT_EQ(second.text(), "EAGAIN") << "another device";
  fault(client);
  faults.want(0);
  fault(client);
  EXPECT_EQ(faults.text(), line) << "until it wanted no more";
  EXPECT_EQ(client.machine.reports().size(), 3u);
}

TEST(SmiEvents, AProcessStartsAndEnds) {
  auto client = std::make_unique<Client>();
  const Listener listener(*client, client->gpu_id);
  listener.want(kStart | kEnd);
  ASSERT_EQ(client->acquire(), 0);
  ASSERT_EQ(client->acquire(), 0);
  EXPECT_EQ(listener.text(), "c " + thread_id() + " " + thread_name() + "\n") << "once";
  client.reset();
  EXPECT_EQ(listener.text(), "d " + thread_id() + " " + thread_name() + "\n");
}

TEST(SmiEvents, OlderDriversTellOfFaultsOnly) {
  Client client("gfx1100:kfd=1.16;mode=inline;log=off");
  const Listener listener(client, client.gpu_id);
  listener.want(~std::uint64_t{0});
  ASSERT_EQ(client.acquire(), 0);
  fault(client);
  EXPECT_EQ(listener.text(), "1 " + thread_id() + ":" + thread_name() + "\n");
}

TEST(SmiEvents, ABadMaskIsAFinding) {
  Client client;
  ASSERT_EQ(client.acquire(), 0);
  const Listener listener(client, client.gpu_id);
  EXPECT_EQ(write(listener.number(), "abc", 3), 3);
  fault(client);
  ASSERT_EQ(client.machine.reports().size(), 2u);
  EXPECT_THAT(client.machine.reports()[1].message(), testing::HasSubstr("a mask of 3 bytes"));
  EXPECT_EQ(listener.text(), "EAGAIN");
}

TEST(SmiEvents, WhatNobodyReadsIsLostInWholeLines) {
  emu::ReportLog reports({});
  emu::amd::SmiEvents events(reports);
  const Listener listener(events.open());
  listener.want(kStart);
  constexpr std::size_t kCount = 20'000;
  for (std::size_t i = 0; i < kCount; ++i) events.process_starts(true);
  const std::string line = "c " + thread_id() + " " + thread_name() + "\n";
  std::string all;
  while (listener.readable()) all += listener.text(1 << 20);
  EXPECT_GE(all.size(), 8192u) << "as much as the driver keeps";
  EXPECT_LT(all.size(), kCount * line.size());
  ASSERT_EQ(all.size() % line.size(), 0u);
  for (std::size_t at = 0; at < all.size(); at += line.size()) ASSERT_EQ(all.substr(at, line.size()), line);
}

}  // namespace mockgpu::test::smi_tests
