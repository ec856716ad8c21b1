#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "emu/amd/events.h"
#include "emu/amd/model.h"
#include "emu/amd/queue.h"
#include "emu/amd/smi_events.h"
#include "emu/amd/wave/launch.h"
#include "emu/host/heap.h"
#include "emu/observe/report.h"
#include "runtime/io/mmio.h"

namespace mockgpu::emu::amd {

/// The doorbells of one device: two pages with a slot of 8 bytes for each queue. A write stores the value and
/// kicks the scheduler.
class Doorbells final : public runtime::MmioHook {
 public:
  static constexpr std::size_t kSlots = 1024;

  Doorbells(Scheduler& scheduler, ReportLog& reports);
  ~Doorbells() override;
  Doorbells(const Doorbells&) = delete;
  Doorbells& operator=(const Doorbells&) = delete;

  /// A free slot, its value 0; nothing when all are taken.
  std::optional<std::size_t> take();
  void give_back(std::size_t slot);
  const std::atomic<std::uint64_t>& value(std::size_t slot) const { return slots_[slot].value; }
  /// The memory that clients map, made at the first call; negative when the host has none.
  int descriptor();

  void written(std::size_t offset, unsigned size, std::uint64_t value) override;

 private:
  struct Slot {
    std::atomic<std::uint64_t> value{0};
    std::atomic<bool> taken{false};
  };

  Scheduler& scheduler_;
  ReportLog& reports_;
  int descriptor_ = -1;
  std::array<Slot, kSlots> slots_{};
};

/// One GPU of the machine: its memory, address space, engine and doorbells, and where its queues report to.
class Device final : public QueueHost {
 public:
  struct Setup {
    const Model* model = nullptr;
    std::uint32_t gpu_id = 0;
    std::uint32_t render_minor = 128;
    std::uint64_t vram_bytes = 0;
    Engine::Options engine;  ///< `interrupt` and `clock` are filled in here
  };

  Device(const Setup& setup, Scheduler& scheduler, EventTable& events, ReportLog& reports);
  ~Device() override;

  const Model& model() const { return *setup_.model; }
  std::uint32_t gpu_id() const { return setup_.gpu_id; }
  std::uint32_t render_minor() const { return setup_.render_minor; }
  std::uint64_t vram_bytes() const { return setup_.vram_bytes; }

  AddressSpace& memory() { return memory_; }
  Doorbells& doorbells() { return doorbells_; }
  SmiEvents& smi_events() { return smi_events_; }
  /// Created at first use, by the thread that holds the process's lock.
  Heap& heap();
  Engine& engine();
  /// Tells `observer` what waves execute from now on; null ends that. Not while a launch is in progress.
  void observe(Observer* observer);

  void interrupt(std::uint32_t context) override;
  void memory_fault(const MemoryFault& fault, Error report) override;
  void queue_error(Error report) override;
  std::uint32_t next_dispatch() override { return dispatches_.fetch_add(1, std::memory_order_relaxed); }

 private:
  Setup setup_;
  Scheduler& scheduler_;
  EventTable& events_;
  ReportLog& reports_;
  AddressSpace memory_;
  Doorbells doorbells_;
  SmiEvents smi_events_;
  std::unique_ptr<Heap> heap_;
  std::unique_ptr<Engine> engine_;
  std::atomic<std::uint32_t> dispatches_{1};
};

}  // namespace mockgpu::emu::amd
