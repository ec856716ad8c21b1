#pragma once
// Shared by the files that prepare vector ALU instructions.
#include "emu/amd/wave/lane_kernels.h"
#include "emu/amd/wave/prepare.h"
#include "emu/amd/wave/vector_table.h"

namespace mockgpu::emu::amd {

/// DPP resolved for the steps of VectorSteps.
struct DppControl {
  std::uint64_t selectors = 0;  ///< a nibble per lane of a row: the lane of the same row that it reads
  std::uint32_t valid = ~0u;    ///< lanes whose source lane exists
  std::uint64_t enabled = 0;    ///< lanes that row_mask and bank_mask leave on: even slot low, odd slot high
  bool fetch_inactive = false;
  bool any_source = false;  ///< lanes without a source are written too (bound_ctrl)
  bool narrows = false;     ///< some lanes may be disabled
};

/// Returns false for a control that the target does not have.
bool dpp_control(const isa::amd::Modifiers& mods, DppControl& control);

/// Whether an operand is EXEC or a half of it.
bool is_exec(const isa::amd::Operand& operand);

/// For ops whose operands are not one value per lane; `handler` is that of their entry. False as for
/// prepare_vector.
bool prepare_special(const isa::amd::Instruction& instruction, Handler handler, const VectorSteps& steps,
                     Preparer& out);
bool prepare_swap16(const isa::amd::Instruction& instruction, const VectorTable& table, Preparer& out);

}  // namespace mockgpu::emu::amd
