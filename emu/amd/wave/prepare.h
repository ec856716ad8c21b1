#pragma once
#include <cstdint>
#include <vector>

#include "emu/amd/wave/gang.h"
#include "isa/amd/instruction.h"

namespace mockgpu::emu::amd {

/// Collects the records of one instruction. Prepare functions describe what they need; the block builder
/// places the records.
class Preparer {
 public:
  Preparer(const isa::amd::Target& target, bool wave64) : target_(target), wave64_(wave64) {}

  const isa::amd::Target& target() const { return target_; }
  bool wave64() const { return wave64_; }

  /// Appends a record; pc and counters are filled in by the block builder.
  Record& emit(Handler handler) {
    records_.push_back(Record{handler, 0, {0, 0, 0}, 0, 0, 0, 0, 0, 0});
    return records_.back();
  }

  /// Offset of a free vector (pair: two neighbouring) temporary of this instruction.
  std::uint32_t temp(unsigned rows = 1) {
    const std::uint32_t offset = Gang::temp_offset(next_temp_);
    next_temp_ += rows;
    return offset;
  }
  bool out_of_temps() const { return next_temp_ > Gang::kTempRows; }

  void begin_instruction() {
    records_.clear();
    next_temp_ = 0;
  }
  const std::vector<Record>& records() const { return records_; }

 private:
  const isa::amd::Target& target_;
  bool wave64_;
  unsigned next_temp_ = 0;
  std::vector<Record> records_;
};

/// Scalar row offset of an SGPR-like operand (sgpr or special); writes to null are sent to the sink.
std::uint32_t scalar_operand_offset(const isa::amd::Operand& operand, bool write);

struct LaneKernels;

/// Each returns false if it does not know the op: the instruction then has no semantics.
bool prepare_scalar(const isa::amd::Instruction& instruction, Preparer& out);  ///< SALU, control flow, SMEM
bool prepare_vector(const isa::amd::Instruction& instruction, const LaneKernels& kernels,
                    Preparer& out);  ///< VOP*, VOPD, LDSDIR
bool prepare_memory(const isa::amd::Instruction& instruction, const LaneKernels& kernels,
                    Preparer& out);  ///< DS, FLAT family, MUBUF...

}  // namespace mockgpu::emu::amd
