#include "tests/vector/machine.h"

#include <cstdlib>
#include <cstring>

namespace mockgpu::tests {

namespace {

wave::HandlerResult stop(const wave::Record*, wave::Gang*) { MOCKGPU_STOP; }

void execute(const wave::Record* record, wave::Gang* gang) {
#ifdef MOCKGPU_TAIL_CALLS
  record->run(record, gang);
#else
  while (record != nullptr) record = record->run(record, gang);
#endif
}

void write_mxcsr(std::uint32_t value) {
#if defined(__x86_64__)
  asm volatile("ldmxcsr %0" : : "m"(value) : "memory");
#else
  (void)value;
#endif
}

/// MXCSR for a field of MODE: `round` in GPU encoding, `denormal` 0 flush both, 1 flush results, 2 flush
/// sources, 3 keep.
std::uint32_t mxcsr_of(unsigned round, unsigned denormal) {
  const std::uint32_t control[] = {0, 2, 1, 3};  // nearest, up, down, to zero
  std::uint32_t value = 0x1f80 | control[round] << 13;
  if ((denormal & 2) == 0) value |= 0x8000;
  if ((denormal & 1) == 0) value |= 0x0040;
  return value;
}

Operand base(OperandKind kind, unsigned index, unsigned dwords) {
  Operand operand;
  operand.kind = kind;
  operand.index = static_cast<std::uint16_t>(index);
  operand.dwords = static_cast<std::uint8_t>(dwords);
  operand.bits = static_cast<std::uint8_t>(32 * dwords);
  operand.is_src = true;
  operand.high2 = true;
  return operand;
}

}  // namespace

std::vector<const wave::LaneKernels*> levels() {
  std::vector<const wave::LaneKernels*> found = {wave::find_level(nullptr)};
  const wave::LaneKernels* baseline = wave::find_level("baseline");
  if (baseline != found[0]) found.push_back(baseline);
  return found;
}

Operand vgpr(unsigned index, unsigned dwords) { return base(OperandKind::vgpr, index, dwords); }
Operand sgpr(unsigned index, unsigned dwords) { return base(OperandKind::sgpr, index, dwords); }
Operand constant(std::uint64_t value) {
  Operand operand = base(OperandKind::constant, 0, 1);
  operand.value = value;
  return operand;
}
Operand negated(Operand operand) {
  operand.neg = true;
  return operand;
}
Operand absolute(Operand operand) {
  operand.abs = true;
  return operand;
}
Operand high_half(Operand operand) {
  operand.high = true;
  return operand;
}
Operand read_write(Operand operand) {
  operand.is_dst = true;
  return operand;
}

Instruction instruction(Op op, std::vector<Operand> operands, Encoding encoding) {
  Instruction result;
  result.op = op;
  result.encoding = encoding;
  result.operand_count = static_cast<std::uint8_t>(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) result.operands[i] = operands[i];
  if (!operands.empty()) {
    const bool both = result.operands[0].is_dst;
    result.operands[0].is_dst = true;
    result.operands[0].is_src = both;
  }
  return result;
}

void VectorMachine::Free::operator()(void* memory) const { std::free(memory); }

VectorMachine::VectorMachine(unsigned slots, bool wave64) {
  const std::size_t bytes = sizeof(wave::Gang) + kVgprs * wave::kRowBytes;
  memory_.reset(std::aligned_alloc(64, bytes));
  std::memset(memory_.get(), 0, bytes);
  gang_ = static_cast<wave::Gang*>(memory_.get());
  gang_->slots = slots;
  gang_->wave64 = wave64;
  gang_->vgpr_rows = kVgprs;
  for (unsigned slot = 0; slot < slots; ++slot) {
    gang_->sgpr[wave::kRowExecLo][slot] = ~0u;
    gang_->sgpr[wave::kRowExecHi][slot] = wave64 ? ~0u : 0;
  }
  set_active((1u << slots) - 1);
  set_mode(0x2f0);  // IEEE, nearest, all denormals kept: the default of compute kernels
}

void VectorMachine::set_v(unsigned index, std::uint32_t value) {
  for (unsigned i = 0; i < wave::kRowWords; ++i) v(index, 0, 0 + i) = value;
}
void VectorMachine::set_v64(unsigned index, std::uint64_t value) {
  set_v(index, static_cast<std::uint32_t>(value));
  set_v(index + 1, static_cast<std::uint32_t>(value >> 32));
}
void VectorMachine::set_s(unsigned index, std::uint32_t value) {
  for (unsigned slot = 0; slot < wave::kSlots; ++slot) s(index, slot) = value;
}
void VectorMachine::set_exec(unsigned slot, std::uint32_t bits) {
  wave::set_mask(gang_, wave::Gang::scalar_offset(wave::kRowExecLo), slot, bits);
  wave::update_full(gang_);
}
void VectorMachine::set_active(std::uint32_t bits) {
  gang_->active = bits;
  for (unsigned slot = 0; slot < wave::kSlots; ++slot) {
    gang_->slot_mask[slot] = (bits >> slot & 1) != 0 ? ~0u : 0;
  }
  wave::update_full(gang_);
}
void VectorMachine::set_mode(std::uint32_t mode) {
  set_s(wave::kRowMode, mode);
  gang_->mxcsr = mxcsr_of(mode & 3, mode >> 4 & 3);
  gang_->mxcsr_wide = mxcsr_of(mode >> 2 & 3, mode >> 6 & 3);
  gang_->split_mode = gang_->mxcsr != gang_->mxcsr_wide;
}

std::uint32_t edge_value(std::mt19937_64& random) {
  static const std::uint32_t kEdges[] = {
      0,          1,          2,          31,         32,         33,         63,         0x7f,
      0x80,       0xff,       0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffffff, 0x80000000,
      0x80000001, 0xffffffff, 0x00ffffff, 0x01000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000,
      0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffa00000, 0x00800000, 0x007fffff,
      0x00000001, 0x80000001, 0x7f7fffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x3c003c00, 0x7c00fc00,
      0x7e007d00, 0x04000001, 0x3ff00000, 0x7ff00000, 0x7ff80000, 0xfff00001, 0x41f00000, 0x03ff8000,
      0x42280000, 0xc2fc0000};
  const std::uint64_t bits = random();
  switch (bits & 3) {
    case 0: return kEdges[(bits >> 8) % std::size(kEdges)];
    case 1: {  // a float of moderate size
      return static_cast<std::uint32_t>(bits >> 32 & 0x807fffff) |
             (static_cast<std::uint32_t>(bits >> 8 & 31) + 112) << 23;
    }
    case 2: return static_cast<std::uint32_t>(bits >> 32) & ((2u << (bits >> 8 & 31)) - 1);
    default: return static_cast<std::uint32_t>(bits >> 32);
  }
}

void VectorMachine::randomize(std::mt19937_64& random, unsigned count) {
  for (unsigned index = 0; index < count; ++index) {
    for (unsigned i = 0; i < gang_->slots * wave::kLanes; ++i) v(index, 0, i) = edge_value(random);
  }
  const unsigned step = gang_->wave64 ? 2 : 1;
  for (unsigned index = 0; index < 108; ++index) {
    for (unsigned slot = 0; slot < gang_->slots; slot += step) {
      s(index, slot) = edge_value(random);
      if (step == 2) s(index, slot + 1) = s(index, slot);
    }
  }
}

std::vector<wave::Record> VectorMachine::prepare(const Instruction& instruction,
                                                 const wave::LaneKernels& level) const {
  wave::Preparer preparer(*isa::amd::find_target("gfx1100"), gang_->wave64 != 0);
  preparer.begin_instruction(0, 8);
  if (!wave::prepare_vector(instruction, level, preparer)) return {};
  std::vector<wave::Record> records = preparer.records();
  records.push_back(wave::Record{stop, 0, {0, 0, 0}, 0, 0, 0, 0, 0, 0});
  return records;
}

bool VectorMachine::run(const Instruction& instruction, const wave::LaneKernels& level) {
  const std::vector<wave::Record> records = prepare(instruction, level);
  if (records.empty()) return false;
  write_mxcsr(gang_->mxcsr);
  execute(records.data(), gang_);
  write_mxcsr(0x1f80);
  return true;
}

std::vector<std::uint32_t> VectorMachine::vector_state(unsigned count) {
  const std::uint32_t* first = wave::row(gang_, wave::Gang::vgpr_offset(0));
  return {first, first + count * wave::kRowWords};
}
std::vector<std::uint32_t> VectorMachine::scalar_state() {
  std::vector<std::uint32_t> state(&gang_->sgpr[0][0], &gang_->sgpr[0][0] + 108 * wave::kSlots);
  state.insert(state.end(), &gang_->sgpr[wave::kRowExecLo][0],
               &gang_->sgpr[wave::kRowExecLo][0] + 2 * wave::kSlots);
  return state;
}

}  // namespace mockgpu::tests
