#pragma once
#include <cstddef>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "isa/amd/asm/assemble.h"

namespace mockgpu::tools {

/// A code object, and where its instructions stand in assembler source, if it was made from some.
struct CodeFile {
  std::vector<std::byte> bytes;
  std::map<std::string, std::string, std::less<>> lines;  ///< `vadd+0x8` -> `vecadd.s:14`
};

/// Whether a file is assembler source, by its name: .s or .asm.
bool is_assembler(const std::string& path);

/// Assembles the file that `source` names; `.include` looks in its folder, then in `folders`. Prints what is
/// wrong with it, one message after the other, and throws the last of them.
isa::amd::Assembly assemble_file(isa::amd::AsmSource source, const std::vector<std::string>& folders = {});

/// The code object in a file, assembled if that is source.
CodeFile read_code(const std::string& path);

/// Assembles what `llvm-objdump -d` or `mockgpu dis` printed: one line of hex bytes for each instruction, as
/// the listing's comments have them if they are an encoding of the text, else `<error>`. Returns the exit
/// code.
int assemble_listing(const isa::amd::Target& target, bool wave64, std::istream& input);

}  // namespace mockgpu::tools
