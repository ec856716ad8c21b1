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

void release_complete(Batch& batch) {
  for (std::uint32_t index = 0; index < batch.groups.size(); ++index) {
    const Batch::Group& group = batch.groups[index];
    if (group.waiting != 0 && group.waiting == group.live) release(batch, index);
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

void apply_mode(Gang* gang, std::uint32_t mode) {
  gang->applied_mode = mode;
  gang->mxcsr = mxcsr_of(mode & 3, mode >> 4 & 3);
  gang->mxcsr_wide = mxcsr_of(mode >> 2 & 3, mode >> 6 & 3);
  gang->split_mode = gang->mxcsr != gang->mxcsr_wide;
#if defined(__SSE__)
  _mm_setcsr(gang->mxcsr);
#endif
}

namespace {

constexpr std::uint64_t kNowhere = ~0ull;

const Record* record_at(Gang* gang, std::uint64_t pc) {
  const Record* record = gang->block ? gang->block->find(pc) : nullptr;
  return record ? record : enter_code(gang, pc);
}

/// Makes all slots of `ready` active if they are at one pc and have one MODE; false, with nothing done, if
/// not.
bool choose_all(Gang* gang, std::uint32_t ready) {
  const unsigned first = static_cast<unsigned>(__builtin_ctz(ready));
  const std::uint64_t pc = gang->pc[first];
  const std::uint32_t mode = gang->sgpr[kRowMode][first];
  std::uint64_t different = 0;
  for (unsigned s = 0; s < kSlots; ++s) {
    const std::uint64_t chosen = 0 - static_cast<std::uint64_t>(ready >> s & 1);
    different |= ((gang->pc[s] ^ pc) | (gang->sgpr[kRowMode][s] ^ mode)) & chosen;
  }
  if (different) return false;
  spread_slots(gang->slot_mask, ready);
  gang->active = ready;
  gang->active_waves = static_cast<unsigned>(__builtin_popcount(ready)) >> gang->wave64;
  gang->join_pc = kNowhere;
  gang->fuse = gang->fuse_length = gang->turn;
  if (mode != gang->applied_mode) apply_mode(gang, mode);
  update_full(gang);
  return true;
}

/// Of the chosen slots, keeps those that have the first one's MODE: others cannot share MXCSR with it.
void keep_one_mode(Gang* gang, std::uint32_t mode) {
  gang->active_waves = 0;
  for (unsigned s = 0; s < kSlots; ++s) {
    if (gang->sgpr[kRowMode][s] != mode) {
      gang->active &= ~(1u << s);
      gang->slot_mask[s] = 0;
    }
    gang->active_waves += gang->active >> s & 1;
  }
}

}  // namespace

const Record* choose(Gang* gang) {
  const bool used_up = gang->fuse <= 0;
  account(gang);
  std::uint32_t ready = 0;
  for (unsigned s = 0; s < kSlots; ++s) ready |= std::uint32_t{gang->state[s] == SlotState::ready} << s;
  gang->active = 0;
  gang->parted_pc = kNowhere;
  if (ready == 0 || gang->turn <= 0) {
    gang->stop = ready == 0 ? Stop::idle : Stop::budget;
    return nullptr;
  }
  if (choose_all(gang, ready)) return record_at(gang, gang->pc[__builtin_ctz(ready)]);
  std::uint64_t at[kSlots];
  std::uint64_t lowest = kNowhere, above = kNowhere;
  for (unsigned s = 0; s < kSlots; ++s) {
    at[s] = ready >> s & 1 ? gang->pc[s] : kNowhere;
    lowest = at[s] < lowest ? at[s] : lowest;
    above = at[s] > gang->last_pc && at[s] < above ? at[s] : above;
  }
  const std::uint64_t pc = used_up && above != kNowhere ? above : lowest;
  std::uint64_t join = kNowhere;
  std::uint32_t active = 0, waves = 0, modes = 0;
  std::uint32_t mode = 0;
  bool others = false;
  for (unsigned s = kSlots; s-- > 0;) mode = at[s] == pc ? gang->sgpr[kRowMode][s] : mode;
  for (unsigned s = 0; s < kSlots; ++s) {
    const std::uint32_t chosen = at[s] == pc;
    active |= chosen << s;
    waves += chosen;
    gang->slot_mask[s] = 0 - chosen;
    modes |= (gang->sgpr[kRowMode][s] ^ mode) & (0 - chosen);
    others |= !chosen && at[s] != kNowhere;
    join = at[s] > pc && at[s] < join ? at[s] : join;
  }
  gang->active = active;
  gang->active_waves = waves;
  if (modes) {
    keep_one_mode(gang, mode);
    others = true;
  }
  gang->active_waves >>= gang->wave64;
  gang->join_pc = join;
  gang->fuse = others && kDivergedQuantum < gang->turn ? kDivergedQuantum : gang->turn;
  gang->fuse_length = gang->fuse;
  if (mode != gang->applied_mode) apply_mode(gang, mode);
  update_full(gang);
  return record_at(gang, pc);
}

namespace {

unsigned count_slots(std::uint32_t bits) {
  bits = bits - (bits >> 1 & 0x55);
  bits = (bits & 0x33) + (bits >> 2 & 0x33);
  return (bits + (bits >> 4)) & 15;
}

/// After the active set changed: a new fuse, which is short while others wait.
void relight(Gang* gang, bool others) {
  account(gang);
  gang->active_waves = count_slots(gang->active) >> gang->wave64;
  gang->fuse = others && kDivergedQuantum < gang->turn ? kDivergedQuantum : gang->turn;
  gang->fuse_length = gang->fuse;
}

}  // namespace

void part(Gang* gang, std::uint32_t leaving, std::uint64_t pc) {
  for (unsigned s = 0; s < kSlots; ++s) gang->pc[s] = leaving >> s & 1 ? pc : gang->pc[s];
  gang->parted_pc = gang->active == gang->live ? pc : kNowhere;
  gang->active &= ~leaving;
  spread_slots(gang->slot_mask, gang->active);
  gang->parted = leaving;
  gang->parted_mode = gang->applied_mode;
  gang->join_pc = pc < gang->join_pc ? pc : gang->join_pc;
  gang->full = 0;
  relight(gang, true);
}

bool meet(Gang* gang, std::uint64_t pc) {
  std::uint32_t met = gang->parted;
  std::uint64_t join = kNowhere;
  if (pc != gang->parted_pc || gang->parted_mode != gang->applied_mode) {
    std::uint32_t modes = 0;
    std::uint64_t behind = 0;
    met = 0;
    for (unsigned s = 0; s < kSlots; ++s) {
      const bool waits = gang->state[s] == SlotState::ready && !(gang->active >> s & 1);
      const std::uint64_t at = waits ? gang->pc[s] : kNowhere;
      met |= static_cast<std::uint32_t>(at == pc) << s;
      modes |= at == pc ? gang->sgpr[kRowMode][s] ^ gang->applied_mode : 0;
      behind |= at < pc;
      join = at > pc && at < join ? at : join;
    }
    if (modes || behind) return false;
  }
  gang->active |= met;
  spread_slots(gang->slot_mask, gang->active);
  gang->parted_pc = kNowhere;
  gang->join_pc = join;
  relight(gang, join != kNowhere);
  update_full(gang);
  return true;
}

void wait_at_barrier(Gang* gang, std::uint64_t pc) {
  park(gang, pc);
  for (unsigned s = 0; s < gang->slots; ++s) {
    if (!(gang->active >> s & 1)) continue;
    gang->state[s] = SlotState::barrier;
    ++gang->batch->groups[gang->group_of[s]].waiting;
  }
  release_complete(*gang->batch);
}

void end_slots(Gang* gang, std::uint64_t pc) {
  if (WaveHook* const hook = gang->batch->run->launch().waves) {
    for (unsigned s = 0; s < gang->slots; s += 1 + gang->wave64) {
      if (!(gang->active >> s & 1)) continue;
      gang->pc[s] = pc;
      hook->wave_stops(WaveRegisters(*gang, s), true);
    }
  }
  for (unsigned s = 0; s < gang->slots; ++s) {
    if (!(gang->active >> s & 1)) continue;
    gang->state[s] = SlotState::ended;
    Batch::Group& group = gang->batch->groups[gang->group_of[s]];
    if (--group.live == 0) gang->batch->run->group_ended();
  }
  gang->live &= ~gang->active;
  release_complete(*gang->batch);  // ended waves count as arrived
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

void tell_observer(const Gang* gang, std::uint64_t pc) {
  LaunchRun& run = *gang->batch->run;
  run.observed().before(*gang, pc, run);
  WaveId waves[kSlots];
  unsigned count = 0;
  for (unsigned s = 0; s < gang->slots; s += 1 + gang->wave64) {
    if (!(gang->active >> s & 1)) continue;
    const Dim3& id = gang->batch->groups[gang->group_of[s]].id;
    waves[count++] = {id.x, id.y, id.z, gang->wave_of[s]};
  }
  run.options().observer->instruction({run.launch().dispatch_number, pc, {waves, count}});
}

void send_interrupt(Gang* gang, std::uint32_t m0) {
  const InterruptSink& sink = gang->batch->run->engine().options.interrupt;
  if (sink) sink(m0);
}

}  // namespace mockgpu::emu::amd
