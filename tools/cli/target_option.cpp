#include "tools/cli/target_option.h"

#include <fmt/format.h>

#include "isa/base/error.h"

namespace mockgpu::tools {

const isa::amd::Target& target_called(const std::string& name) {
  if (const isa::amd::Target* target = isa::amd::find_target(name)) return *target;
  std::string names;
  for (const isa::amd::Target& target : isa::amd::targets()) names += fmt::format(" {}", target.name);
  throw Error(Tag::bad_usage, fmt::format("\"{}\" is no target; there are{}", name, names));
}

bool is_wave64(const isa::amd::Target& target, bool asked) {
  if (asked && !target.wave64)
    throw Error(Tag::bad_usage, fmt::format("{} has no waves of 64 lanes", target.name));
  return asked || !target.wave32;
}

}  // namespace mockgpu::tools
