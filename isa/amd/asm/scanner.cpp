#include "isa/amd/asm/scanner.h"

#include <fmt/format.h>

#include <cstdlib>

namespace mockgpu::isa::amd {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int digit_of(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool is_word_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::size_t Scanner::column() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  return at_;
}

char Scanner::peek() {
  column();
  return next();
}

bool Scanner::accept(std::string_view punctuation) {
  column();
  if (text_.substr(at_ < text_.size() ? at_ : text_.size()).substr(0, punctuation.size()) != punctuation)
    return false;
  at_ += punctuation.size();
  return true;
}

void Scanner::expect(std::string_view punctuation) {
  if (!accept(punctuation)) fail(fmt::format("expected '{}'", punctuation));
}

std::string_view Scanner::word() {
  const std::size_t begin = column();
  if (is_digit(next())) return {};
  while (is_word_character(next())) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view Scanner::peek_word() {
  const std::size_t begin = column();
  const std::string_view found = word();
  at_ = begin;
  return found;
}

bool Scanner::accept_word(std::string_view expected) {
  if (peek_word() != expected || expected.empty()) return false;
  at_ += expected.size();
  return true;
}

bool Scanner::at_number() {
  column();
  return is_digit(next()) || (next() == '.' && is_digit(next(1)));
}

Number Scanner::number() {
  const std::size_t begin = column();
  Number result;
  unsigned base = 10;
  if (next() == '0' && (next(1) == 'x' || next(1) == 'X')) {
    base = 16;
    at_ += 2;
  } else if (next() == '0' && (next(1) == 'b' || next(1) == 'B') && is_digit(next(2))) {
    base = 2;
    at_ += 2;
  }
  const std::size_t digits = at_;
  bool too_large = false;
  while (digit_of(next()) < static_cast<int>(base)) {
    const auto digit = static_cast<std::uint64_t>(digit_of(next()));
    too_large |= result.integer > (~std::uint64_t{0} - digit) / base;
    result.integer = result.integer * base + digit;
    ++at_;
  }
  const bool exponent = (next() == 'e' || next() == 'E') &&
                        (is_digit(next(1)) || ((next(1) == '-' || next(1) == '+') && is_digit(next(2))));
  const bool hexadecimal = base == 16 && (next() == '.' || next() == 'p' || next() == 'P');
  if (hexadecimal || (base == 10 && (next() == '.' || exponent))) {
    result.is_float = true;
    while (next() == '.' || digit_of(next()) < static_cast<int>(base)) ++at_;
    const char lower = base == 16 ? 'p' : 'e', upper = base == 16 ? 'P' : 'E';
    if ((next() == lower || next() == upper) && at_ > begin) {
      ++at_;
      if (next() == '-' || next() == '+') ++at_;
      while (is_digit(next())) ++at_;
    }
    const std::string text(text_.substr(begin, at_ - begin));
    if (hexadecimal && text.find_first_of("pP") == std::string::npos)
      throw Mismatch{begin, "a hexadecimal fraction has an exponent", "0x1.8p3"};
    char* end = nullptr;
    result.real = std::strtod(text.c_str(), &end);
    if (*end != '\0' || is_word_character(next()))
      throw Mismatch{begin, fmt::format("\"{}\" is no number", text)};
    return result;
  }
  if (base == 10 && at_ > digits + 1 && text_[digits] == '0') {
    result.integer = 0;
    for (std::size_t i = digits; i < at_; ++i) {
      if (text_[i] > '7')
        throw Mismatch{begin, "a number that starts with 0 is octal: its digits are 0 to 7"};
      result.integer = result.integer << 3 | static_cast<std::uint64_t>(text_[i] - '0');
    }
  }
  if (at_ > digits) skip_integer_suffix();
  if (at_ == digits || is_word_character(next())) {
    while (is_word_character(next())) ++at_;
    throw Mismatch{begin, fmt::format("\"{}\" is no number", text_.substr(begin, at_ - begin))};
  }
  if (too_large) throw Mismatch{begin, "the number needs more than 64 bits"};
  result.real = static_cast<double>(result.integer);
  return result;
}

// u, l, ul, ll and ull, as C has them, in capitals too.
void Scanner::skip_integer_suffix() {
  if (next() == 'U' || next() == 'u') ++at_;
  for (int i = 0; i < 2; ++i)
    if (next() == 'L' || next() == 'l') ++at_;
}

std::string Scanner::quoted() {
  expect("\"");
  std::string text;
  for (;;) {
    if (at_ >= text_.size()) throw Mismatch{at_, "the text has no closing quote"};
    char c = text_[at_++];
    if (c == '"') return text;
    if (c == '\\') {
      c = next();
      ++at_;
      switch (c) {
        case 'n': c = '\n'; break;
        case 't': c = '\t'; break;
        case 'r': c = '\r'; break;
        case 'b': c = '\b'; break;
        case 'f': c = '\f'; break;
        case '\\':
        case '"': break;
        case 'x':
        case 'X': {
          // Of any number of digits the last two count.
          unsigned value = 0;
          if (digit_of(next()) > 15) throw Mismatch{at_ - 1, "a hexadecimal escape without digits", "\\x41"};
          for (; digit_of(next()) <= 15; ++at_) value = value * 16 + static_cast<unsigned>(digit_of(next()));
          c = static_cast<char>(value & 0xff);
          break;
        }
        default: {
          unsigned value = 0, count = 0;
          for (--at_; count < 3 && next() >= '0' && next() <= '7'; ++count, ++at_)
            value = value * 8 + static_cast<unsigned>(next() - '0');
          if (count == 0)
            throw Mismatch{at_ - 1, "unknown escape", "\\n \\t \\r \\b \\f \\\\ \\\" \\123 \\x41"};
          c = static_cast<char>(value);
        }
      }
    }
    text += c;
  }
}

std::string_view Scanner::rest() {
  std::string_view rest = text_.substr(column());
  at_ = text_.size();
  while (!rest.empty() && is_space(rest.back())) rest.remove_suffix(1);
  return rest;
}

void Scanner::fail(std::string message, std::string legal) {
  throw Mismatch{column(), std::move(message), std::move(legal)};
}

}  // namespace mockgpu::isa::amd
