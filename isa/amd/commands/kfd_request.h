#pragma once
#include <cstdint>

#include "isa/amd/commands/ioctl.h"

/// How request words of /dev/kfd are made.
namespace mockgpu::isa::amd::kfd {

inline constexpr char kIoctlType = 'K';

/// Makes _IOR, _IOW and _IOWR words of type 'K'.
template <typename Args>
constexpr std::uint32_t ior(std::uint32_t nr) {
  return IoctlRequest::make(IoctlRequest::kRead, kIoctlType, nr, sizeof(Args));
}
template <typename Args>
constexpr std::uint32_t iow(std::uint32_t nr) {
  return IoctlRequest::make(IoctlRequest::kWrite, kIoctlType, nr, sizeof(Args));
}
template <typename Args>
constexpr std::uint32_t iowr(std::uint32_t nr) {
  return IoctlRequest::make(IoctlRequest::kRead | IoctlRequest::kWrite, kIoctlType, nr, sizeof(Args));
}

}  // namespace mockgpu::isa::amd::kfd
