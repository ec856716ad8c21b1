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

// The registers of a dispatch are at the same place in all generations, but for RSRC3.
constexpr std::uint32_t common_offset(Register reg) { return sh_offset(reg, RegisterFile::gfx11); }
static_assert(common_offset(Register::COMPUTE_START_X) ==
                  sh_offset(Register::COMPUTE_START_X, RegisterFile::gfx9) &&
              common_offset(Register::COMPUTE_USER_DATA_0) ==
                  sh_offset(Register::COMPUTE_USER_DATA_0, RegisterFile::gfx12));

// Writes packets into words that are already there.
struct Writer {
  std::uint32_t* at;

  void set_header(std::uint32_t offset, std::uint32_t count) {
    *at++ = pm4::make_header(Opcode::set_sh_reg, count + 1);
    *at++ = offset;
  }
  // SET_SH_REG of consecutive registers.
  template <typename... Values>
  void set(std::uint32_t offset, Values... values) {
    set_header(offset, sizeof...(values));
    ((*at++ = values), ...);
  }
  template <typename Body>
  void packet(Opcode opcode, const Body& body) {
    *at++ = pm4::make_header(opcode, sizeof body / 4);
    std::memcpy(at, &body, sizeof body);
    at += sizeof body / 4;
  }
};

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
  constexpr std::size_t kFixedWords = 43;  // of the packets below, without user data and its header
  acquire(family_->acquire_launch);
  const std::size_t user_words = d.user_count == 0 ? 0 : d.user_count + 2;
  Writer w{words_.append(kFixedWords + user_words)};
  [[maybe_unused]] const std::uint32_t* const end = w.at + kFixedWords + user_words;
  const std::uint64_t entry = d.entry >> 8, scratch = d.scratch >> 8;
  w.set(common_offset(R::COMPUTE_PGM_LO), low_word(entry), high_word(entry));
  w.set(common_offset(R::COMPUTE_PGM_RSRC1), d.rsrc1 | family_->rsrc1_set, d.rsrc2);
  w.set(sh_offset(R::COMPUTE_PGM_RSRC3, family_->registers), d.rsrc3);
  w.set(common_offset(R::COMPUTE_TMPRING_SIZE), d.tmpring);
  w.set(common_offset(R::COMPUTE_DISPATCH_SCRATCH_BASE_LO), low_word(scratch), high_word(scratch));
  w.set(common_offset(R::COMPUTE_RESTART_X), 0u, 0u, 0u);
  if (d.user_count != 0) {
    w.set_header(common_offset(R::COMPUTE_USER_DATA_0), d.user_count);
    for (unsigned i = 0; i < d.user_count; ++i) *w.at++ = d.user_data[i];
  }
  w.set(common_offset(R::COMPUTE_RESOURCE_LIMITS), 0u);

  std::uint32_t start_bits = initiator::kComputeShaderEn.mask() | initiator::kForceStartAt000.mask();
  if (d.wave32) start_bits |= initiator::kCsW32En.mask();
  std::uint32_t size[3] = {d.group[0], d.group[1], d.group[2]};
  if (d.partial[0] != d.group[0] || d.partial[1] != d.group[1] || d.partial[2] != d.group[2]) {
    start_bits |= initiator::kPartialTgEn.mask();
    for (int axis = 0; axis < 3; ++axis) size[axis] |= num_thread::kPartial.set(d.partial[axis]);
  }
  w.set(common_offset(R::COMPUTE_START_X), 0u, 0u, 0u, size[0], size[1], size[2], 0u, 0u);
  w.packet(Opcode::dispatch_direct, pm4::DispatchDirect{d.groups[0], d.groups[1], d.groups[2], start_bits});
  w.packet(
      Opcode::event_write,
      pm4::EventWrite{pm4::EventWrite::kType.set(static_cast<std::uint32_t>(pm4::Event::cs_partial_flush)) |
                      pm4::EventWrite::kIndex.set(kPartialFlushIndex)});
  assert(w.at == end);
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

void ComputeCommands::indirect(std::uint64_t address, std::size_t words) {
  using I = pm4::IndirectBuffer;
  put(words_, Opcode::indirect_buffer,
      I{low_word(address), high_word(address),
        I::kSizeWords.set(static_cast<std::uint32_t>(words)) | I::kValid.mask()});
}

void ComputeCommands::write32(std::uint64_t address, std::uint32_t value) {
  release(0, pm4::ReleaseData::low32, pm4::ReleaseInterrupt::none, address, value, 0);
}

void ComputeCommands::write64(std::uint64_t address, std::uint64_t value) {
  release(0, pm4::ReleaseData::value64, pm4::ReleaseInterrupt::none, address, value, 0);
}

}  // namespace mockgpu::runtime::amd
