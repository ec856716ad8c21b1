#pragma once
#include <memory>
#include <vector>

#include "runtime/device.h"
#include "runtime/io/file_io.h"

namespace mockgpu::runtime {

/// The GPUs of one machine for one client process. Devices that are opened from one Platform share the driver
/// connection, as devices of one process must; they keep it alive. Use one Platform for all devices of a
/// machine: the driver gives a GPU's address space to one connection of a process only. `io` must outlive all
/// of them.
class Platform {
 public:
  /// Reads the driver's device list; opens nothing.
  explicit Platform(FileIo& io);
  ~Platform();

  const std::vector<DeviceInfo>& devices() const { return devices_; }

  /// Opens device `index`. Throws Error(no_device) when there is none, with the reason, and
  /// Error(unsupported) for a target that the runtime cannot drive.
  std::unique_ptr<Device> open(unsigned index);

 private:
  struct Drivers;
  std::unique_ptr<Drivers> drivers_;
  std::vector<DeviceInfo> devices_;
};

/// The GPUs of a machine: empty where there is none.
std::vector<DeviceInfo> list_devices(FileIo& io);

/// Opens one GPU on a Platform of its own: for programs that use one.
std::unique_ptr<Device> open_device(FileIo& io, unsigned index = 0);

}  // namespace mockgpu::runtime
