// Readers of files and of machine code.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <string>

#include "emu/machine_config.h"
#include "isa/amd/disassemble.h"
#include "isa/base/error.h"
#include "isa/object/code_object.h"
#include "isa/object/image.h"
#include "isa/object/metadata.h"
#include "tests/fuzz/targets.h"
#include "tools/cli/launch_case.h"

namespace mockgpu::fuzz {

/// The first byte chooses target and wave size, the rest is code.
void decode(Input input) {
  if (input.empty()) return;
  const auto targets = isa::amd::targets();
  const auto choice = static_cast<unsigned>(input[0]);
  const isa::amd::Target& target = targets[choice / 2 % targets.size()];
  input = input.subspan(1);
  while (input.size() >= 4) {
    isa::amd::Instruction instruction;
    if (!isa::amd::decode(target, input, choice % 2 != 0, instruction)) {
      input = input.subspan(4);
      continue;
    }
    if (instruction.size == 0 || instruction.size > input.size()) {
      throw std::logic_error("a decoded instruction is longer than its bytes");
    }
    if (isa::amd::disassemble(target, instruction, choice % 2 != 0).empty()) {
      throw std::logic_error("an instruction without text");
    }
    input = input.subspan(instruction.size);
  }
}

void object(Input input) {
  constexpr std::uint64_t kLoadAddress = 0x7f0000000000;
  try {
    const auto object = isa::object::CodeObject::parse(input);
    for (const auto& kernel : object.kernels()) static_cast<void>(object.find_kernel(kernel.name));
    isa::object::load_image(object, kLoadAddress);
  } catch (const Error&) {
  }
}

void metadata(Input input) {
  try {
    isa::object::parse_metadata(input, "fuzz");
  } catch (const Error&) {
  }
}

/// Case files and machine files.
void json(Input input) {
  const std::string text(reinterpret_cast<const char*>(input.data()), input.size());
  try {
    emu::parse_machine_json(text, "fuzz");
  } catch (const Error&) {
  }
  static const std::string path = fmt::format("/dev/shm/mockgpu_fuzz_{}.json", getpid());
  if (std::FILE* file = std::fopen(path.c_str(), "wb")) {
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
    try {
      tools::read_cases(path);
    } catch (const Error&) {
    }
    std::remove(path.c_str());
  }
}

}  // namespace mockgpu::fuzz
