#include "runtime/amd/copy_commands.h"

#include <algorithm>
#include <cstring>

#include "isa/amd/commands/sdma.h"

namespace mockgpu::runtime::amd {
namespace {

using namespace isa::amd;

// The vendor's runtime fills at most this much with one packet on every version; a multiple of four.
constexpr std::size_t kMaxFillBytes = 0x3fffe0;
constexpr std::uint32_t kRetryInterval = 4, kRetryForever = 0xfff;

template <typename Packet>
void put(Words& words, const Packet& packet) {
  std::memcpy(words.append(sizeof packet / 4), &packet, sizeof packet);
}

void put_fence(Words& words, std::uint64_t address, std::uint32_t value) {
  put(words, sdma::Fence{sdma::make_header(sdma::Opcode::fence) |
                             sdma::Fence::kMtype.set(sdma::Fence::kMtypeUncached),
                         low_word(address), high_word(address), value});
}

void put_memory_poll(Words& words, std::uint64_t address, pm4::Compare function, std::uint32_t value,
                     std::uint32_t mask) {
  using P = sdma::PollRegmem;
  put(words, P{sdma::make_header(sdma::Opcode::poll_regmem) | P::kMemory.set(1) |
                   P::kFunction.set(static_cast<std::uint32_t>(function)),
               low_word(address), high_word(address), value, mask,
               P::kInterval.set(kRetryInterval) | P::kRetry.set(kRetryForever)});
}

}  // namespace

void CopyCommands::wait(const Signal& signal, std::uint32_t value) {
  put_memory_poll(words_, signal.address, pm4::Compare::greater_equal, value, 0xffffffff);
}

void CopyCommands::poll(std::uint64_t address, std::uint32_t value, std::uint32_t mask) {
  put_memory_poll(words_, address, pm4::Compare::equal, value, mask);
}

std::size_t CopyCommands::most_bytes(std::size_t words) {
  // The longest packet, with room for what begins and ends a submission and for the unaligned ends of a fill.
  constexpr std::size_t kPacketWords = sizeof(sdma::CopyLinear) / 4, kAround = 64;
  return (words - kAround) / kPacketWords * std::min<std::size_t>(kMaxFillBytes, sdma::kMaxCopyBytes);
}

void CopyCommands::copy(std::uint64_t to, std::uint64_t from, std::size_t size) {
  while (size != 0) {
    const auto part = static_cast<std::uint32_t>(std::min<std::size_t>(size, sdma::kMaxCopyBytes));
    put(words_, sdma::CopyLinear{sdma::make_header(sdma::Opcode::copy), part - 1, 0, low_word(from),
                                 high_word(from), low_word(to), high_word(to)});
    to += part, from += part, size -= part;
  }
}

void CopyCommands::fill(std::uint64_t to, std::uint8_t value, std::size_t size) {
  using P = sdma::ConstFill;
  const std::uint32_t pattern = value * 0x01010101u;
  while (size != 0) {
    // Whole words in one packet, the bytes around them in others.
    std::size_t part = std::min(size, kMaxFillBytes);
    std::uint32_t element = 2;
    if (to % 4 != 0 || part < 4) {
      element = 0;
      part = std::min<std::size_t>(part, 4 - to % 4);
    } else {
      part &= ~std::size_t{3};
    }
    put(words_, P{sdma::make_header(sdma::Opcode::const_fill) | P::kFillSize.set(element), low_word(to),
                  high_word(to), pattern, static_cast<std::uint32_t>(part - (element == 2 ? 4 : 1))});
    to += part, size -= part;
  }
}

void CopyCommands::write(std::uint64_t address, std::span<const std::uint32_t> words) {
  if (words.empty()) return;
  put(words_, sdma::WriteLinear{sdma::make_header(sdma::Opcode::write), low_word(address), high_word(address),
                                static_cast<std::uint32_t>(words.size() - 1)});
  std::copy(words.begin(), words.end(), words_.append(words.size()));
}

void CopyCommands::write64(std::uint64_t address, std::uint64_t value) {
  const std::uint32_t halves[2] = {low_word(value), high_word(value)};
  write(address, halves);
}

void CopyCommands::indirect(std::uint64_t address, std::size_t words, std::size_t start) {
  constexpr std::size_t kBoundary = 8, kPacketWords = sizeof(sdma::Indirect) / 4;
  constexpr std::uint32_t kFiller[kBoundary] = {};  // each zero is a NOP
  const std::size_t end = start + words_.size() + kPacketWords;
  const std::size_t before = (kBoundary - end % kBoundary) % kBoundary;
  words_.append({kFiller, before});
  put(words_, sdma::Indirect{sdma::make_header(sdma::Opcode::indirect), low_word(address), high_word(address),
                             static_cast<std::uint32_t>(words), 0, 0});
  words_.append({kFiller, kBoundary - 1 - before});
}

void CopyCommands::timestamp(const Signal& signal) {
  const std::uint64_t address = signal.address + kSignalTimestamp;
  const auto sub = static_cast<std::uint32_t>(sdma::TimestampSub::get_global);
  put(words_, sdma::Timestamp{sdma::make_header(sdma::Opcode::timestamp, sub), low_word(address),
                              high_word(address)});
}

void CopyCommands::signal(const Signal& signal, std::uint32_t value) {
  put_fence(words_, signal.address, value);
}

void CopyCommands::interrupt(const QueueEvent& event) {
  put_fence(words_, event.mailbox, event.id);
  put(words_, sdma::Trap{sdma::make_header(sdma::Opcode::trap), event.id});
}

}  // namespace mockgpu::runtime::amd
