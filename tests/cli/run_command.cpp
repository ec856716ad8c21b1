// The options of `mockgpu run` and `mockgpu info`, and files of cases.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/cli/process.h"

namespace mockgpu::test::run_command_tests {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> vecadd(std::vector<std::string> more) {
  std::vector<std::string> arguments{"run",      code_object("gfx1100/vecadd"),
                                     "--kernel", "vecadd",
                                     "--grid",   "64",
                                     "--block",  "64",
                                     "--arg",    "f32[64]=iota",
                                     "--arg",    "f32[64]=ones"};
  arguments.insert(arguments.end(), {"--arg", "f32[64]=zeros", "--arg", "u32=64"});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Run, SummarisesChangedBuffersWithoutOtherWishes) {
  const Ended ended = mockgpu(vecadd({}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("vecadd on gfx1100: 1 workgroup of 64"));
  EXPECT_THAT(ended.out, HasSubstr("[2] f32[64]: 64 elements changed; from element 0: 1 2 3 4 5 6 7 8 ..."));
  EXPECT_THAT(ended.out, Not(HasSubstr("[1]")));
  EXPECT_EQ(ended.err, "");
}

TEST(Run, ShowsARange) {
  const Ended ended = mockgpu(vecadd({"--show", "2:3", "--show", "0:60..64"}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("[2]       0: 1 2 3\n"));
  EXPECT_THAT(ended.out, HasSubstr("[0]      60: 60 61 62 63\n"));
}

TEST(Run, ExpectationsHold) {
  const Ended ended = mockgpu(vecadd({"--expect", "2=iota+1", "--expect", "2:10..12=11,12"}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("[2] 64 values as expected: iota+1"));
  EXPECT_THAT(ended.out, HasSubstr("[2] 2 values as expected: 11,12"));
}

TEST(Run, AFailedExpectationIsAFinding) {
  const Ended ended = mockgpu(vecadd({"--expect", "2:8..16=9,10,11,0,13,14,15,17"}));
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err,
              HasSubstr("mockgpu: error[failed]: argument 2 is not 9,10,11,0,13,14,15,17: 2 of 8 values "
                        "differ, the first is element 11"));
  EXPECT_THAT(ended.err, HasSubstr("got  12 13 14 15 16"));
  EXPECT_THAT(ended.err, HasSubstr("want 0 13 14 15 17"));
}

TEST(Run, ToleranceIsRelative) {
  EXPECT_EQ(mockgpu(vecadd({"--expect", "2=iota+1.00001"})).code, 1);
  EXPECT_EQ(mockgpu(vecadd({"--expect", "2=iota+1.00001", "--tolerance", "1e-4"})).code, 0);
}

TEST(Run, FilesInAndOut) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  ASSERT_EQ(mockgpu(vecadd({"--out", "2=" + out})).code, 0);
  // What was written is what the next launch reads.
  const Ended ended = mockgpu({"run", code_object("gfx1100/vecadd"), "--kernel", "vecadd", "--groups", "2",
                               "--block", "32", "--arg", "f32[64]=@" + out, "--arg", "f32[64]=@" + out,
                               "--arg", "f32[64]=zeros", "--arg", "u32=64", "--expect", "2=iota*2+2"});
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST(Run, TheOnlyKernelNeedsNoName) {
  const Ended ended = mockgpu({"run", code_object("gfx1100/vecadd_asm"), "--groups", "1", "--block", "64",
                               "--arg", "f32[64]=iota", "--arg", "f32[64]=iota", "--arg", "f32[64]=zeros",
                               "--arg", "u32=64", "--expect", "2=iota*2"});
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST(Run, EveryModeAndTheEnvironmentChooseTheMachine) {
  for (const char* machine : {"gfx1100;mode=inline", ";mode=async;threads=2", ";mode=seeded;seed=3", "on"}) {
    EXPECT_EQ(mockgpu(vecadd({"--expect", "2=iota+1", "--machine", machine})).code, 0) << machine;
    EXPECT_EQ(mockgpu(vecadd({"--expect", "2=iota+1"}), "", machine).code, 0) << machine;
  }
}

class CaseFiles : public testing::TestWithParam<const char*> {};

TEST_P(CaseFiles, Pass) {
  const Ended ended = mockgpu({"run", std::string(MOCKGPU_TEST_DATA) + "/cases/" + GetParam()});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("cases, 0 failed"));
  EXPECT_EQ(ended.err, "");
}

INSTANTIATE_TEST_SUITE_P(All, CaseFiles, testing::Values("vecadd.json", "kernels.json"));

TEST(CaseFile, GoesOnAfterAFailureAndNamesTheCase) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("cases.json", R"({"code_object": ")" + code_object("gfx1100/vecadd_asm") + R"(",
      "cases": [
        {"name": "wrong", "groups": 1, "block": 64, "arguments": ["f32[64]=iota", "f32[64]=ones", "f32[64]=zeros",
         "u32=64"], "expect": ["2=iota"]},
        {"name": "right", "groups": 1, "block": 64, "arguments": ["f32[64]=iota", "f32[64]=ones", "f32[64]=zeros",
         "u32=64"], "expect": ["2=iota+1"]}]})");
  const Ended ended = mockgpu({"run", file});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("error[failed]"));
  EXPECT_THAT(ended.err, HasSubstr("case wrong"));
  EXPECT_THAT(ended.out, HasSubstr("right: vadd on gfx1100"));
  EXPECT_THAT(ended.out, HasSubstr("2 cases, 1 failed"));
}

TEST(Run, WorksOnAnOldProcessor) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__x86_64__)
  GTEST_SKIP() << "needs an x86-64 build without sanitizers";
#endif
  if (std::system("command -v qemu-x86_64 >/dev/null") != 0) GTEST_SKIP() << "qemu-x86_64 is not installed";
  std::string command = std::string("qemu-x86_64 -cpu Nehalem ") + MOCKGPU_TOOL;
  for (const std::string& argument : vecadd({"--expect", "2=iota+1"}))
    command += fmt::format(" '{}'", argument);
  EXPECT_EQ(std::system((command + " >/dev/null").c_str()), 0);
}

TEST(Info, ListsTheDevices) {
  const Ended one = mockgpu({"info"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("device 0: AMD gfx1100"));
  const Ended two = mockgpu({"info", "--machine", "2xgfx1100"});
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_THAT(two.out, HasSubstr("device 1: AMD gfx1100"));
}

TEST(Help, EveryOptionHasAnExample) {
  for (const char* command : {"run", "dis", "info"}) {
    const Ended ended = mockgpu({command, "--help"});
    EXPECT_EQ(ended.code, 0);
    std::size_t options = 0, examples = 0;
    for (std::size_t at = 0; (at = ended.out.find("\n  --", at)) != std::string::npos; ++at) ++options;
    for (std::size_t at = 0; (at = ended.out.find("e.g.", at)) != std::string::npos; ++at) ++examples;
    EXPECT_GE(examples, options) << ended.out;
  }
}

}  // namespace mockgpu::test::run_command_tests
