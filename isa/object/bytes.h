#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace mockgpu::isa::object {

/// Throws Error(bad_file): `message` behind the file's name.
[[noreturn]] void bad_file(std::string_view file, std::string_view message);

/// Bounds-checked reads of a file that may be malformed. Every failure throws Error(bad_file) that says which
/// file, what was read and where.
class ByteReader {
 public:
  /// `file` names the bytes in messages.
  ByteReader(std::span<const std::byte> bytes, std::string_view file) : bytes_(bytes), file_(file) {}

  std::size_t size() const { return bytes_.size(); }
  std::string_view file() const { return file_; }

  /// The value at `offset`; `what` names it in the message.
  template <typename T>
  T read(std::uint64_t offset, std::string_view what) const {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, slice(offset, sizeof(T), what).data(), sizeof(T));
    return value;
  }

  /// `size` bytes from `offset`.
  std::span<const std::byte> slice(std::uint64_t offset, std::uint64_t size, std::string_view what) const;

  /// Throws Error(bad_file) with `message` behind the file's name.
  [[noreturn]] void fail(std::string_view message) const;

 private:
  std::span<const std::byte> bytes_;
  std::string_view file_;
};

/// The zero-terminated string at `offset` of a string table; ends with the table, or after 64 KiB, when the
/// zero is missing. Empty when `offset` is outside.
std::string_view string_at(std::span<const std::byte> table, std::uint64_t offset);

}  // namespace mockgpu::isa::object
