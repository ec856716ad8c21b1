#include "runtime/amd/compute_commands.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace mockgpu::runtime::amd {
namespace {

using namespace isa::amd;
using pm4::Opcode;

constexpr ComputeFamily kGfx11 = {
    .registers = RegisterFile::gfx11,
    // Privileged waves are not interrupted by context switches, whose handler a bare runtime does not
    // install.
    .rsrc1_set = rsrc1::kPriv.mask(),
    .acquire_all = pm4::gcr::kFull,
    .acquire_launch = pm4::gcr::kBeforeDispatch,
    .release_flush = pm4::ReleaseMem::kFlushAll,
};

constexpr std::uint32_t kEverything = 0xffffffff;  // size of a cache range, or a compare mask
constexpr std::uint32_t kPollInterval = 4;
constexpr std::uint32_t kEndOfPipe = 5;  // event index
constexpr std::uint32_t kPartialFlushIndex = 4;

// Appends a packet whose body is a struct.
template <typename Body>
void put(Words& words, Opcode opcode, const Body& body) {
  constexpr std::size_t kBodyWords = sizeof(Body) / 4;
  std::uint32_t* at = words.append(kBodyWords + 1);
  at[0] = pm4::make_header(opcode, kBodyWords);
  std::memcpy(at + 1, &body, sizeof body);
}

constexpr std::uint32_t wait_control(pm4::Compare function, bool memory, pm4::WaitOperation operation) {
  return pm4::WaitRegMem::kFunction.set(static_cast<std::uint32_t>(function)) |
         pm4::WaitRegMem::kSpace.set(memory ? 1 : 0) |
         pm4::WaitRegMem::kOperation.set(static_cast<std::uint32_t>(operation));
}

void put_memory_wait(Words& words, std::uint64_t address, pm4::Compare function, std::uint32_t value,
                     std::uint32_t mask) {
  put(words, Opcode::wait_reg_mem,
      pm4::WaitRegMem{wait_control(function, true, pm4::WaitOperation::wait), low_word(address),
                      high_word(address), value, mask, kPollInterval});
}

}  // namespace

const ComputeFamily* find_compute_family(std::uint32_t target_major) {
  return target_major == 11 ? &kGfx11 : nullptr;
}

void ComputeCommands::acquire(std::uint32_t gcr) {
  put(words_, Opcode::acquire_mem, pm4::AcquireMem{0, kEverything, kEverything, 0, 0, 0, gcr});
}

void ComputeCommands::release(std::uint32_t cache_bits, pm4::ReleaseData data,
                              pm4::ReleaseInterrupt interrupt, std::uint64_t address, std::uint64_t value,
                              std::uint32_t context) {
  using R = pm4::ReleaseMem;
  put(words_, Opcode::release_mem,
      R{R::kEventType.set(static_cast<std::uint32_t>(pm4::Event::cache_flush_and_inv_ts)) |
            R::kEventIndex.set(kEndOfPipe) | cache_bits,
        R::kDataSel.set(static_cast<std::uint32_t>(data)) |
            R::kIntSel.set(static_cast<std::uint32_t>(interrupt)),
        low_word(address), high_word(address), low_word(value), high_word(value), context});
}

void ComputeCommands::set_registers(Register first, std::span<const std::uint32_t> values) {
  std::uint32_t* at = words_.append(values.size() + 2);
  at[0] = pm4::make_header(Opcode::set_sh_reg, static_cast<std::uint32_t>(values.size() + 1));
  at[1] = sh_offset(first, family_->registers);
  std::copy(values.begin(), values.end(), at + 2);
}

void ComputeCommands::wait(const Signal& signal, std::uint32_t value) {
  put_memory_wait(words_, signal.address, pm4::Compare::greater_equal, value, kEverything);
}

void ComputeCommands::poll(std::uint64_t address, std::uint32_t value, std::uint32_t mask) {
  put_memory_wait(words_, address, pm4::Compare::equal, value, mask);
}

void ComputeCommands::memory_barrier() {
  put(words_, Opcode::wait_reg_mem,
      pm4::WaitRegMem{wait_control(pm4::Compare::greater_equal, false, pm4::WaitOperation::write_wait),
                      register_address(Register::HDP_FLUSH_REQ, family_->registers),
                      register_address(Register::HDP_FLUSH_DONE, family_->registers), kEverything,
                      kEverything, kPollInterval});
  acquire(family_->acquire_all);
}

void ComputeCommands::exec(const Dispatch& d) {
  using R = Register;
  acquire(family_->acquire_launch);
  const std::uint64_t entry = d.entry >> 8, scratch = d.scratch >> 8;
  set_registers(R::COMPUTE_PGM_LO, {{low_word(entry), high_word(entry)}});
  set_registers(R::COMPUTE_PGM_RSRC1, {{d.rsrc1 | family_->rsrc1_set, d.rsrc2}});
  set_registers(R::COMPUTE_PGM_RSRC3, {{d.rsrc3}});
  set_registers(R::COMPUTE_TMPRING_SIZE, {{d.tmpring}});
  set_registers(R::COMPUTE_DISPATCH_SCRATCH_BASE_LO, {{low_word(scratch), high_word(scratch)}});
  set_registers(R::COMPUTE_RESTART_X, {{0, 0, 0}});
  if (d.user_count != 0) set_registers(R::COMPUTE_USER_DATA_0, {d.user_data, d.user_count});
  set_registers(R::COMPUTE_RESOURCE_LIMITS, {{0}});

  std::uint32_t start[8] = {};
  std::uint32_t start_bits = initiator::kComputeShaderEn.mask() | initiator::kForceStartAt000.mask();
  if (d.wave32) start_bits |= initiator::kCsW32En.mask();
  bool partial = false;
  for (int axis = 0; axis < 3; ++axis) partial |= d.partial[axis] != d.group[axis];
  for (int axis = 0; axis < 3; ++axis) {
    start[3 + axis] = num_thread::kFull.set(d.group[axis]);
    if (partial) start[3 + axis] |= num_thread::kPartial.set(d.partial[axis]);
  }
  if (partial) start_bits |= initiator::kPartialTgEn.mask();
  set_registers(R::COMPUTE_START_X, start);
  put(words_, Opcode::dispatch_direct,
      pm4::DispatchDirect{d.groups[0], d.groups[1], d.groups[2], start_bits});
  put(words_, Opcode::event_write,
      pm4::EventWrite{pm4::EventWrite::kType.set(static_cast<std::uint32_t>(pm4::Event::cs_partial_flush)) |
                      pm4::EventWrite::kIndex.set(kPartialFlushIndex)});
}

void ComputeCommands::timestamp(const Signal& signal) {
  release(0, pm4::ReleaseData::none, pm4::ReleaseInterrupt::after_write, 0, 0, 0);
  release(0, pm4::ReleaseData::gpu_clock, pm4::ReleaseInterrupt::none, signal.address + kSignalTimestamp, 0,
          0);
  acquire(family_->acquire_all);
}

void ComputeCommands::signal(const Signal& signal, std::uint32_t value) {
  release(family_->release_flush, pm4::ReleaseData::low32, pm4::ReleaseInterrupt::none, signal.address, value,
          0);
}

void ComputeCommands::interrupt(const QueueEvent& event) {
  release(0, pm4::ReleaseData::low32, pm4::ReleaseInterrupt::after_write, event.mailbox, event.id, event.id);
}

void ComputeCommands::write32(std::uint64_t address, std::uint32_t value) {
  release(0, pm4::ReleaseData::low32, pm4::ReleaseInterrupt::none, address, value, 0);
}

void ComputeCommands::write64(std::uint64_t address, std::uint64_t value) {
  release(0, pm4::ReleaseData::value64, pm4::ReleaseInterrupt::none, address, value, 0);
}

}  // namespace mockgpu::runtime::amd
