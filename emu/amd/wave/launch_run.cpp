#include "emu/amd/wave/launch_run.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "emu/amd/wave/control.h"
#include "emu/amd/wave/host_fault.h"

namespace mockgpu::emu::amd {
namespace {

/// Wave-instructions that a batch runs before others get their turn: long enough to amortise a change, short
/// enough that workgroups that wait for each other make progress.
constexpr std::int64_t kSlice = 200'000;
/// Most batches that a worker takes at once.
constexpr std::uint64_t kLargestShare = 64;

/// Runs the gang until it stops. Left by a jump when memory behind an access is gone.
void run_records(void* context) {
  auto* const gang = static_cast<Gang*>(context);
  const Record* record = choose(gang);
#ifdef MOCKGPU_TAIL_CALLS
  if (record) record->run(record, gang);
#else
  while (record) record = record->run(record, gang);
#endif
}

}  // namespace

LaunchRun::~LaunchRun() = default;

void LaunchRun::begin(const Launch& launch) {
  launch_ = launch;
  outcome_ = Outcome{};
  begun_ = false;
  next_group_ = 0;
  // No worker runs yet.
  failed_group_.store(~0ull, std::memory_order_relaxed);
  for (auto* counter : {&executed_, &finished_groups_, &since_group_})
    counter->store(0, std::memory_order_relaxed);
  number_ = ++engine_.launches;
  if (engine_.options.seed) random_.seed(engine_.options.seed + number_);
  if (engine_.options.observer) {
    if (!observed_) observed_ = std::make_unique<Observed>();
    observed_->clear();
  }
}

void LaunchRun::fail(Error error) {
  const bool told =
      std::any_of(error.facts().begin(), error.facts().end(), [](const Fact& f) { return f.name == "by"; });
  if (launch_.dispatch_number && !told) error.add("by", fmt::format("dispatch {}", launch_.dispatch_number));
  outcome_.error = std::move(error);
}

void LaunchRun::recycle(std::unique_ptr<Batch> batch) {
  for (const auto& gang : batch->gangs) count(executed_, gang->executed);
  const auto lock = lock_batches();
  if (launch_.scratch_wave_bytes)
    free_scratch_.push_back(batch->scratch_slot / (groups_per_batch_ * waves_per_group_));
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
  GangGuard guard(*map_, gang);
  if (!guard.run(run_records, &gang)) guard.report();
  if (engine_.options.observer) observed_->finish(*this);
#if defined(__SSE__)
  _mm_setcsr(host_mxcsr);
#endif
  const std::uint64_t used = gang.executed - before;
  left -= static_cast<std::int64_t>(used);
  count(since_group_, used);
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
  if (!limits.hang_instructions || since_group_.load(std::memory_order_relaxed) <= limits.hang_instructions)
    return false;
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
      const std::uint64_t end = std::min<std::uint64_t>(next_group_ + groups_per_batch_, total_groups_);
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

/// Tells the hook where the waves stand that have not ended.
void LaunchRun::stop_waves(Batch& batch) {
  if (!launch_.waves) return;
  for (const auto& gang : batch.gangs) {
    for (unsigned s = 0; s < gang->slots; s += slots_per_wave_) {
      if (gang->live >> s & 1) launch_.waves->wave_stops(WaveRegisters(*gang, s), false);
    }
  }
}

void LaunchRun::fail_batch(Batch& batch) {
  stop_waves(batch);
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
  const std::uint64_t batches = total_groups_ / groups_per_batch_ / (engine_.options.threads * 16ull);
  const std::uint64_t chunk = std::clamp<std::uint64_t>(batches, 1, kLargestShare) * groups_per_batch_;
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
        const std::uint64_t stop = std::min<std::uint64_t>(next + groups_per_batch_, end);
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
    while (!resident_.empty()) {
      stop_waves(*resident_.front());
      recycle(std::move(resident_.front()));
      resident_.pop_front();
    }
    free_scratch_.clear();
    scratch_batches_ = 0;
  }
  outcome_.wave_instructions = executed_.load(std::memory_order_relaxed);
  for (const auto& batch : resident_) {
    for (const auto& gang : batch->gangs) outcome_.wave_instructions += gang->executed;
  }
  outcome_.groups = finished_groups_.load(std::memory_order_relaxed);
  map_ = nullptr;
  return progress;
}

Progress LaunchRun::run(std::uint64_t budget, const AddressSpace::Pin& pin) {
  if (outcome_.error) return Progress::failed;
  map_ = &*pin;
  map_generation_ = pin.generation();
  turn_number_ = ++engine_.turns;
  if (!begun_) {
    begun_ = true;
    if (!check_launch()) return finish(Progress::failed);
    if (total_groups_ == 0) return finish(Progress::done);
    code_ = &engine_.cache(*launch_.target);
    const CodeBlock* block = code_->enter(*map_, launch_.entry, !launch_.wave32, number_, true);
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
    plan(*block);
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
