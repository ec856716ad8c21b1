// Where the mock machine places memory.
#include "emu/host/address_hints.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>

namespace mockgpu::tests::address_hints_tests {

using emu::AddressHints;

/// Other tests of this program leave pages at the usual place.
constexpr std::uint64_t kBase = 0x7ee0'0000'0000;
constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

TEST(AddressHints, RepeatAndLeaveAPageFree) {
  void* first[2];
  for (int run = 0; run < 2; ++run) {
    AddressHints hints(kBase);
    void* one = hints.map(0x2000, PROT_NONE, kFlags);
    void* two = hints.map(1, PROT_NONE, kFlags);
    ASSERT_NE(one, nullptr);
    ASSERT_NE(two, nullptr);
    EXPECT_EQ(static_cast<char*>(two) - static_cast<char*>(one), 0x3000);
    first[run] = one;
    munmap(one, 0x2000);
    munmap(two, 1);
  }
  EXPECT_EQ(first[0], first[1]);
}

TEST(AddressHints, StepOverWhatIsThere) {
  AddressHints before(kBase), hints(kBase);
  void* taken[3];
  for (void*& page : taken) page = before.map(0x1000, PROT_NONE, kFlags);
  // The fourth step of two pages, not an address of the kernel's choice.
  void* free = hints.map(0x1000, PROT_NONE, kFlags);
  EXPECT_EQ(static_cast<char*>(free) - static_cast<char*>(taken[0]), 3 * 0x2000);
  for (void* page : taken) munmap(page, 0x1000);
  munmap(free, 0x1000);
}

TEST(AddressHints, TellWhatTheHostRefuses) {
  AddressHints hints(kBase);
  EXPECT_EQ(hints.map(0, PROT_NONE, kFlags), nullptr);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(hints.map(~std::size_t{0}, PROT_NONE, kFlags), nullptr);
  EXPECT_EQ(errno, ENOMEM);
}

}  // namespace mockgpu::tests::address_hints_tests
