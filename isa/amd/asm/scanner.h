#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mockgpu::isa::amd {

/// What is wrong with a line, and where: thrown while it is read. `legal` says what could stand there
/// instead, if that is known.
struct Mismatch {
  std::size_t column;  ///< bytes from the start of the line
  std::string message;
  std::string legal = {};
};

/// A number as written: both readings of `1.5`, and whether it has a fraction or exponent.
struct Number {
  std::uint64_t integer = 0;
  double real = 0;
  bool is_float = false;
};

/// Without the spaces and tabs around it.
std::string_view trimmed(std::string_view text);

/// Reads one line of assembler text, without comments. Everything skips spaces first, except `next`.
class Scanner {
 public:
  explicit Scanner(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  /// Column of what comes next.
  std::size_t column();
  void seek(std::size_t column) { at_ = column; }
  bool at_end() { return column() >= text_.size(); }

  /// The next character, 0 at the end.
  char peek();
  /// The character `ahead` places on, without skipping spaces; 0 past the end.
  char next(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  bool accept(std::string_view punctuation);
  /// Throws a Mismatch if something else stands there.
  void expect(std::string_view punctuation);

  /// Letters, digits, `_`, `.` and `$`, not starting with a digit; empty if there is none.
  std::string_view word();
  std::string_view peek_word();
  bool accept_word(std::string_view word);

  /// Whether a digit comes next, or a dot and a digit.
  bool at_number();
  /// 12, 0x1f, 0b101, 017, 1.5, 1e3. Throws a Mismatch for what is malformed or needs more than 64 bits.
  Number number();

  /// A text in double quotes with C's escapes; throws a Mismatch.
  std::string quoted();

  /// What is left, up to the end.
  std::string_view rest();
  std::string_view between(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin);
  }

  [[noreturn]] void fail(std::string message, std::string legal = {});

 private:
  void skip_integer_suffix();

  std::string_view text_;
  std::size_t at_;
};

/// Whether a name could go on with this character.
bool is_word_character(char c);

/// Names of instructions may be written in capitals.
std::string lowered(std::string_view text);

}  // namespace mockgpu::isa::amd
