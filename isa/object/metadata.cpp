#include "isa/object/metadata.h"

#include <fmt/core.h>

#include <exception>
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

/// Walks MessagePack bytes without building anything, so that the JSON library, which recurses and believes
/// counts, only ever sees well-formed input of bounded depth.
class MessagePackScanner {
 public:
  MessagePackScanner(std::span<const std::byte> bytes, std::string_view file) : bytes_(bytes), file_(file) {}

  /// Throws Error(bad_file) unless the bytes are exactly one well-formed object.
  void check() {
    std::vector<std::uint64_t> pending{1};  // objects still to come, per open array or map
    while (!pending.empty()) {
      if (pending.back() == 0) {
        pending.pop_back();
        continue;
      }
      --pending.back();
      const std::uint64_t children = object();
      if (children == 0) continue;
      if (pending.size() >= kMostDepth)
        bad_note(file_, fmt::format("nested deeper than {} levels", kMostDepth));
      // Each child takes at least one byte.
      if (children > bytes_.size() - at_)
        bad_note(file_, fmt::format("truncated: {} elements at {:#x}", children, at_));
      pending.push_back(children);
    }
    if (at_ != bytes_.size()) bad_note(file_, fmt::format("{} bytes behind the end", bytes_.size() - at_));
  }

 private:
  static constexpr std::size_t kMostDepth = 32;

  std::uint64_t number(unsigned bytes) {
    std::uint64_t value = 0;
    skip(bytes);
    for (std::size_t i = at_ - bytes; i < at_; ++i)
      value = value << 8 | std::to_integer<std::uint64_t>(bytes_[i]);
    return value;
  }

  void skip(std::uint64_t count) {
    if (count > bytes_.size() - at_) bad_note(file_, fmt::format("truncated at {:#x}", at_));
    at_ += static_cast<std::size_t>(count);
  }

  /// Reads one object's head and, unless it is an array or map, its contents. Returns the number of objects
  /// inside.
  std::uint64_t object() {
    const auto tag = static_cast<unsigned>(number(1));
    if (tag <= 0x7f || tag >= 0xe0) return 0;       // small integers
    if (tag <= 0x8f) return 2 * (tag & 0x0fu);      // small map
    if (tag <= 0x9f) return tag & 0x0fu;            // small array
    if (tag <= 0xbf) return contents(tag & 0x1fu);  // small string
    switch (tag) {
      case 0xc0:
      case 0xc2:
      case 0xc3: return 0;  // nil, false, true
      case 0xc4:
      case 0xd9: return contents(number(1));  // binary, string
      case 0xc5:
      case 0xda: return contents(number(2));
      case 0xc6:
      case 0xdb: return contents(number(4));
      case 0xca: return contents(4);  // floats
      case 0xcb: return contents(8);
      case 0xcc:
      case 0xd0: return contents(1);  // integers
      case 0xcd:
      case 0xd1: return contents(2);
      case 0xce:
      case 0xd2: return contents(4);
      case 0xcf:
      case 0xd3: return contents(8);
      case 0xdc: return number(2);  // arrays
      case 0xdd: return number(4);
      case 0xde: return 2 * number(2);  // maps
      case 0xdf: return 2 * number(4);
      default: bad_note(file_, fmt::format("byte {:#04x} at {:#x} is not used in metadata", tag, at_ - 1));
    }
  }

  std::uint64_t contents(std::uint64_t count) {
    skip(count);
    return 0;
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
  MessagePackScanner(bytes, file).check();
  try {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const json root = json::from_msgpack(begin, begin + bytes.size(), true, false);
    if (root.is_discarded()) bad_note(file, "not MessagePack with text keys");
    return parse_root(root, file);
  } catch (const json::exception& problem) {
    bad_note(file, problem.what());
  }
}

}  // namespace mockgpu::isa::object
