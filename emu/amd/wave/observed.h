#pragma once
#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "emu/amd/wave/gang.h"
#include "emu/observe/observer.h"
#include "isa/amd/instruction.h"

namespace mockgpu::emu::amd {

class LaunchRun;

/// What a launch's observer is told: called before every instruction of observed code, it reports what the
/// gang's last one wrote. Operands come from the decoder, so it knows no handler.
class Observed {
 public:
  /// The active waves of `gang` execute the instruction at `pc` next.
  void before(const Gang& gang, std::uint64_t pc, LaunchRun& run);
  /// Reports what is still to be reported. Called when a gang stops.
  void finish(LaunchRun& run);
  /// A new launch: code may have changed.
  void clear();

 private:
  struct Code {
    isa::amd::Instruction instruction;
    isa::amd::FormFlags flags;
    std::string text, place;
  };
  const Code* find(std::uint64_t pc, bool wave64, LaunchRun& run);
  void report(unsigned slot, LaunchRun& run);
  void add_scalar(unsigned row, unsigned slot);
  void add_vector(unsigned index, unsigned slot, std::uint64_t lanes);
  void add_registers(unsigned slot);

  std::unordered_map<std::uint64_t, Code> codes_;

  // The instruction in progress.
  const Gang* gang_ = nullptr;
  const Code* code_ = nullptr;
  std::uint64_t pc_ = 0;
  std::uint32_t active_ = 0;
  std::uint64_t exec_[kSlots]{};  ///< by the wave's first slot
  std::vector<MemoryAccess> accesses_[kSlots];

  // Of the event in the making.
  std::vector<WrittenRegister> registers_;
  std::vector<std::array<std::uint32_t, 2 * kLanes>> values_;
};

/// The memory accesses of the wave at `slot`, with the data of stores, before the instruction executes.
/// `lanes`: EXEC. Nothing for other instructions.
void collect_accesses(const Gang& gang, unsigned slot, const isa::amd::Instruction& instruction,
                      std::uint64_t lanes, std::vector<MemoryAccess>& out);

}  // namespace mockgpu::emu::amd
