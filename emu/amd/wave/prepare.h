#pragma once
#include <cstdint>
#include <vector>

#include "emu/amd/wave/gang.h"
#include "isa/amd/instruction.h"

namespace mockgpu::emu::amd {

/// Marks that a prepare function sets in Record::flags of control-flow records for the block builder.
enum RecordFlag : std::uint8_t {
  kTargetPc = 0x80,       ///< `imm` is a pc: the builder replaces it by the address of that pc's record
  kCountingPoint = 0x40,  ///< the handler retires instructions: the builder fills `retired`
};

/// Collects the records of one instruction. Prepare functions describe what they need; the block builder
/// places the records.
class Preparer {
 public:
  Preparer(const isa::amd::Target& target, bool wave64) : target_(target), wave64_(wave64) {}

  const isa::amd::Target& target() const { return target_; }
  bool wave64() const { return wave64_; }
  std::uint64_t pc() const { return pc_; }            ///< GPU address of the instruction
  std::uint64_t next_pc() const { return next_pc_; }  ///< of the one behind it

  /// Appends a record; pc and counters are filled in by the block builder.
  Record& emit(Handler handler) {
    records_.push_back(Record{handler, 0, {0, 0, 0}, 0, 0, 0, 0, 0, 0});
    return records_.back();
  }

  /// Offset of a free vector temporary of this instruction; `rows` neighbouring ones. Offset 0 when there are
  /// no more.
  std::uint32_t temp(unsigned rows = 1) {
    const std::uint32_t offset = Gang::temp_offset(next_temp_);
    next_temp_ += rows;
    return offset;
  }
  bool out_of_temps() const { return next_temp_ > Gang::kTempRows; }

  void begin_instruction(std::uint64_t pc, std::uint64_t next_pc) {
    records_.clear();
    next_temp_ = 0;
    pc_ = pc;
    next_pc_ = next_pc;
  }
  std::vector<Record>& records() { return records_; }

 private:
  const isa::amd::Target& target_;
  bool wave64_;
  unsigned next_temp_ = 0;
  std::uint64_t pc_ = 0, next_pc_ = 0;
  std::vector<Record> records_;
};

/// Scalar row offset of an operand of kind sgpr or special; writes to null are sent to the sink. 32-bit reads
/// of an aperture give its high half, as its low half is 0.
std::uint32_t scalar_operand_offset(const isa::amd::Operand& operand, bool write);

/// Whether s_sendmsg sends MSG_INTERRUPT: the only message that leaves the wave here.
bool sends_interrupt(const isa::amd::Instruction& instruction);

struct LaneKernels;

/// Each returns false if it does not know the op or a modifier: the instruction then has no semantics. No
/// record means a no-op.
bool prepare_scalar(const isa::amd::Instruction& instruction, Preparer& out);  ///< SALU, control flow, SMEM
bool prepare_vector(const isa::amd::Instruction& instruction, const LaneKernels& kernels,
                    Preparer& out);  ///< VOP*, VOPD, VINTERP, LDSDIR
bool prepare_memory(const isa::amd::Instruction& instruction, const LaneKernels& kernels,
                    Preparer& out);  ///< DS, FLAT family, MUBUF, MTBUF, MIMG

}  // namespace mockgpu::emu::amd
