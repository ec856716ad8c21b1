// Packet processors and the driver's calls.
#include <sys/mman.h>

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "isa/amd/commands/kfd.h"
#include "tests/fuzz/targets.h"
#include "tests/mock/client.h"
#include "tests/mock/queue_fixture.h"

namespace mockgpu::fuzz {
namespace {

using test::Client;
namespace kfd = isa::amd::kfd;

constexpr unsigned kTurns = 8;  // waits look again, and must come to nothing by themselves

template <class Base>
struct Processor final : Base {
  void TestBody() override {}
  void feed(Input input) {
    const std::size_t most = test::kRingBytes / 4 - 1;
    std::vector<std::uint32_t> words(std::min(input.size() / 4, most));
    if (!words.empty()) std::memcpy(words.data(), input.data(), words.size() * 4);
    this->run(words);
    for (unsigned turn = 0; turn < kTurns; ++turn) {
      if (this->queue_.turn(this->kTurn) != emu::Step::ran) break;
    }
  }
};

/// Takes values off the front of an input; zeros when it is empty.
struct Reader {
  Input left;
  template <typename T>
  T take() {
    T value{};
    const std::size_t size = std::min(sizeof value, left.size());
    if (size) std::memcpy(&value, left.data(), size);
    left = left.subspan(size);
    return value;
  }
};

/// A client with some objects of each kind, for calls to name.
struct Process : Client {
  Process() {
    acquire();
    memory = allocate(0x4000);
    queue = create_queue(false, 0x1000);
    values = {
        0,        gpu_id, memory.handle, memory.va,     memory.size,
        queue.id, 1,      0xffffffff,    queue.ring.va, static_cast<std::uint64_t>(render_file->number())};
  }

  static constexpr std::uint32_t kWaitEvents = 0x0c, kSmiEvents = 0x1f, kExportDmabuf = 0x24;

  /// One call whose arguments are known values or bytes of the input.
  void call_one(Reader& reader) {
    const std::uint32_t number = reader.take<std::uint8_t>() % 0x28;
    std::uint32_t size = reader.take<std::uint8_t>() % 96 & ~3u;
    const int made = number == kSmiEvents      ? 1
                     : number == kExportDmabuf ? 3
                                               : -1;  // a descriptor, to be closed
    if (made >= 0) size = 16;
    std::uint32_t words[24]{};
    for (std::uint32_t at = 0; at < size / 4;) {
      const unsigned choice = reader.take<std::uint8_t>() % 32;
      std::uint64_t value = 0;
      unsigned count = 1 + choice % 2;
      if (choice < 2 * values.size()) {
        value = values[choice / 2];
      } else if (choice < 24) {
        value = reinterpret_cast<std::uint64_t>(memory.mapping.data) + reader.take<std::uint8_t>() * 8u;
        count = 2;
      } else {
        value = reader.take<std::uint64_t>();
      }
      for (unsigned i = 0; i < count && at < size / 4; ++i, value >>= 32)
        words[at++] = static_cast<std::uint32_t>(value);
    }
    for (std::uint32_t at = 0; at + 1 < size / 4; ++at) keep_out(words[at], words[at + 1]);
    if (number == kWaitEvents) words[3] = 0;  // its time-out: a wait for ever is no bug
    const std::uint32_t request = 3u << 30 | size << 16 | 'K' << 8 | number;
    if (kfd_file->ioctl(request, words) == 0 && made >= 0) ::close(static_cast<int>(words[made]));
  }

  /// The driver writes where a client says, be it this program's own heap, whose addresses libFuzzer learns
  /// from comparisons: only what was allocated here may be named.
  void keep_out(std::uint32_t low, std::uint32_t& high) const {
    constexpr std::uint64_t kPage = 0x1000;
    constexpr std::uint32_t kLeastHigh = 0x1000;  // below are numbers, and the sanitizer's shadow
    const std::uint64_t address = std::uint64_t{high} << 32 | low;
    const auto ours = [&](const test::Memory& known) { return address - known.va < known.size; };
    if (high < kLeastHigh || ours(memory) || ours(queue.ring) || ours(queue.pointers)) return;
    unsigned char resident = 0;
    for (std::uint64_t page : {address, address + kPage}) {
      if (mincore(reinterpret_cast<void*>(page & ~(kPage - 1)), 1, &resident) == 0) high = 0;
    }
  }

  test::Memory memory;
  test::UserQueue queue;
  std::vector<std::uint64_t> values;
};

}  // namespace

void pm4(Input input) { Processor<test::ComputeQueueTest>().feed(input); }
void sdma(Input input) { Processor<test::CopyQueueTest>().feed(input); }

void ioctl(Input input) {
  constexpr unsigned kMostCalls = 16;
  Process process;
  Reader reader{input};
  for (unsigned i = 0; i < kMostCalls && !reader.left.empty(); ++i) process.call_one(reader);
}

}  // namespace mockgpu::fuzz
