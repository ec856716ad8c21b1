#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "emu/amd/wave/lane_kernels.h"
#include "emu/amd/wave/prepare.h"
#include "emu/memory/address_space.h"

namespace mockgpu::emu::amd {

/// All code reachable from one entry by fall-through and direct branches, decoded once into records in pc
/// order.
struct CodeBlock {
  std::uint64_t base = 0;        ///< GPU address of the first decoded instruction
  std::vector<std::byte> bytes;  ///< what the code was when it was decoded, from `base` on
  std::vector<Record> records;
  std::vector<std::uint32_t> at;  ///< by (pc - base) / 4: index of the record to start with, or kNoRecord
  bool wave64 = false;
  bool lacks_code = false;  ///< something that it leads to could not be fetched: that may be there later
  bool ordered = false;  ///< its effects can depend on the order of workgroups: they must not run in parallel
  std::uint32_t vgprs = 0;    ///< one more than the highest vector register that it names
  std::uint32_t sgprs = 0;    ///< likewise of s0..s105
  std::uint64_t checked = 0;  ///< launch in which `bytes` were last compared with memory

  static constexpr std::uint32_t kNoRecord = ~0u;

  /// Record to start with at `pc`, or null if it was not decoded.
  const Record* find(std::uint64_t pc) const {
    const std::uint64_t offset = pc - base;
    if (offset >= at.size() * 4 || (offset & 3)) return nullptr;
    const std::uint32_t index = at[offset / 4];
    return index == kNoRecord ? nullptr : &records[index];
  }

  /// Whether memory still holds the decoded bytes.
  bool matches(const AddressMap& map) const;
};

/// Decodes the code reachable from `entry`. What cannot be decoded, fetched or executed becomes a record that
/// raises the fault when it is reached. With `observed`, every instruction tells the launch's observer
/// before it executes. Null if not even the first instruction can be fetched.
std::unique_ptr<CodeBlock> build_block(const isa::amd::Target& target, const LaneKernels& kernels,
                                       const AddressMap& map, std::uint64_t entry, bool wave64,
                                       bool observed);

/// The decoded code of one device. Blocks stay until their bytes change; replaced ones are kept while an
/// execution may use them.
class CodeCache {
 public:
  CodeCache(const isa::amd::Target& target, const LaneKernels& kernels, bool observed)
      : target_(target), kernels_(kernels), observed_(observed) {}

  /// The block that has a record at `pc`, checked against memory once per launch number. Null if there is no
  /// code. Thread-safe, unless the caller knows that it is `alone`.
  const CodeBlock* enter(const AddressMap& map, std::uint64_t pc, bool wave64, std::uint64_t launch,
                         bool alone = false);

  /// Frees replaced blocks. Only while nothing executes.
  void drop_replaced();

  const isa::amd::Target& target() const { return target_; }

 private:
  const isa::amd::Target& target_;
  const LaneKernels& kernels_;
  const bool observed_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<CodeBlock>> blocks_;
  std::vector<std::unique_ptr<CodeBlock>> replaced_;
};

}  // namespace mockgpu::emu::amd
