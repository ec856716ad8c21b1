#pragma once
#include <fmt/core.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace mockgpu::isa::amd {

/// A bit field of one 32-bit word. `set` gives the bits of a value, to be OR-ed into a word; a value that is
/// too wide is cut to the field's width.
struct Bits {
  std::uint8_t shift;
  std::uint8_t width;

  constexpr std::uint32_t value_mask() const { return width >= 32 ? ~0u : (1u << width) - 1u; }
  constexpr std::uint32_t mask() const { return value_mask() << shift; }
  constexpr std::uint32_t get(std::uint32_t word) const { return (word >> shift) & value_mask(); }
  constexpr std::uint32_t set(std::uint32_t value) const { return (value & value_mask()) << shift; }
  /// `word` with this field replaced by `value`.
  constexpr std::uint32_t replace(std::uint32_t word, std::uint32_t value) const {
    return (word & ~mask()) | set(value);
  }
};

/// The 64-bit value of two words, low half first.
constexpr std::uint64_t join(std::uint32_t low, std::uint32_t high) {
  return (static_cast<std::uint64_t>(high) << 32) | low;
}
constexpr std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

/// One named bit, or named value, of a word.
struct NamedValue {
  std::uint32_t value;
  std::string_view name;
};

/// Collects `name=value` pairs, separated by commas: the common printer of packets, registers and ioctl
/// structs.
class FieldPrinter {
 public:
  /// `0x1f`
  void hex(std::string_view name, std::uint64_t value);
  /// `31`
  void number(std::string_view name, std::int64_t value);
  void unsigned_number(std::string_view name, std::uint64_t value);
  /// The text as it is.
  void text(std::string_view name, std::string_view value);
  /// The name of a value, or the number when it has none.
  void choice(std::string_view name, std::uint32_t value, std::span<const NamedValue> names);
  /// The set bits by name, joined by `|`; bits without a name follow in hex; `0` when none is set.
  void flags(std::string_view name, std::uint32_t value, std::span<const NamedValue> names);
  /// Prints the field only when it is not 0: for rarely used fields.
  void rare(std::string_view name, std::uint32_t value);

  const std::string& str() const { return text_; }

 private:
  void begin(std::string_view name);
  std::string text_;
};

/// `flags` alone: `A|B|0x100`, or `0`.
std::string join_flags(std::uint32_t value, std::span<const NamedValue> names);

/// Words without a layout: `{0x1, 0x2}`; of more than 16 the first ones and their number.
std::string format_words(std::span<const std::uint32_t> words);

/// A packet, register or ioctl struct that has `describe(const T&, FieldPrinter&)` beside it. Every such type
/// can be given to fmt; it prints as `{name=value, ...}`.
template <typename T>
concept Described = requires(const T& object, FieldPrinter& printer) {
  describe(object, printer);
};

}  // namespace mockgpu::isa::amd

/// The one formatter of all described structs.
template <mockgpu::isa::amd::Described T>
struct fmt::formatter<T, char, void> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <typename Context>
  auto format(const T& object, Context& context) const {
    mockgpu::isa::amd::FieldPrinter printer;
    describe(object, printer);
    const std::string text = '{' + printer.str() + '}';
    return std::copy(text.begin(), text.end(), context.out());  // format_to compiles much of fmt
  }
};
