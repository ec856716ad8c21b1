#include "isa/amd/asm/metadata_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

namespace mockgpu::isa::amd {
namespace {

using nlohmann::json;

constexpr int kMaxMetadataDepth = 32;

/// MessagePack.
using Packed = std::vector<std::uint8_t>;

/// Entries by their key: numbers before texts, as LLVM sorts them.
using PackedMap = std::map<json, Packed>;

void append(Packed& to, const Packed& what) { to.insert(to.end(), what.begin(), what.end()); }

// How many objects follow: in the first byte, or in the two or four after it.
Packed head_of(std::size_t count, unsigned small, unsigned two_bytes) {
  if (count < 0x10) return {static_cast<std::uint8_t>(small | count)};
  const bool two = count < 0x10000;
  Packed head{static_cast<std::uint8_t>(two ? two_bytes : two_bytes + 1)};
  for (int shift = two ? 8 : 24; shift >= 0; shift -= 8)
    head.push_back(static_cast<std::uint8_t>(count >> shift));
  return head;
}

Packed pack(const std::vector<Packed>& items) {
  Packed result = head_of(items.size(), 0x90, 0xdc);
  for (const Packed& item : items) append(result, item);
  return result;
}

Packed pack(const PackedMap& entries) {
  Packed result = head_of(entries.size(), 0x80, 0xde);
  for (const auto& [key, value] : entries) {
    append(result, json::to_msgpack(key));
    append(result, value);
  }
  return result;
}

struct TextLine {
  std::size_t indent;
  std::string text;  // without indentation
  SourceLinePtr source;
};

// What a text without quotes means: a truth, a number, or itself.
json typed(std::string_view text) {
  for (std::string_view word : {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})
    if (text == word) return true;
  for (std::string_view word : {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})
    if (text == word) return false;
  Scanner scanner(text);
  const bool minus = scanner.accept("-");
  if (scanner.at_number()) {
    try {
      const Number number = scanner.number();
      if (!scanner.at_end()) return std::string(text);
      const bool fits = !minus || number.integer <= std::uint64_t{1} << 63;
      if (number.is_float || !fits) return minus ? -number.real : number.real;
      if (minus) return static_cast<std::int64_t>(0 - number.integer);
      return number.integer;
    } catch (const Mismatch&) {  // a text that starts with a digit
    }
  }
  return std::string(text);
}

std::string twice(const json& key) {
  return fmt::format("{} stands here twice", key.is_string() ? key.get<std::string>() : key.dump());
}

// Where YAML's comment begins: a # after a space.
std::size_t comment_begin(std::string_view text) {
  char quote = 0, before = ' ';
  for (std::size_t i = 0; i < text.size(); before = text[i++]) {
    const char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
      if (c == '\\' && quote == '"' && i + 1 < text.size()) ++i;
    } else if ((c == '"' || c == '\'') &&
               std::string_view(" \t[{,:").find(before) != std::string_view::npos) {
      quote = c;
    } else if (c == '#' && (before == ' ' || before == '\t')) {
      return i;
    }
  }
  return text.size();
}

class MetadataParser {
 public:
  explicit MetadataParser(const std::vector<SourceLinePtr>& lines);

  bool done() const { return at_ == lines_.size(); }
  /// There must be a line.
  Packed document();

 private:
  const std::string& text() const { return lines_[at_].text; }
  char next() const { return column_ < text().size() ? text()[column_] : '\0'; }
  bool at_line_end() const { return column_ >= text().size(); }
  bool at_quote() const { return next() == '\'' || next() == '"'; }
  bool at_item() const { return text() == "-" || text().starts_with("- "); }
  [[noreturn]] void fail(std::string message) const;

  Packed block(std::size_t indent, int depth);
  Packed sequence(std::size_t indent, int depth);
  Packed mapping(std::size_t indent, int depth);
  bool accept_key(json& key);

  Packed value(int depth);
  Packed flow(int depth, std::string_view ends);
  Packed flow_collection(int depth);
  char next_in(char closing);
  json scalar(std::string_view ends);
  std::string quoted();
  void skip_spaces();

  // What is read next: a line, and a column of its text.
  std::vector<TextLine> lines_;
  std::size_t at_ = 0, column_ = 0;
};

MetadataParser::MetadataParser(const std::vector<SourceLinePtr>& lines) {
  for (const SourceLinePtr& line : lines) {
    std::string text = line->text.substr(0, comment_begin(line->text));
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
      text.pop_back();
    const std::size_t indent = text.find_first_not_of(" \t");
    if (indent == std::string::npos) continue;
    text.erase(0, indent);
    if (text.starts_with("---") || text == "...") continue;
    lines_.push_back({indent, std::move(text), line});
  }
}

void MetadataParser::fail(std::string message) const {
  const TextLine& line = lines_[std::min(at_, lines_.size() - 1)];
  throw MetadataMismatch{{line.indent + column_, std::move(message)}, line.source};
}

Packed MetadataParser::document() {
  Packed result = block(lines_[0].indent, 0);
  if (!done()) fail("this line's indentation fits nowhere");
  return result;
}

Packed MetadataParser::block(std::size_t indent, int depth) {
  if (depth > kMaxMetadataDepth) fail("the metadata are nested too deeply");
  if (at_item()) return sequence(indent, depth);
  json key;
  if (!accept_key(key)) return value(depth);
  column_ = 0;
  return mapping(indent, depth);
}

Packed MetadataParser::sequence(std::size_t indent, int depth) {
  std::vector<Packed> items;
  while (!done() && lines_[at_].indent == indent && at_item()) {
    TextLine& line = lines_[at_];
    const std::size_t inner = line.text.find_first_not_of(' ', 1);
    if (inner == std::string::npos) {
      ++at_;
      if (done() || lines_[at_].indent <= indent) fail("an item without a value");
      items.push_back(block(lines_[at_].indent, depth + 1));
      continue;
    }
    // The rest of the line is the first line of the item.
    line.text.erase(0, inner);
    line.indent += inner;
    items.push_back(block(line.indent, depth + 1));
  }
  return pack(items);
}

Packed MetadataParser::mapping(std::size_t indent, int depth) {
  PackedMap entries;
  while (!done() && lines_[at_].indent == indent) {
    json key;
    if (!accept_key(key)) fail("expected `key: value`");
    if (entries.contains(key)) {
      column_ = 0;
      fail(twice(key));
    }
    if (!at_line_end()) {
      entries[key] = value(depth);
      continue;
    }
    ++at_;
    column_ = 0;
    const bool nested =
        !done() && (lines_[at_].indent > indent || (lines_[at_].indent == indent && at_item()));
    entries[key] = nested ? block(lines_[at_].indent, depth + 1) : json::to_msgpack("");
  }
  return pack(entries);
}

// The `key:` that a line begins with, up to its value. Stays at the beginning if there is none.
bool MetadataParser::accept_key(json& key) {
  if (next() == '{' || next() == '[') return false;
  if (at_quote()) {
    key = quoted();
  } else {
    column_ = std::min(text().find(": "), text().size());
    if (column_ == text().size() && text().ends_with(':')) --column_;
    key = typed(trimmed(std::string_view(text()).substr(0, column_)));
  }
  skip_spaces();
  if (next() != ':') {
    column_ = 0;
    return false;
  }
  ++column_;
  skip_spaces();
  return true;
}

// What a line ends with: a scalar, or a collection in brackets, which may go on over the next lines.
Packed MetadataParser::value(int depth) {
  Packed result = flow(depth, "");
  skip_spaces();
  if (!at_line_end()) fail("unexpected text after the value");
  ++at_;
  column_ = 0;
  return result;
}

// A scalar without quotes ends before one of `ends`, or with its line.
Packed MetadataParser::flow(int depth, std::string_view ends) {
  if (next() == '{' || next() == '[') return flow_collection(depth);
  return json::to_msgpack(scalar(ends));
}

// {a: 1, b: 2} or [1, 2]
Packed MetadataParser::flow_collection(int depth) {
  if (depth > kMaxMetadataDepth) fail("the metadata are nested too deeply");
  const bool map = next() == '{';
  const char closing = map ? '}' : ']';
  PackedMap entries;
  std::vector<Packed> items;
  ++column_;
  while (next_in(closing) != closing) {
    if (map) {
      const json key = scalar(":,}");
      if (next_in(closing) != ':') fail("expected `key: value`");
      if (entries.contains(key)) fail(twice(key));
      ++column_;
      next_in(closing);
      entries[key] = flow(depth + 1, ",]}");
    } else {
      items.push_back(flow(depth + 1, ",]}"));
    }
    if (next_in(closing) == ',')
      ++column_;
    else if (next() != closing)
      fail(fmt::format("expected ',' or '{}'", closing));
  }
  ++column_;
  return map ? pack(entries) : pack(items);
}

// The next character between the brackets, on this line or one below.
char MetadataParser::next_in(char closing) {
  for (skip_spaces(); at_line_end(); skip_spaces()) {
    if (at_ + 1 == lines_.size()) fail(fmt::format("'{}' is missing", closing));
    ++at_;
    column_ = 0;
  }
  return next();
}

std::string MetadataParser::quoted() {
  const char quote = text()[column_++];
  std::string result;
  for (;; ++column_) {
    if (at_line_end()) fail("the text has no closing quote");
    const char c = text()[column_];
    if (c == quote) {
      ++column_;
      if (quote != '\'' || next() != '\'') return result;
      result += '\'';
    } else if (quote == '"' && c == '\\' && column_ + 1 < text().size()) {
      const char escaped = text()[++column_];
      result += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
    } else {
      result += c;
    }
  }
}

json MetadataParser::scalar(std::string_view ends) {
  if (at_quote()) return quoted();
  const std::size_t begin = column_;
  column_ = std::min(text().find_first_of(ends, begin), text().size());
  return typed(trimmed(std::string_view(text()).substr(begin, column_ - begin)));
}

void MetadataParser::skip_spaces() {
  while (next() == ' ' || next() == '\t') ++column_;
}

}  // namespace

std::vector<std::byte> pack_metadata(const std::vector<SourceLinePtr>& lines) {
  MetadataParser parser(lines);
  if (parser.done()) throw MetadataMismatch{{0, "the metadata are empty"}, nullptr};
  const Packed packed = parser.document();
  std::vector<std::byte> bytes(packed.size());
  std::memcpy(bytes.data(), packed.data(), packed.size());
  return bytes;
}

}  // namespace mockgpu::isa::amd
