#include "emu/amd/kfd.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <time.h>

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

/// Bases of the apertures in 64-bit addresses, gfx9 and later; each is 4 GiB long.
constexpr std::uint64_t kLdsBase = 0x1'0000'0000'0000, kScratchBase = 0x2'0000'0000'0000;
constexpr std::uint64_t kApertureSize = 0x1'0000'0000;
constexpr std::uint64_t kGpuvmBase = 0x100'0000, kGpuvmLimit = 0x7fff'ffff'ffff;

constexpr std::uint64_t kMmapTypeMask = std::uint64_t{3} << kfd::kMmapTypeShift;
constexpr std::uint64_t kMmapGpuMask = std::uint64_t{0xffff} << kfd::kMmapGpuIdShift;

/// Numbers that only vendors' drivers outside the mainline kernel use.
constexpr std::uint32_t kFirstOutOfTree = 0x80;

std::uint64_t clock_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

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
    case IoctlRequest::kNr.get(kfd::kUpdateQueue): return {&Kfd::update_queue, 0};
    case IoctlRequest::kNr.get(kfd::kSetMemoryPolicy): return {&Kfd::set_memory_policy, 0};
    case IoctlRequest::kNr.get(kfd::kGetClockCounters): return {&Kfd::get_clock_counters, 0};
    case IoctlRequest::kNr.get(kfd::kGetProcessAperturesNew): return {&Kfd::get_process_apertures_new, 0};
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
    case IoctlRequest::kNr.get(kfd::kAcquireVm): return {&Kfd::acquire_vm, 0};
    case IoctlRequest::kNr.get(kfd::kAllocMemoryOfGpu): return {&Kfd::alloc_memory, 0};
    case IoctlRequest::kNr.get(kfd::kFreeMemoryOfGpu): return {&Kfd::free_memory, 0};
    case IoctlRequest::kNr.get(kfd::kMapMemoryToGpu): return {&Kfd::map_memory, 0};
    case IoctlRequest::kNr.get(kfd::kUnmapMemoryFromGpu): return {&Kfd::unmap_memory, 0};
    case IoctlRequest::kNr.get(kfd::kSetXnackMode): return {&Kfd::set_xnack_mode, 5};
    case IoctlRequest::kNr.get(kfd::kAvailableMemory): return {&Kfd::available_memory, 9};
    case IoctlRequest::kNr.get(kfd::kRuntimeEnable): return {&Kfd::runtime_enable, 13};
    default: return {};
  }
}

int Kfd::ioctl(unsigned long request, void* argument) {
  const int result = run(request, argument);
  if (Observer* const observer = observer_.load(std::memory_order_acquire)) {
    const isa::amd::IoctlInfo* info = kfd::find_ioctl(static_cast<std::uint32_t>(request));
    IoctlEvent event;
    event.name = info ? info->name : "ioctl";
    event.request = request;
    event.arguments = argument;
    event.result = result < 0 ? -1 : 0;
    event.error = result < 0 ? -result : 0;
    observer->ioctl(event);
  }
  if (result < 0) {
    const isa::amd::IoctlInfo* info = kfd::find_ioctl(static_cast<std::uint32_t>(request));
    note(fmt::format("{} ({:#x}): {}", info ? info->name : "ioctl", request, std::strerror(-result)));
  }
  scheduler_.memory_written();  // an ioctl may be what a blocked queue waits for
  return result;
}

int Kfd::run(unsigned long request, void* argument) {
  const auto word = static_cast<std::uint32_t>(request);
  const Entry found = entry(IoctlRequest::kNr.get(word));
  if (!found.handler || version_.minor < found.since_minor) return refuse(request, argument);
  if (!argument) return -EFAULT;
  // As the kernel does: the client's struct may be shorter (older) or longer than ours.
  const isa::amd::IoctlInfo* info = kfd::find_ioctl(word);
  const std::size_t theirs = IoctlRequest::kSize.get(word), ours = info ? info->size() : theirs;
  alignas(8) std::array<std::byte, 512> args{};
  if (ours > args.size()) return -EINVAL;
  std::memcpy(args.data(), argument, std::min(theirs, ours));
  int result = 0;
  try {
    result = (this->*found.handler)(args.data());
  } catch (Error& error) {  // the host refused: no memory, or a level that it cannot run
    result = error.tag() == Tag::out_of_memory ? -ENOMEM : -EIO;
    reports_.finding(std::move(error));
  }
  if (IoctlRequest::kDirection.get(word) & IoctlRequest::kRead) {
    std::memcpy(argument, args.data(), std::min(theirs, ours));
  }
  return result;
}

/// A request without a handler: either the real driver of this version has none, or ours is missing.
int Kfd::refuse(unsigned long request, const void* argument) {
  const auto word = static_cast<std::uint32_t>(request);
  const isa::amd::IoctlInfo* info = kfd::find_ioctl(word);
  const std::uint32_t number = IoctlRequest::kNr.get(word);
  const bool out_of_tree = number >= kFirstOutOfTree;
  const bool newer = (number == IoctlRequest::kNr.get(kfd::kExportDmabuf) && version_.minor < 12) ||
                     (number >= IoctlRequest::kNr.get(kfd::kRuntimeEnable) && version_.minor < 13) ||
                     entry(number).since_minor > version_.minor;
  if (!info || newer || out_of_tree ||
      IoctlRequest::kType.get(word) != static_cast<std::uint8_t>(kfd::kIoctlType))
    return -ENOTTY;
  Error report(Tag::unsupported,
               fmt::format("{} (/dev/kfd number {:#x}) is not supported", info->name, number));
  const std::size_t size = IoctlRequest::kSize.get(word);
  if (argument && size > 0) {
    const std::span bytes(static_cast<const std::byte*>(argument), size);
    report.add("call", kfd::format_ioctl(word, bytes, {}, false));
    std::string hex;
    for (const std::byte byte : bytes) hex += fmt::format("{:02x} ", static_cast<unsigned>(byte));
    report.add("bytes", hex);
  }
  reports_.finding(std::move(report));
  return -ENOTTY;
}

void Kfd::note(std::string message) { reports_.note(Error(Tag::bad_request, std::move(message))); }

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
  const std::lock_guard lock(mutex_);
  const auto type = static_cast<kfd::MmapType>((offset & kMmapTypeMask) >> kfd::kMmapTypeShift);
  if (type == kfd::MmapType::events) {
    note("mmap of the event page: the client gave its own page");
    return -EINVAL;
  }
  if (type != kfd::MmapType::doorbell) {
    reports_.finding(Error(Tag::unsupported,
                           fmt::format("mmap of /dev/kfd at {:#x}: only doorbells are supported", offset)));
    return -EINVAL;
  }
  DeviceState* state = find(static_cast<std::uint32_t>((offset & kMmapGpuMask) >> kfd::kMmapGpuIdShift));
  if (!state || state->device->doorbells().descriptor() < 0) return -ENODEV;
  if (length != kfd::kDoorbellBytes || (offset & ~(kMmapTypeMask | kMmapGpuMask)) != 0) return -EINVAL;
  Doorbells& doorbells = state->device->doorbells();
  void* data = ::mmap(address, length, protection, flags, doorbells.descriptor(), 0);
  if (data == MAP_FAILED) return -errno;
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

// ---- Process ----

int Kfd::get_version(void* args) {
  auto& version = *static_cast<kfd::GetVersionArgs*>(args);
  version.major_version = version_.major;
  version.minor_version = version_.minor;
  return 0;
}

int Kfd::get_process_apertures_new(void* args) {
  auto& request = *static_cast<kfd::GetProcessAperturesNewArgs*>(args);
  if (request.num_of_nodes == 0) {
    request.num_of_nodes = static_cast<std::uint32_t>(devices_.size());
    return 0;
  }
  std::vector<kfd::ProcessDeviceApertures> apertures(
      std::min<std::size_t>(request.num_of_nodes, devices_.size()));
  for (std::size_t i = 0; i < apertures.size(); ++i) {
    kfd::ProcessDeviceApertures& entry = apertures[i];
    entry = {};
    entry.lds_base = kLdsBase;
    entry.lds_limit = kLdsBase + kApertureSize - 1;
    entry.scratch_base = kScratchBase;
    entry.scratch_limit = kScratchBase + kApertureSize - 1;
    entry.gpuvm_base = kGpuvmBase;
    entry.gpuvm_limit = kGpuvmLimit;
    entry.gpu_id = devices_[i]->gpu_id();
  }
  request.num_of_nodes = static_cast<std::uint32_t>(apertures.size());
  return copy_to_client(request.kfd_process_device_apertures_ptr, apertures.data(),
                        apertures.size() * sizeof(apertures[0]))
             ? 0
             : -EFAULT;
}

int Kfd::get_clock_counters(void* args) {
  auto& clocks = *static_cast<kfd::GetClockCountersArgs*>(args);
  const bool known = std::any_of(devices_.begin(), devices_.end(),
                                 [&](const Device* device) { return device->gpu_id() == clocks.gpu_id; });
  clocks.gpu_clock_counter = known ? scheduler_.clock() : 0;  // node 0 has no GPU
  clocks.cpu_clock_counter = clock_ns(CLOCK_MONOTONIC_RAW);
  clocks.system_clock_counter = clock_ns(CLOCK_BOOTTIME);
  clocks.system_clock_freq = 1'000'000'000;
  return 0;
}

int Kfd::acquire_vm(void* args) {
  const auto& acquire = *static_cast<kfd::AcquireVmArgs*>(args);
  const std::lock_guard lock(mutex_);
  const auto number = static_cast<int>(acquire.drm_fd);
  const auto file = render_files_.find(number);
  DeviceState* state = find(acquire.gpu_id);
  if (file == render_files_.end() || !state) return -EINVAL;
  if (state->render_number != kNoNumber) return state->render_number == number ? 0 : -EBUSY;
  if (file->second != state->device) return -EINVAL;
  state->render_number = number;
  return 0;
}

int Kfd::set_memory_policy(void* args) {
  const auto& policy = *static_cast<kfd::SetMemoryPolicyArgs*>(args);
  if (policy.default_policy > 1 || policy.alternate_policy > 1) return -EINVAL;
  const std::lock_guard lock(mutex_);
  DeviceState* state = find(policy.gpu_id);
  if (!state) return -EINVAL;
  return state->render_number == kNoNumber ? -ESRCH : 0;  // memory is coherent under every policy
}

int Kfd::set_scratch_backing_va(void* args) {
  const auto& scratch = *static_cast<kfd::SetScratchBackingVaArgs*>(args);
  const std::lock_guard lock(mutex_);
  DeviceState* state = find(scratch.gpu_id);
  if (!state) return -EINVAL;
  return state->render_number == kNoNumber ? -ENODEV
                                           : 0;  // gfx11 takes the base from COMPUTE_DISPATCH_SCRATCH_BASE
}

int Kfd::set_xnack_mode(void* args) {
  auto& mode = *static_cast<kfd::SetXnackModeArgs*>(args);
  const std::lock_guard lock(mutex_);
  if (mode.xnack_enabled < 0) {
    mode.xnack_enabled = 0;
    return 0;
  }
  if (!queues_.empty()) return -EBUSY;
  return mode.xnack_enabled > 0 ? -EPERM : 0;
}

int Kfd::available_memory(void* args) {
  auto& memory = *static_cast<kfd::GetAvailableMemoryArgs*>(args);
  const std::lock_guard lock(mutex_);
  DeviceState* state = find(memory.gpu_id);
  if (!state) return -EINVAL;
  memory.available = state->device->heap().available(Heap::Part::vram);
  return 0;
}

int Kfd::runtime_enable(void* args) {
  auto& enable = *static_cast<kfd::RuntimeEnableArgs*>(args);
  const std::lock_guard lock(mutex_);
  constexpr std::uint32_t kEnable = 1;
  if (!(enable.mode_mask & kEnable)) {
    runtime_enabled_ = false;
    return 0;
  }
  if (runtime_enabled_) return -EBUSY;
  runtime_enabled_ = true;
  enable.capabilities_mask = 0;
  return 0;
}

int Kfd::not_permitted(void*) { return -EPERM; }

}  // namespace mockgpu::emu::amd
