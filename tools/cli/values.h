#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mockgpu::tools {

/// Throws Error(bad_usage).
[[noreturn]] void bad_usage(std::string message);

/// Element types of kernel arguments.
enum class ElementType : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };

/// "f32". The names of the command line and of JSON files.
std::string_view type_name(ElementType type);

/// The type called `name`; throws Error(bad_usage), listing those there are.
ElementType parse_type(std::string_view name);

/// Bytes of one element.
std::size_t type_size(ElementType type);

bool is_float(ElementType type);

/// One element as a number. `long double` holds every element type exactly, 64-bit integers included.
using Number = long double;

/// Element `index` of little-endian `bytes`.
Number read_element(ElementType type, std::span<const std::byte> bytes, std::size_t index);

/// Stores `value`: floats rounded to nearest even, integers truncated towards zero and wrapped. Throws
/// Error(bad_usage) for an infinity or NaN as an integer.
void write_element(ElementType type, std::span<std::byte> bytes, std::size_t index, Number value);

/// Shortest text that reads back as the same element.
std::string format_element(ElementType type, Number value);

/// A number as people write it: 7, -1, 0x1f, 1.5, 1e-3, inf, nan. Throws Error(bad_usage).
Number parse_number(std::string_view text);

/// Elements described in words. The grammar (`count` elements of `type`):
///   zeros | ones | fill:V | iota[*SCALE][+OFFSET] (also -OFFSET) | rand:SEED[:LOW:HIGH] | @FILE | V,V,...
/// iota of integers counts modulo their size. rand is uniform: floats in [LOW, HIGH) or [-1, 1), integers in
/// [LOW, HIGH] or over the whole type; LOW and HIGH are finite and LOW is not above HIGH. A file
/// holds raw little-endian elements; `folder` is where relative names start. Lists and files must have
/// exactly `count` elements. Throws Error(bad_usage), or Error(bad_file) for files.
std::vector<std::byte> make_values(ElementType type, std::size_t count, std::string_view description,
                                   const std::string& folder);

/// A whole file. Throws Error(bad_file) with the system's reason.
std::vector<std::byte> read_file(const std::string& path);

/// Replaces a file. Throws Error(io).
void write_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace mockgpu::tools
