// Expected words are those that HCQ-style clients and ROCr emit, not our own output.
#include "isa/amd/commands/sdma.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/base/error.h"

namespace mockgpu::isa::amd::sdma::sdma_tests {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::uint32_t>;

TEST(Sdma, CopyLinear) {
  Words words;
  append(words, CopyLinear{make_header(Opcode::copy), 4095, 0, 0x1000, 0x7f, 0x2000, 0x7e});
  EXPECT_THAT(words, ElementsAre(0x1, 4095, 0, 0x1000, 0x7f, 0x2000, 0x7e));
  EXPECT_EQ(packet_words(words), 7u);
  const auto packet = read<CopyLinear>(words);
  EXPECT_EQ(packet.byte_count(), 4096u);
  EXPECT_EQ(packet.source(), 0x7f00001000u);
  EXPECT_EQ(packet.destination(), 0x7e00002000u);
  EXPECT_EQ(format_packet(words),
            "COPY_LINEAR {byte_count=4096, source=0x7f00001000, destination=0x7e00002000}");
  EXPECT_EQ(read<CopyLinear>(Words{1, 0x3fffffff, 0, 0, 0, 0, 0}).byte_count(), kMaxCopyBytes);
  EXPECT_EQ(packet_words(Words{1 | CopyLinear::kBroadcast.set(1)}), 9u);
}

TEST(Sdma, CopySubWindow) {
  // A 2D copy as ROCr encodes it: 4-byte elements, 100 x 50 x 1, pitches 256 and 128.
  const Words words{0x40000401, 0x1000, 0x7f,      5 | 6 << 16, 255 << 13,     0xffff, 0x2000,
                    0x7e,       0,      127 << 13, 0x7fff,      99 | 49 << 16, 0};
  EXPECT_EQ(packet_words(words), 13u);
  const auto packet = read<CopySubWindow>(words);
  EXPECT_EQ(packet.element_bytes(), 4u);
  EXPECT_EQ(packet.source(), 0x7f00001000u);
  EXPECT_EQ(packet.destination(), 0x7e00002000u);
  EXPECT_EQ(CopySubWindow::kX.get(packet.source_xy), 5u);
  EXPECT_EQ(CopySubWindow::kY.get(packet.source_xy), 6u);
  EXPECT_EQ(CopySubWindow::kPitch.get(packet.source_z_pitch), 255u);
  EXPECT_EQ(CopySubWindow::kPitch.get(packet.destination_z_pitch), 127u);
  EXPECT_EQ(CopySubWindow::kSlicePitch.get(packet.source_slice_pitch), 0xffffu);
  const std::string text = format_packet(words);
  EXPECT_THAT(text, HasSubstr("COPY_LINEAR_SUB_WINDOW {element_bytes=4"));
  EXPECT_THAT(text, HasSubstr("source_pitch=256, source_slice_pitch=65536"));
  EXPECT_THAT(text, HasSubstr("rect_x=100, rect_y=50, rect_z=1"));
  EXPECT_THAT(text, Not(HasSubstr("swap")));
  Words swapped = words;
  swapped[12] = 2 << 16 | 3 << 24;
  EXPECT_THAT(format_packet(swapped), HasSubstr("destination_swap=0x2, source_swap=0x3"));
}

TEST(Sdma, WriteLinear) {
  Words words;
  const std::uint32_t data[] = {7, 8};
  append(words, WriteLinear{make_header(Opcode::write), 0x3000, 0x7f, 1}, data);
  EXPECT_THAT(words, ElementsAre(0x2, 0x3000, 0x7f, 1, 7, 8));
  EXPECT_EQ(packet_words(words), 6u);
  EXPECT_EQ(read<WriteLinear>(words).word_count(), 2u);
  EXPECT_EQ(packet_words(std::span(words).first(3)), 0u);
  EXPECT_EQ(format_packet(words), "WRITE {destination=0x7f00003000, word_count=2} {0x7, 0x8}");
}

TEST(Sdma, ConstFillCountsElementsOfEveryClient) {
  const auto fill = [](std::uint32_t header, std::uint32_t count) {
    return read<ConstFill>(Words{header, 0x40, 0x7f, 0xaa, count});
  };
  EXPECT_EQ(fill(0x8000000b, 4096 - 4).element_count(), 1024u);  // ROCr: bytes - 4
  EXPECT_EQ(fill(0x8000000b, 4096 - 1).element_count(), 1024u);  // Mesa and the kernel: bytes - 1
  EXPECT_EQ(fill(0x4000000b, 4096 - 1).element_count(), 2048u);  // u16
  EXPECT_EQ(fill(0x0000000b, 4096 - 1).element_count(), 4096u);  // bytes
  EXPECT_EQ(fill(0x8000000b, 0).destination(), 0x7f00000040u);
  EXPECT_EQ(fill(0x8000000b, 0).fill_size(), 2u);
}

TEST(Sdma, FenceAndTrap) {
  Words words;
  append(words, Fence{make_header(Opcode::fence) | Fence::kMtype.set(Fence::kMtypeUncached), 0x10, 0x7f, 5});
  append(words, Trap{make_header(Opcode::trap), 3});
  EXPECT_THAT(words, ElementsAre(0x00030005, 0x10, 0x7f, 5, 0x6, 3));
  EXPECT_EQ(packet_words(words), 4u);
  EXPECT_EQ(read<Fence>(words).address(), 0x7f00000010u);
  EXPECT_EQ(read<Trap>(std::span(words).subspan(4)).context(), 3u);
  EXPECT_EQ(format_packet(words), "FENCE {address=0x7f00000010, data=0x5, mtype=0x3}");
  EXPECT_EQ(format_packet(std::span(words).subspan(4)), "TRAP {int_ctx=3}");
}

TEST(Sdma, PollMemory) {
  const PollRegmem packet{
      make_header(Opcode::poll_regmem) | PollRegmem::kFunction.set(5) | PollRegmem::kMemory.set(1),
      0x20,
      0x7f,
      9,
      0xffffffff,
      PollRegmem::kInterval.set(4) | PollRegmem::kRetry.set(0xfff)};
  Words words;
  append(words, packet);
  EXPECT_THAT(words, ElementsAre(0xd0000008, 0x20, 0x7f, 9, 0xffffffff, 0x0fff0004));
  EXPECT_TRUE(packet.memory());
  EXPECT_FALSE(packet.hdp_flush());
  EXPECT_EQ(packet.function(), pm4::Compare::greater_equal);
  EXPECT_EQ(format_packet(words),
            "POLL_REGMEM {function=>=, space=memory, address=0x7f00000020, reference=0x9, mask=0xffffffff, "
            "interval=4, "
            "retry=4095}");
  // ROCr's "HDP flush": function always, register space.
  const auto flush = read<PollRegmem>(Words{8, 0, 0x80000000, 0, 0, 0});
  EXPECT_FALSE(flush.memory());
  EXPECT_EQ(flush.function(), pm4::Compare::always);
}

TEST(Sdma, Atomic) {
  // ROCr's completion: 64-bit add of -1.
  const Words words{47u << 25 | 10u, 0x8, 0x7f, 0xffffffff, 0xffffffff, 0, 0, 0};
  const auto packet = read<Atomic>(words);
  EXPECT_EQ(packet.op(), static_cast<std::uint32_t>(pm4::AtomicOp::add) | pm4::kAtomic64);
  EXPECT_EQ(packet.source(), ~std::uint64_t{0});
  EXPECT_FALSE(packet.loop());
  EXPECT_THAT(format_packet(words), HasSubstr("ATOMIC {op=add64, loop=0, address=0x7f00000008"));
}

TEST(Sdma, Timestamp) {
  Words words;
  append(words, Timestamp{make_header(Opcode::timestamp, 2), 0x18, 0x7f});
  EXPECT_THAT(words, ElementsAre(0x20d, 0x18, 0x7f));
  EXPECT_EQ(format_packet(words), "TIMESTAMP {kind=get_global, address=0x7f00000018}");
}

TEST(Sdma, IndirectAndConditional) {
  const Words words{0x4, 0x20, 0x7f, 64, 0, 0};
  EXPECT_EQ(read<Indirect>(words).base(), 0x7f00000020u);
  EXPECT_EQ(packet_words(words), 6u);
  EXPECT_EQ(format_packet(words), "INDIRECT {base=0x7f00000020, size_words=64}");
  const Words conditional{0x9, 0x20, 0x7f, 1, 12};
  EXPECT_EQ(CondExe::kExecCount.get(read<CondExe>(conditional).exec), 12u);
}

TEST(Sdma, GcrReqSplitsItsControlBits) {
  const GcrReq packet{make_header(Opcode::gcr_req, 1), 0x12345680, 0xc3f10011, 0xfffffe85, 0x0300ffff};
  EXPECT_EQ(packet.header, 0x111u);
  EXPECT_EQ(packet.control(), 0x5c3f1u);
  EXPECT_EQ(packet.base(), 0x1112345680u);
  EXPECT_EQ(packet.limit(), 0xfffffffffe80u);
  EXPECT_THAT(fmt::format("{}", packet), HasSubstr("kind=user, control=0x5c3f1"));
}

TEST(Sdma, SrbmWrite) {
  const auto packet = read<SrbmWrite>(Words{0xf000000e, 0xe26, 1});
  EXPECT_EQ(SrbmWrite::kByteEnables.get(packet.header), 15u);
  EXPECT_EQ(SrbmWrite::kRegister.get(packet.address), 0xe26u);
}

TEST(Sdma, Nops) {
  EXPECT_EQ(packet_words(Words{0}), 1u);           // ring padding
  EXPECT_EQ(packet_words(Words{0x00070000}), 8u);  // kernel burst NOP
  EXPECT_EQ(format_packet(Words{0}), "NOP {count=0}");
}

TEST(Sdma, UnknownPacketsHaveNoLength) {
  EXPECT_EQ(packet_words(Words{}), 0u);
  EXPECT_EQ(packet_words(Words{0xff}), 0u);
  EXPECT_EQ(packet_words(Words{0x0301}), 0u);
  EXPECT_THAT(format_packet(Words{0xff}), HasSubstr("OPCODE_0xff (unknown or cut)"));
  EXPECT_THAT(format_packet(Words{5, 1}), HasSubstr("truncated: 2 of 4 words"));
}

TEST(Sdma, ShortOnesAreErrorsThatNameThem) {
  try {
    read<Fence>(Words{5, 1});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.tag(), Tag::bad_packet);
    EXPECT_EQ(error.message(), "SDMA FENCE (header 0x00000005) has 2 words but needs 4");
  }
}

TEST(Sdma, AnyWordsPrint) {
  for (std::uint32_t header = 0; header < 0x10000; header += 1) {
    const Words words(24, header);
    EXPECT_FALSE(format_packet(words).empty());
  }
}

}  // namespace mockgpu::isa::amd::sdma::sdma_tests
