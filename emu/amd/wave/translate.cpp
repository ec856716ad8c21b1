#include "emu/amd/wave/translate.h"

#include "emu/memory/address_space.h"

namespace mockgpu::emu::amd {

static_assert(kReadRight == kRead && kWriteRight == kWrite);

namespace {

/// Whether every byte of [address, address + size) is mapped with the rights.
bool accessible(const AddressMap& map, std::uint64_t address, std::uint64_t size, std::uint8_t rights) {
  while (size != 0) {
    const MappedRange* range = map.find(address, rights);
    if (!range || (range->rights & rights) != rights) return false;
    const std::uint64_t part = range->end - address;
    if (part >= size) return true;
    address += part;
    size -= part;
  }
  return true;
}

}  // namespace

std::byte* resolve(Gang* gang, unsigned cache_slot, std::uint64_t address, std::uint64_t size,
                   std::uint8_t rights) {
  const MappedRange* range = gang->map->find(address, rights);
  if (!range || (range->rights & rights) != rights || size > range->end - address) return nullptr;
  const std::uint8_t needed = cache_slot < kCachedRanges / 2 ? kRead : kRead | kWrite;
  if ((range->rights & needed) == needed) {
    gang->ranges[cache_slot] = {range->begin, range->end - range->begin, range->host};
  }
  return range->host + (address - range->begin);
}

bool read_pieces(const Gang* gang, std::uint64_t address, void* to, std::uint32_t size) {
  return accessible(*gang->map, address, size, kRead) && gang->map->read(address, to, size) == size;
}

bool write_pieces(const Gang* gang, std::uint64_t address, const void* from, std::uint32_t size) {
  return accessible(*gang->map, address, size, kWrite) && gang->map->write(address, from, size) == size;
}

void stop_with_fault(Gang* gang, const Record* record, FaultKind kind, bool write, unsigned slot,
                     std::uint32_t lanes, std::uint32_t bytes, std::uint64_t address) {
  gang->fault = Fault{};
  gang->fault.kind = kind;
  gang->fault.write = write;
  gang->fault.slot = static_cast<std::uint8_t>(slot);
  gang->fault.lanes = lanes;
  gang->fault.bytes = bytes;
  gang->fault.address = address;
  gang->fault.pc = gang->code_base + record->pc;
  gang->stop = Stop::fault;
}

}  // namespace mockgpu::emu::amd
