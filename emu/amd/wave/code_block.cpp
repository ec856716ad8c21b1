#include "emu/amd/wave/code_block.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "emu/amd/wave/scalar_control.h"
#include "emu/memory/guard.h"
#include "emu/memory/raw_copy.h"
#include "isa/amd/instruction.h"

namespace mockgpu::emu::amd {
namespace {

using isa::amd::Encoding;
using isa::amd::Instruction;
using isa::amd::Op;
using isa::amd::OperandKind;

/// Code that a branch can reach from its block's entry: simm16 dwords, some hops.
constexpr std::uint64_t kLargestBlock = 64ull << 20;
/// Retired instructions fit Record::retired; longer straight-line code gets a counting point in between.
constexpr unsigned kMostUncounted = 60'000;

enum class Flow : std::uint8_t { next, branch, branch_or_next, stop };

Flow flow_of(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::s_branch: return Flow::branch;
    case Op::s_cbranch_scc0:
    case Op::s_cbranch_scc1:
    case Op::s_cbranch_vccz:
    case Op::s_cbranch_vccnz:
    case Op::s_cbranch_execz:
    case Op::s_cbranch_execnz:
    case Op::s_call_b64: return Flow::branch_or_next;
    case Op::s_endpgm:
    case Op::s_setpc_b64: return Flow::stop;
    default: return Flow::next;  // s_swappc returns behind itself, mostly
  }
}

/// Whether the order of workgroups can be seen through this instruction (design: order).
bool is_ordered(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::s_setpc_b64:
    case Op::s_swappc_b64:
    case Op::s_sendmsg_rtn_b32:
    case Op::s_sendmsg_rtn_b64:
    case Op::s_getreg_b32:
    case Op::s_gl1_inv:
    case Op::buffer_gl1_inv: return true;
    case Op::s_sendmsg: return sends_interrupt(instruction);
    default: break;
  }
  switch (instruction.encoding) {
    case Encoding::flat:
    case Encoding::global:
    case Encoding::mubuf:
    case Encoding::mtbuf:
    case Encoding::mimg: {
      const isa::amd::FormFlags flags = isa::amd::form_flags(*instruction.form);
      return flags.atomic || (flags.load && instruction.mods.glc);
    }
    case Encoding::ds: return instruction.mods.gds;
    default: return false;
  }
}

class Builder {
 public:
  Builder(const isa::amd::Target& target, const LaneKernels& kernels, const AddressMap& map,
          std::uint64_t entry, bool wave64, bool observed)
      : target_(target),
        kernels_(kernels),
        map_(map),
        entry_(entry),
        preparer_(target, wave64),
        wave64_(wave64),
        observed_(observed) {}

  std::unique_ptr<CodeBlock> build() {
    CodeBytes bytes;
    if (fetch(entry_, bytes) < 4) return nullptr;
    discover();
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.pc < b.pc; });
    block_->base = found_.front().pc;
    block_->wave64 = wave64_;
    place();
    link();
    copy_bytes();
    return std::move(block_);
  }

 private:
  struct Found {
    std::uint64_t pc;
    std::uint32_t size;
    bool leader;  ///< another path than the instruction in front of it arrives here
    bool decoded;
  };

  /// The longest instruction fits.
  using CodeBytes = std::array<std::byte, 64>;

  /// Copies code at `pc`, as much as its range has; returns the number of bytes, 0 if it cannot be fetched.
  std::size_t fetch(std::uint64_t pc, CodeBytes& to) const {
    const MappedRange* range = map_.find(pc, kExecute);
    if (!range || !(range->rights & kExecute)) return 0;
    const std::size_t size = std::min<std::uint64_t>(range->end - pc, to.size());
    const std::byte* const from = range->host + (pc - range->begin);
    return guarded(map_, [&] { raw_copy(to.data(), from, size); }) ? size : 0;
  }

  bool decode_at(std::uint64_t pc, Instruction& out) const {
    CodeBytes bytes;
    const std::size_t size = fetch(pc, bytes);
    return size >= 4 && isa::amd::decode(target_, std::span(bytes.data(), size), wave64_, out);
  }

  std::uint32_t& index_of(std::uint64_t pc) {
    // `seen_` covers a window of dwords around the entry that grows in both directions.
    if (pc < seen_base_) {
      const std::uint64_t grow = std::max<std::uint64_t>((seen_base_ - pc) / 4, seen_.size());
      const std::uint64_t rows = std::min<std::uint64_t>(grow, seen_base_ / 4);
      seen_.insert(seen_.begin(), rows, CodeBlock::kNoRecord);
      seen_base_ -= rows * 4;
    }
    const std::uint64_t at = (pc - seen_base_) / 4;
    if (at >= seen_.size())
      seen_.resize(std::max<std::uint64_t>(at + 1, seen_.size() * 2), CodeBlock::kNoRecord);
    return seen_[at];
  }

  bool in_reach(std::uint64_t pc) const {
    const std::uint64_t distance = pc > entry_ ? pc - entry_ : entry_ - pc;
    return distance < kLargestBlock && (pc & 3) == 0;
  }

  void discover() {
    seen_base_ = entry_;
    seen_.assign(64, CodeBlock::kNoRecord);
    std::vector<std::uint64_t> work{entry_};
    Instruction instruction;
    while (!work.empty()) {
      std::uint64_t pc = work.back();
      work.pop_back();
      bool leader = true;
      while (true) {
        std::uint32_t& seen = index_of(pc);
        if (seen != CodeBlock::kNoRecord) {
          found_[seen].leader |= leader;
          break;
        }
        seen = static_cast<std::uint32_t>(found_.size());
        instruction = Instruction{};
        const bool ok = decode_at(pc, instruction);
        found_.push_back({pc, ok ? instruction.size : 4u, leader, ok});
        if (!ok) break;
        block_->ordered |= is_ordered(instruction);
        for (const auto& operand : instruction.ops()) {
          const std::uint32_t end = operand.index + 0u + operand.dwords;
          if (operand.kind == OperandKind::vgpr) block_->vgprs = std::max(block_->vgprs, end);
          if (operand.kind == OperandKind::sgpr && operand.index < kRowVccLo)
            block_->sgprs = std::max(block_->sgprs, end);
        }
        const bool any_register = instruction.op == Op::s_movrels_b32 || instruction.op == Op::s_movrels_b64;
        if (any_register) block_->sgprs = kRowVccLo;
        const Flow flow = flow_of(instruction);
        const std::uint64_t next = pc + instruction.size;
        if (flow == Flow::branch || flow == Flow::branch_or_next) {
          const std::uint64_t target = target_pc(instruction, next);
          if (in_reach(target)) work.push_back(target);
        }
        if (flow == Flow::stop || flow == Flow::branch || !in_reach(next)) break;
        leader = flow == Flow::branch_or_next;
        pc = next;
      }
    }
  }

  static std::uint64_t target_pc(const Instruction& instruction, std::uint64_t next) {
    for (const auto& operand : instruction.ops()) {
      if (operand.kind == OperandKind::immediate) {
        return next + static_cast<std::uint64_t>(
                          static_cast<std::int64_t>(static_cast<std::int16_t>(operand.value)) * 4);
      }
    }
    return next;
  }

  void raise(std::uint64_t pc, FaultKind kind, const char* text = nullptr) {
    Record record{};
    record.run = control::raise;
    record.op = static_cast<std::uint8_t>(kind);
    record.imm = reinterpret_cast<std::uint64_t>(text);
    record.flags = kCountingPoint;
    append(record, pc);
  }

  void append(Record record, std::uint64_t pc) {
    record.pc = static_cast<std::uint32_t>(pc - block_->base);
    if (record.flags & kCountingPoint) {
      record.retired = static_cast<std::uint16_t>(uncounted_);
      uncounted_ = 0;
    }
    block_->records.push_back(record);
  }

  void append_plain(Handler handler, std::uint64_t pc, std::uint8_t flags = 0) {
    Record record{};
    record.run = handler;
    record.flags = flags;
    append(record, pc);
  }

  void prepare(std::uint64_t pc, const Instruction& instruction) {
    preparer_.begin_instruction(pc, pc + instruction.size);
    bool known = false;
    switch (instruction.encoding) {
      case Encoding::sop2:
      case Encoding::sopk:
      case Encoding::sop1:
      case Encoding::sopc:
      case Encoding::sopp:
      case Encoding::smem: known = prepare_scalar(instruction, preparer_); break;
      case Encoding::ds:
      case Encoding::mubuf:
      case Encoding::mtbuf:
      case Encoding::mimg:
      case Encoding::flat:
      case Encoding::global:
      case Encoding::scratch: known = prepare_memory(instruction, kernels_, preparer_); break;
      case Encoding::exp: break;
      default: known = prepare_vector(instruction, kernels_, preparer_); break;
    }
    if (!known || preparer_.out_of_temps()) {
      raise(pc, FaultKind::no_semantics);
      return;
    }
    for (const Record& record : preparer_.records()) append(record, pc);
  }

  void place() {
    block_->at.assign((found_.back().pc - block_->base) / 4 + 1, CodeBlock::kNoRecord);
    Instruction instruction;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const Found& found = found_[i];
      if ((found.leader && uncounted_ > 0) || uncounted_ >= kMostUncounted)
        append_plain(control::join, found.pc, kCountingPoint);
      block_->at[(found.pc - block_->base) / 4] = static_cast<std::uint32_t>(block_->records.size());
      if (observed_) append_plain(control::observe, found.pc);
      ++uncounted_;
      instruction = Instruction{};
      if (!found.decoded || !decode_at(found.pc, instruction)) {
        CodeBytes bytes;
        const bool there = fetch(found.pc, bytes) >= 4;
        block_->lacks_code |= !there;
        raise(found.pc, there ? FaultKind::undecodable : FaultKind::fetch);
        continue;
      }
      prepare(found.pc, instruction);
      const Flow flow = flow_of(instruction);
      if (flow == Flow::stop || flow == Flow::branch) continue;
      const std::uint64_t next = found.pc + found.size;
      if (i + 1 < found_.size() && found_[i + 1].pc == next) continue;
      // The next instruction is elsewhere in the block (overlapping code), or out of reach.
      Record record{};
      record.run = control::branch;
      record.imm = next;
      record.flags = kTargetPc | kCountingPoint;
      append(record, next);
    }
    // Where a target was not decoded, control ends here.
    uncounted_ = 0;
    raise(found_.back().pc, FaultKind::fetch);
  }

  void link() {
    for (Record& record : block_->records) {
      if (!(record.flags & kTargetPc)) continue;
      const Record* target = block_->find(record.imm);
      record.imm = reinterpret_cast<std::uint64_t>(target ? target : &block_->records.back());
    }
  }

  void copy_bytes() {
    const Found& last = found_.back();
    block_->bytes.resize(last.pc + last.size - block_->base);
    const std::uint64_t done = map_.read(block_->base, block_->bytes.data(), block_->bytes.size());
    block_->bytes.resize(done);
  }

  const isa::amd::Target& target_;
  const LaneKernels& kernels_;
  const AddressMap& map_;
  const std::uint64_t entry_;
  Preparer preparer_;
  const bool wave64_;
  const bool observed_;
  std::unique_ptr<CodeBlock> block_ = std::make_unique<CodeBlock>();
  std::vector<Found> found_;
  std::vector<std::uint32_t> seen_;  ///< by (pc - seen_base_) / 4: index into found_
  std::uint64_t seen_base_ = 0;
  unsigned uncounted_ = 0;
};

}  // namespace

bool CodeBlock::matches(const AddressMap& map) const {
  if (lacks_code) return false;
  if (const std::byte* now = map.translate(base, bytes.size(), kExecute)) {
    bool equal = false;
    return guarded(map, [&] { equal = std::memcmp(now, bytes.data(), bytes.size()) == 0; }) && equal;
  }
  std::vector<std::byte> copy(bytes.size());
  return map.read(base, copy.data(), copy.size(), kExecute) == copy.size() && copy == bytes;
}

std::unique_ptr<CodeBlock> build_block(const isa::amd::Target& target, const LaneKernels& kernels,
                                       const AddressMap& map, std::uint64_t entry, bool wave64,
                                       bool observed) {
  if (entry & 3) return nullptr;
  return Builder(target, kernels, map, entry, wave64, observed).build();
}

const CodeBlock* CodeCache::enter(const AddressMap& map, std::uint64_t pc, bool wave64, std::uint64_t launch,
                                  bool alone) {
  const auto lock = alone ? std::unique_lock<std::mutex>() : std::unique_lock(mutex_);
  for (auto& block : blocks_) {
    if (block->wave64 != wave64 || !block->find(pc)) continue;
    if (block->checked != launch && !block->matches(map)) {
      replaced_.push_back(std::move(block));
      block = std::move(blocks_.back());
      blocks_.pop_back();
      break;
    }
    block->checked = launch;
    return block.get();
  }
  std::unique_ptr<CodeBlock> made = build_block(target_, kernels_, map, pc, wave64, observed_);
  if (!made) return nullptr;
  made->checked = launch;
  blocks_.push_back(std::move(made));
  return blocks_.back().get();
}

void CodeCache::drop_replaced() {
  const std::lock_guard lock(mutex_);
  replaced_.clear();
}

}  // namespace mockgpu::emu::amd
