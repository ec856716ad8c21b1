#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "isa/amd/asm/diagnostic.h"

namespace mockgpu::isa::amd {

/// Gives the contents of a file that `.include` or `.incbin` names; throws Error if there is none.
using IncludeReader = std::function<std::string(const std::string& name)>;

/// Where a line stands, shared by everything that was read from it.
struct SourceLine {
  std::string file;
  std::size_t number = 0;
  std::string text;  ///< without comments, macro arguments put in
  std::shared_ptr<const std::vector<std::string>> expanded_from;  ///< as Diagnostic has it; null: nothing
  bool opens_endless_comment = false;                             ///< a /* without */
};
using SourceLinePtr = std::shared_ptr<const SourceLine>;

/// The lines of a source file, with comments cut, files included, and macros and repetitions expanded as they
/// are asked for. Conditions are the reader's caller's business, as they need symbols.
class SourceReader {
 public:
  SourceReader(std::string file, std::string_view text, IncludeReader include);

  /// The next line, or null at the end. Throws a Mismatch for endless expansion.
  SourceLinePtr next();

  /// No more lines come.
  void end() { inputs_.clear(); }

  /// Lines up to `end` (such as .endm), which is not part of them; `begin` nests, and with .endr everything
  /// that it ends. Throws a Mismatch if it is missing.
  std::vector<SourceLinePtr> block(std::string_view begin, std::string_view end);

  void include(const std::string& name, std::size_t column, const SourceLine& by);
  /// All of a file. Throws a Mismatch at this column if there is none.
  std::string contents(const std::string& name, std::size_t column) const;
  /// Reads these lines next, once for each of `rounds`, with `\parameter` replaced by its value; and all that
  /// `times` times.
  void repeat(std::vector<SourceLinePtr> lines, std::vector<std::map<std::string, std::string>> rounds,
              std::size_t times, const SourceLine& by, const std::string& why);

  /// How many files, macros and repetitions the last line is in.
  std::size_t depth() const { return inputs_.size(); }
  /// No more lines come of the innermost macro or repetition that the last line is in. False if it is in
  /// none.
  bool leave();

 private:
  using Places = std::shared_ptr<const std::vector<std::string>>;
  struct Input {
    std::vector<SourceLinePtr> lines;
    std::size_t at = 0;
    // Of a repetition; a file has one round, and its lines are as they are.
    std::vector<std::map<std::string, std::string>> rounds;
    std::size_t round = 0, count = 1;
    Places from;
  };

  static std::vector<SourceLinePtr> split(const std::string& file, std::string_view text, const Places& from);
  static Places places(std::string place, const SourceLine& by);
  static SourceLinePtr take(Input& input);
  void push(Input input);
  void check_depth();

  IncludeReader include_;
  std::vector<Input> inputs_;
  std::size_t produced_ = 0, characters_ = 0;
};

}  // namespace mockgpu::isa::amd
