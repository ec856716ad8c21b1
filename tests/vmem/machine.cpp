#include "tests/vmem/machine.h"

#include <memory>

#include "isa/amd/target.h"

namespace mockgpu::tests {

using namespace emu::amd;

Operand none() { return {}; }
Operand vgpr(unsigned index, unsigned dwords, bool dst) {
  Operand operand;
  operand.kind = OperandKind::vgpr;
  operand.index = static_cast<std::uint16_t>(index);
  operand.dwords = static_cast<std::uint8_t>(dwords);
  operand.bits = static_cast<std::uint8_t>(32 * dwords);
  operand.is_dst = dst;
  operand.is_src = !dst;
  return operand;
}
Operand vdst(unsigned index, unsigned dwords) { return vgpr(index, dwords, true); }
Operand sgpr(unsigned index, unsigned dwords) {
  Operand operand = vgpr(index, dwords);
  operand.kind = OperandKind::sgpr;
  return operand;
}
Operand constant(std::uint64_t value) {
  Operand operand;
  operand.kind = OperandKind::constant;
  operand.value = value;
  operand.is_src = true;
  return operand;
}
Instruction make(Encoding encoding, Op op, std::initializer_list<Operand> operands, std::int32_t offset) {
  Instruction instruction;
  instruction.op = op;
  instruction.encoding = encoding;
  instruction.size = 8;
  for (const Operand& operand : operands) instruction.operands[instruction.operand_count++] = operand;
  instruction.mods.offset = offset;
  return instruction;
}

namespace {
// A named function: g++ would take 5 s to try whether a lambda's result is a constant.
std::vector<std::byte> noise(std::size_t bytes) {
  std::vector<std::byte> result(bytes);
  std::uint32_t word = 1;
  for (std::byte& b : result) b = static_cast<std::byte>((word = word * 1664525 + 1013904223) >> 24);
  return result;
}
}  // namespace

Machine::Machine(const LaneKernels& level, unsigned slots, bool wave64)
    : level_(level),
      storage_(sizeof(Gang) + kVgprs * kRowBytes + alignof(Gang)),
      low_(kLowBytes),
      high_(kHighBytes),
      read_only_(kReadOnlyBytes),
      scratch_(kScratchWaveBytes * kSlots),
      lds_(kLdsBytes * kSlots) {
  const auto start = reinterpret_cast<std::uintptr_t>(storage_.data());
  const auto skip = (alignof(Gang) - start % alignof(Gang)) % alignof(Gang);
  gang_ = new (storage_.data() + skip) Gang{};
  static const std::vector<std::byte> kNoise = noise(1 << 18);
  std::size_t used = 0;
  for (auto* bytes : {&low_, &high_, &read_only_, &scratch_, &lds_}) {
    std::memcpy(bytes->data(), kNoise.data() + used, bytes->size());
    used += bytes->size();
  }
  using emu::kRead;
  using emu::kWrite;
  EXPECT_TRUE(space_.map({kLow, kLow + kLowBytes, low_.data(), kRead | kWrite, 1, "low"}));
  EXPECT_TRUE(space_.map({kHigh, kHigh + kHighBytes, high_.data(), kRead | kWrite, 2, "high"}));
  EXPECT_TRUE(space_.map({kReadOnly, kReadOnly + kReadOnlyBytes, read_only_.data(), kRead, 3, "read-only"}));
  EXPECT_TRUE(
      space_.map({kScratch, kScratch + scratch_.size(), scratch_.data(), kRead | kWrite, 4, "scratch"}));
  pin_ = std::make_unique<emu::AddressSpace::Pin>(space_);
  gang_->map = &**pin_;
  gang_->slots = slots;
  gang_->wave64 = wave64;
  gang_->vgpr_rows = kVgprs;
  gang_->code_base = 0x5000;
  gang_->lds_bytes = kLdsBytes;
  gang_->scratch_wave_bytes = kScratchWaveBytes;
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    gang_->lds[slot] = lds(slot);
    const unsigned wave = wave64 ? slot / 2 : slot;
    const std::uint64_t scratch = kScratch + wave * kScratchWaveBytes;
    s(kRowScratchLo, slot) = static_cast<std::uint32_t>(scratch);
    s(kRowScratchHi, slot) = static_cast<std::uint32_t>(scratch >> 32);
    s(kRowSharedBase + 1, slot) = kSharedAperture;
    s(kRowPrivateBase + 1, slot) = kPrivateAperture;
    s(kRowMode, slot) = 0xf0;
  }
  set_active((1u << slots) - 1);
  for (unsigned slot = 0; slot < slots; ++slot) set_exec(slot, ~0u);
}

std::uint32_t& Machine::v(unsigned reg, unsigned slot, unsigned lane) {
  return row(gang_, Gang::vgpr_offset(reg))[slot * kLanes + lane];
}
std::uint32_t& Machine::s(unsigned row, unsigned slot) { return gang_->sgpr[row][slot]; }
void Machine::set_pair(unsigned row, std::uint64_t value) {
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    s(row, slot) = static_cast<std::uint32_t>(value);
    s(row + 1, slot) = static_cast<std::uint32_t>(value >> 32);
  }
}
void Machine::set_exec(unsigned slot, std::uint32_t lanes) {
  set_mask(gang_, Gang::scalar_offset(kRowExecLo), slot, lanes);
  update_full(gang_);
}
void Machine::set_active(std::uint32_t slots) {
  gang_->active = slots;
  for (unsigned slot = 0; slot < kSlots; ++slot) gang_->slot_mask[slot] = (slots >> slot) & 1 ? ~0u : 0;
  update_full(gang_);
}
void Machine::randomize(std::mt19937& random) {
  std::uint32_t noise = random();
  std::uint32_t* words = row(gang_, Gang::vgpr_offset(0));
  for (unsigned i = 0; i < kVgprs * kRowWords; ++i) {
    noise = noise * 1664525 + 1013904223;
    words[i] = noise ^ noise >> 15;
  }
}

void Machine::expect_rows(unsigned reg, const std::vector<std::uint32_t>& words, const std::string& what) {
  if (std::memcmp(&v(reg, 0, 0), words.data(), 4 * words.size()) == 0) return;
  for (unsigned i = 0; i < words.size(); ++i) {
    if (v(reg, 0, i) == words[i]) continue;
    FAIL() << what << ": v" << reg + i / kRowWords << " slot " << i / kLanes % kSlots << " lane "
           << i % kLanes << " is " << v(reg, 0, i) << ", not " << words[i];
  }
}

std::byte* Machine::host(std::uint64_t address) {
  const auto within = [&](std::uint64_t begin, std::vector<std::byte>& bytes) -> std::byte* {
    return address >= begin && address - begin < bytes.size() ? bytes.data() + (address - begin) : nullptr;
  };
  for (auto* at : {within(kLow, low_), within(kHigh, high_), within(kReadOnly, read_only_),
                   within(kScratch, scratch_)}) {
    if (at) return at;
  }
  return nullptr;
}
std::byte* Machine::lds(unsigned slot) { return lds_.data() + slot * kLdsBytes; }

namespace {
HandlerResult stop(const Record*, Gang*) { MOCKGPU_STOP; }
}  // namespace

bool Machine::run(const Instruction& instruction, std::uint32_t pc) {
  Preparer preparer(*isa::amd::find_target("gfx1100"), gang_->wave64 != 0);
  preparer.begin_instruction(gang_->code_base + pc, gang_->code_base + pc + 8);
  const bool known = prepare_memory(instruction, level_, preparer);
  EXPECT_TRUE(known) << "no semantics";
  if (!known) return false;
  std::vector<Record> records = preparer.records();
  for (Record& record : records) record.pc = pc;
  records.push_back(Record{stop, 0, {0, 0, 0}, 0, 0, 0, 0, 0, 0});
  gang_->stop = Stop::none;
  gang_->fault = {};
#ifdef MOCKGPU_TAIL_CALLS
  records[0].run(records.data(), gang_);
#else
  const Record* next = records.data();
  while (next) next = next->run(next, gang_);
#endif
  return gang_->stop == Stop::none;
}

std::vector<std::byte> Machine::state() const {
  const std::size_t registers = kVgprs * kRowBytes;
  std::size_t total = registers;
  const auto memories = {&low_, &high_, &read_only_, &scratch_, &lds_};
  for (const auto* bytes : memories) total += bytes->size();
  std::vector<std::byte> result(total);
  std::memcpy(result.data(), reinterpret_cast<const std::byte*>(gang_) + Gang::vgpr_offset(0), registers);
  std::size_t used = registers;
  for (const auto* bytes : memories) {
    std::memcpy(result.data() + used, bytes->data(), bytes->size());
    used += bytes->size();
  }
  return result;
}

}  // namespace mockgpu::tests
