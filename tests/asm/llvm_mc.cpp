#include "tests/asm/llvm_mc.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace mockgpu::tests::llvm_mc {
namespace {

// A file that goes with this object.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::string name = (std::filesystem::temp_directory_path() / "mockgpu-XXXXXX").string();
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0) throw std::runtime_error("mkstemp");
    std::fclose(fdopen(descriptor, "w"));
    path_ = name;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string attributes(unsigned version, std::string_view target, bool wave64) {
  const bool has_both =
      target.starts_with("gfx10") || target.starts_with("gfx11") || target.starts_with("gfx120");
  constexpr unsigned kTrue16 = 22;  // the first version that prints and reads halves by default
  std::string list;
  if (has_both) list = wave64 ? "+wavefrontsize64" : "+wavefrontsize32";
  if (version >= kTrue16 && (target.starts_with("gfx11") || target.starts_with("gfx12")))
    list += list.empty() ? "+real-true16" : ",+real-true16";
  return list.empty() ? list : "--mattr=" + list;
}

// The n of "L_n:".
bool label(const std::string& line, std::size_t& number) {
  if (!line.starts_with("L_")) return false;
  number = std::stoul(line.substr(2));
  return true;
}

}  // namespace

bool is_installed(unsigned version) {
  return std::system(fmt::format("command -v llvm-mc-{} >/dev/null", version).c_str()) == 0;
}

std::vector<Encoded> assemble(unsigned version, std::string_view target, bool wave64,
                              const std::vector<std::string>& lines) {
  const TemporaryFile in, out, err;
  {
    // A label before each line tells whose encoding follows.
    std::ofstream file(in.path());
    for (std::size_t i = 0; i < lines.size(); ++i) file << "L_" << i << ":\n" << lines[i] << '\n';
  }
  const std::string command =
      fmt::format("llvm-mc-{} --triple=amdgcn-amd-amdhsa --mcpu={} {} --show-encoding {} >{} 2>{}", version,
                  target, attributes(version, target, wave64), in.path(), out.path(), err.path());
  if (std::system(command.c_str()) < 0) throw std::runtime_error(command);
  std::vector<Encoded> encoded(lines.size());
  std::ifstream output(out.path());
  std::size_t current = 0;
  for (std::string line; std::getline(output, line);) {
    if (label(line, current)) continue;
    constexpr std::string_view kEncoding = "encoding: [";
    const std::size_t at = line.find(kEncoding);
    if (at == std::string::npos) continue;
    std::string& hex = encoded.at(current).hex;
    for (std::size_t i = at + kEncoding.size(); i < line.size() && line[i] != ']';) {
      const std::size_t end = line.find_first_of(",]", i);
      const std::string byte = line.substr(i, end - i);
      hex += byte.starts_with("0x") ? byte.substr(2) : "??";
      if (line[end] == ']') break;
      i = end + 1;
    }
  }
  // path:line:column: error: text
  std::ifstream errors(err.path());
  for (std::string line; std::getline(errors, line);) {
    const std::size_t error = line.find(": error: ");
    if (!line.starts_with(in.path() + ":") || error == std::string::npos) continue;
    const std::size_t number = std::stoul(line.substr(in.path().size() + 1));
    Encoded& entry = encoded.at((number - 1) / 2);
    entry.hex.clear();
    if (entry.error.empty()) entry.error = line.substr(error + 9);
  }
  return encoded;
}

}  // namespace mockgpu::tests::llvm_mc
