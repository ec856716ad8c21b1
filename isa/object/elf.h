#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "isa/object/bytes.h"

/// The parts of a 64-bit little-endian ELF file that a loader needs (System V ABI), read with bounds checks.
namespace mockgpu::isa::object {

namespace elf {

struct Header {
  std::uint8_t ident[16];
  std::uint16_t type;
  std::uint16_t machine;
  std::uint32_t version;
  std::uint64_t entry;
  std::uint64_t program_offset;
  std::uint64_t section_offset;
  std::uint32_t flags;
  std::uint16_t header_size;
  std::uint16_t program_entry_size;
  std::uint16_t program_count;
  std::uint16_t section_entry_size;
  std::uint16_t section_count;
  std::uint16_t section_names;
};
static_assert(sizeof(Header) == 64 && offsetof(Header, type) == 16 && offsetof(Header, machine) == 18 &&
              offsetof(Header, version) == 20 && offsetof(Header, entry) == 24 &&
              offsetof(Header, program_offset) == 32 && offsetof(Header, section_offset) == 40 &&
              offsetof(Header, flags) == 48 && offsetof(Header, header_size) == 52 &&
              offsetof(Header, program_entry_size) == 54 && offsetof(Header, program_count) == 56 &&
              offsetof(Header, section_entry_size) == 58 && offsetof(Header, section_count) == 60 &&
              offsetof(Header, section_names) == 62);

struct ProgramHeader {
  std::uint32_t type;
  std::uint32_t flags;
  std::uint64_t offset;
  std::uint64_t address;
  std::uint64_t physical_address;
  std::uint64_t file_size;
  std::uint64_t memory_size;
  std::uint64_t align;
};
static_assert(sizeof(ProgramHeader) == 56 && offsetof(ProgramHeader, flags) == 4 &&
              offsetof(ProgramHeader, offset) == 8 && offsetof(ProgramHeader, address) == 16 &&
              offsetof(ProgramHeader, file_size) == 32 && offsetof(ProgramHeader, memory_size) == 40 &&
              offsetof(ProgramHeader, align) == 48);

struct SectionHeader {
  std::uint32_t name;
  std::uint32_t type;
  std::uint64_t flags;
  std::uint64_t address;
  std::uint64_t offset;
  std::uint64_t size;
  std::uint32_t link;
  std::uint32_t info;
  std::uint64_t align;
  std::uint64_t entry_size;
};
static_assert(sizeof(SectionHeader) == 64 && offsetof(SectionHeader, type) == 4 &&
              offsetof(SectionHeader, offset) == 24 && offsetof(SectionHeader, size) == 32 &&
              offsetof(SectionHeader, link) == 40 && offsetof(SectionHeader, entry_size) == 56);

struct Symbol {
  std::uint32_t name;
  std::uint8_t info;  ///< [7:4] binding, [3:0] type
  std::uint8_t other;
  std::uint16_t section;
  std::uint64_t value;
  std::uint64_t size;
};
static_assert(sizeof(Symbol) == 24 && offsetof(Symbol, info) == 4 && offsetof(Symbol, section) == 6 &&
              offsetof(Symbol, value) == 8 && offsetof(Symbol, size) == 16);

struct Rela {
  std::uint64_t offset;
  std::uint64_t info;  ///< [63:32] symbol, [31:0] type
  std::int64_t addend;
};
static_assert(sizeof(Rela) == 24 && offsetof(Rela, info) == 8 && offsetof(Rela, addend) == 16);

struct Dynamic {
  std::int64_t tag;
  std::uint64_t value;
};
static_assert(sizeof(Dynamic) == 16 && offsetof(Dynamic, value) == 8);

inline constexpr std::uint16_t kTypeRelocatable = 1;
inline constexpr std::uint16_t kTypeShared = 3;
inline constexpr std::uint16_t kMachineAmdgpu = 224;
inline constexpr std::uint8_t kOsabiHsa = 64;

inline constexpr std::uint32_t kSegmentLoad = 1;
inline constexpr std::uint32_t kSegmentDynamic = 2;
inline constexpr std::uint32_t kSegmentNote = 4;
inline constexpr std::uint32_t kExecutable = 1;
inline constexpr std::uint32_t kWritable = 2;
inline constexpr std::uint32_t kReadable = 4;

inline constexpr std::uint32_t kSectionSymbols = 2;
inline constexpr std::uint32_t kSectionDynamicSymbols = 11;

inline constexpr std::uint16_t kSectionUndefined = 0;
inline constexpr std::uint16_t kSectionAbsolute = 0xfff1;

inline constexpr std::uint8_t kSymbolNoType = 0;
inline constexpr std::uint8_t kSymbolObject = 1;
inline constexpr std::uint8_t kSymbolFunction = 2;
inline constexpr std::uint8_t kBindLocal = 0;
inline constexpr std::uint8_t kBindGlobal = 1;
inline constexpr std::uint8_t kBindWeak = 2;

}  // namespace elf

/// A loadable segment. `file_bytes` is its start; the rest up to `size` is zero.
struct Segment {
  std::uint64_t address;
  std::uint64_t size;
  std::span<const std::byte> file_bytes;
  bool readable;
  bool writable;
  bool executable;

  bool contains(std::uint64_t at) const { return at >= address && at - address < size; }
};

/// A symbol, defined or not.
struct Symbol {
  std::string_view name;      ///< within the bytes that were parsed
  std::uint64_t address = 0;  ///< as linked; see Image::address for where it was loaded
  std::uint64_t size = 0;     ///< bytes; 0 when the file does not say
  std::uint8_t type = 0;      ///< elf::kSymbolFunction...
  std::uint8_t binding = 0;
  bool defined = false;
  bool absolute = false;  ///< the address does not move with the image
};

/// A dynamic relocation.
struct Relocation {
  std::uint64_t address;  ///< of the place, as linked
  std::uint32_t type;     ///< R_AMDGPU_*
  std::uint32_t symbol;   ///< index into ElfFile::dynamic_symbols
  std::int64_t addend;
};

/// A note's contents.
struct Note {
  std::string_view name;  ///< without the terminating zero
  std::uint32_t type;
  std::span<const std::byte> contents;
};

/// An ELF file, split up. Spans and names point into the bytes that were parsed.
struct ElfFile {
  elf::Header header;
  std::vector<Segment> segments;  ///< by rising address, without overlap
  std::vector<Note> notes;
  std::vector<Symbol> symbols;  ///< of the static table, or else of the dynamic one
  std::vector<Symbol> dynamic_symbols;
  std::vector<Relocation> relocations;

  const Segment* segment_at(std::uint64_t address) const;
};

/// Parses an ELF file of any machine. Throws Error(bad_file) that says what is malformed and where.
ElfFile parse_elf(const ByteReader& reader);

}  // namespace mockgpu::isa::object
