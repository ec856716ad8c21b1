// Expected words are those that an HCQ-style client emits on gfx11 (tinygrad), not our own output.
#include "isa/amd/commands/pm4.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/amd/commands/registers.h"
#include "isa/base/error.h"

namespace mockgpu::isa::amd::pm4::pm4_tests {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

TEST(Pm4Header, EncodesLengthAndOpcode) {
  EXPECT_EQ(make_header(Opcode::wait_reg_mem, 6), 0xc0053c00u);
  EXPECT_EQ(make_header(Opcode::release_mem, 7), 0xc0064900u);
  EXPECT_EQ(make_header(Opcode::acquire_mem, 7), 0xc0065800u);
  EXPECT_EQ(make_header(Opcode::acquire_mem, 6), 0xc0055800u);
  EXPECT_EQ(make_header(Opcode::dispatch_direct, 4), 0xc0031500u);
  EXPECT_EQ(make_header(Opcode::indirect_buffer, 3), 0xc0023f00u);
  EXPECT_EQ(make_header(Opcode::event_write, 1), 0xc0004600u);
  EXPECT_EQ(make_header(Opcode::atomic_mem, 8), 0xc0071e00u);
  EXPECT_EQ(make_header(Opcode::copy_data, 5), 0xc0044000u);
  EXPECT_EQ(make_header(Opcode::dma_data, 6), 0xc0055000u);
  EXPECT_EQ(make_header(Opcode::cond_exec, 4), 0xc0032200u);
  EXPECT_EQ(make_header(Opcode::pred_exec, 1), 0xc0002300u);
  EXPECT_EQ(make_header(Opcode::wait_reg_mem64, 8), 0xc0079300u);
}

TEST(Pm4Header, Decodes) {
  const Header header = decode_header(0xc0053c02);  // the shader-type bit does not matter
  EXPECT_TRUE(header.is(Opcode::wait_reg_mem));
  EXPECT_EQ(header.body_words, 6u);
  EXPECT_EQ(header.packet_words(), 7u);
  EXPECT_EQ(decode_header(kNopOneWord).packet_words(), 1u);  // the NOP that is one word long
  EXPECT_TRUE(decode_header(kNopOneWord).is(Opcode::nop));
  EXPECT_EQ(decode_header(0xfffe1000).packet_words(), 0x4000u);
  EXPECT_EQ(decode_header(0xffff3700).packet_words(), 0x4001u);  // only NOP has the special count
  EXPECT_EQ(decode_header(kFiller).type, 2u);
  EXPECT_EQ(decode_header(kFiller).packet_words(), 1u);
  EXPECT_EQ(decode_header(0).type, 0u);
  EXPECT_FALSE(decode_header(0x40001000).is(Opcode::nop));
}

TEST(Pm4Header, NamesOpcodes) {
  EXPECT_EQ(opcode_name(Opcode::wait_reg_mem), "WAIT_REG_MEM");
  EXPECT_EQ(opcode_name(Opcode::set_sh_reg_index), "SET_SH_REG_INDEX");
  EXPECT_EQ(opcode_name(0xee), "");
}

TEST(Pm4Packets, WaitForSignal) {
  Words words;
  append(
      words, Opcode::wait_reg_mem,
      WaitRegMem{WaitRegMem::kFunction.set(5) | WaitRegMem::kSpace.set(1), 0x1000, 0x7f, 42, 0xffffffff, 4});
  EXPECT_THAT(words, ElementsAre(0xc0053c00, 0x15, 0x1000, 0x7f, 42, 0xffffffff, 4));
  const auto body = read_body<WaitRegMem>(words);
  EXPECT_EQ(body.function(), Compare::greater_equal);
  EXPECT_TRUE(body.memory());
  EXPECT_EQ(body.operation(), WaitOperation::wait);
  EXPECT_EQ(body.address(), 0x7f00001000u);
  EXPECT_EQ(format_packet(words),
            "WAIT_REG_MEM {function=>=, space=memory, operation=wait, address=0x7f00001000, reference=0x2a, "
            "mask=0xffffffff, interval=4}");
}

TEST(Pm4Packets, HdpFlush) {
  const Words words{0xc0053c00, 0x45, 0xe26, 0xe27, 0xffffffff, 0xffffffff, 4};
  const auto body = read_body<WaitRegMem>(words);
  EXPECT_EQ(body.operation(), WaitOperation::write_wait);
  EXPECT_FALSE(body.memory());
  EXPECT_EQ(body.function(), Compare::greater_equal);
  EXPECT_EQ(body.address_lo, register_address(Register::HDP_FLUSH_REQ, RegisterFile::gfx11));
  EXPECT_EQ(body.address_hi, register_address(Register::HDP_FLUSH_DONE, RegisterFile::gfx11));
  EXPECT_THAT(format_packet(words), HasSubstr("write=HDP_FLUSH_REQ, poll=HDP_FLUSH_DONE"));
}

TEST(Pm4Packets, WaitRegMem64) {
  const Words words{0xc0079300, 0x13, 0x2000, 0x7f, 1, 2, 3, 4, 5};
  const auto body = read_body<WaitRegMem64>(words);
  EXPECT_EQ(body.function(), Compare::equal);
  EXPECT_TRUE(body.memory());
  EXPECT_EQ(body.address(), 0x7f00002000u);
  EXPECT_EQ(body.reference(), 0x200000001u);
  EXPECT_EQ(body.mask(), 0x400000003u);
  EXPECT_EQ(body.interval, 5u);
}

TEST(Pm4Packets, WaitRegMem64OfRegisters) {
  EXPECT_EQ(format_packet(Words{0xc0079300, 0x03, 0x2e0c, 0, 5, 6, 0xffffffff, 0xff, 4}),
            "WAIT_REG_MEM64 {function===, space=register, operation=wait, register=COMPUTE_PGM_LO, "
            "reference=0x600000005, mask=0xffffffffff, interval=4}");
}

TEST(Pm4Packets, WaitsWithReservedValues) {
  EXPECT_TRUE(is_wait(0x15));
  EXPECT_TRUE(is_wait(0x45));
  EXPECT_TRUE(is_wait(0xd6));
  EXPECT_FALSE(is_wait(0x17));
  EXPECT_FALSE(is_wait(0x23));
  EXPECT_FALSE(is_wait(0x93));
}

TEST(Pm4Packets, SelectionsHaveNames) {
  EXPECT_EQ(release_data_name(ReleaseData::gpu_clock), "gpu_clock");
  EXPECT_EQ(release_data_name(static_cast<ReleaseData>(7)), "7");
  EXPECT_EQ(release_interrupt_name(ReleaseInterrupt::compare64), "compare64");
  EXPECT_EQ(release_destination_name(2), "wptr_register");
  EXPECT_EQ(write_destination_name(WriteDestination::gds), "gds");
  EXPECT_EQ(copy_source_name(CopySource::gds_atomic_return1), "gds_atomic_return1");
  EXPECT_EQ(copy_destination_name(CopyDestination::reg_dc), "register_dc");
}

TEST(Pm4Packets, CompareIsUnsigned) {
  EXPECT_TRUE(holds(Compare::always, 0, 1));
  EXPECT_TRUE(holds(Compare::less, 1, 0xffffffff));
  EXPECT_TRUE(holds(Compare::less_equal, 1, 1));
  EXPECT_TRUE(holds(Compare::equal, 1, 1));
  EXPECT_TRUE(holds(Compare::not_equal, 1, 2));
  EXPECT_TRUE(holds(Compare::greater_equal, 0xffffffff, 1));
  EXPECT_FALSE(holds(Compare::greater, 1, 1));
  EXPECT_FALSE(holds(static_cast<Compare>(7), 1, 1));
}

TEST(Pm4Packets, AcquireMem) {
  EXPECT_EQ(gcr::kFull, 0xc3f1u);
  EXPECT_EQ(gcr::kBeforeDispatch, 0x3f0u);
  Words words;
  append(words, Opcode::acquire_mem, AcquireMem{0, 0xffffffff, 0xffffffff, 0, 0, 0, gcr::kFull});
  EXPECT_THAT(words, ElementsAre(0xc0065800, 0, 0xffffffff, 0xffffffff, 0, 0, 0, 0xc3f1));
  EXPECT_THAT(
      format_packet(words),
      HasSubstr(
          "gcr_cntl=0xc3f1, gli_inv=1, gcr=GLM_WB|GLM_INV|GLK_WB|GLK_INV|GLV_INV|GL1_INV|GL2_INV|GL2_WB"));
}

TEST(Pm4Packets, AcquireMemOfGfx9) {
  const Words words{0xc0055800, 0x28c40000, 0xffffffff, 0xffffffff, 0, 0, 0x0a};
  const auto body = read_body<AcquireMemGfx9>(words);
  EXPECT_EQ(body.coher_cntl, AcquireMemGfx9::kTcWb.mask() | AcquireMemGfx9::kTcl1Inv.mask() |
                                 AcquireMemGfx9::kTcInv.mask() | AcquireMemGfx9::kShKcacheInv.mask() |
                                 AcquireMemGfx9::kShIcacheInv.mask());
  EXPECT_EQ(body.poll_interval, 10u);
  EXPECT_THAT(format_packet(words), HasSubstr("ACQUIRE_MEM {coher_cntl=0x28c40000"));
}

TEST(Pm4Packets, ReleaseMemSignal) {
  EXPECT_EQ(ReleaseMem::kFlushAll, 0x70f000u);
  const ReleaseMem body{
      ReleaseMem::kEventType.set(0x14) | ReleaseMem::kEventIndex.set(5) | ReleaseMem::kFlushAll,
      ReleaseMem::kDataSel.set(1),
      0x3000,
      0x7f,
      9,
      0,
      0};
  Words words;
  append(words, Opcode::release_mem, body);
  EXPECT_THAT(words, ElementsAre(0xc0064900, 0x70f514, 0x20000000, 0x3000, 0x7f, 9, 0, 0));
  EXPECT_EQ(body.event_type(), Event::cache_flush_and_inv_ts);
  EXPECT_EQ(body.event_index(), 5u);
  EXPECT_EQ(body.data_sel(), ReleaseData::low32);
  EXPECT_EQ(body.int_sel(), ReleaseInterrupt::none);
  EXPECT_EQ(body.dst_sel(), 0u);
}

TEST(Pm4Packets, ReleaseMemInterruptAndTimestamp) {
  const auto interrupt = read_body<ReleaseMem>(Words{0xc0064900, 0x514, 0x22000000, 0x8, 0x7f, 3, 0, 3});
  EXPECT_EQ(interrupt.data_sel(), ReleaseData::low32);
  EXPECT_EQ(interrupt.int_sel(), ReleaseInterrupt::after_write);
  EXPECT_EQ(interrupt.int_ctxid, 3u);
  EXPECT_EQ(interrupt.data(), 3u);
  const Words clock{0xc0064900, 0x514, 0x60000000, 0x3008, 0x7f, 0, 0, 0};
  EXPECT_EQ(read_body<ReleaseMem>(clock).data_sel(), ReleaseData::gpu_clock);
  EXPECT_EQ(format_packet(clock),
            "RELEASE_MEM {event=CACHE_FLUSH_AND_INV_TS, index=5, gcr=0, dst_sel=memory, int_sel=none, "
            "data_sel=gpu_clock, address=0x7f00003008, data=0x0, int_ctxid=0}");
}

TEST(Pm4Packets, SetShReg) {
  Words words;
  const std::uint32_t values[] = {0x12345678, 0x9a};
  append(words, Opcode::set_sh_reg, SetReg{sh_offset(Register::COMPUTE_PGM_LO, RegisterFile::gfx11)}, values);
  EXPECT_THAT(words, ElementsAre(0xc0027600, 0x20c, 0x12345678, 0x9a));
  EXPECT_EQ(read_body<SetReg>(words).offset(), 0x20cu);
  EXPECT_EQ(format_packet(words),
            "SET_SH_REG {offset=0x20c, COMPUTE_PGM_LO=0x12345678, COMPUTE_PGM_HI=0x9a}");
  const auto indexed = read_body<SetReg>(Words{0xc0019b00, 0x30000216, 0xffffffff});
  EXPECT_EQ(indexed.index(), 3u);
  EXPECT_EQ(indexed.offset(), 0x216u);
}

TEST(Pm4Packets, SetUconfigReg) {
  Words words;
  const std::uint32_t value[] = {0xe0000000};
  append(words, Opcode::set_uconfig_reg,
         SetReg{uconfig_offset(Register::GRBM_GFX_INDEX, RegisterFile::gfx11)}, value);
  EXPECT_THAT(words, ElementsAre(0xc0017900, 0x200, 0xe0000000));
  EXPECT_THAT(format_packet(words), HasSubstr("GRBM_GFX_INDEX=0xe0000000"));
}

TEST(Pm4Packets, DispatchDirect) {
  Words words;
  append(words, Opcode::dispatch_direct, DispatchDirect{4, 3, 2, 0x8005});
  EXPECT_THAT(words, ElementsAre(0xc0031500, 4, 3, 2, 0x8005));
  EXPECT_EQ(format_packet(words),
            "DISPATCH_DIRECT {dim_x=4, dim_y=3, dim_z=2, "
            "initiator=COMPUTE_SHADER_EN|FORCE_START_AT_000|CS_W32_EN}");
  const auto indirect = read_body<DispatchIndirect>(Words{0xc0021600, 0x40, 0x7f, 5});
  EXPECT_EQ(indirect.address(), 0x7f00000040u);
  EXPECT_EQ(indirect.initiator, 5u);
}

TEST(Pm4Packets, EventWrite) {
  Words words;
  append(words, Opcode::event_write, EventWrite{EventWrite::kType.set(7) | EventWrite::kIndex.set(4)});
  EXPECT_THAT(words, ElementsAre(0xc0004600, 0x407));
  EXPECT_EQ(format_packet(words), "EVENT_WRITE {event=CS_PARTIAL_FLUSH, index=4}");
}

TEST(Pm4Packets, IndirectBuffer) {
  const Words words{0xc0023f00, 0x1000, 0x7f, 100 | 0x800000};
  const auto body = read_body<IndirectBuffer>(words);
  EXPECT_EQ(body.base(), 0x7f00001000u);
  EXPECT_EQ(body.size_words(), 100u);
  EXPECT_FALSE(body.chain());
  EXPECT_EQ(IndirectBuffer::kValid.get(body.control), 1u);
  EXPECT_TRUE(read_body<IndirectBuffer>(Words{0xc0023f00, 0x1000, 0x7f, 100 | 0x900000}).chain());
}

TEST(Pm4Packets, WriteData) {
  Words words;
  const std::uint32_t data[] = {0xaa, 0xbb};
  append(words, Opcode::write_data,
         WriteData{WriteData::kDstSel.set(5) | WriteData::kWriteConfirm.set(1), 0x10, 0x7f}, data);
  EXPECT_THAT(words, ElementsAre(0xc0043700, 0x00100500, 0x10, 0x7f, 0xaa, 0xbb));
  EXPECT_EQ(read_body<WriteData>(words).destination(), WriteDestination::memory);
  EXPECT_EQ(format_packet(words),
            "WRITE_DATA {dst_sel=memory, write_confirm=1, address=0x7f00000010} {0xaa, 0xbb}");
  EXPECT_THAT(format_packet(Words{0xc0013700, 0, 0}), HasSubstr("too short"));
}

TEST(Pm4Packets, CopyData) {
  const auto body = read_body<CopyData>(Words{0xc0044000, 0x00110209, 0, 0, 0x20, 0x7f});
  EXPECT_EQ(body.source_sel(), CopySource::gpu_clock);
  EXPECT_EQ(body.destination_sel(), CopyDestination::l2);
  EXPECT_EQ(CopyData::kCount64.get(body.control), 1u);
  EXPECT_EQ(CopyData::kWriteConfirm.get(body.control), 1u);
  EXPECT_EQ(body.destination(), 0x7f00000020u);
  const auto counter = read_body<CopyData>(Words{0xc0044000, 0x00100204, 0, 0, 0x20, 0x7f});
  EXPECT_EQ(counter.source_sel(), CopySource::perf_counter);
  EXPECT_EQ(CopyData::kCount64.get(counter.control), 0u);
}

TEST(Pm4Packets, AtomicMem) {
  const Words words{0xc0071e00, 0x2f, 0x40, 0x7f, 1, 0, 0, 0, 0x10};
  const auto body = read_body<AtomicMem>(words);
  EXPECT_EQ(body.op(), static_cast<std::uint32_t>(AtomicOp::add) | kAtomic64);
  EXPECT_EQ(body.address(), 0x7f00000040u);
  EXPECT_EQ(body.source(), 1u);
  EXPECT_THAT(format_packet(words), HasSubstr("op=add64, command=0"));
  EXPECT_EQ(atomic_op_name(0x0f), "add32");
  EXPECT_EQ(atomic_op_name(0x27), "swap64");
  EXPECT_EQ(atomic_op_name(0x4f), "add32_noret");
  EXPECT_EQ(atomic_op_name(0x00), "");
}

TEST(Pm4Packets, DmaData) {
  const auto body = read_body<DmaData>(Words{0xc0055000, 0xc0300000, 0x11, 0, 0x40, 0x7f, 0x10001000});
  EXPECT_EQ(DmaData::kSrcSel.get(body.control), 2u);
  EXPECT_EQ(DmaData::kDstSel.get(body.control), 3u);
  EXPECT_EQ(DmaData::kCpSync.get(body.control), 1u);
  EXPECT_EQ(body.byte_count(), 0x1000u);
  EXPECT_EQ(DmaData::kSourceFixed.get(body.command), 1u);
  EXPECT_EQ(DmaData::kDestinationFixed.get(body.command), 0u);
  EXPECT_EQ(body.destination(), 0x7f00000040u);
}

TEST(Pm4Packets, ConditionalExecution) {
  const auto pred = read_body<PredExec>(Words{0xc0002300, 0x02000009});
  EXPECT_EQ(pred.exec_count(), 9u);
  EXPECT_EQ(pred.xcc_mask(), 2u);
  const auto cond = read_body<CondExec>(Words{0xc0032200, 0x80, 0x7f, 0, 5});
  EXPECT_EQ(cond.address(), 0x7f00000080u);
  EXPECT_EQ(cond.exec_count(), 5u);
}

TEST(Pm4Packets, ShortOnesAreErrorsThatNameThem) {
  const Words words{0xc0013c00, 1, 2};
  try {
    read_body<WaitRegMem>(words);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.tag(), Tag::bad_packet);
    EXPECT_EQ(error.message(), "WAIT_REG_MEM (header 0xc0013c00) has 2 body words but needs 6");
  }
  EXPECT_THROW(read_body<PredExec>(Words{}), Error);
}

TEST(Pm4Packets, AnyWordsPrint) {
  EXPECT_EQ(format_packet(Words{}), "(no packet)");
  EXPECT_EQ(format_packet(Words{kFiller}), "FILLER");
  EXPECT_THAT(format_packet(Words{0}), HasSubstr("ILLEGAL type 0"));
  EXPECT_THAT(format_packet(Words{0xc0053c00, 1}), HasSubstr("truncated: 2 of 7 words"));
  EXPECT_EQ(format_packet(Words{0xc000ee00, 0x17}), "OPCODE_0xee {0x17}");
  for (std::uint32_t opcode = 0; opcode < 256; ++opcode) {
    for (std::uint32_t body = 1; body < 12; ++body) {
      Words words(body + 1, 0xffffffff);
      words[0] = make_header(static_cast<Opcode>(opcode), body);
      EXPECT_FALSE(format_packet(words).empty());
    }
  }
}

}  // namespace mockgpu::isa::amd::pm4::pm4_tests
