#pragma once
// Handlers of control flow and of the records that the block builder adds itself.
#include "emu/amd/wave/gang.h"
#include "isa/amd/instruction.h"

namespace mockgpu::emu::amd::control {

enum class Condition : std::uint8_t { scc0, scc1, vccz, vccnz, execz, execnz };

/// Ids of s_getreg / s_setreg that have semantics here (facts: hwreg table of rdna3).
enum HardwareRegister : unsigned {
  kHwMode = 1,
  kHwStatus = 2,
  kHwTrapStatus = 3,
  kHwFlatScratchLo = 20,
  kHwFlatScratchHi = 21,
  kHwId1 = 23,
  kHwId2 = 24,
  kHwShaderCycles = 29,
};

HandlerResult join(const Record* record,
                   Gang* gang);  ///< in front of an instruction where another path arrives
HandlerResult branch(const Record* record, Gang* gang);         ///< imm: target record
Handler conditional_branch(Condition condition);                ///< imm: target record
HandlerResult set_pc(const Record* record, Gang* gang);         ///< src[0]: scalar pair
HandlerResult swap_pc(const Record* record, Gang* gang);        ///< dst: scalar pair, imm: return address
HandlerResult write_address(const Record* record, Gang* gang);  ///< dst: scalar pair, imm: value
HandlerResult barrier(const Record* record, Gang* gang);
HandlerResult end_program(const Record* record, Gang* gang);
HandlerResult halt(const Record* record, Gang* gang);
HandlerResult raise(const Record* record, Gang* gang);        ///< op: FaultKind, imm: text or null
HandlerResult update_exec(const Record* record, Gang* gang);  ///< behind a record that wrote EXEC as a scalar
HandlerResult observe(const Record* record, Gang* gang);  ///< in front of every instruction of observed code
HandlerResult zero_flags(const Record* record, Gang* gang);    ///< fills kRowVccz and kRowExecz
HandlerResult get_register(const Record* record, Gang* gang);  ///< imm: simm16
HandlerResult set_mode(const Record* record, Gang* gang);      ///< imm: simm16, src[0]: value
HandlerResult read_clock(const Record* record, Gang* gang);    ///< dst: scalar pair
HandlerResult message_interrupt(const Record* record, Gang* gang);
Handler relative_move(bool wide, bool source);

/// Handlers of a save-exec or write-exec op, for a register and a constant source; null if `op` is none.
struct ExecEntry {
  Handler run[2] = {};
};
ExecEntry exec_entry(isa::amd::Op op);

}  // namespace mockgpu::emu::amd::control
