#include <fmt/format.h>

#include <iostream>

#include "isa/amd/asm/diagnostic.h"
#include "isa/amd/asm/parsed.h"
#include "isa/amd/asm/scanner.h"
#include "isa/amd/asm/source.h"
#include "tools/cli/assembly.h"
#include "tools/cli/command.h"
#include "tools/cli/target_option.h"
#include "tools/cli/values.h"

namespace mockgpu::tools {
namespace {

/// One output line for each input line.
int assemble_lines(const isa::amd::Target& target, bool wave64) {
  const isa::amd::NoSymbols symbols;
  int code = kSuccess;
  std::string line;
  for (std::size_t number = 1; std::getline(std::cin, line); ++number) {
    try {
      const isa::amd::SourceLinePtr source = isa::amd::SourceReader("", line, nullptr).next();
      const std::string_view text = source ? std::string_view(source->text) : std::string_view();
      std::string hex;
      const isa::amd::ParsedInstruction parsed = isa::amd::parse_instruction(target, wave64, text, symbols);
      if (!parsed.warning.empty()) fmt::print(stderr, "mockgpu: {}: warning: {}\n", number, parsed.warning);
      for (const std::byte byte : parsed.bytes) hex += fmt::format("{:02x}", static_cast<unsigned>(byte));
      fmt::print("{}\n", hex);
    } catch (const isa::amd::Mismatch& mismatch) {
      fmt::print("<error>\n");
      print_error(to_error(isa::amd::diagnose(mismatch, "", number, line)));
      code = kWrongUse;
    }
  }
  return code;
}

/// `TILE=64`
std::pair<std::string, std::int64_t> parse_symbol(const std::string& text) {
  try {
    isa::amd::Scanner scanner(text);
    const std::string name(scanner.word());
    scanner.expect("=");
    const bool minus = scanner.accept("-");
    const isa::amd::Number number = scanner.number();
    if (!name.empty() && !number.is_float && scanner.at_end()) {
      return {name, static_cast<std::int64_t>(minus ? 0 - number.integer : number.integer)};
    }
  } catch (const isa::amd::Mismatch&) {
  }
  throw Error(Tag::bad_usage, fmt::format("\"{}\" is no NAME=NUMBER, e.g. --defsym TILE=64", text));
}

}  // namespace

int asm_command(const AsmOptions& options) {
  const isa::amd::Target* target = options.target.empty() ? nullptr : &target_called(options.target);
  if (options.hex) {
    if (!target) throw Error(Tag::bad_usage, "--hex needs a target, e.g. --target gfx1100");
    if (!options.file.empty() || !options.output.empty())
      throw Error(Tag::bad_usage, "--hex reads the standard input and writes the standard output");
    if (!options.symbols.empty() || !options.folders.empty())
      throw Error(Tag::bad_usage, "--defsym and -I are for source files, not for --hex");
    const bool wave64 = is_wave64(*target, options.wave64);
    return options.listing ? assemble_listing(*target, wave64, std::cin) : assemble_lines(*target, wave64);
  }
  if (options.listing) throw Error(Tag::bad_usage, "--listing is for --hex");
  if (options.file.empty()) throw Error(Tag::bad_usage, "give a source file, or --hex");
  if (options.output.empty())
    throw Error(Tag::bad_usage, "say where the code object goes, e.g. -o kernel.co");
  isa::amd::AsmSource source;
  source.file = options.file;
  source.target = target;
  source.wave64 = options.wave64;
  for (const std::string& symbol : options.symbols) source.symbols.push_back(parse_symbol(symbol));
  write_file(options.output, assemble_file(std::move(source), options.folders).object);
  return kSuccess;
}

}  // namespace mockgpu::tools
