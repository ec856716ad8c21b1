#include "emu/amd/wave/wave_registers.h"

#include "emu/amd/wave/batch.h"

namespace mockgpu::emu::amd {

static_assert(WaveRegisters::kScc == kRowScc && WaveRegisters::kMode == kRowMode);

WaveId WaveRegisters::id() const {
  const Dim3& group = gang_.batch->groups[gang_.group_of[slot_]].id;
  return {group.x, group.y, group.z, gang_.wave_of[slot_]};
}

unsigned WaveRegisters::lanes() const { return gang_.wave64 ? 2 * kLanes : kLanes; }

unsigned WaveRegisters::vector_count() const { return gang_.vgpr_rows; }

std::uint64_t WaveRegisters::pc() const {
  const bool here = gang_.stop == Stop::fault && (gang_.active >> slot_ & 1);
  return here ? gang_.fault.pc : gang_.pc[slot_];
}

std::uint32_t WaveRegisters::scalar(unsigned index) const { return gang_.sgpr[index][slot_]; }

void WaveRegisters::set_scalar(unsigned index, std::uint32_t value) {
  if (index == kRowNull) return;
  for (unsigned s = slot_; s <= slot_ + gang_.wave64; ++s) gang_.sgpr[index][s] = value;
}

std::uint32_t* WaveRegisters::lane_word(unsigned index, unsigned lane) const {
  return row(&gang_, Gang::vgpr_offset(index)) + slot_ * kLanes + lane;
}

std::uint32_t WaveRegisters::vector(unsigned index, unsigned lane) const { return *lane_word(index, lane); }

void WaveRegisters::set_vector(unsigned index, unsigned lane, std::uint32_t value) {
  *lane_word(index, lane) = value;
}

}  // namespace mockgpu::emu::amd
