// `mockgpu trace`, and the driver calls of a whole launch against a trace that was written by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/cli/process.h"
#include "tests/cli/trace_match.h"

namespace mockgpu::test::trace_command_tests {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> vecadd(const std::string& count, std::vector<std::string> more) {
  const std::string buffer = "f32[" + count + "]=";
  std::vector<std::string> arguments{"trace",    code_object("gfx1100/vecadd"),
                                     "--kernel", "vecadd",
                                     "--grid",   count,
                                     "--block",  "32",
                                     "--arg",    buffer + "iota",
                                     "--arg",    buffer + "fill:0.5"};
  arguments.insert(arguments.end(), {"--arg", buffer + "zeros", "--arg", "u32=" + count});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(TraceCommand, InstructionsWithWhatTheyWrote) {
  const Ended ended = mockgpu(vecadd("64", {"--workgroup", "1"}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, Not(HasSubstr("\n1 (0,0,0)")));
  // c[32] = 32 + 0.5 and so on, in single precision; lane 0 stores to the 128th byte of the third buffer.
  EXPECT_THAT(ended.out,
              testing::ContainsRegex("1 \\(1,0,0\\) 0 vecadd\\+0x[0-9a-f]+ v_(dual_)?add_f32[^|]*\\|.*"
                                     "=\\[0x42020000 0x42060000 0x420a0000"));
  EXPECT_THAT(ended.out,
              testing::ContainsRegex("global_store_b32 [^|]*\\| global\\[0x[0-9a-f]+80\\]=\\[0x42020000 "
                                     "0x42060000"));
  EXPECT_THAT(ended.out, testing::ContainsRegex("1 \\(1,0,0\\) 0 vecadd\\+0x[0-9a-f]+ s_endpgm\n"));
}

TEST(TraceCommand, TwoRunsAreEqual) {
  const std::vector<std::string> all{"--instructions", "--packets", "--ioctls"};
  const Ended one = mockgpu(vecadd("100", all)), two = mockgpu(vecadd("100", all));
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_GT(one.out.size(), 10'000u);
  // Device-dependent clocks would show here; pointers into the program's own memory must not.
  EXPECT_EQ(one.out, two.out);
}

TEST(TraceCommand, TwoRunsOfManyMachinesAreEqual) {
  const std::vector<std::string> cases{"trace", MOCKGPU_TEST_DATA "/cases/kernels.json", "--ioctls"};
  const Ended one = mockgpu(cases), two = mockgpu(cases);
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, two.out);
}

TEST(TraceCommand, TwoRunsOfAFaultAreEqual) {
  const std::vector<std::string> fault{"trace",    code_object("gfx1100/vecadd"),
                                       "--kernel", "vecadd",
                                       "--grid",   "32",
                                       "--block",  "32",
                                       "--arg",    "u64=0",
                                       "--arg",    "u64=0",
                                       "--arg",    "u64=0",
                                       "--arg",    "u32=32",
                                       "--ioctls"};
  const Ended one = mockgpu(fault), two = mockgpu(fault);
  EXPECT_EQ(one.code, 1) << one.err;
  EXPECT_THAT(one.out, HasSubstr("AMDKFD_IOC_WAIT_EVENTS, {events_ptr=[{event_id="));
  EXPECT_EQ(one.out, two.out);
}

TEST(TraceCommand, PacketsGoToAFile) {
  const TemporaryFolder folder;
  const Ended ended = mockgpu(vecadd("64", {"--packets", "--output", folder.file("trace")}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("vecadd on gfx1100: 2 workgroups of 32"));
  EXPECT_THAT(ended.out, Not(HasSubstr("queue")));
  const std::string trace = read(folder.file("trace"));
  EXPECT_THAT(trace,
              testing::ContainsRegex("queue [0-9]+ PM4 [^\n]*DISPATCH_DIRECT \\{dim_x=2, dim_y=1, dim_z=1"));
  EXPECT_THAT(trace, testing::ContainsRegex("queue [0-9]+ SDMA [^\n]*COPY_LINEAR"));
  EXPECT_THAT(trace, Not(HasSubstr("s_endpgm")));
}

TEST(TraceCommand, AFaultIsTheLastThing) {
  const Ended ended =
      mockgpu({"trace", code_object("gfx1100/vecadd"), "--kernel", "vecadd", "--grid", "32", "--block", "32",
               "--arg", "u64=0", "--arg", "u64=0", "--arg", "f32[32]=zeros", "--arg", "u32=32"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out,
              testing::ContainsRegex("global_load_b32 [^|]*\\| fault\nfault error\\[memory-fault\\]: "
                                     "global_load_b32 reads 4 bytes at 0x0"));
  EXPECT_THAT(ended.err, HasSubstr("error[memory-fault]"));
}

TEST(TraceCommand, NothingToShowIsWrongUse) {
  for (const std::vector<std::string>& where :
       std::vector<std::vector<std::string>>{{"--workgroup", "2"},
                                             {"--workgroup", "0,1"},
                                             {"--wave", "1"},
                                             {"--workgroup", "1", "--wave", "7"}}) {
    std::vector<std::string> options = where;
    options.push_back("--packets");
    options.push_back("--instructions");
    const Ended ended = mockgpu(vecadd("64", options));
    EXPECT_EQ(ended.code, 2);
    EXPECT_THAT(ended.err, HasSubstr("mockgpu: error[bad-usage]: "));
    for (const std::string& word : where) EXPECT_THAT(ended.err, HasSubstr(word));
  }
  EXPECT_EQ(mockgpu(vecadd("64", {"--workgroup", "1", "--wave", "0"})).code, 0);
  EXPECT_EQ(mockgpu(vecadd("64", {"--workgroup", "9", "--packets"})).code, 0);  // no instruction is asked for
}

TEST(TraceCommand, WrongUse) {
  for (const char* wave : {"-1", "-5", "x", "4294967296", "-18446744073709551615"}) {
    const Ended ended = mockgpu(vecadd("64", {"--wave", wave}));
    EXPECT_EQ(ended.code, 2) << wave;
    EXPECT_THAT(ended.err, HasSubstr("--wave"));
  }
  EXPECT_EQ(mockgpu(vecadd("64", {"--workgroup", "1,x"})).code, 2);
  EXPECT_EQ(mockgpu(vecadd("64", {"--output", "/nothing/there"})).code, 2);
  const Ended real = mockgpu(vecadd("64", {"--machine", "off"}));
  EXPECT_EQ(real.code, 2);
  EXPECT_THAT(real.err, HasSubstr("--ioctls works on the real hardware"));
}

/// Calls that make and use memory, queues and events: not the reads of what devices there are.
bool is_driver_call(const std::string& line) {
  return line.rfind("ioctl(", 0) == 0 || line.rfind("mmap(", 0) == 0 || line.rfind("munmap(", 0) == 0 ||
         line.rfind("openat(AT_FDCWD, \"/dev/", 0) == 0;
}

TEST(TraceCommand, DriverCallsOfVecaddAsWrittenByHand) {
  const TemporaryFolder folder;
  const Ended ended = mockgpu(vecadd("4096", {"--ioctls", "--output", folder.file("trace")}));
  ASSERT_EQ(ended.code, 0) << ended.err;
  std::vector<std::string> actual, expected;
  for (const std::string& line : lines_of(read(folder.file("trace")))) {
    if (is_driver_call(line)) actual.push_back(line);
  }
  for (const std::string& line : lines_of(read(MOCKGPU_TEST_DATA "/cli/vecadd_ioctls.txt"))) {
    if (!line.empty() && line[0] != '#') expected.push_back(line);
  }
  TraceMatcher matcher;
  for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i)
    ASSERT_EQ(matcher.compare(expected[i], actual[i]), "") << "line " << i << ": " << expected[i];
  EXPECT_EQ(actual.size(), expected.size());
}

TEST(TraceMatch, BindsByFirstAppearance) {
  TraceMatcher matcher;
  EXPECT_EQ(matcher.compare("open = $fd.a, $fd.b at $va.x", "open = 3, 4 at 0x1000"), "");
  EXPECT_EQ(matcher.compare("use $fd.b and $va.x+0x38", "use 4 and 0x1038"), "");
  EXPECT_EQ(matcher.compare("$any thing", "17 thing"), "");
  EXPECT_NE(matcher.compare("use $fd.b", "use 3"), "");
  EXPECT_NE(matcher.compare("use $fd.c", "use 3"), "");  // that is $fd.a
  EXPECT_NE(matcher.compare("use $va.x+0x38", "use 0x1040"), "");
  EXPECT_NE(matcher.compare("use 3", "use 3 more"), "");
  EXPECT_NE(matcher.compare("use 3 more", "use 3"), "");
}

}  // namespace mockgpu::test::trace_command_tests
