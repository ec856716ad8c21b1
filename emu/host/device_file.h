#pragma once
#include "runtime/io/file_io.h"

namespace mockgpu::emu {

/// What the device nodes of a mock machine have in common: a real descriptor number (of an empty memfd) and
/// no contents to read or write.
class DeviceFile : public runtime::File {
 public:
  DeviceFile();
  ~DeviceFile() override;
  DeviceFile(const DeviceFile&) = delete;
  DeviceFile& operator=(const DeviceFile&) = delete;

  int number() const override { return number_; }
  runtime::Mapping mmap(void* address, std::size_t length, int protection, int flags, off_t offset) override;
  ssize_t pread(void* data, std::size_t size, off_t offset) override;
  ssize_t pwrite(const void* data, std::size_t size, off_t offset) override;
  int poll(short events, int timeout_ms) override;

 private:
  int number_ = -1;
};

/// Sets errno from a kernel-style result: 0 or a negative errno. Returns 0 or -1.
int finish_call(int result);

/// Copies between a client's memory and ours as a kernel does: false where the client's address is bad.
bool copy_from_client(void* to, std::uint64_t from, std::size_t size);
bool copy_to_client(std::uint64_t to, const void* from, std::size_t size);

}  // namespace mockgpu::emu
