#include <fmt/format.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <vector>

#include "emu/amd/kfd.h"
#include "emu/host/device_file.h"
#include "emu/memory/guard.h"

namespace mockgpu::emu::amd {
namespace kfd = isa::amd::kfd;

namespace {

constexpr std::uint64_t kPage = 0x1000;
/// Where the mmap offsets of a render node begin: the offsets of a device's memfd, above any that a client
/// makes up.
constexpr std::uint64_t kFirstMmapOffset = 0x1'0000'0000;
constexpr std::uint64_t kLastVa = 0x7fff'ffff'ffff;

/// Whether the client has memory at every page, so that pinning it works.
bool is_client_memory(std::uint64_t address, std::uint64_t size) {
  constexpr std::size_t kPages = 4096;
  std::array<unsigned char, kPages> resident;
  for (std::uint64_t done = 0; done < size; done += kPages * kPage) {
    const std::uint64_t part = std::min<std::uint64_t>(size - done, kPages * kPage);
    if (mincore(reinterpret_cast<void*>(address + done), part, resident.data()) != 0) return false;
  }
  return true;
}

/// The u32 ids of a MAP or UNMAP request.
int read_ids(std::uint64_t pointer, std::uint32_t count, std::vector<std::uint32_t>& ids) {
  constexpr std::uint32_t kMost = 4096;
  if (count > kMost) return -ENOMEM;
  ids.resize(count);
  return copy_from_client(ids.data(), pointer, count * sizeof(ids[0])) ? 0 : -EFAULT;
}

}  // namespace

int Kfd::alloc_memory(void* args) {
  auto& request = *static_cast<kfd::AllocMemoryOfGpuArgs*>(args);
  if (request.size == 0) return -EINVAL;
  const std::lock_guard lock(mutex_);
  DeviceState* state = find(request.gpu_id);
  if (!state) return -EINVAL;
  if (state->render_number == kNoNumber) return -ENODEV;
  const std::uint32_t domain = request.flags & (kfd::kAllocVram | kfd::kAllocGtt | kfd::kAllocUserptr);
  if ((request.flags & kfd::kAllocDoorbell) && request.size != kfd::kDoorbellBytes) return -EINVAL;
  if (!(request.flags & kfd::kAllocDoorbell) && (request.flags & kfd::kAllocMmioRemap)) {
    return request.size == kPage ? -ENOMEM : -EINVAL;  // as on a board without remapped registers
  }
  if (domain == 0 && !(request.flags & kfd::kAllocDoorbell)) return -EINVAL;
  if (request.size > kLastVa) return -ENOMEM;
  drop_closed_dmabufs();

  BufferObject object;
  object.device = state->device;
  object.va = request.va_addr;
  object.flags = request.flags;
  object.size = (request.size / object.copies() + kPage - 1) & ~(kPage - 1);
  if (object.size == 0) return -EINVAL;
  if (object.in_heap()) {
    Heap& heap = state->device->heap();
    const auto part = (request.flags & kfd::kAllocVram) ? Heap::Part::vram : Heap::Part::gtt;
    const auto offset = heap.allocate(part, object.size);
    if (!offset) return -ENOMEM;
    object.memory = std::make_shared<HeapPart>(heap, *offset, object.size);
    object.host = object.memory->host();
    object.mmap_offset = kFirstMmapOffset + *offset;
  } else if (object.is_userptr()) {
    if (request.mmap_offset == 0 || request.mmap_offset % kPage) return -EINVAL;
    if (!is_client_memory(request.mmap_offset, object.size)) return -EFAULT;
    object.host = reinterpret_cast<std::byte*>(request.mmap_offset);
    object.mmap_offset = request.mmap_offset;
  } else {  // doorbells: clients map them through /dev/kfd
    object.mmap_offset = kfd::mmap_offset(kfd::MmapType::doorbell, request.gpu_id);
  }
  request.mmap_offset = object.mmap_offset;
  request.handle = add_object(*state, std::move(object));
  if (objects_.at(request.handle).in_heap()) mmaps_[{state->device, request.mmap_offset}] = request.handle;
  return 0;
}

std::uint64_t Kfd::add_object(DeviceState& state, BufferObject object) {
  object.handle = std::uint64_t{state.device->gpu_id()} << 32 | state.next_handle++;
  const std::uint64_t handle = object.handle;
  objects_[handle] = std::move(object);
  return handle;
}

int Kfd::free_memory(void* args) {
  const auto& request = *static_cast<kfd::FreeMemoryOfGpuArgs*>(args);
  const std::lock_guard lock(mutex_);
  // Interrupts write to the event page as long as the process lives.
  if (event_page_handle_ != 0 && request.handle == event_page_handle_) return -EPERM;
  BufferObject* object = find_object(request.handle);
  if (!object) return -EINVAL;
  if (!object->mapped.empty()) return -EBUSY;
  if (object->in_heap()) mmaps_.erase({object->device, object->mmap_offset});
  objects_.erase(request.handle);
  drop_closed_dmabufs();
  return 0;
}

int Kfd::map_object(BufferObject& object, Device& device) {
  if (object.mapped.count(&device)) return 0;
  const unsigned copies = object.copies();
  if (object.va % kPage || object.va > kLastVa + 1 - object.size * copies) return -EINVAL;
  MappedRange range;
  range.host = object.host;
  range.rights = kRead;
  if (object.flags & kfd::kAllocWritable) range.rights |= kWrite;
  if (object.flags & kfd::kAllocExecutable) range.rights |= kExecute;
  range.allocation = static_cast<std::uint32_t>(object.handle);
  range.of_client = object.is_userptr();
  if (!object.host) {
    range.rights = 0;
    range.name = "doorbells, which this machine's GPUs cannot ring";
  }
  if (range.of_client) Guard::arm();
  for (unsigned copy = 0; copy < copies; ++copy) {
    range.begin = object.va + copy * object.size;
    range.end = range.begin + object.size;
    if (device.memory().map(range)) continue;
    if (copy > 0) device.memory().unmap(object.va);
    return -EINVAL;  // overlaps another mapping
  }
  object.mapped.insert(&device);
  return 0;
}

int Kfd::unmap_object(BufferObject& object, Device& device) {
  if (object.mapped.empty()) return -EINVAL;
  if (!object.mapped.count(&device)) return 0;
  if (object.held.count(&device)) return -EBUSY;  // a queue uses it
  object.mapped.erase(&device);
  unmap_ranges(object, device);
  return 0;
}

void Kfd::unmap_ranges(const BufferObject& object, Device& device) {
  for (unsigned copy = 0; copy < object.copies(); ++copy)
    device.memory().unmap(object.va + copy * object.size);
}

bool Kfd::is_visible(std::uint32_t flags) { return (flags & (kfd::kAllocGtt | kfd::kAllocPublic)) != 0; }

void Kfd::client_unmaps(std::uint64_t address, std::uint64_t size) {
  if (scheduler_.forked()) return;
  const std::lock_guard lock(mutex_);
  for (const auto& [handle, object] : objects_) {
    const auto host = reinterpret_cast<std::uint64_t>(object.host);
    if (!object.is_userptr() || address >= host + object.size || host >= address + size) continue;
    // The allocation stays, as with the driver; only its pages are gone.
    for (Device* device : object.mapped) unmap_ranges(object, *device);
  }
}

int Kfd::map_memory(void* args) {
  auto& request = *static_cast<kfd::MapMemoryToGpuArgs*>(args);
  if (request.n_devices == 0 || request.n_success > request.n_devices) return -EINVAL;
  std::vector<std::uint32_t> ids;
  if (const int result = read_ids(request.device_ids_array_ptr, request.n_devices, ids)) return result;
  const std::lock_guard lock(mutex_);
  DeviceState* owner = find(static_cast<std::uint32_t>(request.handle >> 32));
  if (!owner) return -EINVAL;
  if (owner->render_number == kNoNumber) return -ENODEV;
  BufferObject* object = find_object(request.handle);
  if (!object) return -ENOMEM;
  for (std::uint32_t i = request.n_success; i < request.n_devices; ++i) {
    DeviceState* state = find(ids[i]);
    if (!state) return -EINVAL;
    if (state->render_number == kNoNumber) return -ENODEV;
    if (const int result = map_object(*object, *state->device)) return result;
    request.n_success = i + 1;
  }
  return 0;
}

int Kfd::unmap_memory(void* args) {
  auto& request = *static_cast<kfd::UnmapMemoryFromGpuArgs*>(args);
  if (request.n_devices == 0 || request.n_success > request.n_devices) return -EINVAL;
  std::vector<std::uint32_t> ids;
  if (const int result = read_ids(request.device_ids_array_ptr, request.n_devices, ids)) return result;
  const std::lock_guard lock(mutex_);
  if (!find(static_cast<std::uint32_t>(request.handle >> 32))) return -EINVAL;
  BufferObject* object = find_object(request.handle);
  if (!object) return -ENOMEM;
  for (std::uint32_t i = request.n_success; i < request.n_devices; ++i) {
    DeviceState* state = find(ids[i]);
    if (!state) return -EINVAL;
    if (const int result = unmap_object(*object, *state->device)) return result;
    request.n_success = i + 1;
  }
  return 0;
}

int Kfd::mmap_render(Device& device, int number, void* address, std::size_t length, int protection, int flags,
                     std::uint64_t offset, runtime::Mapping& mapping) {
  if (const int result = planned_fault("mmap")) return result;
  const std::lock_guard lock(mutex_);
  const auto found = mmaps_.find({&device, offset});
  if (found == mmaps_.end()) return -EINVAL;
  const BufferObject& object = objects_.at(found->second);
  if (length == 0 || length > object.size) return -EINVAL;
  // Only the file whose VM was acquired may map its memory.
  if (find(device.gpu_id())->render_number != number) return -EACCES;
  // The vendor's library reserves invisible video memory with an inaccessible private mapping.
  if (!is_visible(object.flags) && protection != PROT_NONE) return -EPERM;
  void* data = ::mmap(address, length, protection, flags, object.memory->descriptor(),
                      static_cast<off_t>(object.memory->offset()));
  if (data == MAP_FAILED) return -errno;
  mapping = {static_cast<std::byte*>(data), length, &hook_};
  return 0;
}

}  // namespace mockgpu::emu::amd
