#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "emu/host/heap.h"
#include "runtime/io/file_io.h"

namespace mockgpu::emu::amd {

class Device;
class Kfd;

/// A DMA buffer: memory of a device behind descriptors that may be duplicated, passed on and closed by plain
/// system calls. What a descriptor stands for is told by the inode of an empty file as long as the memory;
/// whether any is left, by a shared lock that lies on all of them. The memory itself is part of the heap, so
/// a descriptor cannot be mapped by mmap(2), only through Machine::adopt. Kfd locks.
class Dmabuf {
 public:
  /// Null when the host gives no more descriptors. `flags`: kfd::AllocFlag of the exported memory.
  static std::shared_ptr<Dmabuf> create(std::shared_ptr<HeapPart> memory, Device& owner, std::uint32_t flags);
  ~Dmabuf();
  Dmabuf(const Dmabuf&) = delete;
  Dmabuf& operator=(const Dmabuf&) = delete;

  const std::shared_ptr<HeapPart>& memory() const { return memory_; }
  Device& owner() const { return owner_; }
  std::uint32_t flags() const { return flags_; }

  /// A new descriptor for the client, or a negative errno.
  int open(bool close_on_exec) const;
  /// Whether a descriptor of it is still open somewhere.
  bool is_open() const;
  /// Whether `number` is one of its descriptors.
  bool has(int number) const;

 private:
  Dmabuf(std::shared_ptr<HeapPart> memory, Device& owner, std::uint32_t flags, int file);

  std::shared_ptr<HeapPart> memory_;
  Device& owner_;
  std::uint32_t flags_;
  int file_;  ///< an open file of its own, without the lock
};

/// A descriptor of a DMA buffer that the client handed to Machine::adopt.
class DmabufFile final : public runtime::File {
 public:
  DmabufFile(Kfd& kfd, int number) : kfd_(kfd), number_(number) {}
  ~DmabufFile() override;
  DmabufFile(const DmabufFile&) = delete;
  DmabufFile& operator=(const DmabufFile&) = delete;

  int number() const override { return number_; }
  /// DMA_BUF_IOCTL_SYNC, which has nothing to do here; ENOTTY for others.
  int ioctl(unsigned long request, void* argument) override;
  runtime::Mapping mmap(void* address, std::size_t length, int protection, int flags, off_t offset) override;
  ssize_t pread(void* data, std::size_t size, off_t offset) override;
  ssize_t pwrite(const void* data, std::size_t size, off_t offset) override;
  int poll(short events, int timeout_ms) override;

 private:
  Kfd& kfd_;
  const int number_;
};

}  // namespace mockgpu::emu::amd
