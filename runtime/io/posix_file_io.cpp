#include "runtime/io/posix_file_io.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace mockgpu::runtime {
namespace {

void* null_if_failed(void* address) { return address == MAP_FAILED ? nullptr : address; }

class PosixFile final : public File {
 public:
  explicit PosixFile(int number) : number_(number) {}
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;
  ~PosixFile() override { ::close(number_); }

  int number() const override { return number_; }

  int ioctl(unsigned long request, void* arg) override {
    // As the vendor libraries do: a signal is no answer of the driver.
    int result;
    do {
      result = ::ioctl(number_, request, arg);
    } while (result < 0 && (errno == EINTR || errno == EAGAIN));
    return result;
  }

  Mapping mmap(void* address, std::size_t length, int protection, int flags, off_t offset) override {
    void* data = null_if_failed(::mmap(address, length, protection, flags, number_, offset));
    if (data == nullptr) return {};
    return {static_cast<std::byte*>(data), length, nullptr};
  }

  ssize_t pread(void* data, std::size_t size, off_t offset) override {
    return ::pread(number_, data, size, offset);
  }
  ssize_t pwrite(const void* data, std::size_t size, off_t offset) override {
    return ::pwrite(number_, data, size, offset);
  }

  int poll(short events, int timeout_ms) override {
    pollfd entry{number_, events, 0};
    const int count = ::poll(&entry, 1, timeout_ms);
    return count > 0 ? entry.revents : count;
  }

 private:
  int number_;
};

std::unique_ptr<File> wrap(int number) {
  if (number < 0) return nullptr;
  return std::make_unique<PosixFile>(number);
}

}  // namespace

std::unique_ptr<File> PosixFileIo::open(const std::string& path, int flags) {
  return wrap(::open(path.c_str(), flags | O_CLOEXEC));
}

std::unique_ptr<File> PosixFileIo::adopt(int number) { return wrap(number); }

std::unique_ptr<File> PosixFileIo::eventfd(unsigned initial, int flags) {
  return wrap(::eventfd(initial, flags | EFD_CLOEXEC));
}

void* PosixFileIo::reserve(std::size_t size) {
  return null_if_failed(::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

void* PosixFileIo::anon_mmap(std::size_t size) {
  return null_if_failed(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

int PosixFileIo::munmap(void* address, std::size_t size) { return ::munmap(address, size); }

bool PosixFileIo::exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

std::optional<std::string> PosixFileIo::readlink(const std::string& path) {
  char target[4096];
  const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
  if (length < 0) return std::nullopt;
  return std::string(target, static_cast<std::size_t>(length));
}

std::optional<std::vector<std::string>> PosixFileIo::list(const std::string& path) {
  DIR* folder = ::opendir(path.c_str());
  if (folder == nullptr) return std::nullopt;
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(folder)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(folder);
  std::sort(names.begin(), names.end());
  return names;
}

bool PosixFileIo::relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
  return false;
}

}  // namespace mockgpu::runtime
