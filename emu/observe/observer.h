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

/// A register that an instruction wrote, with its value after that.
struct WrittenRegister {
  std::string_view name;  ///< `s4`, `vcc_lo`, `v7`
  /// One value of a scalar; of a vector register, those of all lanes of the wave.
  std::span<const std::uint32_t> values;
  std::uint64_t lanes = 0;  ///< of a vector register: those written; 0 for a scalar
};

/// One lane's access to memory.
struct MemoryAccess {
  enum class Space : std::uint8_t { global, lds, scratch };
  enum class Kind : std::uint8_t { load, store, atomic };
  Space space = Space::global;
  Kind kind = Kind::load;
  bool outside = false;  ///< of the workgroup's LDS or the buffer: reads give 0, stores do nothing
  bool after = false;    ///< `data` is what memory holds after the instruction
  std::uint8_t lane = 0;
  std::uint8_t bytes = 0;     ///< 1 to 16
  std::uint64_t address = 0;  ///< GPU address; in LDS and scratch, the offset in the workgroup's or lane's
  std::uint32_t data[4]{};    ///< what a store stores; of atomics and stores that convert: see `after`
};

/// An instruction that a wave has executed.
struct ExecutedEvent {
  std::uint32_t dispatch = 0;
  WaveId wave;
  std::uint64_t pc = 0;
  std::string_view place;  ///< `vecadd+0x68`; empty if nobody names the code
  std::string_view text;   ///< disassembled
  std::span<const WrittenRegister> registers;
  std::span<const MemoryAccess> accesses;  ///< of vector memory instructions, by lane
  bool faulted = false;                    ///< it stopped the launch; registers and accesses are then empty
};

/// Something that watches a machine. Every event is empty by default; an observer implements those that it
/// wants. Events come on the thread that runs the machine's turns (packet, fault,
/// instruction, executed) or makes the call (ioctl).
/// Observers never change what the machine does.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void packet(const PacketEvent&) {}
  virtual void ioctl(const IoctlEvent&) {}
  virtual void fault(const Error&) {}

  /// Whether it wants what follows: code is then prepared for it, and launches run on one thread.
  virtual bool wants_instructions() const { return false; }
  virtual void instruction(const InstructionEvent&) {}
  /// Once for every wave, before the next instruction of these waves.
  virtual void executed(const ExecutedEvent&) {}
};

}  // namespace mockgpu::emu
