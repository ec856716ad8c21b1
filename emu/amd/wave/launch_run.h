#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

#include "emu/amd/wave/batch.h"
#include "emu/amd/wave/code_block.h"
#include "emu/amd/wave/launch.h"
#include "emu/amd/wave/observed.h"
#include "emu/amd/wave/workers.h"

namespace mockgpu::emu::amd {

/// What all launches of an engine share.
struct EngineState {
  Engine::Options options;
  const LaneKernels* kernels = nullptr;
  std::vector<std::unique_ptr<CodeCache>> caches;  ///< one per target
  std::vector<std::unique_ptr<LaunchRun>> idle;    ///< finished, for reuse
  std::vector<std::unique_ptr<Batch>> batches;     ///< free, for reuse
  std::mutex batch_mutex;
  std::unique_ptr<Workers> workers;  ///< made at the first launch that can use them
  unsigned running = 0;
  std::uint64_t launches = 0;
  std::uint64_t turns = 0;

  CodeCache& cache(const isa::amd::Target& target);
};

/// One launch in progress.
class LaunchRun final : public Engine::Execution {
 public:
  explicit LaunchRun(EngineState& engine);
  ~LaunchRun() override;

  void begin(const Launch& launch);
  Progress run(std::uint64_t budget, const AddressSpace::Pin& pin) override;
  const Outcome& outcome() const override { return outcome_; }

  const Launch& launch() const { return launch_; }
  EngineState& engine() { return engine_; }
  const Engine::Options& options() const { return engine_.options; }
  const AddressMap& map() const { return *map_; }
  std::uint64_t number() const { return number_; }
  CodeCache& code() { return *code_; }
  Observed& observed() { return *observed_; }

  /// Called by control flow when the last slot of a workgroup has ended.
  void group_ended() {
    count(finished_groups_, 1);
    since_group_.store(0, std::memory_order_relaxed);
  }

 private:
  enum class Step : std::uint8_t { ran, done, stuck, failed };

  /// Adds to a counter that workers share.
  void count(std::atomic<std::uint64_t>& counter, std::uint64_t more) {
    if (parallel_) {
      counter.fetch_add(more, std::memory_order_relaxed);
    } else {
      counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
    }
  }
  /// The free batches and scratch slots are the caller's alone while it holds this.
  std::unique_lock<std::mutex> lock_batches() {
    return parallel_ ? std::unique_lock(engine_.batch_mutex) : std::unique_lock<std::mutex>();
  }

  // launch_setup.cpp: from registers to waves.
  bool check_launch();
  void plan(const CodeBlock& block);
  void make_scalars(const CodeBlock& block);
  Dim3 group_id(std::uint64_t linear) const;
  Dim3 group_dims(const Dim3& id) const;
  std::unique_ptr<Batch> make_batch(std::uint64_t first, std::uint64_t limit);
  void fill_gang(Batch& batch, Gang& gang, unsigned first_slot);
  void begin_waves(Gang& gang);
  void fill_slots(Batch& batch, Gang& gang, unsigned slot, unsigned end, unsigned group, unsigned in_group);

  void fail(Error error);
  void recycle(std::unique_ptr<Batch> batch);
  void attach(Batch& batch);
  Step run_batch(Batch& batch, std::int64_t& left);
  void run_gang(Gang& gang, std::int64_t& left);
  bool hung() const;

  Progress run_in_turns(std::int64_t& left);
  Progress run_in_parallel(std::int64_t& left);
  void work(std::atomic<std::int64_t>& left);
  void work_on(std::unique_ptr<Batch> batch, std::atomic<std::int64_t>& left);
  bool take_work(const std::atomic<std::int64_t>& left, std::unique_ptr<Batch>& batch, std::uint64_t& next,
                 std::uint64_t& end);
  void fail_batch(Batch& batch);
  void stop_waves(Batch& batch);
  Progress finish(Progress progress);

  EngineState& engine_;
  Launch launch_;
  Outcome outcome_;
  CodeCache* code_ = nullptr;
  const AddressMap* map_ = nullptr;
  std::uint64_t map_generation_ = 0;
  std::uint64_t turn_number_ = 0;
  std::uint64_t number_ = 0;
  bool begun_ = false;
  bool parallel_ = false;

  unsigned lanes_ = 32, lanes_log2_ = 5;
  unsigned slots_per_wave_ = 1;
  unsigned gang_slots_ = kSlots;
  unsigned waves_per_group_ = 0;  ///< of a full group
  unsigned slots_per_group_ = 0;  ///< likewise
  unsigned groups_per_batch_ = 1;
  unsigned user_scalars_ = 0;  ///< s0.. that the launch gives; the workgroup's id follows
  std::uint32_t vgpr_rows_ = 0;
  std::uint32_t zero_rows_ = 0;    ///< vector registers that the code can read: cleared for every gang
  std::uint32_t scalar_rows_ = 0;  ///< likewise s0..
  const CodeBlock* entry_block_ = nullptr;
  alignas(64) std::uint32_t scalars_[kRowCount][kSlots]{};  ///< initial scalars that all waves share
  std::uint32_t lds_bytes_ = 0;
  std::uint64_t groups_x_ = 0, groups_y_ = 0, total_groups_ = 0;
  std::size_t most_resident_ = 1;

  std::deque<std::unique_ptr<Batch>> resident_;
  std::vector<std::uint32_t> free_scratch_;
  std::uint32_t scratch_batches_ = 0;  ///< batches that have scratch: slots are dealt per batch
  std::mutex mutex_;                   ///< resident_, outcome_ while workers run
  std::uint64_t next_group_ = 0;
  std::atomic<std::uint64_t> finished_groups_{0};
  std::atomic<std::uint64_t> since_group_{0};
  std::atomic<std::uint64_t> executed_{0};
  std::atomic<std::uint64_t> failed_group_{~0ull};  ///< first workgroup of the first batch that failed
  std::mt19937_64 random_;
  std::unique_ptr<Observed> observed_;  ///< made at the first launch that is observed
};

/// Builds the error for what stopped a gang (report.cpp).
Error describe_fault(const Gang& gang, LaunchRun& run, Outcome& outcome);

/// Builds the error of a launch that makes no progress: every resident wave, where it is and what it waits
/// for.
Error describe_hang(LaunchRun& run, const std::deque<std::unique_ptr<Batch>>& resident,
                    std::uint64_t instructions);

}  // namespace mockgpu::emu::amd
