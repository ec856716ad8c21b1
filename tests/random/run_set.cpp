#include "tests/random/run_set.h"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "isa/base/error.h"
#include "runtime/platform.h"

namespace mockgpu::test {
namespace {

// Of generate.py.
constexpr unsigned kItems = 48, kGroups = 2;
constexpr std::size_t kWords = kItems * kGroups;

std::vector<char> file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string run_program(const runtime::Program& program, const std::string& kernel_name,
                        const std::uint64_t* expected, runtime::Device& device) {
  const runtime::Kernel& kernel = program.kernel(kernel_name);
  runtime::Arguments arguments(kernel);
  const runtime::Buffer out = device.allocate(kWords * 8);
  arguments.add(out);
  runtime::LaunchShape shape;
  shape.grid = {kWords, 1, 1};
  shape.group = {kItems, 1, 1};
  device.launch(kernel, shape, arguments.bytes());
  std::vector<std::uint64_t> got(kWords);
  device.download(got, out);
  device.free(out);
  for (std::size_t i = 0; i < kWords; ++i) {
    if (got[i] != expected[i])
      return fmt::format("work-item {}: {:#x}, expected {:#x}", i, got[i], expected[i]);
  }
  return {};
}

}  // namespace

const std::vector<std::string>& set_names() {
  static const std::vector<std::string> names{"O0",        "O1",        "O2",        "O3",
                                              "O0_wave64", "O1_wave64", "O2_wave64", "O3_wave64"};
  return names;
}

std::vector<std::string> run_set(const std::string& folder, const std::string& name, runtime::Device& device,
                                 unsigned& count) {
  const std::string path = folder + '/' + name;
  const std::vector<char> code = file_bytes(path + ".co"), results = file_bytes(path + ".expected");
  std::vector<std::uint64_t> expected(results.size() / 8);
  if (!expected.empty()) std::memcpy(expected.data(), results.data(), expected.size() * 8);
  count = static_cast<unsigned>(expected.size() / kWords);
  std::vector<std::string> wrong;
  const auto program = device.load_program(std::as_bytes(std::span(code)), path + ".co");
  for (unsigned n = 0; n < count; ++n) {
    const std::string kernel = fmt::format("p{}", n);
    const std::string why = run_program(*program, kernel, &expected[n * kWords], device);
    if (!why.empty()) wrong.push_back(fmt::format("{} {}: {}", name, kernel, why));
  }
  return wrong;
}

}  // namespace mockgpu::test
