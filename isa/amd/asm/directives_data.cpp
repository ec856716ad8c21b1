#include <fmt/format.h>

#include <cstring>

#include "isa/amd/asm/file_assembler.h"
#include "isa/amd/asm/float_bits.h"

namespace mockgpu::isa::amd {
namespace {

// Of one section.
constexpr std::uint64_t kMostBytes = 1u << 28;
constexpr std::uint32_t kNop = 0xbf800000;  // s_nop 0, what LLVM aligns code with

unsigned size_of(std::string_view directive) {
  if (directive == ".byte") return 1;
  if (directive == ".short" || directive == ".hword" || directive == ".2byte") return 2;
  if (directive == ".quad" || directive == ".8byte") return 8;
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
  if (size > kMostBytes || section.data.size() + size > kMostBytes)
    throw Mismatch{column, fmt::format("section {} has more than 256 MiB", section.name)};
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
    if (!scanner_.at_number()) scanner_.fail("expected a number");
    const Number number = scanner_.number();
    const double value = minus ? -number.real : number.real;
    if (directive == ".double")
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
  for (std::int64_t i = 0; i < count; ++i) {
    // GNU as: the value has 4 bytes, the rest is zero.
    emit(size <= 4 ? static_cast<std::uint64_t>(value) : static_cast<std::uint32_t>(value),
         static_cast<unsigned>(size));
  }
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

// What concerns debuggers and linkers only.
void FileAssembler::ignore(std::string_view) { scanner_.rest(); }

}  // namespace mockgpu::isa::amd
