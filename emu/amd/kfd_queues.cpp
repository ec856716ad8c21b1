#include <fmt/format.h>

#include <cerrno>

#include "emu/amd/compute_queue.h"
#include "emu/amd/kfd.h"
#include "emu/amd/sdma_queue.h"

namespace mockgpu::emu::amd {
namespace kfd = isa::amd::kfd;

namespace {

constexpr std::uint64_t kPage = 0x1000;
constexpr std::uint32_t kLeastRing = 1024;  // smaller rings are enlarged
constexpr std::uint32_t kMostQueues = 1024;
constexpr std::uint32_t kEopBytes = 4096;
constexpr int kNotSupported = 524;  // ENOTSUPP of the kernel, which libc does not name

constexpr bool is_power_of_two(std::uint32_t value) { return (value & (value - 1)) == 0; }

/// The percentage proper; bits [15:8] choose an XCC.
constexpr std::uint32_t percentage_of(std::uint32_t value) { return value & 0xff; }

/// As the kernel looks up the buffers of a queue: a mapping that starts at the page of `address`; with a
/// size, one of exactly that size.
bool is_buffer(const AddressMap& map, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t start = address & ~(kPage - 1);
  const MappedRange* range = map.find(start);
  return range && range->begin == start && range->end - range->begin == size;
}

int check_ring(std::uint32_t& ring_size, std::uint32_t percentage, std::uint32_t priority) {
  if (percentage_of(percentage) > kfd::kMaxQueuePercentage || priority > kfd::kMaxQueuePriority)
    return -EINVAL;
  if (!is_power_of_two(ring_size)) return -EINVAL;
  if (ring_size < kLeastRing) ring_size = kLeastRing;
  return 0;
}

}  // namespace

int Kfd::check_queue_buffers(Device& device, const kfd::CreateQueueArgs& args, bool sdma) {
  const AddressSpace::Pin map(device.memory());
  if (!is_buffer(*map, args.write_pointer_address, kPage) ||
      !is_buffer(*map, args.read_pointer_address, kPage)) {
    note("CREATE_QUEUE: a pointer does not lie in a one-page allocation of its own");
    return -EINVAL;
  }
  if (args.write_pointer_address % 8 || args.read_pointer_address % 8) return -EINVAL;
  const std::uint64_t ring_bytes = (args.ring_size + kPage - 1) & ~(kPage - 1);
  if (args.ring_base_address % kPage || !is_buffer(*map, args.ring_base_address, ring_bytes)) {
    note(fmt::format("CREATE_QUEUE: no allocation of {:#x} bytes at the ring's address", ring_bytes));
    return -EINVAL;
  }
  if (sdma) return 0;
  if (args.eop_buffer_address != 0 &&
      (args.eop_buffer_size != kEopBytes || !is_buffer(*map, args.eop_buffer_address, kEopBytes))) {
    note("CREATE_QUEUE: the EOP buffer is not an allocation of 4096 bytes");
    return -EINVAL;
  }
  const SaveAreaSizes sizes = save_area_sizes(device.model());
  if (args.ctl_stack_size != sizes.control_stack || args.ctx_save_restore_size < sizes.save) {
    note(fmt::format("CREATE_QUEUE: ctl_stack_size must be {:#x} and ctx_save_restore_size at least {:#x}",
                     sizes.control_stack, sizes.save));
    return -EINVAL;
  }
  const std::uint64_t debug_bytes = sizes.buffer - sizes.save;
  const std::uint64_t save_bytes = (args.ctx_save_restore_size + debug_bytes + kPage - 1) & ~(kPage - 1);
  if (!is_buffer(*map, args.ctx_save_restore_address, save_bytes)) {
    note(fmt::format("CREATE_QUEUE: no allocation of {:#x} bytes at ctx_save_restore_address", save_bytes));
    return -EINVAL;
  }
  return 0;
}

int Kfd::create_queue(void* args) {
  auto& request = *static_cast<kfd::CreateQueueArgs*>(args);
  if (const int result = check_ring(request.ring_size, request.queue_percentage, request.queue_priority)) {
    return result;
  }
  if (request.queue_type > kfd::kQueueTypeSdmaByEngineId) return -kNotSupported;
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
  const bool sdma = request.queue_type != kfd::kQueueTypeCompute;
  if (request.queue_type == kfd::kQueueTypeSdmaByEngineId &&
      request.sdma_engine_id >= model.sdma_engines + model.sdma_xgmi_engines) {
    return -EINVAL;
  }
  if (const int result = check_queue_buffers(device, request, sdma)) return result;
  const bool xgmi = request.queue_type == kfd::kQueueTypeSdmaXgmi;
  if (sdma && (xgmi ? model.sdma_xgmi_engines == 0
                    : state->sdma_queues >= model.sdma_engines * model.sdma_queues_per_engine)) {
    return -ENOMEM;
  }
  std::uint32_t id = 0;
  while (queues_.count(id)) ++id;
  if (id >= kMostQueues) return -ENOMEM;
  const auto slot = device.doorbells().take();
  if (!slot) return -ENOMEM;

  QueueSetup setup;
  setup.id = id;
  setup.ring = request.ring_base_address;
  setup.ring_bytes = request.ring_size;
  setup.read_pointer = request.read_pointer_address;
  setup.write_pointer = request.write_pointer_address;
  setup.doorbell = &device.doorbells().value(*slot);
  QueueEntry& entry = queues_[id];
  entry.state = state;
  entry.doorbell = *slot;
  entry.sdma = sdma;
  if (sdma) {
    entry.queue = std::make_unique<SdmaQueue>(setup, device.memory(), scheduler_, device);
    ++state->sdma_queues;
  } else {
    entry.queue =
        std::make_unique<ComputeQueue>(setup, device.memory(), scheduler_, device, device.engine(), model);
  }
  entry.queue->observe(observer_);
  entry.queue->set_enabled(percentage_of(request.queue_percentage) > 0);
  scheduler_.add(*entry.queue);
  request.queue_id = id;
  request.doorbell_offset = std::uint64_t{3} << kfd::kMmapTypeShift |
                            std::uint64_t{device.gpu_id()} << kfd::kMmapGpuIdShift | *slot * 8;
  return 0;
}

int Kfd::update_queue(void* args) {
  auto& request = *static_cast<kfd::UpdateQueueArgs*>(args);
  if (const int result = check_ring(request.ring_size, request.queue_percentage, request.queue_priority)) {
    return result;
  }
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(request.queue_id);
  if (found == queues_.end()) return -EFAULT;
  scheduler_.between_turns([&] {
    Queue& queue = *found->second.queue;
    const bool enabled = percentage_of(request.queue_percentage) > 0 && request.ring_base_address != 0;
    if (request.ring_base_address != 0) queue.move_ring(request.ring_base_address, request.ring_size);
    queue.set_enabled(enabled);
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
  scheduler_.remove(*entry.queue);
  // Its dispatches in flight go back to the engine, which a turn of another queue may be using.
  scheduler_.between_turns([&] { entry.queue.reset(); });
  entry.state->device->doorbells().give_back(entry.doorbell);
  if (entry.sdma) --entry.state->sdma_queues;
  queues_.erase(found);
  return 0;
}

}  // namespace mockgpu::emu::amd
