#include "emu/amd/wave/control.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "emu/amd/wave/batch.h"
#include "emu/amd/wave/launch_run.h"

namespace mockgpu::emu::amd {
namespace {

/// MXCSR for a rounding mode and a denormal mode of MODE: exceptions masked, rounding in [14:13], flush
/// result in 15, flush sources in 6.
std::uint32_t mxcsr_of(unsigned round, unsigned denormals) {
  constexpr std::uint32_t kRounding[4] = {0, 2, 1, 3};  // even, +inf, -inf, zero
  return 0x1f80 | kRounding[round & 3] << 13 | (denormals & 2 ? 0 : 1u << 15) | (denormals & 1 ? 0 : 1u << 6);
}

void release(Batch& batch, std::uint32_t group) {
  batch.groups[group].waiting = 0;
  for (auto& gang : batch.gangs) {
    for (unsigned s = 0; s < gang->slots; ++s) {
      if (gang->state[s] == SlotState::barrier && gang->group_of[s] == group)
        gang->state[s] = SlotState::ready;
    }
  }
}

void release_complete(Gang* gang, std::uint32_t slots) {
  for (unsigned s = 0; s < gang->slots; ++s) {
    if (!(slots >> s & 1)) continue;
    const Batch::Group& group = gang->batch->groups[gang->group_of[s]];
    if (group.waiting != 0 && group.waiting == group.live) release(*gang->batch, gang->group_of[s]);
  }
}

/// Stops the clock of the active set: what it used is taken from the turn.
void account(Gang* gang) {
  gang->turn -= gang->fuse_length - gang->fuse;
  gang->fuse_length = gang->fuse;
}

}  // namespace

void park(Gang* gang, std::uint64_t pc) {
  for (unsigned s = 0; s < kSlots; ++s) {
    if (gang->active >> s & 1) gang->pc[s] = pc;
  }
  gang->last_pc = pc;
}

void apply_mode(Gang* gang) {
  const auto first = static_cast<unsigned>(__builtin_ctz(gang->active));
  const std::uint32_t mode = gang->sgpr[kRowMode][first];
  gang->mxcsr = mxcsr_of(mode & 3, mode >> 4 & 3);
  gang->mxcsr_wide = mxcsr_of(mode >> 2 & 3, mode >> 6 & 3);
  gang->split_mode = gang->mxcsr != gang->mxcsr_wide;
#if defined(__SSE__)
  _mm_setcsr(gang->mxcsr);
#endif
}

const Record* choose(Gang* gang) {
  const bool used_up = gang->fuse <= 0;
  account(gang);
  std::uint32_t ready = 0;
  std::uint64_t lowest = ~0ull, above = ~0ull;
  for (unsigned s = 0; s < gang->slots; ++s) {
    if (gang->state[s] != SlotState::ready) continue;
    ready |= 1u << s;
    if (gang->pc[s] < lowest) lowest = gang->pc[s];
    if (gang->pc[s] > gang->last_pc && gang->pc[s] < above) above = gang->pc[s];
  }
  gang->active = 0;
  if (!ready || gang->turn <= 0) {
    gang->stop = ready ? Stop::budget : Stop::idle;
    return nullptr;
  }
  const std::uint64_t pc = used_up && above != ~0ull ? above : lowest;
  std::uint32_t mode = 0;
  gang->join_pc = ~0ull;
  for (unsigned s = 0; s < gang->slots; ++s) {
    if (!(ready >> s & 1)) continue;
    if (gang->pc[s] == pc && (!gang->active || gang->sgpr[kRowMode][s] == mode)) {
      mode = gang->sgpr[kRowMode][s];
      gang->active |= 1u << s;
    } else if (gang->pc[s] > pc && gang->pc[s] < gang->join_pc) {
      gang->join_pc = gang->pc[s];
    }
  }
  for (unsigned s = 0; s < kSlots; ++s) gang->slot_mask[s] = gang->active >> s & 1 ? ~0u : 0u;
  gang->active_waves = static_cast<std::uint32_t>(__builtin_popcount(gang->active)) >> gang->wave64;
  gang->fuse = gang->active != ready && kDivergedQuantum < gang->turn ? kDivergedQuantum : gang->turn;
  gang->fuse_length = gang->fuse;
  apply_mode(gang);
  update_full(gang);
  const Record* record = gang->block ? gang->block->find(pc) : nullptr;
  return record ? record : enter_code(gang, pc);
}

void wait_at_barrier(Gang* gang, std::uint64_t pc) {
  park(gang, pc);
  for (unsigned s = 0; s < gang->slots; ++s) {
    if (!(gang->active >> s & 1)) continue;
    gang->state[s] = SlotState::barrier;
    ++gang->batch->groups[gang->group_of[s]].waiting;
  }
  release_complete(gang, gang->active);
}

void end_slots(Gang* gang) {
  for (unsigned s = 0; s < gang->slots; ++s) {
    if (!(gang->active >> s & 1)) continue;
    gang->state[s] = SlotState::ended;
    Batch::Group& group = gang->batch->groups[gang->group_of[s]];
    if (--group.live == 0) gang->batch->run->group_ended();
  }
  gang->live &= ~gang->active;
  release_complete(gang, gang->active);  // ended waves count as arrived
}

void halt_slots(Gang* gang) {
  for (unsigned s = 0; s < gang->slots; ++s) {
    if (gang->active >> s & 1) gang->state[s] = SlotState::halted;
  }
}

const Record* enter_code(Gang* gang, std::uint64_t pc) {
  LaunchRun& run = *gang->batch->run;
  const CodeBlock* block = run.code().enter(run.map(), pc, gang->wave64, run.number());
  if (!block) {
    gang->fault = Fault{};
    gang->fault.kind = FaultKind::fetch;
    gang->fault.pc = gang->fault.address = pc;
    gang->fault.bytes = 4;
    gang->fault.slot = static_cast<std::uint8_t>(__builtin_ctz(gang->active));
    gang->stop = Stop::fault;
    return nullptr;
  }
  gang->block = block;
  gang->code_base = block->base;
  if (block->vgprs > gang->vgpr_rows) {
    gang->fault = Fault{};
    gang->fault.kind = FaultKind::unsupported;
    gang->fault.pc = pc;
    gang->fault.text =
        "code that names vector registers beyond those that the launch has (COMPUTE_PGM_RSRC1)";
    gang->fault.slot = static_cast<std::uint8_t>(__builtin_ctz(gang->active));
    gang->stop = Stop::fault;
    return nullptr;
  }
  return block->find(pc);
}

void fault_at(const Record* record, Gang* gang, FaultKind kind, const char* text) {
  gang->fault = Fault{};
  gang->fault.kind = kind;
  gang->fault.pc = gang->code_base + record->pc;
  gang->fault.address = gang->fault.pc;
  gang->fault.slot = static_cast<std::uint8_t>(__builtin_ctz(gang->active));
  gang->fault.text = text;
  gang->stop = Stop::fault;
}

std::uint64_t wave_clock(const Gang* gang) {
  const auto& clock = gang->batch->run->engine().options.clock;
  return clock ? clock() : gang->executed;
}

void send_interrupt(Gang* gang, std::uint32_t m0) {
  const InterruptSink& sink = gang->batch->run->engine().options.interrupt;
  if (sink) sink(m0);
}

}  // namespace mockgpu::emu::amd
