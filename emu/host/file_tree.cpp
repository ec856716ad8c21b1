#include "emu/host/file_tree.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace mockgpu::emu {
namespace {

constexpr int kMostLinks = 40;  // as Linux: then ELOOP

/// A small read-only file. It takes a descriptor only when somebody asks for it.
class TextFile final : public runtime::File {
 public:
  explicit TextFile(std::string text) : text_(std::move(text)) {}
  ~TextFile() override {
    if (descriptor_ >= 0) close(descriptor_);
  }

  int number() const override {
    if (descriptor_ < 0) descriptor_ = memfd_create("mockgpu-text", MFD_CLOEXEC);
    return descriptor_;
  }
  int ioctl(unsigned long, void*) override { return fail(ENOTTY); }
  runtime::Mapping mmap(void*, std::size_t, int, int, off_t) override {
    errno = ENODEV;  // sysfs texts cannot be mapped
    return {};
  }
  ssize_t pread(void* data, std::size_t size, off_t offset) override {
    if (offset < 0) return fail(EINVAL);
    if (static_cast<std::size_t>(offset) >= text_.size()) return 0;
    const std::size_t part = std::min(size, text_.size() - static_cast<std::size_t>(offset));
    std::memcpy(data, text_.data() + offset, part);
    return static_cast<ssize_t>(part);
  }
  ssize_t pwrite(const void*, std::size_t, off_t) override { return fail(EBADF); }
  int poll(short events, int) override { return events; }

 private:
  static int fail(int error) {
    errno = error;
    return -1;
  }

  std::string text_;
  mutable int descriptor_ = -1;
};

std::vector<std::string> components(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (!part.empty() && part != ".") parts.emplace_back(part);
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return parts;
}

}  // namespace

struct FileTree::Node {
  enum class Kind : std::uint8_t { folder, text, link, device };
  Kind kind = Kind::folder;
  std::string text;  ///< a text's content, a link's target
  Opener opener;
  std::map<std::string, std::unique_ptr<Node>, std::less<>> entries;
  Node* parent = nullptr;
};

FileTree::FileTree() : root_(std::make_unique<Node>()) {}
FileTree::~FileTree() = default;

FileTree::Node& FileTree::create(const std::string& path) {
  Node* node = root_.get();
  for (const std::string& part : components(path)) {
    std::unique_ptr<Node>& entry = node->entries[part];
    if (!entry) {
      entry = std::make_unique<Node>();
      entry->parent = node;
    }
    node = entry.get();
  }
  return *node;
}

void FileTree::add_root(const std::string& path) { roots_.push_back(path); }

void FileTree::add_text(const std::string& path, std::string text) {
  Node& node = create(path);
  node.kind = Node::Kind::text;
  node.text = std::move(text);
}

void FileTree::add_link(const std::string& path, std::string target) {
  Node& node = create(path);
  node.kind = Node::Kind::link;
  node.text = std::move(target);
}

void FileTree::add_device(const std::string& path, Opener opener) {
  Node& node = create(path);
  node.kind = Node::Kind::device;
  node.opener = std::move(opener);
}

bool FileTree::owns(std::string_view path) const {
  return std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) {
    return path.substr(0, root.size()) == root && (path.size() == root.size() || path[root.size()] == '/');
  });
}

const FileTree::Node* FileTree::find(std::string_view path, bool follow) const {
  std::vector<std::string> todo = components(path);
  std::reverse(todo.begin(), todo.end());
  const Node* node = root_.get();
  int links = 0;
  while (!todo.empty()) {
    const std::string part = std::move(todo.back());
    todo.pop_back();
    if (node->kind != Node::Kind::folder) {
      errno = ENOTDIR;
      return nullptr;
    }
    if (part == "..") {
      if (node->parent) node = node->parent;
      continue;
    }
    const auto entry = node->entries.find(part);
    if (entry == node->entries.end()) {
      errno = ENOENT;
      return nullptr;
    }
    const Node* next = entry->second.get();
    if (next->kind == Node::Kind::link && (follow || !todo.empty())) {
      if (++links > kMostLinks) {
        errno = ELOOP;
        return nullptr;
      }
      std::vector<std::string> target = components(next->text);
      todo.insert(todo.end(), target.rbegin(), target.rend());
      if (!next->text.empty() && next->text.front() == '/') node = root_.get();
      continue;
    }
    node = next;
  }
  return node;
}

std::unique_ptr<runtime::File> FileTree::open(const std::string& path, int flags) const {
  const Node* node = find(path, true);
  if (!node) return nullptr;
  switch (node->kind) {
    case Node::Kind::device: return node->opener(flags);
    case Node::Kind::text:
      if ((flags & O_ACCMODE) != O_RDONLY) {
        errno = EACCES;
        return nullptr;
      }
      return std::make_unique<TextFile>(node->text);
    default: errno = EISDIR; return nullptr;
  }
}

bool FileTree::exists(const std::string& path) const { return find(path, true) != nullptr; }

std::optional<std::string> FileTree::readlink(const std::string& path) const {
  const Node* node = find(path, false);
  if (!node) return std::nullopt;
  if (node->kind != Node::Kind::link) {
    errno = EINVAL;
    return std::nullopt;
  }
  return node->text;
}

std::optional<std::vector<std::string>> FileTree::list(const std::string& path) const {
  const Node* node = find(path, true);
  if (!node) return std::nullopt;
  if (node->kind != Node::Kind::folder) {
    errno = ENOTDIR;
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const auto& [name, entry] : node->entries) names.push_back(name);
  return names;
}

}  // namespace mockgpu::emu
