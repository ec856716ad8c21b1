#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/base/error.h"

namespace mockgpu::emu {

/// A queue packet that is about to execute.
struct PacketEvent {
  std::uint32_t queue_id = 0;
  bool sdma = false;           ///< an SDMA packet, else PM4
  bool indirect = false;       ///< from an indirect buffer, else from the ring
  std::uint64_t position = 0;  ///< dwords (PM4) or bytes (SDMA) from the start of the ring or buffer
  std::span<const std::uint32_t> words;  ///< the whole packet, header first
};

/// A request to a driver that has been answered.
struct IoctlEvent {
  std::string_view name;  ///< `AMDKFD_IOC_CREATE_QUEUE`
  unsigned long request = 0;
  const void* arguments = nullptr;  ///< the struct, after the call
  int result = 0;
  int error = 0;  ///< errno when the result is -1
};

/// Something that watches a machine. Every event is empty by default; an observer implements those that it
/// wants. Events come on the thread that runs the machine's turns (packet, fault) or makes the call (ioctl).
/// Observers never change what the machine does.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void packet(const PacketEvent&) {}
  virtual void ioctl(const IoctlEvent&) {}
  virtual void fault(const Error&) {}
};

}  // namespace mockgpu::emu
