#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "emu/machine.h"
#include "runtime/platform.h"

namespace mockgpu::runtime {

/// A prebuilt code object of tests/kernels/gfx1100.
inline std::vector<std::byte> read_kernel_file(const std::string& name) {
  std::ifstream file(std::string(MOCKGPU_TEST_DATA) + "/kernels/gfx1100/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

/// `count` floats from `first` on.
inline std::vector<float> counting(std::size_t count, float first) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// The runtime against the mock machine, in each of its modes.
struct OnMachine : testing::TestWithParam<const char*> {
  emu::OpenedMachine machine = emu::open_machine(std::string(GetParam()) + ";log=off");
  std::unique_ptr<Device> device = open_device(*machine.io);

  Buffer upload(const std::vector<float>& values) {
    const Buffer buffer = device->allocate(values.size() * sizeof(float));
    device->upload(buffer, values);
    return buffer;
  }
};

inline constexpr const char* kModes[] = {";mode=inline", ";mode=async", ";mode=seeded;seed=7"};

inline std::string mode_name(const testing::TestParamInfo<const char*>& info) {
  const std::string spec = info.param;
  return spec.substr(6, spec.find(';', 1) - 6);
}

}  // namespace mockgpu::runtime
