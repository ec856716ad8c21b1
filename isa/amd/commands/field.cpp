#include "isa/amd/commands/field.h"

#include <algorithm>
#include <iterator>

namespace mockgpu::isa::amd {

void FieldPrinter::begin(std::string_view name) {
  if (!text_.empty()) text_ += ", ";
  text_ += name;
  text_ += '=';
}

void FieldPrinter::hex(std::string_view name, std::uint64_t value) {
  begin(name);
  text_ += fmt::format("{:#x}", value);
}

void FieldPrinter::number(std::string_view name, std::int64_t value) {
  begin(name);
  text_ += fmt::format("{}", value);
}

void FieldPrinter::unsigned_number(std::string_view name, std::uint64_t value) {
  begin(name);
  text_ += fmt::format("{}", value);
}

void FieldPrinter::text(std::string_view name, std::string_view value) {
  begin(name);
  text_ += value;
}

void FieldPrinter::choice(std::string_view name, std::uint32_t value, std::span<const NamedValue> names) {
  for (const NamedValue& named : names) {
    if (named.value == value) return text(name, named.name);
  }
  unsigned_number(name, value);
}

void FieldPrinter::flags(std::string_view name, std::uint32_t value, std::span<const NamedValue> names) {
  text(name, join_flags(value, names));
}

void FieldPrinter::rare(std::string_view name, std::uint32_t value) {
  if (value != 0) hex(name, value);
}

std::string join_flags(std::uint32_t value, std::span<const NamedValue> names) {
  std::string text;
  std::uint32_t rest = value;
  for (const NamedValue& named : names) {
    if (named.value == 0 || (value & named.value) != named.value) continue;
    if (!text.empty()) text += '|';
    text += named.name;
    rest &= ~named.value;
  }
  if (rest != 0 || text.empty()) {
    if (!text.empty()) text += '|';
    text += rest == 0 ? std::string("0") : fmt::format("{:#x}", rest);
  }
  return text;
}

std::string format_words(std::span<const std::uint32_t> words) {
  constexpr std::size_t kMost = 16;
  std::string text = "{";
  for (std::size_t i = 0; i < std::min(words.size(), kMost); ++i) {
    text += fmt::format("{}{:#x}", i == 0 ? "" : ", ", words[i]);
  }
  if (words.size() > kMost) text += fmt::format(", ... {} words", words.size());
  return text + "}";
}

}  // namespace mockgpu::isa::amd
