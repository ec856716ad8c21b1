#include "emu/amd/compute_packets.h"

#include <fmt/format.h>

#include <cstring>

#include "emu/amd/packet_atomics.h"
#include "isa/amd/commands/pm4.h"

namespace mockgpu::emu::amd {
namespace pm4 = isa::amd::pm4;
using isa::amd::ComputeState;
using isa::amd::Register;
using isa::amd::RegisterFile;

namespace {

constexpr RegisterFile kFile = RegisterFile::gfx11;
constexpr std::uint32_t kHdpRequest = isa::amd::register_address(Register::HDP_FLUSH_REQ, kFile);
constexpr std::uint32_t kHdpDone = isa::amd::register_address(Register::HDP_FLUSH_DONE, kFile);
constexpr std::uint32_t kGraphicsIndex = isa::amd::register_address(Register::GRBM_GFX_INDEX, kFile);
constexpr std::uint32_t kAllBroadcast = 0xe0000000;  // GRBM_GFX_INDEX: every engine, array and instance
constexpr std::uint32_t kRegisterAddressMask = 0x3ffff;

template <typename Body>
Body read_body(const std::uint32_t* words) {
  Body body;
  std::memcpy(&body, words, sizeof body);
  return body;
}

}  // namespace

// ---- Registers ----

/// Counters and traces that nobody fills would be a silent lie.
inline ComputeQueue::Result ComputeQueue::check_enables() {
  if ((registers_.perfcount_enable | registers_.pipelinestat_enable | registers_.thread_trace_enable) == 0) {
    return Result::done;
  }
  const Register enabled = registers_.perfcount_enable      ? Register::COMPUTE_PERFCOUNT_ENABLE
                           : registers_.pipelinestat_enable ? Register::COMPUTE_PIPELINESTAT_ENABLE
                                                            : Register::COMPUTE_THREAD_TRACE_ENABLE;
  return bad(Tag::unsupported, fmt::format("{} is set: counters and traces are not supported",
                                           isa::amd::register_name(enabled)));
}

ComputeQueue::Result ComputeQueue::write_register(std::uint32_t address, std::uint32_t value) {
  if (ComputeState::contains(address)) {
    registers_.write(address, value);
    return check_enables();
  }
  if (address == kHdpRequest) {
    hdp_flush_ = value;
    return Result::done;
  }
  if (address == kGraphicsIndex && value == kAllBroadcast) return Result::done;
  return bad(Tag::unsupported, fmt::format("a write of {:#x} to register {} ({:#x}) is not supported", value,
                                           isa::amd::register_name_at(address, kFile), address));
}

bool ComputeQueue::read_register(std::uint32_t address, std::uint32_t& value) {
  if (ComputeState::contains(address)) {
    value = registers_.read(address);
  } else if (address == kHdpRequest || address == kHdpDone) {
    value = hdp_flush_;  // a flush is complete when it was asked for: memory is coherent
  } else {
    bad(Tag::unsupported, fmt::format("a read of register {} ({:#x}) is not supported",
                                      isa::amd::register_name_at(address, kFile), address));
    return false;
  }
  return true;
}

ComputeQueue::Result ComputeQueue::set_sh_reg(const std::uint32_t* body, std::uint32_t words) {
  const std::uint32_t first = isa::amd::kShRegBase + pm4::SetReg{body[0]}.offset();
  const std::uint32_t count = words - 1;
  if (first + count > isa::amd::kShRegEnd) {
    return bad(Tag::bad_packet,
               fmt::format("SET_SH_REG writes {} registers at {:#x}, past the end of the space {:#x}", count,
                           first, isa::amd::kShRegEnd));
  }
  if (ComputeState::contains(first) && ComputeState::contains(first + count - 1)) {
    std::memcpy(reinterpret_cast<std::byte*>(&registers_) + (first - ComputeState::kFirst) * 4, body + 1,
                count * 4ull);
    return check_enables();
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const Result result = write_register(first + i, body[1 + i]);
    if (result != Result::done) return result;
  }
  return Result::done;
}

ComputeQueue::Result ComputeQueue::set_uconfig_reg(const std::uint32_t* body, std::uint32_t words) {
  const std::uint32_t first = isa::amd::kUconfigRegBase + pm4::SetReg{body[0]}.offset();
  for (std::uint32_t i = 0; i + 1 < words; ++i) {
    const Result result = write_register(first + i, body[1 + i]);
    if (result != Result::done) return result;
  }
  return Result::done;
}

// ---- Dispatch ----

ComputeQueue::Result ComputeQueue::dispatch_direct(const std::uint32_t* body, std::uint32_t) {
  if (!can_start()) return Result::wait_waves;
  Result result = Result::done;
  start(body, body[3], result);
  return result;
}

ComputeQueue::Result ComputeQueue::dispatch_indirect(const std::uint32_t* body, std::uint32_t) {
  if (!can_start()) return Result::wait_waves;
  const auto packet = read_body<pm4::DispatchIndirect>(body);
  std::uint32_t dims[3];
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t* word = view_.word32(packet.address() + axis * 4, kRead);
    if (!word) {
      fail_access("DISPATCH_INDIRECT", packet.address() + axis * 4, 4, false);
      return Result::failed;
    }
    dims[axis] = load_word(word);
  }
  Result result = Result::done;
  start(dims, packet.initiator, result);
  return result;
}

// ---- Order and caches ----

ComputeQueue::Result ComputeQueue::acquire_mem(const std::uint32_t* body, std::uint32_t) {
  const auto packet = read_body<pm4::AcquireMem>(body);
  // Memory is coherent; only decoded instructions can be stale.
  if (pm4::gcr::kGliInv.get(packet.gcr_cntl) != 0) engine_.invalidate_code();
  return Result::done;
}

ComputeQueue::Result ComputeQueue::event_write(const std::uint32_t* body, std::uint32_t words) {
  const std::uint32_t index = pm4::EventWrite::kIndex.get(body[0]);
  const std::uint32_t type = pm4::EventWrite::kType.get(body[0]);
  if (index == 2 || words != 1) {
    return bad(Tag::unsupported,
               fmt::format("EVENT_WRITE {:#x}: pipeline statistics are not supported", body[0]));
  }
  switch (type) {
    case 0x07: return in_flight_.empty() ? Result::done : Result::wait_waves;  // CS_PARTIAL_FLUSH
    case 0x04:
    case 0x06:
    case 0x14:
    case 0x16:  // cache flushes
    case 0x28:
    case 0x2f: return Result::done;  // BOTTOM_OF_PIPE_TS, CS_DONE without a destination
    default:
      return bad(Tag::unsupported, fmt::format("EVENT_WRITE of event type {:#x} is not supported", type));
  }
}

ComputeQueue::Result ComputeQueue::release_mem(const std::uint32_t* body, std::uint32_t) {
  const auto packet = read_body<pm4::ReleaseMem>(body);
  switch (packet.event_type()) {
    case pm4::Event::cache_flush_and_inv_ts:
    case pm4::Event::bottom_of_pipe_ts:
    case pm4::Event::cs_done: break;
    default:
      return bad(Tag::unsupported, fmt::format("RELEASE_MEM of event type {:#x} is not supported",
                                               static_cast<unsigned>(packet.event_type())));
  }
  if (packet.dst_sel() > 1) {
    return bad(Tag::unsupported,
               fmt::format("RELEASE_MEM to destination {} is not supported", packet.dst_sel()));
  }
  if (packet.int_sel() > pm4::ReleaseInterrupt::unconditional) {
    return bad(Tag::unsupported, fmt::format("RELEASE_MEM with conditional interrupt {} is not supported",
                                             static_cast<unsigned>(packet.int_sel())));
  }
  // End of pipe: all waves started before have ended.
  if (!in_flight_.empty()) return Result::wait_waves;
  switch (packet.data_sel()) {
    case pm4::ReleaseData::none: break;
    case pm4::ReleaseData::low32: {
      std::uint32_t* word = view_.word32(packet.address(), kWrite);
      if (!word) {
        fail_access("RELEASE_MEM", packet.address(), 4, true);
        return Result::failed;
      }
      store_word(word, packet.data_lo);
      break;
    }
    case pm4::ReleaseData::value64:
    case pm4::ReleaseData::gpu_clock: {
      std::uint64_t* word = view_.word64(packet.address(), kWrite);
      if (!word) {
        fail_access("RELEASE_MEM", packet.address(), 8, true);
        return Result::failed;
      }
      store_word(word, packet.data_sel() == pm4::ReleaseData::value64 ? packet.data() : scheduler_.clock());
      break;
    }
    default:
      return bad(Tag::unsupported, fmt::format("RELEASE_MEM with data selection {} is not supported",
                                               static_cast<unsigned>(packet.data_sel())));
  }
  switch (packet.int_sel()) {
    case pm4::ReleaseInterrupt::interrupt_only:
    case pm4::ReleaseInterrupt::after_write:
    case pm4::ReleaseInterrupt::unconditional: host_.interrupt(packet.int_ctxid); break;
    default: break;
  }
  return Result::done;
}

// ---- Waits ----

ComputeQueue::Result ComputeQueue::wait_reg_mem(const std::uint32_t* body, std::uint32_t) {
  const auto packet = read_body<pm4::WaitRegMem>(body);
  if (static_cast<unsigned>(packet.function()) > 6)
    return bad(Tag::bad_packet, "WAIT_REG_MEM with function 7");
  std::uint32_t value = 0;
  if (packet.operation() == pm4::WaitOperation::write_wait) {
    const std::uint32_t request = packet.address_lo & kRegisterAddressMask;
    const Result written = write_register(request, packet.reference);
    if (written != Result::done) return written;
    if (!read_register(packet.address_hi & kRegisterAddressMask, value)) return Result::failed;
  } else if (packet.operation() != pm4::WaitOperation::wait &&
             packet.operation() != pm4::WaitOperation::wait_preemptable) {
    return bad(Tag::bad_packet, "WAIT_REG_MEM with operation 2");
  } else if (!packet.memory()) {
    if (!read_register(packet.address_lo & kRegisterAddressMask, value)) return Result::failed;
  } else {
    const std::uint32_t* word = view_.word32(packet.address(), kRead);
    if (!word) {
      fail_access("WAIT_REG_MEM", packet.address(), 4, false);
      return Result::failed;
    }
    value = load_word(word);
  }
  return pm4::holds(packet.function(), value & packet.mask, packet.reference) ? Result::done
                                                                              : Result::wait_memory;
}

ComputeQueue::Result ComputeQueue::wait_reg_mem64(const std::uint32_t* body, std::uint32_t) {
  const auto packet = read_body<pm4::WaitRegMem64>(body);
  if (static_cast<unsigned>(packet.function()) > 6)
    return bad(Tag::bad_packet, "WAIT_REG_MEM64 with function 7");
  if (!packet.memory() || packet.operation() == pm4::WaitOperation::write_wait) {
    return bad(Tag::unsupported, "WAIT_REG_MEM64 of a register is not supported");
  }
  const std::uint64_t* word = view_.word64(packet.address(), kRead);
  if (!word) {
    fail_access("WAIT_REG_MEM64", packet.address(), 8, false);
    return Result::failed;
  }
  return pm4::holds(packet.function(), load_word(word) & packet.mask(), packet.reference())
             ? Result::done
             : Result::wait_memory;
}

// ---- Data ----

ComputeQueue::Result ComputeQueue::write_data(const std::uint32_t* body, std::uint32_t words) {
  const auto packet = read_body<pm4::WriteData>(body);
  const std::uint32_t* data = body + 3;
  const std::uint32_t count = words - 3;
  const bool fixed = pm4::WriteData::kOneAddress.get(packet.control) != 0;
  switch (packet.destination()) {
    case pm4::WriteDestination::reg:
      for (std::uint32_t i = 0; i < count; ++i) {
        const Result result =
            write_register((packet.address_lo & kRegisterAddressMask) + (fixed ? 0 : i), data[i]);
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
      return bad(Tag::unsupported, fmt::format("WRITE_DATA to destination {} is not supported",
                                               static_cast<unsigned>(packet.destination())));
  }
}

ComputeQueue::Result ComputeQueue::copy_data(const std::uint32_t* body, std::uint32_t) {
  const auto packet = read_body<pm4::CopyData>(body);
  const bool wide = pm4::CopyData::kCount64.get(packet.control) != 0;
  std::uint64_t value = 0;
  switch (packet.source_sel()) {
    case pm4::CopySource::reg:
      for (std::uint32_t i = 0; i < (wide ? 2u : 1u); ++i) {
        std::uint32_t word = 0;
        if (!read_register((packet.source_lo & kRegisterAddressMask) + i, word)) return Result::failed;
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
      return bad(Tag::unsupported, fmt::format("COPY_DATA from source {} is not supported",
                                               static_cast<unsigned>(packet.source_sel())));
  }
  switch (packet.destination_sel()) {
    case pm4::CopyDestination::reg:
      for (std::uint32_t i = 0; i < (wide ? 2u : 1u); ++i) {
        const Result result = write_register((packet.destination_lo & kRegisterAddressMask) + i,
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
      return bad(Tag::unsupported, fmt::format("COPY_DATA to destination {} is not supported",
                                               static_cast<unsigned>(packet.destination_sel())));
  }
}

ComputeQueue::Result ComputeQueue::atomic_mem(const std::uint32_t* body, std::uint32_t) {
  const auto packet = read_body<pm4::AtomicMem>(body);
  if (!knows_atomic(packet.op())) {
    return bad(Tag::unsupported, fmt::format("ATOMIC_MEM operation {:#x} is not supported", packet.op()));
  }
  const bool wide = is_atomic64(packet.op());
  void* word = wide ? static_cast<void*>(view_.word64(packet.address(), kRead | kWrite))
                    : static_cast<void*>(view_.word32(packet.address(), kRead | kWrite));
  if (!word) {
    fail_access("ATOMIC_MEM", packet.address(), wide ? 8 : 4, true);
    return Result::failed;
  }
  const std::uint64_t old = apply_atomic(packet.op(), word, packet.source(), packet.compare());
  const bool loops = packet.command() == 1 && is_compare_swap(packet.op());
  const std::uint64_t wanted = wide ? packet.compare() : packet.compare_lo;
  if (loops && old != wanted) return Result::wait_memory;
  atomic_return_ = old;
  return Result::done;
}

ComputeQueue::Result ComputeQueue::dma_data(const std::uint32_t* body, std::uint32_t) {
  using P = pm4::DmaData;
  const auto packet = read_body<P>(body);
  const std::uint32_t source_sel = P::kSrcSel.get(packet.control),
                      destination_sel = P::kDstSel.get(packet.control);
  const std::uint32_t odd = P::kSourceIsRegister.mask() | P::kDestinationIsRegister.mask() |
                            P::kSourceFixed.mask() | P::kDestinationFixed.mask();
  if (source_sel == 1 || destination_sel == 1 || (packet.command & odd)) {
    return bad(Tag::unsupported, "DMA_DATA with registers, GDS or fixed addresses is not supported");
  }
  const std::uint64_t bytes = packet.byte_count();
  if (destination_sel == 2) return Result::done;  // only warms the cache
  if (source_sel == 2) {
    if (packet.destination() % 4 || bytes % 4) {
      return bad(Tag::bad_packet, fmt::format("DMA_DATA fills {} bytes at {:#x}: both must be multiples of 4",
                                              bytes, packet.destination()));
    }
    for (std::uint64_t done = 0; done < bytes;) {
      const std::uint64_t part = view_.span(packet.destination() + done, bytes - done, kWrite);
      if (part == 0) {
        fail_access("DMA_DATA", packet.destination() + done, bytes - done, true);
        return Result::failed;
      }
      raw_fill(view_.at(packet.destination() + done, part, kWrite), packet.source_lo, 4, part / 4);
      done += part;
    }
    return Result::done;
  }
  return copy_bytes(packet.destination(), packet.source(), bytes, "DMA_DATA") ? Result::done : Result::failed;
}

// ---- Control flow ----

ComputeQueue::Result ComputeQueue::indirect_buffer(const std::uint32_t* body, std::uint32_t words) {
  const auto packet = read_body<pm4::IndirectBuffer>(body);
  if (packet.chain() && !buffer_.active) {
    return bad(Tag::bad_packet, "INDIRECT_BUFFER with CHAIN outside an indirect buffer");
  }
  if (!packet.chain() && buffer_.active) {
    return bad(Tag::unsupported, "INDIRECT_BUFFER inside an indirect buffer is not supported");
  }
  if (!packet.chain()) skip(words + 1);  // where the ring goes on afterwards
  buffer_.active = packet.size_words() != 0;
  buffer_.address = packet.base();
  buffer_.words = packet.size_words();
  buffer_.position = 0;
  buffer_.host =
      reinterpret_cast<const std::uint32_t*>(view_.at(buffer_.address, buffer_.words * 4ull, kRead));
  return Result::jumped;
}

ComputeQueue::Result ComputeQueue::cond_exec(const std::uint32_t* body, std::uint32_t words) {
  const auto packet = read_body<pm4::CondExec>(body);
  const std::uint32_t* word = view_.word32(packet.address(), kRead);
  if (!word) {
    fail_access("COND_EXEC", packet.address(), 4, false);
    return Result::failed;
  }
  if (load_word(word) != 0) return Result::done;
  skip(words + 1 + packet.exec_count());
  return Result::jumped;
}

ComputeQueue::Result ComputeQueue::pred_exec(const std::uint32_t* body, std::uint32_t words) {
  const pm4::PredExec packet{body[0]};
  if (!buffer_.active) return bad(Tag::bad_packet, "PRED_EXEC outside an indirect buffer");
  if (packet.xcc_mask() & 1) return Result::done;  // this device has one XCC
  skip(words + 1 + packet.exec_count());
  return Result::jumped;
}

// ---- Table ----

constinit const std::array<PacketTable::Row, 256> PacketTable::rows = [] {
  using O = pm4::Opcode;
  using Q = ComputeQueue;
  std::array<Row, 256> rows{};
  const auto set = [&](O opcode, Q::Handler handler, std::size_t least_words) {
    rows[static_cast<std::size_t>(opcode)] = {handler, static_cast<std::uint16_t>(least_words)};
  };
  set(O::nop, &Q::nop, 0);
  set(O::set_sh_reg, &Q::set_sh_reg, 2);
  set(O::set_sh_reg_index, &Q::set_sh_reg, 2);
  set(O::set_uconfig_reg, &Q::set_uconfig_reg, 2);
  set(O::set_uconfig_reg_index, &Q::set_uconfig_reg, 2);
  set(O::dispatch_direct, &Q::dispatch_direct, sizeof(pm4::DispatchDirect) / 4);
  set(O::dispatch_indirect, &Q::dispatch_indirect, sizeof(pm4::DispatchIndirect) / 4);
  set(O::acquire_mem, &Q::acquire_mem, sizeof(pm4::AcquireMem) / 4);
  set(O::release_mem, &Q::release_mem, sizeof(pm4::ReleaseMem) / 4);
  set(O::event_write, &Q::event_write, sizeof(pm4::EventWrite) / 4);
  set(O::wait_reg_mem, &Q::wait_reg_mem, sizeof(pm4::WaitRegMem) / 4);
  set(O::wait_reg_mem64, &Q::wait_reg_mem64, sizeof(pm4::WaitRegMem64) / 4);
  set(O::write_data, &Q::write_data, sizeof(pm4::WriteData) / 4 + 1);
  set(O::copy_data, &Q::copy_data, sizeof(pm4::CopyData) / 4);
  set(O::atomic_mem, &Q::atomic_mem, sizeof(pm4::AtomicMem) / 4);
  set(O::dma_data, &Q::dma_data, sizeof(pm4::DmaData) / 4);
  set(O::indirect_buffer, &Q::indirect_buffer, sizeof(pm4::IndirectBuffer) / 4);
  set(O::cond_exec, &Q::cond_exec, sizeof(pm4::CondExec) / 4);
  set(O::pred_exec, &Q::pred_exec, sizeof(pm4::PredExec) / 4);
  return rows;
}();

bool PacketTable::is_privileged(std::uint8_t opcode) {
  using O = pm4::Opcode;
  switch (static_cast<O>(opcode)) {
    case O::set_base:
    case O::clear_state:
    case O::context_control:
    case O::pfp_sync_me:
    case O::set_config_reg:
    case O::set_context_reg:
    case O::load_config_reg:
    case O::load_context_reg:
    case O::invalidate_tlbs:
    case O::aql_packet:
    case O::set_resources:
    case O::map_process:
    case O::map_queues:
    case O::unmap_queues:
    case O::query_status:
    case O::run_list:
    case O::map_process_vm: return true;
    default: return false;
  }
}

}  // namespace mockgpu::emu::amd
