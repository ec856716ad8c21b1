#include "isa/object/image.h"

#include <fmt/core.h>

#include <cstring>
#include <new>

#include "isa/base/error.h"

namespace mockgpu::isa::object {
namespace {

/// R_AMDGPU_* types.
enum RelocationType : std::uint32_t {
  kNone = 0,
  kAbs32Lo = 1,
  kAbs32Hi = 2,
  kAbs64 = 3,
  kRel32 = 4,
  kRel64 = 5,
  kAbs32 = 6,
  kRel32Lo = 10,
  kRel32Hi = 11,
  kRelative64 = 13,
  kRel16 = 14,
};

/// `value` as a signed number of `bits` bits; throws when it does not fit.
std::uint64_t fit_signed(std::uint64_t value, unsigned bits, std::string_view file) {
  const auto number = static_cast<std::int64_t>(value);
  const std::int64_t limit = std::int64_t{1} << (bits - 1);
  if (number < -limit || number >= limit) {
    bad_file(file, fmt::format("relocated distance {:#x} does not fit in {} bits", value, bits));
  }
  return value;
}

/// The loaded address of a relocation's symbol; 0 for symbol 0 and for weak symbols that nobody defines.
std::uint64_t symbol_address(const CodeObject& object, const Relocation& relocation, const Image& image,
                             const SymbolResolver& resolver) {
  if (relocation.symbol == 0) return 0;
  const auto symbols = object.dynamic_symbols();
  if (relocation.symbol >= symbols.size()) {
    bad_file(object.file(), fmt::format("relocation at {:#x} names symbol {} of {}", relocation.address,
                                        relocation.symbol, symbols.size()));
  }
  const Symbol& symbol = symbols[relocation.symbol];
  if (symbol.defined) return symbol.absolute ? symbol.address : image.address(symbol.address);
  if (resolver) {
    if (const auto found = resolver(symbol.name)) return *found;
  }
  if (symbol.binding == elf::kBindWeak) return 0;
  bad_file(object.file(), fmt::format("undefined symbol {}", symbol.name));
}

}  // namespace

ImageExtent image_extent(const CodeObject& object) {
  const auto segments = object.segments();  // sorted, never empty
  const std::uint64_t first = segments.front().address & ~(kImageAlign - 1);
  const std::uint64_t size = segments.back().address - first + segments.back().size;
  return ImageExtent{first, (size + kImageAlign - 1) & ~(kImageAlign - 1)};
}

Image::Image(ImageExtent extent, std::uint64_t load_address)
    : extent_(extent),
      load_address_(load_address),
      data_(static_cast<std::byte*>(std::calloc(static_cast<std::size_t>(extent.size), 1))) {
  if (data_ == nullptr) throw std::bad_alloc();
}

RelocatedValue relocated_value(std::uint32_t type, std::uint64_t symbol, std::int64_t addend,
                               std::uint64_t place, std::uint64_t bias, std::string_view file) {
  const std::uint64_t absolute = symbol + static_cast<std::uint64_t>(addend);
  const std::uint64_t relative = absolute - place;
  switch (type) {
    case kNone: return {0, 0};
    case kAbs32Lo: return {absolute & 0xffffffffu, 4};
    case kAbs32Hi: return {absolute >> 32, 4};
    case kAbs64: return {absolute, 8};
    case kRel32: return {fit_signed(relative, 32, file) & 0xffffffffu, 4};
    case kRel64: return {relative, 8};
    case kAbs32:
      if (absolute > 0xffffffffu)
        bad_file(file, fmt::format("relocated address {:#x} does not fit in 32 bits", absolute));
      return {absolute, 4};
    case kRel32Lo: return {relative & 0xffffffffu, 4};
    case kRel32Hi: return {relative >> 32, 4};
    case kRelative64: return {bias + static_cast<std::uint64_t>(addend), 8};
    case kRel16: {
      const auto words = static_cast<std::uint64_t>((static_cast<std::int64_t>(relative) - 4) / 4);
      return {fit_signed(words, 16, file) & 0xffffu, 2};
    }
    default:
      throw Error(Tag::unsupported, fmt::format("{}: relocation type {} in a linked object", file, type));
  }
}

Image load_image(const CodeObject& object, std::uint64_t load_address, const SymbolResolver& resolver) {
  const ImageExtent extent = image_extent(object);
  Image image(extent, load_address);
  for (const Segment& segment : object.segments()) {
    if (segment.file_bytes.empty()) continue;
    std::memcpy(image.bytes().data() + (segment.address - extent.first_address), segment.file_bytes.data(),
                segment.file_bytes.size());
  }
  for (const Relocation& relocation : object.relocations()) {
    const std::uint64_t offset = relocation.address - extent.first_address;
    const std::uint64_t symbol = symbol_address(object, relocation, image, resolver);
    const RelocatedValue result =
        relocated_value(relocation.type, symbol, relocation.addend, image.address(relocation.address),
                        load_address - extent.first_address, object.file());
    if (offset > extent.size || result.size > extent.size - offset) {
      bad_file(object.file(), fmt::format("relocation at {:#x} lies outside the image", relocation.address));
    }
    std::memcpy(image.bytes().data() + offset, &result.value, result.size);
  }
  return image;
}

}  // namespace mockgpu::isa::object
