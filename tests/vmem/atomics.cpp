// Atomics of GLOBAL, FLAT and DS instructions against formulas of the manual, lane by lane in ascending
// order.
#include <cmath>
#include <functional>
#include <limits>

#include "tests/vmem/machine.h"

namespace mockgpu::tests::atomics_tests {

VECTOR_MEMORY_TEST_SUITE(Atomics);

using u64 = std::uint64_t;
using s64 = std::int64_t;

constexpr unsigned kAddress = 0, kData = 8, kData1 = 16, kResult = 24, kBase = 10;

/// Memory's new value from the old one and the operands, all at the width of the atomic.
using Formula = std::function<u64(u64 old, u64 data, u64 other)>;

s64 narrow(u64 x) { return static_cast<std::int32_t>(x); }

struct Case {
  const char* name;
  Op global, flat, ds, ds_rtn;
  bool wide, two;
  Formula formula;
};

#define CASES(wide, G, U, S, B, sign)                                                    \
  {"add",                                                                                \
   Op::global_atomic_add_u##G,                                                           \
   Op::flat_atomic_add_u##G,                                                             \
   Op::ds_add_u##G,                                                                      \
   Op::ds_add_rtn_u##G,                                                                  \
   wide,                                                                                 \
   false,                                                                                \
   [](u64 o, u64 d, u64) { return o + d; }},                                             \
      {"sub",                                                                            \
       Op::global_atomic_sub_u##G,                                                       \
       Op::flat_atomic_sub_u##G,                                                         \
       Op::ds_sub_u##G,                                                                  \
       Op::ds_sub_rtn_u##G,                                                              \
       wide,                                                                             \
       false,                                                                            \
       [](u64 o, u64 d, u64) { return o - d; }},                                         \
      {"min_i",                                                                          \
       Op::global_atomic_min_i##G,                                                       \
       Op::flat_atomic_min_i##G,                                                         \
       Op::ds_min_i##G,                                                                  \
       Op::ds_min_rtn_i##G,                                                              \
       wide,                                                                             \
       false,                                                                            \
       [](u64 o, u64 d, u64) { return sign(d) < sign(o) ? d : o; }},                     \
      {"max_i",                                                                          \
       Op::global_atomic_max_i##G,                                                       \
       Op::flat_atomic_max_i##G,                                                         \
       Op::ds_max_i##G,                                                                  \
       Op::ds_max_rtn_i##G,                                                              \
       wide,                                                                             \
       false,                                                                            \
       [](u64 o, u64 d, u64) { return sign(d) > sign(o) ? d : o; }},                     \
      {"min_u",                                                                          \
       Op::global_atomic_min_u##G,                                                       \
       Op::flat_atomic_min_u##G,                                                         \
       Op::ds_min_u##G,                                                                  \
       Op::ds_min_rtn_u##G,                                                              \
       wide,                                                                             \
       false,                                                                            \
       [](u64 o, u64 d, u64) { return d < o ? d : o; }},                                 \
      {"max_u",                                                                          \
       Op::global_atomic_max_u##G,                                                       \
       Op::flat_atomic_max_u##G,                                                         \
       Op::ds_max_u##G,                                                                  \
       Op::ds_max_rtn_u##G,                                                              \
       wide,                                                                             \
       false,                                                                            \
       [](u64 o, u64 d, u64) { return d > o ? d : o; }},                                 \
      {"and",                                                                            \
       Op::global_atomic_and_b##G,                                                       \
       Op::flat_atomic_and_b##G,                                                         \
       Op::ds_and_b##G,                                                                  \
       Op::ds_and_rtn_b##G,                                                              \
       wide,                                                                             \
       false,                                                                            \
       [](u64 o, u64 d, u64) { return o & d; }},                                         \
      {"or",                                                                             \
       Op::global_atomic_or_b##G,                                                        \
       Op::flat_atomic_or_b##G,                                                          \
       Op::ds_or_b##G,                                                                   \
       Op::ds_or_rtn_b##G,                                                               \
       wide,                                                                             \
       false,                                                                            \
       [](u64 o, u64 d, u64) { return o | d; }},                                         \
      {"xor",                                                                            \
       Op::global_atomic_xor_b##G,                                                       \
       Op::flat_atomic_xor_b##G,                                                         \
       Op::ds_xor_b##G,                                                                  \
       Op::ds_xor_rtn_b##G,                                                              \
       wide,                                                                             \
       false,                                                                            \
       [](u64 o, u64 d, u64) { return o ^ d; }},                                         \
      {"inc",                                                                            \
       Op::global_atomic_inc_u##G,                                                       \
       Op::flat_atomic_inc_u##G,                                                         \
       Op::ds_inc_u##G,                                                                  \
       Op::ds_inc_rtn_u##G,                                                              \
       wide,                                                                             \
       false,                                                                            \
       [](u64 o, u64 d, u64) { return o >= d ? 0 : o + 1; }},                            \
      {"dec",                                                                            \
       Op::global_atomic_dec_u##G,                                                       \
       Op::flat_atomic_dec_u##G,                                                         \
       Op::ds_dec_u##G,                                                                  \
       Op::ds_dec_rtn_u##G,                                                              \
       wide,                                                                             \
       false,                                                                            \
       [](u64 o, u64 d, u64) { return o == 0 || o > d ? d : o - 1; }},                   \
      {"swap",    Op::global_atomic_swap_b##G,      Op::flat_atomic_swap_b##G,           \
       Op::count, Op::ds_storexchg_rtn_b##G,        wide,                                \
       false,     [](u64, u64 d, u64) { return d; }},                                              \
      {"cmpswap",                                                                        \
       Op::global_atomic_cmpswap_b##G,                                                   \
       Op::flat_atomic_cmpswap_b##G,                                                     \
       Op::ds_cmpstore_b##G,                                                             \
       Op::ds_cmpstore_rtn_b##G,                                                         \
       wide,                                                                             \
       true,                                                                             \
       [](u64 o, u64 d, u64 c) { return o == c ? d : o; }},                              \
      {"rsub",                                                                           \
       Op::count,                                                                        \
       Op::count,                                                                        \
       Op::ds_rsub_u##G,                                                                 \
       Op::ds_rsub_rtn_u##G,                                                             \
       wide,                                                                             \
       false,                                                                            \
       [](u64 o, u64 d, u64) { return d - o; }},                                         \
  {                                                                                      \
    "mskor", Op::count, Op::count, Op::ds_mskor_b##G, Op::ds_mskor_rtn_b##G, wide, true, \
        [](u64 o, u64 d, u64 e) { return (o & ~d) | e; }                                 \
  }

const std::vector<Case> kCases = {
    CASES(false, 32, u32, i32, b32, narrow),
    CASES(true, 64, u64, i64, b64, static_cast<s64>),
    {"csub", Op::global_atomic_csub_u32, Op::count, Op::count, Op::count, false, false,
     [](u64 o, u64 d, u64) { return o < d ? 0 : o - d; }},
    {"wrap", Op::count, Op::count, Op::count, Op::ds_wrap_rtn_b32, false, true,
     [](u64 o, u64 d, u64 e) { return o >= d ? o - d : o + e; }},
    {"condxchg", Op::count, Op::count, Op::count, Op::ds_condxchg32_rtn_b64, true, false,
     [](u64 o, u64 d, u64) {
       u64 result = o;
       if (d >> 31 & 1) result = (result & 0xffffffff00000000) | (d & 0x7fffffff);
       if (d >> 63) result = (result & 0xffffffff) | (d & 0x7fffffff00000000);
       return result;
     }},
};

enum class Where { saddr, vaddr, flat_global, flat_lds, ds };

/// Runs one atomic with lanes that share words, and checks results, memory and untouched registers.
void check(const emu::amd::LaneKernels& level, const Case& c, Where where, bool returns,
           std::mt19937& random) {
  Machine machine(level, 3);
  machine.randomize(random);
  const unsigned bytes = c.wide ? 8 : 4;
  const u64 mask = c.wide ? ~u64{0} : 0xffffffff;
  const bool in_lds = where == Where::flat_lds || where == Where::ds;
  machine.set_pair(kBase, kLow);
  machine.set_exec(1, 0x8421ffff);
  machine.set_active(5u | (random() & 2));

  const auto value = [&](unsigned reg, unsigned i) -> u64 {
    return machine.v(reg, 0, i) | (c.wide ? u64{machine.v(reg + 1, 0, i)} << 32 : 0);
  };
  std::vector<u64> words(16 * 3);
  const auto word_at = [&](unsigned slot, unsigned w) -> std::byte* {
    return in_lds ? machine.lds(slot) + 0x40 + w * bytes : machine.host(kLow + 0x40 + w * bytes);
  };
  for (unsigned slot = 0; slot < 3; ++slot) {
    for (unsigned w = 0; w < 16; ++w) {
      const u64 start = (random() % 2 ? random() % 8 : random() | u64{random()} << 32) & mask;
      std::memcpy(word_at(slot, w), &start, bytes);
    }
  }
  for (unsigned slot = 0; slot < 3; ++slot) {
    for (unsigned w = 0; w < 16; ++w) std::memcpy(&words[slot * 16 + w], word_at(slot, w), bytes);
  }
  std::vector<unsigned> chosen(3 * kLanes);
  for (unsigned i = 0; i < 3 * kLanes; ++i) {
    chosen[i] = random() % 16;
    const std::uint32_t offset = 0x40 - 8 + chosen[i] * bytes;
    const u64 address = where == Where::vaddr || where == Where::flat_global ? kLow + offset
                        : where == Where::flat_lds ? (u64{kSharedAperture} << 32) + offset
                                                   : offset;
    machine.v(kAddress, 0, i) = static_cast<std::uint32_t>(address);
    machine.v(kAddress + 1, 0, i) = static_cast<std::uint32_t>(address >> 32);
    if (random() % 2) {  // small operands that meet what is there
      machine.v(kData, 0, i) = random() % 8;
      if (c.wide) machine.v(kData + 1, 0, i) = 0;
    }
    const unsigned other = where == Where::ds ? kData1 : kData + bytes / 4;
    if (random() % 2) {
      const u64 seen = words[(in_lds ? i / kLanes : 0) * 16 + chosen[i]];
      machine.v(other, 0, i) = static_cast<std::uint32_t>(seen);
      if (c.wide) machine.v(other + 1, 0, i) = static_cast<std::uint32_t>(seen >> 32);
    }
  }

  std::vector<u64> results(3 * kLanes);
  std::vector<bool> done(3 * kLanes);
  for (unsigned i = 0; i < 3 * kLanes; ++i) {
    results[i] = value(kResult, i);
    const unsigned slot = i / kLanes;
    if (!(machine.gang()->active >> slot & 1) || !(exec_of(machine.gang(), slot) >> i % kLanes & 1)) continue;
    u64& word = words[(in_lds ? slot : 0) * 16 + chosen[i]];
    if (returns) results[i] = word;
    word = c.formula(word, value(kData, i), value(where == Where::ds ? kData1 : kData + bytes / 4, i)) & mask;
  }

  const unsigned dwords = bytes / 4;
  Instruction instruction;
  if (where == Where::ds) {
    instruction =
        returns
            ? c.two ? make(Encoding::ds, c.ds_rtn,
                           {vdst(kResult, dwords), vgpr(kAddress), vgpr(kData, dwords), vgpr(kData1, dwords)},
                           8)
                    : make(Encoding::ds, c.ds_rtn,
                           {vdst(kResult, dwords), vgpr(kAddress), vgpr(kData, dwords)}, 8)
        : c.two ? make(Encoding::ds, c.ds, {vgpr(kAddress), vgpr(kData, dwords), vgpr(kData1, dwords)}, 8)
                : make(Encoding::ds, c.ds, {vgpr(kAddress), vgpr(kData, dwords)}, 8);
  } else {
    const Operand dst = returns ? vdst(kResult, dwords) : none();
    const Operand data = vgpr(kData, c.two ? 2 * dwords : dwords);
    if (where == Where::saddr || where == Where::vaddr) {
      const bool saddr = where == Where::saddr;
      instruction = make(Encoding::global, c.global,
                         {dst, vgpr(kAddress, saddr ? 1 : 2), data, saddr ? sgpr(kBase, 2) : none()}, 8);
    } else {
      instruction = make(Encoding::flat, c.flat, {dst, vgpr(kAddress, 2), data}, 8);
    }
    instruction.mods.glc = returns;
  }
  ASSERT_TRUE(machine.run(instruction)) << c.name;
  for (unsigned i = 0; i < 3 * kLanes; ++i) {
    ASSERT_EQ(value(kResult, i), results[i])
        << c.name << bytes * 8 << " where " << static_cast<int>(where) << " lane " << i;
  }
  for (unsigned slot = 0; slot < 3; ++slot) {
    for (unsigned w = 0; w < 16; ++w) {
      u64 now = 0;
      std::memcpy(&now, word_at(slot, w), bytes);
      ASSERT_EQ(now, words[(in_lds ? slot : 0) * 16 + w])
          << c.name << bytes * 8 << " where " << static_cast<int>(where);
    }
  }
}

TEST_P(Atomics, IntegerOpsMatchTheirFormulas) {
  std::mt19937 random(31);
  for (const Case& c : kCases) {
    for (const Where where : {Where::saddr, Where::vaddr, Where::flat_global, Where::flat_lds, Where::ds}) {
      for (const bool returns : {false, true}) {
        const Op op = where == Where::ds                               ? returns ? c.ds_rtn : c.ds
                      : where == Where::saddr || where == Where::vaddr ? c.global
                                                                       : c.flat;
        if (op == Op::count) continue;
        for (int round = 0; round < 3; ++round) check(level(), c, where, returns, random);
      }
    }
  }
}

std::uint32_t bits(float f) { return __builtin_bit_cast(std::uint32_t, f); }
u64 bits(double f) { return __builtin_bit_cast(u64, f); }

/// One lane's global float atomic: the value that memory has afterwards.
std::uint32_t float_atomic(const emu::amd::LaneKernels& level, Op op, std::uint32_t old, std::uint32_t data,
                           std::uint32_t other = 0) {
  Machine machine(level, 1);
  machine.set_exec(0, 1);
  machine.set_pair(kBase, kLow);
  machine.v(kAddress, 0, 0) = 0x10;
  machine.v(kData, 0, 0) = data;
  machine.v(kData + 1, 0, 0) = other;
  machine.put(kLow + 0x10, old);
  EXPECT_TRUE(machine.run(make(Encoding::global, op, {none(), vgpr(kAddress), vgpr(kData), sgpr(kBase, 2)})));
  return machine.at<std::uint32_t>(kLow + 0x10);
}

TEST_P(Atomics, FloatAddRoundsToNearestEvenAndKeepsSubnormals) {
  const Op add = Op::global_atomic_add_f32;
  EXPECT_EQ(float_atomic(level(), add, bits(1.5f), bits(2.25f)), bits(3.75f));
  EXPECT_EQ(float_atomic(level(), add, bits(16777216.0f), bits(1.0f)), bits(16777216.0f));  // tie to even
  EXPECT_EQ(float_atomic(level(), add, bits(16777218.0f), bits(1.0f)), bits(16777220.0f));  // tie to even
  EXPECT_EQ(float_atomic(level(), add, 1, 2), 3u);                                          // subnormals
  EXPECT_EQ(float_atomic(level(), add, 0x7f800000, 0xff800000), 0x7fc00000u);               // inf - inf
  EXPECT_EQ(float_atomic(level(), add, 0xff812345, bits(1.0f)), 0xffc12345u);  // the NaN, quieted (NAN-1)
  EXPECT_EQ(float_atomic(level(), add, bits(1.0f), 0x7f800001), 0x7fc00001u);
}

TEST_P(Atomics, FloatMinMaxPreferNumbersAndOrderZeros) {
  const Op least = Op::global_atomic_min_f32, most = Op::global_atomic_max_f32;
  EXPECT_EQ(float_atomic(level(), least, bits(1.0f), bits(-2.0f)), bits(-2.0f));
  EXPECT_EQ(float_atomic(level(), most, bits(1.0f), bits(-2.0f)), bits(1.0f));
  EXPECT_EQ(float_atomic(level(), least, 0x7fc00000, bits(3.0f)), bits(3.0f));
  EXPECT_EQ(float_atomic(level(), most, bits(3.0f), 0x7fc00000), bits(3.0f));
  EXPECT_EQ(float_atomic(level(), least, bits(0.0f), bits(-0.0f)), bits(-0.0f));
  EXPECT_EQ(float_atomic(level(), most, bits(-0.0f), bits(0.0f)), bits(0.0f));
  EXPECT_EQ(float_atomic(level(), least, 2, 1), 1u);  // subnormals compare
}

TEST_P(Atomics, FloatCompareSwapComparesAsFloats) {
  const Op swap = Op::global_atomic_cmpswap_f32;
  EXPECT_EQ(float_atomic(level(), swap, bits(1.0f), bits(5.0f), bits(1.0f)), bits(5.0f));
  EXPECT_EQ(float_atomic(level(), swap, bits(1.0f), bits(5.0f), bits(2.0f)), bits(1.0f));
  EXPECT_EQ(float_atomic(level(), swap, bits(-0.0f), bits(5.0f), bits(0.0f)), bits(5.0f));
  EXPECT_EQ(float_atomic(level(), swap, 0x7fc00000, bits(5.0f), 0x7fc00000), 0x7fc00000u);
}

TEST_P(Atomics, LdsFloatAtomicsFollowTheDenormalMode) {
  for (const std::uint32_t denorm : {0u, 1u, 2u, 3u}) {
    Machine machine(level(), 1);
    machine.set_exec(0, 1);
    machine.s(emu::amd::kRowMode, 0) = denorm << 4 | denorm << 6;
    machine.v(kAddress, 0, 0) = 0x10;
    // Smallest normal minus a quarter of it: exact, subnormal.
    machine.lds_put<std::uint32_t>(0, 0x10, 0x00800000);
    machine.v(kData, 0, 0) = bits(-0x1p-128f);  // itself subnormal
    ASSERT_TRUE(
        machine.run(make(Encoding::ds, Op::ds_add_rtn_f32, {vdst(kResult), vgpr(kAddress), vgpr(kData)})));
    EXPECT_EQ(machine.v(kResult, 0, 0), 0x00800000u);
    const bool in = denorm & 1, out = denorm & 2;
    const std::uint32_t exact = bits(0x1p-126f - 0x1p-128f);
    EXPECT_EQ(machine.lds_at<std::uint32_t>(0, 0x10), !in ? 0x00800000u : out ? exact : 0u) << denorm;
  }
}

TEST_P(Atomics, LdsDoubleMinMax) {
  Machine machine(level(), 1);
  machine.set_exec(0, 3);
  for (unsigned lane = 0; lane < 2; ++lane) {
    machine.v(kAddress, 0, lane) = 0x10;
    const u64 data = bits(lane ? 2.5 : -7.0);
    machine.v(kData, 0, lane) = static_cast<std::uint32_t>(data);
    machine.v(kData + 1, 0, lane) = static_cast<std::uint32_t>(data >> 32);
  }
  machine.lds_put<double>(0, 0x10, 1.0);
  ASSERT_TRUE(machine.run(
      make(Encoding::ds, Op::ds_max_rtn_f64, {vdst(kResult, 2), vgpr(kAddress), vgpr(kData, 2)})));
  EXPECT_EQ(machine.lds_at<double>(0, 0x10), 2.5);
  EXPECT_EQ(machine.v(kResult, 0, 0) | u64{machine.v(kResult + 1, 0, 0)} << 32, bits(1.0));
  ASSERT_TRUE(machine.run(make(Encoding::ds, Op::ds_min_f64, {vgpr(kAddress), vgpr(kData, 2)})));
  EXPECT_EQ(machine.lds_at<double>(0, 0x10), -7.0);
}

TEST_P(Atomics, TheWavesRoundingModeComesBack) {
#if defined(__SSE__)
  const unsigned before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | 0x6000);  // towards zero
  EXPECT_EQ(float_atomic(level(), Op::global_atomic_add_f32, bits(16777216.0f), bits(1.5f)),
            bits(16777218.0f));
  EXPECT_EQ(__builtin_ia32_stmxcsr() & 0x6000, 0x6000u);
  __builtin_ia32_ldmxcsr(before);
#endif
}

TEST_P(Atomics, ExchangeOfTwoAddresses) {
  Machine machine(level(), 1);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    machine.v(kAddress, 0, lane) = 4 * lane;
    machine.v(kData, 0, lane) = lane;
    machine.v(kData1, 0, lane) = 1000 + lane;
  }
  const auto first = machine.lds_at<std::uint32_t>(0, 4 * 5 + 4),
             second = machine.lds_at<std::uint32_t>(0, 4 * 5 + 512);
  Instruction swap = make(Encoding::ds, Op::ds_storexchg_2addr_rtn_b32,
                          {vdst(kAddress, 2), vgpr(kAddress), vgpr(kData), vgpr(kData1)});
  swap.mods.offset0 = 1;
  swap.mods.offset1 = 128;
  ASSERT_TRUE(machine.run(swap));
  EXPECT_EQ(machine.v(kAddress, 0, 5), first);
  EXPECT_EQ(machine.v(kAddress + 1, 0, 5), second);
  EXPECT_EQ(machine.lds_at<std::uint32_t>(0, 4 * 5 + 4), 5u);
  EXPECT_EQ(machine.lds_at<std::uint32_t>(0, 4 * 5 + 512), 1005u);
}

TEST_P(Atomics, MisalignedFaultsBeforeTheLaneIsDone) {
  for (const bool in_lds : {false, true}) {
    Machine machine(level(), 1);
    machine.set_pair(kBase, kLow);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      machine.v(kAddress, 0, lane) = 8 * lane + (lane == 9 ? 4 : 0);
      machine.v(kData, 0, lane) = lane;
      machine.v(kData + 1, 0, lane) = 0;
    }
    const auto skipped = in_lds ? machine.lds_at<u64>(0, 80) : machine.at<u64>(kLow + 80);
    EXPECT_FALSE(machine.run(in_lds ? make(Encoding::ds, Op::ds_max_u64, {vgpr(kAddress), vgpr(kData, 2)})
                                    : make(Encoding::global, Op::global_atomic_add_u64,
                                           {none(), vgpr(kAddress), vgpr(kData, 2), sgpr(kBase, 2)})));
    EXPECT_EQ(machine.gang()->fault.kind, emu::amd::FaultKind::misaligned_atomic);
    EXPECT_EQ(machine.gang()->fault.lanes, 1u << 9);
    EXPECT_EQ(machine.gang()->fault.bytes, 8u);
    EXPECT_EQ(machine.gang()->fault.address, (in_lds ? 0 : kLow) + 76);
    EXPECT_EQ(in_lds ? machine.lds_at<u64>(0, 80) : machine.at<u64>(kLow + 80), skipped);
  }
}

TEST_P(Atomics, ReadOnlyAndUnmappedMemoryFault) {
  Machine machine(level(), 1);
  machine.set_pair(kBase, kReadOnly);
  for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kAddress, 0, lane) = 0;
  EXPECT_FALSE(machine.run(make(Encoding::global, Op::global_atomic_add_u32,
                                {none(), vgpr(kAddress), vgpr(kData), sgpr(kBase, 2)})));
  EXPECT_EQ(machine.gang()->fault.kind, emu::amd::FaultKind::memory);
  EXPECT_TRUE(machine.gang()->fault.write);
  EXPECT_EQ(machine.gang()->fault.address, kReadOnly);
}

TEST_P(Atomics, OutOfLdsNothingHappensAndZeroReturns) {
  Machine machine(level(), 1);
  for (unsigned lane = 0; lane < kLanes; ++lane) machine.v(kAddress, 0, lane) = kLdsBytes + 4 * lane;
  std::vector<std::byte> before(machine.lds(0), machine.lds(0) + kLdsBytes);
  ASSERT_TRUE(
      machine.run(make(Encoding::ds, Op::ds_add_rtn_u32, {vdst(kResult), vgpr(kAddress), vgpr(kData)})));
  EXPECT_EQ(machine.v(kResult, 0, 4), 0u);
  EXPECT_EQ(std::memcmp(before.data(), machine.lds(0), kLdsBytes), 0);
}

}  // namespace mockgpu::tests::atomics_tests
