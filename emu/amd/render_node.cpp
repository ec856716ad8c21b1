#include "emu/amd/render_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace mockgpu::emu::amd {
namespace drm = isa::amd::drm;
using isa::amd::IoctlRequest;

namespace {

/// Fills one text of DRM_IOCTL_VERSION: as much as fits, and its true length.
bool give_text(std::uint64_t& length, std::uint64_t pointer, std::string_view text) {
  const std::size_t fits = std::min<std::size_t>(length, text.size());
  if (pointer != 0 && fits > 0 && !copy_to_client(pointer, text.data(), fits)) return false;
  length = text.size();
  return true;
}

constexpr std::uint32_t kGbAddrConfig = 0x263e;  // register, in dwords
constexpr std::uint32_t kLastQuery = 0x24;       // of AMDGPU_INFO in the driver that this one stands for

/// Whether the driver knows a request of this number: DRM's own ones and amdgpu's, which begin at 0x40.
bool is_drm_number(std::uint32_t number) {
  constexpr std::uint32_t kFirst = 0x40, kEnd = 0xa0, kCoreEnd = 0xd0;
  if (number < kFirst || number >= kEnd) return number < kCoreEnd;
  const std::uint32_t own = number - kFirst;
  return own <= 0x09 || (own >= 0x10 && own <= 0x18);
}

int get_version(drm::VersionArgs& version) {
  version.version_major = 3;
  version.version_minor = 57;
  version.version_patchlevel = 0;
  const bool good = give_text(version.name_len, version.name, "amdgpu") &&
                    give_text(version.date_len, version.date, "20150101") &&
                    give_text(version.desc_len, version.desc, "AMD GPU");
  return good ? 0 : -EFAULT;
}

drm::DeviceInfo device_info(const Model& model) {
  drm::DeviceInfo info{};
  info.device_id = model.device_id;
  info.pci_rev = 0xc8;
  info.family = model.drm_family;
  info.num_shader_engines = model.engines();
  info.num_shader_arrays_per_engine = model.arrays_per_engine;
  info.gpu_counter_freq = 100'000;  // kHz
  info.max_engine_clock = std::uint64_t{model.clock_mhz} * 1000;
  info.max_memory_clock = std::uint64_t{model.vram_clock_mhz} * 1000;
  info.cu_active_number = model.compute_units;
  for (std::uint32_t engine = 0; engine < model.engines(); ++engine) {
    for (std::uint32_t array = 0; array < model.arrays_per_engine; ++array) {
      info.cu_bitmap[engine % 4][array + engine / 4 * 2] = (1u << model.cus_per_array) - 1;
    }
  }
  info.virtual_address_offset = 0x200000;
  info.virtual_address_max = 0x8000'0000'0000;
  info.virtual_address_alignment = 0x1000;
  info.gart_page_size = 0x1000;
  info.vram_type = 9;  // GDDR6
  info.vram_bit_width = model.vram_width;
  info.wave_front_size = model.wave_size;
  info.num_cu_per_sh = model.cus_per_array;
  return info;
}

}  // namespace

int KfdFile::ioctl(unsigned long request, void* argument) {
  return finish_call(kfd_.ioctl(request, argument));
}

runtime::Mapping KfdFile::mmap(void* address, std::size_t length, int protection, int flags, off_t offset) {
  runtime::Mapping mapping;
  finish_call(kfd_.mmap_kfd(address, length, protection, flags, static_cast<std::uint64_t>(offset), mapping));
  return mapping;
}

RenderFile::RenderFile(Kfd& kfd, Device& device, ReportLog& reports)
    : kfd_(kfd), device_(device), reports_(reports) {
  kfd_.render_opened(number(), device_);
}

RenderFile::~RenderFile() { kfd_.render_closed(number()); }

int RenderFile::ioctl(unsigned long request, void* argument) { return finish_call(run(request, argument)); }

int RenderFile::run(unsigned long request, void* argument) {
  const auto word = static_cast<std::uint32_t>(request);
  const auto address = reinterpret_cast<std::uint64_t>(argument);
  const isa::amd::IoctlInfo* const known = drm::find_ioctl(word);
  if (const int result = known ? kfd_.planned_fault(known->name) : 0) return result;
  if (word == drm::kVersion) {
    drm::VersionArgs version{};
    if (!copy_from_client(&version, address, sizeof version)) return -EFAULT;
    const int result = get_version(version);
    return copy_to_client(address, &version, sizeof version) ? result : -EFAULT;
  }
  if (word == drm::kInfo) {
    drm::InfoArgs query{};
    return copy_from_client(&query, address, sizeof query) ? info(query) : -EFAULT;
  }
  const std::uint32_t number = IoctlRequest::kNr.get(word);
  if (!is_drm_number(number)) return -EINVAL;
  reports_.finding(
      Error(Tag::unsupported,
            fmt::format("render node ioctl {:#x} (number {:#x}) is not supported", word, number)));
  return -ENOTTY;
}

int RenderFile::info(const drm::InfoArgs& query) {
  const auto answer = [&](const void* data, std::size_t size) {
    return copy_to_client(query.return_pointer, data, std::min<std::size_t>(size, query.return_size))
               ? 0
               : -EFAULT;
  };
  const std::uint32_t first_register = query.parameters[0], registers = query.parameters[1];
  if (query.query == drm::kQueryAccelWorking) {
    const std::uint32_t working = 1;
    return answer(&working, sizeof working);
  }
  if (query.query == drm::kQueryDevInfo) {
    const drm::DeviceInfo device = device_info(device_.model());
    return answer(&device, sizeof device);
  }
  if (query.query == drm::kQueryReadMmrReg && first_register == kGbAddrConfig && registers == 1) {
    return answer(&device_.model().gb_addr_config, sizeof(std::uint32_t));
  }
  if (query.query <= kLastQuery) {
    reports_.finding(Error(Tag::unsupported,
                           fmt::format("DRM_IOCTL_AMDGPU_INFO query {:#x} is not supported", query.query)));
  }
  return -EINVAL;
}

runtime::Mapping RenderFile::mmap(void* address, std::size_t length, int protection, int flags,
                                  off_t offset) {
  runtime::Mapping mapping;
  finish_call(kfd_.mmap_render(device_, number(), address, length, protection, flags,
                               static_cast<std::uint64_t>(offset), mapping));
  return mapping;
}

}  // namespace mockgpu::emu::amd
