#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "isa/base/error.h"

namespace mockgpu::runtime {

/// The tag of the error that `action` must throw.
inline Tag tag_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.tag();
  }
  ADD_FAILURE() << "no error";
  return Tag::failed;
}

/// The values of the registers that a dispatch wrote from `first` (an offset for SET_SH_REG) on.
inline std::vector<std::uint32_t> registers(const std::vector<std::uint32_t>& dispatch, std::uint32_t first,
                                            std::size_t count) {
  for (std::size_t i = 0; i + count < dispatch.size(); ++i) {
    if (dispatch[i] == first) return {dispatch.begin() + i + 1, dispatch.begin() + i + 1 + count};
  }
  return {};
}

}  // namespace mockgpu::runtime
