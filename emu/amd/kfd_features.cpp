#include <fcntl.h>

#include <cerrno>

#include "emu/amd/kfd.h"

// Requests of features that this driver is built without, or that nothing here can use: each is answered as
// the real driver answers in that case.
namespace mockgpu::emu::amd {
namespace kfd = isa::amd::kfd;

namespace {

/// What looking a buffer up by its descriptor gives when no descriptor is a DMA buffer.
int no_dmabuf(std::uint32_t number) {
  return fcntl(static_cast<int>(number), F_GETFD) < 0 ? -EBADF : -EINVAL;
}

}  // namespace

int Kfd::not_permitted(void*) { return -EPERM; }

int Kfd::get_dmabuf_info(void* args) {
  return no_dmabuf(static_cast<kfd::GetDmabufInfoArgs*>(args)->dmabuf_fd);
}

int Kfd::import_dmabuf(void* args) {
  const auto& import = *static_cast<kfd::ImportDmabufArgs*>(args);
  const std::lock_guard lock(mutex_);
  DeviceState* state = find(import.gpu_id);
  if (!state) return -EINVAL;
  if (state->render_number == kNoNumber) return -ENODEV;
  return no_dmabuf(import.dmabuf_fd);
}

int Kfd::export_dmabuf(void* args) {
  const auto& request = *static_cast<kfd::ExportDmabufArgs*>(args);
  const std::lock_guard lock(mutex_);
  if (!find(static_cast<std::uint32_t>(request.handle >> 32))) return -EINVAL;
  const BufferObject* object = find_object(request.handle);
  if (!object) return -EINVAL;
  return object->in_heap() ? kLacks : -EPERM;  // user memory is never shared
}

int Kfd::smi_events(void* args) {
  const std::lock_guard lock(mutex_);
  return find(static_cast<kfd::SmiEventsArgs*>(args)->gpuid) ? kLacks : -EINVAL;
}

/// A driver built without HSA_AMD_SVM. Its sysfs does not promise SVM either.
int Kfd::svm(void*) { return -EPERM; }

/// Checkpoints need a capability that a client is not assumed to have.
int Kfd::criu_op(void*) { return -EACCES; }

/// Debugging needs the hardware scheduler, which this driver does without.
int Kfd::dbg_trap(void*) { return -EINVAL; }

}  // namespace mockgpu::emu::amd
