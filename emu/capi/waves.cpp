// Registers in and out of a launch.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emu/capi/machine.h"

namespace mockgpu::capi {
namespace {

using emu::amd::WaveRegisters;

/// The scalar that a value is for; only for kinds other than MOCKGPU_VGPR.
unsigned scalar_index(const mockgpu_register_value& value) {
  switch (value.kind) {
    case MOCKGPU_SCC: return WaveRegisters::kScc;
    case MOCKGPU_MODE: return WaveRegisters::kMode;
    default: return value.index;
  }
}

void check(const mockgpu_register_value& value, const emu::amd::Launch& launch) {
  const unsigned vectors = ((launch.rsrc1 & 63) + 1) * (launch.wave32 ? 8 : 4);
  const int lanes = launch.wave32 ? 32 : 64;
  bool known = false;
  switch (value.kind) {
    case MOCKGPU_SGPR: known = value.index < 128 && value.index != 124; break;
    case MOCKGPU_VGPR:
      known = value.index < vectors && value.lane >= MOCKGPU_ALL && value.lane < lanes;
      break;
    case MOCKGPU_SCC: known = value.value <= 1; break;
    case MOCKGPU_MODE: known = true; break;
    default: break;
  }
  if (known) return;
  throw Error(Tag::bad_usage,
              fmt::format("initial value of register kind {}, index {}, lane {}: there is none", value.kind,
                          value.index, value.lane));
}

std::uint64_t pair(const WaveRegisters& wave, unsigned low) {
  return wave.scalar(low) | std::uint64_t{wave.scalar(low + 1)} << 32;
}

}  // namespace

Recorder::Recorder(const mockgpu_launch& launch, const PreparedLaunch& prepared)
    : launch_(launch),
      groups_x_(prepared.launch.end_group.x),
      groups_y_(prepared.launch.end_group.y),
      waves_per_group_(prepared.waves / (groups_x_ * groups_y_ * prepared.launch.end_group.z)) {
  for (std::uint64_t i = 0; i < launch.initial_count; ++i) check(launch.initial[i], prepared.launch);
  for (std::uint64_t i = 0; i < std::min(launch.wave_capacity, prepared.waves); ++i)
    std::memset(&launch.waves[i], 0, sizeof launch.waves[i]);
}

std::uint64_t Recorder::number(const emu::WaveId& id) const {
  return ((id.group_z * groups_y_ + id.group_y) * groups_x_ + id.group_x) * waves_per_group_ + id.wave;
}

void Recorder::wave_begins(WaveRegisters& wave) {
  const std::uint64_t me = number(wave.id());
  for (std::uint64_t i = 0; i < launch_.initial_count; ++i) {
    const mockgpu_register_value& value = launch_.initial[i];
    if (value.wave >= 0 && static_cast<std::uint64_t>(value.wave) != me) continue;
    if (value.kind != MOCKGPU_VGPR) {
      wave.set_scalar(scalar_index(value), value.value);
      continue;
    }
    for (unsigned lane = 0; lane < wave.lanes(); ++lane) {
      if (value.lane == MOCKGPU_ALL || static_cast<unsigned>(value.lane) == lane)
        wave.set_vector(value.index, lane, value.value);
    }
  }
}

void Recorder::wave_stops(const WaveRegisters& wave, bool ended) {
  const emu::WaveId id = wave.id();
  const std::uint64_t me = number(id);
  if (me >= launch_.wave_capacity) return;
  mockgpu_wave& out = launch_.waves[me];
  out.status = ended ? MOCKGPU_WAVE_ENDED : MOCKGPU_WAVE_STOPPED;
  out.group[0] = id.group_x;
  out.group[1] = id.group_y;
  out.group[2] = id.group_z;
  out.wave = id.wave;
  out.lanes = wave.lanes();
  out.vgpr_count = std::min(wave.vector_count(), 256u);
  out.scc = wave.scalar(WaveRegisters::kScc);
  out.pc = wave.pc();
  out.exec = pair(wave, MOCKGPU_EXEC_LO);
  out.vcc = pair(wave, MOCKGPU_VCC_LO);
  out.m0 = wave.scalar(MOCKGPU_M0);
  out.mode = wave.scalar(WaveRegisters::kMode);
  for (unsigned i = 0; i < 106; ++i) out.sgpr[i] = wave.scalar(i);
  for (unsigned i = 0; i < 16; ++i) out.ttmp[i] = wave.scalar(108 + i);
  for (unsigned r = 0; r < out.vgpr_count; ++r) {
    for (unsigned lane = 0; lane < out.lanes; ++lane) out.vgpr[r][lane] = wave.vector(r, lane);
  }
}

}  // namespace mockgpu::capi
