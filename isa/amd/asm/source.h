#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "isa/amd/asm/diagnostic.h"

namespace mockgpu::isa::amd {

/// Gives the text of a file that `.include` names; throws Error if there is none.
using IncludeReader = std::function<std::string(const std::string& name)>;

/// Where a line stands, shared by everything that was read from it.
struct SourceLine {
  std::string file;
  std::size_t number = 0;
  std::string text;  ///< without comments, macro arguments put in
  std::vector<std::string> expanded_from;
  bool opens_endless_comment = false;  ///< a /* without */
};
using SourceLinePtr = std::shared_ptr<const SourceLine>;

/// The lines of a source file, with comments cut, files included, and macros and repetitions expanded as they
/// are asked for. Conditions are the reader's caller's business, as they need symbols.
class SourceReader {
 public:
  SourceReader(std::string file, std::string_view text, IncludeReader include);

  /// The next line, or null at the end. Throws a Mismatch for endless expansion.
  SourceLinePtr next();

  /// Lines up to `end` (such as .endm), which is not part of them; `begin` nests. Throws a Mismatch if it is
  /// missing.
  std::vector<SourceLinePtr> block(std::string_view begin, std::string_view end);

  void include(const std::string& name, const SourceLine& by);
  /// Reads these lines next, `count` times, with `\parameter` replaced by its value.
  void repeat(const std::vector<SourceLinePtr>& lines,
              const std::vector<std::map<std::string, std::string>>& rounds, const SourceLine& by,
              const std::string& why);

  /// The number that \@ stands for in the next macro.
  unsigned expansions() const { return expansions_; }

 private:
  struct Input {
    std::vector<SourceLinePtr> lines;
    std::size_t at = 0;
  };

  static std::vector<SourceLinePtr> split(const std::string& file, std::string_view text,
                                          const std::vector<std::string>& from);
  void check_depth();

  IncludeReader include_;
  std::vector<Input> inputs_;
  std::size_t produced_ = 0;
  unsigned expansions_ = 0;
};

}  // namespace mockgpu::isa::amd
