#pragma once
// A hand-made gang with memory around it, on which single instructions run at one level.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "emu/amd/wave/gang.h"
#include "emu/amd/wave/lane_kernels.h"
#include "emu/amd/wave/prepare.h"
#include "emu/memory/address_space.h"
#include "isa/amd/instruction.h"

namespace mockgpu::tests {

using emu::amd::Gang;
using emu::amd::kLanes;
using emu::amd::kRowWords;
using emu::amd::kSlots;
using isa::amd::Encoding;
using isa::amd::Instruction;
using isa::amd::Op;
using isa::amd::Operand;
using isa::amd::OperandKind;

inline constexpr unsigned kVgprs = 32;

// Memory of the tests: two ranges that touch in GPU addresses but not on the host, a read-only one behind a
// gap, and a scratch arena.
inline constexpr std::uint64_t kLow = 0x7f00'0000'1000, kLowBytes = 0x3000;
inline constexpr std::uint64_t kHigh = kLow + kLowBytes, kHighBytes = 0x2000;
inline constexpr std::uint64_t kReadOnly = 0x7f00'0001'0000, kReadOnlyBytes = 0x1000;
inline constexpr std::uint64_t kScratch = 0x7f00'0010'0000, kScratchWaveBytes = 0x2000;
inline constexpr std::uint32_t kSharedAperture = 0x10000, kPrivateAperture = 0x20000;
inline constexpr std::uint32_t kLdsBytes = 0x1000;

// ---- instructions by hand

Operand none();
Operand vgpr(unsigned index, unsigned dwords = 1, bool dst = false);
Operand vdst(unsigned index, unsigned dwords = 1);
Operand sgpr(unsigned index, unsigned dwords = 1);
Operand constant(std::uint64_t value);
Instruction make(Encoding encoding, Op op, std::initializer_list<Operand> operands, std::int32_t offset = 0);

/// One gang at one level.
class Machine {
 public:
  explicit Machine(const emu::amd::LaneKernels& level, unsigned slots = 8, bool wave64 = false);

  Gang* gang() { return gang_; }
  std::uint32_t& v(unsigned reg, unsigned slot, unsigned lane);
  std::uint32_t& s(unsigned row, unsigned slot);
  void set_pair(unsigned row, std::uint64_t value);  ///< an SGPR pair, in all slots
  void set_exec(unsigned slot, std::uint32_t lanes);
  void set_active(std::uint32_t slots);

  /// Fills all VGPRs with noise.
  void randomize(std::mt19937& random);

  /// Host bytes behind a GPU address of one of the ranges, or null.
  std::byte* host(std::uint64_t address);
  template <class T>
  T at(std::uint64_t address) {
    T value;
    std::memcpy(&value, host(address), sizeof value);
    return value;
  }
  template <class T>
  void put(std::uint64_t address, T value) {
    std::memcpy(host(address), &value, sizeof value);
  }
  std::byte* lds(unsigned slot);
  template <class T>
  T lds_at(unsigned slot, std::uint32_t offset) {
    T value;
    std::memcpy(&value, lds(slot) + offset, sizeof value);
    return value;
  }
  template <class T>
  void lds_put(unsigned slot, std::uint32_t offset, T value) {
    std::memcpy(lds(slot) + offset, &value, sizeof value);
  }

  /// Prepares and executes one instruction. Returns whether it ran to its end (else gang()->fault says why).
  /// Fails the test if the instruction has no semantics.
  bool run(const Instruction& instruction, std::uint32_t pc = 0x40);

  /// Fails the test, naming the first difference, unless the VGPRs from `reg` on hold `words`, row after row.
  void expect_rows(unsigned reg, const std::vector<std::uint32_t>& words, const std::string& what);

  /// Everything that an instruction could have changed: VGPRs, memory, LDS.
  std::vector<std::byte> state() const;

 private:
  const emu::amd::LaneKernels& level_;
  std::vector<std::byte> storage_;
  std::vector<std::byte> low_, high_, read_only_, scratch_, lds_;
  emu::AddressSpace space_;
  std::unique_ptr<emu::AddressSpace::Pin> pin_;
  Gang* gang_;
};

/// Runs for every level that this host has.
class VectorMemory : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    level_ = emu::amd::find_level(GetParam());
    if (!level_) GTEST_SKIP() << "this host cannot run level " << GetParam();
  }
  const emu::amd::LaneKernels& level() { return *level_; }

 private:
  const emu::amd::LaneKernels* level_ = nullptr;
};

}  // namespace mockgpu::tests

#define VECTOR_MEMORY_TEST_SUITE(name)                                      \
  class name : public mockgpu::tests::VectorMemory {};                      \
  INSTANTIATE_TEST_SUITE_P(Levels, name, testing::Values("baseline", "v3"), \
                           [](const auto& info) { return std::string(info.param); })
