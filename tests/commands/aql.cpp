// Header values are those seen from ROCr and HIP, not our own output.
#include "isa/amd/commands/aql.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mockgpu::isa::amd::aql::aql_tests {

using ::testing::HasSubstr;

TEST(Aql, Headers) {
  EXPECT_EQ(make_header(PacketType::kernel_dispatch, false, kScopeSystem, kScopeSystem), 0x1402);
  EXPECT_EQ(make_header(PacketType::kernel_dispatch, true, kScopeAgent, kScopeAgent), 0x0b02);
  EXPECT_EQ(make_header(PacketType::barrier_and, true, kScopeSystem, kScopeSystem), 0x1503);
  EXPECT_EQ(packet_type(0x1503), PacketType::barrier_and);
  EXPECT_EQ(kHeaderBarrier.get(0x1503), 1u);
}

TEST(Aql, PacketsPrintTheirFields) {
  KernelDispatch dispatch{};
  dispatch.header = 0x1502;
  dispatch.setup = 3;
  dispatch.workgroup_size_x = 64;
  dispatch.workgroup_size_y = 2;
  dispatch.workgroup_size_z = 1;
  dispatch.grid_size_x = 1024;
  dispatch.grid_size_y = 4;
  dispatch.grid_size_z = 1;
  dispatch.group_segment_size = 512;
  dispatch.kernel_object = 0x7f0000001300;
  dispatch.kernarg_address = 0x7f0000002000;
  EXPECT_EQ(
      fmt::format("{}", dispatch),
      "{type=kernel_dispatch, barrier=1, acquire=system, release=system, dimensions=3, "
      "workgroup_size=[64, 2, 1], grid_size=[1024, 4, 1], private_segment_size=0, group_segment_size=512, "
      "kernel_object=0x7f0000001300, kernarg_address=0x7f0000002000, completion_signal=0x0}");
  Barrier barrier{};
  barrier.header = 0x1503;
  barrier.dep_signal[1] = 0x80;
  EXPECT_THAT(fmt::format("{}", barrier), HasSubstr("dep_signal=[0x0, 0x80, 0x0, 0x0, 0x0]"));
  VendorPm4Ib vendor{};
  vendor.format = kVendorFormatPm4Ib;
  vendor.ib_jump[0] = 0xc0023f00;
  vendor.remaining_words = 10;
  EXPECT_THAT(fmt::format("{}", vendor), HasSubstr("type=vendor"));
  EXPECT_THAT(fmt::format("{}", vendor),
              HasSubstr("format=1, ib_jump=[0xc0023f00, 0x0, 0x0, 0x0], remaining_words=10"));
  EXPECT_THAT(fmt::format("{}", AgentDispatch{}), HasSubstr("arg=[0x0, 0x0, 0x0, 0x0]"));
}

TEST(Aql, QueueAndSignalPrintTheirFields) {
  Signal signal{};
  signal.kind = 1;
  signal.value = ~std::uint64_t{0};
  EXPECT_THAT(fmt::format("{}", signal), HasSubstr("kind=1, value=-1, event_mailbox_ptr=0x0"));
  Queue queue{};
  queue.size = 4096;
  queue.read_dispatch_id_field_base_byte_offset = 128;
  const std::string text = fmt::format("{}", queue);
  EXPECT_THAT(text, HasSubstr("size=4096"));
  EXPECT_THAT(text, HasSubstr("read_dispatch_id_field_base_byte_offset=128"));
}

}  // namespace mockgpu::isa::amd::aql::aql_tests
