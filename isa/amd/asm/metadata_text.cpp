#include "isa/amd/asm/metadata_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace mockgpu::isa::amd {
namespace {

using nlohmann::json;

constexpr int kMaxMetadataDepth = 32;

struct TextLine {
  std::size_t indent;
  std::string text;  // without indentation
  SourceLinePtr source;
};

// Where YAML's comment begins: a # after a space.
std::size_t comment_begin(std::string_view text) {
  char quote = 0, before = ' ';
  for (std::size_t i = 0; i < text.size(); before = text[i++]) {
    const char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
      if (c == '\\' && quote == '"') ++i;
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

  json document();

 private:
  bool done() const { return at_ == lines_.size(); }
  const std::string& text() const { return lines_[at_].text; }
  char next() const { return column_ < text().size() ? text()[column_] : '\0'; }
  bool at_line_end() const { return column_ >= text().size(); }
  bool at_item() const { return text() == "-" || text().starts_with("- "); }
  [[noreturn]] void fail(std::string message) const;

  json block(std::size_t indent, int depth);
  json sequence(std::size_t indent, int depth);
  json mapping(std::size_t indent, int depth);
  bool accept_key(std::string& key);

  json value(int depth);
  json flow(int depth, std::string_view ends);
  json flow_collection(int depth);
  char next_in(char closing);
  std::string quoted();
  std::string_view plain(std::string_view ends);
  json scalar(std::string_view text) const;
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

json MetadataParser::document() {
  if (lines_.empty()) return json::object();
  json result = block(lines_[0].indent, 0);
  if (!done()) fail("this line's indentation fits nowhere");
  return result;
}

json MetadataParser::block(std::size_t indent, int depth) {
  if (depth > kMaxMetadataDepth) fail("the metadata are nested too deeply");
  if (at_item()) return sequence(indent, depth);
  std::string key;
  if (!accept_key(key)) return value(depth);
  column_ = 0;
  return mapping(indent, depth);
}

json MetadataParser::sequence(std::size_t indent, int depth) {
  json result = json::array();
  while (!done() && lines_[at_].indent == indent && at_item()) {
    TextLine& line = lines_[at_];
    const std::size_t inner = line.text.find_first_not_of(' ', 1);
    if (inner == std::string::npos) {
      ++at_;
      if (done() || lines_[at_].indent <= indent) fail("an item without a value");
      result.push_back(block(lines_[at_].indent, depth + 1));
      continue;
    }
    // The rest of the line is the first line of the item.
    line.text.erase(0, inner);
    line.indent += inner;
    result.push_back(block(line.indent, depth + 1));
  }
  return result;
}

json MetadataParser::mapping(std::size_t indent, int depth) {
  json result = json::object();
  while (!done() && lines_[at_].indent == indent) {
    std::string key;
    if (!accept_key(key)) fail("expected `key: value`");
    if (result.contains(key)) {
      column_ = 0;
      fail(fmt::format("{} stands here twice", key));
    }
    if (!at_line_end()) {
      result[key] = value(depth);
      continue;
    }
    ++at_;
    column_ = 0;
    const bool nested =
        !done() && (lines_[at_].indent > indent || (lines_[at_].indent == indent && at_item()));
    result[key] = nested ? block(lines_[at_].indent, depth + 1) : json("");
  }
  return result;
}

// The `key:` that a line begins with, up to its value. Stays at the beginning if there is none.
bool MetadataParser::accept_key(std::string& key) {
  if (next() == '{' || next() == '[') return false;
  if (next() == '\'' || next() == '"') {
    key = quoted();
  } else {
    column_ = std::min(text().find(": "), text().size());
    if (column_ == text().size() && text().ends_with(':')) --column_;
    key = text().substr(0, column_);
    while (key.ends_with(' ')) key.pop_back();
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
json MetadataParser::value(int depth) {
  json result = flow(depth, "");
  skip_spaces();
  if (!at_line_end()) fail("unexpected text after the value");
  ++at_;
  column_ = 0;
  return result;
}

// A scalar without quotes ends before one of `ends`, or with its line.
json MetadataParser::flow(int depth, std::string_view ends) {
  if (next() == '{' || next() == '[') return flow_collection(depth);
  if (next() == '\'' || next() == '"') return quoted();
  return scalar(plain(ends));
}

// {a: 1, b: 2} or [1, 2]
json MetadataParser::flow_collection(int depth) {
  if (depth > kMaxMetadataDepth) fail("the metadata are nested too deeply");
  const bool map = next() == '{';
  const char closing = map ? '}' : ']';
  json result = map ? json::object() : json::array();
  ++column_;
  while (next_in(closing) != closing) {
    if (map) {
      const std::string key = next() == '\'' || next() == '"' ? quoted() : std::string(plain(":,}"));
      if (next_in(closing) != ':') fail("expected `key: value`");
      if (result.contains(key)) fail(fmt::format("{} stands here twice", key));
      ++column_;
      next_in(closing);
      result[key] = flow(depth + 1, ",]}");
    } else {
      result.push_back(flow(depth + 1, ",]}"));
    }
    if (next_in(closing) == ',')
      ++column_;
    else if (next() != closing)
      fail(fmt::format("expected ',' or '{}'", closing));
  }
  ++column_;
  return result;
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

std::string_view MetadataParser::plain(std::string_view ends) {
  const std::size_t begin = column_;
  column_ = std::min(text().find_first_of(ends, begin), text().size());
  std::string_view word = std::string_view(text()).substr(begin, column_ - begin);
  while (word.ends_with(' ')) word.remove_suffix(1);
  return word;
}

void MetadataParser::skip_spaces() {
  while (next() == ' ' || next() == '\t') ++column_;
}

json MetadataParser::scalar(std::string_view text) const {
  for (std::string_view word : {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})
    if (text == word) return true;
  for (std::string_view word : {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})
    if (text == word) return false;
  Scanner scanner(text);
  const bool minus = scanner.accept("-");
  if (scanner.at_number()) {
    try {
      const Number number = scanner.number();
      if (scanner.at_end() && !number.is_float) {
        if (minus) return -static_cast<std::int64_t>(number.integer);
        return number.integer;
      }
      if (scanner.at_end()) return minus ? -number.real : number.real;
    } catch (const Mismatch&) {  // a text that starts with a digit
    }
  }
  return std::string(text);
}

}  // namespace

std::vector<std::byte> pack_metadata(const std::vector<SourceLinePtr>& lines) {
  const json document = MetadataParser(lines).document();
  std::vector<std::uint8_t> packed;
  try {
    packed = json::to_msgpack(document);
  } catch (const json::exception&) {
    throw MetadataMismatch{{0, "the metadata cannot be packed"}, lines.empty() ? nullptr : lines[0]};
  }
  std::vector<std::byte> bytes;
  for (std::uint8_t byte : packed) bytes.push_back(static_cast<std::byte>(byte));
  return bytes;
}

}  // namespace mockgpu::isa::amd
