#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "isa/amd/asm/scanner.h"

namespace mockgpu::isa::amd {

/// What an expression or a symbol stands for: a number, or a place in a section.
struct Value {
  static constexpr int kAbsolute = -1;

  std::int64_t offset = 0;  ///< the number, or bytes from the section's start
  int section = kAbsolute;
  /// Made of addresses, be it their difference: in an instruction LLVM takes a literal for it.
  bool of_places = false;

  bool is_absolute() const { return section == kAbsolute; }
};

/// The symbols of a source file, as far as they are known.
class SymbolScope {
 public:
  virtual ~SymbolScope() = default;
  /// False if the symbol is not defined (yet).
  virtual bool find(std::string_view name, Value& value) const = 0;
  /// Where the current statement goes: the symbol `.`.
  virtual Value here() const = 0;
  /// Whether a symbol that is not defined may be so later.
  virtual bool looks_ahead() const { return true; }
  /// The symbol that the label `1:` defines, seen from the current statement: the last one, or with `forward`
  /// the next.
  virtual std::string numeric_label(std::uint64_t number, bool forward) const = 0;
};

/// No symbols at all.
class NoSymbols : public SymbolScope {
 public:
  bool find(std::string_view, Value&) const override { return false; }
  Value here() const override { return {}; }
  bool looks_ahead() const override { return false; }
  std::string numeric_label(std::uint64_t, bool) const override { return {}; }
};

/// What `symbol@rel32@lo` asks for, in place of the symbol's value.
enum class SymbolVariant : std::uint8_t {
  none,
  rel32_lo,
  rel32_hi,
  rel64,
  gotpcrel32_lo,
  gotpcrel32_hi,
  abs32_lo,
  abs32_hi
};

/// An expression as C has them: numbers, symbols, `.`, parentheses, + - * / % << >> & | ^ ~ ! && || and
/// comparisons.
class Expression {
 public:
  Expression() = default;
  explicit Expression(std::int64_t value);
  /// The value of a symbol.
  static Expression of_symbol(std::string name);

  /// Reads one; throws a Mismatch. `.` is taken from `scope`. With `in_bars` a | ends it.
  static Expression parse(Scanner& scanner, const SymbolScope& scope, bool in_bars = false);

  /// The name of the n-th label `number:` of a file, from 1: no name that a person could write.
  static std::string numeric_label_name(std::uint64_t number, unsigned n);

  /// Evaluates it. Returns false if a symbol is not defined, whose name `undefined` and `column()` then tell.
  /// Throws a Mismatch for what has no value (a division by zero, the product of two addresses).
  bool evaluate(const SymbolScope& scope, Value& value, std::string* undefined = nullptr) const;

  SymbolVariant variant() const { return variant_; }
  /// The symbol that the variant stands at; empty: there is none.
  const std::string& variant_symbol() const { return variant_symbol_; }
  /// Whether it is that symbol's address through the global offset table.
  bool wants_table() const {
    return variant_ == SymbolVariant::gotpcrel32_lo || variant_ == SymbolVariant::gotpcrel32_hi;
  }
  /// Where it starts in its line.
  std::size_t column() const { return column_; }
  /// Says that what was read started `columns` into its line.
  void move_right(std::size_t columns) {
    column_ += columns;
    for (Node& node : nodes_) node.column += columns;
  }

 private:
  enum class Kind : std::uint8_t { number, symbol, unary, binary };
  struct Node {
    Kind kind = Kind::number;
    std::string text;  // name or operator
    std::size_t column = 0;
    std::size_t left = 0, right = 0;
    Value value;
  };

  std::size_t add(Node node);
  std::size_t parse_binary(Scanner& scanner, const SymbolScope& scope, int least, int depth);
  std::size_t parse_unary(Scanner& scanner, const SymbolScope& scope, int depth);
  std::size_t parse_call(Scanner& scanner, const SymbolScope& scope, const Node& name, int depth);
  void parse_variant(Scanner& scanner, const std::string& name);
  bool evaluate(std::size_t node, const SymbolScope& scope, Value& value, std::string* undefined) const;

  std::vector<Node> nodes_;
  std::size_t root_ = 0;
  std::size_t column_ = 0;
  bool in_bars_ = false;
  SymbolVariant variant_ = SymbolVariant::none;
  std::string variant_symbol_;
};

}  // namespace mockgpu::isa::amd
