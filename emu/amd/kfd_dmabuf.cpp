#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>

#include "emu/amd/kfd.h"
#include "emu/host/device_file.h"

// Memory that processes and devices share by descriptors.
namespace mockgpu::emu::amd {
namespace kfd = isa::amd::kfd;

int Kfd::find_dmabuf(int number, std::shared_ptr<Dmabuf>& found) const {
  if (fcntl(number, F_GETFD) < 0) return -EBADF;
  const auto mine = std::find_if(dmabufs_.begin(), dmabufs_.end(),
                                 [&](const std::shared_ptr<Dmabuf>& buffer) { return buffer->has(number); });
  if (mine == dmabufs_.end()) return -EINVAL;
  found = *mine;
  return 0;
}

void Kfd::drop_closed_dmabufs() {
  dmabufs_.erase(std::remove_if(dmabufs_.begin(), dmabufs_.end(),
                                [](const std::shared_ptr<Dmabuf>& buffer) { return !buffer->is_open(); }),
                 dmabufs_.end());
}

std::unique_ptr<runtime::File> Kfd::adopt_dmabuf(int number) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Dmabuf> buffer;
  if (find_dmabuf(number, buffer) != 0) return nullptr;
  return std::make_unique<DmabufFile>(*this, number);
}

int Kfd::mmap_dmabuf(int number, void* address, std::size_t length, int protection, int flags,
                     std::uint64_t offset, runtime::Mapping& mapping) {
  if (scheduler_.forked()) return -EBADF;
  if (const int result = planned_fault("mmap")) return result;
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Dmabuf> buffer;
  if (const int result = find_dmabuf(number, buffer)) return result;
  const HeapPart& memory = *buffer->memory();
  // The descriptor is as writable as the memory is for the GPU.
  if ((protection & PROT_WRITE) && (flags & MAP_SHARED) && !(buffer->flags() & kfd::kAllocWritable))
    return -EACCES;
  if (length == 0 || offset % 0x1000 != 0 || length > memory.size() || offset > memory.size() - length)
    return -EINVAL;
  if (!is_visible(buffer->flags()) && protection != PROT_NONE) return -EPERM;
  void* data = ::mmap(address, length, protection, flags, memory.descriptor(),
                      static_cast<off_t>(memory.offset() + offset));
  if (data == MAP_FAILED) return -errno;
  mapping = {static_cast<std::byte*>(data), length, &hook_};
  return 0;
}

int Kfd::get_dmabuf_info(void* args) {
  auto& info = *static_cast<kfd::GetDmabufInfoArgs*>(args);
  constexpr std::uint32_t kMostMetadata = 4 << 20;  // what the kernel allocates in one piece
  if (info.metadata_ptr != 0 && info.metadata_size > kMostMetadata) return -ENOMEM;
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Dmabuf> buffer;
  if (const int result = find_dmabuf(static_cast<int>(info.dmabuf_fd), buffer)) return result;
  const bool vram = buffer->flags() & kfd::kAllocVram;
  info.size = buffer->memory()->size();
  info.gpu_id = buffer->owner().gpu_id();
  info.flags = vram ? kfd::kAllocVram | (buffer->flags() & kfd::kAllocPublic) : kfd::kAllocGtt;
  if (info.metadata_ptr != 0) info.metadata_size = 0;  // only graphics drivers attach metadata
  return 0;
}

int Kfd::import_dmabuf(void* args) {
  auto& request = *static_cast<kfd::ImportDmabufArgs*>(args);
  const std::lock_guard lock(mutex_);
  DeviceState* state = find(request.gpu_id);
  if (!state) return -EINVAL;
  if (state->render_number == kNoNumber) return -ENODEV;
  std::shared_ptr<Dmabuf> buffer;
  if (const int result = find_dmabuf(static_cast<int>(request.dmabuf_fd), buffer)) return result;
  BufferObject object;
  object.device = state->device;
  object.va = request.va_addr;
  object.size = buffer->memory()->size();
  // Whatever the exported memory allowed.
  object.flags =
      (buffer->flags() & (kfd::kAllocVram | kfd::kAllocGtt)) | kfd::kAllocWritable | kfd::kAllocExecutable;
  object.memory = buffer->memory();
  object.host = object.memory->host();
  object.dmabuf = std::move(buffer);
  request.handle = add_object(*state, std::move(object));
  return 0;
}

int Kfd::export_dmabuf(void* args) {
  auto& request = *static_cast<kfd::ExportDmabufArgs*>(args);
  const std::lock_guard lock(mutex_);
  if (!find(static_cast<std::uint32_t>(request.handle >> 32))) return -EINVAL;
  BufferObject* object = find_object(request.handle);
  if (!object) return -EINVAL;
  if (!object->in_heap()) return -EPERM;  // user memory is never shared
  drop_closed_dmabufs();
  // Memory has one DMA buffer, however often it is exported.
  if (!object->dmabuf) object->dmabuf = Dmabuf::create(object->memory, *object->device, object->flags);
  if (!object->dmabuf) return -ENOMEM;
  const int number = object->dmabuf->open(request.flags & O_CLOEXEC);
  if (number < 0) return number;
  if (std::find(dmabufs_.begin(), dmabufs_.end(), object->dmabuf) == dmabufs_.end())
    dmabufs_.push_back(object->dmabuf);
  request.dmabuf_fd = static_cast<std::uint32_t>(number);
  return 0;
}

}  // namespace mockgpu::emu::amd
