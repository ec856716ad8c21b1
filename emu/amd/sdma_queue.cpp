#include "emu/amd/sdma_queue.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/amd/commands/sdma.h"

namespace mockgpu::emu::amd {
namespace sdma = isa::amd::sdma;

SdmaQueue::SdmaQueue(const QueueSetup& setup, AddressSpace& memory, Scheduler& scheduler, QueueHost& host)
    : Queue(setup, memory, scheduler, host) {}

Step SdmaQueue::turn(const TurnBudget& budget) {
  if (!runs()) return Step::idle;
  limit_ = doorbell() / 4;
  if (limit_ == read_ && !buffer_.active) return Step::idle;

  const AddressSpace::Pin pin(memory_);
  if (!bind(pin)) return Step::ran;
  const std::uint64_t read_before = read_;
  bool ran = false;
  Result result = Result::done;
  for (std::uint32_t i = 0; i < budget.packets && (result == Result::done || result == Result::jumped); ++i) {
    result = run_packet();
    ran |= result != Result::none && result != Result::wait_memory;
  }
  if (read_ != read_before) write_back(read_ * 4);
  if (result == Result::failed) buffer_.active = false;
  if (ran) return Step::ran;
  return result == Result::wait_memory ? Step::blocked : Step::idle;
}

SdmaQueue::Result SdmaQueue::run_packet() {
  const std::uint32_t* packet = nullptr;
  std::uint32_t available = 0;
  if (buffer_.active) {
    packet = buffer_.words.data() + buffer_.position;
    available = static_cast<std::uint32_t>(buffer_.words.size()) - buffer_.position;
  } else {
    const std::uint32_t ring_words = setup_.ring_bytes / 4;
    const auto ahead = static_cast<std::int64_t>(limit_ - read_);
    if (ahead == 0) return Result::none;
    if (ahead < 0) {
      return bad(Tag::bad_packet, "the doorbell says {:#x}, behind the read pointer {:#x}", limit_ * 4,
                 read_ * 4);
    }
    if (ahead > ring_words) {
      return bad(Tag::bad_packet,
                 "the doorbell says {:#x}, more than a ring of {:#x} bytes ahead of the "
                 "read pointer {:#x}",
                 limit_ * 4, setup_.ring_bytes, read_ * 4);
    }
    const auto position = static_cast<std::uint32_t>(read_) & (ring_words - 1);
    packet = ring_ + position;
    // A packet may not cross the end of the ring.
    available = std::min(static_cast<std::uint32_t>(ahead), ring_words - position);
  }

  const Row& row = kRows[sdma::kOpcode.get(packet[0])];
  std::size_t words = row.handler ? sdma::packet_words({packet, available}) : 0;
  if (sdma::opcode_of(packet[0]) == sdma::Opcode::write && available < 4)
    words = 4;  // its length is not there yet
  if (words == 0 || words > available) {
    // The rest of a packet may still come, unless there is no room for it.
    const std::uint32_t ring_words = setup_.ring_bytes / 4;
    const bool may_come = !buffer_.active && row.handler && words != 0 &&
                          (static_cast<std::uint32_t>(read_) & (ring_words - 1)) + words <= ring_words;
    if (may_come) return Result::none;
    if (words == 0) return refuse(packet);
    return bad(Tag::bad_packet, "{} crosses the end of its {}",
               sdma::opcode_name(static_cast<std::uint8_t>(sdma::kOpcode.get(packet[0]))),
               buffer_.active ? "indirect buffer" : "ring");
  }
  if (observer_ && !tried_) [[unlikely]] {
    PacketEvent event;
    event.queue_id = id();
    event.sdma = true;
    event.indirect = buffer_.active;
    event.position = buffer_.active ? buffer_.position : read_ * 4;
    event.words = {packet, words};
    observer_->packet(event);
  }
  scheduler_.tick(1);
  const Result result = (this->*row.handler)(packet, static_cast<std::uint32_t>(words));
  if (result == Result::done) skip(static_cast<std::uint32_t>(words));
  tried_ = result != Result::done && result != Result::jumped;
  if (!tried_) progress_ = 0;
  return result;
}

void SdmaQueue::skip(std::uint32_t words) {
  if (!buffer_.active) {
    read_ += words;
    return;
  }
  buffer_.position += words;
  if (buffer_.position >= buffer_.words.size()) buffer_.active = false;
}

SdmaQueue::Result SdmaQueue::refuse(const std::uint32_t* packet) {
  const auto opcode = static_cast<std::uint8_t>(sdma::kOpcode.get(packet[0]));
  const std::string_view name = sdma::opcode_name(opcode);
  if (name.empty()) return bad(Tag::bad_packet, "opcode {} is no SDMA packet", opcode);
  return bad(Tag::unsupported, "packet {} (opcode {}, sub-operation {}) is not supported", name, opcode,
             sdma::sub_of(packet[0]));
}

std::string SdmaQueue::where() const {
  if (buffer_.active) {
    return fmt::format("copy queue {}, word {:#x} of the indirect buffer at {:#x}", id(), buffer_.position,
                       buffer_.address);
  }
  return fmt::format("copy queue {}, ring byte {:#x}", id(), read_ * 4 & (setup_.ring_bytes - 1));
}

std::vector<std::uint32_t> SdmaQueue::packet_words() const {
  std::vector<std::uint32_t> words;
  std::uint32_t available = 0;
  const std::uint32_t* packet = nullptr;
  if (buffer_.active) {
    if (buffer_.position >= buffer_.words.size()) return words;
    packet = buffer_.words.data() + buffer_.position;
    available = static_cast<std::uint32_t>(buffer_.words.size()) - buffer_.position;
  } else {
    const std::uint32_t ring_words = setup_.ring_bytes / 4;
    const auto position = static_cast<std::uint32_t>(read_) & (ring_words - 1);
    if (!ring_ || static_cast<std::int64_t>(limit_ - read_) <= 0) return words;
    packet = ring_ + position;
    available = static_cast<std::uint32_t>(std::min<std::uint64_t>(limit_ - read_, ring_words - position));
  }
  const std::size_t length = sdma::packet_words({packet, available});
  words.assign(packet, packet + std::min<std::size_t>(available, length == 0 ? 4 : length));
  return words;
}

std::string SdmaQueue::packet_text(std::span<const std::uint32_t> words) const {
  return sdma::format_packet(words);
}

}  // namespace mockgpu::emu::amd
