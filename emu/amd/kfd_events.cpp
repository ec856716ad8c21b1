#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "emu/amd/kfd.h"
#include "emu/host/device_file.h"

namespace mockgpu::emu::amd {
namespace kfd = isa::amd::kfd;

int Kfd::create_event(void* args) {
  auto& request = *static_cast<kfd::CreateEventArgs*>(args);
  const bool needs_page =
      request.event_type == kfd::kEventSignal || request.event_type == kfd::kEventDebugEvent;
  const std::lock_guard lock(mutex_);
  if (request.event_page_offset != 0) {
    if (events_.has_page()) return -EINVAL;
    DeviceState* state = find(static_cast<std::uint32_t>(request.event_page_offset >> 32));
    if (!state) return -EINVAL;
    if (state->render_number == kNoNumber) return -ENODEV;
    BufferObject* object = find_object(request.event_page_offset);
    if (!object || !object->in_heap() || object->size < kfd::kEventPageBytes) return -EINVAL;
    events_.set_page(reinterpret_cast<std::uint64_t*>(object->host), kfd::kSignalEventLimit);
    event_page_handle_ = object->handle;
  }
  if (needs_page && !events_.has_page()) {
    if (const int result = make_event_page()) return result;
  }
  request.event_page_offset = 0;
  const int result = events_.create(request);
  if (result == 0 && needs_page) {
    request.event_page_offset = std::uint64_t{static_cast<unsigned>(kfd::MmapType::events)}
                                << kfd::kMmapTypeShift;
  }
  return result;
}

/// The driver's own page, for clients that hand over none. Until they have mapped it, it has few slots.
int Kfd::make_event_page() {
  constexpr std::uint32_t kUnmappedSlots = 256;
  const int file = memfd_create("mockgpu-events", MFD_CLOEXEC);
  if (file < 0) return -ENOMEM;
  void* page = MAP_FAILED;
  if (ftruncate(file, static_cast<off_t>(kfd::kEventPageBytes)) == 0) {
    page = ::mmap(nullptr, kfd::kEventPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (page == MAP_FAILED) {
    close(file);
    return -ENOMEM;
  }
  event_page_file_ = file;
  event_page_ = static_cast<std::byte*>(page);
  events_.set_page(reinterpret_cast<std::uint64_t*>(page), kUnmappedSlots);
  return 0;
}

int Kfd::mmap_events(void* address, std::size_t length, int protection, int flags,
                     runtime::Mapping& mapping) {
  if (length > kfd::kEventPageBytes || event_page_file_ < 0) return -EINVAL;
  void* data = ::mmap(address, length, protection, flags, event_page_file_, 0);
  if (data == MAP_FAILED) return -errno;
  events_.set_slot_count(static_cast<std::uint32_t>(length / sizeof(std::uint64_t)));
  mapping = {static_cast<std::byte*>(data), length, nullptr};
  return 0;
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
