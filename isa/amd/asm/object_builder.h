#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/amd/asm/expression.h"
#include "isa/amd/asm/source.h"

namespace mockgpu::isa::amd {

/// A section of the object that is being made.
struct AsmSection {
  std::string name;
  bool alloc = true, writable = false, executable = false, no_bits = false, note = false;
  std::uint64_t align = 1;
  std::vector<std::byte> data;
  std::uint64_t address = 0, offset = 0;  ///< given by the linker
};

/// A symbol: a label, or a value that `.set` gave.
struct AsmSymbol {
  std::string name;
  bool defined = false;
  bool variable = false;  ///< may be set again
  Value value;
  std::optional<Expression> expression;  ///< of a .set that looks ahead
  std::optional<Expression> size;
  std::uint8_t binding = 0, type = 0, visibility = 0;  ///< ELF's numbers
  SourceLinePtr line;                                  ///< of its definition or first mention
  SourceLinePtr size_line;                             ///< of its .size
};

/// Bytes to fill in when every symbol is known.
struct Fixup {
  /// A literal is 32 bits of code; an entry is the distance from a kernel's descriptor to its code.
  enum class Kind : std::uint8_t { data, branch, literal, entry };
  Kind kind = Kind::data;
  int section = 0;
  std::uint64_t offset = 0;
  unsigned size = 4;
  std::size_t branch = 0;  ///< its number, where the target needs some branches padded
  Expression expression;
  SourceLinePtr line;
};

/// A place in the code and the line that it came from.
struct LineMark {
  std::uint64_t address;  ///< as linked
  std::string file;
  std::size_t line;
};

/// Everything that goes into a code object.
struct ObjectParts {
  std::vector<AsmSection> sections;
  std::vector<AsmSymbol> symbols;
  std::vector<std::byte> metadata;  ///< MessagePack; empty: no note
  std::uint32_t flags = 0;          ///< e_flags
  std::uint8_t abi_version = 3;
  std::vector<std::uint64_t> relative_places;  ///< addresses of 64-bit addresses inside the image
};

/// Gives the allocated sections their addresses and file offsets. Relocations may be added until `write_elf`,
/// at most `relocations` of them.
void lay_out(ObjectParts& parts, std::size_t relocations);

/// The linked code object, as ld.lld makes them: a shared object with program headers and dynamic symbols.
std::vector<std::byte> write_elf(const ObjectParts& parts);

}  // namespace mockgpu::isa::amd
