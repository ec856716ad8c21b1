#include "isa/amd/decode_bits.h"

namespace mockgpu::isa::amd {
namespace {

struct FloatConstant {
  std::uint16_t f16, bf16;
  std::uint32_t f32;
  std::uint64_t f64;
};

// Selectors 240..248: +-0.5, +-1, +-2, +-4, 1/(2 pi).
constexpr FloatConstant kFloats[] = {
    {0x3800, 0x3f00, 0x3f000000, 0x3fe0000000000000}, {0xb800, 0xbf00, 0xbf000000, 0xbfe0000000000000},
    {0x3c00, 0x3f80, 0x3f800000, 0x3ff0000000000000}, {0xbc00, 0xbf80, 0xbf800000, 0xbff0000000000000},
    {0x4000, 0x4000, 0x40000000, 0x4000000000000000}, {0xc000, 0xc000, 0xc0000000, 0xc000000000000000},
    {0x4400, 0x4080, 0x40800000, 0x4010000000000000}, {0xc400, 0xc080, 0xc0800000, 0xc010000000000000},
    {0x3118, 0x3e22, 0x3e22f983, 0x3fc45f306dc9c882},
};

std::uint64_t float_bits(const FloatConstant& constant, Format format, unsigned bits) {
  switch (format) {
    case Format::bf16:
    case Format::pk2_bf16: return constant.bf16;
    case Format::pk2_f16: return constant.f16;
    case Format::pk2_f32:
    case Format::pk2_b32: return constant.f32;
    default: break;
  }
  if (bits == 16) return constant.f16;
  return bits == 64 ? constant.f64 : constant.f32;
}

std::uint64_t truncate(std::int64_t value, unsigned bits) {
  return bits < 64 ? static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1)
                   : static_cast<std::uint64_t>(value);
}

}  // namespace

bool inline_constant(std::uint32_t sel, Format format, unsigned bits, std::uint64_t& value) {
  if (sel >= 128 && sel <= 192) {
    value = sel - 128;
  } else if (sel >= 193 && sel <= 208) {
    value = truncate(192 - static_cast<std::int64_t>(sel), bits);
  } else if (sel >= 240 && sel <= 248) {
    value = float_bits(kFloats[sel - 240], format, bits);
  } else {
    return false;
  }
  return true;
}

bool has_wide_constants(Encoding encoding, Format format) {
  return encoding == Encoding::sop1 || (encoding == Encoding::sop2 && format != Format::f16);
}

std::uint64_t literal_value(std::uint32_t literal, Format format, unsigned bits) {
  if (bits == 16) return literal & 0xffff;
  if (bits != 64) return literal;
  switch (format) {
    case Format::f64: return std::uint64_t{literal} << 32;
    case Format::i64: return truncate(static_cast<std::int32_t>(literal), 64);
    default: return literal;
  }
}

}  // namespace mockgpu::isa::amd
