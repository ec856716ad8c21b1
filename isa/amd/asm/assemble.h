#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/amd/asm/diagnostic.h"
#include "isa/amd/asm/object_builder.h"
#include "isa/amd/asm/source.h"
#include "isa/amd/target.h"

namespace mockgpu::isa::amd {

/// Source to assemble.
struct AsmSource {
  std::string file;  ///< as messages call it
  std::string_view text;
  const Target* target = nullptr;  ///< null: what .amdgcn_target says
  IncludeReader include = {};      ///< null: no files
  /// Symbols that are set before the first line.
  std::vector<std::pair<std::string, std::int64_t>> symbols = {};
  bool wave64 = false;  ///< waves of 64 lanes where the target has both; the source's kernels must agree
};

/// What came of it: a code object, or what is wrong.
struct Assembly {
  std::vector<std::byte> object;  ///< a linked code object (ELF); empty if there are diagnostics
  std::vector<LineMark> lines;    ///< of every instruction, by rising address
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> notes;  ///< .print, .warning, what is lost; in order: `a.s:3: warning: text`
};

/// Assembles and links a source file in LLVM's syntax. The wave size is what the file's
/// .amdhsa_wavefront_size32 says, or `wave64`, or the target's usual one. Never throws for what is wrong with
/// the source.
Assembly assemble(const AsmSource& source);

}  // namespace mockgpu::isa::amd
