// What a launch starts with: its limits, and the registers of its waves.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "emu/amd/wave/launch_run.h"

namespace mockgpu::emu::amd {
namespace {

/// Batches of workgroups that make it worth waking the helpers.
constexpr std::uint64_t kParallelBatches = 8;
/// Hardware limits of gfx11 (facts: topology, limits): waves per SIMD, SIMDs, work-items and LDS per
/// workgroup.
constexpr unsigned kMostGroupItems = 1024;
constexpr unsigned kMostResidentWaves = 3072;
constexpr unsigned kVectorRegistersPerSimd = 1536;
constexpr unsigned kSimds = 192;
constexpr unsigned kMostVectorRegisters = 256;
constexpr unsigned kMostUserScalars = 16;
/// Chosen: more could not be counted in a lifetime, and their product must fit.
constexpr std::uint64_t kMostGroups = std::uint64_t{1} << 32;

std::uint64_t extent(std::uint32_t first, std::uint32_t end) { return end > first ? end - first : 0; }

/// Of the bits of COMPUTE_PGM_RSRC2.
unsigned user_scalars_of(std::uint32_t rsrc2) { return rsrc2 >> 1 & 31; }

/// v0 of work-items in a row.
constexpr auto kCount = [] {
  std::array<std::uint32_t, kMostGroupItems> count{};
  for (std::uint32_t i = 0; i < kMostGroupItems; ++i) count[i] = i;
  return count;
}();

/// v0 of work-items of a group with several axes: x in bits 9:0, y in 19:10, z in 29:20.
void count_up(std::uint32_t* ids, std::uint32_t first, const Dim3& dims) {
  std::uint32_t x = first % dims.x, y = first / dims.x % dims.y, z = first / dims.x / dims.y;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    ids[lane] = x | y << 10 | z << 20;
    if (++x < dims.x) continue;
    x = 0;
    if (++y < dims.y) continue;
    y = 0;
    ++z;
  }
}

}  // namespace

void Batch::reserve(unsigned count, std::uint32_t rows) {
  if (rows > vgpr_rows) {
    gangs.clear();
    vgpr_rows = rows;
  }
  while (gangs.size() > count) gangs.pop_back();
  while (gangs.size() < count) {
    const std::size_t bytes = sizeof(Gang) + static_cast<std::size_t>(vgpr_rows) * kRowBytes;
    auto* gang = static_cast<Gang*>(std::aligned_alloc(alignof(Gang), bytes));
    if (!gang)
      throw Error(Tag::out_of_memory,
                  fmt::format("no memory for the registers of a workgroup ({} bytes)", bytes));
    std::memset(static_cast<void*>(gang), 0, sizeof(Gang));
    gangs.emplace_back(gang);
  }
}

LaunchRun::LaunchRun(EngineState& engine) : engine_(engine) {
  const auto set = [&](unsigned index, std::uint32_t value) { std::fill_n(scalars_[index], kSlots, value); };
  set(kRowExecLo, ~0u);
  // Apertures of flat addresses (facts: kfd.md, GET_PROCESS_APERTURES_NEW).
  set(kRowSharedBase + 1, 0x10000);
  set(kRowSharedLimit + 1, 0x10000);
  set(kRowSharedLimit, 0xffffffff);
  set(kRowPrivateBase + 1, 0x20000);
  set(kRowPrivateLimit + 1, 0x20000);
  set(kRowPrivateLimit, 0xffffffff);
}

bool LaunchRun::check_launch() {
  const Dim3& size = launch_.group_size;
  const std::uint64_t items = static_cast<std::uint64_t>(size.x) * size.y * size.z;
  if (!launch_.target || (launch_.wave32 ? !launch_.target->wave32 : !launch_.target->wave64)) {
    fail(Error(Tag::unsupported, "a launch for a target or wave size that this engine does not execute"));
    return false;
  }
  const auto refuse = [&](const std::string& message) {
    fail(Error(Tag::bad_packet, message));
    return false;
  };
  // Of three extents below 2^32 the product of two fits 64 bits.
  if (items == 0 || items > kMostGroupItems || size.x > kMostGroupItems || size.y > kMostGroupItems) {
    return refuse(fmt::format("workgroup of {}x{}x{} work-items: 1 to {} are possible", size.x, size.y,
                              size.z, kMostGroupItems));
  }
  lds_bytes_ = (launch_.rsrc2 >> 15 & 0x1ff) * 512;
  if (lds_bytes_ > launch_.target->lds_bytes) {
    return refuse(fmt::format("workgroup with {} bytes of LDS: {} has {}", lds_bytes_, launch_.target->name,
                              launch_.target->lds_bytes));
  }
  vgpr_rows_ = ((launch_.rsrc1 & 63) + 1) * (launch_.wave32 ? 8 : 4);
  if (vgpr_rows_ > kMostVectorRegisters) {
    return refuse(fmt::format("waves with {} VGPRs: {} has {}", vgpr_rows_, launch_.target->name,
                              kMostVectorRegisters));
  }
  if (user_scalars_of(launch_.rsrc2) > kMostUserScalars) {
    return refuse(fmt::format("waves with {} user SGPRs: 0 to {} are possible",
                              user_scalars_of(launch_.rsrc2), kMostUserScalars));
  }
  lanes_ = launch_.wave32 ? 32 : 64;
  lanes_log2_ = launch_.wave32 ? 5 : 6;
  slots_per_wave_ = launch_.wave32 ? 1 : 2;
  waves_per_group_ = static_cast<unsigned>((items + lanes_ - 1) >> lanes_log2_);
  slots_per_group_ = waves_per_group_ * slots_per_wave_;
  gang_slots_ = engine_.options.seed ? slots_per_wave_ : kSlots;
  groups_per_batch_ = slots_per_group_ >= gang_slots_ ? 1 : gang_slots_ / slots_per_group_;
  if (launch_.scratch_wave_bytes) {
    if (launch_.scratch_waves < waves_per_group_) {
      return refuse(fmt::format("workgroup of {} waves with scratch memory: there is scratch for {}",
                                waves_per_group_, launch_.scratch_waves));
    }
    groups_per_batch_ = std::min(groups_per_batch_, launch_.scratch_waves / waves_per_group_);
  }
  groups_x_ = extent(launch_.first_group.x, launch_.end_group.x);
  groups_y_ = extent(launch_.first_group.y, launch_.end_group.y);
  const std::uint64_t groups_z = extent(launch_.first_group.z, launch_.end_group.z);
  if (groups_x_ * groups_y_ > kMostGroups || groups_x_ * groups_y_ * groups_z > kMostGroups) {
    return refuse(fmt::format("grid of {}x{}x{} workgroups: at most 2^32 are possible", groups_x_, groups_y_,
                              groups_z));
  }
  total_groups_ = groups_x_ * groups_y_ * groups_z;
  return true;
}

/// How the launch runs that starts in `block`.
void LaunchRun::plan(const CodeBlock& block) {
  make_scalars(block);
  const unsigned by_registers = kVectorRegistersPerSimd / vgpr_rows_ * kSimds / slots_per_wave_;
  unsigned waves = std::min(kMostResidentWaves, by_registers);
  if (launch_.scratch_wave_bytes) waves = std::min(waves, launch_.scratch_waves);
  most_resident_ = std::max<std::size_t>(waves / (waves_per_group_ * groups_per_batch_), 1);
  const std::uint64_t batches = (total_groups_ + groups_per_batch_ - 1) / groups_per_batch_;
  parallel_ = engine_.options.threads > 1 && !engine_.options.seed && !engine_.options.observer &&
              !launch_.waves && batches >= kParallelBatches &&
              (!block.ordered || engine_.options.force_parallel) && most_resident_ >= engine_.options.threads;
}

/// The scalars that all waves of the launch start with, and how many rows of s0.. the code can name.
void LaunchRun::make_scalars(const CodeBlock& block) {
  constexpr unsigned kSystemScalars = 4;
  const unsigned user = user_scalars_of(launch_.rsrc2);
  const auto set = [&](unsigned index, std::uint32_t value) { std::fill_n(scalars_[index], kSlots, value); };
  const bool any = block.ordered || launch_.waves;
  scalar_rows_ =
      any ? kRowVccLo : std::min<unsigned>(std::max(block.sgprs, user + kSystemScalars), kRowVccLo);
  zero_rows_ = any ? vgpr_rows_ : std::max(1u, std::min(vgpr_rows_, block.vgprs));
  for (unsigned i = 0; i < user; ++i) set(i, launch_.user_data[i]);
  for (unsigned i = user; i < user_scalars_; ++i) set(i, 0);  // of the launch before
  user_scalars_ = user;
  set(kRowExecHi, lanes_ == 64 ? ~0u : 0);
  set(kRowMode, launch_.rsrc1 >> 12 & 0xff);
}

Dim3 LaunchRun::group_id(std::uint64_t linear) const {
  const std::uint64_t row = linear / groups_x_;
  return {launch_.first_group.x + static_cast<std::uint32_t>(linear % groups_x_),
          launch_.first_group.y + static_cast<std::uint32_t>(row % groups_y_),
          launch_.first_group.z + static_cast<std::uint32_t>(row / groups_y_)};
}

Dim3 LaunchRun::group_dims(const Dim3& id) const {
  Dim3 dims = launch_.group_size;
  const Dim3& last = launch_.last_group_size;
  if (last.x && id.x + 1 == launch_.end_group.x) dims.x = last.x;
  if (last.y && id.y + 1 == launch_.end_group.y) dims.y = last.y;
  if (last.z && id.z + 1 == launch_.end_group.z) dims.z = last.z;
  return dims;
}

std::unique_ptr<Batch> LaunchRun::make_batch(std::uint64_t first, std::uint64_t limit) {
  std::unique_ptr<Batch> batch;
  std::uint32_t scratch_slot = 0;
  {
    const auto lock = lock_batches();
    if (!engine_.batches.empty()) {
      batch = std::move(engine_.batches.back());
      engine_.batches.pop_back();
    }
    if (launch_.scratch_wave_bytes) {
      if (free_scratch_.empty()) {
        scratch_slot = scratch_batches_++;
      } else {
        scratch_slot = free_scratch_.back();
        free_scratch_.pop_back();
      }
    }
  }
  if (!batch) batch = std::make_unique<Batch>();
  const unsigned gangs = (slots_per_group_ + gang_slots_ - 1) / gang_slots_;
  const auto groups = static_cast<unsigned>(std::min<std::uint64_t>(groups_per_batch_, limit - first));
  batch->run = this;
  batch->reserve(gangs, vgpr_rows_);
  batch->scratch_slot = scratch_slot * groups_per_batch_ * waves_per_group_;
  batch->stuck = false;
  batch->first_gang = 0;
  batch->groups.resize(groups);
  for (unsigned g = 0; g < groups; ++g) {
    const Dim3 id = group_id(first + g);
    const Dim3 dims = group_dims(id);
    batch->groups[g] = {id, dims, dims.x * dims.y * dims.z, first + g, 0, 0};
  }
  batch->lds.assign(static_cast<std::size_t>(groups) * lds_bytes_, std::byte{0});
  for (unsigned i = 0; i < gangs; ++i) fill_gang(*batch, *batch->gangs[i], i * gang_slots_);
  return batch;
}

void LaunchRun::fill_gang(Batch& batch, Gang& gang, unsigned first_slot) {
  std::memcpy(gang.sgpr, scalars_, scalar_rows_ * sizeof gang.sgpr[0]);
  std::memcpy(gang.sgpr[kRowVccLo], scalars_[kRowVccLo], (kRowCount - kRowVccLo) * sizeof gang.sgpr[0]);
  gang.wave64 = !launch_.wave32;
  gang.vgpr_rows = vgpr_rows_;
  gang.block = entry_block_;
  gang.code_base = entry_block_->base;
  gang.batch = &batch;
  gang.stop = Stop::none;
  gang.executed = 0;
  gang.turn = gang.fuse = gang.fuse_length = 0;
  gang.last_pc = 0;
  gang.active = gang.live = 0;
  gang.alone = batch.gangs.size() == 1;
  gang.lds_bytes = lds_bytes_;
  gang.scratch_wave_bytes = launch_.scratch_wave_bytes;
  // v0 is filled below.
  std::memset(row(&gang, Gang::vgpr_offset(1)), 0, static_cast<std::size_t>(zero_rows_ - 1) * kRowBytes);
  const unsigned all = static_cast<unsigned>(batch.groups.size()) * slots_per_group_;
  gang.slots = std::min(gang_slots_, all - first_slot);
  std::fill(std::begin(gang.state), std::end(gang.state), SlotState::free);
  unsigned group = first_slot / slots_per_group_, in_group = first_slot % slots_per_group_;
  for (unsigned s = 0; s < gang.slots;) {
    const unsigned end = std::min(gang.slots, s + slots_per_group_ - in_group);
    fill_slots(batch, gang, s, end, group++, in_group);
    s = end;
    in_group = 0;
  }
  if (launch_.waves) begin_waves(gang);
  // Slots of waves that a partial group lacks would keep the gang from ever being full.
  while (gang.slots > 1 && !(gang.live >> (gang.slots - 1) & 1)) --gang.slots;
}

void LaunchRun::begin_waves(Gang& gang) {
  for (unsigned s = 0; s < gang.slots; s += slots_per_wave_) {
    if (gang.state[s] != SlotState::ready) continue;
    WaveRegisters wave(gang, s);
    launch_.waves->wave_begins(wave);
  }
}

/// Initial state of slots [slot, end), which belong to one workgroup and start at its slot `in_group` (facts:
/// abi.json initial_state, amd_commands 2.3): workgroup ids behind the user SGPRs, packed work-item id in v0.
void LaunchRun::fill_slots(Batch& batch, Gang& gang, unsigned slot, unsigned end, unsigned group,
                           unsigned in_group) {
  Batch::Group& owner = batch.groups[group];
  const unsigned waves = (owner.items + lanes_ - 1) >> lanes_log2_;
  // A partial group has fewer waves.
  for (; end > slot && slot + waves * slots_per_wave_ < end + in_group; --end)
    gang.state[end - 1] = SlotState::ended;
  const auto set = [&](auto* of_slots, auto value) { std::fill(of_slots + slot, of_slots + end, value); };
  set(gang.lds, batch.lds.data() + static_cast<std::size_t>(group) * lds_bytes_);
  set(gang.group_of, group);
  set(gang.pc, launch_.entry);
  set(gang.state, SlotState::ready);
  gang.live |= (1u << end) - (1u << slot);
  owner.live += end - slot;
  unsigned next = user_scalars_;
  if (launch_.rsrc2 >> 7 & 1) set(gang.sgpr[next++], owner.id.x);
  if (launch_.rsrc2 >> 8 & 1) set(gang.sgpr[next++], owner.id.y);
  if (launch_.rsrc2 >> 9 & 1) set(gang.sgpr[next++], owner.id.z);
  const bool sizes = launch_.rsrc2 >> 10 & 1;
  std::uint32_t* const ids = row(&gang, Gang::vgpr_offset(0)) + slot * kLanes;
  const unsigned first_item = in_group * kLanes, items = (end - slot) * kLanes;
  if (owner.dims.y == 1 && owner.dims.z == 1) {
    std::memcpy(ids, &kCount[first_item], items * sizeof *ids);
  } else {
    for (unsigned i = 0; i < items; i += kLanes) count_up(ids + i, first_item + i, owner.dims);
  }
  for (unsigned s = slot; s < end; ++s) gang.wave_of[s] = (in_group + s - slot) >> (lanes_log2_ - 5);
  for (unsigned s = slot; sizes && s < end; ++s)
    gang.sgpr[next][s] = waves | (gang.wave_of[s] == 0 ? 1u << 31 : 0);
  for (unsigned s = slot; launch_.scratch_wave_bytes && s < end; ++s) {
    const std::uint64_t number = batch.scratch_slot + group * waves_per_group_ + gang.wave_of[s];
    const std::uint64_t scratch = launch_.scratch_base + number * launch_.scratch_wave_bytes;
    gang.sgpr[kRowScratchLo][s] = static_cast<std::uint32_t>(scratch);
    gang.sgpr[kRowScratchHi][s] = static_cast<std::uint32_t>(scratch >> 32);
  }
  // The last wave of the group may have fewer work-items.
  const unsigned rest = owner.items & (lanes_ - 1);
  for (unsigned s = slot; rest != 0 && s < end; ++s) {
    if (gang.wave_of[s] != waves - 1) continue;
    gang.sgpr[kRowExecLo][s] = rest < kLanes ? (1u << rest) - 1 : ~0u;
    gang.sgpr[kRowExecHi][s] = rest < kLanes ? 0 : (1u << (rest - kLanes)) - 1;
  }
}

}  // namespace mockgpu::emu::amd
