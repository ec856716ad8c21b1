#include "isa/amd/asm/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

namespace mockgpu::isa::amd {
namespace {

// The text with what is too long to be read, such as a name of a million letters, cut.
std::string shortened(std::string_view text) {
  constexpr std::size_t kLongestWord = 100, kKept = 60;
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size() - 1) + 1;
    const std::string_view word = text.substr(0, end);
    result += word.substr(0, word.size() > kLongestWord ? kKept : word.size());
    if (word.size() > kLongestWord) result += word.back() == ' ' ? "... " : "...";
    text.remove_prefix(end);
  }
  return result;
}

}  // namespace

Diagnostic diagnose(const Mismatch& mismatch, std::string file, std::size_t line, std::string_view source) {
  Diagnostic diagnostic;
  diagnostic.file = std::move(file);
  diagnostic.line = line;
  diagnostic.column = std::min(mismatch.column, source.size()) + 1;
  diagnostic.message = shortened(mismatch.message);
  diagnostic.legal = mismatch.legal;
  diagnostic.source = source;
  return diagnostic;
}

Error to_error(const Diagnostic& diagnostic) {
  constexpr std::size_t kLongest = 200;
  std::string place = fmt::format("{}:{}", diagnostic.line, diagnostic.column);
  if (!diagnostic.file.empty()) place = fmt::format("{}:{}", diagnostic.file, place);
  Error error(Tag::bad_file, fmt::format("{}: {}", place, diagnostic.message));
  // Control characters would move the caret, or worse.
  std::string text = diagnostic.source;
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  if (text.size() <= kLongest) {
    error.add(fmt::format("{}", diagnostic.line), fmt::format("| {}", text));
    error.add("", fmt::format("| {}^", std::string(diagnostic.column - 1, ' ')));
  }
  if (!diagnostic.legal.empty()) error.add("legal", diagnostic.legal);
  for (const std::string& use : diagnostic.expanded_from) error.add("from", shortened(use));
  return error;
}

}  // namespace mockgpu::isa::amd
