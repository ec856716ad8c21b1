#include "isa/amd/commands/ioctl.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace mockgpu::isa::amd {
namespace {

std::uint64_t load_number(std::span<const std::byte> bytes, std::size_t offset, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, std::min<std::size_t>(size, 8));
  return value;
}

std::string format_list(const std::byte* data, std::size_t count, std::size_t most, bool hex) {
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(count, most); ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, data + i * 4, 4);
    if (i != 0) text += ", ";
    text += hex ? fmt::format("{:#x}", word) : fmt::format("{}", word);
  }
  return text + (count > most ? ", ...]" : "]");
}

std::string format_structs(const std::byte* data, std::size_t count, std::size_t most,
                           const ElementInfo& element) {
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(count, most); ++i) {
    FieldPrinter printer;
    print_fields(element.fields, {data + i * element.bytes, element.bytes}, true, true, false, printer);
    text += fmt::format("{}{{{}}}", i == 0 ? "" : ", ", printer.str());
  }
  return text + (count > most ? ", ...]" : "]");
}

void print_field(const FieldInfo& field, std::span<const std::byte> bytes, bool follow,
                 FieldPrinter& printer) {
  constexpr std::size_t kMost = 64;
  const std::uint64_t value = load_number(bytes, field.offset, field.size);
  switch (field.format) {
    case FieldFormat::hex: return printer.hex(field.name, value);
    case FieldFormat::number: return printer.unsigned_number(field.name, value);
    case FieldFormat::signed_number:
      return printer.number(
          field.name, field.size == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value));
    case FieldFormat::choice:
      return printer.choice(field.name, static_cast<std::uint32_t>(value), field.names);
    case FieldFormat::flags: return printer.flags(field.name, static_cast<std::uint32_t>(value), field.names);
    case FieldFormat::ids:
    case FieldFormat::structs: {
      const std::size_t count_at = std::size_t{field.offset} + field.size;
      if (!follow || value == 0 || count_at + 4 > bytes.size()) return printer.hex(field.name, value);
      const auto count = static_cast<std::size_t>(load_number(bytes, count_at, 4));
      // The address is one of this process: that is what `follow` promises.
      const auto* data = reinterpret_cast<const std::byte*>(value);
      return printer.text(field.name, field.format == FieldFormat::ids
                                          ? format_list(data, count, kMost, false)
                                          : format_structs(data, count, kMost, *field.element));
    }
    case FieldFormat::words:
      return printer.text(field.name, format_list(bytes.data() + field.offset, field.size / 4, kMost, true));
  }
}

}  // namespace

void print_fields(std::span<const FieldInfo> fields, std::span<const std::byte> bytes, bool want_in,
                  bool want_out, bool follow, FieldPrinter& printer) {
  for (const FieldInfo& field : fields) {
    if (std::size_t{field.offset} + field.size > bytes.size()) continue;
    const bool in = field.direction != FieldDirection::out;
    const bool out = field.direction != FieldDirection::in;
    if ((want_in && in) || (want_out && out)) print_field(field, bytes, follow, printer);
  }
}

const IoctlInfo* find_by_number(std::span<const IoctlInfo> table, std::uint32_t request) {
  for (const IoctlInfo& info : table) {
    if (IoctlRequest::kType.get(info.request) == IoctlRequest::kType.get(request) &&
        info.nr() == IoctlRequest::kNr.get(request)) {
      return &info;
    }
  }
  return nullptr;
}

std::string format_call(const IoctlInfo* info, std::uint32_t request, std::span<const std::byte> before,
                        std::span<const std::byte> after, bool follow) {
  const auto size =
      static_cast<std::uint16_t>(std::min<std::size_t>(before.size(), 0x3ffc) & ~std::size_t{3});
  const FieldInfo raw{"words", 0, size, FieldFormat::words, FieldDirection::in_out, {}};
  std::span<const FieldInfo> fields;
  if (info != nullptr && !info->fields.empty()) {
    fields = info->fields;
  } else if (size != 0) {
    fields = std::span(&raw, 1);
  }
  std::string text = info != nullptr ? std::string(info->name) : fmt::format("{:#x}", request);
  if (before.empty()) return text;
  FieldPrinter in;
  print_fields(fields, before, true, false, follow, in);
  text += fmt::format(", {{{}}}", in.str());
  if (after.empty()) return text;
  FieldPrinter out;
  print_fields(fields, after, false, true, false, out);
  if (!out.str().empty()) text += fmt::format(" => {{{}}}", out.str());
  return text;
}

}  // namespace mockgpu::isa::amd
