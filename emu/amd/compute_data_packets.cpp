#include <fmt/format.h>

#include <cstring>

#include "emu/amd/compute_queue.h"
#include "emu/amd/packet_atomics.h"
#include "isa/amd/commands/pm4.h"

// The packets that move data: WRITE_DATA, COPY_DATA, ATOMIC_MEM, DMA_DATA.
namespace mockgpu::emu::amd {
namespace pm4 = isa::amd::pm4;

namespace {

constexpr std::uint32_t kDataRegisterMask = 0x3ffff;

template <typename Body>
Body read_data_body(const std::uint32_t* words) {
  Body body;
  std::memcpy(&body, words, sizeof body);
  return body;
}

}  // namespace

ComputeQueue::Result ComputeQueue::write_data(const std::uint32_t* body, std::uint32_t words) {
  const auto packet = read_data_body<pm4::WriteData>(body);
  const std::uint32_t* data = body + 3;
  const std::uint32_t count = words - 3;
  const bool fixed = pm4::WriteData::kOneAddress.get(packet.control) != 0;
  switch (packet.destination()) {
    case pm4::WriteDestination::reg:
      for (std::uint32_t i = 0; i < count; ++i) {
        const Result result =
            write_register((packet.address_lo & kDataRegisterMask) + (fixed ? 0 : i), data[i]);
        if (result != Result::done) return result;
      }
      return Result::done;
    case pm4::WriteDestination::memory_sync:
    case pm4::WriteDestination::l2:
    case pm4::WriteDestination::memory:
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t address = packet.address() + (fixed ? 0 : i * 4ull);
        std::uint32_t* word = view_.word32(address, kWrite);
        if (!word) {
          fail_access("WRITE_DATA", address, 4, true);
          return Result::failed;
        }
        store_word(word, data[i]);
      }
      return Result::done;
    default:
      return bad(Tag::unsupported, "WRITE_DATA to {} is not supported",
                 pm4::write_destination_name(packet.destination()));
  }
}

ComputeQueue::Result ComputeQueue::copy_data(const std::uint32_t* body, std::uint32_t) {
  const auto packet = read_data_body<pm4::CopyData>(body);
  const bool wide = pm4::CopyData::kCount64.get(packet.control) != 0;
  std::uint64_t value = 0;
  switch (packet.source_sel()) {
    case pm4::CopySource::reg:
      for (std::uint32_t i = 0; i < (wide ? 2u : 1u); ++i) {
        std::uint32_t word = 0;
        if (!read_register((packet.source_lo & kDataRegisterMask) + i, word)) return Result::failed;
        value |= std::uint64_t{word} << (32 * i);
      }
      break;
    case pm4::CopySource::memory:
    case pm4::CopySource::l2: {
      const std::uint32_t* word = wide ? nullptr : view_.word32(packet.source(), kRead);
      const std::uint64_t* word64 = wide ? view_.word64(packet.source(), kRead) : nullptr;
      if (!word && !word64) {
        fail_access("COPY_DATA", packet.source(), wide ? 8 : 4, false);
        return Result::failed;
      }
      value = wide ? load_word(word64) : load_word(word);
      break;
    }
    case pm4::CopySource::immediate: value = packet.source(); break;
    case pm4::CopySource::atomic_return: value = atomic_return_; break;
    case pm4::CopySource::gpu_clock:
    case pm4::CopySource::system_clock: value = scheduler_.clock(); break;
    default:
      return bad(Tag::unsupported, "COPY_DATA from {} is not supported",
                 pm4::copy_source_name(packet.source_sel()));
  }
  switch (packet.destination_sel()) {
    case pm4::CopyDestination::reg:
      for (std::uint32_t i = 0; i < (wide ? 2u : 1u); ++i) {
        const Result result = write_register((packet.destination_lo & kDataRegisterMask) + i,
                                             static_cast<std::uint32_t>(value >> (32 * i)));
        if (result != Result::done) return result;
      }
      return Result::done;
    case pm4::CopyDestination::memory_sync:
    case pm4::CopyDestination::l2:
    case pm4::CopyDestination::memory: {
      std::uint32_t* word = wide ? nullptr : view_.word32(packet.destination(), kWrite);
      std::uint64_t* word64 = wide ? view_.word64(packet.destination(), kWrite) : nullptr;
      if (!word && !word64) {
        fail_access("COPY_DATA", packet.destination(), wide ? 8 : 4, true);
        return Result::failed;
      }
      if (wide) {
        store_word(word64, value);
      } else {
        store_word(word, static_cast<std::uint32_t>(value));
      }
      return Result::done;
    }
    default:
      return bad(Tag::unsupported, "COPY_DATA to {} is not supported",
                 pm4::copy_destination_name(packet.destination_sel()));
  }
}

ComputeQueue::Result ComputeQueue::atomic_mem(const std::uint32_t* body, std::uint32_t) {
  const auto packet = read_data_body<pm4::AtomicMem>(body);
  if (!knows_atomic(packet.op())) {
    return bad(Tag::unsupported, "ATOMIC_MEM operation {:#x} is not supported", packet.op());
  }
  if (packet.command() > 3) {
    return bad(Tag::bad_packet, "ATOMIC_MEM with command {}", packet.command());
  }
  const bool loops = packet.command() == 1;
  if (loops && (!is_compare_swap(packet.op()) || !returns_old(packet.op()))) {
    return bad(Tag::unsupported, "ATOMIC_MEM that loops over {}, which does not compare",
               pm4::atomic_op_name(packet.op()));
  }
  const bool wide = is_atomic64(packet.op());
  void* word = wide ? static_cast<void*>(view_.word64(packet.address(), kRead | kWrite))
                    : static_cast<void*>(view_.word32(packet.address(), kRead | kWrite));
  if (!word) {
    fail_access("ATOMIC_MEM", packet.address(), wide ? 8 : 4, true);
    return Result::failed;
  }
  const std::uint64_t old = apply_atomic(packet.op(), word, packet.source(), packet.compare());
  const std::uint64_t wanted = wide ? packet.compare() : packet.compare_lo;
  if (loops && old != wanted) return Result::wait_memory;
  if (returns_old(packet.op())) atomic_return_ = old;
  return Result::done;
}

bool ComputeQueue::dma_word(bool is_register, std::uint64_t address, std::uint32_t& value, bool store) {
  if (is_register) {
    const auto number = static_cast<std::uint32_t>(address) & kDataRegisterMask;
    return store ? write_register(number, value) == Result::done : read_register(number, value);
  }
  std::uint32_t* word = view_.word32(address, store ? kWrite : kRead);
  if (!word) {
    fail_access("DMA_DATA", address, 4, store);
    return false;
  }
  if (store) {
    store_word(word, value);
  } else {
    value = load_word(word);
  }
  return true;
}

/// A transfer from or to registers, or at an address that does not advance: word by word.
ComputeQueue::Result ComputeQueue::dma_words(const std::uint32_t* body) {
  using P = pm4::DmaData;
  const auto packet = read_data_body<P>(body);
  if (packet.byte_count() % 4) {
    return bad(Tag::bad_packet,
               "DMA_DATA of {} bytes with registers or a fixed address: must be "
               "a multiple of 4",
               packet.byte_count());
  }
  const bool from_register = P::kSourceIsRegister.get(packet.command) != 0,
             to_register = P::kDestinationIsRegister.get(packet.command) != 0;
  const bool is_fill = P::kSrcSel.get(packet.control) == P::kSelectData;
  const std::uint64_t source_step = P::kSourceFixed.get(packet.command) ? 0
                                    : from_register                     ? 1
                                                                        : 4,
                      destination_step = P::kDestinationFixed.get(packet.command) ? 0
                                         : to_register                            ? 1
                                                                                  : 4;
  for (std::uint64_t i = 0; i < packet.byte_count() / 4; ++i) {
    std::uint32_t value = packet.source_lo;
    if (!is_fill && !dma_word(from_register, packet.source() + i * source_step, value, false)) {
      return Result::failed;
    }
    if (!dma_word(to_register, packet.destination() + i * destination_step, value, true)) {
      return Result::failed;
    }
  }
  return Result::done;
}

ComputeQueue::Result ComputeQueue::dma_data(const std::uint32_t* body, std::uint32_t) {
  using P = pm4::DmaData;
  const auto packet = read_data_body<P>(body);
  const std::uint32_t source_sel = P::kSrcSel.get(packet.control),
                      destination_sel = P::kDstSel.get(packet.control);
  if (source_sel == P::kSelectGds || destination_sel == P::kSelectGds) {
    return bad(Tag::unsupported, "DMA_DATA with GDS is not supported");
  }
  const std::uint64_t bytes = packet.byte_count();
  if (destination_sel == P::kSelectNowhere) {  // only warms the cache
    if (source_sel == P::kSelectData) return Result::done;
    const std::uint64_t fault = first_fault(view_.map(), packet.source(), bytes, kRead);
    if (fault == packet.source() + bytes) return Result::done;
    fail_access("DMA_DATA", packet.source(), bytes, false);
    return Result::failed;
  }
  constexpr std::uint32_t kByWord = P::kSourceIsRegister.mask() | P::kDestinationIsRegister.mask() |
                                    P::kSourceFixed.mask() | P::kDestinationFixed.mask();
  if (packet.command & kByWord) return dma_words(body);
  if (source_sel == P::kSelectData) {
    if (packet.destination() % 4 || bytes % 4) {
      return bad(Tag::bad_packet, "DMA_DATA fills {} bytes at {:#x}: both must be multiples of 4", bytes,
                 packet.destination());
    }
    const bool filled = fill_bytes(packet.destination(), packet.source_lo, 4, bytes, "DMA_DATA");
    return filled ? Result::done : Result::failed;
  }
  return copy_bytes(packet.destination(), packet.source(), bytes, "DMA_DATA") ? Result::done : Result::failed;
}

}  // namespace mockgpu::emu::amd
