#include "isa/object/metadata.h"

#include <fmt/core.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "isa/base/error.h"
#include "isa/object/bytes.h"

namespace mockgpu::isa::object {
namespace {

[[noreturn]] void bad_note(std::string_view file, std::string_view message) {
  bad_file(file, fmt::format("metadata note: {}", message));
}

using nlohmann::json;

constexpr std::string_view kValueKindNames[] = {
#define VALUE_KIND(name) #name,
#include "isa/object/value_kinds.inc"
#undef VALUE_KIND
    "unknown",
};

/// Reads MessagePack of bounded depth, and believes no count. Map entries whose key is no text, which only
/// a compiler's own notes to itself have, are left out.
class MessagePackReader {
 public:
  MessagePackReader(std::span<const std::byte> bytes, std::string_view file) : bytes_(bytes), file_(file) {}

  /// Throws Error(bad_file) unless the bytes are exactly one well-formed object.
  json document() {
    json result = value(0);
    if (at_ != bytes_.size()) bad_note(file_, fmt::format("{} bytes behind the end", bytes_.size() - at_));
    return result;
  }

 private:
  static constexpr unsigned kMostDepth = 32;

  std::span<const std::byte> take(std::uint64_t count) {
    if (count > bytes_.size() - at_) bad_note(file_, fmt::format("truncated at {:#x}", at_));
    at_ += static_cast<std::size_t>(count);
    return bytes_.subspan(at_ - static_cast<std::size_t>(count), static_cast<std::size_t>(count));
  }

  std::uint64_t number(unsigned size) {
    std::uint64_t value = 0;
    for (std::byte byte : take(size)) value = value << 8 | std::to_integer<std::uint64_t>(byte);
    return value;
  }

  std::int64_t signed_number(unsigned size) {
    const unsigned unused = 64 - 8 * size;
    return static_cast<std::int64_t>(number(size) << unused) >> unused;
  }

  std::string text(std::uint64_t size) {
    const std::span<const std::byte> bytes = take(size);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  void check_contents(std::uint64_t count, unsigned depth) {
    if (depth >= kMostDepth) bad_note(file_, fmt::format("nested deeper than {} levels", kMostDepth));
    // Each object takes at least one byte.
    if (count > bytes_.size() - at_)
      bad_note(file_, fmt::format("truncated: {} elements at {:#x}", count, at_));
  }

  json array(std::uint64_t count, unsigned depth) {
    check_contents(count, depth);
    json result = json::array();
    while (count--) result.push_back(value(depth + 1));
    return result;
  }

  json map(std::uint64_t count, unsigned depth) {
    check_contents(2 * count, depth);
    json result = json::object();
    while (count--) {
      const json key = value(depth + 1);
      json entry = value(depth + 1);
      if (key.is_string()) result[key.get_ref<const std::string&>()] = std::move(entry);
    }
    return result;
  }

  json value(unsigned depth) {
    const auto tag = static_cast<unsigned>(number(1));
    if (tag <= 0x7f) return tag;
    if (tag <= 0x8f) return map(tag & 0x0f, depth);
    if (tag <= 0x9f) return array(tag & 0x0f, depth);
    if (tag <= 0xbf) return text(tag & 0x1f);
    if (tag >= 0xe0) return static_cast<int>(tag) - 0x100;
    switch (tag) {
      case 0xc0: return nullptr;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xc4:  // binary
      case 0xd9: return text(number(1));
      case 0xc5:
      case 0xda: return text(number(2));
      case 0xc6:
      case 0xdb: return text(number(4));
      case 0xca: return std::bit_cast<float>(static_cast<std::uint32_t>(number(4)));
      case 0xcb: return std::bit_cast<double>(number(8));
      case 0xcc: return number(1);
      case 0xcd: return number(2);
      case 0xce: return number(4);
      case 0xcf: return number(8);
      case 0xd0: return signed_number(1);
      case 0xd1: return signed_number(2);
      case 0xd2: return signed_number(4);
      case 0xd3: return signed_number(8);
      case 0xdc: return array(number(2), depth);
      case 0xdd: return array(number(4), depth);
      case 0xde: return map(number(2), depth);
      case 0xdf: return map(number(4), depth);
      default: bad_note(file_, fmt::format("byte {:#04x} at {:#x} is not used in metadata", tag, at_ - 1));
    }
  }

  std::span<const std::byte> bytes_;
  std::string_view file_;
  std::size_t at_ = 0;
};

std::string text(const json& map, const char* key) {
  const auto found = map.find(key);
  return found != map.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// An unsigned 32-bit number; 0 when the key is missing.
std::uint32_t number(const json& map, const char* key, std::string_view owner, std::string_view file) {
  const auto found = map.find(key);
  if (found == map.end()) return 0;
  if (!found->is_number_integer()) bad_note(file, fmt::format("{} of {} is not a number", key, owner));
  const bool negative = !found->is_number_unsigned() && found->get<std::int64_t>() < 0;
  const std::uint64_t value = negative ? ~std::uint64_t{0} : found->get<std::uint64_t>();
  if (value > 0xffffffffu) bad_note(file, fmt::format("{} of {} is out of range", key, owner));
  return static_cast<std::uint32_t>(value);
}

bool flag(const json& map, const char* key) {
  const auto found = map.find(key);
  return found != map.end() && found->is_boolean() && found->get<bool>();
}

/// The array under `key`; null when it is missing. Throws when it is something else.
const json* list(const json& map, const char* key, std::string_view owner, std::string_view file) {
  const auto found = map.find(key);
  if (found == map.end()) return nullptr;
  if (!found->is_array()) bad_note(file, fmt::format("{} of {} is not an array", key, owner));
  return &*found;
}

KernelArgument parse_argument(const json& map, std::string_view kernel, std::string_view file) {
  if (!map.is_object()) bad_note(file, fmt::format("an argument of kernel {} is not a map", kernel));
  KernelArgument argument;
  argument.name = text(map, ".name");
  argument.type_name = text(map, ".type_name");
  argument.offset = number(map, ".offset", kernel, file);
  argument.size = number(map, ".size", kernel, file);
  argument.kind_name = text(map, ".value_kind");
  argument.hidden = argument.kind_name.starts_with("hidden_");
  for (std::size_t i = 0; i < static_cast<std::size_t>(ValueKind::unknown); ++i) {
    if (kValueKindNames[i] == argument.kind_name) argument.kind = static_cast<ValueKind>(i);
  }
  return argument;
}

void check_arguments(const KernelMetadata& kernel, std::string_view file) {
  for (const KernelArgument& argument : kernel.arguments) {
    if (std::uint64_t{argument.offset} + argument.size > kernel.kernarg_segment_size) {
      bad_note(file, fmt::format(
                         "argument '{}' of kernel {} (offset {}, size {}) lies outside its {} argument bytes",
                         argument.name.empty() ? argument.kind_name : argument.name, kernel.name,
                         argument.offset, argument.size, kernel.kernarg_segment_size));
    }
  }
}

KernelMetadata parse_kernel(const json& map, std::string_view file) {
  if (!map.is_object()) bad_note(file, "a kernel is not a map");
  KernelMetadata kernel;
  kernel.name = text(map, ".name");
  kernel.symbol = text(map, ".symbol");
  if (kernel.name.empty() || kernel.symbol.empty()) bad_note(file, "a kernel has no .name or no .symbol");
  kernel.kernarg_segment_size = number(map, ".kernarg_segment_size", kernel.name, file);
  kernel.kernarg_segment_align = number(map, ".kernarg_segment_align", kernel.name, file);
  kernel.group_segment_fixed_size = number(map, ".group_segment_fixed_size", kernel.name, file);
  kernel.private_segment_fixed_size = number(map, ".private_segment_fixed_size", kernel.name, file);
  kernel.wavefront_size = number(map, ".wavefront_size", kernel.name, file);
  kernel.max_flat_workgroup_size = number(map, ".max_flat_workgroup_size", kernel.name, file);
  kernel.sgpr_count = number(map, ".sgpr_count", kernel.name, file);
  kernel.vgpr_count = number(map, ".vgpr_count", kernel.name, file);
  kernel.agpr_count = number(map, ".agpr_count", kernel.name, file);
  kernel.uses_dynamic_stack = flag(map, ".uses_dynamic_stack");
  if (const json* sizes = list(map, ".reqd_workgroup_size", kernel.name, file)) {
    if (sizes->size() != 3)
      bad_note(file, fmt::format(".reqd_workgroup_size of {} has not 3 numbers", kernel.name));
    for (std::size_t i = 0; i < 3; ++i) {
      const json wrapped = {{".reqd_workgroup_size", (*sizes)[i]}};
      kernel.reqd_workgroup_size[i] = number(wrapped, ".reqd_workgroup_size", kernel.name, file);
    }
  }
  if (const json* arguments = list(map, ".args", kernel.name, file)) {
    for (const json& argument : *arguments) {
      kernel.arguments.push_back(parse_argument(argument, kernel.name, file));
    }
  }
  check_arguments(kernel, file);
  return kernel;
}

Metadata parse_root(const json& root, std::string_view file) {
  if (!root.is_object()) bad_note(file, "the root is not a map");
  Metadata metadata;
  metadata.target = text(root, "amdhsa.target");
  if (const json* version = list(root, "amdhsa.version", "the root", file)) {
    if (version->size() >= 2 && (*version)[0].is_number_unsigned() && (*version)[1].is_number_unsigned()) {
      metadata.version_major = (*version)[0].get<std::uint32_t>();
      metadata.version_minor = (*version)[1].get<std::uint32_t>();
    }
  }
  if (const json* kernels = list(root, "amdhsa.kernels", "the root", file)) {
    for (const json& kernel : *kernels) metadata.kernels.push_back(parse_kernel(kernel, file));
  }
  return metadata;
}

}  // namespace

std::string_view value_kind_name(ValueKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  return index < std::size(kValueKindNames) ? kValueKindNames[index] : "unknown";
}

Metadata parse_metadata(std::span<const std::byte> bytes, std::string_view file) {
  try {
    return parse_root(MessagePackReader(bytes, file).document(), file);
  } catch (const json::exception& problem) {
    bad_note(file, problem.what());
  }
}

}  // namespace mockgpu::isa::object
