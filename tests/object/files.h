#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "isa/base/error.h"

namespace mockgpu::isa::object {

/// A prebuilt object of this folder; build.sh makes them from the sources beside it.
inline std::string data_path(const std::string& name) {
  return std::string(MOCKGPU_TEST_DATA) + "/object/data/" + name;
}

inline std::vector<std::byte> read_data(const std::string& name) {
  std::ifstream stream(data_path(name), std::ios::binary);
  const std::vector<char> chars{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  EXPECT_FALSE(chars.empty()) << name;
  std::vector<std::byte> bytes;
  for (const char c : chars) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

/// The error that `action` throws; fails the test when it throws none.
template <typename Action>
Error error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(Tag::failed, "");
}

}  // namespace mockgpu::isa::object
