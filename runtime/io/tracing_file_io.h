#pragma once
#include <functional>
#include <mutex>
#include <string_view>

#include "runtime/io/file_io.h"

namespace mockgpu::runtime {

/// Logs the calls that reach another FileIo, one line each in strace's grammar:
/// `ioctl(3, AMDKFD_IOC_GET_VERSION, {} => {major_version=1, minor_version=17}) = 0`. Accesses to mapped
/// memory and relax() are not calls and are not logged.
class TracingFileIo final : public FileIo {
 public:
  /// Takes one line, without a newline, at a time.
  using Sink = std::function<void(std::string_view line)>;

  /// `inner` must outlive this object and all its files.
  TracingFileIo(FileIo& inner, Sink sink);

  std::unique_ptr<File> open(const std::string& path, int flags) override;
  std::unique_ptr<File> adopt(int number) override;
  std::unique_ptr<File> eventfd(unsigned initial, int flags) override;
  void* reserve(std::size_t size) override;
  void* anon_mmap(std::size_t size) override;
  int munmap(void* address, std::size_t size) override;
  bool exists(const std::string& path) override;
  std::optional<std::string> readlink(const std::string& path) override;
  std::optional<std::vector<std::string>> list(const std::string& path) override;
  bool relax() override { return inner_->relax(); }

  /// Passes a line to the sink, one thread at a time; keeps errno.
  void log(std::string_view line);

 private:
  FileIo* inner_;
  Sink sink_;
  std::mutex mutex_;
};

}  // namespace mockgpu::runtime
