#include "emu/amd/kfd.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>

#include "emu/host/device_file.h"

namespace mockgpu::emu::amd {
namespace kfd = isa::amd::kfd;
using isa::amd::IoctlRequest;

namespace {

constexpr std::size_t kPageBytes = 0x1000;
constexpr std::uint64_t kMmapTypeMask = std::uint64_t{3} << kfd::kMmapTypeShift;
constexpr std::uint64_t kMmapGpuMask = std::uint64_t{0xffff} << kfd::kMmapGpuIdShift;

}  // namespace

Kfd::Kfd(std::vector<Device*> devices, Version version, Scheduler& scheduler, EventTable& events,
         ReportLog& reports)
    : devices_(std::move(devices)),
      version_(version),
      scheduler_(scheduler),
      events_(events),
      reports_(reports),
      hook_(scheduler) {
  for (Device* device : devices_) {
    DeviceState state;
    state.device = device;
    states_.push_back(state);
  }
}

Kfd::~Kfd() {
  for (auto& [id, entry] : queues_) scheduler_.remove(*entry.queue);
  for (Device* device : devices_) device->smi_events().process_ends(tells_processes());
  if (event_page_) ::munmap(event_page_, kfd::kEventPageBytes);
  if (event_page_file_ >= 0) close(event_page_file_);
}

void Kfd::observe(Observer* observer) {
  const std::lock_guard lock(mutex_);
  scheduler_.between_turns([&] {
    observer_ = observer;
    for (auto& [id, entry] : queues_) entry.queue->observe(observer);
  });
}

Kfd::Entry Kfd::entry(std::uint32_t number) {
  switch (number) {
    case IoctlRequest::kNr.get(kfd::kGetVersion): return {&Kfd::get_version, 0};
    case IoctlRequest::kNr.get(kfd::kCreateQueue): return {&Kfd::create_queue, 0};
    case IoctlRequest::kNr.get(kfd::kDestroyQueue): return {&Kfd::destroy_queue, 0};
    case IoctlRequest::kNr.get(kfd::kSetMemoryPolicy): return {&Kfd::set_memory_policy, 0};
    case IoctlRequest::kNr.get(kfd::kGetClockCounters): return {&Kfd::get_clock_counters, 0};
    case IoctlRequest::kNr.get(kfd::kGetProcessApertures): return {&Kfd::get_process_apertures, 0};
    case IoctlRequest::kNr.get(kfd::kUpdateQueue): return {&Kfd::update_queue, 0};
    case IoctlRequest::kNr.get(kfd::kCreateEvent): return {&Kfd::create_event, 0};
    case IoctlRequest::kNr.get(kfd::kDestroyEvent): return {&Kfd::destroy_event, 0};
    case IoctlRequest::kNr.get(kfd::kSetEvent): return {&Kfd::set_event, 0};
    case IoctlRequest::kNr.get(kfd::kResetEvent): return {&Kfd::reset_event, 0};
    case IoctlRequest::kNr.get(kfd::kWaitEvents): return {&Kfd::wait_events, 0};
    case IoctlRequest::kNr.get(kfd::kDbgRegisterDeprecated):
    case IoctlRequest::kNr.get(kfd::kDbgUnregisterDeprecated):
    case IoctlRequest::kNr.get(kfd::kDbgAddressWatchDeprecated):
    case IoctlRequest::kNr.get(kfd::kDbgWaveControlDeprecated): return {&Kfd::not_permitted, 0};
    case IoctlRequest::kNr.get(kfd::kSetScratchBackingVa): return {&Kfd::set_scratch_backing_va, 0};
    case IoctlRequest::kNr.get(kfd::kGetTileConfig): return {&Kfd::get_tile_config, 0};
    case IoctlRequest::kNr.get(kfd::kSetTrapHandler): return {&Kfd::set_trap_handler, 0};
    case IoctlRequest::kNr.get(kfd::kGetProcessAperturesNew): return {&Kfd::get_process_apertures_new, 0};
    case IoctlRequest::kNr.get(kfd::kAcquireVm): return {&Kfd::acquire_vm, 0};
    case IoctlRequest::kNr.get(kfd::kAllocMemoryOfGpu): return {&Kfd::alloc_memory, 0};
    case IoctlRequest::kNr.get(kfd::kFreeMemoryOfGpu): return {&Kfd::free_memory, 0};
    case IoctlRequest::kNr.get(kfd::kMapMemoryToGpu): return {&Kfd::map_memory, 0};
    case IoctlRequest::kNr.get(kfd::kUnmapMemoryFromGpu): return {&Kfd::unmap_memory, 0};
    case IoctlRequest::kNr.get(kfd::kSetCuMask): return {&Kfd::set_cu_mask, 0};
    case IoctlRequest::kNr.get(kfd::kGetQueueWaveState): return {&Kfd::get_queue_wave_state, 0};
    case IoctlRequest::kNr.get(kfd::kGetDmabufInfo): return {&Kfd::get_dmabuf_info, 0};
    case IoctlRequest::kNr.get(kfd::kImportDmabuf): return {&Kfd::import_dmabuf, 0};
    case IoctlRequest::kNr.get(kfd::kAllocQueueGws): return {&Kfd::alloc_queue_gws, 0};
    case IoctlRequest::kNr.get(kfd::kSmiEvents): return {&Kfd::smi_events, 3};
    case IoctlRequest::kNr.get(kfd::kSvm): return {&Kfd::svm, 5};
    case IoctlRequest::kNr.get(kfd::kSetXnackMode): return {&Kfd::set_xnack_mode, 5};
    case IoctlRequest::kNr.get(kfd::kCriuOp): return {&Kfd::criu_op, 7};
    case IoctlRequest::kNr.get(kfd::kAvailableMemory): return {&Kfd::available_memory, 9};
    case IoctlRequest::kNr.get(kfd::kExportDmabuf): return {&Kfd::export_dmabuf, 12};
    case IoctlRequest::kNr.get(kfd::kRuntimeEnable): return {&Kfd::runtime_enable, 13};
    case IoctlRequest::kNr.get(kfd::kDbgTrap): return {&Kfd::dbg_trap, 13};
    default: return {};
  }
}

int Kfd::ioctl(unsigned long request, void* argument) {
  const isa::amd::IoctlInfo* info = kfd::find_ioctl(static_cast<std::uint32_t>(request));
  const std::string_view name = info ? info->name : "ioctl";
  if (scheduler_.forked()) {
    reports_.finding(Error(Tag::bad_request, fmt::format("{} by a forked child: only the process that opened "
                                                         "/dev/kfd may use it",
                                                         name)));
    return -EBADF;
  }
  const int result = run(request, argument);
  if (Observer* const observer = observer_.load(std::memory_order_acquire)) {
    IoctlEvent event;
    event.name = name;
    event.request = request;
    event.arguments = argument;
    event.result = result < 0 ? -1 : 0;
    event.error = result < 0 ? -result : 0;
    observer->ioctl(event);
  }
  if (result < 0) note(fmt::format("{} ({:#x}): {}", name, request, std::strerror(-result)));
  scheduler_.memory_written();  // an ioctl may be what a blocked queue waits for
  return result;
}

/// As kfd_ioctl does: the number alone tells what is meant; the client's struct may be shorter (older) or
/// longer than ours; and ours says in which directions it is copied.
int Kfd::run(unsigned long request, void* argument) {
  const auto word = static_cast<std::uint32_t>(request);
  const std::uint32_t number = IoctlRequest::kNr.get(word);
  const Entry found = entry(number);
  if (!found.handler || version_.minor < found.since_minor) return -ENOTTY;
  const isa::amd::IoctlInfo& info = *kfd::find_ioctl(IoctlRequest::make(0, kfd::kIoctlType, number, 0));
  if (const int result = planned_fault(info.name)) return result;
  const std::uint32_t own = info.request;
  const std::uint32_t direction = IoctlRequest::kDirection.get(own);
  alignas(8) std::array<std::byte, 512> args{};
  const std::size_t size = std::min<std::size_t>(IoctlRequest::kSize.get(word), IoctlRequest::kSize.get(own));
  const auto address = reinterpret_cast<std::uint64_t>(argument);
  if ((direction & IoctlRequest::kWrite) && !copy_from_client(args.data(), address, size)) return -EFAULT;
  int result = 0;
  try {
    result = (this->*found.handler)(args.data());
    if (result == kLacks) result = lacks(request, std::span(args).first(size));
  } catch (Error& error) {  // the host refused: no memory, or a level that it cannot run
    result = error.tag() == Tag::out_of_memory ? -ENOMEM : -EIO;
    reports_.finding(std::move(error));
  }
  if ((direction & IoctlRequest::kRead) && !copy_to_client(address, args.data(), size)) return -EFAULT;
  return result;
}

int Kfd::lacks(unsigned long request, std::span<const std::byte> argument) {
  const auto word = static_cast<std::uint32_t>(request);
  const std::uint32_t number = IoctlRequest::kNr.get(word);
  const std::uint32_t canonical =
      IoctlRequest::kType.replace(word, static_cast<std::uint8_t>(kfd::kIoctlType));
  Error report(Tag::unsupported, fmt::format("{} (/dev/kfd number {:#x}) is not supported",
                                             kfd::find_ioctl(canonical)->name, number));
  report.add("call", kfd::format_ioctl(canonical, argument, {}, false));
  std::string hex;
  for (const std::byte byte : argument) hex += fmt::format("{:02x} ", static_cast<unsigned>(byte));
  report.add("bytes", hex);
  reports_.finding(std::move(report));
  return -ENOTTY;
}

void Kfd::note(std::string message) { reports_.note(Error(Tag::bad_request, std::move(message))); }

int Kfd::planned_fault(std::string_view call) {
  const int result = plan_ ? plan_->next(call) : 0;
  if (result != 0) note(fmt::format("{}: a planned fault", call));
  return result;
}

Kfd::DeviceState* Kfd::find(std::uint32_t gpu_id) {
  for (DeviceState& state : states_) {
    if (state.device->gpu_id() == gpu_id) return &state;
  }
  return nullptr;
}

BufferObject* Kfd::find_object(std::uint64_t handle) {
  const auto found = objects_.find(handle);
  return found == objects_.end() ? nullptr : &found->second;
}

int Kfd::mmap_kfd(void* address, std::size_t length, int protection, int flags, std::uint64_t offset,
                  runtime::Mapping& mapping) {
  if (scheduler_.forked()) return -EBADF;
  if (const int result = planned_fault("mmap")) return result;
  const std::lock_guard lock(mutex_);
  const auto type = static_cast<kfd::MmapType>((offset & kMmapTypeMask) >> kfd::kMmapTypeShift);
  DeviceState* state = find(static_cast<std::uint32_t>((offset & kMmapGpuMask) >> kfd::kMmapGpuIdShift));
  switch (type) {
    case kfd::MmapType::events: return mmap_events(address, length, protection, flags, mapping);
    case kfd::MmapType::reserved_memory: return state ? -EINVAL : -ENODEV;  // only integrated GPUs have it
    case kfd::MmapType::mmio:
      if (!state) return -ENODEV;
      return length == kPageBytes ? -ENOMEM : -EINVAL;  // as on a board without remapped registers
    case kfd::MmapType::doorbell: break;
  }
  if (!state) return -ENODEV;
  if (length != kfd::kDoorbellBytes || (offset & ~(kMmapTypeMask | kMmapGpuMask)) != 0) return -EINVAL;
  Doorbells& doorbells = state->device->doorbells();
  if (doorbells.descriptor() < 0) return -ENOMEM;
  void* data = nullptr;
  if (!address && hints_) {
    data = hints_->map(length, protection, flags, doorbells.descriptor());
  } else {
    data = ::mmap(address, length, protection, flags, doorbells.descriptor(), 0);
    if (data == MAP_FAILED) data = nullptr;
  }
  if (!data) return -errno;
  mapping = {static_cast<std::byte*>(data), length, &doorbells};
  return 0;
}

void Kfd::render_opened(int number, Device& device) {
  const std::lock_guard lock(mutex_);
  render_files_[number] = &device;
}

void Kfd::render_closed(int number) {
  const std::lock_guard lock(mutex_);
  render_files_.erase(number);
  // An acquired VM keeps the file alive in the driver; only its number may be used again.
  for (DeviceState& state : states_) {
    if (state.render_number == number) state.render_number = kClosedNumber;
  }
}

}  // namespace mockgpu::emu::amd
