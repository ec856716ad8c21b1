#pragma once
#include "runtime/io/file_io.h"

namespace mockgpu::runtime {

/// The machine that this program runs on, with its real drivers.
class PosixFileIo final : public FileIo {
 public:
  std::unique_ptr<File> open(const std::string& path, int flags) override;
  std::unique_ptr<File> adopt(int number) override;
  std::unique_ptr<File> eventfd(unsigned initial, int flags) override;
  void* reserve(std::size_t size) override;
  void* anon_mmap(std::size_t size) override;
  int munmap(void* address, std::size_t size) override;
  bool exists(const std::string& path) override;
  std::optional<std::string> readlink(const std::string& path) override;
  std::optional<std::vector<std::string>> list(const std::string& path) override;
  bool relax() override;
};

}  // namespace mockgpu::runtime
