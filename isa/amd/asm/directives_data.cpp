#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>

#include "isa/amd/asm/file_assembler.h"
#include "isa/amd/asm/float_bits.h"

namespace mockgpu::isa::amd {
namespace {

// Of all sections.
constexpr std::uint64_t kMostBytes = 1u << 28;

unsigned size_of(std::string_view directive) {
  if (directive == ".byte" || directive == ".dc.b") return 1;
  if (directive == ".short" || directive == ".hword" || directive == ".2byte" || directive == ".dc.w")
    return 2;
  if (directive == ".quad" || directive == ".8byte" || directive == ".dc.a") return 8;
  return 4;
}

}  // namespace

std::int64_t FileAssembler::known(std::string_view what) {
  const Expression expression = Expression::parse(scanner_, *this);
  Value value;
  std::string undefined;
  if (!expression.evaluate(*this, value, &undefined))
    throw Mismatch{expression.column(),
                   fmt::format("{} must be known here, but {} is not defined before", what, undefined)};
  if (!value.is_absolute())
    throw Mismatch{expression.column(), fmt::format("{} must be a number, not an address", what)};
  return value.offset;
}

void FileAssembler::grow(std::uint64_t size, std::size_t column) {
  AsmSection& section = parts_.sections[static_cast<std::size_t>(section_)];
  if (size > kMostBytes - total_bytes_)
    throw Mismatch{column, fmt::format("with section {} the file has more than 256 MiB", section.name)};
  total_bytes_ += size;
  section.data.resize(section.data.size() + size);
}

void FileAssembler::emit(std::uint64_t value, unsigned size) {
  AsmSection& section = parts_.sections[static_cast<std::size_t>(section_)];
  if (section.no_bits && value) scanner_.fail(fmt::format("section {} holds zeros only", section.name));
  grow(size, scanner_.column());
  std::memcpy(section.data.data() + section.data.size() - size, &value, size);
}

void FileAssembler::emit_expressions(std::string_view directive) {
  const unsigned size = size_of(directive);
  if (scanner_.at_end()) return;
  do {
    const Expression expression = Expression::parse(scanner_, *this);
    Value value;
    if (expression.variant() == SymbolVariant::none && expression.evaluate(*this, value) &&
        value.is_absolute()) {
      const unsigned bits = size * 8;
      if (bits < 64 && (value.offset >> bits) != 0 && (value.offset >> (bits - 1)) != -1)
        throw Mismatch{expression.column(), fmt::format("{} does not fit in {} bytes", value.offset, size)};
      emit(static_cast<std::uint64_t>(value.offset), size);
      continue;
    }
    Fixup fixup;
    fixup.section = section_;
    fixup.offset = parts_.sections[static_cast<std::size_t>(section_)].data.size();
    fixup.size = size;
    fixup.expression = expression;
    fixup.line = line_;
    fixups_.push_back(std::move(fixup));
    emit(0, size);
  } while (scanner_.accept(","));
}

void FileAssembler::emit_floats(std::string_view directive) {
  do {
    const bool minus = scanner_.accept("-");
    if (!minus) scanner_.accept("+");
    double real = 0;
    if (scanner_.accept_word("inf") || scanner_.accept_word("infinity"))
      real = std::numeric_limits<double>::infinity();
    else if (scanner_.accept_word("nan"))
      real = std::numeric_limits<double>::quiet_NaN();
    else if (scanner_.at_number())
      real = scanner_.number().real;
    else
      scanner_.fail("expected a number");
    const double value = minus ? -real : real;
    if (directive == ".double" || directive == ".dc.d")
      emit(f64_bits(value), 8);
    else
      emit(f32_bits(value), 4);
  } while (scanner_.accept(","));
}

void FileAssembler::emit_text(std::string_view directive) {
  do {
    for (char c : scanner_.quoted()) emit(static_cast<unsigned char>(c), 1);
    if (directive != ".ascii") emit(0, 1);
  } while (scanner_.accept(","));
}

// Numbers of 128 bits.
void FileAssembler::emit_octa(std::string_view) {
  do {
    const std::size_t begin = scanner_.column();
    const std::size_t digits = scanner_.accept("0x") || scanner_.accept("0X") ? scanner_.column() : begin;
    std::size_t end = digits;
    const auto is_digit = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
    while (is_digit(scanner_.next(end - digits))) ++end;
    constexpr std::size_t kHalf = 16;
    std::uint64_t low = 0, high = 0;
    if (digits == begin || end == digits || is_word_character(scanner_.next(end - digits))) {
      scanner_.seek(begin);
      if (!scanner_.at_number()) scanner_.fail("expected a number", "0x and up to 32 digits");
      low = scanner_.number().integer;
    } else if (end - digits > 2 * kHalf) {
      throw Mismatch{begin, "the number needs more than 128 bits"};
    } else {
      const std::size_t middle = end - digits > kHalf ? end - kHalf : digits;
      low = std::stoull(std::string(scanner_.between(middle, end)), nullptr, 16);
      if (middle > digits) high = std::stoull(std::string(scanner_.between(digits, middle)), nullptr, 16);
      scanner_.seek(end);
    }
    emit(low, 8);
    emit(high, 8);
  } while (scanner_.accept(","));
}

// Seven bits in each byte, the lowest first; the upper bit says that more follow.
void FileAssembler::emit_leb128(std::string_view directive) {
  const bool is_signed = directive == ".sleb128";
  do {
    // What debuggers alone read is left out of the object: distances in it need not be known yet.
    if (!parts_.sections[static_cast<std::size_t>(section_)].alloc) {
      Expression::parse(scanner_, *this);
      continue;
    }
    std::int64_t value = known("the value");
    for (bool more = true; more;) {
      const auto low = static_cast<std::uint64_t>(value) & 0x7f;
      value = is_signed ? value >> 7 : static_cast<std::int64_t>(static_cast<std::uint64_t>(value) >> 7);
      more = is_signed ? value != -static_cast<std::int64_t>(low >> 6) : value != 0;
      emit(low | (more ? 0x80u : 0u), 1);
    }
  } while (scanner_.accept(","));
}

// .org place, value: fills up to a place in the section.
void FileAssembler::origin(std::string_view) {
  const Expression expression = Expression::parse(scanner_, *this);
  Value place;
  std::string undefined;
  if (!expression.evaluate(*this, place, &undefined))
    throw Mismatch{expression.column(),
                   fmt::format("the place must be known here, but {} is not defined before", undefined)};
  const std::int64_t value = scanner_.accept(",") ? known("the value") : 0;
  AsmSection& section = parts_.sections[static_cast<std::size_t>(section_)];
  const std::size_t begin = section.data.size();
  if (!place.is_absolute() && place.section != section_)
    throw Mismatch{expression.column(), "the place is in another section"};
  if (place.offset < static_cast<std::int64_t>(begin))
    throw Mismatch{expression.column(),
                   fmt::format("{} is behind: the section has {} bytes", place.offset, begin)};
  if (section.no_bits && value) scanner_.fail(fmt::format("section {} holds zeros only", section.name));
  grow(static_cast<std::uint64_t>(place.offset) - begin, expression.column());
  std::fill(section.data.begin() + static_cast<std::ptrdiff_t>(begin), section.data.end(),
            static_cast<std::byte>(value & 0xff));
}

// .fill count, size, value
void FileAssembler::fill(std::string_view) {
  const std::size_t column = scanner_.column();
  const std::int64_t count = known("the count");
  std::int64_t size = 1, value = 0;
  if (scanner_.accept(",")) {
    size = known("the size");
    if (scanner_.accept(",")) value = known("the value");
  }
  if (size < 0 || size > 8) throw Mismatch{column, fmt::format("a size of {} bytes", size), "0 to 8"};
  if (count < 0 || static_cast<std::uint64_t>(count) > kMostBytes)
    throw Mismatch{column, fmt::format("a count of {}", count), "0 to 268435456"};
  AsmSection& section = parts_.sections[static_cast<std::size_t>(section_)];
  if (section.no_bits && value) scanner_.fail(fmt::format("section {} holds zeros only", section.name));
  const std::size_t begin = section.data.size();
  grow(static_cast<std::uint64_t>(count * size), column);
  // GNU as: the value has 4 bytes, the rest is zero.
  const std::uint64_t unit =
      size <= 4 ? static_cast<std::uint64_t>(value) : static_cast<std::uint32_t>(value);
  for (std::size_t at = begin; at < section.data.size(); ++at)
    section.data[at] =
        static_cast<std::byte>(unit >> (8 * ((at - begin) % static_cast<std::size_t>(size))) & 0xff);
}

// .zero size, .space size, value
void FileAssembler::zero(std::string_view) {
  const std::size_t column = scanner_.column();
  const std::int64_t size = known("the size");
  const std::int64_t value = scanner_.accept(",") ? known("the value") : 0;
  if (size < 0) throw Mismatch{column, fmt::format("a size of {}", size)};
  AsmSection& section = parts_.sections[static_cast<std::size_t>(section_)];
  const std::size_t begin = section.data.size();
  grow(static_cast<std::uint64_t>(size), column);
  std::memset(section.data.data() + begin, static_cast<int>(value & 0xff), static_cast<std::size_t>(size));
}

// .p2align power, value, most; .balign bytes, value, most. `.align` counts bytes. A `w` or `l` at the end
// makes the value one of 2 or 4 bytes.
void FileAssembler::align(std::string_view directive) {
  const std::size_t column = scanner_.column();
  std::int64_t alignment = known("the alignment");
  constexpr std::int64_t kMostPower = 16;
  if (directive.starts_with(".p2align")) {
    if (alignment < 0 || alignment > kMostPower)
      throw Mismatch{column, fmt::format("an alignment of 2 to the {}", alignment), "0 to 16"};
    alignment = std::int64_t{1} << alignment;
  }
  if (alignment <= 0 || alignment > (1 << kMostPower) || (alignment & (alignment - 1)))
    throw Mismatch{column, fmt::format("an alignment of {}", alignment), "a power of two up to 65536"};
  std::optional<std::uint32_t> filler;
  const unsigned unit = directive.ends_with("nl") ? 4 : directive.ends_with("nw") ? 2 : 1;
  std::uint64_t most = ~std::uint64_t{0};
  if (scanner_.accept(",")) {
    if (scanner_.peek() != ',' && !scanner_.at_end()) filler = static_cast<std::uint32_t>(known("the value"));
    if (scanner_.accept(",")) most = static_cast<std::uint64_t>(known("the limit"));
  }
  align_to(static_cast<std::uint64_t>(alignment), filler, unit, most);
}

void FileAssembler::align_to(std::uint64_t alignment, std::optional<std::uint32_t> filler, unsigned unit,
                             std::uint64_t most) {
  AsmSection& section = parts_.sections[static_cast<std::size_t>(section_)];
  const std::uint64_t begin = section.data.size();
  const std::uint64_t end = (begin + alignment - 1) / alignment * alignment;
  if (alignment > section.align) section.align = alignment;
  if (end - begin > most) return;
  grow(end - begin, 0);
  const bool code = section.executable && !filler;
  const std::uint32_t pattern = code ? kNop : filler.value_or(0);
  for (std::uint64_t at = begin; at < end; ++at)
    section.data[at] = static_cast<std::byte>(pattern >> (8 * (at % (code ? 4 : unit))) & 0xff);
}

// .incbin "file", skip, count
void FileAssembler::include_bytes(std::string_view) {
  const std::size_t column = scanner_.column();
  const std::string name = scanner_.quoted();
  std::int64_t skip = 0;
  std::optional<std::int64_t> asked;
  if (scanner_.accept(",")) {
    if (scanner_.peek() != ',') skip = known("the number of bytes to skip");
    if (scanner_.accept(",")) asked = known("the number of bytes");
  }
  const std::string bytes = reader_.contents(name, column);
  const auto size = static_cast<std::int64_t>(bytes.size());
  if (skip < 0 || skip > size)
    throw Mismatch{column, fmt::format("{} has {} bytes, not {}", name, size, skip)};
  const std::int64_t count = asked.value_or(size - skip);
  if (count < 0 || count > size - skip)
    throw Mismatch{column,
                   fmt::format("{} has {} bytes after the first {}, not {}", name, size - skip, skip, count)};
  AsmSection& section = parts_.sections[static_cast<std::size_t>(section_)];
  if (section.no_bits) scanner_.fail(fmt::format("section {} holds zeros only", section.name));
  const std::size_t begin = section.data.size();
  grow(static_cast<std::uint64_t>(count), column);
  std::memcpy(section.data.data() + begin, bytes.data() + skip, static_cast<std::size_t>(count));
}

// What concerns debuggers and linkers only.
void FileAssembler::ignore(std::string_view) { scanner_.rest(); }

// Words to the person who assembles.
void FileAssembler::print(std::string_view) {
  notes_.push_back(fmt::format("{}:{}: {}", line_->file, line_->number, scanner_.quoted()));
}

void FileAssembler::warning(std::string_view) {
  warn(scanner_.at_end() ? ".warning directive invoked in source file" : scanner_.quoted());
}

void FileAssembler::warn(std::string_view text) {
  notes_.push_back(fmt::format("{}:{}: warning: {}", line_->file, line_->number, text));
}

}  // namespace mockgpu::isa::amd
