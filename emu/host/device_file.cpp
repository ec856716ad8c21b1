#include "emu/host/device_file.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mockgpu::emu {

DeviceFile::DeviceFile() : number_(memfd_create("mockgpu-device", MFD_CLOEXEC)) {}

DeviceFile::~DeviceFile() {
  if (number_ >= 0) close(number_);
}

runtime::Mapping DeviceFile::mmap(void*, std::size_t, int, int, off_t) {
  errno = ENODEV;
  return {};
}

ssize_t DeviceFile::pread(void*, std::size_t, off_t) { return finish_call(-EINVAL); }
ssize_t DeviceFile::pwrite(const void*, std::size_t, off_t) { return finish_call(-EINVAL); }
int DeviceFile::poll(short events, int) { return events & (POLLIN | POLLOUT); }

int finish_call(int result) {
  if (result >= 0) return result;
  errno = -result;
  return -1;
}

namespace {

/// The kernel checks every page of the client's side. Where it does not offer that call, the access itself is
/// the check.
bool transfer(void* ours, std::uint64_t client, std::size_t size, bool to_client) {
  if (size == 0) return true;
  const iovec local{ours, size}, remote{reinterpret_cast<void*>(client), size};
  const ssize_t done = to_client ? process_vm_writev(getpid(), &local, 1, &remote, 1, 0)
                                 : process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  if (done == static_cast<ssize_t>(size)) return true;
  if (done >= 0 || errno == EFAULT) return false;
  if (to_client) {
    std::memcpy(remote.iov_base, ours, size);
  } else {
    std::memcpy(ours, remote.iov_base, size);
  }
  return true;
}

}  // namespace

bool copy_from_client(void* to, std::uint64_t from, std::size_t size) {
  return transfer(to, from, size, false);
}

bool copy_to_client(std::uint64_t to, const void* from, std::size_t size) {
  return transfer(const_cast<void*>(from), to, size, true);
}

}  // namespace mockgpu::emu
