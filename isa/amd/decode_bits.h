#pragma once
#include <array>
#include <cstring>
#include <span>

#include "isa/amd/form.h"

namespace mockgpu::isa::amd {

/// The dwords of one instruction, as many as there may be, and how many of them exist.
class DecodeBits {
 public:
  static constexpr std::size_t kMaxDwords = 5;

  explicit DecodeBits(std::span<const std::byte> bytes) : count_(bytes.size() / 4) {
    if (count_ > kMaxDwords) count_ = kMaxDwords;
    if (count_) std::memcpy(dwords_.data(), bytes.data(), count_ * 4);
  }

  std::size_t count() const { return count_; }
  std::uint32_t dword(std::size_t i) const { return dwords_[i]; }

  /// The bits of a field; 0 if the encoding lacks it. `base` shifts it by dwords.
  std::uint32_t get(FieldPlace place, unsigned base = 0) const {
    const std::uint32_t dword = dwords_[base + place.low / 32u];
    return dword >> (place.low % 32) & static_cast<std::uint32_t>((std::uint64_t{1} << place.length) - 1);
  }
  std::uint32_t get(const EncodingLayout& layout, Field field) const {
    return get(layout.fields[static_cast<std::size_t>(field)]);
  }

 private:
  std::array<std::uint32_t, kMaxDwords> dwords_{};
  std::size_t count_;
};

/// Selector values of source fields.
namespace selector {
inline constexpr std::uint32_t kDpp8 = 233, kDpp8Fi = 234, kSdwa = 249, kDpp16 = 250, kLiteral64 = 254,
                               kLiteral = 255, kVgpr = 256;
}

/// The value of inline constant `sel` (128..208, 240..248) at an operand's format and width.
/// Returns false if the selector is no constant.
bool inline_constant(std::uint32_t sel, Format format, unsigned bits, std::uint64_t& value);

/// Whether a 16-bit operand has the constants of 32 bits in text, as LLVM has it: those of scalar operations
/// with one source, and integers of those with two.
bool has_wide_constants(Encoding encoding, Format format);

/// Registers of an image operation's data; `at_least` is what its row says.
unsigned image_data_dwords(const Form& form, const Modifiers& mods, unsigned at_least);

/// The value of literal dword `literal` at an operand's format and width.
std::uint64_t literal_value(std::uint32_t literal, Format format, unsigned bits);

}  // namespace mockgpu::isa::amd
