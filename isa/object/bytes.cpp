#include "isa/object/bytes.h"

#include <fmt/core.h>

#include <algorithm>

#include "isa/base/error.h"

namespace mockgpu::isa::object {

void bad_file(std::string_view file, std::string_view message) {
  throw Error(Tag::bad_file, fmt::format("{}: {}", file, message));
}

std::span<const std::byte> ByteReader::slice(std::uint64_t offset, std::uint64_t size,
                                             std::string_view what) const {
  if (offset > bytes_.size() || size > bytes_.size() - offset) {
    fail(fmt::format("{} ({} bytes at offset {:#x}) lies outside the file of {} bytes", what, size, offset,
                     bytes_.size()));
  }
  return bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

void ByteReader::fail(std::string_view message) const { bad_file(file_, message); }

std::string_view string_at(std::span<const std::byte> table, std::uint64_t offset) {
  if (offset >= table.size()) return {};
  const char* begin = reinterpret_cast<const char*>(table.data()) + offset;
  constexpr std::size_t kMostName =
      64 * 1024;  // keeps a file of overlapping names from costing quadratic time
  const std::size_t most = std::min(table.size() - static_cast<std::size_t>(offset), kMostName);
  const void* end = std::memchr(begin, 0, most);
  return {begin, end != nullptr ? static_cast<std::size_t>(static_cast<const char*>(end) - begin) : most};
}

}  // namespace mockgpu::isa::object
