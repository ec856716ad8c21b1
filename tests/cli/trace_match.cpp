#include "tests/cli/trace_match.h"

#include <fmt/format.h>

#include <cctype>

namespace mockgpu::test {
namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Takes the word at the start of `text`.
std::string take_word(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && in_word(text[size])) ++size;
  const std::string word(text.substr(0, size));
  text.remove_prefix(size);
  return word;
}

}  // namespace

std::string TraceMatcher::compare(std::string_view expected, std::string_view actual) {
  const std::string whole(actual);
  const auto different = [&](std::string_view at) {
    return fmt::format("at \"{}\" of: {}", at.substr(0, 40), whole);
  };
  while (!expected.empty()) {
    if (expected.front() != '$') {
      if (actual.empty() || actual.front() != expected.front()) return different(actual);
      expected.remove_prefix(1);
      actual.remove_prefix(1);
      continue;
    }
    expected.remove_prefix(1);
    const std::string kind = take_word(expected);
    std::string name;
    if (!expected.empty() && expected.front() == '.') {
      expected.remove_prefix(1);
      name = kind + '.' + take_word(expected);
    }
    const std::string_view rest = actual;
    const std::string value = take_word(actual);
    if (value.empty()) return different(rest);
    if (name.empty()) continue;
    if (!expected.empty() && expected.front() == '+') {
      expected.remove_prefix(1);
      const std::string offset = take_word(expected);
      const std::string sum =
          fmt::format("{:#x}", std::stoull(bound_.at(name), nullptr, 0) + std::stoull(offset, nullptr, 0));
      if (value != sum) return fmt::format("${}+{} is {}, not {} in: {}", name, offset, sum, value, whole);
      continue;
    }
    const auto [at, added] = bound_.try_emplace(name, value);
    if (!added && at->second != value)
      return fmt::format("${} was {} and is {} in: {}", name, at->second, value, whole);
    if (added && !taken_[kind].insert(value).second)
      return fmt::format("${} is {}, which another ${} is, in: {}", name, value, kind, whole);
  }
  return actual.empty() ? std::string() : different(actual);
}

}  // namespace mockgpu::test
