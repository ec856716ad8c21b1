#include "emu/amd/device.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mockgpu::emu::amd {
namespace kfd = isa::amd::kfd;

Doorbells::Doorbells(Scheduler& scheduler, ReportLog& reports) : scheduler_(scheduler), reports_(reports) {}

Doorbells::~Doorbells() {
  if (descriptor_ >= 0) close(descriptor_);
}

int Doorbells::descriptor() {
  if (descriptor_ < 0) {
    descriptor_ = memfd_create("mockgpu-doorbells", MFD_CLOEXEC);
    if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(kfd::kDoorbellBytes)) != 0) {
      close(descriptor_);
      descriptor_ = -1;
    }
  }
  return descriptor_;
}

std::optional<std::size_t> Doorbells::take() {
  for (std::size_t i = 0; i < kSlots; ++i) {
    Slot& slot = slots_[i];
    if (slot.taken.load(std::memory_order_relaxed)) continue;
    slot.value.store(0);
    slot.taken.store(true);
    return i;
  }
  return std::nullopt;
}

void Doorbells::give_back(std::size_t slot) { slots_[slot].taken.store(false); }

void Doorbells::written(std::size_t offset, unsigned, std::uint64_t value) {
  const std::size_t index = offset / 8;
  const bool heard = index < kSlots && offset % 8 == 0 && slots_[index].taken.load(std::memory_order_relaxed);
  if (!heard || scheduler_.forked()) [[unlikely]] {
    reports_.finding(
        Error(Tag::bad_request,
              heard ? fmt::format("doorbell {:#x} written by a forked child: only the process that opened "
                                  "/dev/kfd may use its queues",
                                  offset)
                    : fmt::format("doorbell {:#x} written with {:#x}: no queue listens there, or it was "
                                  "destroyed",
                                  offset, value)));
    return;
  }
  slots_[index].value.store(value, std::memory_order_release);
  scheduler_.kick();
}

Device::Device(const Setup& setup, Scheduler& scheduler, EventTable& events, ReportLog& reports)
    : setup_(setup),
      scheduler_(scheduler),
      events_(events),
      reports_(reports),
      doorbells_(scheduler, reports),
      smi_events_(reports) {}

Device::~Device() = default;

Heap& Device::heap() {
  if (!heap_) {
    // The driver lets clients pin as much host memory as there is.
    const auto host = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * 0x1000;
    heap_ = std::make_unique<Heap>(setup_.vram_bytes & ~std::uint64_t{0xfff}, host);
  }
  return *heap_;
}

Engine& Device::engine() {
  if (!engine_) {
    Engine::Options options = setup_.engine;
    options.interrupt = [this](std::uint32_t m0) { interrupt(m0); };
    options.clock = [this] { return scheduler_.clock(); };
    engine_ = std::make_unique<Engine>(options);
  }
  return *engine_;
}

void Device::observe(Observer* observer) {
  setup_.engine.observer = observer;
  if (engine_) engine_->observe(observer);
}

void Device::interrupt(std::uint32_t context) { events_.interrupt(context); }

void Device::memory_fault(const MemoryFault& fault, Error report) {
  reports_.finding(std::move(report));  // first, so that a client that is woken finds it
  kfd::MemoryExceptionData data{};
  data.NotPresent = fault.present ? 0 : 1;
  data.ReadOnly = fault.present && fault.write ? 1 : 0;
  data.va = fault.address & ~std::uint64_t{0xfff};
  data.gpu_id = gpu_id();
  smi_events_.vm_fault();
  events_.memory_fault(data);
}

void Device::queue_error(Error report) {
  reports_.finding(std::move(report));
  kfd::HwExceptionData data{};
  data.reset_type = 0;
  data.reset_cause = 0;  // hang
  data.gpu_id = gpu_id();
  events_.hw_exception(data);
}

}  // namespace mockgpu::emu::amd
