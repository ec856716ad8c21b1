#include <fmt/format.h>

#include "isa/amd/asm/file_assembler.h"

namespace mockgpu::isa::amd {
namespace {

bool is_operator(char c) { return std::string_view("+-*/~!=<>&|^").find(c) != std::string_view::npos; }

// Where the text in angle brackets that begins at `begin` ends; ! takes the next character as it is.
std::size_t find_closing_angle(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '!')
      ++i;
    else if (text[i] == '>')
      return i + 1;
  }
  return text.size();
}

// The arguments of a macro: parted by commas outside brackets and quotes, and by spaces that have no operator
// on either side.
std::vector<std::string> split_arguments(std::string_view text, bool angles = false) {
  text = trimmed(text);
  std::vector<std::string> arguments;
  std::string current;
  int depth = 0;
  bool quoted = false;
  const auto flush = [&] {
    std::string_view argument = current;
    if (argument.size() >= 2 && argument.front() == '"' && argument.back() == '"')
      argument = argument.substr(1, argument.size() - 2);
    arguments.emplace_back(argument);
    current.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (angles && c == '<' && current.empty()) {
      const std::size_t end = find_closing_angle(text, i);
      current = text.substr(i, end - i);
      i = end - 1;
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (!quoted) depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    const bool part = !quoted && depth == 0;
    if (part && c == ',') {
      flush();
    } else if (part && (c == ' ' || c == '\t')) {
      const std::size_t next = text.find_first_not_of(" \t", i);
      const bool inside = current.empty() || is_operator(current.back()) || is_operator(text[next]);
      if (!inside && text[next] != ',') flush();
    } else {
      current += c;
    }
  }
  if (!current.empty() || text.ends_with(',')) flush();
  return arguments;
}

}  // namespace

// What decides which lines are read. True if it was one of these.
bool FileAssembler::control(std::string_view name) {
  if (condition(name)) return true;
  const bool repeats = name == ".rept" || name == ".rep";
  const bool each = name == ".irp" || name == ".irpc";
  if (!conditions_.empty() && !conditions_.back().active) {
    // Blocks are skipped as a whole, with the conditions in them.
    if (name == ".macro") reader_.block(".macro", ".endm");
    if (repeats || each) reader_.block(name, ".endr");
    return false;
  }
  if (name == ".macro")
    define_macro();
  else if (repeats)
    repeat_lines();
  else if (each)
    repeat_each(name == ".irpc");
  else if (name == ".include")
    include_file();
  else if (name == ".end")
    reader_.end();
  else if (name == ".endm" || name == ".endmacro" || name == ".endr")
    scanner_.fail(fmt::format("{} without its beginning", name));
  else if (name == ".exitm")
    exit_macro();
  else if (name == ".altmacro" || name == ".noaltmacro")
    alternate_macros_ = name == ".altmacro";
  else if (name == ".purgem")
    forget_macro();
  else if (name == ".error")
    scanner_.fail(scanner_.at_end() ? ".error" : scanner_.quoted());
  else
    return false;
  return true;
}

void FileAssembler::forget_macro() {
  const std::size_t column = scanner_.column();
  const std::string name = symbol_name();
  if (!macros_.erase(name)) throw Mismatch{column, fmt::format("there is no macro {}", name)};
}

bool FileAssembler::condition(std::string_view name) {
  if (name.starts_with(".if")) {
    const bool active = conditions_.empty() || conditions_.back().active;
    const bool holds = active && test(name);
    conditions_.push_back({holds, holds, active, line_, reader_.depth()});
    return true;
  }
  const bool other = name == ".else", else_if = name == ".elseif";
  if (!other && !else_if && name != ".endif") return false;
  if (conditions_.empty()) scanner_.fail(fmt::format("{} without .if", name));
  Condition& current = conditions_.back();
  if (name == ".endif") {
    conditions_.pop_back();
  } else if (current.taken || !current.parent) {
    current.active = false;
  } else {
    current.active = current.taken = other || test(".if");
  }
  return true;
}

bool FileAssembler::test(std::string_view name) {
  Value value;
  if (name == ".ifdef") return find(symbol_name(), value);
  if (name == ".ifndef" || name == ".ifnotdef") return !find(symbol_name(), value);
  if (name == ".ifb") return scanner_.rest().empty();
  if (name == ".ifnb") return !scanner_.rest().empty();
  if (name == ".ifc" || name == ".ifnc") {
    const std::string_view text = scanner_.rest();
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) scanner_.fail("expected two texts");
    return (trimmed(text.substr(0, comma)) == trimmed(text.substr(comma + 1))) == (name == ".ifc");
  }
  if (name == ".ifeqs" || name == ".ifnes") {
    const std::string left = scanner_.quoted();
    scanner_.expect(",");
    const bool equal = left == scanner_.quoted();
    end_of_statement();
    return equal == (name == ".ifeqs");
  }
  const std::int64_t number = known("the condition");
  end_of_statement();
  if (name == ".if" || name == ".ifne") return number != 0;
  if (name == ".ifeq") return number == 0;
  if (name == ".ifge") return number >= 0;
  if (name == ".ifgt") return number > 0;
  if (name == ".ifle") return number <= 0;
  if (name == ".iflt") return number < 0;
  scanner_.fail(fmt::format("unknown directive {}", name));
}

void FileAssembler::define_macro() {
  Macro macro;
  macro.lines = reader_.block(".macro", ".endm");
  const std::string name = symbol_name();
  while (!scanner_.at_end()) {
    scanner_.accept(",");
    Macro::Parameter parameter;
    parameter.name = symbol_name();
    if (scanner_.accept(":")) {
      const std::string_view kind = scanner_.word();
      parameter.required = kind == "req";
      parameter.rest = kind == "vararg";
      if (!parameter.required && !parameter.rest) scanner_.fail("unknown kind of parameter", "req vararg");
    }
    if (scanner_.accept("=")) {
      const std::size_t begin = scanner_.column();
      while (scanner_.next() && scanner_.next() != ',' && scanner_.next() != ' ')
        scanner_.seek(scanner_.column() + 1);
      parameter.usual = scanner_.between(begin, scanner_.column());
      parameter.usual = trimmed(parameter.usual);
    }
    macro.parameters.push_back(std::move(parameter));
  }
  if (macros_.contains(name)) throw Mismatch{0, fmt::format("macro {} is defined twice", name)};
  macros_[name] = std::move(macro);
}

bool FileAssembler::use_macro(std::string_view name) {
  const auto it = macros_.find(name);
  if (it == macros_.end()) return false;
  const Macro& macro = it->second;
  std::map<std::string, std::string> values;
  for (const Macro::Parameter& parameter : macro.parameters) values[parameter.name] = parameter.usual;
  const std::size_t column = scanner_.column();
  std::vector<std::string> arguments = split_arguments(scanner_.rest(), alternate_macros_);
  if (alternate_macros_)
    for (std::string& argument : arguments) argument = alternate(argument, column);
  std::size_t place = 0;
  std::map<std::string, bool> given;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    std::string key = equals == std::string::npos ? std::string() : argument.substr(0, equals);
    if (values.contains(key)) {
      values[key] = trimmed(std::string_view(argument).substr(equals + 1));
      given[key] = true;
      continue;
    }
    if (place == macro.parameters.size() && (macro.parameters.empty() || !macro.parameters.back().rest))
      throw Mismatch{column, fmt::format("macro {} has {} parameters", name, macro.parameters.size())};
    if (place == macro.parameters.size()) --place;
    const Macro::Parameter& parameter = macro.parameters[place++];
    const bool more = parameter.rest && given[parameter.name];
    if (!argument.empty())
      values[parameter.name] = more ? values[parameter.name] + ", " + argument : argument;
    given[parameter.name] = true;
  }
  for (const Macro::Parameter& parameter : macro.parameters)
    if (parameter.required && values[parameter.name].empty())
      throw Mismatch{column, fmt::format("macro {} needs its parameter {}", name, parameter.name)};
  values["@"] = std::to_string(macros_used_++);
  reader_.repeat(macro.lines, {values}, 1, *line_, fmt::format("in macro {}", name));
  return true;
}

// Leaves the innermost macro or repetition, and the conditions in it.
void FileAssembler::exit_macro() {
  end_of_statement();
  if (!reader_.leave()) scanner_.fail(".exitm outside of macros and repetitions");
  while (!conditions_.empty() && conditions_.back().depth > reader_.depth()) conditions_.pop_back();
}

// With .altmacro, %expression is its value, and <text> is that text.
std::string FileAssembler::alternate(const std::string& argument, std::size_t column) {
  if (argument.starts_with('<') && argument.ends_with('>')) {
    std::string text;
    for (std::size_t i = 1; i + 1 < argument.size(); ++i) {
      if (argument[i] == '!' && i + 2 < argument.size()) ++i;
      text += argument[i];
    }
    return text;
  }
  if (!argument.starts_with('%')) return argument;
  Scanner scanner(argument, 1);
  Value value;
  const bool known = Expression::parse(scanner, *this).evaluate(*this, value) && value.is_absolute();
  if (!known || !scanner.at_end()) throw Mismatch{column, fmt::format("{} has no value here", argument)};
  return std::to_string(value.offset);
}

void FileAssembler::repeat_lines() {
  const std::size_t column = scanner_.column();
  const SourceLinePtr line = line_;
  std::int64_t count = 0;
  std::optional<Mismatch> wrong;
  try {
    count = known("the number of repetitions");
    end_of_statement();
  } catch (const Mismatch& mismatch) {
    wrong = mismatch;
  }
  auto lines = reader_.block(".rept", ".endr");  // whatever the count is, this is no longer to be read
  if (wrong) throw *wrong;
  constexpr std::int64_t kMost = 1'000'000;
  if (count < 0 || count > kMost)
    throw Mismatch{column, fmt::format("{} repetitions", count), "0 to 1000000"};
  reader_.repeat(std::move(lines), {{}}, static_cast<std::size_t>(count), *line, "in .rept");
}

// .irp name, values; .irpc name, characters.
void FileAssembler::repeat_each(bool characters) {
  const std::string why = characters ? ".irpc" : ".irp";
  auto lines = reader_.block(why, ".endr");
  const std::string name = symbol_name();
  scanner_.accept(",");
  const std::string_view rest = scanner_.rest();
  std::vector<std::map<std::string, std::string>> rounds;
  if (characters) {
    for (char c : rest) rounds.push_back({{name, std::string(1, c)}});
  } else {
    for (const std::string& value : split_arguments(rest)) rounds.push_back({{name, value}});
  }
  reader_.repeat(std::move(lines), std::move(rounds), 1, *line_, "in " + why);
}

void FileAssembler::include_file() {
  const std::size_t column = scanner_.column();
  const std::string name = scanner_.quoted();
  end_of_statement();
  reader_.include(name, column, *line_);
}

}  // namespace mockgpu::isa::amd
