#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "runtime/memory.h"
#include "runtime/value.h"

namespace mockgpu::runtime {

/// One explicit argument of a kernel, at a fixed place in its argument block.
struct KernelArgument {
  enum class Kind : std::uint8_t {
    value,    ///< bytes passed by value
    pointer,  ///< a device address
    local,    ///< a pointer to dynamic group memory: its value is an offset
    image,    ///< an image, sampler, pipe or queue: not supported by launches
  };
  std::string name;       ///< empty where the compiler did not record it
  std::string type_name;  ///< as in the source ("float*"), or empty
  Kind kind = Kind::value;
  std::uint32_t offset = 0;  ///< bytes from the start of the argument block
  std::uint32_t size = 0;    ///< bytes
};

/// A kernel of a loaded program. Owned by its Program.
struct Kernel {
  std::string name;
  std::vector<KernelArgument> arguments;  ///< the explicit ones, in order
  /// Length of the explicit part of the argument block. Where the code object does not describe the
  /// arguments: of the whole block, and `arguments` is empty.
  std::uint32_t explicit_bytes = 0;
  std::uint32_t group_bytes = 0;                ///< static group (LDS, shared) memory of a workgroup
  std::uint32_t private_bytes = 0;              ///< private (scratch, local) memory of one work-item
  std::uint32_t wave_size = 0;                  ///< lanes in a wave: 32 or 64
  std::uint32_t max_group_size = 0;             ///< most work-items in a workgroup, 0 = unknown
  std::uint32_t required_group[3] = {0, 0, 0};  ///< reqd_work_group_size, or zeros
};

/// A code object in device memory. Must not outlive its device; free it only when its launches have ended
/// (the destructor waits for them).
class Program {
 public:
  virtual ~Program() = default;

  /// All kernels, in the order of the code object.
  std::span<const Kernel* const> kernels() const { return kernels_; }

  /// The kernel called `name`; throws Error(bad_usage), listing those there are.
  const Kernel& kernel(std::string_view name) const;

  /// The function and offset of a device address within the program's code, `vecadd+0x68`; nothing elsewhere.
  virtual std::optional<std::string> locate(std::uint64_t address) const = 0;

 protected:
  std::vector<const Kernel*> kernels_;
};

/// Packs explicit arguments one after the other at the places the kernel wants:
/// `Arguments(kernel).add(a).add(b).add(7u)`. A wrong size or number throws Error(bad_usage).
class Arguments {
 public:
  explicit Arguments(const Kernel& kernel);

  /// The next argument as raw bytes; their number must be the argument's size.
  Arguments& add_bytes(std::span<const std::byte> bytes);

  Arguments& add(const Buffer& buffer) { return add(buffer.address); }

  template <typename T>
  Arguments& add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    return add_bytes(std::as_bytes(std::span<const T, 1>(&value, 1)));
  }

  /// For recorded launches (ComputeQueue::exec): an argument of up to 8 bytes that is a variable of the
  /// queue. A fixed value becomes an argument of the argument's width.
  Arguments& add(const Value& value);
  Arguments& add(Variable variable) { return add(Value(variable)); }

  /// The block of Kernel::explicit_bytes bytes; throws when arguments are missing, or are variables.
  std::span<const std::byte> bytes() const;

  /// An argument that is a variable; its bytes in the block are 0.
  struct Symbol {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;  ///< bytes
    Value value = 0;
  };
  std::span<const Symbol> symbols() const { return symbols_; }
  /// The block whatever is in it; throws when arguments are missing.
  std::span<const std::byte> recorded_bytes() const;

 private:
  const KernelArgument& next_argument(std::size_t size);

  const Kernel* kernel_;
  std::size_t next_ = 0;
  std::vector<std::byte> block_;
  std::vector<Symbol> symbols_;
};

}  // namespace mockgpu::runtime
