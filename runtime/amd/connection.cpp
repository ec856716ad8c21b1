#include "runtime/amd/connection.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "isa/amd/commands/kfd.h"
#include "isa/base/error.h"

namespace mockgpu::runtime::amd {
namespace kfd = isa::amd::kfd;
namespace {

constexpr const char* kPath = "/dev/kfd";
constexpr std::uint32_t kRuntimeEnableVersion = 14;  // the least minor version for which clients call it

std::string reason(int error) { return std::generic_category().message(error); }

}  // namespace

Connection::Connection(FileIo& io) : io_(&io), kfd_(io.open(kPath, O_RDWR)) {
  if (!kfd_) {
    throw Error(Tag::no_device, fmt::format("cannot open {}: {}", kPath, reason(errno)),
                {{"help", "the user must be in the group that owns the file, usually \"render\""}});
  }
  kfd::GetVersionArgs version{};
  call(kfd::kGetVersion, version);
  if (version.major_version != 1) {
    throw Error(Tag::unsupported, fmt::format("KFD interface {}.{}: the runtime knows 1.x",
                                              version.major_version, version.minor_version));
  }
  minor_ = version.minor_version;
}

void Connection::fail(std::uint32_t request) const {
  const int error = errno;
  const isa::amd::IoctlInfo* info = kfd::find_ioctl(request);
  throw Error(Tag::io, fmt::format("{} failed: {}", info != nullptr ? info->name : "ioctl", reason(error)));
}

File& Connection::acquire(const Node& node) {
  if (const auto found = render_.find(node.gpu_id); found != render_.end()) return *found->second;
  const std::string path = node.render_node();
  std::unique_ptr<File> file = io_->open(path, O_RDWR);
  if (!file) throw Error(Tag::no_device, fmt::format("cannot open {}: {}", path, reason(errno)));
  kfd::AcquireVmArgs acquire{static_cast<std::uint32_t>(file->number()), node.gpu_id};
  call(kfd::kAcquireVm, acquire);
  if (render_.empty() && minor_ >= kRuntimeEnableVersion) {
    kfd::RuntimeEnableArgs enable{};
    // Busy: another connection of this process was first.
    if (kfd_->ioctl(kfd::kRuntimeEnable, &enable) != 0 && errno != EBUSY) fail(kfd::kRuntimeEnable);
  }
  return *(render_[node.gpu_id] = std::move(file));
}

bool Connection::set_event_page(std::uint64_t address, std::uint64_t handle, std::uint32_t gpu_id) {
  kfd::CreateEventArgs event{};
  event.event_page_offset = handle;
  event.event_type = kfd::kEventSignal;
  if (kfd_->ioctl(kfd::kCreateEvent, &event) != 0) {
    event_page_refused_ = true;
    return false;
  }
  event_page_ = address;
  event_page_handle_ = handle;
  event_page_gpus_ = {gpu_id};
  return true;
}

void Connection::share_event_page(std::uint32_t gpu_id) {
  if (event_page_gpus_.count(gpu_id) != 0) return;
  kfd::MapMemoryToGpuArgs map{event_page_handle_, reinterpret_cast<std::uint64_t>(&gpu_id), 1, 0};
  call(kfd::kMapMemoryToGpu, map);
  event_page_gpus_.insert(gpu_id);
}

}  // namespace mockgpu::runtime::amd
