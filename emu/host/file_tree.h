#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/file_io.h"

namespace mockgpu::emu {

/// The files that a mock machine shows: sysfs texts, symbolic links and device nodes below a few roots.
/// Everything under a root exists only here; other paths are the host's. Immutable after it was built.
class FileTree {
 public:
  /// Opens a device node; `flags` as of open(2). Null and errno when it refuses.
  using Opener = std::function<std::unique_ptr<runtime::File>(int flags)>;

  FileTree();
  ~FileTree();

  /// `path` and what is below it belong to the machine.
  void add_root(const std::string& path);
  void add_text(const std::string& path, std::string text);
  void add_link(const std::string& path, std::string target);
  void add_device(const std::string& path, Opener opener);

  /// Whether this tree answers for `path` (which is absolute).
  bool owns(std::string_view path) const;

  std::unique_ptr<runtime::File> open(const std::string& path, int flags) const;
  bool exists(const std::string& path) const;
  std::optional<std::string> readlink(const std::string& path) const;
  std::optional<std::vector<std::string>> list(const std::string& path) const;

 private:
  struct Node;
  Node& create(const std::string& path);
  /// The node at `path`, links followed (the last one only if `follow`); null and errno when there is none.
  const Node* find(std::string_view path, bool follow) const;

  std::unique_ptr<Node> root_;
  std::vector<std::string> roots_;
};

}  // namespace mockgpu::emu
