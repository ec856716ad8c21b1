#include "runtime/amd/compute_commands.h"

#include <gtest/gtest.h>

#include <vector>

// Expected words: the packet sequences of an HCQ-style client on gfx11 (tinygrad's AMD back end, public
// source).

namespace mockgpu::runtime::amd::compute_commands_tests {

using Words = std::vector<std::uint32_t>;

constexpr std::uint64_t kAddress = 0x7f12345670;
constexpr std::uint32_t kLow = 0x12345670, kHigh = 0x7f;

ComputeCommands commands() { return ComputeCommands(*find_compute_family(11)); }
Words words(const ComputeCommands& commands) { return {commands.words().begin(), commands.words().end()}; }
Signal signal() { return {kAddress, {}}; }

const Words kAcquireAll = {0xc0065800, 0, 0xffffffff, 0xffffffff, 0, 0, 0, 0xc3f1};

TEST(ComputeCommands, WaitPollsMemoryForGreaterOrEqual) {
  auto c = commands();
  c.wait(signal(), 41);
  EXPECT_EQ(words(c), (Words{0xc0053c00, 0x15, kLow, kHigh, 41, 0xffffffff, 4}));
  c.clear();
  c.poll(kAddress, 3, 7);
  EXPECT_EQ(words(c), (Words{0xc0053c00, 0x13, kLow, kHigh, 3, 7, 4}));
}

TEST(ComputeCommands, MemoryBarrierFlushesTheHostPathThenAllCaches) {
  auto c = commands();
  c.memory_barrier();
  Words expected = {0xc0053c00, 0x45, 0xe26, 0xe27, 0xffffffff, 0xffffffff, 4};
  expected.insert(expected.end(), kAcquireAll.begin(), kAcquireAll.end());
  EXPECT_EQ(words(c), expected);
}

TEST(ComputeCommands, SignalFlushesAndStores32Bits) {
  auto c = commands();
  c.signal(signal(), 42);
  EXPECT_EQ(words(c), (Words{0xc0064900, 0x70f514, 0x20000000, kLow, kHigh, 42, 0, 0}));
}

TEST(ComputeCommands, InterruptWritesTheMailboxAndNamesTheEvent) {
  auto c = commands();
  c.interrupt({5, kAddress});
  EXPECT_EQ(words(c), (Words{0xc0064900, 0x514, 0x22000000, kLow, kHigh, 5, 0, 5}));
}

TEST(ComputeCommands, TimestampStoresTheClockBehindTheValue) {
  auto c = commands();
  c.timestamp(signal());
  Words expected = {0xc0064900, 0x514, 0x02000000, 0,        0,     0, 0, 0,  //
                    0xc0064900, 0x514, 0x60000000, kLow + 8, kHigh, 0, 0, 0};
  expected.insert(expected.end(), kAcquireAll.begin(), kAcquireAll.end());
  EXPECT_EQ(words(c), expected);
}

TEST(ComputeCommands, Writes) {
  auto c = commands();
  c.write32(kAddress, 9);
  c.write64(kAddress, 0x1'0000'0002);
  EXPECT_EQ(words(c), (Words{0xc0064900, 0x514, 0x20000000, kLow, kHigh, 9, 0, 0,  //
                             0xc0064900, 0x514, 0x40000000, kLow, kHigh, 2, 1, 0}));
}

// Bound queues of the same client: base, VALID and the number of words.
TEST(ComputeCommands, IndirectCallsNameTheirWords) {
  auto c = commands();
  c.indirect(kAddress, 0x1234);
  EXPECT_EQ(words(c), (Words{0xc0023f00, kLow, kHigh, 0x801234}));
}

Dispatch sample() {
  Dispatch d;
  d.entry = 0x123456789a00;
  d.rsrc1 = 0x60af0000;
  d.rsrc2 = 0x8084;
  d.rsrc3 = 0x10;
  d.tmpring = 0x20200;
  d.scratch = 0x7f0000100000;
  d.user_data[0] = 0xaaaa;
  d.user_data[1] = 0xbbbb;
  d.user_count = 2;
  for (int axis = 0; axis < 3; ++axis) d.partial[axis] = d.group[axis] = axis == 0 ? 256 : 1;
  d.groups[0] = 16, d.groups[1] = 2, d.groups[2] = 1;
  return d;
}

TEST(ComputeCommands, ExecSetsRegistersInTheClientsOrder) {
  auto c = commands();
  c.exec(sample());
  const Words expected = {
      0xc0065800, 0,     0xffffffff, 0xffffffff, 0,      0,   0, 0x03f0,        // ACQUIRE_MEM, not L2
      0xc0027600, 0x20c, 0x3456789a, 0x12,                                      // PGM_LO, PGM_HI
      0xc0027600, 0x212, 0x60bf0000, 0x8084,                                    // RSRC1 with PRIV, RSRC2
      0xc0017600, 0x228, 0x10,                                                  // RSRC3
      0xc0017600, 0x218, 0x20200,                                               // TMPRING_SIZE
      0xc0027600, 0x210, 0x00001000, 0x7f,                                      // SCRATCH_BASE
      0xc0037600, 0x21b, 0,          0,          0,                             // RESTART
      0xc0027600, 0x240, 0xaaaa,     0xbbbb,                                    // USER_DATA
      0xc0017600, 0x215, 0,                                                     // RESOURCE_LIMITS
      0xc0087600, 0x204, 0,          0,          0,      256, 1, 1,      0, 0,  // START, NUM_THREAD
      0xc0031500, 16,    2,          1,          0x8005,                        // DISPATCH_DIRECT
      0xc0004600, 0x407,                                                        // CS_PARTIAL_FLUSH
  };
  Words got = words(c);
  // scratch 0x7f0000100000 >> 8 = 0x7f00001000: low 0x00001000, high 0x7f
  EXPECT_EQ(got, expected);
}

TEST(ComputeCommands, ExecOfWave64AndOfAPartialGroup) {
  Dispatch d = sample();
  d.wave32 = false;
  auto c = commands();
  c.exec(d);
  Words w = words(c);
  EXPECT_EQ(w[w.size() - 3], 0x5u);

  d.partial[0] = 100;
  c.clear();
  c.exec(d);
  w = words(c);
  EXPECT_EQ(w[w.size() - 3], 0x7u);  // PARTIAL_TG_EN
  const Words sizes(w.end() - 12, w.end() - 9);
  EXPECT_EQ(sizes, (Words{256u | 100u << 16, 1u | 1u << 16, 1u | 1u << 16}));
}

TEST(ComputeCommands, OnlyKnownGenerationsHaveAFamily) {
  EXPECT_NE(find_compute_family(11), nullptr);
  EXPECT_EQ(find_compute_family(9), nullptr);
}

}  // namespace mockgpu::runtime::amd::compute_commands_tests
