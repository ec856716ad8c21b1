#include "emu/host/heap.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>

#include "isa/base/error.h"

namespace mockgpu::emu {
namespace {

/// Keeps the two parts from being one hole.
constexpr std::uint64_t kGap = 0x1000;

}  // namespace

Heap::Heap(std::uint64_t vram_bytes, std::uint64_t gtt_bytes)
    : vram_bytes_(vram_bytes), gtt_bytes_(gtt_bytes), available_{vram_bytes, gtt_bytes} {
  const std::uint64_t total = vram_bytes + kGap + gtt_bytes;
  descriptor_ = memfd_create("mockgpu", MFD_CLOEXEC);
  if (descriptor_ < 0 || ftruncate(descriptor_, static_cast<off_t>(total)) != 0) {
    const int error = errno;
    if (descriptor_ >= 0) close(descriptor_);
    throw Error(Tag::io,
                fmt::format("cannot create {} bytes of device memory: {}", total, std::strerror(error)));
  }
  void* base = mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
  if (base == MAP_FAILED) {
    const int error = errno;
    close(descriptor_);
    throw Error(Tag::out_of_memory,
                fmt::format("cannot map {} bytes of device memory: {} (a smaller `vram=` may help)", total,
                            std::strerror(error)));
  }
  madvise(base, total, MADV_DONTDUMP);
  base_ = static_cast<std::byte*>(base);
  holes_[0] = vram_bytes;
  holes_[vram_bytes + kGap] = gtt_bytes;
}

Heap::~Heap() {
  munmap(base_, vram_bytes_ + kGap + gtt_bytes_);
  close(descriptor_);
}

std::optional<std::uint64_t> Heap::allocate(Part part, std::uint64_t size) {
  assert(size > 0 && size % 0x1000 == 0);
  auto hole = part == Part::vram ? holes_.begin() : holes_.lower_bound(vram_bytes_);
  const std::uint64_t end = part == Part::vram ? vram_bytes_ : vram_bytes_ + kGap + gtt_bytes_;
  for (; hole != holes_.end() && hole->first < end; ++hole) {
    const auto [offset, space] = *hole;
    if (space < size) continue;
    holes_.erase(hole);
    if (space > size) holes_[offset + size] = space - size;
    available_[static_cast<int>(part)] -= size;
    return offset;
  }
  return std::nullopt;
}

void Heap::release(std::uint64_t offset, std::uint64_t size) {
  fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
            static_cast<off_t>(size));
  available_[offset < vram_bytes_ ? 0 : 1] += size;
  auto after = holes_.lower_bound(offset);
  if (after != holes_.end() && after->first == offset + size) {
    size += after->second;
    after = holes_.erase(after);
  }
  if (after != holes_.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == offset) {
      before->second += size;
      return;
    }
  }
  holes_[offset] = size;
}

}  // namespace mockgpu::emu
