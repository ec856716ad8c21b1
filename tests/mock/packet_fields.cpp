// Fields of PM4 packets on which Linux' headers, Mesa's tables and HCQ-style clients agree, and what is
// refused.
#include <gmock/gmock.h>

#include <cstring>

#include "isa/amd/commands/pm4.h"
#include "tests/mock/queue_fixture.h"

namespace mockgpu::test::packet_fields_tests {

using emu::Step;
using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

/// Packets with a queue for each, so that one may fail without ending the others.
class PacketFields : public QueueTest {
 protected:
  /// What the report of `words` alone in a fresh queue says; empty when they succeed. `steps` turns are
  /// given.
  std::string outcome(const Words& words, int steps = 3) {
    host_ = {};
    put_ = 0;
    doorbell_.store(0);
    emu::amd::ComputeQueue queue(setup_, memory_, scheduler_, host_, engine_,
                                 *emu::amd::find_model("gfx1100"));
    put(words, 1);
    for (int i = 0; i < steps; ++i) last_ = queue.turn(kTurn);
    return report();
  }

  void set_float(std::size_t word, float value) { std::memcpy(data_.data() + word, &value, 4); }
  float get_float(std::size_t word) const {
    float value = 0;
    std::memcpy(&value, data_.data() + word, 4);
    return value;
  }
  static std::uint32_t bits(float value) {
    std::uint32_t word = 0;
    std::memcpy(&word, &value, 4);
    return word;
  }

  emu::amd::Engine engine_{{}};
  Step last_ = Step::idle;
};

TEST_F(PacketFields, AReportNamesPacketBytesAndPlace) {
  const std::string report = outcome({0xffff1000, 0xc0064900, 0x514, 0xa0000000, kData, 0, 1, 0, 0});
  EXPECT_THAT(report, HasSubstr("error[unsupported]: RELEASE_MEM with data selection gds is not supported"));
  EXPECT_THAT(report, HasSubstr("compute queue 1, ring word 0x1"));
  EXPECT_THAT(report, HasSubstr("RELEASE_MEM {event=CACHE_FLUSH_AND_INV_TS"));
  EXPECT_THAT(report, HasSubstr("c0064900 00000514 a0000000 00300000 00000000 00000001 00000000 00000000"));
}

TEST_F(PacketFields, ReleaseMemSelections) {
  const auto release = [](std::uint32_t event, std::uint32_t select) {
    return Words{0xc0064900, event, select, kData, 0, 7, 0, 3};
  };
  for (std::uint32_t data = 0; data <= 3; ++data) {
    EXPECT_EQ(outcome(release(0x514, data << 29)), "") << data;
    EXPECT_EQ(outcome(release(0x514, data << 29 | 1u << 16)), "") << "through L2";
  }
  EXPECT_THAT(outcome(release(0x514, 4u << 29)), HasSubstr("data selection cp_counter"));
  EXPECT_THAT(outcome(release(0x514, 5u << 29)), HasSubstr("data selection gds"));
  EXPECT_THAT(outcome(release(0x514, 7u << 29)), HasSubstr("data selection 7"));
  const Words interrupts{0, 1, 1, 0, 1};
  for (std::uint32_t select = 0; select < interrupts.size(); ++select) {
    EXPECT_EQ(outcome(release(0x514, 1u << 29 | select << 24)), "");
    EXPECT_EQ(host_.interrupts.size(), interrupts[select]) << select;
    if (!host_.interrupts.empty()) {
      EXPECT_EQ(host_.interrupts[0], 3u);
    }
  }
  EXPECT_THAT(outcome(release(0x514, 5u << 24)), HasSubstr("interrupt selection compare32"));
  EXPECT_THAT(outcome(release(0x514, 6u << 24)), HasSubstr("interrupt selection compare64"));
  EXPECT_THAT(outcome(release(0x514, 2u << 16)), HasSubstr("to wptr_register"));
  EXPECT_THAT(outcome(release(0x514, 3u << 16)), HasSubstr("to wptr_poll_mask"));
  EXPECT_EQ(outcome(release(0x62f, 0)), "") << "shader done";
  EXPECT_THAT(outcome(release(0x214, 0)), HasSubstr("event index 2"));
  EXPECT_THAT(outcome(release(0x507, 0)), HasSubstr("event type 0x7"));
}

TEST_F(PacketFields, ReservedWaits) {
  EXPECT_THAT(outcome({0xc0053c00, 0x17, kData, 0, 0, 0, 4}), HasSubstr("function 7"));
  EXPECT_THAT(outcome({0xc0053c00, 0x23, kData, 0, 0, 0, 4}), HasSubstr("space 2"));
  EXPECT_THAT(outcome({0xc0053c00, 0x93, kData, 0, 0, 0, 4}), HasSubstr("operation 2"));
  EXPECT_THAT(outcome({0xc0079300, 0x17, kData, 0, 0, 0, 0, 0, 4}),
              HasSubstr("WAIT_REG_MEM64 with function 7"));
  EXPECT_EQ(outcome({0xc0053c00, 0xd3, kData, 0, 0, 0, 4}), "") << "a preemptable wait";
}

TEST_F(PacketFields, Waits64OnRegisters) {
  // PGM_LO and PGM_HI as one value.
  EXPECT_EQ(outcome({0xc0027600, 0x20c, 5, 6, 0xc0079300, 0x03, 0x2e0c, 0, 5, 6, 0xffffffff, 0xffffffff, 4}),
            "");
  EXPECT_EQ(last_, Step::idle);
  EXPECT_EQ(outcome({0xc0027600, 0x20c, 5, 6, 0xc0079300, 0x03, 0x2e0c, 0, 5, 7, 0xffffffff, 0xffffffff, 4}),
            "");
  EXPECT_EQ(last_, Step::blocked);
  EXPECT_THAT(outcome({0xc0079300, 0x03, 0x1234, 0, 5, 6, 1, 1, 4}), HasSubstr("0x1234"));
  EXPECT_THAT(outcome({0xc0079300, 0x43, 0xe26, 0xe27, 5, 6, 1, 1, 4}), HasSubstr("writes a register first"));
}

TEST_F(PacketFields, Waits64CompareUnsigned) {
  struct Case {
    std::uint32_t function;
    std::uint64_t value, reference;
    bool passes;
  };
  const std::uint64_t big = 0x8000'0000'0000'0000;
  for (const Case& c : std::vector<Case>{{0, 0, 9, true},
                                         {1, 5, big, true},
                                         {1, big, 5, false},
                                         {2, big, big, true},
                                         {2, big, 5, false},
                                         {3, big, big, true},
                                         {3, big, 0, false},
                                         {4, big, 0, true},
                                         {5, big, 5, true},
                                         {5, 5, big, false},
                                         {6, big, 5, true},
                                         {6, big, big, false}}) {
    std::memcpy(data_.data(), &c.value, 8);
    EXPECT_EQ(outcome({0xc0079300, 0x10 | c.function, kData, 0, static_cast<std::uint32_t>(c.reference),
                       static_cast<std::uint32_t>(c.reference >> 32), 0xffffffff, 0xffffffff, 4}),
              "");
    EXPECT_EQ(last_, c.passes ? Step::idle : Step::blocked) << c.function << " " << c.value;
  }
}

TEST_F(PacketFields, RegisterWritesWithAnIndex) {
  EXPECT_EQ(outcome({0xc0019b00, 0x30000216, 0xffff}), "") << "AND with the CU mask";
  EXPECT_EQ(outcome({0xc0019b00, 0x216, 0xffff}), "");
  EXPECT_THAT(outcome({0xc0019b00, 0x10000216, 0xffff}), HasSubstr("SET_SH_REG_INDEX with index 1"));
  EXPECT_THAT(outcome({0xc0017600, 0x10000216, 0xffff}), HasSubstr("SET_SH_REG with index 1"));
  EXPECT_THAT(outcome({0xc0017600, 0xfffffe20, 0xffff}), HasSubstr("error["));
  EXPECT_THAT(outcome({0xc0017a00, 0x20000200, 0xe0000000}), HasSubstr("SET_UCONFIG_REG_INDEX with index 2"));
  EXPECT_THAT(outcome({0xc0029b00, 0x300003ff, 1, 1}), HasSubstr("past the end of the space"));
  EXPECT_THAT(outcome({0xc0027600, 0x3ff, 1, 1}), HasSubstr("past the end of the space"));
}

TEST_F(PacketFields, CachesOfGraphics) {
  EXPECT_THAT(outcome({0xc0065800, 0x20000, 0, 0, 0, 0, 0, 0}), HasSubstr("pixel-wait-sync"));
  EXPECT_THAT(outcome({0xc0065800, 0, 0, 0, 0, 0, 0x80000000, 0}), HasSubstr("pixel-wait-sync"));
}

TEST_F(PacketFields, CopyDataSelections) {
  const auto copy = [](std::uint32_t from, std::uint32_t to) {
    return Words{0xc0044000, from | to << 8, kData, 0, kData + 8, 0};
  };
  data_[0] = 77;
  for (const std::uint32_t to : {1u, 2u, 5u}) {
    data_[2] = 0;
    EXPECT_EQ(outcome(copy(2, to)), "");
    EXPECT_EQ(data_[2], 77u) << to;
  }
  for (const std::uint32_t from : {1u, 2u, 5u, 6u, 9u, 10u}) EXPECT_EQ(outcome(copy(from, 2)), "") << from;
  EXPECT_THAT(outcome(copy(3, 2)), HasSubstr("COPY_DATA from gds"));
  EXPECT_THAT(outcome(copy(4, 2)), HasSubstr("COPY_DATA from perf_counter"));
  EXPECT_THAT(outcome(copy(7, 2)), HasSubstr("COPY_DATA from gds_atomic_return0"));
  EXPECT_THAT(outcome(copy(8, 2)), HasSubstr("COPY_DATA from gds_atomic_return1"));
  EXPECT_THAT(outcome(copy(11, 2)), HasSubstr("COPY_DATA from 11"));
  EXPECT_THAT(outcome(copy(5, 3)), HasSubstr("COPY_DATA to gds"));
  EXPECT_THAT(outcome(copy(5, 4)), HasSubstr("COPY_DATA to perf_counter"));
  EXPECT_THAT(outcome(copy(5, 6)), HasSubstr("COPY_DATA to register_dc"));
  // Two registers at once, and one from memory.
  EXPECT_EQ(outcome({0xc0027600, 0x20c, 1, 2, 0xc0044000, 0x10200, 0x2e0c, 0, kData + 16, 0}), "");
  EXPECT_EQ(data64(4), 0x200000001u);
  EXPECT_EQ(outcome({0xc0044000, 0x2, kData, 0, 0x2e40, 0, 0xc0044000, 0x200, 0x2e40, 0, kData + 24, 0}), "");
  EXPECT_EQ(data_[6], 77u);
  EXPECT_THAT(outcome({0xc0044000, 0x10202, kData + 4, 0, kData, 0}), HasSubstr("not aligned"));
}

TEST_F(PacketFields, WriteDataSelections) {
  const auto write = [](std::uint32_t to) { return Words{0xc0033700, to << 8, kData, 0, 9}; };
  for (const std::uint32_t to : {1u, 2u, 5u}) {
    data_[0] = 0;
    EXPECT_EQ(outcome(write(to)), "");
    EXPECT_EQ(data_[0], 9u) << to;
  }
  EXPECT_THAT(outcome(write(3)), HasSubstr("WRITE_DATA to gds"));
  EXPECT_THAT(outcome(write(6)), HasSubstr("WRITE_DATA to adc_persistent"));
  EXPECT_THAT(outcome({0xc0033700, 0, 0x1234, 0, 9}), HasSubstr("0x1234"));
}

TEST_F(PacketFields, Atomics64) {
  struct Case {
    std::uint32_t op;
    std::uint64_t old, source, compare, result;
  };
  const std::uint64_t minus = ~std::uint64_t{0}, big = 0x1'0000'0000;
  for (const Case& c : std::vector<Case>{{0x07, 5, big, 0, big},
                                         {0x08, big, 9, big, 9},
                                         {0x08, big, 9, 0, big},
                                         {0x0f, 0xffffffff, 1, 0, big},
                                         {0x10, 0, 1, 0, minus},
                                         {0x11, minus, 1, 0, minus},
                                         {0x12, minus, big, 0, big},
                                         {0x13, minus, 1, 0, 1},
                                         {0x14, minus, big, 0, minus},
                                         {0x15, minus, big, 0, big},
                                         {0x16, big, 1, 0, big + 1},
                                         {0x17, big + 1, 1, 0, big},
                                         {0x18, big, big, 0, 0},
                                         {0x18, big - 1, big, 0, big},
                                         {0x19, 0, big, 0, big},
                                         {0x19, big + 1, big, 0, big},
                                         {0x19, big, big, 0, big - 1}}) {
    for (const std::uint32_t form : {0x20u, 0x60u}) {
      std::memcpy(data_.data(), &c.old, 8);
      data_[4] = data_[5] = 0;
      EXPECT_EQ(outcome({0xc0071e00, form + c.op, kData, 0, static_cast<std::uint32_t>(c.source),
                         static_cast<std::uint32_t>(c.source >> 32), static_cast<std::uint32_t>(c.compare),
                         static_cast<std::uint32_t>(c.compare >> 32), 0,  //
                         0xc0044000, 0x10206, 0, 0, kData + 16, 0}),
                "");
      EXPECT_EQ(data64(0), c.result) << std::hex << form + c.op;
      EXPECT_EQ(data64(4), form == 0x20 ? c.old : 0) << "only returning forms return";
    }
  }
}

TEST_F(PacketFields, FloatAtomics) {
  const auto atomic = [&](std::uint32_t op, float old, float source, float compare = 0) {
    set_float(0, old);
    EXPECT_EQ(outcome({0xc0071e00, op, kData, 0, bits(source), 0, bits(compare), 0, 0}), "");
    return get_float(0);
  };
  EXPECT_EQ(atomic(0x02, 1, -2), -2);
  EXPECT_EQ(atomic(0x02, -3, -2), -3);
  EXPECT_EQ(atomic(0x03, 1, 2.5f), 2.5f);
  EXPECT_EQ(atomic(0x43, 3, 2), 3);
  EXPECT_EQ(atomic(0x02, 1e-40f, 2e-40f), 1e-40f) << "denormals stay";
  EXPECT_EQ(atomic(0x01, 1, 9, 1), 9);
  EXPECT_EQ(atomic(0x01, 1, 9, 2), 1);
  EXPECT_EQ(atomic(0x01, -0.f, 9, 0.f), 9) << "zeroes compare equal";
  const double old = 2, source = -1;
  std::memcpy(data_.data(), &old, 8);
  std::uint32_t words[2];
  std::memcpy(words, &source, 8);
  EXPECT_EQ(outcome({0xc0071e00, 0x22, kData, 0, words[0], words[1], 0, 0, 0}), "");
  double result = 0;
  std::memcpy(&result, data_.data(), 8);
  EXPECT_EQ(result, -1);
}

TEST_F(PacketFields, AtomicCommands) {
  const auto atomic = [](std::uint32_t op, std::uint32_t command) {
    return Words{0xc0071e00, op | command << 8, kData, 0, 1, 0, 0, 0, 0};
  };
  for (const std::uint32_t command : {0u, 2u, 3u}) EXPECT_EQ(outcome(atomic(0x0f, command)), "");
  EXPECT_THAT(outcome(atomic(0x0f, 4)), HasSubstr("command 4"));
  EXPECT_THAT(outcome(atomic(0x0f, 1)), HasSubstr("loops over add32"));
  EXPECT_THAT(outcome(atomic(0x48, 1)), HasSubstr("loops over cmpswap32_noret"));
  data_[0] = 1;
  EXPECT_EQ(outcome(atomic(0x08, 1)), "");
  EXPECT_EQ(last_, Step::blocked);
  EXPECT_THAT(outcome(atomic(0x1a, 0)), HasSubstr("operation 0x1a"));
  EXPECT_THAT(outcome({0xc0071e00, 0x2f, kData + 4, 0, 1, 0, 0, 0, 0}), HasSubstr("not aligned"));
}

TEST_F(PacketFields, DmaData) {
  data_[0] = 3, data_[1] = 4;
  // A fixed source fills; a fixed destination keeps the last word; registers count in words.
  EXPECT_EQ(outcome({0xc0055000, 0, kData, 0, kData + 16, 0, 12 | 1u << 28}), "");
  EXPECT_EQ(data_[4], 3u);
  EXPECT_EQ(data_[6], 3u);
  EXPECT_EQ(outcome({0xc0055000, 0, kData, 0, kData + 32, 0, 8 | 1u << 29}), "");
  EXPECT_EQ(data_[8], 4u);
  EXPECT_EQ(data_[9], 0u);
  EXPECT_EQ(outcome({0xc0055000, 0, kData, 0, 0x2e40, 0, 8 | 1u << 27,  //
                     0xc0055000, 0, 0x2e40, 0, kData + 48, 0, 8 | 1u << 26}),
            "");
  EXPECT_EQ(data64(12), 0x400000003u);
  EXPECT_EQ(outcome({0xc0055000, 0x60300000, kData, 0, kData + 64, 0, 4}), "") << "L2 to L2";
  EXPECT_EQ(data_[16], 3u);
  EXPECT_EQ(outcome({0xc0055000, 0x00200000, kData, 0, 0, 0, 64}), "") << "to nowhere: a prefetch";
  EXPECT_THAT(outcome({0xc0055000, 0x00200000, kNothing, 0, 0, 0, 64}), HasSubstr("DMA_DATA reads"));
  EXPECT_THAT(outcome({0xc0055000, 0x20000000, kData, 0, kData, 0, 4}), HasSubstr("GDS"));
  EXPECT_THAT(outcome({0xc0055000, 0x00100000, kData, 0, kData, 0, 4}), HasSubstr("GDS"));
  EXPECT_THAT(outcome({0xc0055000, 0, kData, 0, 0x1234, 0, 4 | 1u << 27}), HasSubstr("0x1234"));
  EXPECT_THAT(outcome({0xc0055000, 0, kData, 0, kData, 0, 5 | 1u << 28}), HasSubstr("multiple of 4"));
}

TEST_F(PacketFields, IndirectBuffersThatContainThemselves) {
  const Words self{0xc0023f00, kData, 0, 0x800004};
  std::copy(self.begin(), self.end(), data_.begin());
  EXPECT_THAT(outcome(self), HasSubstr("error[bad-packet]: an indirect buffer that contains itself"));
  data_[1] = kData + 0x100;
  EXPECT_THAT(outcome(self), HasSubstr("INDIRECT_BUFFER without CHAIN inside an indirect buffer"));
  data_[1] = kData, data_[3] = 0x900004;  // chained to itself
  const std::string report = outcome(self, 10000);
  EXPECT_THAT(report, HasSubstr("error[hang]: indirect buffers chained in a circle"));
  EXPECT_THAT(report, HasSubstr("of the indirect buffer at 0x300000"));
}

TEST_F(PacketFields, IndirectBuffersThatAreWrong) {
  EXPECT_THAT(outcome({0xc0023f00, kData, 0, 0x900004}), HasSubstr("CHAIN outside"));
  EXPECT_THAT(outcome({0xc0023f00, kData + 2, 0, 0x800004}), HasSubstr("misaligned address"));
  EXPECT_THAT(outcome({0xc0023f00, kData, 0, 0x1800004}), HasSubstr("VMID"));
  EXPECT_THAT(outcome({0xc0023f00, kData, 0, 0x80800004}), HasSubstr("privileges"));
  const Words chain{0xc0023f00, kData + 0x100, 0, 0x900004, 0xffff1000};
  std::copy(chain.begin(), chain.end(), data_.begin());
  EXPECT_THAT(outcome({0xc0023f00, kData, 0, 0x800005}), HasSubstr("not the last packet"));
}

TEST_F(PacketFields, Truncated) {
  // In an indirect buffer nothing can follow.
  const Words cut{0xc0064900, 0x514, 0x20000000};
  std::copy(cut.begin(), cut.end(), data_.begin());
  EXPECT_THAT(outcome({0xc0023f00, kData, 0, 0x800003}),
              HasSubstr("RELEASE_MEM of 8 words does not fit the 3 words left of its indirect buffer"));
  EXPECT_THAT(report(), HasSubstr("truncated: 3 of 8 words"));
  // In the ring the rest may come, but not of a packet that is longer than the ring.
  EXPECT_EQ(outcome(cut), "");
  EXPECT_EQ(last_, Step::idle);
  EXPECT_THAT(outcome({0xd0003700, 0x500}), HasSubstr("WRITE_DATA of 4098 words does not fit a ring"));
  EXPECT_THAT(outcome({0xc0024900, 0x514, 0, 0}), HasSubstr("RELEASE_MEM has 3 body words and needs 7"));
}

/// The same for SDMA.
class SdmaFields : public QueueTest {
 protected:
  std::string outcome(const Words& words, int steps = 3) {
    host_ = {};
    put_ = 0;
    doorbell_.store(0);
    emu::amd::SdmaQueue queue(setup_, memory_, scheduler_, host_);
    put(words, 4);
    for (int i = 0; i < steps; ++i) last_ = queue.turn(kTurn);
    return report();
  }
  Step last_ = Step::idle;
};

TEST_F(SdmaFields, AReportNamesPacketBytesAndPlace) {
  const std::string report = outcome({0, 0x00030005, kNothing, 0, 5});
  EXPECT_THAT(report, HasSubstr("error[memory-fault]: FENCE writes 4 bytes at 0x500000"));
  EXPECT_THAT(report, HasSubstr("copy queue 1, ring byte 0x4"));
  EXPECT_THAT(report, HasSubstr("FENCE {address=0x500000, data=0x5"));
  EXPECT_THAT(report, HasSubstr("00030005 00500000 00000000 00000005"));
}

TEST_F(SdmaFields, SubWindows) {
  // 3 x 2 x 2 bytes from (1, 1, 1) of a volume of pitch 8 and slices of 32 to (2, 0, 0) of pitch 4, slices 8.
  auto* bytes = reinterpret_cast<std::uint8_t*>(data_.data());
  for (std::uint32_t i = 0; i < 128; ++i) bytes[i] = static_cast<std::uint8_t>(i);
  EXPECT_EQ(outcome({0x00000401, kData, 0, 0x00010001, 7 << 13 | 1, 31, kData + 0x200, 0, 2, 3 << 13, 7,
                     0x00010002, 1}),
            "");
  const std::uint8_t* to = bytes + 0x200;
  EXPECT_EQ(to[2], 41) << "x 1, y 1, z 1";
  EXPECT_EQ(to[4], 43);
  EXPECT_EQ(to[6], 49) << "next row";
  EXPECT_EQ(to[10], 73) << "next slice";
  EXPECT_EQ(to[16], 83);
  EXPECT_EQ(to[0], 0);
  EXPECT_EQ(to[5], 0) << "only the window";
  EXPECT_THAT(outcome({0xa0000401, kData, 0, 0, 0, 0, kData, 0, 0, 0, 0, 0, 0}), HasSubstr("at most 16"));
  EXPECT_THAT(outcome({0x401, kData, 0, 0, 0, 0, kData, 0, 0, 0, 0, 0, 0x10000}), HasSubstr("byte swaps"));
  EXPECT_THAT(outcome({0x401, kData, 0, 0, 0, 0, kNothing, 0, 0, 0, 0, 3, 0}),
              HasSubstr("COPY_LINEAR_SUB_WINDOW writes 4 bytes at 0x500000"));
  EXPECT_THAT(outcome(Words(20, 0x2401)), HasSubstr("COPY (opcode 1, sub-operation 36)"));
}

TEST_F(SdmaFields, FillSizes) {
  EXPECT_THAT(outcome({0xc000000b, kData, 0, 1, 3}), HasSubstr("fill size 3"));
  EXPECT_THAT(outcome({0x8001000b, kData, 0, 1, 3}), HasSubstr("byte swaps"));
  EXPECT_THAT(outcome({0x0000010b, 4, 1, kData, 0, 1}), HasSubstr("CONST_FILL (opcode 11, sub-operation 1)"));
  EXPECT_THAT(outcome({0x8000000b, kData + 0xff8, 0, 1, 15}),
              HasSubstr("CONST_FILL writes 8 bytes at 0x301000"));
}

TEST_F(SdmaFields, Polls) {
  // The kernel's flush: DONE and REQ as byte addresses, a reference that comes back.
  EXPECT_EQ(outcome({0x34000008, 0xe27 << 2, 0xe26 << 2, 0x400, 0x400, 0x0fff000a}), "");
  EXPECT_EQ(last_, Step::idle);
  EXPECT_THAT(outcome({0x34000008, 0xe27 << 2, 0x1234 << 2, 1, 1, 0}), HasSubstr("hdp_flush of registers"));
  // A register write, then a poll of its answer.
  EXPECT_EQ(outcome({0xf000000e, 0xe26, 8, 0x30000008, 0xe27 << 2, 0, 8, 0xff, 0x0fff0004}), "");
  EXPECT_EQ(last_, Step::idle);
  EXPECT_EQ(outcome({0xf000000e, 0xe26, 8, 0x30000008, 0xe27 << 2, 0, 9, 0xff, 0x0fff0004}), "");
  EXPECT_EQ(last_, Step::blocked);
  EXPECT_THAT(outcome({0xf0000008, kData, 0, 0, 0, 0}), HasSubstr("function 7"));
  EXPECT_THAT(outcome({0xb0000008, kData, 0, 5, 0xffffffff, 0x00100004}), HasSubstr("gives up after 16"));
  for (const std::uint32_t sub : {1u, 2u, 3u, 4u}) {
    Words words(13, 0);
    words[0] = 8 | sub << 8;
    EXPECT_THAT(outcome(words), HasSubstr(fmt::format("POLL_REGMEM (opcode 8, sub-operation {})", sub)));
  }
  EXPECT_THAT(outcome({0xf000000e, 0x1234, 8}), HasSubstr("SRBM_WRITE to register"));
  EXPECT_THAT(outcome({0x1000000e, 0xe26, 8}), HasSubstr("byte enables 0x1"));
  EXPECT_THAT(outcome({0xf000010e, 0xe26, 8}), HasSubstr("SRBM_WRITE (opcode 14, sub-operation 1)"));
}

TEST_F(SdmaFields, Atomics) {
  data_[0] = 7;
  EXPECT_EQ(outcome({0x1e00000a, kData, 0, 3, 0, 0, 0, 0}), "") << "32-bit add";
  EXPECT_EQ(data_[0], 10u);
  EXPECT_EQ(outcome({0x9e00000a, kData, 0, 3, 0, 0, 0, 0}), "") << "without return";
  EXPECT_EQ(data_[0], 13u);
  EXPECT_THAT(outcome({0x1e01000a, kData, 0, 3, 0, 0, 0, 0}), HasSubstr("loops over add32"));
  EXPECT_THAT(outcome({0x0000000a, kData, 0, 3, 0, 0, 0, 0}), HasSubstr("operation 0x0"));
}

TEST_F(SdmaFields, IndirectBuffers) {
  const Words self{4, kData, 0, 8, 0, 0, 0, 0};
  std::copy(self.begin(), self.end(), data_.begin());
  EXPECT_THAT(outcome(self), HasSubstr("error[bad-packet]: an indirect buffer that contains itself"));
  data_[1] = kData + 0x100;
  EXPECT_THAT(outcome(self), HasSubstr("INDIRECT inside an indirect buffer"));
  EXPECT_THAT(outcome({4, kData + 16, 0, 8, 0, 0}), HasSubstr("32-byte aligned"));
  EXPECT_THAT(outcome({0x10004, kData, 0, 8, 0, 0}), HasSubstr("VMID"));
  EXPECT_THAT(outcome({4, kNothing, 0, 8, 0, 0}), HasSubstr("INDIRECT reads"));
  const Words cut{5, kData, 0};
  std::copy(cut.begin(), cut.end(), data_.begin());
  EXPECT_THAT(outcome({4, kData, 0, 3, 0, 0}), HasSubstr("FENCE crosses the end of its indirect buffer"));
  const Words skip{9, kData + 0x100, 0, 1, 20};
  std::copy(skip.begin(), skip.end(), data_.begin());
  EXPECT_THAT(outcome({4, kData, 0, 5, 0, 0}), HasSubstr("COND_EXE skips past the end"));
}

TEST_F(SdmaFields, RefusedByName) {
  EXPECT_THAT(outcome({0x105, kData, 0, 1}), HasSubstr("FENCE (opcode 5, sub-operation 1)"));
  EXPECT_THAT(outcome({0x102, kData, 0, 0, 1}), HasSubstr("WRITE (opcode 2, sub-operation 1)"));
  EXPECT_THAT(outcome({0x00d, 1, 2}), HasSubstr("TIMESTAMP (opcode 13, sub-operation 0)"));
  EXPECT_THAT(outcome({0x02000001, 3, 0, kData, 0, kData, 0}), HasSubstr("backwards"));
  EXPECT_THAT(outcome({0x007, kData, 0}), HasSubstr("packet SEM"));
  EXPECT_THAT(outcome({0x00f, 0}), HasSubstr("packet PRE_EXE"));
}

}  // namespace mockgpu::test::packet_fields_tests
