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

class MetadataParser {
 public:
  explicit MetadataParser(const std::vector<SourceLinePtr>& lines);

  json document();

 private:
  bool done() const { return at_ == lines_.size(); }
  [[noreturn]] void fail(std::string message, std::size_t column = 0) const;

  json block(std::size_t indent, int depth);
  json sequence(std::size_t indent, int depth);
  json mapping(std::size_t indent, int depth);
  json flow(std::string_view text, std::size_t& at, int depth) const;
  json scalar(std::string_view text) const;
  std::string quoted(std::string_view text, std::size_t& at) const;
  bool split_key(std::string_view text, std::string& key, std::string_view& value) const;

  std::vector<TextLine> lines_;
  std::size_t at_ = 0;
};

MetadataParser::MetadataParser(const std::vector<SourceLinePtr>& lines) {
  for (const SourceLinePtr& line : lines) {
    std::string text = line->text;
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
      text.pop_back();
    const std::size_t indent = text.find_first_not_of(" \t");
    if (indent == std::string::npos) continue;
    text.erase(0, indent);
    if (text.starts_with("---") || text == "..." || text.starts_with('#')) continue;
    lines_.push_back({indent, std::move(text), line});
  }
}

void MetadataParser::fail(std::string message, std::size_t column) const {
  const TextLine& line = lines_[std::min(at_, lines_.size() - 1)];
  throw MetadataMismatch{{line.indent + column, std::move(message)}, line.source};
}

json MetadataParser::document() {
  if (lines_.empty()) return json::object();
  json result = block(lines_[0].indent, 0);
  if (!done()) fail("this line's indentation fits nowhere");
  return result;
}

json MetadataParser::block(std::size_t indent, int depth) {
  if (depth > kMaxMetadataDepth) fail("the metadata are nested too deeply");
  if (lines_[at_].text == "-" || lines_[at_].text.starts_with("- ")) return sequence(indent, depth);
  std::string key;
  std::string_view value;
  if (split_key(lines_[at_].text, key, value)) return mapping(indent, depth);
  std::size_t end = 0;
  const std::string text = lines_[at_].text;
  json result = flow(text, end, depth);
  if (end < text.size()) fail("unexpected text after the value", end);
  ++at_;
  return result;
}

json MetadataParser::sequence(std::size_t indent, int depth) {
  json result = json::array();
  while (!done() && lines_[at_].indent == indent &&
         (lines_[at_].text == "-" || lines_[at_].text.starts_with("- "))) {
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
    std::string_view value;
    const std::string text = lines_[at_].text;
    if (!split_key(text, key, value)) fail("expected `key: value`");
    if (result.contains(key)) fail(fmt::format("{} stands here twice", key));
    if (!value.empty()) {
      std::size_t end = 0;
      result[key] = flow(value, end, depth);
      if (end < value.size()) fail("unexpected text after the value", text.size() - value.size() + end);
      ++at_;
      continue;
    }
    ++at_;
    const bool nested = !done() && (lines_[at_].indent > indent ||
                                    (lines_[at_].indent == indent && lines_[at_].text.starts_with("- ")));
    result[key] = nested ? block(lines_[at_].indent, depth + 1) : json("");
  }
  return result;
}

bool MetadataParser::split_key(std::string_view text, std::string& key, std::string_view& value) const {
  std::size_t at = 0;
  if (text.starts_with('{') || text.starts_with('[')) return false;
  if (text.starts_with('\'') || text.starts_with('"')) {
    key = quoted(text, at);
  } else {
    while (at < text.size() && !(text[at] == ':' && (at + 1 == text.size() || text[at + 1] == ' '))) ++at;
    key = text.substr(0, at);
  }
  if (at >= text.size() || text[at] != ':') return false;
  value = text.substr(at + 1);
  while (value.starts_with(' ')) value.remove_prefix(1);
  return true;
}

std::string MetadataParser::quoted(std::string_view text, std::size_t& at) const {
  const char quote = text[at++];
  std::string result;
  for (;; ++at) {
    if (at >= text.size()) fail("the text has no closing quote", text.size());
    if (text[at] == quote) {
      ++at;
      if (quote != '\'' || at >= text.size() || text[at] != '\'') return result;
      result += '\'';
    } else if (quote == '"' && text[at] == '\\' && at + 1 < text.size()) {
      ++at;
      result += text[at] == 'n' ? '\n' : text[at] == 't' ? '\t' : text[at];
    } else {
      result += text[at];
    }
  }
}

// A value on one line: a scalar, {a: 1, b: 2} or [1, 2].
json MetadataParser::flow(std::string_view text, std::size_t& at, int depth) const {
  if (depth > kMaxMetadataDepth) fail("the metadata are nested too deeply");
  const auto skip = [&] {
    while (at < text.size() && text[at] == ' ') ++at;
  };
  const auto closed = [&](char bracket) {
    skip();
    if (at >= text.size()) fail(fmt::format("'{}' is missing", bracket), at);
    if (text[at] != bracket) return false;
    ++at;
    skip();
    return true;
  };
  skip();
  if (at < text.size() && (text[at] == '{' || text[at] == '[')) {
    const bool map = text[at++] == '{';
    json result = map ? json::object() : json::array();
    while (!closed(map ? '}' : ']')) {
      if (map) {
        std::string key;
        if (text[at] == '\'' || text[at] == '"') {
          key = quoted(text, at);
        } else {
          const std::size_t begin = at;
          while (at < text.size() && text[at] != ':' && text[at] != ',' && text[at] != '}') ++at;
          key = text.substr(begin, at - begin);
        }
        if (at >= text.size() || text[at] != ':') fail("expected `key: value`", at);
        ++at;
        result[key] = flow(text, at, depth + 1);
      } else {
        result.push_back(flow(text, at, depth + 1));
      }
      skip();
      if (at < text.size() && text[at] == ',')
        ++at;
      else if (at < text.size() && text[at] != '}' && text[at] != ']')
        fail("expected ',' or a closing bracket", at);
    }
    return result;
  }
  if (at < text.size() && (text[at] == '\'' || text[at] == '"')) {
    json result = quoted(text, at);
    skip();
    return result;
  }
  const std::size_t begin = at;
  if (depth > 0 || text.find_first_of("{[") == std::string_view::npos) {
    const bool inside = depth > 0 && text.find_first_of("{[") != std::string_view::npos;
    while (at < text.size() && !(inside && (text[at] == ',' || text[at] == '}' || text[at] == ']'))) ++at;
  } else {
    at = text.size();
  }
  std::string_view word = text.substr(begin, at - begin);
  while (word.ends_with(' ')) word.remove_suffix(1);
  return scalar(word);
}

json MetadataParser::scalar(std::string_view text) const {
  if (text == "true") return true;
  if (text == "false") return false;
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
