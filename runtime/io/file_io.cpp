#include "runtime/io/file_io.h"

#include <fcntl.h>

namespace mockgpu::runtime {

std::optional<std::string> FileIo::read_text(const std::string& path) {
  const std::unique_ptr<File> file = open(path, O_RDONLY);
  if (!file) return std::nullopt;
  std::string text;
  char chunk[4096];
  for (;;) {
    const ssize_t got = file->pread(chunk, sizeof chunk, static_cast<off_t>(text.size()));
    if (got < 0) return std::nullopt;
    if (got == 0) return text;
    text.append(chunk, static_cast<std::size_t>(got));
  }
}

}  // namespace mockgpu::runtime
