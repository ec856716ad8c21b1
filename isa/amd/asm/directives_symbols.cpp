#include <fmt/format.h>

#include "isa/amd/asm/file_assembler.h"
#include "isa/object/elf.h"

namespace mockgpu::isa::amd {
namespace {

namespace elf = object::elf;

constexpr int kMostSections = 10'000;
constexpr std::uint8_t kVisibilityInternal = 1, kVisibilityHidden = 2, kVisibilityProtected = 3;

}  // namespace

std::string FileAssembler::symbol_name() {
  const std::string name(scanner_.peek() == '"' ? scanner_.quoted() : std::string(scanner_.word()));
  if (name.empty()) scanner_.fail("expected a name");
  return name;
}

AsmSymbol& FileAssembler::symbol(std::string_view name) {
  const auto [it, added] = symbol_index_.try_emplace(std::string(name), parts_.symbols.size());
  if (added) {
    AsmSymbol symbol;
    symbol.name = name;
    symbol.line = line_;
    parts_.symbols.push_back(std::move(symbol));
  }
  return parts_.symbols[it->second];
}

void FileAssembler::define(std::string_view name, Value value, std::size_t column) {
  AsmSymbol& symbol = this->symbol(name);
  if (symbol.defined)
    throw Mismatch{column, fmt::format("{} is defined twice, first in {}:{}", name, symbol.line->file,
                                       symbol.line->number)};
  symbol.defined = true;
  symbol.value = value;
  symbol.line = line_;
}

void FileAssembler::set_variable(std::string_view name, std::size_t column, bool again) {
  // Counting of registers goes on from there.
  if (name == ".amdgcn.next_free_vgpr" || name == ".amdgcn.next_free_sgpr") {
    (name.ends_with("vgpr") ? next_free_vgpr_ : next_free_sgpr_) = known("the number of registers");
    return;
  }
  if (name.starts_with(".amdgcn."))
    throw Mismatch{column, fmt::format("{} is not to be set", name),
                   ".amdgcn.next_free_vgpr .amdgcn.next_free_sgpr"};
  const Expression expression = Expression::parse(scanner_, *this);
  Value value;
  const bool known = expression.variant() == SymbolVariant::none && expression.evaluate(*this, value);
  AsmSymbol& symbol = this->symbol(name);
  if (symbol.defined && (!symbol.variable || !again))
    throw Mismatch{column, fmt::format("{} is defined twice, first in {}:{}", name, symbol.line->file,
                                       symbol.line->number)};
  symbol.defined = symbol.variable = true;
  symbol.line = line_;
  symbol.value = value;
  symbol.expression.reset();
  if (!known) symbol.expression = expression;
}

// .set name, expression; .equiv refuses a second one.
void FileAssembler::set_symbol(std::string_view directive) {
  const std::size_t column = scanner_.column();
  const std::string name = symbol_name();
  scanner_.expect(",");
  set_variable(name, column, directive != ".equiv");
}

void FileAssembler::bind(std::string_view directive) {
  do {
    AsmSymbol& symbol = this->symbol(symbol_name());
    if (directive == ".globl" || directive == ".global") symbol.binding = elf::kBindGlobal;
    if (directive == ".local") symbol.binding = elf::kBindLocal;
    if (directive == ".weak") symbol.binding = elf::kBindWeak;
    if (directive == ".hidden") symbol.visibility = kVisibilityHidden;
    if (directive == ".internal") symbol.visibility = kVisibilityInternal;
    if (directive == ".protected") symbol.visibility = kVisibilityProtected;
  } while (scanner_.accept(","));
}

// .type name,@function
void FileAssembler::type(std::string_view) {
  AsmSymbol& symbol = this->symbol(symbol_name());
  scanner_.accept(",");
  for (std::string_view mark : {"@", "%", "#"})
    if (scanner_.accept(mark)) break;
  const std::size_t column = scanner_.column();
  const std::string word = symbol_name();
  if (word == "function" || word == "STT_FUNC")
    symbol.type = elf::kSymbolFunction;
  else if (word == "object" || word == "STT_OBJECT")
    symbol.type = elf::kSymbolObject;
  else if (word == "notype" || word == "STT_NOTYPE")
    symbol.type = elf::kSymbolNoType;
  else
    throw Mismatch{column, fmt::format("unknown type {} of a symbol", word), "@function @object @notype"};
}

void FileAssembler::size(std::string_view) {
  const std::string name = symbol_name();
  scanner_.expect(",");
  const Expression expression = Expression::parse(scanner_, *this);
  Value value;
  AsmSymbol& symbol = this->symbol(name);
  symbol.size_line = line_;
  symbol.size =
      expression.evaluate(*this, value) && value.is_absolute() ? Expression(value.offset) : expression;
}

int FileAssembler::section_called(std::string_view name) {
  const auto next = static_cast<int>(parts_.sections.size());
  const auto [it, added] = section_index_.try_emplace(std::string(name), next);
  if (!added) return it->second;
  if (next == kMostSections) {
    section_index_.erase(it);
    scanner_.fail(fmt::format("the file has more than {} sections", kMostSections));
  }
  AsmSection section;
  section.name = name;
  section.executable = name == ".text" || name.starts_with(".text.");
  section.writable =
      name == ".data" || name.starts_with(".data.") || name == ".bss" || name.starts_with(".bss.");
  section.no_bits = name == ".bss" || name.starts_with(".bss.");
  section.alloc = section.executable || section.writable || name == ".rodata" || name.starts_with(".rodata.");
  if (section.executable) section.align = 4;
  parts_.sections.push_back(std::move(section));
  return next;
}

void FileAssembler::section(std::string_view directive) {
  if (!scanner_.at_end()) subsection(directive);
  previous_section_ = section_;
  section_ = section_called(directive);
}

// More than a symbol's name: .note.GNU-stack
std::string FileAssembler::section_name() {
  if (scanner_.peek() == '"') return scanner_.quoted();
  const std::size_t begin = scanner_.column();
  std::size_t end = begin;
  while (std::string_view(", \t").find(scanner_.next()) == std::string_view::npos && scanner_.next() != '\0')
    scanner_.seek(++end);
  if (begin == end) scanner_.fail("expected a name");
  return std::string(scanner_.between(begin, end));
}

// .section name, "flags", @type, ... or .section name, #flag, #flag...
void FileAssembler::named_section(std::string_view directive) {
  const std::string name = section_name();
  const std::size_t before = parts_.sections.size();
  const int index = section_called(name);
  const bool added = parts_.sections.size() > before;
  if (directive == ".pushsection") section_stack_.push_back(section_);
  previous_section_ = section_;
  section_ = index;
  if (!scanner_.accept(",")) return;
  const std::size_t column = scanner_.column();
  const std::string flags = scanner_.peek() == '#' ? section_flags() : scanner_.quoted();
  AsmSection& section = parts_.sections[static_cast<std::size_t>(index)];
  if (added) section.alloc = section.writable = section.executable = false;
  for (char flag : flags) {
    if (!added) break;
    switch (flag) {
      case 'a': section.alloc = true; break;
      case 'w': section.writable = true; break;
      case 'x': section.executable = true; break;
      case 'M':
      case 'S':
      case 'G':
      case 'o':
      case 'e': break;
      default: throw Mismatch{column, fmt::format("unknown section flag '{}'", flag), "a w x M S G o e"};
    }
  }
  while (scanner_.accept(",")) {
    const std::size_t type_column = scanner_.column();
    const bool type = scanner_.accept("@") || scanner_.accept("%");
    if (!type) {  // the size of an element, or the name of a group and `comdat`
      if (scanner_.at_number())
        known("the size of an element");
      else
        symbol_name();
      continue;
    }
    const std::string_view word = scanner_.word();
    if (word != "progbits" && word != "nobits" && word != "note")
      throw Mismatch{type_column, fmt::format("sections of type @{} are not supported", word),
                     "@progbits @nobits @note"};
    if (!added) continue;
    section.no_bits = word == "nobits";
    section.note = word == "note";
  }
}

// The letters of #alloc, #write and #execinstr.
std::string FileAssembler::section_flags() {
  std::string letters;
  do {
    const std::size_t column = scanner_.column();
    scanner_.expect("#");
    const std::string_view word = scanner_.word();
    const bool known = word == "alloc" || word == "write" || word == "execinstr";
    if (!known)
      throw Mismatch{column, fmt::format("unknown section flag #{}", word), "#alloc #write #execinstr"};
    letters += word == "execinstr" ? 'x' : word.front();
  } while (scanner_.accept(","));
  return letters;
}

void FileAssembler::pop_section(std::string_view directive) {
  if (directive == ".previous") {
    std::swap(section_, previous_section_);
    return;
  }
  if (section_stack_.empty()) scanner_.fail(".popsection without .pushsection");
  section_ = section_stack_.back();
  section_stack_.pop_back();
}

// There is one of each section.
void FileAssembler::subsection(std::string_view) {
  const std::size_t column = scanner_.column();
  if (known("the number") != 0) throw Mismatch{column, "sections with parts are not supported", "0"};
}

// .comm name, size, alignment and .lcomm: zeros that a linker would find a place for.
void FileAssembler::common(std::string_view directive) {
  const std::size_t column = scanner_.column();
  const std::string name = symbol_name();
  scanner_.expect(",");
  const std::size_t size_column = scanner_.column();
  const std::int64_t size = known("the size");
  if (size < 0) throw Mismatch{size_column, fmt::format("a size of {}", size)};
  std::int64_t alignment = 1;
  if (scanner_.accept(",")) {
    const std::size_t alignment_column = scanner_.column();
    alignment = known("the alignment");
    constexpr std::int64_t kMost = 0x10000;
    if (alignment <= 0 || alignment > kMost || (alignment & (alignment - 1)))
      throw Mismatch{alignment_column, fmt::format("an alignment of {}", alignment),
                     "a power of two up to 65536"};
  }
  const int section = section_;
  section_ = section_called(".bss");
  align_to(static_cast<std::uint64_t>(alignment), 0u, 1, ~std::uint64_t{0});
  define(name, here(), column);
  AsmSymbol& defined = symbol(name);
  defined.type = elf::kSymbolObject;
  defined.size = Expression(size);
  if (directive == ".comm" && defined.binding == elf::kBindLocal) defined.binding = elf::kBindGlobal;
  try {
    grow(static_cast<std::uint64_t>(size), size_column);
  } catch (const Mismatch&) {
    section_ = section;
    throw;
  }
  section_ = section;
}

}  // namespace mockgpu::isa::amd
