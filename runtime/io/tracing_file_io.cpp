#include "runtime/io/tracing_file_io.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "isa/amd/commands/kfd.h"

namespace mockgpu::runtime {
namespace {

struct Flag {
  int value;
  const char* name;
};

// `A|B|0x100`; `zero` where nothing is set.
template <std::size_t N>
std::string flags_text(int value, const Flag (&flags)[N], std::string text, const char* zero) {
  int rest = value;
  for (const Flag& flag : flags) {
    if (flag.value == 0 || (rest & flag.value) != flag.value) continue;
    if (!text.empty()) text += '|';
    text += flag.name;
    rest &= ~flag.value;
  }
  if (rest != 0) text += fmt::format("{}{:#x}", text.empty() ? "" : "|", rest);
  return text.empty() ? zero : text;
}

std::string open_flags(int flags) {
  static constexpr Flag kFlags[] = {{O_CREAT, "O_CREAT"},         {O_EXCL, "O_EXCL"},
                                    {O_TRUNC, "O_TRUNC"},         {O_NONBLOCK, "O_NONBLOCK"},
                                    {O_DIRECTORY, "O_DIRECTORY"}, {O_CLOEXEC, "O_CLOEXEC"}};
  const int access = flags & O_ACCMODE;
  const char* mode = access == O_RDWR ? "O_RDWR" : access == O_WRONLY ? "O_WRONLY" : "O_RDONLY";
  return flags_text(flags & ~O_ACCMODE, kFlags, mode, mode);
}

std::string protection_text(int protection) {
  static constexpr Flag kFlags[] = {
      {PROT_READ, "PROT_READ"}, {PROT_WRITE, "PROT_WRITE"}, {PROT_EXEC, "PROT_EXEC"}};
  return flags_text(protection, kFlags, "", "PROT_NONE");
}

std::string map_flags(int flags) {
  static constexpr Flag kFlags[] = {{MAP_SHARED, "MAP_SHARED"},       {MAP_PRIVATE, "MAP_PRIVATE"},
                                    {MAP_FIXED, "MAP_FIXED"},         {MAP_ANONYMOUS, "MAP_ANONYMOUS"},
                                    {MAP_NORESERVE, "MAP_NORESERVE"}, {MAP_POPULATE, "MAP_POPULATE"}};
  return flags_text(flags, kFlags, "", "0");
}

std::string poll_events(int events) {
  static constexpr Flag kFlags[] = {{POLLIN, "POLLIN"},
                                    {POLLPRI, "POLLPRI"},
                                    {POLLOUT, "POLLOUT"},
                                    {POLLERR, "POLLERR"},
                                    {POLLHUP, "POLLHUP"}};
  return flags_text(events, kFlags, "", "0");
}

std::string quoted(std::string_view text, std::size_t most = 32) {
  std::string out = "\"";
  for (const char c : text.substr(0, most)) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      default:
        if (c >= ' ' && c <= '~') {
          out += c;
        } else {
          out += fmt::format("\\{:o}", static_cast<unsigned char>(c));
        }
    }
  }
  out += text.size() > most ? "\"..." : "\"";
  return out;
}

std::string failure(int error) {
  const char* name = strerrorname_np(error);
  return fmt::format("-1 {} ({})", name != nullptr ? name : std::to_string(error), strerrordesc_np(error));
}

// What follows ` = `: the number, or -1 with the error.
std::string result(long value, int error) { return value < 0 ? failure(error) : std::to_string(value); }

std::string pointer(const void* address) {
  return address == nullptr ? "NULL" : fmt::format("{:#x}", reinterpret_cast<std::uintptr_t>(address));
}

std::string address_result(const void* address, int error) {
  return address == nullptr ? failure(error) : pointer(address);
}

class TracingFile final : public File {
 public:
  TracingFile(TracingFileIo& io, std::unique_ptr<File> inner) : io_(&io), inner_(std::move(inner)) {}
  ~TracingFile() override {
    const int closed = number();
    inner_.reset();
    io_->log(fmt::format("close({}) = 0", closed));
  }

  int number() const override { return inner_->number(); }

  int ioctl(unsigned long request, void* arg) override {
    const auto word = static_cast<std::uint32_t>(request);
    const std::size_t size = arg != nullptr ? isa::amd::IoctlRequest::kSize.get(word) : 0;
    const auto* bytes = static_cast<const std::byte*>(arg);
    const std::vector<std::byte> before(bytes, bytes + size);
    const int value = inner_->ioctl(request, arg);
    const int error = errno;
    const std::span<const std::byte> after(bytes, value < 0 ? 0 : size);
    io_->log(fmt::format("ioctl({}, {}) = {}", number(),
                         isa::amd::kfd::format_ioctl(word, before, after, true), result(value, error)));
    errno = error;
    return value;
  }

  Mapping mmap(void* address, std::size_t length, int protection, int flags, off_t offset) override {
    const Mapping mapping = inner_->mmap(address, length, protection, flags, offset);
    const int error = errno;
    io_->log(fmt::format("mmap({}, {}, {}, {}, {}, {:#x}) = {}", pointer(address), length,
                         protection_text(protection), map_flags(flags), number(),
                         static_cast<std::uint64_t>(offset), address_result(mapping.data, error)));
    errno = error;
    return mapping;
  }

  ssize_t pread(void* data, std::size_t size, off_t offset) override {
    const ssize_t value = inner_->pread(data, size, offset);
    const int error = errno;
    const std::string text =
        value < 0 ? pointer(data) : quoted({static_cast<const char*>(data), static_cast<std::size_t>(value)});
    io_->log(fmt::format("pread64({}, {}, {}, {}) = {}", number(), text, size, offset, result(value, error)));
    errno = error;
    return value;
  }

  ssize_t pwrite(const void* data, std::size_t size, off_t offset) override {
    const ssize_t value = inner_->pwrite(data, size, offset);
    const int error = errno;
    io_->log(fmt::format("pwrite64({}, {}, {}, {}) = {}", number(),
                         quoted({static_cast<const char*>(data), size}), size, offset, result(value, error)));
    errno = error;
    return value;
  }

  int poll(short events, int timeout_ms) override {
    const int value = inner_->poll(events, timeout_ms);
    const int error = errno;
    std::string text;
    if (value < 0) {
      text = failure(error);
    } else if (value == 0) {
      text = "0 (Timeout)";
    } else {
      text = fmt::format("1 ([{{fd={}, revents={}}}])", number(), poll_events(value));
    }
    io_->log(fmt::format("poll([{{fd={}, events={}}}], 1, {}) = {}", number(), poll_events(events),
                         timeout_ms, text));
    errno = error;
    return value;
  }

 private:
  TracingFileIo* io_;
  std::unique_ptr<File> inner_;
};

}  // namespace

TracingFileIo::TracingFileIo(FileIo& inner, Sink sink) : inner_(&inner), sink_(std::move(sink)) {}

void TracingFileIo::log(std::string_view line) {
  const int error = errno;
  {
    const std::lock_guard lock(mutex_);
    sink_(line);
  }
  errno = error;
}

std::unique_ptr<File> TracingFileIo::open(const std::string& path, int flags) {
  std::unique_ptr<File> file = inner_->open(path, flags);
  log(fmt::format("openat(AT_FDCWD, {}, {}) = {}", quoted(path, 4096), open_flags(flags | O_CLOEXEC),
                  result(file ? file->number() : -1, errno)));
  if (!file) return nullptr;
  return std::make_unique<TracingFile>(*this, std::move(file));
}

std::unique_ptr<File> TracingFileIo::adopt(int number) {
  std::unique_ptr<File> file = inner_->adopt(number);
  if (!file) return nullptr;
  return std::make_unique<TracingFile>(*this, std::move(file));
}

std::unique_ptr<File> TracingFileIo::eventfd(unsigned initial, int flags) {
  static constexpr Flag kFlags[] = {
      {EFD_CLOEXEC, "EFD_CLOEXEC"}, {EFD_NONBLOCK, "EFD_NONBLOCK"}, {EFD_SEMAPHORE, "EFD_SEMAPHORE"}};
  std::unique_ptr<File> file = inner_->eventfd(initial, flags);
  log(fmt::format("eventfd2({}, {}) = {}", initial, flags_text(flags | EFD_CLOEXEC, kFlags, "", "0"),
                  result(file ? file->number() : -1, errno)));
  if (!file) return nullptr;
  return std::make_unique<TracingFile>(*this, std::move(file));
}

void* TracingFileIo::reserve(std::size_t size) {
  void* address = inner_->reserve(size);
  log(fmt::format("mmap(NULL, {}, PROT_NONE, MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE, -1, 0) = {}", size,
                  address_result(address, errno)));
  return address;
}

void* TracingFileIo::anon_mmap(std::size_t size) {
  void* address = inner_->anon_mmap(size);
  log(fmt::format("mmap(NULL, {}, PROT_READ|PROT_WRITE, MAP_SHARED|MAP_ANONYMOUS, -1, 0) = {}", size,
                  address_result(address, errno)));
  return address;
}

int TracingFileIo::munmap(void* address, std::size_t size) {
  const int value = inner_->munmap(address, size);
  log(fmt::format("munmap({}, {}) = {}", pointer(address), size, result(value, errno)));
  return value;
}

bool TracingFileIo::exists(const std::string& path) {
  const bool there = inner_->exists(path);
  log(fmt::format("access({}, F_OK) = {}", quoted(path, 4096), there ? "0" : failure(ENOENT)));
  return there;
}

std::optional<std::string> TracingFileIo::readlink(const std::string& path) {
  std::optional<std::string> target = inner_->readlink(path);
  log(fmt::format("readlink({}, {}, 4096) = {}", quoted(path, 4096), target ? quoted(*target, 4096) : "NULL",
                  result(target ? static_cast<long>(target->size()) : -1, errno)));
  return target;
}

std::optional<std::vector<std::string>> TracingFileIo::list(const std::string& path) {
  std::optional<std::vector<std::string>> names = inner_->list(path);
  std::string text;
  if (names) {
    for (const std::string& name : *names) {
      if (!text.empty()) text += ", ";
      text += quoted(name, 4096);
    }
  }
  log(fmt::format("scandir({}, [{}]) = {}", quoted(path, 4096), text,
                  result(names ? static_cast<long>(names->size()) : -1, errno)));
  return names;
}

}  // namespace mockgpu::runtime
