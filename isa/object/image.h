#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "isa/object/code_object.h"

/// The memory image of a code object: what the runtime uploads.
namespace mockgpu::isa::object {

inline constexpr std::uint64_t kImageAlign = 4096;

/// Where a code object's image starts and how large it is: both multiples of kImageAlign.
struct ImageExtent {
  std::uint64_t first_address = 0;  ///< as linked
  std::uint64_t size = 0;           ///< bytes to allocate
};
ImageExtent image_extent(const CodeObject& object);

/// Contents of memory from `load_address` on, with relocations applied.
class Image {
 public:
  Image(ImageExtent extent, std::uint64_t load_address);

  std::span<std::byte> bytes() { return {data_.get(), static_cast<std::size_t>(extent_.size)}; }
  std::span<const std::byte> bytes() const { return {data_.get(), static_cast<std::size_t>(extent_.size)}; }
  std::uint64_t load_address() const { return load_address_; }

  /// Where a linked address lies in GPU memory.
  std::uint64_t address(std::uint64_t linked) const { return linked - extent_.first_address + load_address_; }
  /// The linked address of a GPU address, to ask the code object about it.
  std::uint64_t linked(std::uint64_t address) const {
    return address - load_address_ + extent_.first_address;
  }
  bool contains(std::uint64_t address) const {
    return address >= load_address_ && address - load_address_ < extent_.size;
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  ImageExtent extent_;
  std::uint64_t load_address_;
  std::unique_ptr<std::byte[], Free>
      data_;  // from calloc: a large zero tail costs nothing until it is touched
};

/// Gives the address of a symbol that the code object leaves undefined; empty when there is none.
using SymbolResolver = std::function<std::optional<std::uint64_t>(std::string_view name)>;

/// The value that a relocation stores, by the formulas of the LLVM AMDGPU usage guide ("Relocation Records").
struct RelocatedValue {
  std::uint64_t value;
  unsigned size;  ///< bytes stored: 2, 4 or 8
};
/// `symbol` and `place` are loaded addresses, `bias` = load address - linked address. Throws Error(bad_file)
/// when a value does not fit, Error(unsupported) for types that a linked object cannot have; `file` names the
/// object.
RelocatedValue relocated_value(std::uint32_t type, std::uint64_t symbol, std::int64_t addend,
                               std::uint64_t place, std::uint64_t bias, std::string_view file);

/// Builds the image for `load_address` (a multiple of kImageAlign): segments copied, the rest zero, dynamic
/// relocations applied. Throws Error(bad_file) for relocations outside the image and for symbols that nobody
/// defines.
Image load_image(const CodeObject& object, std::uint64_t load_address,
                 const SymbolResolver& resolver = nullptr);

}  // namespace mockgpu::isa::object
