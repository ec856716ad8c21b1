// Every kernel of tests/kernels through `mockgpu run`, with inputs and outputs in files.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/cli/process.h"
#include "tests/e2e/kernel_case.h"

namespace mockgpu::test {
namespace {

std::string extents(const runtime::Dim3& d) {
  return std::to_string(d.x) + ',' + std::to_string(d.y) + ',' + std::to_string(d.z);
}

class RunKernels : public testing::TestWithParam<KernelCase> {};

TEST_P(RunKernels, GiveTheReferenceResult) {
  const KernelCase& kernel_case = GetParam();
  const TemporaryFolder folder;
  std::vector<std::string> arguments{
      "run",    kernel_path(kernel_case),  "--kernel", kernel_case.kernel,
      "--grid", extents(kernel_case.grid), "--block",  extents(kernel_case.block)};
  for (std::size_t i = 0; i < kernel_case.arguments.size(); ++i) {
    const CaseArgument& argument = kernel_case.arguments[i];
    const std::string number = std::to_string(i);
    const std::string in = folder.write(
        "in" + number, {reinterpret_cast<const char*>(argument.bytes.data()), argument.bytes.size()});
    const std::string count = argument.buffer ? '[' + std::to_string(argument.count) + ']' : "";
    arguments.insert(arguments.end(), {"--arg", argument.type + count + "=@" + in});
    if (argument.buffer)
      arguments.insert(arguments.end(), {"--out", number + '=' + folder.file("out" + number)});
  }
  const Ended ended = mockgpu(arguments);
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  Outputs outputs(kernel_case.arguments.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!kernel_case.arguments[i].buffer) continue;
    std::ifstream file(folder.file("out" + std::to_string(i)), std::ios::binary);
    const std::vector<char> chars{std::istreambuf_iterator<char>(file), {}};
    ASSERT_EQ(chars.size(), kernel_case.arguments[i].bytes.size());
    outputs[i].resize(chars.size());
    std::memcpy(outputs[i].data(), chars.data(), chars.size());
  }
  EXPECT_EQ(kernel_case.check(outputs), "");
}

INSTANTIATE_TEST_SUITE_P(All, RunKernels, testing::ValuesIn(kernel_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace

void PrintTo(const KernelCase& kernel_case, std::ostream* out) { *out << kernel_case.name; }

}  // namespace mockgpu::test
