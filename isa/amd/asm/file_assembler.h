#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/amd/asm/assemble.h"
#include "isa/amd/asm/kernel_directives.h"
#include "isa/amd/asm/parsed.h"

namespace mockgpu::isa::amd {

/// s_nop 0 of all generations: what LLVM aligns code with.
inline constexpr std::uint32_t kNop = 0xbf800000;

/// Thrown where the file turns out to be for waves of the other size.
struct OtherWaveSize {};

/// Thrown where branches of gfx10.1 need an s_nop after them that they do not have, by number from 1.
struct UnpaddedBranches {
  std::vector<std::size_t> numbers;
};

/// Assembles one source file; lives for that long.
class FileAssembler : public SymbolScope {
 public:
  /// Branches in `padded` get an s_nop.
  FileAssembler(const AsmSource& source, std::optional<bool> wave64, const std::set<std::size_t>& padded);

  /// Throws OtherWaveSize where the kernels ask for the other size than the constructor's guess, and
  /// UnpaddedBranches.
  Assembly run();

  bool find(std::string_view name, Value& value) const override;
  Value here() const override;
  std::string numeric_label(std::uint64_t number, bool forward) const override;

 private:
  using Handler = void (FileAssembler::*)(std::string_view directive);
  struct DirectiveName {
    std::string_view name;
    Handler handler;
  };
  struct Macro {
    struct Parameter {
      std::string name, usual;
      bool required = false, rest = false;
    };
    std::vector<Parameter> parameters;
    std::vector<SourceLinePtr> lines;
  };
  struct Condition {
    bool active, taken, parent;
    SourceLinePtr line;
    std::size_t depth;  // of the reader, where it was opened
  };

  // assemble.cpp
  void statement();
  void directive(std::string_view name, std::size_t column);
  void instruction();
  void track_registers(const ParsedInstruction& parsed);
  void report(const Mismatch& mismatch, const SourceLinePtr& line);
  void end_of_statement();
  void finish(Assembly& assembly);
  void make_offset_table();
  std::int64_t table_distance(const std::string& name) const;
  void resolve(const Fixup& fixup);
  void choose_target(const Target& target, std::string_view features, std::size_t column);
  const Target& target(std::size_t column);
  bool wave64() const;
  static Handler find_handler(std::string_view name);

  // directives_control.cpp
  bool control(std::string_view name);
  bool condition(std::string_view name);
  bool test(std::string_view name);
  void define_macro();
  bool use_macro(std::string_view name);
  std::string alternate(const std::string& argument, std::size_t column);
  void exit_macro();
  void forget_macro();
  void repeat_lines();
  void repeat_each(bool characters);
  void include_file();

  // directives_data.cpp
  void emit(std::uint64_t value, unsigned size);
  void emit_expressions(std::string_view directive);
  void emit_floats(std::string_view directive);
  void emit_text(std::string_view directive);
  void emit_octa(std::string_view directive);
  void include_bytes(std::string_view directive);
  void emit_leb128(std::string_view directive);
  void origin(std::string_view directive);
  void fill(std::string_view directive);
  void zero(std::string_view directive);
  void align(std::string_view directive);
  void align_to(std::uint64_t alignment, std::optional<std::uint32_t> filler, unsigned unit,
                std::uint64_t most);
  void grow(std::uint64_t size, std::size_t column);
  void ignore(std::string_view directive);
  void print(std::string_view directive);
  void warning(std::string_view directive);
  void warn(std::string_view text);

  // directives_symbols.cpp
  AsmSymbol& symbol(std::string_view name);
  void define(std::string_view name, Value value, std::size_t column);
  void set_variable(std::string_view name, std::size_t column, bool again);
  void set_symbol(std::string_view directive);
  void bind(std::string_view directive);
  void type(std::string_view directive);
  void size(std::string_view directive);
  void section(std::string_view directive);
  void named_section(std::string_view directive);
  std::string section_name();
  std::string section_flags();
  void pop_section(std::string_view directive);
  void subsection(std::string_view directive);
  void common(std::string_view directive);
  int section_called(std::string_view name);

  // directives_kernel.cpp
  void target_directive(std::string_view directive);
  void object_version(std::string_view directive);
  void group_memory(std::string_view directive);
  void kernel(std::string_view directive);
  void end_kernel(std::string_view directive);
  void kernel_value(std::string_view directive);
  void metadata(std::string_view directive);

  std::int64_t known(std::string_view what);
  std::string symbol_name();

  const AsmSource& source_;
  std::optional<bool> wave64_;
  const std::set<std::size_t>& padded_;
  UnpaddedBranches unpadded_;
  std::size_t branches_ = 0;
  SourceReader reader_;
  SourceLinePtr line_;
  Scanner scanner_{""};
  const Target* target_ = nullptr;
  ObjectParts parts_;
  int section_ = 0, previous_section_ = 0;
  std::vector<int> section_stack_;
  std::unordered_map<std::string, std::size_t> symbol_index_;
  std::unordered_map<std::string, int> section_index_;
  std::map<std::uint64_t, unsigned> numeric_labels_;
  std::map<std::string, Macro, std::less<>> macros_;
  std::vector<Condition> conditions_;
  std::vector<Fixup> fixups_;
  std::map<std::string, Value> offset_table_;  // entries of .got, by symbol
  struct Mark {
    int section;
    std::uint64_t offset;
    SourceLinePtr line;
  };
  std::vector<Mark> marks_;
  std::optional<KernelDirectives> kernel_;
  SourceLinePtr kernel_line_;
  std::uint64_t total_bytes_ = 0;  // of all sections
  std::int64_t group_memory_ = 0;  // bytes that .amdgpu_lds has given away
  bool alternate_macros_ = false;
  unsigned macros_used_ = 0;  // what \@ stands for
  std::int64_t next_free_vgpr_ = 0, next_free_sgpr_ = 0;
  std::vector<Diagnostic> diagnostics_;
  std::vector<std::string> notes_;
  mutable int depth_ = 0;            // of .set symbols that name each other
  mutable unsigned references_ = 0;  // of those, for one value
  mutable bool endless_ = false;     // some of them do so without end
};

}  // namespace mockgpu::isa::amd
