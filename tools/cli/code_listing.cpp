#include "tools/cli/code_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "isa/amd/disassemble.h"
#include "isa/base/error.h"
#include "isa/object/code_object.h"

namespace mockgpu::tools {
namespace {

using isa::object::CodeObject;
using isa::object::Function;

/// Whether lane masks are 64 bits wide in this function: as in its kernel, or in the object's first one.
bool is_wave64(const CodeObject& object, std::string_view function) {
  const isa::object::Kernel* kernel = object.find_kernel(function);
  if (!kernel && !object.kernels().empty()) kernel = &object.kernels()[0];
  return kernel ? !kernel->wave32() : !object.target().wave32;
}

/// The instruction's words, as they stand in its comment.
std::string words(std::span<const std::byte> bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(4, bytes.size() - i));
    text += fmt::format(" {:08X}", word);
  }
  return text;
}

/// Where a branch with an immediate goes: " <vecadd+0x68>", or nothing.
std::string branch_target(const CodeObject& object, const isa::amd::Instruction& instruction,
                          std::uint64_t address) {
  if (!instruction.form || !isa::amd::form_flags(*instruction.form).branch) return {};
  for (const isa::amd::Operand& operand : instruction.ops()) {
    if (operand.kind != isa::amd::OperandKind::immediate) continue;
    const auto distance = static_cast<std::int16_t>(operand.value);
    const auto place = object.locate(address + instruction.size + static_cast<std::uint64_t>(distance * 4));
    if (place) return fmt::format(" <{}+{:#x}>", place->function, place->offset);
  }
  return {};
}

/// One line for each instruction of `bytes`; false when some were none.
bool print_code(const CodeObject& object, std::span<const std::byte> bytes, std::uint64_t address,
                bool wave64) {
  bool complete = true;
  while (!bytes.empty()) {
    isa::amd::Instruction instruction;
    std::string text = "<undecodable>", target;
    if (isa::amd::decode(object.target(), bytes, wave64, instruction)) {
      text = isa::amd::disassemble(object.target(), instruction, wave64);
      target = branch_target(object, instruction, address);
    } else {
      complete = false;
    }
    const std::size_t size = std::min<std::size_t>(std::max<std::size_t>(instruction.size, 1), bytes.size());
    fmt::print("\t{:<58} // {:012X}:{}{}\n", text, address, words(bytes.first(size)), target);
    bytes = bytes.subspan(size);
    address += size;
  }
  return complete;
}

CodeObject parse(std::span<const std::byte> file, const std::string& name, const isa::amd::Target* target) {
  try {
    return CodeObject::parse(file, target, name);
  } catch (const Error& error) {
    // To this command, a file for something else is a wrong file, not a finding.
    if (error.tag() != Tag::unsupported) throw;
    throw Error(Tag::bad_file, error.message(), error.facts());
  }
}

}  // namespace

bool print_listing(std::span<const std::byte> file, const std::string& name, const isa::amd::Target* target,
                   const std::string& symbol) {
  const CodeObject object = parse(file, name, target);
  const std::span<const Function> functions = object.functions();
  bool found = symbol.empty(), complete = true;
  std::string names;
  fmt::print("{}: {}, code object v{}\n", name, object.target().name, object.version());
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const Function& function = functions[i];
    names += fmt::format("{}{}", i ? " " : "", function.name);
    if (!symbol.empty() && function.name != symbol) continue;
    found = true;
    // Without a name, the padding up to the next function is shown too.
    std::uint64_t size = function.size;
    if (symbol.empty())
      size = i + 1 < functions.size() ? functions[i + 1].address - function.address : ~std::uint64_t{0};
    fmt::print("\n{:016x} <{}>:\n", function.address, function.name);
    complete = print_code(object, object.bytes_at(function.address, size), function.address,
                          is_wave64(object, function.name)) &&
               complete;
  }
  if (!found)
    throw Error(Tag::bad_usage, fmt::format("no kernel or function is called \"{}\"", symbol),
                {{"has", names}});
  return complete;
}

}  // namespace mockgpu::tools
