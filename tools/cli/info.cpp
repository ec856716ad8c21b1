#include <fmt/format.h>

#include "runtime/platform.h"
#include "tools/cli/command.h"
#include "tools/cli/session.h"

namespace mockgpu::tools {
namespace {

std::string bytes_text(std::uint64_t bytes) {
  if (bytes >= std::uint64_t{1} << 30)
    return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
  return fmt::format("{} KiB", bytes >> 10);
}

}  // namespace

int info_command(const std::string& machine) {
  Session session(machine);
  session.watch([&] {
    const std::vector<runtime::DeviceInfo> devices = runtime::list_devices(session.io());
    if (devices.empty()) {
      throw Error(Tag::no_device, "this machine has no GPU that the runtime can drive",
                  {{"help", "without MOCKGPU=off there is a mock one"}});
    }
    for (const runtime::DeviceInfo& device : devices) {
      fmt::print("device {}: {} {}, {}\n", device.index, device.vendor, device.target, device.name);
      fmt::print("  memory         {}\n", bytes_text(device.vram_bytes));
      fmt::print("  compute units  {}, waves of {} lanes, up to {} MHz\n", device.compute_units,
                 device.wave_size, device.clock_mhz);
      fmt::print("  group memory   {} per workgroup\n", bytes_text(device.group_bytes));
      fmt::print("  location       {}, {}\n", device.location, device.node);
      fmt::print("  machine        {}\n", session.is_mock() ? "mock" : "real hardware");
    }
  });
  return kSuccess;
}

}  // namespace mockgpu::tools
