#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "isa/amd/commands/field.h"

/// Descriptions of ioctls as data: one row per ioctl, one row per field, and one printer for all of them.
namespace mockgpu::isa::amd {

/// The parts of an ioctl request word (asm-generic/ioctl.h).
struct IoctlRequest {
  static constexpr Bits kNr{0, 8};
  static constexpr Bits kType{8, 8};
  static constexpr Bits kSize{16, 14};
  static constexpr Bits kDirection{30, 2};
  static constexpr std::uint32_t kNone = 0;
  static constexpr std::uint32_t kWrite = 1;  ///< user space writes: _IOW
  static constexpr std::uint32_t kRead = 2;   ///< user space reads: _IOR

  static constexpr std::uint32_t make(std::uint32_t direction, char type, std::uint32_t nr,
                                      std::size_t size) {
    return kDirection.set(direction) | kType.set(static_cast<std::uint8_t>(type)) | kNr.set(nr) |
           kSize.set(static_cast<std::uint32_t>(size));
  }
};

/// How a field prints.
enum class FieldFormat : std::uint8_t {
  hex,
  number,         ///< unsigned decimal
  signed_number,  ///< signed decimal
  choice,         ///< one of `names`
  flags,          ///< any of `names`, joined by `|`
  ids,            ///< pointer to u32[], whose length is the field after it
  structs,        ///< pointer to an array of `element`, likewise
  words,          ///< several u32 in hex
};

/// Who fills a field.
enum class FieldDirection : std::uint8_t { in, out, in_out };

struct ElementInfo;

/// One field of an ioctl struct.
struct FieldInfo {
  std::string_view name;
  std::uint16_t offset;
  std::uint16_t size;
  FieldFormat format = FieldFormat::hex;
  FieldDirection direction = FieldDirection::in;
  std::span<const NamedValue> names = {};
  const ElementInfo* element = nullptr;
};

/// A struct that arrays behind a pointer consist of.
struct ElementInfo {
  std::size_t bytes;
  std::span<const FieldInfo> fields;
};

/// One ioctl. The kernel copies min(user's size, its own) bytes, so a request is identified by type and `nr`.
struct IoctlInfo {
  std::string_view name;              ///< as in the uapi header: AMDKFD_IOC_GET_VERSION
  std::uint32_t request;              ///< with the current size of the struct
  std::uint16_t least_size;           ///< the smallest size that clients use
  std::span<const FieldInfo> fields;  ///< empty: prints as words

  constexpr std::uint32_t nr() const { return IoctlRequest::kNr.get(request); }
  constexpr std::uint32_t size() const { return IoctlRequest::kSize.get(request); }
};

/// Prints the fields of `info` that lie within `bytes`. With `want_in`, those that the caller fills; with
/// `want_out`, those that the driver fills; with both, all. `follow` reads arrays behind user pointers of
/// this process.
void print_fields(std::span<const FieldInfo> fields, std::span<const std::byte> bytes, bool want_in,
                  bool want_out, bool follow, FieldPrinter& printer);

/// The row with the type and number of `request`, or null.
const IoctlInfo* find_by_number(std::span<const IoctlInfo> table, std::uint32_t request);

/// The second and third argument of an ioctl call in strace's grammar: `AMDKFD_IOC_X, {va_addr=0x7f00, ...}`.
/// `before` holds the argument's bytes before the call, `after` those after it (empty when it failed or has
/// not returned): then the fields that the driver filled follow as `=> {handle=0x1}`. A request without
/// `info` prints as `0x4008..., {words}`.
std::string format_call(const IoctlInfo* info, std::uint32_t request, std::span<const std::byte> before,
                        std::span<const std::byte> after, bool follow);

}  // namespace mockgpu::isa::amd

/// A `FieldInfo` of a struct's member; the further arguments are those behind `size`.
#define MOCKGPU_FIELD(Struct, member, ...)                                \
  ::mockgpu::isa::amd::FieldInfo {                                        \
#member, static_cast < std::uint16_t>(offsetof(Struct, member)),      \
        static_cast < std::uint16_t>(sizeof(Struct::member)), __VA_ARGS__ \
  }
