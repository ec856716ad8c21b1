#include "emu/amd/dmabuf.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "emu/amd/kfd.h"
#include "emu/host/device_file.h"

namespace mockgpu::emu::amd {

std::shared_ptr<Dmabuf> Dmabuf::create(std::shared_ptr<HeapPart> memory, Device& owner, std::uint32_t flags) {
  const int file = memfd_create("mockgpu-dmabuf", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return nullptr;
  if (ftruncate(file, static_cast<off_t>(memory->size())) != 0 ||
      fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    close(file);
    return nullptr;
  }
  return std::shared_ptr<Dmabuf>(new Dmabuf(std::move(memory), owner, flags, file));
}

Dmabuf::Dmabuf(std::shared_ptr<HeapPart> memory, Device& owner, std::uint32_t flags, int file)
    : memory_(std::move(memory)), owner_(owner), flags_(flags), file_(file) {}

Dmabuf::~Dmabuf() { close(file_); }

int Dmabuf::open(bool close_on_exec) const {
  // Opened anew, so that the lock belongs to this descriptor and its duplicates; for writing, so that mmap(2)
  // fails instead of giving memory that is not the buffer's.
  const int number =
      ::open(fmt::format("/proc/self/fd/{}", file_).c_str(), O_WRONLY | (close_on_exec ? O_CLOEXEC : 0));
  if (number < 0) return errno == ENFILE ? -ENFILE : -EMFILE;
  if (flock(number, LOCK_SH | LOCK_NB) != 0) {
    close(number);
    return -ENOMEM;
  }
  return number;
}

bool Dmabuf::is_open() const {
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) return true;
  flock(file_, LOCK_UN);
  return false;
}

bool Dmabuf::has(int number) const {
  struct stat theirs {
  }, ours{};
  return fstat(number, &theirs) == 0 && fstat(file_, &ours) == 0 && theirs.st_dev == ours.st_dev &&
         theirs.st_ino == ours.st_ino;
}

DmabufFile::~DmabufFile() { close(number_); }

int DmabufFile::ioctl(unsigned long request, void* argument) {
  constexpr unsigned long kSync = 0x40086200;
  constexpr std::uint64_t kReadWrite = 3, kEnd = 4;
  if (request != kSync) return finish_call(-ENOTTY);
  std::uint64_t flags = 0;
  if (!copy_from_client(&flags, reinterpret_cast<std::uint64_t>(argument), sizeof flags))
    return finish_call(-EFAULT);
  const bool good = (flags & ~(kReadWrite | kEnd)) == 0 && (flags & kReadWrite) != 0;
  return finish_call(good ? 0 : -EINVAL);
}

runtime::Mapping DmabufFile::mmap(void* address, std::size_t length, int protection, int flags,
                                  off_t offset) {
  runtime::Mapping mapping;
  finish_call(kfd_.mmap_dmabuf(number_, address, length, protection, flags,
                               static_cast<std::uint64_t>(offset), mapping));
  return mapping;
}

ssize_t DmabufFile::pread(void*, std::size_t, off_t) { return finish_call(-ESPIPE); }
ssize_t DmabufFile::pwrite(const void*, std::size_t, off_t) { return finish_call(-ESPIPE); }
int DmabufFile::poll(short events, int) { return events & (POLLIN | POLLOUT); }  // no fence is ever pending

}  // namespace mockgpu::emu::amd
