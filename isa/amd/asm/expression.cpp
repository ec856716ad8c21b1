#include "isa/amd/asm/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace mockgpu::isa::amd {
namespace {

// Parentheses and signs inside each other.
constexpr int kMaxNesting = 100;
// Parts of one expression: each is a step of recursion in the worst case.
constexpr std::size_t kMaxNodes = 2000;
constexpr std::string_view kNumericLabel = ".Lnumber";

struct BinaryOperator {
  std::string_view text;
  int precedence;
};

// The longer spelling first. Precedences are those of GNU as: & binds tighter than +.
constexpr BinaryOperator kOperators[] = {
    {"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 3}, {">=", 3}, {"<<", 6},
    {">>", 6}, {"<>", 3}, {"<", 3},  {">", 3},  {"|", 5},  {"^", 5},  {"&", 5},
    {"+", 4},  {"-", 4},  {"*", 6},  {"/", 6},  {"%", 6},
};

const BinaryOperator* peek_operator(Scanner& scanner) {
  const std::size_t begin = scanner.column();
  if (std::string_view("|&=!<>^+-*/%").find(scanner.next()) == std::string_view::npos) return nullptr;
  for (const BinaryOperator& candidate : kOperators) {
    const bool found = scanner.accept(candidate.text);
    scanner.seek(begin);
    if (found) return &candidate;
  }
  return nullptr;
}

// 1b and 1f: the last and the next label `1:`.
bool numeric_label(Scanner& scanner, const SymbolScope& scope, std::string& name) {
  const std::size_t begin = scanner.column();
  std::size_t digits = 0;
  while (scanner.next(digits) >= '0' && scanner.next(digits) <= '9') ++digits;
  const char direction = scanner.next(digits);
  if (digits == 0 || digits > 9 || (direction != 'b' && direction != 'f') ||
      is_word_character(scanner.next(digits + 1)))
    return false;
  name =
      scope.numeric_label(std::stoull(std::string(scanner.between(begin, begin + digits))), direction == 'f');
  scanner.seek(begin + digits + 1);
  return true;
}

// A symbol as a person wrote it. Of numeric labels only those ahead, and those before the first, are unknown.
std::string written_name(const std::string& name) {
  if (!name.starts_with(kNumericLabel)) return name;
  const std::size_t part = name.find('$');
  return name.substr(kNumericLabel.size(), part - kNumericLabel.size()) +
         (name.substr(part) == "$0" ? "b" : "f");
}

std::int64_t wrap(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::int64_t compute(std::string_view op, std::int64_t left, std::int64_t right, std::size_t column) {
  const auto a = static_cast<std::uint64_t>(left), b = static_cast<std::uint64_t>(right);
  if (op == "+") return wrap(a + b);
  if (op == "-") return wrap(a - b);
  if (op == "*") return wrap(a * b);
  if (op == "/" || op == "%") {
    if (right == 0) throw Mismatch{column, "division by zero"};
    if (left == std::numeric_limits<std::int64_t>::min() && right == -1) return op == "/" ? left : 0;
    return op == "/" ? left / right : left % right;
  }
  if (op == "<<") return b < 64 ? wrap(a << b) : 0;
  if (op == ">>") return b < 64 ? wrap(a >> b) : 0;
  if (op == "&") return wrap(a & b);
  if (op == "|") return wrap(a | b);
  if (op == "^") return wrap(a ^ b);
  if (op == "&&") return left && right;
  if (op == "||") return left || right;
  if (op == "max") return std::max(left, right);
  if (op == "alignto") {
    if (right <= 0) throw Mismatch{column, "alignto needs a positive alignment"};
    return wrap((a + b - 1) / b * b);
  }
  if (op == "==") return left == right ? -1 : 0;  // GNU as: true is -1
  if (op == "!=" || op == "<>") return left != right ? -1 : 0;
  if (op == "<") return left < right ? -1 : 0;
  if (op == "<=") return left <= right ? -1 : 0;
  if (op == ">") return left > right ? -1 : 0;
  return left >= right ? -1 : 0;
}

}  // namespace

Expression::Expression(std::int64_t value) {
  Node node;
  node.value.offset = value;
  root_ = add(std::move(node));
}

Expression Expression::of_symbol(std::string name) {
  Expression expression;
  Node node;
  node.kind = Kind::symbol;
  node.text = std::move(name);
  expression.root_ = expression.add(std::move(node));
  return expression;
}

std::string Expression::numeric_label_name(std::uint64_t number, unsigned n) {
  return fmt::format("{}{}${}", kNumericLabel, number, n);
}

std::size_t Expression::add(Node node) {
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

Expression Expression::parse(Scanner& scanner, const SymbolScope& scope, bool in_bars) {
  Expression expression;
  expression.column_ = scanner.column();
  expression.in_bars_ = in_bars;
  expression.root_ = expression.parse_binary(scanner, scope, 1, 0);
  return expression;
}

std::size_t Expression::parse_binary(Scanner& scanner, const SymbolScope& scope, int least, int depth) {
  std::size_t left = parse_unary(scanner, scope, depth);
  for (;;) {
    const BinaryOperator* op = peek_operator(scanner);
    if (!op || op->precedence < least) return left;
    if (in_bars_ && depth == 0 && op->text.front() == '|') return left;
    if (nodes_.size() > kMaxNodes) scanner.fail("the expression is too long");
    Node node;
    node.kind = Kind::binary;
    node.text = op->text;
    node.column = scanner.column();
    scanner.accept(op->text);
    node.left = left;
    node.right = parse_binary(scanner, scope, op->precedence + 1, depth);
    left = add(std::move(node));
  }
}

std::size_t Expression::parse_unary(Scanner& scanner, const SymbolScope& scope, int depth) {
  Node node;
  node.column = scanner.column();
  if (depth > kMaxNesting) scanner.fail("the expression is nested too deeply");
  if (scanner.accept("(")) {
    const std::size_t inner = parse_binary(scanner, scope, 1, depth + 1);
    scanner.expect(")");
    return inner;
  }
  for (std::string_view op : {"-", "+", "~", "!"}) {
    if (!scanner.accept(op)) continue;
    node.kind = Kind::unary;
    node.text = op;
    node.left = parse_unary(scanner, scope, depth + 1);
    return add(std::move(node));
  }
  if (numeric_label(scanner, scope, node.text)) {
    node.kind = Kind::symbol;
    return add(std::move(node));
  }
  if (scanner.at_number()) {
    const Number number = scanner.number();
    if (number.is_float) throw Mismatch{node.column, "a fraction has no place in an expression"};
    node.value.offset = static_cast<std::int64_t>(number.integer);
    return add(std::move(node));
  }
  if (scanner.peek() == '\'' && scanner.next(1) != '\0' && scanner.next(2) == '\'') {
    node.value.offset = scanner.next(1);
    scanner.seek(node.column + 3);
    return add(std::move(node));
  }
  node.text = scanner.word();
  if (node.text.empty()) scanner.fail("expected a number, a symbol or an expression");
  if (node.text == ".") {
    node.value = scope.here();
    return add(std::move(node));
  }
  if (scanner.next() == '(') return parse_call(scanner, scope, node, depth);
  node.kind = Kind::symbol;
  parse_variant(scanner, node.text);
  // Numbers are taken as they are now: they may be set again.
  Value value;
  if (variant_ == SymbolVariant::none && scope.find(node.text, value) && value.is_absolute()) {
    node.kind = Kind::number;
    node.value = value;
  }
  return add(std::move(node));
}

// max(a, b...), or(a, b...) and alignto(a, b), which compilers write about registers and stacks.
std::size_t Expression::parse_call(Scanner& scanner, const SymbolScope& scope, const Node& name, int depth) {
  if (name.text != "max" && name.text != "or" && name.text != "alignto")
    throw Mismatch{name.column, fmt::format("unknown function {}", name.text), "max or alignto"};
  scanner.expect("(");
  std::size_t result = parse_binary(scanner, scope, 1, depth + 1);
  while (scanner.accept(",")) {
    Node node = name;
    node.kind = Kind::binary;
    if (node.text == "or") node.text = "|";
    node.left = result;
    node.right = parse_binary(scanner, scope, 1, depth + 1);
    result = add(std::move(node));
  }
  scanner.expect(")");
  return result;
}

void Expression::parse_variant(Scanner& scanner, const std::string& name) {
  struct Named {
    std::string_view text;
    SymbolVariant variant;
  };
  constexpr Named kVariants[] = {{"@rel32@lo", SymbolVariant::rel32_lo},
                                 {"@rel32@hi", SymbolVariant::rel32_hi},
                                 {"@rel64", SymbolVariant::rel64},
                                 {"@gotpcrel32@lo", SymbolVariant::gotpcrel32_lo},
                                 {"@gotpcrel32@hi", SymbolVariant::gotpcrel32_hi},
                                 {"@abs32@lo", SymbolVariant::abs32_lo},
                                 {"@abs32@hi", SymbolVariant::abs32_hi}};
  if (scanner.next() != '@') return;
  for (const Named& named : kVariants) {
    if (!scanner.accept(named.text)) continue;
    if (variant_ != SymbolVariant::none) scanner.fail("an expression has one relocated symbol at most");
    variant_ = named.variant;
    variant_symbol_ = name;
    return;
  }
  scanner.fail("unknown or unsupported kind of relocation",
               "@rel32@lo @rel32@hi @rel64 @gotpcrel32@lo @gotpcrel32@hi @abs32@lo @abs32@hi");
}

bool Expression::evaluate(const SymbolScope& scope, Value& value, std::string* undefined) const {
  value = {};
  return nodes_.empty() || evaluate(root_, scope, value, undefined);
}

bool Expression::evaluate(std::size_t index, const SymbolScope& scope, Value& value,
                          std::string* undefined) const {
  const Node& node = nodes_[index];
  switch (node.kind) {
    case Kind::number: value = node.value; return true;
    case Kind::symbol:
      if (scope.find(node.text, value)) return true;
      if (undefined) *undefined = written_name(node.text);
      return false;
    case Kind::unary: {
      if (!evaluate(node.left, scope, value, undefined)) return false;
      if (node.text == "+") return true;
      if (!value.is_absolute()) throw Mismatch{node.column, fmt::format("'{}' of an address", node.text)};
      const auto bits = static_cast<std::uint64_t>(value.offset);
      value.offset = node.text == "-"   ? wrap(0 - bits)
                     : node.text == "~" ? wrap(~bits)
                                        : std::int64_t{bits == 0};
      return true;
    }
    case Kind::binary: {
      Value right;
      if (!evaluate(node.left, scope, value, undefined) || !evaluate(node.right, scope, right, undefined))
        return false;
      const bool sum = node.text == "+";
      const bool shift = node.text == "<<" || node.text == ">>";
      const bool comparison = node.text == "-" || node.text == "==" || node.text == "!=" ||
                              (!shift && (node.text[0] == '<' || node.text[0] == '>'));
      int section = Value::kAbsolute;
      if (value.section != right.section) {
        const bool ok =
            sum ? value.is_absolute() || right.is_absolute() : node.text == "-" && right.is_absolute();
        if (!ok)
          throw Mismatch{node.column, fmt::format("'{}' of addresses in different sections", node.text)};
        section = value.is_absolute() ? right.section : value.section;
      } else if (!value.is_absolute() && !comparison) {
        throw Mismatch{node.column, fmt::format("'{}' of two addresses", node.text)};
      }
      value.offset = compute(node.text, value.offset, right.offset, node.column);
      value.section = section;
      value.of_places |= right.of_places;
      return true;
    }
  }
  return false;
}

}  // namespace mockgpu::isa::amd
