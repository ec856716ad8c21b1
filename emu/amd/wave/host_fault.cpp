#include "emu/amd/wave/host_fault.h"

#include <array>

#include "emu/amd/wave/batch.h"
#include "emu/amd/wave/code_block.h"
#include "emu/amd/wave/launch_run.h"
#include "isa/amd/instruction.h"

namespace mockgpu::emu::amd {
namespace {

/// Whether the instruction of `record` accesses simulated memory: other records are leftovers.
bool accesses_memory(const CodeBlock& block, const Record& record, const isa::amd::Target& target) {
  const auto bytes = std::span(block.bytes).subspan(std::min<std::size_t>(record.pc, block.bytes.size()));
  isa::amd::Instruction instruction;
  if (!isa::amd::decode(target, bytes, block.wave64, instruction)) return false;
  const isa::amd::FormFlags flags = isa::amd::form_flags(*instruction.form);
  return flags.load || flags.store || flags.atomic || instruction.encoding == isa::amd::Encoding::smem;
}

}  // namespace

// Every handler has its record in a register or on the stack: it needs it to go on.
__attribute__((no_sanitize("address"))) void GangGuard::inspect(const std::uintptr_t* words,
                                                                std::size_t count) noexcept {
  if (!gang_.block) return;
  const auto first = reinterpret_cast<std::uintptr_t>(gang_.block->records.data());
  const std::uintptr_t bytes = gang_.block->records.size() * sizeof(Record);
  for (std::size_t i = 0; i < count && count_ < kMostFound; ++i) {
    const std::uintptr_t inside = words[i] - first;
    if (inside >= bytes || inside % sizeof(Record) != 0) continue;
    found_[count_++] = reinterpret_cast<const Record*>(words[i]);
  }
}

void GangGuard::report() {
  std::uint64_t address = fault().address;
  for (const MappedRange& range : map_.ranges()) {
    const std::uint64_t inside = address - reinterpret_cast<std::uint64_t>(range.host);
    if (inside >= range.end - range.begin) continue;
    address = range.begin + inside;
    break;
  }
  gang_.fault = Fault{};
  gang_.fault.kind = FaultKind::memory;
  gang_.fault.text = "which the process unmapped or protected";
  gang_.fault.write = fault().write;
  gang_.fault.slot = static_cast<std::uint8_t>(__builtin_ctz(gang_.active | 1u << kSlots));
  gang_.fault.address = address;
  gang_.fault.pc = gang_.last_pc;
  for (unsigned i = 0; i < count_; ++i) {
    if (!accesses_memory(*gang_.block, *found_[i], gang_.batch->run->code().target())) continue;
    gang_.fault.pc = gang_.code_base + found_[i]->pc;
    break;
  }
  gang_.stop = Stop::fault;
}

}  // namespace mockgpu::emu::amd
