// Typed buffer accesses: MTBUF, whose format is in the instruction, and MUBUF *_format_*, whose format is in
// the descriptor.
#include "emu/amd/wave/lanes/memory_atomic.h"
#include "emu/amd/wave/lanes/memory_buffer.h"
#include "emu/amd/wave/lanes/memory_parts.h"
#include "emu/amd/wave/numerics/buffer_format.h"
#include "emu/amd/wave/numerics/half.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {
namespace {

using Format = BufferFormat;
using Numbers = BufferFormat::Numbers;

constexpr bool is_integer(Numbers numbers) { return numbers == Numbers::uint || numbers == Numbers::sint; }

/// `count` bits at bit `from` of an element.
inline U32 extract(const Byte* element, unsigned from, unsigned count) {
  U64 value = 0;
  for (unsigned byte = 0; byte < 5 && from / 8 + byte < 16; ++byte) {
    value |= U64{static_cast<U8>(element[from / 8 + byte])} << (8 * byte);
  }
  return static_cast<U32>((value >> (from % 8)) & ((U64{1} << count) - 1));
}

/// A small unsigned float: five exponent bits, no sign.
inline float small_float(U32 value, unsigned bits) {
  return to_f32(F16{static_cast<U16>(value << (15 - bits))});
}

/// A component as the 32 bits that a load returns.
inline U32 decode(Numbers numbers, unsigned bits, U32 raw) {
  const auto with_sign = static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits);
  switch (numbers) {
    case Numbers::unorm: return to_bits<U32>(static_cast<float>(raw) / static_cast<float>((1u << bits) - 1));
    case Numbers::snorm: {
      const float value = static_cast<float>(with_sign) / static_cast<float>((1u << (bits - 1)) - 1);
      return to_bits<U32>(value < -1.0f ? -1.0f : value);
    }
    case Numbers::uscaled: return to_bits<U32>(static_cast<float>(raw));
    case Numbers::sscaled: return to_bits<U32>(static_cast<float>(with_sign));
    case Numbers::sint: return static_cast<U32>(with_sign);
    case Numbers::floating:
      if (bits == 32) return raw;
      return to_bits<U32>(bits == 16 ? to_f32(F16{static_cast<U16>(raw)}) : small_float(raw, bits));
    default: return raw;
  }
}

/// The bits of memory that a store's 32-bit component becomes.
inline U32 encode(Numbers numbers, unsigned bits, U32 value) {
  const float f = to_float<U32>(value);
  switch (numbers) {
    case Numbers::unorm: {
      const float limit = static_cast<float>((1u << bits) - 1);
      const float scaled = f > 0.0f ? (f < 1.0f ? f : 1.0f) * limit : 0.0f;  // NaN gives 0
      return static_cast<U32>(__builtin_lrintf(scaled));
    }
    case Numbers::snorm: {
      const float limit = static_cast<float>((1u << (bits - 1)) - 1);
      const float clamped = f > -1.0f ? (f < 1.0f ? f : 1.0f) : f <= -1.0f ? -1.0f : 0.0f;
      return static_cast<U32>(static_cast<std::int32_t>(__builtin_lrintf(clamped * limit)));
    }
    case Numbers::floating: return bits == 16 ? to_f16(f).bits : value;
    default: return value;
  }
}

/// What is understood of stores: what narrow integers, scaled and small floats do with values out of range is
/// not known.
inline bool can_store(const Format& format) {
  switch (format.numbers) {
    case Numbers::unorm:
    case Numbers::snorm: return true;
    case Numbers::floating: return format.bits[0] == 16 || format.bits[0] == 32;
    case Numbers::uint:
    case Numbers::sint: return format.bits[0] == 32;
    default: return false;
  }
}

bool unsupported(const Record* record, Gang* gang, unsigned slot, U32 lanes, const char* text) {
  stop_with_fault(gang, record, FaultKind::unsupported, false, slot, lanes, 0, 0);
  gang->fault.text = text;
  return false;
}

/// Which format a slot's access has, and its descriptor.
struct Typed {
  Descriptor descriptor;
  Format format;
  bool from_descriptor;
};
inline Typed typed_of(const Record* record, Gang* gang, unsigned slot) {
  const Descriptor descriptor = descriptor_of(record, gang, slot);
  const U32 number = static_cast<U32>(record->aux >> 32);
  const bool from_descriptor = number == kFormatOfDescriptor;
  return {descriptor, buffer_format(from_descriptor ? descriptor.format() : number), from_descriptor};
}

/// Where component c of a load goes: a dword each, or with d16 two to a dword.
inline void place(U32* rows, unsigned lane, unsigned component, U32 value, bool d16, bool high) {
  if (!d16) {
    rows[component * kRowWords + lane] = value;
    return;
  }
  U32& reg = rows[component / 2 * kRowWords + lane];
  if (high || component % 2) {
    set_high_half(reg, value);
  } else {
    set_low_half(reg, value);
  }
}

__attribute__((noinline)) bool load_slot(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  const Typed typed = typed_of(record, gang, slot);
  const Format& format = typed.format;
  const unsigned wanted = record->op & kTypedComponents;
  const bool d16 = record->op & kTypedD16;
  U32* rows = row(gang, record->dst) + slot * kLanes;
  BufferLanes at;
  locate(record, gang, slot, lanes, format.bytes(), typed.descriptor, at);
  if (at.inside != 0) {
    if (format.numbers == Numbers::none) {
      return unsupported(record, gang, slot, lanes, "a buffer load of the invalid format");
    }
    if (d16 && is_integer(format.numbers) && format.bits[0] == 32) {
      return unsupported(record, gang, slot, lanes, "a 16-bit buffer load of 32-bit integers");
    }
  }
  const unsigned cache = load_cache(record);
  Failures failures;
  for (U32 left = lanes; left; left &= left - 1) {
    const unsigned lane = lowest(left);
    U32 value[4] = {0, 0, 0, 0};
    if ((at.inside >> lane) & 1) {
      Byte element[16] = {};
      const Byte* from = find(gang, cache, at.address[lane], format.bytes(), kReadRight);
      for (unsigned i = 0; from && i < format.bytes(); ++i) element[i] = Byte{peek<U8>(from + i)};
      if (!from && !read_pieces(gang, at.address[lane], element, format.bytes())) {
        failures.add(lane, at.address[lane]);
        continue;
      }
      const U32 one = is_integer(format.numbers) ? 1 : 0x3f800000;
      U32 found[4] = {0, 0, 0, one};
      for (unsigned c = 0, bit = 0; c < format.components(); bit += format.bits[c++]) {
        found[c] = decode(format.numbers, format.bits[c], extract(element, bit, format.bits[c]));
      }
      for (unsigned c = 0; c < 4; ++c) {
        const U32 selector = typed.from_descriptor ? typed.descriptor.selector(c) : 4 + c;
        value[c] = selector >= 4 ? found[selector - 4] : selector == 1 ? one : 0;
      }
    }
    for (unsigned c = 0; c < wanted; ++c) {
      const bool narrow = d16 && !is_integer(format.numbers);
      place(rows, lane, c, narrow ? U32{to_f16(to_float<U32>(value[c])).bits} : value[c], d16,
            record->op & kTypedHigh);
    }
  }
  if (failures.lanes == 0) return true;
  stop_with_fault(gang, record, FaultKind::memory, false, slot, failures.lanes, format.bytes(),
                  failures.address);
  return false;
}

__attribute__((noinline)) bool store_slot(const Record* record, Gang* gang, unsigned slot, U32 lanes) {
  const Typed typed = typed_of(record, gang, slot);
  const Format& format = typed.format;
  const unsigned given = record->op & kTypedComponents;
  const bool d16 = record->op & kTypedD16;
  const U32* rows = row(gang, record->src[1]) + slot * kLanes;
  BufferLanes at;
  locate(record, gang, slot, lanes, format.bytes(), typed.descriptor, at);
  if (at.inside == 0) return true;
  if (!can_store(format) || (d16 && is_integer(format.numbers))) {
    return unsupported(record, gang, slot, lanes, "a buffer store of this format");
  }
  for (unsigned c = 0; typed.from_descriptor && c < format.components(); ++c) {
    if (typed.descriptor.selector(c) != 4 + c) {
      return unsupported(record, gang, slot, lanes, "a buffer store with swizzled components");
    }
  }
  if (given < format.components()) {
    return unsupported(record, gang, slot, lanes, "a buffer store of fewer components than its format has");
  }
  const unsigned cache = store_cache(record);
  Failures failures;
  for (U32 left = at.inside; left; left &= left - 1) {
    const unsigned lane = lowest(left);
    U64 low = 0, high = 0;
    for (unsigned c = 0, bit = 0; c < format.components(); bit += format.bits[c++]) {
      U32 value = rows[(d16 ? c / 2 : c) * kRowWords + lane];
      if (d16) {
        const U32 half = c % 2 || (record->op & kTypedHigh) ? value >> 16 : value & 0xffff;
        value = to_bits<U32>(to_f32(F16{static_cast<U16>(half)}));
      }
      const U64 field = encode(format.numbers, format.bits[c], value) & ((U64{1} << format.bits[c]) - 1);
      (bit < 64 ? low : high) |= field << (bit % 64);
    }
    Byte element[16];
    poke<U64>(element, low);
    poke<U64>(element + 8, high);
    Byte* to = find(gang, cache, at.address[lane], format.bytes(), kWriteRight);
    for (unsigned i = 0; to && i < format.bytes(); ++i) poke<U8>(to + i, static_cast<U8>(element[i]));
    if (!to && !write_pieces(gang, at.address[lane], element, format.bytes())) {
      failures.add(lane, at.address[lane]);
    }
  }
  if (failures.lanes == 0) return true;
  stop_with_fault(gang, record, FaultKind::memory, true, slot, failures.lanes, format.bytes(),
                  failures.address);
  return false;
}

template <bool (*kBody)(const Record*, Gang*, unsigned, U32)>
__attribute__((noinline)) bool each_slot(const Record* record, Gang* gang) {
  const NearestEven mode(true);
  for (U32 left = gang->active; left; left &= left - 1) {
    const unsigned slot = lowest(left);
    const U32 lanes = lanes_of(gang, slot);
    if (lanes && !kBody(record, gang, slot, lanes)) return false;
  }
  return true;
}

template <bool (*kBody)(const Record*, Gang*, unsigned, U32)>
HandlerResult run(const Record* record, Gang* gang) {
  if (!each_slot<kBody>(record, gang)) MOCKGPU_STOP;
  MOCKGPU_NEXT(record, gang);
}

}  // namespace

void add_typed(MemoryTable& table) {
  table.typed_load = run<load_slot>;
  table.typed_store = run<store_slot>;
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
