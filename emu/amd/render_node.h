#pragma once
#include "emu/amd/kfd.h"
#include "emu/host/device_file.h"
#include "isa/amd/commands/drm.h"

namespace mockgpu::emu::amd {

/// An open /dev/kfd.
class KfdFile final : public DeviceFile {
 public:
  explicit KfdFile(Kfd& kfd) : kfd_(kfd) {}
  int ioctl(unsigned long request, void* argument) override;
  runtime::Mapping mmap(void* address, std::size_t length, int protection, int flags, off_t offset) override;

 private:
  Kfd& kfd_;
};

/// An open render node: what KFD clients ask of the DRM driver (version, device information), and the
/// mappings of buffer objects.
class RenderFile final : public DeviceFile {
 public:
  RenderFile(Kfd& kfd, Device& device, ReportLog& reports);
  ~RenderFile() override;
  int ioctl(unsigned long request, void* argument) override;
  runtime::Mapping mmap(void* address, std::size_t length, int protection, int flags, off_t offset) override;

 private:
  int run(unsigned long request, void* argument);
  int info(const isa::amd::drm::InfoArgs& query);

  Kfd& kfd_;
  Device& device_;
  ReportLog& reports_;
};

}  // namespace mockgpu::emu::amd
