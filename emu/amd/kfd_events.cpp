#include <fmt/format.h>

#include <cerrno>
#include <vector>

#include "emu/amd/kfd.h"
#include "emu/host/device_file.h"

namespace mockgpu::emu::amd {
namespace kfd = isa::amd::kfd;

int Kfd::create_event(void* args) {
  auto& request = *static_cast<kfd::CreateEventArgs*>(args);
  if (request.event_type > kfd::kEventMemory) return -EINVAL;
  const bool needs_page =
      request.event_type == kfd::kEventSignal || request.event_type == kfd::kEventDebugEvent;
  const std::lock_guard lock(mutex_);
  if (request.event_page_offset != 0) {
    if (event_page_handle_ != 0) return -EINVAL;
    BufferObject* object = find_object(request.event_page_offset);
    if (!object || !object->in_heap() || object->size < kfd::kEventPageBytes) return -EINVAL;
    events_.set_page(reinterpret_cast<std::uint64_t*>(object->host));
    event_page_handle_ = object->handle;
  }
  if (needs_page && !events_.has_page()) {
    reports_.finding(Error(Tag::unsupported,
                           "AMDKFD_IOC_CREATE_EVENT without an event page of the client's is not supported"));
    return -EINVAL;
  }
  const int result = events_.create(request);
  if (result == 0 && needs_page) {
    request.event_page_offset = std::uint64_t{static_cast<unsigned>(kfd::MmapType::events)}
                                << kfd::kMmapTypeShift;
  }
  return result;
}

int Kfd::destroy_event(void* args) {
  return events_.destroy(static_cast<kfd::DestroyEventArgs*>(args)->event_id);
}
int Kfd::set_event(void* args) { return events_.set(static_cast<kfd::SetEventArgs*>(args)->event_id); }
int Kfd::reset_event(void* args) { return events_.reset(static_cast<kfd::ResetEventArgs*>(args)->event_id); }

int Kfd::wait_events(void* args) {
  auto& request = *static_cast<kfd::WaitEventsArgs*>(args);
  constexpr std::uint32_t kMost = 1 << 16;
  if (request.num_events > kMost) return -ENOMEM;
  std::vector<kfd::EventData> events(request.num_events);
  const std::size_t size = events.size() * sizeof(events[0]);
  if (!copy_from_client(events.data(), request.events_ptr, size)) return -EFAULT;
  const bool with_ages = version_.minor >= 14;
  const int result =
      events_.wait(events, request.wait_for_all != 0, request.timeout, with_ages, request.wait_result);
  if (result == 0 && request.wait_result == kfd::kWaitComplete &&
      !copy_to_client(request.events_ptr, events.data(), size)) {
    return -EFAULT;
  }
  return result;
}

}  // namespace mockgpu::emu::amd
