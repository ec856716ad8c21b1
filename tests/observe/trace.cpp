// What a trace says of single instructions. Programs were assembled by an independent assembler from the text
// in the comments; what they write follows from the manual.
#include "emu/observe/trace.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/wave/test_launch.h"

namespace mockgpu::tests::trace_tests {

using emu::amd::TestLaunch;
using testing::ElementsAre;

/// Traces a program whose buffer's address is in s[0:1], as one workgroup of four work-items unless the
/// launch says otherwise. Code addresses are named `k+offset`, the buffer's begin is printed as `out`.
std::vector<std::string> trace(TestLaunch& test, const emu::TraceOptions& options = {}) {
  std::vector<std::string> lines;
  const auto out = fmt::format("{:#x}", reinterpret_cast<std::uint64_t>(test.out.data()));
  emu::Trace observer(options, [&](std::string_view line) {
    std::string text(line);
    for (std::size_t at; (at = text.find(out)) != std::string::npos;) text.replace(at, out.size(), "out");
    lines.push_back(text);
  });
  emu::amd::Engine::Options engine;
  engine.observer = &observer;
  engine.symbolize = [&](std::uint64_t pc) {
    return fmt::format("k+{:#x}", pc - reinterpret_cast<std::uint64_t>(test.code.data()));
  };
  const emu::amd::Outcome outcome = test.run(engine);
  if (outcome.error) lines.push_back(format_error(*outcome.error).substr(0, 19));
  return lines;
}

TEST(Trace, RegistersAndStores) {
  //   v_lshlrev_b32 v1, 2, v0
  //   v_add_nc_u32 v2, s2, v0
  //   global_store_b32 v1, v2, s[0:1]
  //   s_endpgm
  static constexpr std::uint32_t kWords[] = {0x30020082, 0x4a040002, 0xdc6a0000, 0x00000201, 0xbfb00000};
  TestLaunch test(kWords);
  test.launch.group_size = {4, 1, 1};
  test.launch.dispatch_number = 7;
  EXPECT_THAT(trace(test),
              ElementsAre("7 (0,0,0) 0 k+0x0 v_lshlrev_b32_e32 v1, 2, v0 | v1=[0x0 0x4 0x8 0xc - x28]",
                          "7 (0,0,0) 0 k+0x4 v_add_nc_u32_e32 v2, s2, v0 | v2=[0x0 0x1 0x2 0x3 - x28]",
                          "7 (0,0,0) 0 k+0x8 global_store_b32 v1, v2, s[0:1] | global[out]=[0x0 0x1 0x2 0x3]",
                          "7 (0,0,0) 0 k+0x10 s_endpgm"));
}

TEST(Trace, ScalarsFlagsAndMasks) {
  //   s_add_u32 s4, s0, s1
  //   v_add_nc_u32 v2, v0, v1
  //   v_cmp_gt_u32 vcc_lo, 5, v0
  //   s_mov_b32 m0, 0x1234
  //   s_endpgm
  static constexpr std::uint32_t kWords[] = {0x80040100, 0x4a040300, 0x7c980085,
                                             0xbefd00ff, 0x00001234, 0xbfb00000};
  TestLaunch test(kWords);
  test.launch.user_data[0] = 0xffffffff;
  test.launch.user_data[1] = 2;
  EXPECT_THAT(trace(test), ElementsAre("0 (0,0,0) 0 k+0x0 s_add_u32 s4, s0, s1 | s4=0x1 scc=0x1", testing::_,
                                       "0 (0,0,0) 0 k+0x8 v_cmp_gt_u32_e32 vcc_lo, 5, v0 | vcc_lo=0x1f",
                                       "0 (0,0,0) 0 k+0xc s_mov_b32 m0, 0x1234 | m0=0x1234",
                                       "0 (0,0,0) 0 k+0x14 s_endpgm"));
}

TEST(Trace, LdsOutOfRange) {
  //   v_lshlrev_b32 v1, 7, v0
  //   ds_store_b32 v1, v0
  //   ds_load_b32 v2, v1
  //   s_endpgm
  static constexpr std::uint32_t kWords[] = {0x30020087, 0xd8340000, 0x00000001,
                                             0xd8d80000, 0x02000001, 0xbfb00000};
  TestLaunch test(kWords);
  test.launch.group_size = {6, 1, 1};
  test.launch.rsrc2 = 2 << 1 | 1 << 15;  // 512 bytes of LDS
  EXPECT_THAT(trace(test),
              ElementsAre("0 (0,0,0) 0 k+0x0 v_lshlrev_b32_e32 v1, 7, v0 | "
                          "v1=[0x0 0x80 0x100 0x180 0x200 0x280 - x26]",
                          "0 (0,0,0) 0 k+0x4 ds_store_b32 v1, v0 | lds[0x0]=[0x0] lds[0x80]=[0x1] "
                          "lds[0x100]=[0x2] lds[0x180]=[0x3] lds[0x200] outside: lanes 4-5",
                          "0 (0,0,0) 0 k+0xc ds_load_b32 v2, v1 | v2=[0x0 0x1 0x2 0x3 0x0 x2 - x26] "
                          "lds[0x200] outside: lanes 4-5",
                          "0 (0,0,0) 0 k+0x14 s_endpgm"));
}

TEST(Trace, AtomicsAndExec) {
  //   v_mov_b32 v1, 0
  //   v_mov_b32 v2, 5
  //   global_atomic_add_u32 v3, v1, v2, s[0:1] glc
  //   s_and_saveexec_b32 s6, 3
  //   s_cbranch_execz next
  //   v_cmpx_gt_u32 1, v0
  //   s_endpgm
  static constexpr std::uint32_t kWords[] = {0x7e020280, 0x7e040285, 0xdcd64000, 0x03000201,
                                             0xbe862083, 0xbfa50000, 0x7d980081, 0xbfb00000};
  TestLaunch test(kWords);
  test.launch.group_size = {3, 1, 1};
  const auto lines = trace(test);
  ASSERT_EQ(lines.size(), 7u);
  // Lanes add one after the other and get what was there; memory then holds the sum.
  EXPECT_EQ(lines[2],
            "0 (0,0,0) 0 k+0x8 global_atomic_add_u32 v3, v1, v2, s[0:1] glc | v3=[0x0 0x5 0xa - x29] "
            "global[out]=[0xf] global[out]=[0xf] global[out]=[0xf]");
  EXPECT_EQ(lines[3], "0 (0,0,0) 0 k+0x10 s_and_saveexec_b32 s6, 3 | s6=0x7 exec_lo=0x3 scc=0x1");
  EXPECT_EQ(lines[4], "0 (0,0,0) 0 k+0x14 s_cbranch_execz 0");
  EXPECT_EQ(lines[5], "0 (0,0,0) 0 k+0x18 v_cmpx_gt_u32_e32 1, v0 | exec_lo=0x1");
}

TEST(Trace, WideAndNarrowStores) {
  //   v_lshlrev_b32 v4, 3, v0
  //   v_mov_b32 v2, 7
  //   v_mov_b32 v3, 8
  //   global_store_b64 v4, v[2:3], s[0:1] offset:8
  //   v_mov_b32 v2, 0x12345678
  //   global_store_d16_hi_b8 v0, v2, s[0:1]
  //   s_load_b64 s[8:9], s[0:1], null
  //   s_endpgm
  static constexpr std::uint32_t kWords[] = {0x30080083, 0x7e040287, 0x7e060288, 0xdc6e0008,
                                             0x00000204, 0x7e0402ff, 0x12345678, 0xdc920000,
                                             0x00000200, 0xf4040200, 0xf8000000, 0xbfb00000};
  TestLaunch test(kWords);
  test.launch.group_size = {2, 1, 1};
  const auto lines = trace(test);
  ASSERT_EQ(lines.size(), 8u);
  const auto behind = fmt::format("{:#x}", reinterpret_cast<std::uint64_t>(test.out.data()) + 8);
  EXPECT_EQ(lines[3], "0 (0,0,0) 0 k+0xc global_store_b64 v4, v[2:3], s[0:1] offset:8 | global[" + behind +
                          "]=[0x800000007 x2]");
  EXPECT_EQ(lines[5], "0 (0,0,0) 0 k+0x1c global_store_d16_hi_b8 v0, v2, s[0:1] | global[out]=[0x34 x2]");
  EXPECT_EQ(lines[6], "0 (0,0,0) 0 k+0x24 s_load_b64 s[8:9], s[0:1], null | s8=0x3434 s9=0x0");
}

TEST(Trace, BuffersCheckTheirRange) {
  //   s_mov_b32 s4, s0
  //   s_mov_b32 s5, s1
  //   s_mov_b32 s6, 8             bytes of the buffer
  //   s_mov_b32 s7, 0x30000000    raw buffer
  //   v_lshlrev_b32 v1, 2, v0
  //   buffer_store_b32 v0, v1, s[4:7], 0 offen
  //   s_endpgm
  static constexpr std::uint32_t kWords[] = {0xbe840000, 0xbe850001, 0xbe860088, 0xbe8700ff, 0x30000000,
                                             0x30020082, 0xe0680000, 0x80410001, 0xbfb00000};
  TestLaunch test(kWords);
  test.launch.group_size = {4, 1, 1};
  const auto lines = trace(test);
  ASSERT_EQ(lines.size(), 7u);
  const auto behind = fmt::format("{:#x}", reinterpret_cast<std::uint64_t>(test.out.data()) + 8);
  EXPECT_EQ(lines[5],
            "0 (0,0,0) 0 k+0x18 buffer_store_b32 v0, v1, s[4:7], 0 offen | global[out]=[0x0 0x1] "
            "global[" +
                behind + "] outside: lanes 2-3");
  EXPECT_EQ(test.out[1], 1u);
  EXPECT_EQ(test.out[2], 0u);
}

TEST(Trace, TypedStoresShowWhatMemoryHolds) {
  //   s_mov_b32 s4, s0
  //   s_mov_b32 s5, s1
  //   s_mov_b32 s6, 8             bytes of the buffer
  //   s_mov_b32 s7, 0x30000000    raw buffer
  //   v_lshlrev_b32 v1, 2, v0
  //   v_mov_b32 v2, 1.0
  //   v_mov_b32 v3, 0
  //   v_mov_b32 v4, 0
  //   v_mov_b32 v5, 1.0
  //   tbuffer_store_format_xyzw v[2:5], v1, s[4:7], 0 format:[BUF_FMT_8_8_8_8_UNORM] offen
  //   s_endpgm
  static constexpr std::uint32_t kWords[] = {0xbe840000, 0xbe850001, 0xbe860088, 0xbe8700ff, 0x30000000,
                                             0x30020082, 0x7e0402f2, 0x7e060280, 0x7e080280, 0x7e0a02f2,
                                             0xe9538000, 0x80410201, 0xbfb00000};
  TestLaunch test(kWords);
  test.launch.group_size = {4, 1, 1};
  const auto lines = trace(test);
  ASSERT_EQ(lines.size(), 11u);
  const auto behind = fmt::format("{:#x}", reinterpret_cast<std::uint64_t>(test.out.data()) + 8);
  EXPECT_EQ(lines[9].substr(lines[9].find('|')),
            "| global[out]=[0xff0000ff x2] global[" + behind + "] outside: lanes 2-3");
}

TEST(Trace, CountersOfAWave) {
  //   s_mov_b32 m0, 8
  //   ds_append v1 offset:4
  //   ds_consume v1 offset:4
  //   s_endpgm
  static constexpr std::uint32_t kWords[] = {0xbefd0088, 0xd8f80004, 0x01000000,
                                             0xd8f40004, 0x01000000, 0xbfb00000};
  TestLaunch test(kWords);
  test.launch.group_size = {4, 1, 1};
  test.launch.rsrc2 = 2 << 1 | 1 << 15;  // 512 bytes of LDS
  EXPECT_THAT(trace(test),
              ElementsAre("0 (0,0,0) 0 k+0x0 s_mov_b32 m0, 8 | m0=0x8",
                          "0 (0,0,0) 0 k+0x4 ds_append v1 offset:4 | v1=[0x0 x4 - x28] lds[0xc]=[0x4]",
                          "0 (0,0,0) 0 k+0xc ds_consume v1 offset:4 | v1=[0x4 x4 - x28] lds[0xc]=[0x0]",
                          "0 (0,0,0) 0 k+0x14 s_endpgm"));
}

TEST(Trace, FlatScratchAndTwoAddresses) {
  //   v_lshlrev_b32 v1, 2, v0
  //   v_add_nc_u32 v2, s0, v1
  //   v_mov_b32 v3, s1
  //   flat_store_b32 v[2:3], v0 offset:8
  //   scratch_store_b32 off, v0, off offset:4
  //   ds_store_2addr_b32 v1, v0, v2 offset0:1 offset1:8
  //   s_endpgm
  static constexpr std::uint32_t kWords[] = {0x30020082, 0x4a040200, 0x7e060201, 0xdc680008, 0x007c0002,
                                             0xdc690004, 0x007c0000, 0xd8380801, 0x00020001, 0xbfb00000};
  TestLaunch test(kWords);
  test.launch.group_size = {2, 1, 1};
  const auto out = reinterpret_cast<std::uint64_t>(test.out.data());
  test.launch.scratch_base = out + 4096;
  test.launch.scratch_wave_bytes = 1024;
  test.launch.scratch_waves = 1;
  const auto lines = trace(test);
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(
      lines[3],
      fmt::format("0 (0,0,0) 0 k+0xc flat_store_b32 v[2:3], v0 offset:8 | global[{:#x}]=[0x0 0x1]", out + 8));
  EXPECT_EQ(lines[4], "0 (0,0,0) 0 k+0x14 scratch_store_b32 off, v0, off offset:4 | scratch[0x4]=[0x0 0x1]");
  const auto low = static_cast<std::uint32_t>(out);
  EXPECT_EQ(lines[5], fmt::format("0 (0,0,0) 0 k+0x1c ds_store_2addr_b32 v1, v0, v2 offset0:1 offset1:8 | "
                                  "lds[0x4]=[0x0] lds[0x20]=[{:#x}] lds[0x8]=[0x1] lds[0x24]=[{:#x}]",
                                  low, low + 4));
}

TEST(Trace, WavesOfAGangOneByOneAndFiltered) {
  static constexpr std::uint32_t kWords[] = {0x4a040002, 0xbfb00000};  // v_add_nc_u32 v2, s2, v0; s_endpgm
  TestLaunch test(kWords);
  test.launch.group_size = {64, 1, 1};
  test.launch.end_group = {2, 1, 1};
  const auto lines = trace(test);
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_THAT(lines[0],
              testing::StartsWith("0 (0,0,0) 0 k+0x0 v_add_nc_u32_e32 v2, s2, v0 | v2=[0x0 0x1 0x2"));
  EXPECT_THAT(lines[1], testing::StartsWith("0 (0,0,0) 1 k+0x0 v_add_nc_u32_e32 v2, s2, v0 | v2=[0x20 0x21"));
  EXPECT_THAT(lines[3], testing::StartsWith("0 (1,0,0) 1 k+0x0 v_add_nc_u32_e32 v2, s2, v0 | v2=[0x21 0x22"));
  emu::TraceOptions one;
  one.group = {1, 0, 0};
  one.wave = 1;
  EXPECT_THAT(trace(test, one), ElementsAre(lines[3], lines[7]));
}

TEST(Trace, AFaultEndsIt) {
  //   v_mov_b32 v1, 0
  //   global_store_b32 v1, v2, s[0:1]
  static constexpr std::uint32_t kWords[] = {0x7e020280, 0xdc6a0000, 0x00000201, 0xbfb00000};
  TestLaunch test(kWords);
  test.launch.group_size = {1, 1, 1};
  test.launch.user_data[0] = test.launch.user_data[1] = 0;
  EXPECT_THAT(trace(test), ElementsAre("0 (0,0,0) 0 k+0x0 v_mov_b32_e32 v1, 0 | v1=[0x0 - x31]",
                                       "0 (0,0,0) 0 k+0x4 global_store_b32 v1, v2, s[0:1] | fault",
                                       "error[memory-fault]"));
}

// The fast loop is not touched by an observer that comes and goes.
TEST(Trace, AnEngineIsObservedForAWhile) {
  static constexpr std::uint32_t kWords[] = {0x7e020280, 0xbfb00000};
  TestLaunch test(kWords);
  unsigned lines = 0;
  emu::Trace observer({}, [&](std::string_view) { ++lines; });
  emu::amd::Engine engine({});
  const auto run = [&] {
    const auto execution = engine.start(test.launch);
    EXPECT_EQ(execution->run(0, emu::AddressSpace::Pin(test.memory.space)), emu::amd::Progress::done);
    EXPECT_EQ(execution->outcome().wave_instructions, 2u);
  };
  run();
  EXPECT_EQ(lines, 0u);
  engine.observe(&observer);
  run();
  EXPECT_EQ(lines, 2u);
  engine.observe(nullptr);
  run();
  EXPECT_EQ(lines, 2u);
}

TEST(Trace, Packets) {
  std::vector<std::string> lines;
  emu::TraceOptions options;
  options.packets = true;
  emu::Trace observer(options, [&](std::string_view line) { lines.emplace_back(line); });
  const std::uint32_t nop[] = {0xc0001000, 0x5};  // PM4 type 3, NOP, one body word
  const std::uint32_t trap[] = {0x6, 0x1};        // SDMA TRAP
  emu::PacketEvent event;
  event.queue_id = 3;
  event.position = 0x40;
  event.words = nop;
  observer.packet(event);
  event.words = trap;
  event.sdma = event.indirect = true;
  observer.packet(event);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], testing::StartsWith("queue 3 PM4 0x40 NOP"));
  EXPECT_THAT(lines[1], testing::StartsWith("queue 3 SDMA indirect 0x40 TRAP {"));
}

}  // namespace mockgpu::tests::trace_tests
