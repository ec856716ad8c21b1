#include "tools/cli/values.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "isa/base/error.h"

namespace mockgpu::tools {
namespace {

struct TypeRow {
  std::string_view name;
  std::size_t size;
  bool is_float;
};
constexpr std::array<TypeRow, 12> kTypes{{{"i8", 1, false},
                                          {"u8", 1, false},
                                          {"i16", 2, false},
                                          {"u16", 2, false},
                                          {"i32", 4, false},
                                          {"u32", 4, false},
                                          {"i64", 8, false},
                                          {"u64", 8, false},
                                          {"f16", 2, true},
                                          {"bf16", 2, true},
                                          {"f32", 4, true},
                                          {"f64", 8, true}}};

const TypeRow& row(ElementType type) { return kTypes[static_cast<std::size_t>(type)]; }

bool is_signed(ElementType type) { return row(type).name[0] == 'i'; }

/// Fields of the two 16-bit float types.
struct SmallFloat {
  int mantissa_bits;
  int bias;
  int max_exponent;  ///< exponent field of infinities
};
SmallFloat small_float(ElementType type) {
  return type == ElementType::f16 ? SmallFloat{10, 15, 31} : SmallFloat{7, 127, 255};
}

Number decode_small(ElementType type, std::uint16_t bits) {
  const SmallFloat format = small_float(type);
  const int exponent = (bits & 0x7fff) >> format.mantissa_bits;
  const int mantissa = bits & ((1 << format.mantissa_bits) - 1);
  Number value = 0;
  if (exponent == format.max_exponent) {
    value = mantissa ? std::numeric_limits<Number>::quiet_NaN() : std::numeric_limits<Number>::infinity();
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<Number>(mantissa), 1 - format.bias - format.mantissa_bits);
  } else {
    value = std::ldexp(static_cast<Number>(mantissa + (1 << format.mantissa_bits)),
                       exponent - format.bias - format.mantissa_bits);
  }
  return bits & 0x8000 ? -value : value;
}

std::uint16_t encode_small(ElementType type, Number value) {
  const SmallFloat format = small_float(type);
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const auto infinity = static_cast<std::uint16_t>(format.max_exponent << format.mantissa_bits);
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>(sign | infinity | (1 << (format.mantissa_bits - 1)));
  }
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | infinity);
  const Number magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = m * 2^exponent with m in [0.5, 1)
  const int lowest = 1 - format.bias;
  const int unit = std::max(exponent - 1, lowest) - format.mantissa_bits;
  // Subnormals, normals and the carry into the next exponent all come out of one integer.
  const auto steps = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -unit)));
  const std::uint32_t base = static_cast<std::uint32_t>(unit + format.mantissa_bits - lowest)
                             << format.mantissa_bits;
  return static_cast<std::uint16_t>(sign | std::min<std::uint32_t>(base + steps, infinity));
}

template <typename T>
T load(std::span<const std::byte> bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void store(std::span<std::byte> bytes, std::size_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T));
}

/// Truncated towards zero, modulo 2^64.
std::uint64_t to_integer_bits(Number value) {
  if (!std::isfinite(value)) bad_usage(fmt::format("{} is no integer", static_cast<double>(value)));
  const auto magnitude =
      static_cast<std::uint64_t>(std::fmod(std::trunc(std::fabs(value)), std::ldexp(Number(1), 64)));
  return value < 0 ? 0 - magnitude : magnitude;
}

/// splitmix64: small, and the same numbers everywhere.
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Fills `bytes` with element(i) for each i.
template <typename Element>
void generate(ElementType type, std::size_t count, std::vector<std::byte>& bytes, Element element) {
  for (std::size_t i = 0; i < count; ++i) write_element(type, bytes, i, element(i));
}

void generate_iota(ElementType type, std::size_t count, std::string_view description,
                   std::vector<std::byte>& bytes) {
  std::string_view rest = description.substr(4);
  Number scale = 1, offset = 0;
  if (!rest.empty() && rest[0] == '*') {
    std::size_t end = rest.find_first_of("+-", 2);
    // The sign of an exponent (1e-3) belongs to the number.
    while (end != std::string_view::npos && (rest[end - 1] == 'e' || rest[end - 1] == 'E') &&
           rest.substr(1, 2) != "0x") {
      end = rest.find_first_of("+-", end + 1);
    }
    scale = parse_number(rest.substr(1, end == std::string_view::npos ? end : end - 1));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end);
  }
  if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) {
    offset = parse_number(rest.substr(1));
    if (rest[0] == '-') offset = -offset;
  } else if (!rest.empty()) {
    bad_usage(
        fmt::format("\"{}\": iota is followed by *SCALE, +OFFSET or -OFFSET, as in iota*2+1", description));
  }
  if (!is_float(type) && std::trunc(scale) == scale && std::trunc(offset) == offset) {
    // Numbers hold 64 bits exactly, but not sums and products of them.
    const std::uint64_t step = to_integer_bits(scale), start = to_integer_bits(offset);
    generate(type, count, bytes, [&](std::size_t i) { return static_cast<Number>(start + i * step); });
  } else {
    generate(type, count, bytes, [&](std::size_t i) { return static_cast<Number>(i) * scale + offset; });
  }
}

void generate_random(ElementType type, std::size_t count, std::string_view description,
                     std::vector<std::byte>& bytes) {
  const std::vector<std::string_view> parts = split(description, ':');
  if (parts.size() != 2 && parts.size() != 4) {
    bad_usage(fmt::format("\"{}\": random values are rand:SEED or rand:SEED:LOW:HIGH", description));
  }
  Random random{to_integer_bits(parse_number(parts[1]))};
  const bool floats = is_float(type);
  // Without a range, integers are 64 bits of which each type takes its own.
  const Number most = floats ? std::numeric_limits<Number>::max() : std::ldexp(Number(1), 64) - 1;
  Number low = floats ? -1 : 0, high = floats ? 1 : most;
  if (parts.size() == 4) {
    low = parse_number(parts[2]);
    high = parse_number(parts[3]);
    if (!floats) {
      low = std::ceil(low);
      high = std::floor(high);
    }
  }
  const Number span = high - low;
  if (!(span >= 0 && span <= most)) {  // NaN neither
    bad_usage(fmt::format("\"{}\": LOW:HIGH must be a finite range{}", description,
                          floats ? ", LOW not above HIGH" : " of 1 to 2^64 integers"));
  }
  if (floats) {
    generate(type, count, bytes, [&](std::size_t) {
      const Number unit = std::ldexp(static_cast<Number>(random.next() >> 40), -24);
      return low + unit * span;
    });
    return;
  }
  const std::uint64_t start = to_integer_bits(low), last = to_integer_bits(span);
  const int unused_bits = std::countl_zero(last | 1);
  generate(type, count, bytes, [&](std::size_t) {
    std::uint64_t drawn;
    do drawn = random.next() >> unused_bits;
    while (drawn > last);  // no remainder, so that all are equally likely
    return static_cast<Number>(start + drawn);
  });
}

}  // namespace

void bad_usage(std::string message) { throw Error(Tag::bad_usage, std::move(message)); }

std::string_view type_name(ElementType type) { return row(type).name; }

ElementType parse_type(std::string_view name) {
  std::string names;
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return static_cast<ElementType>(i);
    names += fmt::format("{}{}", i ? " " : "", kTypes[i].name);
  }
  bad_usage(fmt::format("\"{}\" is no element type; there are {}", name, names));
}

std::size_t type_size(ElementType type) { return row(type).size; }

bool is_float(ElementType type) { return row(type).is_float; }

Number read_element(ElementType type, std::span<const std::byte> bytes, std::size_t index) {
  switch (type) {
    case ElementType::i8: return load<std::int8_t>(bytes, index);
    case ElementType::u8: return load<std::uint8_t>(bytes, index);
    case ElementType::i16: return load<std::int16_t>(bytes, index);
    case ElementType::u16: return load<std::uint16_t>(bytes, index);
    case ElementType::i32: return load<std::int32_t>(bytes, index);
    case ElementType::u32: return load<std::uint32_t>(bytes, index);
    case ElementType::i64: return static_cast<Number>(load<std::int64_t>(bytes, index));
    case ElementType::u64: return static_cast<Number>(load<std::uint64_t>(bytes, index));
    case ElementType::f16:
    case ElementType::bf16: return decode_small(type, load<std::uint16_t>(bytes, index));
    case ElementType::f32: return load<float>(bytes, index);
    case ElementType::f64: return load<double>(bytes, index);
  }
  return 0;
}

void write_element(ElementType type, std::span<std::byte> bytes, std::size_t index, Number value) {
  switch (type) {
    case ElementType::f16:
    case ElementType::bf16: return store(bytes, index, encode_small(type, value));
    case ElementType::f32: return store(bytes, index, static_cast<float>(value));
    case ElementType::f64: return store(bytes, index, static_cast<double>(value));
    default: break;
  }
  const std::uint64_t bits = to_integer_bits(value);
  switch (type_size(type)) {
    case 1: return store(bytes, index, static_cast<std::uint8_t>(bits));
    case 2: return store(bytes, index, static_cast<std::uint16_t>(bits));
    case 4: return store(bytes, index, static_cast<std::uint32_t>(bits));
    default: return store(bytes, index, bits);
  }
}

std::string format_element(ElementType type, Number value) {
  if (type == ElementType::f64) return fmt::format("{}", static_cast<double>(value));
  if (is_float(type)) return fmt::format("{}", static_cast<float>(value));
  if (is_signed(type)) return fmt::format("{}", static_cast<std::int64_t>(value));
  return fmt::format("{}", static_cast<std::uint64_t>(value));
}

Number parse_number(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const Number value = std::strtold(copy.c_str(), &end);
  if (copy.empty() || *end || std::strchr(" \t\n\v\f\r", copy[0])) {
    bad_usage(fmt::format("\"{}\" is no number", text));
  }
  return value;
}

std::vector<std::byte> make_values(ElementType type, std::size_t count, std::string_view description,
                                   const std::string& folder) {
  if (description.substr(0, 1) == "@") {
    const std::string path = (std::filesystem::path(folder) / description.substr(1)).string();
    std::vector<std::byte> bytes = read_file(path);
    if (bytes.size() != count * type_size(type)) {
      throw Error(Tag::bad_file, fmt::format("{} has {} bytes; {}[{}] is {} bytes", path, bytes.size(),
                                             type_name(type), count, count * type_size(type)));
    }
    return bytes;
  }
  std::vector<std::byte> bytes(count * type_size(type));
  if (description == "zeros") return bytes;
  if (description == "ones") {
    generate(type, count, bytes, [](std::size_t) { return 1; });
  } else if (description.substr(0, 5) == "fill:") {
    const Number value = parse_number(description.substr(5));
    generate(type, count, bytes, [&](std::size_t) { return value; });
  } else if (description.substr(0, 4) == "iota") {
    generate_iota(type, count, description, bytes);
  } else if (description.substr(0, 5) == "rand:") {
    generate_random(type, count, description, bytes);
  } else {
    const std::vector<std::string_view> parts = split(description, ',');
    if (parts.size() == 1 && count != 1) {
      bad_usage(
          fmt::format("\"{}\" is not understood; values are zeros, ones, fill:3, iota*2+1, rand:7, @file, "
                      "or a list 1,2,3",
                      description));
    }
    if (parts.size() != count) {
      bad_usage(fmt::format("\"{}\" lists {} values where {} are needed", description, parts.size(), count));
    }
    generate(type, count, bytes, [&](std::size_t i) { return parse_number(parts[i]); });
  }
  return bytes;
}

std::vector<std::byte> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  std::vector<std::byte> bytes;
  bool failed = !file;
  if (file) {
    std::byte chunk[16384];
    while (const std::size_t got = std::fread(chunk, 1, sizeof chunk, file.get())) {
      bytes.insert(bytes.end(), chunk, chunk + got);
    }
    failed = std::ferror(file.get());
  }
  if (failed) throw Error(Tag::bad_file, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  return bytes;
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool written = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const int reason = errno;
  if ((file && std::fclose(file)) || !written) {
    throw Error(Tag::io, fmt::format("cannot write {}: {}", path, std::strerror(written ? errno : reason)));
  }
}

}  // namespace mockgpu::tools
