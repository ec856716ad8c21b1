#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "isa/amd/asm/scanner.h"
#include "isa/base/error.h"

namespace mockgpu::isa::amd {

/// Something wrong in assembler source, with all that a person needs to find it.
struct Diagnostic {
  std::string file;        ///< as the source was called; empty: none
  std::size_t line = 0;    ///< from 1
  std::size_t column = 0;  ///< from 1
  std::string message;
  std::string legal;                       ///< what could stand there; may be empty
  std::string source;                      ///< the line, as it was read (a macro's with its arguments put in)
  std::vector<std::string> expanded_from;  ///< macro uses around it, innermost first: `a.s:12: in macro LOAD`
};

/// The diagnostic of a mismatch in one line.
Diagnostic diagnose(const Mismatch& mismatch, std::string file, std::size_t line, std::string_view source);

/// Error(bad_file): `vecadd.s:14:9: message`, with the line, a caret and what would be legal as facts.
Error to_error(const Diagnostic& diagnostic);

}  // namespace mockgpu::isa::amd
