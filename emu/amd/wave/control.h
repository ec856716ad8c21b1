#pragma once
// Which slots run, and where: convergence, barriers, ends. Called from control-flow handlers; never per
// ordinary instruction.
#include <cstdint>

#include "emu/amd/wave/gang.h"

namespace mockgpu::emu::amd {

/// Wave-instructions that one set of diverged slots runs before another one gets its turn, so that a slot
/// that spins cannot starve the one that it waits for.
inline constexpr std::int64_t kDivergedQuantum = 4096;

/// Counts the instructions up to and including `record`'s.
inline void retire(const Record* record, Gang* gang) {
  const std::int64_t n = static_cast<std::int64_t>(record->retired) * gang->active_waves;
  gang->executed += static_cast<std::uint64_t>(n);
  gang->fuse -= n;
}

/// Stores where the active slots go on. They stay ready.
void park(Gang* gang, std::uint64_t pc);

/// Makes the next set of ready slots active: those at the lowest pc or, when the last set used its quantum,
/// the next ones above it. Returns the record to go on with; null if the gang must stop (Gang::stop says
/// why).
const Record* choose(Gang* gang);

/// Shortcuts of park and choose for the commonest ways to part and to meet, with the same outcome.
/// `leaving` slots, some but not all of the active ones, go on at `pc`, which lies ahead; the others run on.
void part(Gang* gang, std::uint32_t leaving, std::uint64_t pc);
/// The active slots reached `pc`, where others wait: takes them along. False if that is not so simple.
bool meet(Gang* gang, std::uint64_t pc);

/// The active slots wait at a barrier; they go on at `pc`. Wakes the workgroups that are complete.
void wait_at_barrier(Gang* gang, std::uint64_t pc);

/// The active slots have ended with the instruction at `pc`.
void end_slots(Gang* gang, std::uint64_t pc);

/// The active slots are halted for good.
void halt_slots(Gang* gang);

/// Record for the instruction at `pc`, decoding it if need be; sets block and code_base. Null and a fault if
/// there is no code.
const Record* enter_code(Gang* gang, std::uint64_t pc);

/// Fills the gang's fault. `slot` is the first active one.
void fault_at(const Record* record, Gang* gang, FaultKind kind, const char* text);

/// Clock in 100 MHz ticks, for s_memtime and friends.
std::uint64_t wave_clock(const Gang* gang);

/// Tells the launch's observer that the active waves execute the instruction at `pc` next.
void tell_observer(const Gang* gang, std::uint64_t pc);

/// Sends s_sendmsg(MSG_INTERRUPT) with this m0 to the host.
void send_interrupt(Gang* gang, std::uint32_t m0);

/// Sets MXCSR, the gang's MXCSR values and split_mode for a MODE value. Every run of a gang starts with it.
void apply_mode(Gang* gang, std::uint32_t mode);

}  // namespace mockgpu::emu::amd
