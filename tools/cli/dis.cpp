#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <optional>

#include "isa/amd/disassemble.h"
#include "tools/cli/code_listing.h"
#include "tools/cli/command.h"
#include "tools/cli/values.h"

namespace mockgpu::tools {
namespace {

struct DisOptions {
  std::string file, target, kernel;
  bool hex = false, wave64 = false;
};

const isa::amd::Target& target_called(const std::string& name) {
  if (const isa::amd::Target* target = isa::amd::find_target(name)) return *target;
  std::string names;
  for (const isa::amd::Target& target : isa::amd::targets()) names += fmt::format(" {}", target.name);
  throw Error(Tag::bad_usage, fmt::format("\"{}\" is no target; there are{}", name, names));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Reads "0202067e", "02 02 06 7e", "0x02,0x02,..." and "[0x02, ...]". Nothing if it is none of these.
std::optional<std::vector<std::byte>> parse_hex(std::string_view line) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '0' && i + 1 < line.size() && (line[i + 1] == 'x' || line[i + 1] == 'X')) {
      i += 2;
    } else if (hex_digit(line[i]) >= 0) {
      if (i + 1 == line.size() || hex_digit(line[i + 1]) < 0) return std::nullopt;
      bytes.push_back(static_cast<std::byte>(hex_digit(line[i]) * 16 + hex_digit(line[i + 1])));
      i += 2;
    } else if (std::string_view(" \t\r,[]").find(line[i]) != std::string_view::npos) {
      ++i;
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

/// One output line for each input line; a line must be exactly one instruction.
int disassemble_lines(const isa::amd::Target& target, bool wave64) {
  int code = kSuccess;
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto bytes = parse_hex(line);
    isa::amd::Instruction instruction;
    if (bytes && isa::amd::decode(target, *bytes, wave64, instruction) && instruction.size == bytes->size()) {
      fmt::print("{}\n", isa::amd::disassemble(target, instruction, wave64));
    } else {
      fmt::print("<undecodable>\n");
      code = kFinding;
    }
  }
  return code;
}

int disassemble(const DisOptions& options) {
  if (options.hex) {
    if (options.target.empty()) throw Error(Tag::bad_usage, "--hex needs a target, e.g. --target gfx1100");
    if (!options.file.empty() || !options.kernel.empty()) {
      throw Error(Tag::bad_usage, "--hex reads the standard input, no code object");
    }
    return disassemble_lines(target_called(options.target), options.wave64);
  }
  if (options.file.empty()) throw Error(Tag::bad_usage, "give a code object, or --hex");
  const isa::amd::Target* target = options.target.empty() ? nullptr : &target_called(options.target);
  bool complete = false;
  try {
    complete = print_listing(read_file(options.file), options.file, target, options.kernel);
  } catch (Error& error) {
    throw error.add("in", options.file);
  }
  return complete ? kSuccess : kFinding;
}

}  // namespace

void add_dis(CLI::App& app, int& code) {
  const auto options = std::make_shared<DisOptions>();
  CLI::App* dis = app.add_subcommand("dis", "Disassemble a code object, or single instructions");
  dis->add_option("file", options->file, "Code object (.co, .hsaco), e.g. tests/kernels/gfx1100/vecadd.co");
  dis->add_option("--kernel", options->kernel, "Only this kernel or function, e.g. --kernel vecadd");
  dis->add_option("--target", options->target,
                  "Target of --hex, or which code object of a bundle, e.g. --target gfx1100");
  dis->add_flag(
      "--hex", options->hex,
      "Read one encoding as hex bytes from each line of the standard input and print one line for each, "
      "<undecodable> and exit code 1 for bad ones, e.g. echo 0202067e | mockgpu dis --target gfx1100 --hex");
  dis->add_flag(
      "--wave64", options->wave64,
      "With --hex: lane masks are 64 bits wide, e.g. mockgpu dis --target gfx1100 --hex --wave64 <lines");
  dis->callback([options, &code] { code = disassemble(*options); });
}

}  // namespace mockgpu::tools
