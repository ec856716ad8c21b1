#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emu/amd/packet_atomics.h"
#include "emu/amd/sdma_queue.h"
#include "isa/amd/commands/registers.h"
#include "isa/amd/commands/sdma.h"

namespace mockgpu::emu::amd {
namespace sdma = isa::amd::sdma;
namespace pm4 = isa::amd::pm4;

namespace {

/// Bytes of a copy or fill in one turn: about a millisecond.
constexpr std::uint64_t kPiece = 4 << 20;

constexpr isa::amd::RegisterFile kSdmaFile = isa::amd::RegisterFile::gfx11;
constexpr std::uint32_t kSdmaHdpRequest =
    isa::amd::register_address(isa::amd::Register::HDP_FLUSH_REQ, kSdmaFile);
constexpr std::uint32_t kSdmaHdpDone =
    isa::amd::register_address(isa::amd::Register::HDP_FLUSH_DONE, kSdmaFile);

template <typename Packet>
Packet read_packet(const std::uint32_t* words) {
  Packet packet;
  std::memcpy(&packet, words, sizeof packet);
  return packet;
}

}  // namespace

SdmaQueue::Result SdmaQueue::copy(const std::uint32_t* packet, std::uint32_t words) {
  switch (static_cast<sdma::CopySub>(sdma::sub_of(packet[0]))) {
    case sdma::CopySub::linear: return copy_linear(packet, words);
    case sdma::CopySub::sub_window: return copy_sub_window(packet);
    default: return refuse(packet);
  }
}

SdmaQueue::Result SdmaQueue::copy_linear(const std::uint32_t* packet, std::uint32_t words) {
  using P = sdma::CopyLinear;
  const auto copy = read_packet<P>(packet);
  if (P::kEncrypt.get(copy.header) || P::kBackwards.get(copy.header) || P::kSourceSwap.get(copy.parameters) ||
      P::kDestinationSwap.get(copy.parameters)) {
    return bad(Tag::unsupported, "COPY_LINEAR encrypted, backwards or with byte swaps is not supported");
  }
  const std::uint64_t size = copy.byte_count();
  const std::uint64_t part = std::min(size - progress_, kPiece);
  if (!copy_bytes(copy.destination() + progress_, copy.source() + progress_, part, "COPY_LINEAR")) {
    return Result::failed;
  }
  if (P::kBroadcast.get(copy.header) && words >= 9 &&
      !copy_bytes(isa::amd::join(packet[7], packet[8]) + progress_, copy.source() + progress_, part,
                  "COPY_LINEAR")) {
    return Result::failed;
  }
  progress_ += part;
  return progress_ == size ? Result::done : Result::more;
}

SdmaQueue::Result SdmaQueue::copy_sub_window(const std::uint32_t* packet) {
  using P = sdma::CopySubWindow;
  const auto copy = read_packet<P>(packet);
  if (P::kElementLog2.get(copy.header) > P::kMostElementLog2) {
    return bad(Tag::bad_packet, "COPY_LINEAR_SUB_WINDOW with elements of {} bytes: at most 16",
               copy.element_bytes());
  }
  if (P::kSourceSwap.get(copy.rect_z) || P::kDestinationSwap.get(copy.rect_z)) {
    return bad(Tag::unsupported, "COPY_LINEAR_SUB_WINDOW with byte swaps is not supported");
  }
  const std::uint64_t element = copy.element_bytes();
  const std::uint64_t width = P::kRectX.get(copy.rect_xy) + 1ull, height = P::kRectY.get(copy.rect_xy) + 1ull;
  const std::uint64_t depth = P::kRectZ.get(copy.rect_z) + 1ull;
  const auto row_of = [&](std::uint64_t base, std::uint32_t xy, std::uint32_t z_pitch, std::uint32_t slice,
                          std::uint64_t y, std::uint64_t z) {
    const std::uint64_t pitch = P::kPitch.get(z_pitch) + 1ull, slice_pitch = P::kSlicePitch.get(slice) + 1ull;
    return base +
           element * (P::kX.get(xy) + (P::kY.get(xy) + y) * pitch + (P::kZ.get(z_pitch) + z) * slice_pitch);
  };
  const std::uint64_t rows = height * depth;
  const std::uint64_t end =
      std::min(rows, progress_ + std::max<std::uint64_t>(kPiece / (width * element), 1));
  for (; progress_ < end; ++progress_) {
    const std::uint64_t y = progress_ % height, z = progress_ / height;
    const std::uint64_t from =
        row_of(copy.source(), copy.source_xy, copy.source_z_pitch, copy.source_slice_pitch, y, z);
    const std::uint64_t to = row_of(copy.destination(), copy.destination_xy, copy.destination_z_pitch,
                                    copy.destination_slice_pitch, y, z);
    if (!copy_bytes(to, from, width * element, "COPY_LINEAR_SUB_WINDOW")) return Result::failed;
  }
  return progress_ == rows ? Result::done : Result::more;
}

SdmaQueue::Result SdmaQueue::write(const std::uint32_t* packet, std::uint32_t) {
  if (sdma::sub_of(packet[0]) != static_cast<std::uint32_t>(sdma::WriteSub::linear)) return refuse(packet);
  const auto write = read_packet<sdma::WriteLinear>(packet);
  if (sdma::WriteLinear::kSwap.get(write.count_minus_1)) {
    return bad(Tag::unsupported, "WRITE with byte swaps is not supported");
  }
  for (std::uint32_t i = 0; i < write.word_count(); ++i) {
    const std::uint64_t address = write.destination() + i * 4ull;
    std::uint32_t* word = view_.word32(address, kWrite);
    if (!word) {
      fail_access("WRITE", address, 4, true);
      return Result::failed;
    }
    store_word(word, packet[4 + i]);
  }
  return Result::done;
}

SdmaQueue::Result SdmaQueue::const_fill(const std::uint32_t* packet, std::uint32_t) {
  if (sdma::sub_of(packet[0]) != 0) return refuse(packet);
  const auto fill = read_packet<sdma::ConstFill>(packet);
  if (fill.fill_size() > 2) return bad(Tag::bad_packet, "CONST_FILL with fill size 3, which is reserved");
  if (sdma::ConstFill::kSwap.get(fill.header)) {
    return bad(Tag::unsupported, "CONST_FILL with byte swaps is not supported");
  }
  const unsigned element = 1u << fill.fill_size();
  const std::uint64_t size = std::uint64_t{fill.element_count()} * element;
  const std::uint64_t piece = std::min(size - progress_, kPiece);
  if (!fill_bytes(fill.destination() + progress_, fill.data, element, piece, "CONST_FILL"))
    return Result::failed;
  progress_ += piece;
  return progress_ == size ? Result::done : Result::more;
}

SdmaQueue::Result SdmaQueue::fence(const std::uint32_t* packet, std::uint32_t) {
  if (sdma::sub_of(packet[0]) != 0) return refuse(packet);
  const auto fence = read_packet<sdma::Fence>(packet);
  std::uint32_t* word = view_.word32(fence.address(), kWrite);
  if (!word) {
    fail_access("FENCE", fence.address(), 4, true);
    return Result::failed;
  }
  store_word(word, fence.data);
  return Result::done;
}

SdmaQueue::Result SdmaQueue::trap(const std::uint32_t* packet, std::uint32_t) {
  host_.interrupt(read_packet<sdma::Trap>(packet).context());
  return Result::done;
}

/// A poll of a register: the HDP pair, whose flushes are complete when they are asked for.
SdmaQueue::Result SdmaQueue::poll_register(const std::uint32_t* packet) {
  const auto poll = read_packet<sdma::PollRegmem>(packet);
  const std::uint32_t polled = poll.address_lo >> 2, written = poll.address_hi >> 2;
  if (poll.hdp_flush()) {
    if (polled != kSdmaHdpDone || written != kSdmaHdpRequest) {
      return bad(Tag::unsupported, "POLL_REGMEM with hdp_flush of registers {} and {}",
                 isa::amd::register_name_at(written, kSdmaFile),
                 isa::amd::register_name_at(polled, kSdmaFile));
    }
    hdp_flush_ = poll.reference;
  } else if (poll.function() == pm4::Compare::always) {
    return Result::done;  // looks at nothing
  } else if (polled != kSdmaHdpDone && polled != kSdmaHdpRequest) {
    return bad(Tag::unsupported, "POLL_REGMEM of register {} is not supported",
               isa::amd::register_name_at(polled, kSdmaFile));
  }
  return pm4::holds(poll.function(), hdp_flush_ & poll.mask, poll.reference) ? Result::done
                                                                             : Result::wait_memory;
}

SdmaQueue::Result SdmaQueue::poll_regmem(const std::uint32_t* packet, std::uint32_t) {
  using P = sdma::PollRegmem;
  if (sdma::sub_of(packet[0]) != static_cast<std::uint32_t>(sdma::PollSub::poll)) return refuse(packet);
  const auto poll = read_packet<P>(packet);
  if (static_cast<unsigned>(poll.function()) > 6) return bad(Tag::bad_packet, "POLL_REGMEM with function 7");
  if (!poll.memory()) return poll_register(packet);
  const std::uint32_t* word = view_.word32(poll.address(), kRead);
  if (!word) {
    fail_access("POLL_REGMEM", poll.address(), 4, false);
    return Result::failed;
  }
  if (pm4::holds(poll.function(), load_word(word) & poll.mask, poll.reference)) return Result::done;
  if (P::kRetry.get(poll.control) != P::kForever) {
    return bad(Tag::unsupported, "POLL_REGMEM that gives up after {} retries is not supported",
               P::kRetry.get(poll.control));
  }
  return Result::wait_memory;
}

SdmaQueue::Result SdmaQueue::atomic(const std::uint32_t* packet, std::uint32_t) {
  const auto atomic = read_packet<sdma::Atomic>(packet);
  if (!knows_atomic(atomic.op())) {
    return bad(Tag::unsupported, "ATOMIC operation {:#x} is not supported", atomic.op());
  }
  if (atomic.loop() && !is_compare_swap(atomic.op())) {
    return bad(Tag::unsupported, "ATOMIC that loops over {}, which does not compare",
               pm4::atomic_op_name(atomic.op()));
  }
  const bool wide = is_atomic64(atomic.op());
  void* word = wide ? static_cast<void*>(view_.word64(atomic.address(), kRead | kWrite))
                    : static_cast<void*>(view_.word32(atomic.address(), kRead | kWrite));
  if (!word) {
    fail_access("ATOMIC", atomic.address(), wide ? 8 : 4, true);
    return Result::failed;
  }
  const std::uint64_t old = apply_atomic(atomic.op(), word, atomic.source(), atomic.compare());
  const std::uint64_t wanted = wide ? atomic.compare() : atomic.compare_lo;
  return atomic.loop() && old != wanted ? Result::wait_memory : Result::done;
}

SdmaQueue::Result SdmaQueue::timestamp(const std::uint32_t* packet, std::uint32_t) {
  const auto stamp = read_packet<sdma::Timestamp>(packet);
  switch (static_cast<sdma::TimestampSub>(sdma::sub_of(packet[0]))) {
    case sdma::TimestampSub::get_local:
    case sdma::TimestampSub::get_global: break;
    default: return refuse(packet);  // setting a clock would change what every other reader sees
  }
  std::uint64_t* word = view_.word64(stamp.address(), kWrite);
  if (!word) {
    fail_access("TIMESTAMP", stamp.address(), 8, true);
    return Result::failed;
  }
  store_word(word, scheduler_.clock());
  return Result::done;
}

SdmaQueue::Result SdmaQueue::indirect(const std::uint32_t* packet, std::uint32_t words) {
  using P = sdma::Indirect;
  const auto call = read_packet<P>(packet);
  if (buffer_.active) {
    return bad(Tag::bad_packet, "{}",
               call.base() == buffer_.address ? "an indirect buffer that contains itself"
                                              : "INDIRECT inside an indirect buffer");
  }
  if (call.base() % 32 != 0) {
    return bad(Tag::bad_packet, "INDIRECT of {:#x}, which is not 32-byte aligned", call.base());
  }
  if (P::kVmid.get(call.header) || P::kPriv.get(call.header)) {
    return bad(Tag::bad_packet, "INDIRECT with a VMID or privileged is for the kernel's own queues");
  }
  const std::uint32_t size = P::kSize.get(call.size_words);
  buffer_.address = call.base();
  buffer_.words.resize(size);
  if (view_.map().read(buffer_.address, buffer_.words.data(), size * 4ull) != size * 4ull) {
    fail_access("INDIRECT", buffer_.address, size * 4ull, false);
    return Result::failed;
  }
  skip(words);  // where the ring goes on afterwards
  buffer_.position = 0;
  buffer_.active = size != 0;
  return Result::jumped;
}

SdmaQueue::Result SdmaQueue::cond_exe(const std::uint32_t* packet, std::uint32_t words) {
  const auto condition = read_packet<sdma::CondExe>(packet);
  const std::uint32_t* word = view_.word32(condition.address(), kRead);
  if (!word) {
    fail_access("COND_EXE", condition.address(), 4, false);
    return Result::failed;
  }
  if (load_word(word) == condition.reference) return Result::done;
  const std::uint32_t skipped = words + sdma::CondExe::kExecCount.get(condition.exec);
  if (buffer_.active && skipped > buffer_.words.size() - buffer_.position) {
    return bad(Tag::bad_packet, "COND_EXE skips past the end of its indirect buffer");
  }
  skip(skipped);
  return Result::jumped;
}

SdmaQueue::Result SdmaQueue::srbm_write(const std::uint32_t* packet, std::uint32_t) {
  if (sdma::sub_of(packet[0]) != 0) return refuse(packet);
  const auto write = read_packet<sdma::SrbmWrite>(packet);
  const std::uint32_t address = sdma::SrbmWrite::kRegister.get(write.address);
  if (address != kSdmaHdpRequest || sdma::SrbmWrite::kByteEnables.get(write.header) != 0xf) {
    return bad(Tag::unsupported, "SRBM_WRITE to register {} ({:#x}) with byte enables {:#x} is not supported",
               isa::amd::register_name_at(address, kSdmaFile), address,
               sdma::SrbmWrite::kByteEnables.get(write.header));
  }
  hdp_flush_ = write.data;
  return Result::done;
}

/// Caches are coherent.
SdmaQueue::Result SdmaQueue::gcr_req(const std::uint32_t* packet, std::uint32_t) {
  return sdma::sub_of(packet[0]) <= static_cast<std::uint32_t>(sdma::GcrSub::user) ? Result::done
                                                                                   : refuse(packet);
}

constinit const std::array<SdmaQueue::Row, 256> SdmaQueue::kRows = [] {
  using O = sdma::Opcode;
  using Q = SdmaQueue;
  std::array<Row, 256> rows{};
  const auto set = [&](O opcode, Handler handler) { rows[static_cast<std::size_t>(opcode)] = {handler}; };
  set(O::nop, &Q::nop);
  set(O::copy, &Q::copy);
  set(O::write, &Q::write);
  set(O::const_fill, &Q::const_fill);
  set(O::fence, &Q::fence);
  set(O::trap, &Q::trap);
  set(O::poll_regmem, &Q::poll_regmem);
  set(O::atomic, &Q::atomic);
  set(O::timestamp, &Q::timestamp);
  set(O::indirect, &Q::indirect);
  set(O::cond_exe, &Q::cond_exe);
  set(O::srbm_write, &Q::srbm_write);
  set(O::gcr_req, &Q::gcr_req);
  set(O::dummy_trap, &Q::nop);  // waits for earlier packets: they are done
  return rows;
}();

}  // namespace mockgpu::emu::amd
