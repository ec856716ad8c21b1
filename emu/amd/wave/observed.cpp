#include "emu/amd/wave/observed.h"

#include <fmt/format.h>

#include <cstring>

#include "emu/amd/wave/batch.h"
#include "emu/amd/wave/launch_run.h"
#include "isa/amd/disassemble.h"
#include "isa/amd/operand_names.h"

namespace mockgpu::emu::amd {
namespace {

using isa::amd::Operand;
using isa::amd::OperandKind;

/// No instruction writes so many.
constexpr std::size_t kMostRegisters = 64;

/// Names of all registers, made once: events hand out views.
struct Names {
  std::array<std::string, 256> vectors;
  std::array<std::string, kRowCount> scalars;
  Names() {
    for (unsigned i = 0; i < vectors.size(); ++i) vectors[i] = fmt::format("v{}", i);
    for (unsigned i = 0; i < kRowVccLo; ++i) scalars[i] = fmt::format("s{}", i);
    for (unsigned i = kRowVccLo; i <= kRowExecHi; ++i) scalars[i] = isa::amd::scalar_name(i, false);
    for (unsigned i = 0; i < 16; ++i) scalars[kRowTtmp0 + i] = fmt::format("ttmp{}", i);
    scalars[kRowScc] = "scc";
    scalars[kRowMode] = "mode";
  }
};
const Names& names() {
  static const Names all;
  return all;
}

}  // namespace

const Observed::Code* Observed::find(std::uint64_t pc, bool wave64, LaunchRun& run) {
  const auto [at, added] = codes_.try_emplace(pc);
  Code& code = at->second;
  if (!added) return code.text.empty() ? nullptr : &code;
  std::byte bytes[64];
  const std::uint64_t have = run.map().read(pc, bytes, sizeof bytes);
  const isa::amd::Target& target = *run.launch().target;
  if (!isa::amd::decode(target, std::span(bytes, have), wave64, code.instruction)) return nullptr;
  code.flags = isa::amd::form_flags(*code.instruction.form);
  code.text = isa::amd::disassemble(target, code.instruction, wave64);
  if (run.options().symbolize) code.place = run.options().symbolize(pc);
  return &code;
}

void Observed::clear() {
  codes_.clear();
  gang_ = nullptr;
}

void Observed::before(const Gang& gang, std::uint64_t pc, LaunchRun& run) {
  finish(run);
  const Code* code = find(pc, gang.wave64, run);
  if (!code) return;  // it faults
  gang_ = &gang;
  code_ = code;
  pc_ = pc;
  active_ = gang.active;
  for (unsigned s = 0; s < gang.slots; s += 1 + gang.wave64) {
    if (!(active_ >> s & 1)) continue;
    exec_[s] = gang.sgpr[kRowExecLo][s] | (gang.wave64 ? std::uint64_t{gang.sgpr[kRowExecHi][s]} << 32 : 0);
    accesses_[s].clear();
    collect_accesses(gang, s, code->instruction, exec_[s], accesses_[s]);
  }
}

void Observed::finish(LaunchRun& run) {
  if (!gang_) return;
  for (unsigned s = 0; s < gang_->slots; s += 1 + gang_->wave64) {
    if (active_ >> s & 1) report(s, run);
  }
  gang_ = nullptr;
}

void Observed::report(unsigned slot, LaunchRun& run) {
  registers_.clear();
  values_.clear();
  values_.reserve(kMostRegisters);  // views into it must stay good
  ExecutedEvent event;
  if (gang_->stop == Stop::fault && gang_->fault.pc == pc_) {
    // Waves in front of the one that faulted are done, those behind it have not begun.
    const unsigned failed = gang_->wave64 ? gang_->fault.slot & ~1u : gang_->fault.slot;
    if (slot > failed) return;
    event.faulted = slot == failed;
  }
  if (event.faulted) {
    accesses_[slot].clear();
  } else {
    add_registers(slot);
  }
  for (MemoryAccess& access : accesses_[slot]) {
    if (!access.after || access.outside) continue;
    std::memset(access.data, 0, sizeof access.data);
    if (access.space == MemoryAccess::Space::global) {
      run.map().read(access.address, access.data, access.bytes);
    } else if (access.space == MemoryAccess::Space::lds) {
      std::memcpy(access.data, gang_->lds[slot] + access.address, access.bytes);
    }
  }
  const Dim3& id = gang_->batch->groups[gang_->group_of[slot]].id;
  event.dispatch = run.launch().dispatch_number;
  event.wave = {id.x, id.y, id.z, gang_->wave_of[slot]};
  event.pc = pc_;
  event.place = code_->place;
  event.text = code_->text;
  event.registers = registers_;
  event.accesses = accesses_[slot];
  run.options().observer->executed(event);
}

void Observed::add_scalar(unsigned row, unsigned slot) {
  if (row == kRowNull || names().scalars[row].empty() || values_.size() == kMostRegisters) return;
  for (const WrittenRegister& known : registers_) {
    if (known.name == names().scalars[row]) return;
  }
  values_.emplace_back()[0] = gang_->sgpr[row][slot];
  registers_.push_back({names().scalars[row], std::span(values_.back()).first(1), 0});
}

void Observed::add_vector(unsigned index, unsigned slot, std::uint64_t lanes) {
  if (index >= gang_->vgpr_rows || index >= names().vectors.size() || values_.size() == kMostRegisters)
    return;
  const unsigned count = gang_->wave64 ? 2 * kLanes : kLanes;
  const std::uint32_t* row_of = row(const_cast<Gang*>(gang_), Gang::vgpr_offset(index)) + slot * kLanes;
  auto& values = values_.emplace_back();
  std::memcpy(values.data(), row_of, count * sizeof values[0]);
  registers_.push_back({names().vectors[index], std::span<const std::uint32_t>(values).first(count), lanes});
}

/// Destinations by the decoder's operands, then what the op writes without naming it.
void Observed::add_registers(unsigned slot) {
  const isa::amd::Instruction& instruction = code_->instruction;
  const std::uint64_t all = gang_->wave64 ? ~0ull : 0xffffffffu;
  // A lane of its choice, whatever EXEC is.
  const bool any_lane = instruction.op == isa::amd::Op::v_writelane_b32;
  for (const Operand& operand : instruction.ops()) {
    if (!operand.is_dst) continue;
    for (unsigned d = 0; d < operand.dwords; ++d) {
      if (operand.kind == OperandKind::vgpr)
        add_vector(operand.index + d, slot, any_lane ? all : exec_[slot]);
      if (operand.kind == OperandKind::sgpr && operand.index + d <= kRowExecHi)
        add_scalar(operand.index + d, slot);
    }
  }
  if (code_->flags.writes_vcc) {
    add_scalar(kRowVccLo, slot);
    if (gang_->wave64) add_scalar(kRowVccHi, slot);
  }
  if (code_->flags.writes_exec) {
    add_scalar(kRowExecLo, slot);
    if (gang_->wave64) add_scalar(kRowExecHi, slot);
  }
  if (code_->flags.writes_scc) add_scalar(kRowScc, slot);
  if (code_->flags.writes_mode) add_scalar(kRowMode, slot);
}

}  // namespace mockgpu::emu::amd
