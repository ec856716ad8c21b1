#include "isa/object/elf.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

namespace mockgpu::isa::object {
namespace {

/// More than any code object has, and little enough that a malformed one costs nothing.
constexpr std::uint64_t kMostImageBytes = std::uint64_t{1} << 30;
constexpr unsigned kMostProgramHeaders = 256;
constexpr std::size_t kMostNotes = 4096;

constexpr std::int64_t kTagNull = 0;
constexpr std::int64_t kTagHash = 4;
constexpr std::int64_t kTagStringTable = 5;
constexpr std::int64_t kTagSymbolTable = 6;
constexpr std::int64_t kTagRela = 7;
constexpr std::int64_t kTagRelaSize = 8;
constexpr std::int64_t kTagStringSize = 10;
constexpr std::int64_t kTagRel = 17;
constexpr std::int64_t kTagPltRelocations = 23;
constexpr std::int64_t kTagPltSize = 2;
constexpr std::int64_t kTagRelr = 36;

class ElfParser {
 public:
  explicit ElfParser(const ByteReader& reader) : reader_(reader) {}

  ElfFile parse() {
    parse_header();
    parse_program_headers();
    parse_sections();
    parse_dynamic();
    if (file_.symbols.empty()) file_.symbols = file_.dynamic_symbols;
    return std::move(file_);
  }

 private:
  void parse_header() {
    constexpr unsigned char kMagic[4] = {0x7f, 'E', 'L', 'F'};
    const std::size_t have = std::min<std::size_t>(reader_.size(), 4);
    if (have == 0 || std::memcmp(reader_.slice(0, have, "magic").data(), kMagic, have) != 0) {
      reader_.fail("not an ELF file (it does not start with 7f 45 4c 46)");
    }
    file_.header = reader_.read<elf::Header>(0, "ELF header");
    const elf::Header& header = file_.header;
    if (header.ident[4] != 2 || header.ident[5] != 1) reader_.fail("not a 64-bit little-endian ELF file");
    if (header.ident[6] != 1 || header.version != 1) reader_.fail("ELF version is not 1");
  }

  void parse_program_headers() {
    const elf::Header& header = file_.header;
    if (header.program_count != 0 && header.program_entry_size != sizeof(elf::ProgramHeader)) {
      reader_.fail(fmt::format("program headers of {} bytes instead of {}", header.program_entry_size,
                               sizeof(elf::ProgramHeader)));
    }
    if (header.program_count > kMostProgramHeaders) {
      reader_.fail(
          fmt::format("{} program headers, more than {}", header.program_count, kMostProgramHeaders));
    }
    // One check for all of them, so that a cut file fails here.
    reader_.slice(header.program_offset, std::uint64_t{header.program_count} * sizeof(elf::ProgramHeader),
                  "program headers");
    for (unsigned i = 0; i < header.program_count; ++i) {
      const auto program = reader_.read<elf::ProgramHeader>(
          header.program_offset + i * sizeof(elf::ProgramHeader), "program header");
      if (program.type == elf::kSegmentLoad) add_segment(program, i);
      if (program.type == elf::kSegmentNote) add_notes(program);
      if (program.type == elf::kSegmentDynamic) dynamic_ = program;
    }
    if (!file_.segments.empty() && image_end() - file_.segments.front().address > kMostImageBytes) {
      reader_.fail(fmt::format("segments span {:#x} bytes, more than {:#x}",
                               image_end() - file_.segments.front().address, kMostImageBytes));
    }
  }

  std::uint64_t image_end() const { return file_.segments.back().address + file_.segments.back().size; }

  void add_segment(const elf::ProgramHeader& program, unsigned index) {
    const std::string what = fmt::format("segment {}", index);
    if (program.file_size > program.memory_size) {
      reader_.fail(fmt::format("{} has {:#x} file bytes but {:#x} memory bytes", what, program.file_size,
                               program.memory_size));
    }
    if (program.memory_size > ~std::uint64_t{0} - program.address) {
      reader_.fail(
          fmt::format("{} at {:#x} of {:#x} bytes wraps around", what, program.address, program.memory_size));
    }
    const auto bytes = reader_.slice(program.offset, program.file_size, what);
    if (program.memory_size == 0) return;
    if (!file_.segments.empty() && program.address < image_end()) {
      reader_.fail(
          fmt::format("{} at {:#x} overlaps the one before, or is not in order", what, program.address));
    }
    file_.segments.push_back(
        Segment{program.address, program.memory_size, bytes, (program.flags & elf::kReadable) != 0,
                (program.flags & elf::kWritable) != 0, (program.flags & elf::kExecutable) != 0});
  }

  void add_notes(const elf::ProgramHeader& program) {
    constexpr std::uint64_t kHeader = 12;
    const auto notes = reader_.slice(program.offset, program.file_size, "notes");
    const ByteReader in(notes, reader_.file());
    std::uint64_t at = 0;
    while (notes.size() - at >= kHeader) {
      const auto name_size = in.read<std::uint32_t>(at, "note");
      const auto size = in.read<std::uint32_t>(at + 4, "note");
      const auto type = in.read<std::uint32_t>(at + 8, "note");
      const auto name = in.slice(at + kHeader, name_size, "note name");
      const std::uint64_t contents_at = at + kHeader + align4(name_size);
      const auto contents = in.slice(contents_at, size, "note contents");
      if (file_.notes.size() == kMostNotes) reader_.fail(fmt::format("more than {} notes", kMostNotes));
      file_.notes.push_back(Note{string_at(name, 0), type, contents});
      at = std::min<std::uint64_t>(contents_at + align4(size), notes.size());
    }
  }

  static std::uint64_t align4(std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; }

  void parse_sections() {
    const elf::Header& header = file_.header;
    if (header.section_count == 0) return;
    if (header.section_entry_size != sizeof(elf::SectionHeader)) {
      reader_.fail(fmt::format("section headers of {} bytes instead of {}", header.section_entry_size,
                               sizeof(elf::SectionHeader)));
    }
    reader_.slice(header.section_offset, std::uint64_t{header.section_count} * sizeof(elf::SectionHeader),
                  "section headers");
    for (unsigned i = 0; i < header.section_count; ++i) {
      const elf::SectionHeader section = section_header(i);
      if (section.type != elf::kSectionSymbols) continue;
      if (section.link >= header.section_count) reader_.fail("the symbol table names no string table");
      const elf::SectionHeader strings = section_header(section.link);
      add_symbols(reader_.slice(section.offset, section.size, "symbol table"),
                  reader_.slice(strings.offset, strings.size, "symbol names"), file_.symbols);
      break;  // ELF allows one
    }
  }

  elf::SectionHeader section_header(unsigned index) const {
    return reader_.read<elf::SectionHeader>(file_.header.section_offset + index * sizeof(elf::SectionHeader),
                                            "section header");
  }

  static void add_symbols(std::span<const std::byte> table, std::span<const std::byte> strings,
                          std::vector<Symbol>& out) {
    for (std::size_t at = 0; at + sizeof(elf::Symbol) <= table.size(); at += sizeof(elf::Symbol)) {
      elf::Symbol raw;
      std::memcpy(&raw, table.data() + at, sizeof(raw));
      Symbol symbol;
      symbol.name = string_at(strings, raw.name);
      symbol.address = raw.value;
      symbol.size = raw.size;
      symbol.type = raw.info & 0xf;
      symbol.binding = raw.info >> 4;
      symbol.defined = raw.section != elf::kSectionUndefined;
      symbol.absolute = raw.section == elf::kSectionAbsolute;
      out.push_back(std::move(symbol));
    }
  }

  /// The bytes of the image at a linked address, as far as the file holds them.
  std::span<const std::byte> image_bytes(std::uint64_t address, std::uint64_t size,
                                         std::string_view what) const {
    const Segment* segment = file_.segment_at(address);
    if (segment != nullptr) {
      const std::uint64_t offset = address - segment->address;
      if (offset <= segment->file_bytes.size() && size <= segment->file_bytes.size() - offset) {
        return segment->file_bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
      }
    }
    reader_.fail(
        fmt::format("{} ({} bytes at address {:#x}) lies outside the segments", what, size, address));
  }

  void parse_dynamic() {
    if (!dynamic_) return;
    const auto bytes = reader_.slice(dynamic_->offset, dynamic_->file_size, "dynamic table");
    std::uint64_t symbols = 0, strings = 0, string_size = 0, hash = 0;
    std::uint64_t rela = 0, rela_size = 0, plt = 0, plt_size = 0;
    for (std::size_t at = 0; at + sizeof(elf::Dynamic) <= bytes.size(); at += sizeof(elf::Dynamic)) {
      elf::Dynamic entry;
      std::memcpy(&entry, bytes.data() + at, sizeof(entry));
      if (entry.tag == kTagNull) break;
      switch (entry.tag) {
        case kTagHash: hash = entry.value; break;
        case kTagStringTable: strings = entry.value; break;
        case kTagStringSize: string_size = entry.value; break;
        case kTagSymbolTable: symbols = entry.value; break;
        case kTagRela: rela = entry.value; break;
        case kTagRelaSize: rela_size = entry.value; break;
        case kTagPltRelocations: plt = entry.value; break;
        case kTagPltSize: plt_size = entry.value; break;
        case kTagRel: reader_.fail("relocations without addends (DT_REL) do not exist on AMDGPU");
        case kTagRelr:
          reader_.fail("packed relative relocations (DT_RELR) are not supported; link without them");
        default: break;
      }
    }
    if (symbols != 0 && hash != 0) {
      // The second word of the hash table is the number of symbols.
      const ByteReader words(image_bytes(hash, 8, "hash table"), reader_.file());
      const auto count = words.read<std::uint32_t>(4, "hash table");
      add_symbols(image_bytes(symbols, std::uint64_t{count} * sizeof(elf::Symbol), "dynamic symbol table"),
                  image_bytes(strings, string_size, "dynamic string table"), file_.dynamic_symbols);
    }
    if (rela_size != 0) add_relocations(image_bytes(rela, rela_size, "relocations"));
    if (plt_size != 0) add_relocations(image_bytes(plt, plt_size, "relocations"));
  }

  void add_relocations(std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at + sizeof(elf::Rela) <= bytes.size(); at += sizeof(elf::Rela)) {
      elf::Rela raw;
      std::memcpy(&raw, bytes.data() + at, sizeof(raw));
      file_.relocations.push_back(Relocation{raw.offset, static_cast<std::uint32_t>(raw.info),
                                             static_cast<std::uint32_t>(raw.info >> 32), raw.addend});
    }
  }

  const ByteReader& reader_;
  ElfFile file_{};
  std::optional<elf::ProgramHeader> dynamic_;
};

}  // namespace

const Segment* ElfFile::segment_at(std::uint64_t address) const {
  for (const Segment& segment : segments) {
    if (segment.contains(address)) return &segment;
  }
  return nullptr;
}

ElfFile parse_elf(const ByteReader& reader) { return ElfParser(reader).parse(); }

}  // namespace mockgpu::isa::object
