// What goes wrong ends in one clear error and the right exit code, never by a signal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/cli/process.h"

namespace mockgpu::test::errors_tests {

using testing::HasSubstr;
using testing::StartsWith;

constexpr int kFinding = 1, kWrongUse = 2;

/// Asserts the exit code and that the whole of stderr is one error with this tag and these parts.
void expect_error(const Ended& ended, int code, const std::string& tag,
                  const std::vector<std::string>& parts) {
  EXPECT_EQ(ended.signal, 0);
  EXPECT_EQ(ended.code, code) << ended.out << ended.err;
  EXPECT_THAT(ended.err, StartsWith("mockgpu: error[" + tag + "]: "));
  EXPECT_EQ(ended.err.find("error[", 20), std::string::npos) << "more than one error:\n" << ended.err;
  for (const std::string& part : parts) EXPECT_THAT(ended.err, HasSubstr(part));
}

std::vector<std::string> run(const std::string& file, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"run", file, "--grid", "64", "--block", "64"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<std::string> vecadd(std::vector<std::string> more) {
  std::vector<std::string> arguments = run(code_object("gfx1100/vecadd"), {"--kernel", "vecadd"});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(FileErrors, NoElf) {
  const TemporaryFolder folder;
  const std::string file = folder.write("text.co",
                                        "this is no code object, only text that is longer than an ELF header "
                                        "so that the magic is what tells");
  expect_error(mockgpu(run(file)), kWrongUse, "bad-file", {file});
  expect_error(mockgpu({"dis", file}), kWrongUse, "bad-file", {file});
  expect_error(mockgpu(run(folder.write("empty.co", ""))), kWrongUse, "bad-file", {"empty.co"});
}

TEST(FileErrors, Missing) {
  expect_error(mockgpu(run("/nonexistent.co")), kWrongUse, "bad-file", {"/nonexistent.co", "No such file"});
  expect_error(mockgpu({"run", "/nonexistent.json"}), kWrongUse, "bad-file", {"/nonexistent.json"});
  const std::string folder = MOCKGPU_TEST_DATA;
  expect_error(mockgpu({"run", folder, "--grid", "1", "--block", "1"}), kWrongUse, "bad-file", {folder});
}

TEST(FileErrors, TruncatedAnywhere) {
  std::ifstream whole(code_object("gfx1100/vecadd"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(whole), {}};
  const TemporaryFolder folder;
  for (const std::size_t size : {1, 4, 16, 63, 64, 100, 500, 1000, 3000, 5000}) {
    SCOPED_TRACE(size);
    const std::string file = folder.write("short.co", bytes.substr(0, size));
    expect_error(mockgpu(run(file, {"--kernel", "vecadd"})), kWrongUse, "bad-file", {"short.co"});
    expect_error(mockgpu({"dis", file}), kWrongUse, "bad-file", {"short.co"});
  }
}

TEST(FileErrors, AnotherTarget) {
  expect_error(mockgpu(run(code_object("gfx1030/vecadd"), {"--kernel", "vecadd"})), kWrongUse, "bad-file",
               {"gfx1030", "gfx1100"});
}

TEST(UsageErrors, MissingKernelNameListsThoseThereAre) {
  expect_error(mockgpu(run(code_object("gfx1100/vecadd"), {"--kernel", "nothere"})), kWrongUse, "bad-usage",
               {"nothere", "vecadd", "saxpy4", "strided"});
  expect_error(mockgpu(run(code_object("gfx1100/vecadd"))), kWrongUse, "bad-usage",
               {"--kernel", "vecadd", "saxpy4", "strided"});
  expect_error(mockgpu({"dis", code_object("gfx1100/vecadd"), "--kernel", "nothere"}), kWrongUse, "bad-usage",
               {"nothere", "vecadd", "saxpy4", "strided"});
}

TEST(UsageErrors, WrongArguments) {
  const std::string a = "f32[64]=iota";
  expect_error(mockgpu(vecadd({"--arg", a})), kWrongUse, "bad-usage", {"takes 4 arguments, 1 were given"});
  expect_error(mockgpu(vecadd({"--arg", a, "--arg", a, "--arg", a, "--arg", "u64=64"})), kWrongUse,
               "bad-usage", {"argument 3", "4 bytes", "u64=64"});
  expect_error(mockgpu(vecadd({"--arg", a, "--arg", "u32=5", "--arg", a, "--arg", "u32=64"})), kWrongUse,
               "bad-usage", {"argument 1", "pointer"});
  expect_error(mockgpu(vecadd({"--arg", "float[64]=iota"})), kWrongUse, "bad-usage", {"\"float\"", "f32"});
  expect_error(mockgpu(vecadd({"--arg", "f32[0]=iota"})), kWrongUse, "bad-usage", {"f32[0]"});
  expect_error(mockgpu(vecadd({"--arg", "f32[64]"})), kWrongUse, "bad-usage", {"f32[64]"});
  expect_error(mockgpu(vecadd({"--arg", "f32[64]=wrong", "--arg", a, "--arg", a, "--arg", "u32=64"})),
               kWrongUse, "bad-usage", {"\"wrong\"", "iota"});
  expect_error(mockgpu(vecadd({"--arg", a, "--arg", a, "--arg", a, "--arg", "u32=64", "--show", "3:1"})),
               kWrongUse, "bad-usage", {"argument 3 is no buffer"});
  expect_error(
      mockgpu(vecadd({"--arg", a, "--arg", a, "--arg", a, "--arg", "u32=64", "--expect", "2:60..70=zeros"})),
      kWrongUse, "bad-usage", {"64 elements"});
}

TEST(UsageErrors, WrongTolerances) {
  // A file of cases has its own.
  expect_error(mockgpu({"run", MOCKGPU_TEST_DATA "/cases/vecadd.json", "--tolerance", "0.5"}), kWrongUse,
               "bad-usage", {"vecadd.json describes its launches itself"});
  for (const char* tolerance : {"-1", "nan", "-1e-9"}) {
    expect_error(mockgpu(vecadd({"--tolerance", tolerance})), kWrongUse, "bad-usage", {"tolerance"});
  }
}

TEST(UsageErrors, WrongShapes) {
  const std::string file = code_object("gfx1100/vecadd_asm");
  expect_error(mockgpu({"run", file, "--grid", "64"}), kWrongUse, "bad-usage", {"--block"});
  expect_error(mockgpu({"run", file, "--block", "64"}), kWrongUse, "bad-usage", {"--grid"});
  expect_error(mockgpu({"run", file, "--grid", "0", "--block", "64"}), kWrongUse, "bad-usage",
               {"--grid \"0\""});
  expect_error(mockgpu({"run", file, "--grid", "1,2,3,4", "--block", "64"}), kWrongUse, "bad-usage",
               {"1,2,3,4"});
  expect_error(mockgpu({"run", file, "--groups", "4000000000", "--block", "64"}), kWrongUse, "bad-usage",
               {"too many"});
  // reqd_work_group_size(256, 1, 1)
  expect_error(mockgpu({"run", code_object("gfx1100/reduce"), "--kernel", "reduce_lds", "--grid", "128",
                        "--block", "128", "--arg", "f32[128]=ones", "--arg", "f32[1]=0", "--arg", "u32=128"}),
               kWrongUse, "bad-usage", {"256"});
}

TEST(UsageErrors, CommandLine) {
  expect_error(mockgpu({}), kWrongUse, "bad-usage", {});
  expect_error(mockgpu({"fly"}), kWrongUse, "bad-usage", {"fly"});
  expect_error(mockgpu({"run"}), kWrongUse, "bad-usage", {"file"});
  expect_error(mockgpu({"run", "x.co", "--nothere"}), kWrongUse, "bad-usage", {"--nothere"});
  expect_error(mockgpu({"dis"}), kWrongUse, "bad-usage", {"code object"});
  expect_error(mockgpu({"dis", "--hex"}), kWrongUse, "bad-usage", {"--target"});
  expect_error(mockgpu({"dis", "--hex", "--target", "gfx7"}), kWrongUse, "bad-usage", {"gfx7", "gfx1100"});
  expect_error(mockgpu({"info", "--machine", "gfx1100;mode=sideways"}), kWrongUse, "bad-usage", {"sideways"});
}

TEST(UsageErrors, CaseFilesSayWhere) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& text) { return mockgpu({"run", folder.write("c.json", text)}); };
  expect_error(with("{"), kWrongUse, "bad-file", {"c.json"});
  expect_error(with("[]"), kWrongUse, "bad-file", {"c.json", "object"});
  expect_error(with(R"({"cases": []})"), kWrongUse, "bad-file", {"empty"});
  expect_error(with(R"({"cases": [{"block": 1, "grid": 1}]})"), kWrongUse, "bad-file",
               {"cases[0]", "code_object"});
  expect_error(with(R"({"cases": [{"code_object": "x", "block": 1, "grid": [1, "a"]}]})"), kWrongUse,
               "bad-file", {"cases[0].grid[1]"});
  expect_error(with(R"({"cases": [{"code_object": "x", "block": 1, "grid": 1, "grdi": 2}]})"), kWrongUse,
               "bad-file", {"grdi", "grid"});
  expect_error(with(R"({"cases": [{"code_object": "x", "block": 1, "grid": 1, "arguments": ["u32"]}]})"),
               kWrongUse, "bad-file", {"cases[0].arguments[0]"});
  const std::string start = R"({"code_object": "x", "cases": [{"block": 1, "grid": 1)";
  expect_error(with(start + R"(, "tolerance": -1}]})"), kWrongUse, "bad-file", {"cases[0].tolerance", "-1"});
  expect_error(with(start + R"(, "expect": [{"argument": 0, "values": 1, "tolerance": -1e-6}]}]})"),
               kWrongUse, "bad-file", {"cases[0].expect[0].tolerance", "-1e-06"});
  expect_error(with(start + R"(, "expect_error": "nonsense"}]})"), kWrongUse, "bad-file",
               {"cases[0].expect_error", "\"nonsense\"", "bad-usage", "memory-fault", "hang", "failed"});
}

TEST(UsageErrors, CaseFilesGiveAKeyOnce) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& text) { return mockgpu({"run", folder.write("c.json", text)}); };
  expect_error(with(R"({"code_object": "x", "cases": [{}, {"grid": 64, "block": 1, "grid": 32}]})"),
               kWrongUse, "bad-file", {"c.json: cases[1]: ", "\"grid\""});
  expect_error(with(R"({"code_object": "x", "cases": [], "cases": [{}]})"), kWrongUse, "bad-file",
               {"c.json: the file: ", "\"cases\""});
  expect_error(
      with(R"({"cases": [{"arguments": ["u32=1", [], {"type": "u32", "values": [1, 2], "type": "f32"}]}]})"),
      kWrongUse, "bad-file", {"cases[0].arguments[2]: ", "\"type\""});
}

TEST(Findings, UndecodableInstruction) {
  expect_error(mockgpu(run(code_object("gfx1100/undecodable"), {"--arg", "u32[64]=zeros"})), kFinding,
               "undecodable", {"undecodable+0x8", "00ff80be", "gfx1100"});
}

TEST(Findings, InstructionWithoutSemantics) {
  expect_error(mockgpu(run(code_object("gfx1100/unsupported"), {"--arg", "u32[64]=zeros"})), kFinding,
               "unsupported", {"unsupported+0x4", "exp mrt0"});
}

TEST(Findings, LoadFromUnmappedMemory) {
  expect_error(mockgpu(run(code_object("gfx1100/unmapped"), {"--arg", "u64=0xdead0000"})), kFinding,
               "memory-fault", {"global_load_b32", "0xdead0000", "unmapped+0x18", "lane", "5"});
}

TEST(Findings, NullPointerInACompiledKernel) {
  expect_error(mockgpu(vecadd(
                   {"--arg", "f32[64]=ones", "--arg", "u64=0", "--arg", "f32[64]=ones", "--arg", "u32=64"})),
               kFinding, "memory-fault", {"vecadd+0x", "global_load_b32"});
}

TEST(Findings, ScratchThatTheDescriptorDoesNotEnable) {
  const TemporaryFolder folder;
  const std::string file = folder.write("k.s", R"(.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
.globl k
.p2align 8
.type k,@function
k:
  scratch_store_b32 off, v0, off offset:16
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 4
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 8
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
...
.end_amdgpu_metadata
)");
  expect_error(mockgpu(run(file)), kFinding, "memory-fault",
               {"scratch_store_b32", "k.s:7", "does not enable the private segment"});
}

TEST(Findings, EndlessKernel) {
  for (const char* mode : {"inline", "async"}) {
    expect_error(
        mockgpu(run(code_object("gfx1100/endless"), {"--arg", "u32[64]=zeros", "--machine",
                                                     std::string("gfx1100;hang=1000000;mode=") + mode})),
        kFinding, "hang", {"endless+0x"});
  }
}

TEST(Findings, NoGpu) {
  if (std::filesystem::exists("/dev/kfd")) GTEST_SKIP() << "this host has /dev/kfd";
  expect_error(mockgpu({"info"}, "", "off"), kWrongUse, "no-device", {});
  expect_error(mockgpu(vecadd({}), "", "off"), kWrongUse, "no-device", {});
}

}  // namespace mockgpu::test::errors_tests
