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

/// A wave of a launch.
struct WaveId {
  std::uint32_t group_x = 0, group_y = 0, group_z = 0;
  std::uint32_t wave = 0;  ///< number in its workgroup
};

/// An instruction that waves are about to execute together.
struct InstructionEvent {
  std::uint32_t dispatch = 0;  ///< number of the launch
  std::uint64_t pc = 0;        ///< GPU address
  std::span<const WaveId> waves;
};

/// Something that watches a machine. Every event is empty by default; an observer implements those that it
/// wants. Events come on the thread that runs the machine's turns (packet, fault,
/// instruction) or makes the call (ioctl).
/// Observers never change what the machine does.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void packet(const PacketEvent&) {}
  virtual void ioctl(const IoctlEvent&) {}
  virtual void fault(const Error&) {}
  /// Only from engines whose options name the observer: their code is prepared for it, others pay nothing.
  virtual void instruction(const InstructionEvent&) {}
};

}  // namespace mockgpu::emu
