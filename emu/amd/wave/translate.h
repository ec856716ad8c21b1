#pragma once
// The slow paths of vector memory: what the lane kernels of every level call when an access is not inside the
// range that they used last. Included by the level files.
#include "emu/amd/wave/gang.h"

namespace mockgpu::emu::amd {

/// Rights of an access, as in emu/memory/address_space.h (which the level files do not include).
inline constexpr std::uint8_t kReadRight = 1, kWriteRight = 2;

/// Cache slots: loads use [0, kCachedRanges / 2), stores and atomics the others, by instruction address.
inline unsigned load_cache(const Record* record) { return (record->pc >> 3) % (kCachedRanges / 2); }
inline unsigned store_cache(const Record* record) { return load_cache(record) + kCachedRanges / 2; }

/// Host address of `size` bytes at a GPU address, or null if they are not inside one range with all of
/// `rights`. Remembers the range in the cache slot if it has the rights that every user of the slot needs:
/// reading in the lower half, reading and writing in the upper one.
std::byte* resolve(Gang* gang, unsigned cache_slot, std::uint64_t address, std::uint64_t size,
                   std::uint8_t rights);

/// Copies bytes that may lie in neighbouring ranges. False if some byte is not accessible; then nothing is
/// copied.
bool read_pieces(const Gang* gang, std::uint64_t address, void* to, std::uint32_t size);
bool write_pieces(const Gang* gang, std::uint64_t address, const void* from, std::uint32_t size);

/// Stops the gang: `lanes` of a slot could not access `bytes` bytes; `address` is that of the lowest one.
void stop_with_fault(Gang* gang, const Record* record, FaultKind kind, bool write, unsigned slot,
                     std::uint32_t lanes, std::uint32_t bytes, std::uint64_t address);

}  // namespace mockgpu::emu::amd
