#pragma once
// Buffer addressing: descriptor (V#), index and offset to addresses, and the range check.
#include "emu/amd/wave/lanes/memory_spaces.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {

/// The buffer descriptor of gfx11: facts, abi.json "buffer_rsrc".
struct Descriptor {
  U32 word[4];
  U64 base() const { return word[0] | U64{word[1] & 0xffff} << 32; }
  U32 stride() const { return (word[1] >> 16) & 0x3fff; }
  U32 element() const {  // bytes of a swizzled element; 0: linear
    const U32 swizzle = word[1] >> 30;
    return swizzle ? 2u << swizzle : 0;
  }
  U32 records() const { return word[2]; }
  U32 selector(unsigned component) const { return (word[3] >> (3 * component)) & 7; }
  U32 format() const { return (word[3] >> 12) & 0x3f; }
  U32 index_stride() const { return 8u << ((word[3] >> 21) & 3); }
  bool add_lane() const { return (word[3] >> 23) & 1; }
  U32 range_check() const { return (word[3] >> 28) & 3; }
  bool unbound() const { return (word[0] | word[1] | word[2] | word[3]) == 0; }
};

inline Descriptor descriptor_of(const Record* record, Gang* gang, unsigned slot) {
  const U32* first = row(gang, record->src[2]) + slot;
  return {{first[0], first[kSlots], first[2 * kSlots], first[3 * kSlots]}};
}

/// Where the lanes of a slot access a buffer.
struct BufferLanes {
  U64 address[kLanes];
  U32 inside;  ///< lanes in range; loads of the others give 0, their stores and atomics do nothing
};

inline void locate(const Record* record, Gang* gang, unsigned slot, U32 lanes, U32 size,
                   const Descriptor& descriptor, BufferLanes& out) {
  const U32* vaddr = row(gang, record->src[0]) + slot * kLanes;
  const U32* index_row = record->flags & kIndexEnable ? vaddr : nullptr;
  const U32* offset_row = record->flags & kOffsetEnable ? vaddr + (index_row ? kRowWords : 0) : nullptr;
  const U32 soffset_field = static_cast<U32>(record->aux);
  const U64 soffset = record->flags & kSoffsetValue ? soffset_field : row(gang, soffset_field)[slot];
  const U64 stride = descriptor.stride(), records = descriptor.records();
  const U32 element = descriptor.element();
  const U32 first_lane = gang->wave64 ? (slot & 1) * kLanes : 0;
  out.inside = 0;
  if (descriptor.unbound()) return;
  for (U32 left = lanes; left; left &= left - 1) {
    const unsigned lane = lowest(left);
    const U64 index = U64{index_row ? index_row[lane] : 0} + (descriptor.add_lane() ? first_lane + lane : 0);
    const U64 offset = U64{offset_row ? offset_row[lane] : 0} + record->imm;
    U64 place = offset + stride * index;
    if (element && stride) {
      const U64 group = descriptor.index_stride();
      place = (index / group * stride + offset / element * element) * group + index % group * element +
              offset % element;
    }
    bool inside = false;
    switch (descriptor.range_check()) {
      case 0: inside = index < records && offset + size <= stride; break;
      case 1: inside = index < records; break;
      case 2: inside = records != 0; break;
      default:
        inside = element && stride ? index < records && offset + size <= stride
                                   : soffset <= records && place + size <= records - soffset;
    }
    out.address[lane] = descriptor.base() + soffset + place;
    out.inside |= U32{inside} << lane;
  }
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
