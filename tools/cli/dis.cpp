#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "isa/amd/disassemble.h"
#include "tools/cli/code_listing.h"
#include "tools/cli/command.h"
#include "tools/cli/target_option.h"
#include "tools/cli/values.h"

namespace mockgpu::tools {
namespace {

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

}  // namespace

int dis_command(const DisOptions& options) {
  if (options.hex) {
    if (options.target.empty()) throw Error(Tag::bad_usage, "--hex needs a target, e.g. --target gfx1100");
    if (!options.file.empty() || !options.kernel.empty()) {
      throw Error(Tag::bad_usage, "--hex reads the standard input, no code object");
    }
    const isa::amd::Target& target = target_called(options.target);
    return disassemble_lines(target, is_wave64(target, options.wave64));
  }
  if (options.file.empty()) throw Error(Tag::bad_usage, "give a code object, or --hex");
  if (options.wave64)
    throw Error(Tag::bad_usage, "--wave64 is for --hex: code objects say how wide waves are");
  const isa::amd::Target* target = options.target.empty() ? nullptr : &target_called(options.target);
  bool complete = false;
  try {
    complete = print_listing(read_file(options.file), options.file, target, options.kernel);
  } catch (Error& error) {
    throw error.add("in", options.file);
  }
  return complete ? kSuccess : kFinding;
}

}  // namespace mockgpu::tools
