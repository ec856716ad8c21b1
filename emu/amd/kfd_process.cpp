#include <time.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "emu/amd/kfd.h"
#include "emu/host/device_file.h"

// What a process asks of the driver beside memory, queues and events.
namespace mockgpu::emu::amd {
namespace kfd = isa::amd::kfd;

namespace {

/// Bases of the apertures in 64-bit addresses, gfx9 and later; each is 4 GiB long.
constexpr std::uint64_t kLdsBase = 0x1'0000'0000'0000, kScratchBase = 0x2'0000'0000'0000;
constexpr std::uint64_t kApertureSize = 0x1'0000'0000;
constexpr std::uint64_t kGpuvmBase = 0x100'0000, kGpuvmLimit = 0x7fff'ffff'ffff;

std::uint64_t clock_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

int Kfd::get_version(void* args) {
  auto& version = *static_cast<kfd::GetVersionArgs*>(args);
  version.major_version = version_.major;
  version.minor_version = version_.minor;
  return 0;
}

void Kfd::fill_apertures(const Device& device, kfd::ProcessDeviceApertures& entry) const {
  entry = {};
  entry.lds_base = kLdsBase;
  entry.lds_limit = kLdsBase + kApertureSize - 1;
  entry.scratch_base = kScratchBase;
  entry.scratch_limit = kScratchBase + kApertureSize - 1;
  entry.gpuvm_base = kGpuvmBase;
  entry.gpuvm_limit = kGpuvmLimit;
  entry.gpu_id = device.gpu_id();
}

int Kfd::get_process_apertures(void* args) {
  auto& answer = *static_cast<kfd::GetProcessAperturesArgs*>(args);
  answer = {};
  answer.num_of_nodes =
      static_cast<std::uint32_t>(std::min(devices_.size(), std::size(answer.process_apertures)));
  for (std::uint32_t i = 0; i < answer.num_of_nodes; ++i) {
    fill_apertures(*devices_[i], answer.process_apertures[i]);
  }
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
  for (std::size_t i = 0; i < apertures.size(); ++i) fill_apertures(*devices_[i], apertures[i]);
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
  state->device->smi_events().process_starts(tells_processes());
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
  drop_closed_dmabufs();
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
  if (!queues_.empty()) return -EEXIST;
  runtime_enabled_ = true;
  enable.capabilities_mask = 0;
  return 0;
}

int Kfd::get_tile_config(void* args) {
  auto& config = *static_cast<kfd::GetTileConfigArgs*>(args);
  const std::lock_guard lock(mutex_);
  DeviceState* state = find(config.gpu_id);
  if (!state) return -EINVAL;
  // Since gfx9 the driver keeps no tile modes: its tables are zero.
  constexpr std::uint32_t kModes[32] = {};
  constexpr std::uint32_t kMostModes = 32, kMostMacroModes = 16;
  config.gb_addr_config = state->device->model().gb_addr_config;
  config.num_banks = 0;
  config.num_ranks = 0;
  config.num_tile_configs = std::min(config.num_tile_configs, kMostModes);
  config.num_macro_tile_configs = std::min(config.num_macro_tile_configs, kMostMacroModes);
  const bool good =
      copy_to_client(config.tile_config_ptr, kModes, config.num_tile_configs * sizeof(kModes[0])) &&
      copy_to_client(config.macro_tile_config_ptr, kModes, config.num_macro_tile_configs * sizeof(kModes[0]));
  return good ? 0 : -EFAULT;
}

int Kfd::smi_events(void* args) {
  auto& request = *static_cast<kfd::SmiEventsArgs*>(args);
  const std::lock_guard lock(mutex_);
  DeviceState* state = find(request.gpuid);
  if (!state) return -EINVAL;
  const int number = state->device->smi_events().open();
  if (number < 0) return number;
  request.anon_fd = static_cast<std::uint32_t>(number);
  return 0;
}

int Kfd::set_trap_handler(void* args) {
  const auto& handler = *static_cast<kfd::SetTrapHandlerArgs*>(args);
  const std::lock_guard lock(mutex_);
  DeviceState* state = find(handler.gpu_id);
  if (!state) return -EINVAL;
  // It would only be entered by a trap or an exception, and each of them ends a queue with a report here.
  return state->render_number == kNoNumber ? -ESRCH : 0;
}

}  // namespace mockgpu::emu::amd
