#pragma once
// A gang by hand: registers in, one vector instruction, registers out.
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "emu/amd/wave/gang.h"
#include "emu/amd/wave/lane_kernels.h"
#include "emu/amd/wave/prepare.h"
#include "emu/amd/wave/vector_table.h"
#include "isa/amd/instruction.h"

namespace mockgpu::tests {

namespace wave = emu::amd;
using isa::amd::Encoding;
using isa::amd::Instruction;
using isa::amd::Op;
using isa::amd::Operand;
using isa::amd::OperandKind;

/// The levels of this host, the best one first.
std::vector<const wave::LaneKernels*> levels();

Operand vgpr(unsigned index, unsigned dwords = 1);
Operand sgpr(unsigned index, unsigned dwords = 1);
Operand constant(std::uint64_t value);
Operand negated(Operand operand);
Operand absolute(Operand operand);
Operand high_half(Operand operand);
/// A destination that is also a source.
Operand read_write(Operand operand);
inline constexpr unsigned kVcc = 106;
inline constexpr unsigned kExec = 126;

/// The first operand is the destination.
Instruction instruction(Op op, std::vector<Operand> operands, Encoding encoding = Encoding::vop3);

class VectorMachine {
 public:
  explicit VectorMachine(unsigned slots = wave::kSlots, bool wave64 = false);

  std::uint32_t& v(unsigned index, unsigned slot, unsigned lane) {
    return wave::row(gang_, wave::Gang::vgpr_offset(index))[slot * wave::kLanes + lane];
  }
  std::uint32_t& s(unsigned index, unsigned slot) { return gang_->sgpr[index][slot]; }
  std::uint64_t v64(unsigned index, unsigned slot, unsigned lane) {
    return std::uint64_t{v(index + 1, slot, lane)} << 32 | v(index, slot, lane);
  }
  void set_v(unsigned index, std::uint32_t value);
  void set_v64(unsigned index, std::uint64_t value);
  void set_s(unsigned index, std::uint32_t value);
  void set_exec(unsigned slot, std::uint32_t bits);
  /// Slots that run.
  void set_active(std::uint32_t bits);
  /// MODE and the MXCSR values that the engine derives from it.
  void set_mode(std::uint32_t mode);
  /// Values that are interesting to at least one type, in `count` registers.
  void randomize(std::mt19937_64& random, unsigned count);

  wave::Gang& gang() { return *gang_; }

  /// Returns false if the instruction has no semantics.
  bool run(const Instruction& instruction, const wave::LaneKernels& level);
  /// Records of the instruction; none if it has no semantics.
  std::vector<wave::Record> prepare(const Instruction& instruction, const wave::LaneKernels& level) const;

  /// Vector registers, as they lie.
  std::vector<std::uint32_t> vector_state(unsigned count);
  /// s0..s105, vcc, exec.
  std::vector<std::uint32_t> scalar_state();

  static constexpr unsigned kVgprs = 64;

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  std::unique_ptr<void, Free> memory_;
  wave::Gang* gang_;
};

/// A value with a good chance to be an edge case of some type.
std::uint32_t edge_value(std::mt19937_64& random);

}  // namespace mockgpu::tests
