#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/mmio.h"

namespace mockgpu::runtime {

/// An open file of the machine: /dev/kfd, a render node, a sysfs file, an eventfd. The destructor closes it.
/// Results and errors are the kernel's: -1 (for mmap: a null mapping) and errno.
class File {
 public:
  virtual ~File() = default;

  /// The descriptor, as ioctl structs carry it.
  virtual int number() const = 0;

  /// `arg` points to the request's struct, which the driver reads and writes. Never allocates.
  virtual int ioctl(unsigned long request, void* arg) = 0;

  /// Arguments as of mmap(2). `address` is a hint, or with MAP_FIXED the place.
  virtual Mapping mmap(void* address, std::size_t length, int protection, int flags, off_t offset) = 0;

  virtual ssize_t pread(void* data, std::size_t size, off_t offset) = 0;
  virtual ssize_t pwrite(const void* data, std::size_t size, off_t offset) = 0;

  /// Waits until one of `events` (POLLIN, POLLOUT) holds. Returns those that hold, 0 after `timeout_ms` (-1 =
  /// for ever), or -1.
  virtual int poll(short events, int timeout_ms) = 0;
};

/// The seam between runtime and machine: everything that the runtime wants from an operating system with GPU
/// drivers. PosixFileIo is the machine that this program runs on; emu::Machine is a mock one; TracingFileIo
/// logs another one. Methods may be called from several threads at once.
class FileIo {
 public:
  virtual ~FileIo() = default;

  /// Opens a file or returns null and sets errno. `flags` as of open(2); O_CLOEXEC is implied.
  virtual std::unique_ptr<File> open(const std::string& path, int flags) = 0;

  /// Wraps a descriptor that an ioctl returned; the File owns it from then on.
  virtual std::unique_ptr<File> adopt(int number) = 0;

  /// A new eventfd, or null and errno. `flags` as of eventfd(2).
  virtual std::unique_ptr<File> eventfd(unsigned initial, int flags) = 0;

  /// Reserves `size` bytes of address space without memory (PROT_NONE, private, anonymous, no-reserve), or
  /// returns null and sets errno.
  virtual void* reserve(std::size_t size) = 0;

  /// Maps `size` bytes of zeroed memory (read-write, shared, anonymous), or returns null and sets errno.
  virtual void* anon_mmap(std::size_t size) = 0;

  virtual int munmap(void* address, std::size_t size) = 0;

  virtual bool exists(const std::string& path) = 0;

  /// The target of a symbolic link, or nothing and errno.
  virtual std::optional<std::string> readlink(const std::string& path) = 0;

  /// Names of the entries of a folder, sorted, without `.` and `..`; nothing and errno where it is no folder.
  virtual std::optional<std::vector<std::string>> list(const std::string& path) = 0;

  /// Called in every loop that waits for the device. A pause on hardware; a mock machine that has no thread
  /// of its own makes progress here, and returns whether it did: it may have more to do.
  virtual bool relax() = 0;

  /// A whole (sysfs) file, or nothing and errno.
  std::optional<std::string> read_text(const std::string& path);
};

}  // namespace mockgpu::runtime
