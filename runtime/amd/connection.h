#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "runtime/amd/topology.h"
#include "runtime/io/file_io.h"

namespace mockgpu::runtime::amd {

/// One process's connection to KFD, shared by all its devices: the driver keeps memory spaces and the event
/// page per process, whatever the number of open files.
class Connection {
 public:
  /// Opens /dev/kfd. Throws Error(no_device) when it cannot be opened.
  explicit Connection(FileIo& io);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  FileIo& io() { return *io_; }
  File& kfd() { return *kfd_; }
  std::uint32_t minor_version() const { return minor_; }

  /// An ioctl that must succeed: throws Error(io) with the request's name and the reason.
  template <typename Args>
  void call(std::uint32_t request, Args& args) {
    if (kfd_->ioctl(request, &args) != 0) fail(request);
  }
  /// Throws the Error of the ioctl that failed just now (reads errno).
  [[noreturn]] void fail(std::uint32_t request) const;

  /// The render node of a GPU, whose address space belongs to this process from the first call on.
  File& acquire(const Node& node);

  /// The event page, which all devices' queues write. 0 while there is none.
  std::uint64_t event_page() const { return event_page_; }
  /// Whether this process can have an event page; false when another connection of the process made one.
  bool may_have_event_page() const { return !event_page_refused_; }

  /// Gives memory (of DeviceMemory::allocate_hidden) to the driver as event page. The driver keeps it as long
  /// as the process lives, and takes no other: false when it has one already.
  bool set_event_page(std::uint64_t address, std::uint64_t handle, std::uint32_t gpu_id);
  /// Lets another GPU's queues write to the event page.
  void share_event_page(std::uint32_t gpu_id);

 private:
  FileIo* io_;
  std::unique_ptr<File> kfd_;
  std::uint32_t minor_ = 0;
  std::map<std::uint32_t, std::unique_ptr<File>> render_;  // by GPU id
  std::uint64_t event_page_ = 0;
  std::uint64_t event_page_handle_ = 0;
  std::set<std::uint32_t> event_page_gpus_;
  bool event_page_refused_ = false;
};

}  // namespace mockgpu::runtime::amd
