#include "emu/amd/compute_packets.h"

#include <fmt/format.h>

#include <cstring>

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
/// Jumps from one chained indirect buffer to the next: hardware would follow a cycle for ever.
constexpr std::uint32_t kMostChained = 1u << 20;

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
  return bad(Tag::unsupported, "{} is set: counters and traces are not supported",
             isa::amd::register_name(enabled));
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
  return bad(Tag::unsupported, "a write of {:#x} to register {} ({:#x}) is not supported", value,
             isa::amd::register_name_at(address, kFile), address);
}

bool ComputeQueue::read_register(std::uint32_t address, std::uint32_t& value) {
  if (ComputeState::contains(address)) {
    value = registers_.read(address);
  } else if (address == kHdpRequest || address == kHdpDone) {
    value = hdp_flush_;  // a flush is complete when it was asked for: memory is coherent
  } else {
    bad(Tag::unsupported, "a read of register {} ({:#x}) is not supported",
        isa::amd::register_name_at(address, kFile), address);
    return false;
  }
  return true;
}

ComputeQueue::Result ComputeQueue::set_sh_reg(const std::uint32_t* body, std::uint32_t words) {
  const std::uint32_t first = isa::amd::kShRegBase + body[0];
  const std::uint32_t count = words - 1;
  if (!ComputeState::contains(first) || !ComputeState::contains(first + count - 1)) [[unlikely]]
    return set_other_sh_reg(body, words);
  for (std::uint32_t i = 0; i < count; ++i) registers_.write(first + i, body[1 + i]);
  return check_enables();
}

ComputeQueue::Result ComputeQueue::set_other_sh_reg(const std::uint32_t* body, std::uint32_t words) {
  // The bits above the offset must be 0, and are then no part of it.
  const std::uint32_t first = isa::amd::kShRegBase + body[0];
  const std::uint32_t count = words - 1;
  if (body[0] >> 16) {
    return bad(Tag::unsupported, "SET_SH_REG with index {} or a VMID is not supported",
               pm4::SetReg{body[0]}.index());
  }
  if (first + count > isa::amd::kShRegEnd) {
    return bad(Tag::bad_packet, "SET_SH_REG writes {} registers at {:#x}, past the end of the space {:#x}",
               count, first, isa::amd::kShRegEnd);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const Result result = write_register(first + i, body[1 + i]);
    if (result != Result::done) return result;
  }
  return Result::done;
}

ComputeQueue::Result ComputeQueue::set_sh_reg_index(const std::uint32_t* body, std::uint32_t words) {
  const pm4::SetReg target{body[0]};
  // 3: AND with the CU mask of the queue. All CUs are alike here, so the mask changes nothing that can be
  // seen.
  if ((target.index() != 0 && target.index() != 3) || pm4::SetReg::kVmidShift.get(body[0]) != 0) {
    return bad(Tag::unsupported, "SET_SH_REG_INDEX with index {} is not supported", target.index());
  }
  const std::uint32_t first = isa::amd::kShRegBase + target.offset();
  if (first + words - 1 > isa::amd::kShRegEnd) {
    return bad(Tag::bad_packet,
               "SET_SH_REG_INDEX writes {} registers at {:#x}, past the end of "
               "the space {:#x}",
               words - 1, first, isa::amd::kShRegEnd);
  }
  for (std::uint32_t i = 0; i + 1 < words; ++i) {
    const Result result = write_register(first + i, body[1 + i]);
    if (result != Result::done) return result;
  }
  return Result::done;
}

ComputeQueue::Result ComputeQueue::set_uconfig_reg(const std::uint32_t* body, std::uint32_t words) {
  const std::uint32_t first = isa::amd::kUconfigRegBase + pm4::SetReg{body[0]}.offset();
  if (body[0] >> 16) {
    return bad(Tag::unsupported, "{} with index {} is not supported", pm4::opcode_name(opcode_),
               pm4::SetReg{body[0]}.index());
  }
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
  if (packet.pws != 0 || (packet.poll_interval >> 31) != 0) {
    return bad(Tag::unsupported, "ACQUIRE_MEM with pixel-wait-sync is for graphics");
  }
  // Memory is coherent; only decoded instructions can be stale.
  if (pm4::gcr::kGliInv.get(packet.gcr_cntl) != 0) engine_.invalidate_code();
  return Result::done;
}

ComputeQueue::Result ComputeQueue::event_write(const std::uint32_t* body, std::uint32_t words) {
  const std::uint32_t index = pm4::EventWrite::kIndex.get(body[0]);
  const std::uint32_t type = pm4::EventWrite::kType.get(body[0]);
  if (index == 2 || words != 1) {
    return bad(Tag::unsupported, "EVENT_WRITE {:#x}: pipeline statistics are not supported", body[0]);
  }
  switch (type) {
    case 0x07: return in_flight_.empty() ? Result::done : Result::wait_waves;  // CS_PARTIAL_FLUSH
    case 0x04:
    case 0x06:
    case 0x14:
    case 0x16:  // cache flushes
    case 0x28:
    case 0x2f: return Result::done;  // BOTTOM_OF_PIPE_TS, CS_DONE without a destination
    default: return bad(Tag::unsupported, "EVENT_WRITE of event type {:#x} is not supported", type);
  }
}

ComputeQueue::Result ComputeQueue::release_mem(const std::uint32_t* body, std::uint32_t) {
  const auto packet = read_body<pm4::ReleaseMem>(body);
  switch (packet.event_type()) {
    case pm4::Event::cache_flush_and_inv_ts:
    case pm4::Event::bottom_of_pipe_ts:
    case pm4::Event::cs_done: break;
    default:
      return bad(Tag::unsupported, "RELEASE_MEM of event type {:#x} is not supported",
                 static_cast<unsigned>(packet.event_type()));
  }
  if (packet.event_index() != 5 && packet.event_index() != 6) {  // end of pipe, shader done
    return bad(Tag::bad_packet, "RELEASE_MEM with event index {}", packet.event_index());
  }
  if (packet.dst_sel() > 1) {
    return bad(Tag::unsupported, "RELEASE_MEM to {} is not supported",
               pm4::release_destination_name(packet.dst_sel()));
  }
  if (packet.int_sel() > pm4::ReleaseInterrupt::unconditional) {
    // What is compared with what, and how, is not published.
    return bad(Tag::unsupported, "RELEASE_MEM with interrupt selection {} is not supported",
               pm4::release_interrupt_name(packet.int_sel()));
  }
  if (packet.data_sel() > pm4::ReleaseData::gpu_clock) {
    return bad(Tag::unsupported, "RELEASE_MEM with data selection {} is not supported",
               pm4::release_data_name(packet.data_sel()));
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
    default: break;
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

ComputeQueue::Result ComputeQueue::bad_wait(std::string_view name, std::uint32_t control) {
  return bad(Tag::bad_packet, "{} with function {}, space {}, operation {}: one of them is reserved", name,
             pm4::WaitRegMem::kFunction.get(control), pm4::WaitRegMem::kSpace.get(control),
             pm4::WaitRegMem::kOperation.get(control));
}

ComputeQueue::Result ComputeQueue::wait_reg_mem(const std::uint32_t* body, std::uint32_t) {
  const auto packet = read_body<pm4::WaitRegMem>(body);
  if (!pm4::is_wait(packet.control)) return bad_wait("WAIT_REG_MEM", packet.control);
  std::uint32_t value = 0;
  if (packet.operation() == pm4::WaitOperation::write_wait) {
    const std::uint32_t request = packet.address_lo & kRegisterAddressMask;
    const Result written = write_register(request, packet.reference);
    if (written != Result::done) return written;
    if (!read_register(packet.address_hi & kRegisterAddressMask, value)) return Result::failed;
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
  if (!pm4::is_wait(packet.control)) return bad_wait("WAIT_REG_MEM64", packet.control);
  if (packet.operation() == pm4::WaitOperation::write_wait) {
    return bad(Tag::unsupported, "WAIT_REG_MEM64 that writes a register first is not supported");
  }
  std::uint64_t value = 0;
  if (!packet.memory()) {
    std::uint32_t low = 0, high = 0;
    const std::uint32_t address = packet.address_lo & kRegisterAddressMask;
    if (!read_register(address, low) || !read_register(address + 1, high)) return Result::failed;
    value = isa::amd::join(low, high);
  } else {
    const std::uint64_t* word = view_.word64(packet.address(), kRead);
    if (!word) {
      fail_access("WAIT_REG_MEM64", packet.address(), 8, false);
      return Result::failed;
    }
    value = load_word(word);
  }
  return pm4::holds(packet.function(), value & packet.mask(), packet.reference()) ? Result::done
                                                                                  : Result::wait_memory;
}

// ---- Control flow ----

ComputeQueue::Result ComputeQueue::indirect_buffer(const std::uint32_t* body, std::uint32_t words) {
  using P = pm4::IndirectBuffer;
  const auto packet = read_body<P>(body);
  if (packet.chain() && !buffer_.active) {
    return bad(Tag::bad_packet, "INDIRECT_BUFFER with CHAIN outside an indirect buffer");
  }
  if (!packet.chain() && buffer_.active) {
    return bad(Tag::bad_packet, "{}",
               packet.base() == buffer_.address ? "an indirect buffer that contains itself"
                                                : "INDIRECT_BUFFER without CHAIN inside an indirect buffer");
  }
  if ((packet.base_lo & 3) || P::kVmid.get(packet.control) || P::kPriv.get(packet.control)) {
    return bad(Tag::bad_packet, "INDIRECT_BUFFER with a misaligned address, a VMID or privileges");
  }
  if (packet.chain()) {
    if (buffer_.position + words + 1 != buffer_.words) {
      return bad(Tag::bad_packet, "INDIRECT_BUFFER with CHAIN is not the last packet of its buffer");
    }
    if (++chained_ > kMostChained) {
      return bad(Tag::hang, "indirect buffers chained in a circle: {} jumps without an end", kMostChained);
    }
  } else {
    chained_ = 0;
    skip(words + 1);  // where the ring goes on afterwards
  }
  buffer_.active = packet.size_words() != 0;
  buffer_.address = packet.base();
  buffer_.words = packet.size_words();
  buffer_.position = 0;
  find_buffer();
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
  set(O::set_sh_reg_index, &Q::set_sh_reg_index, 2);
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
