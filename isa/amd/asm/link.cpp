#include <algorithm>
#include <cstring>

#include "isa/amd/asm/object_builder.h"
#include "isa/object/elf.h"

namespace mockgpu::isa::amd {
namespace {

namespace elf = object::elf;

constexpr std::uint64_t kPage = 4096;
constexpr std::uint32_t kRelative64 = 13;  // R_AMDGPU_RELATIVE64
constexpr std::uint32_t kProgbits = 1, kSymtab = 2, kStrtab = 3, kRela = 4, kHash = 5, kDynamic = 6,
                        kNote = 7, kNobits = 8, kDynsym = 11;
constexpr std::uint64_t kWrite = 1, kAlloc = 2, kExec = 4;
constexpr std::uint8_t kHidden = 2, kLocal = 0;

std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

template <typename T>
void append(std::vector<std::byte>& out, const T& value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

struct Strings {
  std::vector<std::byte> bytes{std::byte{0}};

  std::uint32_t add(std::string_view text) {
    if (text.empty()) return 0;
    const auto at = static_cast<std::uint32_t>(bytes.size());
    for (char c : text) bytes.push_back(static_cast<std::byte>(c));
    bytes.push_back(std::byte{0});
    return at;
  }
};

// A section of the file.
struct Piece {
  std::string name;
  std::uint32_t type = kProgbits;
  std::uint64_t flags = 0, align = 1, entry_size = 0, size = 0;
  std::vector<std::byte> data;
  std::uint32_t link = 0, info = 0;
  std::uint64_t address = 0, offset = 0;
  int section = -1;  // of the parts
};

// Which segment a piece goes to: read-only, code, data.
int segment_kind(const Piece& piece) { return piece.flags & kExec ? 1 : piece.flags & kWrite ? 2 : 0; }

bool is_kept(const AsmSection& section) {
  return section.alloc && (!section.data.empty() || section.name == ".text");
}

bool is_dynamic(const AsmSymbol& symbol) { return symbol.binding != kLocal && symbol.visibility != kHidden; }
bool is_listed(const AsmSymbol& symbol) { return symbol.defined && !symbol.name.starts_with(".L"); }

std::uint32_t hash_of(std::string_view name) {
  std::uint32_t hash = 0;
  for (char c : name) {
    hash = (hash << 4) + static_cast<unsigned char>(c);
    const std::uint32_t top = hash & 0xf0000000;
    hash = (hash ^ top >> 24) & ~top;
  }
  return hash;
}

std::vector<std::byte> note_of(const std::vector<std::byte>& metadata) {
  constexpr std::uint32_t kNameSize = 7, kMetadata = 32;
  std::vector<std::byte> note;
  append(note, kNameSize);
  append(note, static_cast<std::uint32_t>(metadata.size()));
  append(note, kMetadata);
  for (char c : std::string_view("AMDGPU\0\0", 8)) note.push_back(static_cast<std::byte>(c));
  note.insert(note.end(), metadata.begin(), metadata.end());
  note.resize(align_up(note.size(), 4));
  return note;
}

// The pieces with addresses, in the order of the file; contents of tables may be empty still.
class Linker {
 public:
  Linker(const ObjectParts& parts, std::size_t relocations);

  void place();
  std::vector<std::byte> write();
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  Piece& add(std::string name, std::uint32_t type, std::uint64_t flags, std::uint64_t align,
             std::uint64_t size, std::uint64_t entry_size = 0);
  Piece& piece(std::string_view name);
  std::uint32_t index_of(std::string_view name) const;
  std::uint16_t section_index(int section) const;
  bool is_placed(const AsmSymbol& symbol) const;
  elf::Symbol symbol_of(const AsmSymbol& symbol, std::uint32_t name) const;
  void fill_tables();
  std::vector<elf::ProgramHeader> program_headers() const;

  const ObjectParts& parts_;
  std::vector<Piece> pieces_;
  std::vector<const AsmSymbol*> dynamic_;
  Strings dynamic_strings_;
  std::size_t program_count_ = 0, relocations_;
};

Linker::Linker(const ObjectParts& parts, std::size_t relocations) : parts_(parts), relocations_(relocations) {
  for (const AsmSymbol& symbol : parts.symbols)
    if (is_placed(symbol) && is_dynamic(symbol)) dynamic_.push_back(&symbol);
  for (const AsmSymbol* symbol : dynamic_) dynamic_strings_.add(symbol->name);
  if (!parts.metadata.empty()) add(".note", kNote, kAlloc, 4, note_of(parts.metadata).size());
  add(".dynsym", kDynsym, kAlloc, 8, (dynamic_.size() + 1) * sizeof(elf::Symbol), sizeof(elf::Symbol));
  add(".hash", kHash, kAlloc, 4, (2 + 2 * (dynamic_.size() + 1)) * 4, 4);
  add(".dynstr", kStrtab, kAlloc, 1, dynamic_strings_.bytes.size());
  if (relocations) add(".rela.dyn", kRela, kAlloc, 8, relocations * sizeof(elf::Rela), sizeof(elf::Rela));
  for (int kind = 0; kind < 3; ++kind) {
    for (std::size_t i = 0; i < parts.sections.size(); ++i) {
      const AsmSection& section = parts.sections[i];
      if (!is_kept(section)) continue;
      const std::uint64_t flags = kAlloc | (section.writable ? kWrite : 0) | (section.executable ? kExec : 0);
      Piece piece;
      piece.flags = flags;
      if (segment_kind(piece) != kind) continue;
      const std::uint32_t type = section.no_bits ? kNobits : section.note ? kNote : kProgbits;
      Piece& added = add(section.name, type, flags, section.align, section.data.size());
      added.section = static_cast<int>(i);
    }
    if (kind == 1) add(".dynamic", kDynamic, kAlloc | kWrite, 8, (relocations ? 9u : 6u) * 16u, 16);
  }
  // Zeros take no room in the file if they come last.
  std::stable_partition(pieces_.begin(), pieces_.end(),
                        [](const Piece& piece) { return piece.type != kNobits; });
  std::uint32_t present = 0;
  program_count_ = 2;  // headers and dynamic
  for (const Piece& piece : pieces_) {
    present |= 1u << segment_kind(piece);
    program_count_ += piece.type == kNote;
  }
  for (int kind = 0; kind < 3; ++kind) program_count_ += present >> kind & 1;
}

Piece& Linker::add(std::string name, std::uint32_t type, std::uint64_t flags, std::uint64_t align,
                   std::uint64_t size, std::uint64_t entry_size) {
  Piece piece;
  piece.name = std::move(name);
  piece.type = type;
  piece.flags = flags;
  piece.align = align;
  piece.size = size;
  piece.entry_size = entry_size;
  pieces_.push_back(std::move(piece));
  return pieces_.back();
}

Piece& Linker::piece(std::string_view name) {
  return *std::find_if(pieces_.begin(), pieces_.end(),
                       [&](const Piece& piece) { return piece.name == name; });
}

std::uint32_t Linker::index_of(std::string_view name) const {
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    if (pieces_[i].name == name) return static_cast<std::uint32_t>(i + 1);
  return 0;
}

std::uint16_t Linker::section_index(int section) const {
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    if (pieces_[i].section == section && section >= 0) return static_cast<std::uint16_t>(i + 1);
  return elf::kSectionAbsolute;
}

// Symbols in sections that are left out are left out too.
bool Linker::is_placed(const AsmSymbol& symbol) const {
  if (!is_listed(symbol)) return false;
  return symbol.value.is_absolute() ||
         is_kept(parts_.sections[static_cast<std::size_t>(symbol.value.section)]);
}

// Segments start on pages of their own, at the address that has the file offset's low bits.
void Linker::place() {
  std::uint64_t offset = sizeof(elf::Header) + program_count_ * sizeof(elf::ProgramHeader), shift = 0;
  int segment = 0;
  for (Piece& piece : pieces_) {
    if (piece.flags & kAlloc && segment_kind(piece) != segment) {
      segment = segment_kind(piece);
      shift += kPage;
    }
    // Alignments above a page move the address alone.
    offset = align_up(offset, std::min(piece.align, kPage));
    const std::uint64_t address = align_up(offset + shift, piece.align);
    shift = address - offset;
    piece.offset = offset;
    piece.address = address;
    if (piece.type == kNobits)
      shift += piece.size;
    else
      offset += piece.size;
  }
}

elf::Symbol Linker::symbol_of(const AsmSymbol& symbol, std::uint32_t name) const {
  elf::Symbol entry{};
  entry.name = name;
  entry.info = static_cast<std::uint8_t>(symbol.binding << 4 | symbol.type);
  entry.other = symbol.visibility;
  entry.section = symbol.value.is_absolute() ? elf::kSectionAbsolute : section_index(symbol.value.section);
  entry.value = static_cast<std::uint64_t>(symbol.value.offset);
  if (!symbol.value.is_absolute()) {
    for (const Piece& piece : pieces_)
      if (piece.section == symbol.value.section) entry.value += piece.address;
  }
  const NoSymbols none;
  Value size;
  if (symbol.size && symbol.size->evaluate(none, size)) entry.size = static_cast<std::uint64_t>(size.offset);
  return entry;
}

void Linker::fill_tables() {
  if (!parts_.metadata.empty()) piece(".note").data = note_of(parts_.metadata);
  Piece& dynsym = piece(".dynsym");
  Piece& hash = piece(".hash");
  append(dynsym.data, elf::Symbol{});
  const auto count = static_cast<std::uint32_t>(dynamic_.size() + 1);
  // One bucket per symbol; chains by the symbols' hashes.
  std::vector<std::uint32_t> buckets(count), chains(count);
  Strings strings;
  for (std::uint32_t i = 1; i < count; ++i) {
    const AsmSymbol& symbol = *dynamic_[i - 1];
    append(dynsym.data, symbol_of(symbol, strings.add(symbol.name)));
    std::uint32_t& bucket = buckets[hash_of(symbol.name) % count];
    chains[i] = bucket;
    bucket = i;
  }
  append(hash.data, count);
  append(hash.data, count);
  for (std::uint32_t bucket : buckets) append(hash.data, bucket);
  for (std::uint32_t chain : chains) append(hash.data, chain);
  piece(".dynstr").data = strings.bytes;
  dynsym.link = index_of(".dynstr");
  dynsym.info = 1;
  hash.link = index_of(".dynsym");
  struct Tag {
    std::int64_t tag;
    std::uint64_t value;
  };
  std::vector<Tag> tags = {{6, dynsym.address},
                           {11, sizeof(elf::Symbol)},
                           {5, piece(".dynstr").address},
                           {10, strings.bytes.size()},
                           {4, hash.address}};
  if (relocations_) {
    Piece& rela = piece(".rela.dyn");
    rela.link = index_of(".dynsym");
    for (std::uint64_t place : parts_.relative_places) {
      std::int64_t addend = 0;
      for (const Piece& piece : pieces_) {
        if (piece.section < 0 || place < piece.address || place - piece.address + 8 > piece.size) continue;
        const auto& data = parts_.sections[static_cast<std::size_t>(piece.section)].data;
        std::memcpy(&addend, data.data() + (place - piece.address), sizeof addend);
      }
      append(rela.data, elf::Rela{place, kRelative64, addend});
    }
    tags.push_back({7, rela.address});
    tags.push_back({8, rela.size});
    tags.push_back({9, sizeof(elf::Rela)});
  }
  tags.push_back({0, 0});
  Piece& dynamic = piece(".dynamic");
  dynamic.link = index_of(".dynstr");
  for (const Tag& tag : tags) append(dynamic.data, tag);
}

std::vector<elf::ProgramHeader> Linker::program_headers() const {
  constexpr std::uint32_t kHeaders = 6;
  std::vector<elf::ProgramHeader> headers;
  const std::uint64_t table = program_count_ * sizeof(elf::ProgramHeader);
  const std::uint64_t start = sizeof(elf::Header);
  headers.push_back({kHeaders, elf::kReadable, start, start, start, table, table, 8});
  constexpr std::uint32_t kFlags[] = {elf::kReadable, elf::kReadable | elf::kExecutable,
                                      elf::kReadable | elf::kWritable};
  for (int kind = 0; kind < 3; ++kind) {
    elf::ProgramHeader load{};
    load.type = elf::kSegmentLoad;
    load.flags = kFlags[kind];
    load.align = kPage;
    bool any = false;
    for (const Piece& piece : pieces_) {
      if (!(piece.flags & kAlloc) || segment_kind(piece) != kind) continue;
      if (!any) {
        load.offset = kind ? piece.offset : 0;
        load.address = load.physical_address = kind ? piece.address : 0;
      }
      any = true;
      if (piece.type != kNobits) load.file_size = piece.offset + piece.size - load.offset;
      load.memory_size = piece.address + piece.size - load.address;
    }
    if (any) headers.push_back(load);
  }
  for (const Piece& piece : pieces_) {
    const std::uint32_t type = piece.type == kDynamic ? elf::kSegmentDynamic : elf::kSegmentNote;
    if (piece.type != kDynamic && piece.type != kNote) continue;
    if (!(piece.flags & kAlloc)) continue;
    headers.push_back({type, piece.type == kDynamic ? elf::kReadable | elf::kWritable : elf::kReadable,
                       piece.offset, piece.address, piece.address, piece.size, piece.size, piece.align});
  }
  return headers;
}

std::vector<std::byte> Linker::write() {
  fill_tables();
  // What is not loaded: symbols and names.
  Strings names, strings;
  Piece symtab;
  symtab.name = ".symtab";
  symtab.type = kSymtab;
  symtab.align = 8;
  symtab.entry_size = sizeof(elf::Symbol);
  append(symtab.data, elf::Symbol{});
  symtab.info = 1;
  for (bool local : {true, false}) {
    for (const AsmSymbol& symbol : parts_.symbols) {
      if (!is_placed(symbol) || (symbol.binding == kLocal) != local) continue;
      append(symtab.data, symbol_of(symbol, strings.add(symbol.name)));
      symtab.info += local;
    }
  }
  symtab.link = static_cast<std::uint32_t>(pieces_.size() + 3);
  pieces_.push_back(std::move(symtab));
  const auto names_index = static_cast<std::uint16_t>(pieces_.size() + 1);
  Piece table;
  table.type = kStrtab;
  table.name = ".shstrtab";
  pieces_.push_back(table);
  table.name = ".strtab";
  table.data = strings.bytes;
  pieces_.push_back(table);
  std::vector<std::uint32_t> name_offsets;
  for (const Piece& piece : pieces_) name_offsets.push_back(names.add(piece.name));
  pieces_[pieces_.size() - 2].data = names.bytes;

  std::vector<std::byte> file(sizeof(elf::Header));
  for (const elf::ProgramHeader& header : program_headers()) append(file, header);
  for (Piece& piece : pieces_) {
    if (!(piece.flags & kAlloc)) {
      piece.offset = align_up(file.size(), piece.align);
      piece.size = piece.data.size();
    }
    if (piece.type == kNobits) continue;
    file.resize(piece.offset);
    const std::vector<std::byte>& data =
        piece.section < 0 ? piece.data : parts_.sections[static_cast<std::size_t>(piece.section)].data;
    file.insert(file.end(), data.begin(), data.end());
    file.resize(piece.offset + piece.size);
  }
  file.resize(align_up(file.size(), 8));
  elf::Header header{};
  const std::uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 2, 1, 1, elf::kOsabiHsa, parts_.abi_version};
  std::memcpy(header.ident, ident, sizeof ident);
  header.type = elf::kTypeShared;
  header.machine = elf::kMachineAmdgpu;
  header.version = 1;
  header.program_offset = sizeof header;
  header.section_offset = file.size();
  header.flags = parts_.flags;
  header.header_size = sizeof header;
  header.program_entry_size = sizeof(elf::ProgramHeader);
  header.program_count = static_cast<std::uint16_t>(program_count_);
  header.section_entry_size = sizeof(elf::SectionHeader);
  header.section_count = static_cast<std::uint16_t>(pieces_.size() + 1);
  header.section_names = names_index;
  std::memcpy(file.data(), &header, sizeof header);
  append(file, elf::SectionHeader{});
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    append(file, elf::SectionHeader{name_offsets[i], piece.type, piece.flags,
                                    piece.flags & kAlloc ? piece.address : 0, piece.offset, piece.size,
                                    piece.link, piece.info, piece.align, piece.entry_size});
  }
  return file;
}

}  // namespace

void lay_out(ObjectParts& parts, std::size_t relocations) {
  Linker linker(parts, relocations);
  linker.place();
  for (const Piece& piece : linker.pieces()) {
    if (piece.section < 0) continue;
    AsmSection& section = parts.sections[static_cast<std::size_t>(piece.section)];
    section.address = piece.address;
    section.offset = piece.offset;
  }
}

std::vector<std::byte> write_elf(const ObjectParts& parts) {
  Linker linker(parts, parts.relative_places.size());
  linker.place();
  return linker.write();
}

}  // namespace mockgpu::isa::amd
