#include "runtime/platform.h"

#include <fmt/format.h>

#include <utility>

#include "isa/base/error.h"
#include "runtime/amd/connection.h"
#include "runtime/amd/device.h"
#include "runtime/amd/topology.h"

namespace mockgpu::runtime {

struct Platform::Drivers {
  FileIo* io;
  std::vector<amd::Node> nodes;
  std::shared_ptr<amd::Connection> kfd;
};

Platform::Platform(FileIo& io) : drivers_(std::make_unique<Drivers>()) {
  drivers_->io = &io;
  drivers_->nodes = amd::read_topology(io);
  for (const amd::Node& node : drivers_->nodes) {
    devices_.push_back(amd::describe_node(node, static_cast<unsigned>(devices_.size())));
  }
}

Platform::~Platform() = default;

std::unique_ptr<Device> Platform::open(unsigned index) {
  if (devices_.empty()) {
    Error error(Tag::no_device, "this machine has no GPU that the runtime can drive");
    if (!drivers_->io->exists("/dev/kfd"))
      error.add("why", "/dev/kfd does not exist: no amdgpu driver is loaded");
    throw error;
  }
  if (index >= devices_.size()) {
    throw Error(Tag::no_device, fmt::format("no device {}: this machine has {}", index, devices_.size()));
  }
  if (!drivers_->kfd) drivers_->kfd = std::make_shared<amd::Connection>(*drivers_->io);
  return std::make_unique<amd::Device>(drivers_->kfd, drivers_->nodes[index], index);
}

std::vector<DeviceInfo> list_devices(FileIo& io) { return Platform(io).devices(); }

std::unique_ptr<Device> open_device(FileIo& io, unsigned index) { return Platform(io).open(index); }

}  // namespace mockgpu::runtime
