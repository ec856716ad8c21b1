#include "tools/cli/assembly.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "isa/amd/asm/assemble.h"
#include "isa/object/code_object.h"
#include "tools/cli/command.h"
#include "tools/cli/values.h"

namespace mockgpu::tools {
namespace {

std::string read_text(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

bool is_assembler(const std::string& path) {
  const std::string end = std::filesystem::path(path).extension().string();
  return end == ".s" || end == ".S" || end == ".asm";
}

isa::amd::Assembly assemble_file(isa::amd::AsmSource source, const std::vector<std::string>& folders) {
  const std::filesystem::path path = source.file;
  const std::string text = read_text(source.file);
  source.file = path.filename().string();
  source.text = text;
  source.include = [&](const std::string& name) {
    std::filesystem::path included = path.parent_path() / name;
    for (const std::string& folder : folders)
      if (!std::filesystem::exists(included)) included = std::filesystem::path(folder) / name;
    if (std::filesystem::exists(included) && !std::filesystem::is_regular_file(included))
      throw Error(Tag::bad_file, fmt::format("{} is no file", included.string()));
    return read_text(included.string());
  };
  isa::amd::Assembly assembly = isa::amd::assemble(source);
  for (const std::string& note : assembly.notes) std::fprintf(stderr, "mockgpu: %s\n", note.c_str());
  for (std::size_t i = 0; i + 1 < assembly.diagnostics.size(); ++i)
    print_error(to_error(assembly.diagnostics[i]));
  if (!assembly.diagnostics.empty()) throw to_error(assembly.diagnostics.back());
  return assembly;
}

CodeFile read_code(const std::string& path) {
  CodeFile file;
  if (!is_assembler(path)) {
    file.bytes = read_file(path);
    return file;
  }
  isa::amd::AsmSource source;
  source.file = path;
  isa::amd::Assembly assembly = assemble_file(std::move(source));
  const isa::object::CodeObject object = isa::object::CodeObject::parse(assembly.object, nullptr, path);
  for (const isa::amd::LineMark& mark : assembly.lines) {
    const auto place = object.locate(mark.address);
    if (!place) continue;
    file.lines.emplace(fmt::format("{}+{:#x}", place->function, place->offset),
                       fmt::format("{}:{}", mark.file, mark.line));
  }
  file.bytes = std::move(assembly.object);
  return file;
}

}  // namespace mockgpu::tools
