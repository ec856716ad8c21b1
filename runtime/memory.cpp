#include "runtime/memory.h"

#include <fmt/format.h>

#include "isa/base/error.h"

namespace mockgpu::runtime {

Buffer Buffer::part(std::size_t start, std::size_t count) const {
  if (count == 0 || start > size || count > size - start) {
    throw Error(Tag::bad_usage,
                fmt::format("{} bytes at {} are no part of a buffer of {}", count, start, size));
  }
  Buffer part = *this;
  part.address += start;
  part.size = count;
  part.offset += start;
  if (part.host != nullptr) part.host += start;
  return part;
}

}  // namespace mockgpu::runtime
