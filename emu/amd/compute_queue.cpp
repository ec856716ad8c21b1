#include "emu/amd/compute_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "emu/amd/compute_packets.h"
#include "isa/amd/commands/pm4.h"

namespace mockgpu::emu::amd {
namespace pm4 = isa::amd::pm4;

namespace {

constexpr std::size_t kMostInFlight = 16;

}  // namespace

ComputeQueue::ComputeQueue(const QueueSetup& setup, AddressSpace& memory, Scheduler& scheduler,
                           QueueHost& host, Engine& engine, const Model& model)
    : Queue(setup, memory, scheduler, host),
      engine_(engine),
      model_(model),
      target_(isa::amd::find_target(model.target)) {
  in_flight_.reserve(kMostInFlight);  // starting a dispatch must not allocate
}

ComputeQueue::~ComputeQueue() = default;

Step ComputeQueue::turn(const TurnBudget& budget) {
  if (!runs()) return Step::idle;
  limit_ = doorbell();
  if (limit_ == read_ && !buffer_.active && in_flight_.empty()) return Step::idle;

  const AddressSpace::Pin pin(memory_);
  const std::uint64_t generation = generation_;
  if (!bind(pin)) {
    in_flight_.clear();
    return Step::ran;
  }
  if ((generation != generation_ || generation_ == kUnbound) && buffer_.active) find_buffer();

  const std::uint64_t read_before = read_;
  std::uint32_t packets = budget.packets;
  std::uint64_t instructions = budget.instructions;
  bool ran = false;
  Result result = Result::none;
  while (true) {
    result = run_packets(packets);
    ran |= packets != budget.packets;
    if (result == Result::failed || in_flight_.empty()) break;
    ran = true;
    if (!run_waves(pin, instructions)) {
      result = Result::failed;
      break;
    }
    if (instructions == 0) break;
  }
  if (read_ != read_before) write_back(read_);
  if (result == Result::failed) {
    in_flight_.clear();
    buffer_.active = false;
    return Step::ran;
  }
  if (ran) return Step::ran;
  return result == Result::wait_memory ? Step::blocked : Step::idle;
}

inline ComputeQueue::Result ComputeQueue::run_packet(const std::uint32_t* packet, std::uint32_t words) {
  if (words == 1) return Result::done;  // a filler or a NOP of one word: fetch refused all others
  opcode_ = static_cast<std::uint8_t>(pm4::kHeaderOpcode.get(*packet));
  const PacketTable::Row& row = PacketTable::rows[opcode_];
  if (!row.handler || words <= row.least_words) [[unlikely]] {
    return refuse({packet, words}, row.handler != nullptr);
  }
  scheduler_.tick(1);
  return (this->*row.handler)(packet + 1, words - 1);
}

ComputeQueue::Result ComputeQueue::run_packets(std::uint32_t& left) {
  const std::uint32_t* const ring = ring_;
  const std::uint32_t ring_words = setup_.ring_bytes / 4;
  const std::uint64_t limit = limit_;
  std::uint64_t read = read_;  // in a register: each packet's place waits for the one before it
  for (; left > 0; --left) {
    // The common case: the packet is in the ring as a whole and does not wrap around.
    const std::uint64_t available = limit - read;
    const std::uint32_t position = static_cast<std::uint32_t>(read) & (ring_words - 1);
    const std::uint32_t* packet = ring + position;
    std::uint32_t words = 0;
    if (available - 1 < ring_words - position && !buffer_.active && pm4::kHeaderType.get(*packet) == 3) {
      words = pm4::kHeaderCount.get(*packet) + 2;
    }
    if (words == 0 || words > available) [[unlikely]] {
      Result result = Result::none;
      packet = fetch(words, result);
      if (!packet) return result;
    }
    if (observer_ && !tried_) [[unlikely]]
      observe_packet({packet, words});
    const Result result = run_packet(packet, words);
    tried_ = result != Result::done && result != Result::jumped;
    if (tried_) return result;
    if (result == Result::done && !buffer_.active) [[likely]] {
      read_ = read += words;
    } else {
      if (result == Result::done) skip(words);
      read = read_;
    }
  }
  return Result::done;
}

void ComputeQueue::observe_packet(std::span<const std::uint32_t> packet) {
  PacketEvent event;
  event.queue_id = id();
  event.indirect = buffer_.active;
  event.position = buffer_.active ? buffer_.position : read_;
  event.words = packet;
  observer_->packet(event);
}

void ComputeQueue::skip(std::uint32_t words) {
  if (!buffer_.active) {
    read_ += words;
    return;
  }
  buffer_.position += words;
  if (buffer_.position == buffer_.words) buffer_.active = false;
}

void ComputeQueue::find_buffer() {
  const std::byte* host = view_.at(buffer_.address, buffer_.words * 4ull, kRead);
  buffer_.host = view_.is_lasting() ? reinterpret_cast<const std::uint32_t*>(host) : nullptr;
}

const std::uint32_t* ComputeQueue::fetch(std::uint32_t& words, Result& result) {
  return buffer_.active ? fetch_buffer(words, result) : fetch_ring(words, result);
}

const std::uint32_t* ComputeQueue::fetch_ring(std::uint32_t& words, Result& result) {
  const std::uint32_t ring_words = setup_.ring_bytes / 4;
  const auto available = static_cast<std::int64_t>(limit_ - read_);
  if (available == 0) return nullptr;
  if (available < 0) {
    result = bad(Tag::bad_packet, "the doorbell says {:#x}, behind the read pointer {:#x}", limit_, read_);
    return nullptr;
  }
  if (available > ring_words) {
    result = bad(Tag::bad_packet,
                 "the doorbell says {:#x}, more than a ring of {:#x} words ahead of the "
                 "read pointer {:#x}",
                 limit_, ring_words, read_);
    return nullptr;
  }
  const auto position = static_cast<std::uint32_t>(read_) & (ring_words - 1);
  const pm4::Header header = pm4::decode_header(ring_[position]);
  if (header.type == 0 || header.type == 1) {
    result = bad(Tag::bad_packet, "{:#010x} is no packet header (type {})", ring_[position], header.type);
    return nullptr;
  }
  words = header.packet_words();
  if (words > ring_words) {
    result = bad(Tag::bad_packet, "{} of {} words does not fit a ring of {:#x} words",
                 pm4::opcode_name(header.opcode), words, ring_words);
    return nullptr;
  }
  if (words > static_cast<std::uint64_t>(available)) return nullptr;  // the rest may still come
  if (position + words <= ring_words) return ring_ + position;
  copy_.resize(words);
  const std::uint32_t first = ring_words - position;
  raw_copy(copy_.data(), ring_ + position, first * 4ull);
  raw_copy(copy_.data() + first, ring_, (words - first) * 4ull);
  return copy_.data();
}

const std::uint32_t* ComputeQueue::fetch_buffer(std::uint32_t& words, Result& result) {
  const std::uint64_t address = buffer_.address + buffer_.position * 4ull;
  if (buffer_.position > buffer_.words) {
    result = bad(Tag::bad_packet, "a conditional skip leaves its indirect buffer");
    return nullptr;
  }
  std::uint32_t word = 0;
  if (buffer_.host) {
    word = buffer_.host[buffer_.position];
  } else if (view_.map().read(address, &word, 4) != 4) {
    fail_access("INDIRECT_BUFFER", address, 4, false);
    result = Result::failed;
    return nullptr;
  }
  const pm4::Header header = pm4::decode_header(word);
  words = header.packet_words();
  if (header.type == 0 || header.type == 1) {
    result = bad(Tag::bad_packet, "{:#010x} is no packet header (type {})", word, header.type);
    return nullptr;
  }
  if (words > buffer_.words - buffer_.position) {
    result = bad(Tag::bad_packet, "{} of {} words does not fit the {} words left of its indirect buffer",
                 pm4::opcode_name(header.opcode), words, buffer_.words - buffer_.position);
    return nullptr;
  }
  if (buffer_.host) return buffer_.host + buffer_.position;
  copy_.resize(words);
  if (view_.map().read(address, copy_.data(), words * 4ull) != words * 4ull) {
    fail_access("INDIRECT_BUFFER", address, words * 4ull, false);
    result = Result::failed;
    return nullptr;
  }
  return copy_.data();
}

bool ComputeQueue::run_waves(const AddressSpace::Pin& pin, std::uint64_t& left) {
  // Every dispatch in flight gets a share, so that one that waits for another one's stores cannot starve it.
  const std::uint64_t share =
      in_flight_.size() == 1 ? left : std::max<std::uint64_t>(left / in_flight_.size(), 1);
  for (std::size_t i = 0; i < in_flight_.size() && left > 0;) {
    Engine::Execution& execution = *in_flight_[i];
    const std::uint64_t before = execution.outcome().wave_instructions;
    const Progress progress = execution.run(std::min(share, left), pin);
    const std::uint64_t used = execution.outcome().wave_instructions - before;
    scheduler_.tick(used);
    left -= std::min(left, used);
    switch (progress) {
      case Progress::running:
        ++i;
        if (used == 0)
          left -= std::min<std::uint64_t>(left, 1);  // its waves only wait: that must end the turn, too
        break;
      case Progress::done: in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(i)); break;
      case Progress::failed: {
        const Outcome outcome = execution.outcome();
        Error report = outcome.error ? *outcome.error : Error(Tag::failed, "a dispatch failed");
        if (report.tag() == Tag::memory_fault) {
          MemoryFault fault;
          fault.address = outcome.fault_address;
          fault.write = outcome.fault_write;
          fault.present = view_.map().find(outcome.fault_address) != nullptr;
          fail_memory(fault, std::move(report));
        } else {
          fail_dispatch(std::move(report));
        }
        return false;
      }
    }
  }
  return true;
}

bool ComputeQueue::start(const std::uint32_t dims[3], std::uint32_t initiator, Result& result) {
  namespace start_bits = isa::amd::initiator;
  using isa::amd::num_thread::kFull;
  using isa::amd::num_thread::kPartial;
  constexpr std::uint32_t kKnown = start_bits::kComputeShaderEn.mask() | start_bits::kPartialTgEn.mask() |
                                   start_bits::kForceStartAt000.mask() |
                                   start_bits::kUseThreadDimensions.mask() | start_bits::kOrderMode.mask() |
                                   start_bits::kCsW32En.mask() | (1u << 10) |
                                   (1u << 11) |  // volatile cache invalidates: memory is coherent
                                   (1u << 17);   // preemption hint
  if (initiator & ~kKnown) {
    result = bad(Tag::unsupported, "dispatch initiator {:#x}: bits {:#x} are not supported", initiator,
                 initiator & ~kKnown);
    return false;
  }
  result = Result::done;
  if (!start_bits::kComputeShaderEn.get(initiator)) return true;

  std::uint32_t first[3], end[3], size[3], last[3];
  std::uint64_t items = 1;
  bool any = true;
  for (int axis = 0; axis < 3; ++axis) {
    const std::uint32_t full = kFull.get(registers_.num_thread[axis]);
    if (full == 0) {
      result = bad(Tag::bad_packet, "a dispatch with COMPUTE_NUM_THREAD_{} 0", "XYZ"[axis]);
      return false;
    }
    items *= full;
    size[axis] = full;
    last[axis] = start_bits::kPartialTgEn.get(initiator) ? kPartial.get(registers_.num_thread[axis]) : 0;
    first[axis] = start_bits::kForceStartAt000.get(initiator) ? 0 : registers_.start[axis];
    end[axis] = dims[axis];
    if (start_bits::kUseThreadDimensions.get(initiator)) {
      end[axis] = static_cast<std::uint32_t>((std::uint64_t{dims[axis]} + full - 1) / full);
      last[axis] = dims[axis] % full;
    }
    registers_.dim[axis] = dims[axis];
    any = any && end[axis] > first[axis];
  }
  if (items > 1024) {
    result = bad(Tag::bad_packet, "a dispatch with workgroups of {} x {} x {} work-items: at most 1024",
                 size[0], size[1], size[2]);
    return false;
  }
  if (!any) return true;
  const bool scratch = isa::amd::rsrc2::kScratchEn.get(registers_.pgm_rsrc2) != 0;
  const Launch launch{
      .target = target_,
      .entry = registers_.code_address(),
      .first_group = {first[0], first[1], first[2]},
      .end_group = {end[0], end[1], end[2]},
      .group_size = {size[0], size[1], size[2]},
      .last_group_size = {last[0], last[1], last[2]},
      .wave32 = start_bits::kCsW32En.get(initiator) != 0,
      .rsrc1 = registers_.pgm_rsrc1,
      .rsrc2 = registers_.pgm_rsrc2,
      .rsrc3 = registers_.pgm_rsrc3,
      .user_data = registers_.user_data,
      .scratch_base = registers_.scratch_base(),
      .scratch_wave_bytes =
          scratch ? isa::amd::tmpring::kWaveSize.get(registers_.tmpring_size) * model_.scratch_unit : 0,
      .scratch_waves = isa::amd::tmpring::kWaves.get(registers_.tmpring_size) *
                       (model_.scratch_waves_per_engine ? model_.engines() : 1),
      .dispatch_number = host_.next_dispatch(),
      .waves = nullptr,
  };
  in_flight_.push_back(engine_.start(launch));
  return true;
}

bool ComputeQueue::can_start() const { return in_flight_.size() < kMostInFlight; }

ComputeQueue::Result ComputeQueue::refuse(std::span<const std::uint32_t> packet, bool is_short) {
  const std::string_view name = pm4::opcode_name(opcode_);
  Error report(Tag::bad_packet, fmt::format("opcode {:#04x} is no packet of a compute queue", opcode_));
  if (is_short) {
    report = Error(Tag::bad_packet, fmt::format("{} has {} body words and needs {}", name, packet.size() - 1,
                                                PacketTable::rows[opcode_].least_words));
  } else if (PacketTable::is_privileged(opcode_)) {
    report = Error(Tag::bad_packet, fmt::format("{} is for the kernel's own queues and for graphics", name));
  } else if (!name.empty()) {
    report =
        Error(Tag::unsupported, fmt::format("packet {} (opcode {:#04x}) is not supported", name, opcode_));
  }
  fail(std::move(report));
  return Result::failed;
}

void ComputeQueue::fail_dispatch(Error report) {
  report.add("queue", fmt::format("compute queue {}", id()));
  fail_plain(std::move(report));
}

std::string ComputeQueue::where() const {
  if (buffer_.active) {
    return fmt::format("compute queue {}, word {:#x} of the indirect buffer at {:#x}", id(), buffer_.position,
                       buffer_.address);
  }
  return fmt::format("compute queue {}, ring word {:#x}", id(), read_ & (setup_.ring_bytes / 4 - 1));
}

std::vector<std::uint32_t> ComputeQueue::packet_words() const {
  std::vector<std::uint32_t> words;
  const auto read = [&](std::uint32_t index) {
    std::uint32_t word = 0;
    if (buffer_.active) {
      const std::uint32_t position = buffer_.position + index;
      if (position >= buffer_.words || view_.map().read(buffer_.address + position * 4ull, &word, 4) != 4)
        return false;
    } else {
      if (!ring_ || static_cast<std::int64_t>(limit_ - read_) <= index) return false;
      word = ring_[(read_ + index) & (setup_.ring_bytes / 4 - 1)];
    }
    words.push_back(word);
    return true;
  };
  if (!read(0)) return words;
  const std::uint32_t count = pm4::decode_header(words[0]).packet_words();
  while (words.size() < count && read(static_cast<std::uint32_t>(words.size()))) {
  }
  return words;
}

std::string ComputeQueue::packet_text(std::span<const std::uint32_t> words) const {
  return pm4::format_packet(words);
}

}  // namespace mockgpu::emu::amd
