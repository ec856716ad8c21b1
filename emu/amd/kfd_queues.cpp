#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <vector>

#include "emu/amd/compute_queue.h"
#include "emu/amd/kfd.h"
#include "emu/amd/sdma_queue.h"
#include "emu/host/device_file.h"

namespace mockgpu::emu::amd {
namespace kfd = isa::amd::kfd;

namespace {

constexpr std::uint64_t kQueuePage = 0x1000;
constexpr std::uint32_t kLeastRing = 1024;        // smaller rings are enlarged
constexpr std::uint32_t kMostQueues = 1024;       // of a process
constexpr std::uint32_t kMostDeviceQueues = 127;  // of a process on one device, under the hardware scheduler
constexpr std::uint32_t kEopBytes = 4096;
constexpr std::uint32_t kMostCuMaskBits = 1024;
constexpr std::uint64_t kUserEnd = 0x7fff'ffff'f000;  // of user space on x86-64
constexpr int kNotSupported = 524;                    // ENOTSUPP of the kernel, which libc does not name

constexpr bool is_power_of_two(std::uint32_t value) { return (value & (value - 1)) == 0; }

/// The percentage proper; bits [15:8] choose an XCC.
constexpr std::uint32_t percentage_of(std::uint32_t value) { return value & 0xff; }

/// The kernel's access_ok for a word: it looks at the address only, not at what is mapped there.
constexpr bool is_user_address(std::uint64_t address) { return address <= kUserEnd - 8; }

constexpr bool is_sdma(std::uint32_t type) {
  return type != kfd::kQueueTypeCompute && type != kfd::kQueueTypeComputeAql;
}

int check_ring(std::uint64_t address, std::uint32_t& size, std::uint32_t percentage, std::uint32_t priority) {
  if (percentage_of(percentage) > kfd::kMaxQueuePercentage || priority > kfd::kMaxQueuePriority)
    return -EINVAL;
  if (address != 0 && !is_user_address(address)) return -EFAULT;
  if (!is_power_of_two(size)) return -EINVAL;
  if (size < kLeastRing) size = kLeastRing;
  return 0;
}

}  // namespace

BufferObject* Kfd::find_buffer(Device& device, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t start = address & ~(kQueuePage - 1);
  for (auto& [handle, object] : objects_) {
    if (object.va == start && object.mapped.count(&device) && (size == 0 || object.size == size))
      return &object;
  }
  return nullptr;
}

int Kfd::find_queue_buffers(Device& device, const kfd::CreateQueueArgs& args, QueueEntry& entry) {
  const auto find_one = [&](std::string_view what, std::uint64_t address, std::uint64_t size) {
    BufferObject* object = find_buffer(device, address, size);
    if (object) {
      entry.held.push_back(object->handle);
    } else {
      note(fmt::format("CREATE_QUEUE: {}: no allocation of {:#x} bytes at {:#x}", what, size, address));
    }
    return object;
  };
  if (!find_one("write pointer", args.write_pointer_address, kQueuePage) ||
      !find_one("read pointer", args.read_pointer_address, kQueuePage) ||
      args.write_pointer_address % 8 != 0 || args.read_pointer_address % 8 != 0) {
    return -EINVAL;
  }
  const BufferObject* ring =
      args.ring_base_address % kQueuePage == 0
          ? find_buffer(device, args.ring_base_address, args.ring_size & ~(kQueuePage - 1))
          : nullptr;
  if (!ring) {
    note(fmt::format("CREATE_QUEUE: no allocation of {:#x} bytes at the ring's address", args.ring_size));
    return -EINVAL;
  }
  entry.ring = ring->handle;
  if (is_sdma(args.queue_type)) return 0;
  if (args.eop_buffer_address != 0 &&
      (args.eop_buffer_size != kEopBytes || !find_one("EOP buffer", args.eop_buffer_address, kEopBytes))) {
    return -EINVAL;
  }
  const SaveAreaSizes sizes = save_area_sizes(device.model());
  if (args.ctl_stack_size != sizes.control_stack || args.ctx_save_restore_size < sizes.save) {
    note(fmt::format("CREATE_QUEUE: ctl_stack_size must be {:#x} and ctx_save_restore_size at least {:#x}",
                     sizes.control_stack, sizes.save));
    return -EINVAL;
  }
  entry.control_stack = sizes.control_stack;
  const std::uint64_t debug_bytes = sizes.buffer - sizes.save;
  const std::uint64_t save_bytes =
      (args.ctx_save_restore_size + debug_bytes + kQueuePage - 1) & ~(kQueuePage - 1);
  return find_one("save area", args.ctx_save_restore_address, save_bytes) ? 0 : -EINVAL;
}

void Kfd::hold(QueueEntry& entry, Device& device) {
  objects_.at(entry.ring).held.insert(&device);
  for (const std::uint64_t handle : entry.held) objects_.at(handle).held.insert(&device);
}

void Kfd::release(const QueueEntry& entry, Device& device) {
  const auto give_back = [&](std::uint64_t handle) {
    std::multiset<Device*>& held = objects_.at(handle).held;
    held.erase(held.find(&device));
  };
  give_back(entry.ring);
  for (const std::uint64_t handle : entry.held) give_back(handle);
}

int Kfd::create_queue(void* args) {
  auto& request = *static_cast<kfd::CreateQueueArgs*>(args);
  if (const int result = check_ring(request.ring_base_address, request.ring_size, request.queue_percentage,
                                    request.queue_priority)) {
    return result;
  }
  for (const std::uint64_t address : {request.read_pointer_address, request.write_pointer_address,
                                      request.eop_buffer_address, request.ctx_save_restore_address}) {
    if (!is_user_address(address)) return -EFAULT;
  }
  const std::uint32_t last_type =
      version_.minor >= 17 ? kfd::kQueueTypeSdmaByEngineId : kfd::kQueueTypeSdmaXgmi;
  if (request.queue_type > last_type) return -kNotSupported;
  const std::lock_guard lock(mutex_);
  DeviceState* state = find(request.gpu_id);
  if (!state) return -EINVAL;
  if (state->render_number == kNoNumber) return -ESRCH;
  Device& device = *state->device;
  const Model& model = device.model();
  if (request.queue_type == kfd::kQueueTypeComputeAql) {
    reports_.finding(Error(Tag::unsupported, "AMDKFD_IOC_CREATE_QUEUE: AQL queues are not supported"));
    return -ENOTTY;
  }
  if (request.queue_type == kfd::kQueueTypeSdmaByEngineId &&
      request.sdma_engine_id >= model.sdma_engines + model.sdma_xgmi_engines) {
    return -EINVAL;
  }
  QueueEntry entry;
  if (const int result = find_queue_buffers(device, request, entry)) return result;
  if (state->queues >= kMostDeviceQueues) return -ENOSPC;
  std::uint32_t id = 0;
  while (queues_.count(id)) ++id;
  if (id >= kMostQueues) return -ENOMEM;
  const bool sdma = is_sdma(request.queue_type), xgmi = request.queue_type == kfd::kQueueTypeSdmaXgmi;
  if (sdma && (xgmi ? state->xgmi_queues >= model.sdma_xgmi_engines * model.sdma_queues_per_engine
                    : state->sdma_queues >= model.sdma_engines * model.sdma_queues_per_engine)) {
    return -ENOMEM;
  }
  const auto slot = device.doorbells().take();
  if (!slot) return -EBUSY;

  QueueSetup setup;
  setup.id = id;
  setup.ring = request.ring_base_address;
  setup.ring_bytes = request.ring_size;
  setup.read_pointer = request.read_pointer_address;
  setup.write_pointer = request.write_pointer_address;
  setup.doorbell = &device.doorbells().value(*slot);
  entry.state = state;
  entry.doorbell = *slot;
  entry.type = request.queue_type;
  if (sdma) {
    entry.queue = std::make_unique<SdmaQueue>(setup, device.memory(), scheduler_, device);
    ++(xgmi ? state->xgmi_queues : state->sdma_queues);
  } else {
    entry.queue =
        std::make_unique<ComputeQueue>(setup, device.memory(), scheduler_, device, device.engine(), model);
  }
  ++state->queues;
  hold(entry, device);
  entry.queue->observe(observer_);
  entry.active = percentage_of(request.queue_percentage) > 0 && request.ring_base_address != 0;
  entry.queue->set_enabled(entry.active);
  scheduler_.add(*entry.queue);
  queues_[id] = std::move(entry);
  request.queue_id = id;
  request.doorbell_offset = kfd::mmap_offset(kfd::MmapType::doorbell, device.gpu_id()) | *slot * 8;
  return 0;
}

int Kfd::update_queue(void* args) {
  auto& request = *static_cast<kfd::UpdateQueueArgs*>(args);
  if (const int result = check_ring(request.ring_base_address, request.ring_size, request.queue_percentage,
                                    request.queue_priority)) {
    return result;
  }
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(request.queue_id);
  if (found == queues_.end()) return -EFAULT;
  QueueEntry& entry = found->second;
  Device& device = *entry.state->device;
  if (request.ring_base_address != 0) {
    const BufferObject* ring =
        request.ring_base_address % kQueuePage == 0
            ? find_buffer(device, request.ring_base_address, request.ring_size & ~(kQueuePage - 1))
            : nullptr;
    if (!ring) return -EFAULT;
    release(entry, device);
    entry.ring = ring->handle;
    hold(entry, device);
  }
  // A null ring is the other way to stop a queue.
  entry.active = percentage_of(request.queue_percentage) > 0 && request.ring_base_address != 0;
  scheduler_.between_turns([&] {
    if (request.ring_base_address != 0) entry.queue->move_ring(request.ring_base_address, request.ring_size);
    entry.queue->set_enabled(entry.active);
  });
  scheduler_.kick();
  return 0;
}

int Kfd::destroy_queue(void* args) {
  const auto& request = *static_cast<kfd::DestroyQueueArgs*>(args);
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(request.queue_id);
  if (found == queues_.end()) return -EINVAL;
  QueueEntry& entry = found->second;
  DeviceState& state = *entry.state;
  scheduler_.remove(*entry.queue);
  // Its dispatches in flight go back to the engine, which a turn of another queue may be using.
  scheduler_.between_turns([&] { entry.queue.reset(); });
  state.device->doorbells().give_back(entry.doorbell);
  release(entry, *state.device);
  --state.queues;
  if (is_sdma(entry.type)) --(entry.type == kfd::kQueueTypeSdmaXgmi ? state.xgmi_queues : state.sdma_queues);
  if (entry.gws) state.has_gws = false;
  queues_.erase(found);
  return 0;
}

int Kfd::set_cu_mask(void* args) {
  const auto& request = *static_cast<kfd::SetCuMaskArgs*>(args);
  if (request.num_cu_mask == 0 || request.num_cu_mask % 32 != 0) return -EINVAL;
  std::vector<std::uint32_t> mask(std::min(request.num_cu_mask, kMostCuMaskBits) / 32);
  if (!copy_from_client(mask.data(), request.cu_mask_ptr, mask.size() * sizeof(mask[0]))) return -EFAULT;
  const std::lock_guard lock(mutex_);
  if (!queues_.count(request.queue_id)) return -EFAULT;
  // The two CUs of a workgroup processor are enabled together. All of them are alike here, so a mask that the
  // driver takes changes nothing that can be seen.
  for (const std::uint32_t word : mask) {
    for (unsigned pair = 0; pair < 32; pair += 2) {
      const std::uint32_t cus = word >> pair & 3;
      if (cus != 0 && cus != 3) return -EINVAL;
    }
  }
  return 0;
}

int Kfd::get_queue_wave_state(void* args) {
  auto& request = *static_cast<kfd::GetQueueWaveStateArgs*>(args);
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(request.queue_id);
  if (found == queues_.end()) return -EFAULT;
  const QueueEntry& entry = found->second;
  if (is_sdma(entry.type) || entry.active) return -EINVAL;  // only of a stopped compute queue
  bool has_waves = false;
  scheduler_.between_turns(
      [&] { has_waves = static_cast<const ComputeQueue&>(*entry.queue).has_dispatches(); });
  if (has_waves) return kLacks;  // the form in which hardware saves waves is not modelled
  // The start of the save area's header: an empty control stack and no saved waves behind it.
  const std::uint32_t header[4] = {static_cast<std::uint32_t>(entry.control_stack), 0,
                                   static_cast<std::uint32_t>(entry.control_stack), 0};
  request.ctl_stack_used_size = 0;
  request.save_area_used_size = 0;
  return copy_to_client(request.ctl_stack_address, header, sizeof header) ? 0 : -EFAULT;
}

int Kfd::alloc_queue_gws(void* args) {
  auto& request = *static_cast<kfd::AllocQueueGwsArgs*>(args);
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(request.queue_id);
  if (found == queues_.end()) return -EINVAL;
  QueueEntry& entry = found->second;
  const bool wanted = request.num_gws != 0;
  if (wanted && entry.state->has_gws) return -EBUSY;  // one queue of a process
  if (!wanted && !entry.state->has_gws) return -EINVAL;
  entry.state->has_gws = wanted;
  entry.gws = wanted;
  request.first_gws = 0;
  return 0;
}

}  // namespace mockgpu::emu::amd
