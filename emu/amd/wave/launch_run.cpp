#include "emu/amd/wave/launch_run.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "emu/amd/wave/control.h"

namespace mockgpu::emu::amd {
namespace {

/// Wave-instructions that a batch runs before others get their turn: long enough to amortise a change, short
/// enough that workgroups that wait for each other make progress.
constexpr std::int64_t kSlice = 200'000;
/// Batches of workgroups that make it worth waking the helpers.
constexpr std::uint64_t kParallelBatches = 8;
/// Most batches that a worker takes at once.
constexpr std::uint64_t kLargestShare = 64;
/// Hardware limits of gfx11 (facts: topology, limits): waves per SIMD, SIMDs, work-items and LDS per
/// workgroup.
constexpr unsigned kMostGroupItems = 1024;
constexpr unsigned kMostResidentWaves = 3072;
constexpr unsigned kVectorRegistersPerSimd = 1536;
constexpr unsigned kSimds = 192;

std::uint64_t extent(std::uint32_t first, std::uint32_t end) { return end > first ? end - first : 0; }

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

LaunchRun::~LaunchRun() = default;

void LaunchRun::begin(const Launch& launch) {
  launch_ = launch;
  outcome_ = Outcome{};
  begun_ = false;
  next_group_ = 0;
  failed_group_ = ~0ull;
  executed_ = 0;
  finished_groups_ = 0;
  since_group_ = 0;
  number_ = ++engine_.launches;
  resident_.clear();
  if (engine_.options.seed) random_.seed(engine_.options.seed + number_);
}

void LaunchRun::fail(Error error) {
  const bool told =
      std::any_of(error.facts().begin(), error.facts().end(), [](const Fact& f) { return f.name == "by"; });
  if (launch_.dispatch_number && !told) error.add("by", fmt::format("dispatch {}", launch_.dispatch_number));
  outcome_.error = std::move(error);
}

bool LaunchRun::check_launch() {
  const Dim3& size = launch_.group_size;
  const std::uint64_t items = static_cast<std::uint64_t>(size.x) * size.y * size.z;
  if (!launch_.target || (launch_.wave32 ? !launch_.target->wave32 : !launch_.target->wave64)) {
    fail(Error(Tag::unsupported, "a launch for a target or wave size that this engine does not execute"));
    return false;
  }
  if (items == 0 || items > kMostGroupItems) {
    fail(Error(Tag::bad_packet, fmt::format("workgroup of {}x{}x{} work-items: 1 to {} are possible", size.x,
                                            size.y, size.z, kMostGroupItems)));
    return false;
  }
  lds_bytes_ = (launch_.rsrc2 >> 15 & 0x1ff) * 512;
  if (lds_bytes_ > launch_.target->lds_bytes) {
    fail(Error(Tag::bad_packet, fmt::format("workgroup with {} bytes of LDS: {} has {}", lds_bytes_,
                                            launch_.target->name, launch_.target->lds_bytes)));
    return false;
  }
  lanes_ = launch_.wave32 ? 32 : 64;
  slots_per_wave_ = launch_.wave32 ? 1 : 2;
  waves_per_group_ = static_cast<unsigned>((items + lanes_ - 1) / lanes_);
  gang_slots_ = engine_.options.seed ? slots_per_wave_ : kSlots;
  groups_x_ = extent(launch_.first_group.x, launch_.end_group.x);
  groups_y_ = extent(launch_.first_group.y, launch_.end_group.y);
  total_groups_ = groups_x_ * groups_y_ * extent(launch_.first_group.z, launch_.end_group.z);
  vgpr_rows_ = ((launch_.rsrc1 & 63) + 1) * (launch_.wave32 ? 8 : 4);
  return true;
}

unsigned LaunchRun::groups_per_batch() const {
  const unsigned slots = waves_per_group_ * slots_per_wave_;
  return slots >= gang_slots_ ? 1 : gang_slots_ / slots;
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
    const std::lock_guard lock(engine_.batch_mutex);
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
  const unsigned slots_per_group = waves_per_group_ * slots_per_wave_;
  const unsigned gangs = (slots_per_group + gang_slots_ - 1) / gang_slots_;
  const auto count = static_cast<unsigned>(std::min<std::uint64_t>(groups_per_batch(), limit - first));
  batch->run = this;
  batch->reserve(gangs, vgpr_rows_);
  batch->scratch_slot = scratch_slot * groups_per_batch() * waves_per_group_;
  batch->stuck = false;
  batch->first_gang = 0;
  batch->groups.resize(count);
  for (unsigned g = 0; g < count; ++g) {
    const Dim3 id = group_id(first + g);
    const Dim3 dims = group_dims(id);
    batch->groups[g] = {id, dims, dims.x * dims.y * dims.z, first + g, 0, 0};
  }
  batch->lds.assign(static_cast<std::size_t>(count) * lds_bytes_, std::byte{0});
  for (unsigned i = 0; i < gangs; ++i) fill_gang(*batch, *batch->gangs[i], i * gang_slots_, slots_per_group);
  return batch;
}

void LaunchRun::fill_gang(Batch& batch, Gang& gang, unsigned first_slot, unsigned slots_per_group) {
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
  std::memset(row(&gang, Gang::vgpr_offset(0)), 0, static_cast<std::size_t>(zero_rows_) * kRowBytes);
  const unsigned all = static_cast<unsigned>(batch.groups.size()) * slots_per_group;
  gang.slots = std::min(gang_slots_, all - first_slot);
  std::fill(std::begin(gang.state), std::end(gang.state), SlotState::free);
  for (unsigned s = 0; s < gang.slots; ++s) {
    const unsigned at = first_slot + s;
    const unsigned in_group = at % slots_per_group;
    fill_slot(batch, gang, s, at / slots_per_group, in_group / slots_per_wave_, in_group % slots_per_wave_);
  }
}

/// The scalars that all waves of the launch start with, and how many rows of s0.. the code can name.
void LaunchRun::make_scalars(const CodeBlock& block) {
  const unsigned user = std::min(launch_.rsrc2 >> 1 & 31, 16u);
  constexpr unsigned kSystemScalars = 4;
  scalar_rows_ =
      block.ordered ? kRowVccLo : std::min<unsigned>(std::max(block.sgprs, user + kSystemScalars), kRowVccLo);
  zero_rows_ = block.ordered ? vgpr_rows_ : std::max(1u, std::min(vgpr_rows_, block.vgprs));
  std::memset(scalars_, 0, scalar_rows_ * sizeof scalars_[0]);
  std::memset(scalars_[kRowVccLo], 0, (kRowCount - kRowVccLo) * sizeof scalars_[0]);
  const auto set = [&](unsigned index, std::uint32_t value) { std::fill_n(scalars_[index], kSlots, value); };
  for (unsigned i = 0; i < user; ++i) set(i, launch_.user_data[i]);
  set(kRowExecLo, ~0u);
  set(kRowExecHi, lanes_ == 64 ? ~0u : 0);
  set(kRowMode, launch_.rsrc1 >> 12 & 0xff);
  // Apertures of flat addresses (facts: kfd.md, GET_PROCESS_APERTURES_NEW).
  set(kRowSharedBase + 1, 0x10000);
  set(kRowSharedLimit + 1, 0x10000);
  set(kRowSharedLimit, 0xffffffff);
  set(kRowPrivateBase + 1, 0x20000);
  set(kRowPrivateLimit + 1, 0x20000);
  set(kRowPrivateLimit, 0xffffffff);
}

/// Initial state of one slot (facts: abi.json initial_state, amd_commands 2.3): workgroup ids behind the user
/// SGPRs, packed work-item id in v0.
void LaunchRun::fill_slot(Batch& batch, Gang& gang, unsigned slot, unsigned group, unsigned wave,
                          unsigned half) {
  Batch::Group& owner = batch.groups[group];
  const Dim3& dims = owner.dims;
  const std::uint32_t items = owner.items;
  const std::uint32_t wave_first = wave * lanes_;
  if (wave_first >= items) {  // a partial group has fewer waves
    gang.state[slot] = SlotState::ended;
    return;
  }
  const auto set = [&](unsigned index, std::uint32_t value) { gang.sgpr[index][slot] = value; };
  unsigned next = std::min(launch_.rsrc2 >> 1 & 31, 16u);
  if (launch_.rsrc2 >> 7 & 1) set(next++, owner.id.x);
  if (launch_.rsrc2 >> 8 & 1) set(next++, owner.id.y);
  if (launch_.rsrc2 >> 9 & 1) set(next++, owner.id.z);
  if (launch_.rsrc2 >> 10 & 1) set(next++, (items + lanes_ - 1) / lanes_ | (wave == 0 ? 1u << 31 : 0));
  if (items - wave_first < lanes_) {
    const auto lanes_in = [&](std::uint32_t first) -> std::uint32_t {
      const std::uint32_t left = items > first ? items - first : 0;
      return left >= kLanes ? ~0u : (1u << left) - 1;
    };
    set(kRowExecLo, lanes_in(wave_first));
    set(kRowExecHi, lanes_ == 64 ? lanes_in(wave_first + kLanes) : 0);
  }
  if (launch_.scratch_wave_bytes) {
    const std::uint64_t number = batch.scratch_slot + group * waves_per_group_ + wave;
    const std::uint64_t scratch = launch_.scratch_base + number * launch_.scratch_wave_bytes;
    set(kRowScratchLo, static_cast<std::uint32_t>(scratch));
    set(kRowScratchHi, static_cast<std::uint32_t>(scratch >> 32));
  }

  std::uint32_t* ids = row(&gang, Gang::vgpr_offset(0)) + slot * kLanes;
  const std::uint32_t first = wave_first + half * kLanes;
  if (dims.y == 1 && dims.z == 1) {
    for (unsigned lane = 0; lane < kLanes; ++lane) ids[lane] = first + lane;
  } else {
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
  gang.lds[slot] = batch.lds.data() + static_cast<std::size_t>(group) * lds_bytes_;
  gang.group_of[slot] = group;
  gang.wave_of[slot] = wave;
  gang.pc[slot] = launch_.entry;
  gang.state[slot] = SlotState::ready;
  gang.live |= 1u << slot;
  ++owner.live;
}

void LaunchRun::recycle(std::unique_ptr<Batch> batch) {
  for (const auto& gang : batch->gangs) executed_.fetch_add(gang->executed, std::memory_order_relaxed);
  const std::lock_guard lock(engine_.batch_mutex);
  if (launch_.scratch_wave_bytes)
    free_scratch_.push_back(batch->scratch_slot / (groups_per_batch() * waves_per_group_));
  engine_.batches.push_back(std::move(batch));
}

/// Gives the batch this turn's view of memory; cached translations stay only if the map has not changed.
void LaunchRun::attach(Batch& batch) {
  if (batch.map_user == turn_number_) return;
  const bool same = batch.map_user != 0 && batch.map_generation == map_generation_;
  batch.map_user = turn_number_;
  batch.map_generation = map_generation_;
  for (auto& gang : batch.gangs) {
    gang->map = map_;
    if (same) continue;
    for (CachedRange& range : gang->ranges) range = CachedRange{};
    gang->code_constants = CachedRange{};
  }
}

void LaunchRun::run_gang(Gang& gang, std::int64_t& left) {
#if defined(__SSE__)
  const unsigned host_mxcsr = _mm_getcsr();
#endif
  const std::uint64_t before = gang.executed;
  gang.stop = Stop::none;
  apply_mode(&gang, launch_.rsrc1 >> 12 & 0xff);
  gang.turn = std::min(left, kSlice);
  gang.fuse = gang.fuse_length = 1;  // nothing of the turn is used yet
  if (const Record* record = choose(&gang)) {
#ifdef MOCKGPU_TAIL_CALLS
    record->run(record, &gang);
#else
    while (record) record = record->run(record, &gang);
#endif
  }
#if defined(__SSE__)
  _mm_setcsr(host_mxcsr);
#endif
  const std::uint64_t used = gang.executed - before;
  left -= static_cast<std::int64_t>(used);
  since_group_.fetch_add(used, std::memory_order_relaxed);
}

LaunchRun::Step LaunchRun::run_batch(Batch& batch, std::int64_t& left) {
  attach(batch);
  std::int64_t slice = std::min(left, kSlice);
  const std::int64_t before = slice;
  Step step = Step::stuck;
  bool ran = true;
  while (ran && slice > 0 && batch.live_groups()) {
    ran = false;
    const auto count = static_cast<unsigned>(batch.gangs.size());
    if (engine_.options.seed) batch.first_gang = static_cast<unsigned>(random_() % count);
    const unsigned first = batch.first_gang;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned index = (first + i) % count;
      const auto& gang = batch.gangs[index];
      bool ready = false;
      for (unsigned s = 0; s < gang->slots; ++s) ready |= gang->state[s] == SlotState::ready;
      if (!ready) continue;
      run_gang(*gang, slice);
      ran = true;
      step = Step::ran;
      if (gang->stop == Stop::fault) {
        left -= before - slice;
        return Step::failed;
      }
      if (slice <= 0) {
        batch.first_gang = (index + 1) % count;
        break;
      }
    }
  }
  left -= before - slice;
  if (!batch.live_groups()) return Step::done;
  batch.stuck = step == Step::stuck;
  return step;
}

bool LaunchRun::hung() const {
  const Limits& limits = engine_.options.limits;
  if (!limits.hang_instructions) return false;
  std::uint64_t waves = 0;
  for (const auto& batch : resident_) {
    for (const auto& gang : batch->gangs) {
      for (unsigned s = 0; s < kSlots; ++s) waves += gang->live >> s & 1;
    }
  }
  const std::uint64_t limit =
      std::max(limits.hang_instructions,
               limits.hang_instructions_per_wave * std::max<std::uint64_t>(waves / slots_per_wave_, 1));
  return since_group_.load(std::memory_order_relaxed) > limit;
}

Progress LaunchRun::run_in_turns(std::int64_t& left) {
  const std::uint64_t seed = engine_.options.seed;
  while (true) {
    // While workgroups are left, a batch that used its slice makes place for a new one: workgroups that wait
    // for others do not starve them.
    const bool can_start = next_group_ < total_groups_ && resident_.size() < most_resident_;
    std::unique_ptr<Batch> batch;
    if (can_start && (seed == 0 || resident_.empty() || random_() % 2)) {
      const std::uint64_t end = std::min<std::uint64_t>(next_group_ + groups_per_batch(), total_groups_);
      batch = make_batch(next_group_, end);
      next_group_ = end;
    } else if (!resident_.empty()) {
      if (!can_start &&
          std::all_of(resident_.begin(), resident_.end(), [](const auto& b) { return b->stuck; })) {
        fail(describe_hang(*this, resident_, since_group_));
        return Progress::failed;
      }
      if (seed) std::swap(resident_.front(), resident_[random_() % resident_.size()]);
      batch = std::move(resident_.front());
      resident_.pop_front();
    } else {
      return Progress::done;
    }
    std::int64_t slice = left;
    if (seed) slice = std::min<std::int64_t>(left, 1 + static_cast<std::int64_t>(random_() % 256));
    const std::int64_t before = slice;
    const Step step = run_batch(*batch, slice);
    left -= before - slice;
    if (step == Step::done) {
      recycle(std::move(batch));
    } else if (step == Step::failed) {
      fail_batch(*batch);
      recycle(std::move(batch));
      return Progress::failed;
    } else {
      resident_.push_back(std::move(batch));
    }
    if (hung()) {
      fail(describe_hang(*this, resident_, since_group_));
      return Progress::failed;
    }
    if (left <= 0) return Progress::running;
  }
}

void LaunchRun::fail_batch(Batch& batch) {
  for (const auto& gang : batch.gangs) {
    if (gang->stop == Stop::fault) {
      fail(describe_fault(*gang, *this, outcome_));
      return;
    }
  }
}

/// Takes work for one worker: a batch that an earlier turn left, or a range of workgroups. False if there is
/// none.
bool LaunchRun::take_work(const std::atomic<std::int64_t>& left, std::unique_ptr<Batch>& batch,
                          std::uint64_t& next, std::uint64_t& end) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t failed = failed_group_;
  // After a failure, only workgroups in front of the first failed one still matter: the report must not
  // depend on timing.
  if (left.load(std::memory_order_relaxed) <= 0 && failed == ~0ull) return false;
  while (!resident_.empty()) {
    batch = std::move(resident_.front());
    resident_.pop_front();
    if (batch->groups.front().linear < failed) return true;
    batch.reset();
  }
  if (next_group_ >= total_groups_ || next_group_ >= failed) return false;
  const std::uint64_t batches = total_groups_ / groups_per_batch() / (engine_.options.threads * 16ull);
  const std::uint64_t chunk = std::clamp<std::uint64_t>(batches, 1, kLargestShare) * groups_per_batch();
  next = next_group_;
  end = next_group_ = std::min(next + chunk, total_groups_);
  return true;
}

/// Runs a batch until it is done, failed, or the turn is over.
void LaunchRun::work_on(std::unique_ptr<Batch> batch, std::atomic<std::int64_t>& left) {
  const std::uint64_t first = batch->groups.front().linear;
  while (true) {
    std::int64_t slice = kSlice;
    const Step step = run_batch(*batch, slice);
    left.fetch_sub(kSlice - slice, std::memory_order_relaxed);
    if (step == Step::done) break;
    const std::lock_guard lock(mutex_);
    if (first > failed_group_) break;
    if (step == Step::ran && !hung()) {
      if (left.load(std::memory_order_relaxed) > 0 || failed_group_ != ~0ull) continue;
      resident_.push_back(std::move(batch));
      return;
    }
    failed_group_ = first;
    if (step == Step::failed) {
      fail_batch(*batch);
      break;
    }
    resident_.push_front(std::move(batch));
    fail(describe_hang(*this, resident_, since_group_));
    return;
  }
  recycle(std::move(batch));
}

void LaunchRun::work(std::atomic<std::int64_t>& left) {
  try {
    std::unique_ptr<Batch> batch;
    std::uint64_t next = 0, end = 0;
    while (take_work(left, batch, next, end)) {
      if (batch) work_on(std::move(batch), left);
      while (next < end && next < failed_group_) {
        const std::uint64_t stop = std::min<std::uint64_t>(next + groups_per_batch(), end);
        work_on(make_batch(next, stop), left);
        next = stop;
      }
    }
  } catch (Error& error) {
    const std::lock_guard lock(mutex_);
    failed_group_ = 0;
    fail(std::move(error));
  }
}

Progress LaunchRun::run_in_parallel(std::int64_t& left) {
  if (!engine_.workers) engine_.workers = std::make_unique<Workers>(engine_.options.threads - 1);
  std::atomic<std::int64_t> shared{left};
  const std::function<void()> job = [&] { work(shared); };
  engine_.workers->run(job);
  left = shared.load();
  if (outcome_.error) return Progress::failed;
  if (resident_.empty() && next_group_ == total_groups_) return Progress::done;
  if (hung()) {
    fail(describe_hang(*this, resident_, since_group_));
    return Progress::failed;
  }
  return Progress::running;
}

Progress LaunchRun::finish(Progress progress) {
  if (progress != Progress::running) {
    for (auto& batch : resident_) recycle(std::move(batch));
    resident_.clear();
    free_scratch_.clear();
    scratch_batches_ = 0;
  }
  outcome_.wave_instructions = executed_.load();
  for (const auto& batch : resident_) {
    for (const auto& gang : batch->gangs) outcome_.wave_instructions += gang->executed;
  }
  outcome_.groups = finished_groups_.load();
  map_ = nullptr;
  return progress;
}

Progress LaunchRun::run(std::uint64_t budget) {
  if (outcome_.error) return Progress::failed;
  const AddressSpace::Pin pin(engine_.memory);
  map_ = &*pin;
  map_generation_ = pin.generation();
  turn_number_ = ++engine_.turns;
  if (!begun_) {
    begun_ = true;
    if (!check_launch()) return finish(Progress::failed);
    if (total_groups_ == 0) return finish(Progress::done);
    code_ = &engine_.cache(*launch_.target);
    const CodeBlock* block = code_->enter(*map_, launch_.entry, !launch_.wave32, number_);
    if (!block) {
      outcome_.fault_address = launch_.entry;
      fail(Error(Tag::memory_fault,
                 fmt::format("instruction fetch at {:#x}, which is not mapped as code", launch_.entry),
                 {{"near", map_->describe(launch_.entry)}}));
      return finish(Progress::failed);
    }
    if (block->vgprs > vgpr_rows_) {
      fail(Error(Tag::bad_packet, fmt::format("code that names v{} in a launch with {} vector registers",
                                              block->vgprs - 1, vgpr_rows_)));
      return finish(Progress::failed);
    }
    entry_block_ = block;
    make_scalars(*block);
    const unsigned by_registers = kVectorRegistersPerSimd / vgpr_rows_ * kSimds / slots_per_wave_;
    unsigned waves = std::min(kMostResidentWaves, by_registers);
    if (launch_.scratch_wave_bytes) waves = std::min(waves, launch_.scratch_waves);
    most_resident_ = std::max<std::size_t>(waves / (waves_per_group_ * groups_per_batch()), 1);
    const std::uint64_t batches = (total_groups_ + groups_per_batch() - 1) / groups_per_batch();
    parallel_ = engine_.options.threads > 1 && !engine_.options.seed && !engine_.options.observer &&
                batches >= kParallelBatches && (!block->ordered || engine_.options.force_parallel) &&
                most_resident_ >= engine_.options.threads;
  }
  std::int64_t left = budget && budget < static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                          ? static_cast<std::int64_t>(budget)
                          : std::numeric_limits<std::int64_t>::max();
  try {
    return finish(parallel_ ? run_in_parallel(left) : run_in_turns(left));
  } catch (Error& error) {
    fail(std::move(error));
    return finish(Progress::failed);
  }
}

}  // namespace mockgpu::emu::amd
