#pragma once
// An independent model of what loads and stores do with the bytes of one lane, by the names of the manual.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "isa/amd/instruction.h"

namespace mockgpu::tests {

struct LoadCase {
  const char* name;  ///< as in the op: `d16_hi_u8`
  isa::amd::Op global, flat, scratch, buffer, ds;
  unsigned bytes;
};
#define MOCKGPU_LOAD_CASE(kind, ds_kind, bytes)                              \
  LoadCase {                                                                 \
#kind, isa::amd::Op::global_load_##kind, isa::amd::Op::flat_load_##kind, \
        isa::amd::Op::scratch_load_##kind, isa::amd::Op::buffer_load_##kind, \
        isa::amd::Op::ds_load_##ds_kind, bytes                               \
  }
inline const std::vector<LoadCase> kLoadCases = {
    MOCKGPU_LOAD_CASE(u8, u8, 1),
    MOCKGPU_LOAD_CASE(i8, i8, 1),
    MOCKGPU_LOAD_CASE(u16, u16, 2),
    MOCKGPU_LOAD_CASE(i16, i16, 2),
    MOCKGPU_LOAD_CASE(d16_u8, u8_d16, 1),
    MOCKGPU_LOAD_CASE(d16_i8, i8_d16, 1),
    MOCKGPU_LOAD_CASE(d16_b16, u16_d16, 2),
    MOCKGPU_LOAD_CASE(d16_hi_u8, u8_d16_hi, 1),
    MOCKGPU_LOAD_CASE(d16_hi_i8, i8_d16_hi, 1),
    MOCKGPU_LOAD_CASE(d16_hi_b16, u16_d16_hi, 2),
    MOCKGPU_LOAD_CASE(b32, b32, 4),
    MOCKGPU_LOAD_CASE(b64, b64, 8),
    MOCKGPU_LOAD_CASE(b96, b96, 12),
    MOCKGPU_LOAD_CASE(b128, b128, 16),
};

struct StoreCase {
  const char* name;
  isa::amd::Op global, flat, scratch, buffer, ds;
  unsigned bytes;
};
#define MOCKGPU_STORE_CASE(kind, ds_kind, bytes)                               \
  StoreCase {                                                                  \
#kind, isa::amd::Op::global_store_##kind, isa::amd::Op::flat_store_##kind, \
        isa::amd::Op::scratch_store_##kind, isa::amd::Op::buffer_store_##kind, \
        isa::amd::Op::ds_store_##ds_kind, bytes                                \
  }
inline const std::vector<StoreCase> kStoreCases = {
    MOCKGPU_STORE_CASE(b8, b8, 1),
    MOCKGPU_STORE_CASE(b16, b16, 2),
    MOCKGPU_STORE_CASE(d16_hi_b8, b8_d16_hi, 1),
    MOCKGPU_STORE_CASE(d16_hi_b16, b16_d16_hi, 2),
    MOCKGPU_STORE_CASE(b32, b32, 4),
    MOCKGPU_STORE_CASE(b64, b64, 8),
    MOCKGPU_STORE_CASE(b96, b96, 12),
    MOCKGPU_STORE_CASE(b128, b128, 16),
};

/// Registers after a load: `regs` holds what they were.
inline void model_load(const std::string& name, const std::uint8_t* bytes, std::uint32_t* regs) {
  const std::uint32_t byte = bytes[0], half = bytes[0] | std::uint32_t{bytes[1]} << 8;
  const auto extend8 = [](std::uint32_t x) { return x & 0x80 ? x | 0xffffff00 : x; };
  const auto extend16 = [](std::uint32_t x) { return x & 0x8000 ? x | 0xffff0000 : x; };
  const auto low = [&](std::uint32_t x) { return (regs[0] & 0xffff0000) | (x & 0xffff); };
  const auto high = [&](std::uint32_t x) { return (regs[0] & 0xffff) | x << 16; };
  if (name == "u8") regs[0] = byte;
  if (name == "i8") regs[0] = extend8(byte);
  if (name == "u16") regs[0] = half;
  if (name == "i16") regs[0] = extend16(half);
  if (name == "d16_u8") regs[0] = low(byte);
  if (name == "d16_i8") regs[0] = low(extend8(byte));
  if (name == "d16_b16") regs[0] = low(half);
  if (name == "d16_hi_u8") regs[0] = high(byte);
  if (name == "d16_hi_i8") regs[0] = high(extend8(byte));
  if (name == "d16_hi_b16") regs[0] = high(half);
  const unsigned dwords = name == "b32" ? 1 : name == "b64" ? 2 : name == "b96" ? 3 : name == "b128" ? 4 : 0;
  std::memcpy(regs, bytes, 4 * dwords);
}

/// Bytes that a store writes.
inline void model_store(const std::string& name, const std::uint32_t* regs, std::uint8_t* bytes) {
  const bool high = name.find("hi") != std::string::npos;
  const std::uint32_t value = high ? regs[0] >> 16 : regs[0];
  bytes[0] = static_cast<std::uint8_t>(value);
  if (name != "b8" && name != "d16_hi_b8") bytes[1] = static_cast<std::uint8_t>(value >> 8);
  const unsigned dwords = name == "b32" ? 1 : name == "b64" ? 2 : name == "b96" ? 3 : name == "b128" ? 4 : 0;
  std::memcpy(bytes, regs, 4 * dwords);
}

}  // namespace mockgpu::tests
