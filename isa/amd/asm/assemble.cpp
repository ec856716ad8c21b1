#include "isa/amd/asm/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "isa/amd/asm/file_assembler.h"

namespace mockgpu::isa::amd {
namespace {

constexpr std::size_t kMostDiagnostics = 20;
// .set symbols that refer to each other.
constexpr int kMostReferences = 100;
constexpr unsigned kMostEvaluations = 10'000;
// gfx10.1 takes a branch over this many dwords wrongly (LLVM's FeatureOffset3fBug), unless an s_nop follows.
constexpr std::int64_t kWrongDistance = 0x3f;

}  // namespace

FileAssembler::FileAssembler(const AsmSource& source, std::optional<bool> wave64,
                             const std::set<std::size_t>& padded)
    : source_(source), wave64_(wave64), padded_(padded), reader_(source.file, source.text, source.include) {
  section_called(".text");
  if (source.target) choose_target(*source.target, {}, 0);
  const auto outside = std::make_shared<SourceLine>();
  outside->file = "--defsym";
  line_ = outside;
  for (const auto& [name, value] : source.symbols) {
    AsmSymbol& set = symbol(name);
    set.defined = set.variable = true;
    set.value = {value};
  }
}

Assembly FileAssembler::run() {
  for (;;) {
    try {
      line_ = reader_.next();
      if (!line_) break;
      if (line_->opens_endless_comment) throw Mismatch{0, "/* without */"};
      scanner_ = Scanner(line_->text);
      statement();
    } catch (const Mismatch& mismatch) {
      report(mismatch, line_);
    }
  }
  Assembly assembly;
  finish(assembly);
  assembly.diagnostics = std::move(diagnostics_);
  assembly.notes = std::move(notes_);
  return assembly;
}

void FileAssembler::report(const Mismatch& mismatch, const SourceLinePtr& line) {
  if (diagnostics_.size() == kMostDiagnostics) return;
  Diagnostic diagnostic = diagnose(mismatch, line ? line->file : source_.file, line ? line->number : 1,
                                   line ? std::string_view(line->text) : std::string_view());
  if (line && line->expanded_from) diagnostic.expanded_from = *line->expanded_from;
  // An undefined symbol is missed by the instruction and by the table of addresses.
  for (const Diagnostic& earlier : diagnostics_)
    if (earlier.line == diagnostic.line && earlier.file == diagnostic.file &&
        earlier.message == diagnostic.message && earlier.expanded_from == diagnostic.expanded_from)
      return;
  diagnostics_.push_back(std::move(diagnostic));
}

// Labels, then a directive, an instruction, a macro or `symbol = expression`.
void FileAssembler::statement() {
  for (;;) {
    const std::size_t column = scanner_.column();
    if (scanner_.at_end() || scanner_.peek() == '#') return;
    const bool active = conditions_.empty() || conditions_.back().active;
    if (active && scanner_.peek() != '.' && scanner_.at_number()) {
      const Number number = scanner_.number();
      scanner_.expect(":");
      const std::string name = numeric_label(number.integer, true);
      ++numeric_labels_[number.integer];
      define(name, here(), column);
      continue;
    }
    std::string name(scanner_.peek() == '"' && active ? scanner_.quoted() : std::string(scanner_.word()));
    if (control(name) || !active) return;
    if (name.empty()) scanner_.fail("expected a label, a directive or an instruction");
    const bool label = scanner_.peek() == ':' && scanner_.next(1) != ':';
    if (label) {
      scanner_.accept(":");
      if (kernel_) throw Mismatch{column, "a label inside .amdhsa_kernel"};
      define(name, here(), column);
      continue;
    }
    if (scanner_.peek() == '=' && scanner_.next(1) != '=') {
      scanner_.accept("=");
      set_variable(name, column, true);
      end_of_statement();
      return;
    }
    if (use_macro(name)) return;
    if (name[0] == '.') {
      directive(name, column);
      return;
    }
    if (kernel_) throw Mismatch{column, "an instruction inside .amdhsa_kernel"};
    scanner_.seek(column);
    instruction();
    return;
  }
}

void FileAssembler::end_of_statement() {
  if (!scanner_.at_end()) scanner_.fail("unexpected text at the end of the statement");
}

void FileAssembler::directive(std::string_view name, std::size_t column) {
  if (name.starts_with(".amdhsa_") && name != ".amdhsa_kernel" && name != ".amdhsa_code_object_version") {
    if (!kernel_) throw Mismatch{column, fmt::format("{} outside .amdhsa_kernel", name)};
    kernel_value(name);
    end_of_statement();
    return;
  }
  const Handler handler = find_handler(name);
  if (!handler) throw Mismatch{column, fmt::format("unknown directive {}", name)};
  if (kernel_ && name != ".end_amdhsa_kernel")
    throw Mismatch{column, fmt::format("{} inside .amdhsa_kernel", name)};
  (this->*handler)(name);
  end_of_statement();
}

FileAssembler::Handler FileAssembler::find_handler(std::string_view name) {
  using A = FileAssembler;
  static constexpr DirectiveName kDirectives[] = {
      {".byte", &A::emit_expressions},
      {".short", &A::emit_expressions},
      {".hword", &A::emit_expressions},
      {".2byte", &A::emit_expressions},
      {".long", &A::emit_expressions},
      {".int", &A::emit_expressions},
      {".4byte", &A::emit_expressions},
      {".quad", &A::emit_expressions},
      {".8byte", &A::emit_expressions},
      {".float", &A::emit_floats},
      {".single", &A::emit_floats},
      {".double", &A::emit_floats},
      {".ascii", &A::emit_text},
      {".asciz", &A::emit_text},
      {".string", &A::emit_text},
      {".fill", &A::fill},
      {".zero", &A::zero},
      {".space", &A::zero},
      {".skip", &A::zero},
      {".p2align", &A::align},
      {".balign", &A::align},
      {".p2alignl", &A::align},
      {".p2alignw", &A::align},
      {".balignl", &A::align},
      {".balignw", &A::align},
      {".align", &A::align},
      {".dc.b", &A::emit_expressions},
      {".dc.w", &A::emit_expressions},
      {".dc.l", &A::emit_expressions},
      {".dc.a", &A::emit_expressions},
      {".dc.s", &A::emit_floats},
      {".dc.d", &A::emit_floats},
      {".octa", &A::emit_octa},
      {".incbin", &A::include_bytes},
      {".uleb128", &A::emit_leb128},
      {".sleb128", &A::emit_leb128},
      {".org", &A::origin},
      {".comm", &A::common},
      {".lcomm", &A::common},
      {".subsection", &A::subsection},
      {".print", &A::print},
      {".warning", &A::warning},
      {".set", &A::set_symbol},
      {".equ", &A::set_symbol},
      {".equiv", &A::set_symbol},
      {".extern", &A::bind},
      {".globl", &A::bind},
      {".global", &A::bind},
      {".local", &A::bind},
      {".weak", &A::bind},
      {".hidden", &A::bind},
      {".internal", &A::bind},
      {".protected", &A::bind},
      {".type", &A::type},
      {".size", &A::size},
      {".text", &A::section},
      {".data", &A::section},
      {".bss", &A::section},
      {".rodata", &A::section},
      {".section", &A::named_section},
      {".pushsection", &A::named_section},
      {".popsection", &A::pop_section},
      {".previous", &A::pop_section},
      {".amdgcn_target", &A::target_directive},
      {".amdhsa_kernel", &A::kernel},
      {".amdhsa_code_object_version", &A::object_version},
      {".end_amdhsa_kernel", &A::end_kernel},
      {".amdgpu_metadata", &A::metadata},
      {".amdgpu_lds", &A::group_memory},
  };
  for (const DirectiveName& directive : kDirectives)
    if (directive.name == name) return directive.handler;
  // What concerns debuggers, unwinders and linkers only.
  static constexpr std::string_view kIgnored[] = {".ident",
                                                  ".file",
                                                  ".loc",
                                                  ".line",
                                                  ".addrsig",
                                                  ".addrsig_sym",
                                                  ".cfi_sections",
                                                  ".cfi_startproc",
                                                  ".cfi_endproc",
                                                  ".cfi_def_cfa",
                                                  ".cfi_def_cfa_offset",
                                                  ".cfi_adjust_cfa_offset",
                                                  ".cfi_def_cfa_register",
                                                  ".cfi_llvm_def_aspace_cfa",
                                                  ".cfi_offset",
                                                  ".cfi_rel_offset",
                                                  ".cfi_val_offset",
                                                  ".cfi_register",
                                                  ".cfi_same_value",
                                                  ".cfi_undefined",
                                                  ".cfi_restore",
                                                  ".cfi_remember_state",
                                                  ".cfi_restore_state",
                                                  ".cfi_escape",
                                                  ".cfi_return_column",
                                                  ".cfi_signal_frame",
                                                  ".cfi_personality",
                                                  ".cfi_lsda",
                                                  ".cfi_label"};
  for (std::string_view ignored : kIgnored)
    if (ignored == name) return &A::ignore;
  return nullptr;
}

const Target& FileAssembler::target(std::size_t column) {
  if (!target_)
    throw Mismatch{column,
                   "the target is not known: .amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\", or --target"};
  return *target_;
}

bool FileAssembler::wave64() const { return wave64_.value_or(target_ && !target_->wave32); }

void FileAssembler::instruction() {
  const std::size_t column = scanner_.column();
  const Target& target = this->target(column);
  AsmSection& section = parts_.sections[static_cast<std::size_t>(section_)];
  if (section.no_bits) throw Mismatch{column, fmt::format("section {} holds zeros only", section.name)};
  const std::size_t start = column;
  ParsedInstruction parsed;
  try {
    parsed = parse_instruction(target, wave64(), scanner_.rest(), *this);
  } catch (Mismatch& mismatch) {
    mismatch.column += start;
    throw;
  }
  if (!parsed.warning.empty()) warn(parsed.warning);
  track_registers(parsed);
  if (parsed.pending) {
    Fixup fixup;
    fixup.kind = parsed.pending->is_branch ? Fixup::Kind::branch : Fixup::Kind::literal;
    fixup.section = section_;
    fixup.size = parsed.pending->is_wide ? 8 : 4;
    fixup.offset = section.data.size() + (parsed.pending->is_branch ? 0 : parsed.bytes.size() - fixup.size);
    fixup.expression = parsed.pending->expression;
    fixup.expression.move_right(start);
    fixup.line = line_;
    if (fixup.kind == Fixup::Kind::branch && target.generation == Generation::rdna1 &&
        parsed.instruction.encoding == Encoding::sopp) {
      fixup.branch = ++branches_;
      if (padded_.contains(fixup.branch)) {
        const auto nop = std::as_bytes(std::span(&kNop, 1));
        parsed.bytes.insert(parsed.bytes.end(), nop.begin(), nop.end());
      }
    }
    fixups_.push_back(std::move(fixup));
  }
  marks_.push_back({section_, section.data.size(), line_});
  section.data.insert(section.data.end(), parsed.bytes.begin(), parsed.bytes.end());
}

// For the symbols .amdgcn.next_free_vgpr and .amdgcn.next_free_sgpr.
void FileAssembler::track_registers(const ParsedInstruction& parsed) {
  for (const Operand& operand : parsed.instruction.ops()) {
    const std::int64_t end = std::int64_t{operand.index} + operand.dwords;
    if (operand.kind == OperandKind::vgpr) next_free_vgpr_ = std::max(next_free_vgpr_, end);
    if (operand.kind == OperandKind::sgpr && operand.index < target_->sgprs)
      next_free_sgpr_ = std::max(next_free_sgpr_, end);
  }
}

Value FileAssembler::here() const {
  const auto& section = parts_.sections[static_cast<std::size_t>(section_)];
  return {static_cast<std::int64_t>(section.data.size()), section_, true};
}

bool FileAssembler::find(std::string_view name, Value& value) const {
  if (name.starts_with(".amdgcn.")) {
    const std::string_view rest = name.substr(8);
    value = {};
    if (rest == "next_free_vgpr")
      value.offset = next_free_vgpr_;
    else if (rest == "next_free_sgpr")
      value.offset = next_free_sgpr_;
    else if (rest == "gfx_generation_number" && target_)
      value.offset = target_->version[0];
    else if (rest == "gfx_generation_minor" && target_)
      value.offset = target_->version[1];
    else if (rest == "gfx_generation_stepping" && target_)
      value.offset = target_->version[2];
    else
      return false;
    return true;
  }
  const auto it = symbol_index_.find(std::string(name));
  if (it == symbol_index_.end()) return false;
  const AsmSymbol& symbol = parts_.symbols[it->second];
  if (!symbol.defined) return false;
  value = symbol.value;
  if (!symbol.expression) return true;
  if (depth_ > kMostReferences) {
    endless_ = true;
    throw Mismatch{0,
                   fmt::format("symbol {} is defined by itself, or over {} others", name, kMostReferences)};
  }
  if (depth_ == 0) references_ = 0;
  if (++references_ > kMostEvaluations)
    throw Mismatch{0, fmt::format("symbol {} takes more than {} others to evaluate", name, kMostEvaluations)};
  ++depth_;
  bool known = false;
  try {
    known = symbol.expression->evaluate(*this, value);
  } catch (...) {
    --depth_;
    throw;
  }
  --depth_;
  return known;
}

std::string FileAssembler::numeric_label(std::uint64_t number, bool forward) const {
  const auto it = numeric_labels_.find(number);
  const unsigned seen = it == numeric_labels_.end() ? 0 : it->second;
  return Expression::numeric_label_name(number, forward ? seen + 1 : seen);
}

void FileAssembler::finish(Assembly& assembly) {
  if (!conditions_.empty()) report({0, ".if without .endif"}, conditions_.back().line);
  if (kernel_) report({0, ".amdhsa_kernel without .end_amdhsa_kernel"}, kernel_line_);
  if (!target_) {
    if (diagnostics_.empty())
      report({0, "the target is not known", ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\""}, nullptr);
    return;
  }
  std::size_t relocations = 0;
  // Deferred values are fixed now, so that the symbol table has numbers.
  for (AsmSymbol& symbol : parts_.symbols) {
    if (diagnostics_.size() == kMostDiagnostics) return;
    try {
      Value value;
      if (symbol.expression && !endless_ && find(symbol.name, value)) symbol.value = value;
      if (!symbol.size) continue;
      std::string undefined;
      if (!symbol.size->evaluate(*this, value, &undefined))
        throw Mismatch{symbol.size->column(),
                       fmt::format("undefined symbol {} in the size of {}", undefined, symbol.name)};
      if (!value.is_absolute())
        throw Mismatch{symbol.size->column(), fmt::format("the size of {} is no number", symbol.name)};
      symbol.size = Expression(value.offset);
    } catch (const Mismatch& mismatch) {
      report(mismatch, symbol.size ? symbol.size_line : symbol.line);
    }
  }
  make_offset_table();
  std::vector<bool> relative(fixups_.size());
  for (std::size_t i = 0; i < fixups_.size(); ++i) {
    const Fixup& fixup = fixups_[i];
    if (!parts_.sections[static_cast<std::size_t>(fixup.section)].alloc) continue;
    Value value;
    try {
      std::string undefined;
      if (!fixup.expression.evaluate(*this, value, &undefined))
        throw Mismatch{fixup.expression.column(), fmt::format("undefined symbol {}", undefined)};
      relative[i] = fixup.kind == Fixup::Kind::data && fixup.size == 8 && !value.is_absolute() &&
                    fixup.expression.variant() == SymbolVariant::none;
      relocations += relative[i];
    } catch (const Mismatch& mismatch) {
      report(mismatch, fixup.line);
    }
  }
  if (!diagnostics_.empty()) return;
  lay_out(parts_, relocations);
  for (std::size_t i = 0; i < fixups_.size(); ++i) {
    try {
      const AsmSection& section = parts_.sections[static_cast<std::size_t>(fixups_[i].section)];
      if (!section.alloc) continue;
      resolve(fixups_[i]);
      if (relative[i]) parts_.relative_places.push_back(section.address + fixups_[i].offset);
    } catch (const Mismatch& mismatch) {
      report(mismatch, fixups_[i].line);
    }
  }
  if (!diagnostics_.empty()) return;
  if (!unpadded_.numbers.empty()) throw unpadded_;
  for (const Mark& mark : marks_) {
    const AsmSection& section = parts_.sections[static_cast<std::size_t>(mark.section)];
    if (section.alloc)
      assembly.lines.push_back({section.address + mark.offset, mark.line->file, mark.line->number});
  }
  std::stable_sort(assembly.lines.begin(), assembly.lines.end(),
                   [](const LineMark& a, const LineMark& b) { return a.address < b.address; });
  assembly.object = write_elf(parts_);
}

// .got: an entry with the address of each symbol that @gotpcrel32 asks for.
void FileAssembler::make_offset_table() {
  std::vector<Fixup> entries;
  for (const Fixup& fixup : fixups_) {
    if (!fixup.expression.wants_table() || offset_table_.contains(fixup.expression.variant_symbol()))
      continue;
    const int section = section_called(".got");
    AsmSection& table = parts_.sections[static_cast<std::size_t>(section)];
    table.writable = table.alloc = true;
    table.align = std::max<std::uint64_t>(table.align, 8);
    Fixup entry;
    entry.section = section;
    entry.offset = table.data.size();
    entry.size = 8;
    entry.expression = Expression::of_symbol(fixup.expression.variant_symbol());
    entry.line = fixup.line;
    offset_table_[fixup.expression.variant_symbol()] = {static_cast<std::int64_t>(entry.offset), section};
    table.data.resize(table.data.size() + entry.size);
    entries.push_back(std::move(entry));
  }
  for (Fixup& entry : entries) fixups_.push_back(std::move(entry));
}

// How far the table's entry for a symbol is from the symbol itself.
std::int64_t FileAssembler::table_distance(const std::string& name) const {
  const auto address = [&](const Value& value) {
    if (value.is_absolute()) return value.offset;
    return value.offset +
           static_cast<std::int64_t>(parts_.sections[static_cast<std::size_t>(value.section)].address);
  };
  Value symbol;
  find(name, symbol);
  return address(offset_table_.at(name)) - address(symbol);
}

void FileAssembler::resolve(const Fixup& fixup) {
  AsmSection& section = parts_.sections[static_cast<std::size_t>(fixup.section)];
  const std::size_t column = fixup.expression.column();
  Value value;
  fixup.expression.evaluate(*this, value);
  const auto place = static_cast<std::int64_t>(section.address + fixup.offset);
  std::int64_t result = value.offset;
  if (!value.is_absolute())
    result += static_cast<std::int64_t>(parts_.sections[static_cast<std::size_t>(value.section)].address);
  std::byte* bytes = section.data.data() + fixup.offset;
  if (fixup.kind == Fixup::Kind::branch) {
    if (value.is_absolute()) throw Mismatch{column, "a branch goes to a label or over a number of dwords"};
    const std::int64_t distance = result - place - 4;
    if (distance % 4) throw Mismatch{column, "the label is not at a multiple of four bytes"};
    if (distance / 4 < -0x8000 || distance / 4 > 0x7fff)
      throw Mismatch{column, fmt::format("the label is {} bytes away; a branch reaches 131068", distance)};
    if (fixup.branch && distance / 4 == kWrongDistance) unpadded_.numbers.push_back(fixup.branch);
    const auto simm16 = static_cast<std::uint16_t>(distance / 4);
    std::memcpy(bytes, &simm16, sizeof simm16);
    return;
  }
  if (fixup.kind == Fixup::Kind::entry) {
    if (value.is_absolute()) throw Mismatch{0, "the kernel's symbol is no label"};
    const std::int64_t distance =
        result - (place - static_cast<std::int64_t>(
                              offsetof(object::KernelDescriptor, kernel_code_entry_byte_offset)));
    std::memcpy(bytes, &distance, sizeof distance);
    return;
  }
  switch (fixup.expression.variant()) {
    case SymbolVariant::rel32_lo: result = static_cast<std::uint32_t>(result - place); break;
    case SymbolVariant::rel32_hi: result = static_cast<std::uint32_t>((result - place) >> 32); break;
    case SymbolVariant::rel64:
      if (fixup.size < 8)
        throw Mismatch{column, "a distance of 64 bits in a value of 32", "@rel32@lo @rel32@hi"};
      result -= place;
      break;
    case SymbolVariant::gotpcrel32_lo:
    case SymbolVariant::gotpcrel32_hi: {
      // The table's entry stands for the symbol.
      const std::int64_t distance = result + table_distance(fixup.expression.variant_symbol()) - place;
      const bool low = fixup.expression.variant() == SymbolVariant::gotpcrel32_lo;
      result = static_cast<std::uint32_t>(low ? distance : distance >> 32);
      break;
    }
    case SymbolVariant::abs32_lo:
    case SymbolVariant::abs32_hi:
      if (value.is_absolute()) {
        const bool low = fixup.expression.variant() == SymbolVariant::abs32_lo;
        result = static_cast<std::uint32_t>(low ? result : result >> 32);
        break;
      }
      throw Mismatch{column, "absolute addresses in code need a loader's help, which is not supported",
                     "@rel32@lo @rel32@hi"};
    case SymbolVariant::none:
      if (value.is_absolute()) break;
      // In code LLVM takes the distance, as with @rel32@lo.
      if (fixup.kind == Fixup::Kind::literal)
        result -= place;
      else if (fixup.size < 8)
        throw Mismatch{column, fmt::format("an address does not fit in {} bytes", fixup.size),
                       "a difference of addresses, or symbol@rel32@lo"};
  }
  const unsigned bits = fixup.size * 8;
  if (bits < 64 && (result >> bits) != 0 && (result >> (bits - 1)) != -1)
    throw Mismatch{column, fmt::format("{} does not fit in {} bytes", result, fixup.size)};
  std::memcpy(bytes, &result, fixup.size);
}

Assembly assemble(const AsmSource& source) {
  const auto refused = [&](std::string message) {
    Assembly assembly;
    assembly.diagnostics.push_back(diagnose({0, std::move(message)}, source.file, 1, ""));
    return assembly;
  };
  // A branch that gets its s_nop moves others, so that they may need theirs.
  constexpr int kMostRounds = 100;
  for (const auto& [name, value] : source.symbols)
    if (name.starts_with(".amdgcn.")) return refused(fmt::format("{} is not to be set from outside", name));
  if (source.wave64 && source.target && !source.target->wave64)
    return refused(fmt::format("{} has no waves of 64 lanes", source.target->name));
  std::optional<bool> wave64;
  if (source.wave64) wave64 = true;
  std::set<std::size_t> padded;
  for (int round = 0; round < kMostRounds; ++round) {
    try {
      return FileAssembler(source, wave64, padded).run();
    } catch (const OtherWaveSize&) {
      if (source.wave64) return refused("a kernel of the file says that its waves have 32 lanes");
      if (wave64) return refused("the file has kernels of both wave sizes, which need files of their own");
      wave64 = true;
    } catch (const UnpaddedBranches& found) {
      padded.insert(found.numbers.begin(), found.numbers.end());
    }
  }
  return refused("too many branches over 63 dwords, which gfx10.1 takes only before an s_nop");
}

}  // namespace mockgpu::isa::amd
