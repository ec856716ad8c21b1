#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

/// Things that read bytes of strangers. Each entry takes any input without a crash, a leak or a hang; what is
/// wrong with the input is an Error that stays inside. tests/fuzz/README.md says how to run them.
namespace mockgpu::fuzz {

using Input = std::span<const std::byte>;

struct Target {
  std::string_view name;
  void (*run)(Input);
  /// Valid inputs to mutate.
  std::vector<std::vector<std::byte>> (*seeds)();
  /// Executions of the test with a fixed budget.
  unsigned budget;
};

/// decode, object, metadata, json, pm4, sdma, ioctl.
const std::vector<Target>& targets();

void decode(Input input);
void object(Input input);
void metadata(Input input);
void json(Input input);
void pm4(Input input);
void sdma(Input input);
void ioctl(Input input);

}  // namespace mockgpu::fuzz
