// The rules between folders (design, section 1): which top-level folder may include which.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {
namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>> kAllowed = {
    {"isa", {"isa"}},
    {"runtime", {"isa", "runtime"}},
    {"emu", {"isa", "runtime/io", "emu"}},
};

std::vector<std::string> violations(const fs::path& root) {
  std::vector<std::string> found;
  for (const auto& [folder, allowed] : kAllowed) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string ext = entry.path().extension().string();
      if (ext != ".h" && ext != ".cpp" && ext != ".inc") continue;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        const auto quote = line.find("#include \"");
        if (quote == std::string::npos) continue;
        const std::string header = line.substr(quote + 10, line.find('"', quote + 10) - quote - 10);
        bool ok = false;
        for (const std::string& prefix : allowed) ok = ok || header.rfind(prefix + "/", 0) == 0;
        if (!ok) found.push_back(fs::relative(entry.path(), root).string() + " includes " + header);
      }
    }
  }
  return found;
}

TEST(IncludeGraph, FoldersIncludeOnlyWhatTheyMay) {
  EXPECT_EQ(violations(MOCKGPU_SOURCE_DIR), std::vector<std::string>{});
}

TEST(IncludeGraph, AViolationIsFound) {
  const fs::path root = fs::path(testing::TempDir()) / "include_graph";
  for (const auto& [folder, allowed] : kAllowed) fs::create_directories(root / folder);
  std::ofstream(root / "runtime/bad.h") << "#include \"emu/memory/address_space.h\"\n";
  EXPECT_EQ(violations(root), std::vector<std::string>{"runtime/bad.h includes emu/memory/address_space.h"});
  fs::remove_all(root);
}

}  // namespace
