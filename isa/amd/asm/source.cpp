#include "isa/amd/asm/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mockgpu::isa::amd {
namespace {

// Limits of expansion, so that every source comes to an end.
constexpr std::size_t kMostLines = 1'000'000, kMostDepth = 64, kMostCharacters = 1 << 16, kMostText = 1 << 26,
                      kMostPlaces = 16;

// Blanks out comments: // and ; up to the end, /* */ over several lines.
void cut_comments(std::string& line, bool& in_comment) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i], following = i + 1 < line.size() ? line[i + 1] : '\0';
    if (in_comment) {
      line[i] = ' ';
      if (c == '*' && following == '/') {
        line[++i] = ' ';
        in_comment = false;
      }
    } else if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ';' || (c == '/' && following == '/')) {
      line.resize(i);
      return;
    } else if (c == '/' && following == '*') {
      line[i] = line[i + 1] = ' ';
      ++i;
      in_comment = true;
    }
  }
}

// A comment, or what a C preprocessor left.
bool is_hash_line(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin != std::string_view::npos && line[begin] == '#';
}

// `\name` and `\()` as `values` have them.
std::string substitute(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '\\') {
      const std::size_t end = std::min(text.find('\\', i), text.size());
      result += text.substr(i, end - i);
      i = end;
      continue;
    }
    if (text.substr(i, 3) == "\\()") {
      i += 3;
      continue;
    }
    std::size_t end = i + 1;
    if (end < text.size() && text[end] == '@')
      ++end;
    else
      while (end < text.size() && is_word_character(text[end]) && text[end] != '.') ++end;
    const auto value = values.find(std::string(text.substr(i + 1, end - i - 1)));
    if (value == values.end())
      result += text.substr(i, end - i);
    else
      result += value->second;
    if (result.size() > kMostCharacters) throw Mismatch{0, "a macro makes a line too long"};
    i = end;
  }
  return result;
}

}  // namespace

SourceReader::SourceReader(std::string file, std::string_view text, IncludeReader include)
    : include_(std::move(include)) {
  Input input;
  input.lines = split(file, text, nullptr);
  push(std::move(input));
}

std::vector<SourceLinePtr> SourceReader::split(const std::string& file, std::string_view text,
                                               const Places& from) {
  std::vector<SourceLinePtr> lines;
  bool in_comment = false;
  std::shared_ptr<SourceLine> comment_begin;
  for (std::size_t begin = 0, number = 1; begin < text.size(); ++number) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) end = text.size();
    auto line = std::make_shared<SourceLine>();
    line->file = file;
    line->number = number;
    line->text = text.substr(begin, end - begin);
    line->expanded_from = from;
    const bool was_in_comment = in_comment;
    if (!in_comment && is_hash_line(line->text)) line->text.clear();
    cut_comments(line->text, in_comment);
    if (in_comment && !was_in_comment) comment_begin = line;
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  if (in_comment) comment_begin->opens_endless_comment = true;
  return lines;
}

// Inputs without lines are left out: there may be millions of rounds of nothing.
void SourceReader::push(Input input) {
  if (!input.lines.empty() && input.count) inputs_.push_back(std::move(input));
}

SourceLinePtr SourceReader::take(Input& input) {
  const SourceLinePtr& line = input.lines[input.at];
  SourceLinePtr result = line;
  if (!input.rounds.empty()) {
    auto copy = std::make_shared<SourceLine>(*line);
    copy->text = substitute(line->text, input.rounds[input.round % input.rounds.size()]);
    copy->expanded_from = input.from;
    result = std::move(copy);
  }
  if (++input.at == input.lines.size() && ++input.round < input.count) input.at = 0;
  return result;
}

SourceLinePtr SourceReader::next() {
  while (!inputs_.empty() && inputs_.back().at == inputs_.back().lines.size()) inputs_.pop_back();
  if (inputs_.empty()) return nullptr;
  SourceLinePtr line = take(inputs_.back());
  if (inputs_.back().rounds.empty()) return line;  // of a file
  characters_ += line->text.size();
  if (++produced_ > kMostLines || characters_ > kMostText) {
    end();
    throw Mismatch{0, produced_ > kMostLines ? "macros and repetitions make more than a million lines"
                                             : "macros and repetitions make more than 64 MiB of text"};
  }
  return line;
}

bool SourceReader::leave() {
  const auto inner = std::find_if(inputs_.rbegin(), inputs_.rend(),
                                  [](const Input& input) { return !input.rounds.empty(); });
  if (inner == inputs_.rend()) return false;
  inputs_.erase(std::prev(inner.base()), inputs_.end());
  return true;
}

std::vector<SourceLinePtr> SourceReader::block(std::string_view begin, std::string_view end) {
  std::vector<SourceLinePtr> lines;
  for (unsigned depth = 1; SourceLinePtr line = next();) {
    Scanner scanner(line->text);
    const std::string_view word = scanner.word();
    const bool repeats = word == ".rept" || word == ".rep" || word == ".irp" || word == ".irpc";
    if (end == ".endr" ? repeats : word == begin) ++depth;
    if ((word == end || (word == ".endmacro" && end == ".endm")) && --depth == 0) return lines;
    lines.push_back(line);
  }
  throw Mismatch{0, fmt::format("{} without {}", begin, end)};
}

void SourceReader::check_depth() {
  if (inputs_.size() <= kMostDepth) return;
  end();  // a macro that calls itself twice would go on for ever
  throw Mismatch{0, "files and macros are nested too deeply"};
}

SourceReader::Places SourceReader::places(std::string place, const SourceLine& by) {
  std::vector<std::string> from{std::move(place)};
  if (by.expanded_from) {
    for (const std::string& outer : *by.expanded_from)
      if (from.size() < kMostPlaces) from.push_back(outer);
  }
  return std::make_shared<const std::vector<std::string>>(std::move(from));
}

std::string SourceReader::contents(const std::string& name, std::size_t column) const {
  if (!include_) throw Mismatch{column, "there are no files to include"};
  try {
    return include_(name);
  } catch (const Error& error) {
    throw Mismatch{column, error.message()};
  }
}

void SourceReader::include(const std::string& name, std::size_t column, const SourceLine& by) {
  check_depth();
  const std::string text = contents(name, column);
  Input input;
  input.lines = split(name, text, places(fmt::format("{}:{}: included", by.file, by.number), by));
  push(std::move(input));
}

void SourceReader::repeat(std::vector<SourceLinePtr> lines,
                          std::vector<std::map<std::string, std::string>> rounds, std::size_t times,
                          const SourceLine& by, const std::string& why) {
  check_depth();
  // Repetitions in repetitions are refused before they take their time.
  constexpr double kMostNested = 1e8;
  double nested = static_cast<double>(lines.size()) * static_cast<double>(rounds.size() * times);
  const bool too_many = nested > static_cast<double>(kMostLines);
  for (const Input& input : inputs_) nested *= static_cast<double>(input.count);
  if (too_many || nested > kMostNested) {
    end();
    throw Mismatch{0, "these repetitions make more than a million lines"};
  }
  Input input;
  input.lines = std::move(lines);
  input.count = rounds.size() * times;
  input.rounds = std::move(rounds);
  input.from = places(fmt::format("{}:{}: {}", by.file, by.number, why), by);
  push(std::move(input));
}

}  // namespace mockgpu::isa::amd
