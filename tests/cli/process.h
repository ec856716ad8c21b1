#pragma once
#include <string>
#include <vector>

namespace mockgpu::test {

/// How a command ended.
struct Ended {
  int code = -1;    ///< exit code; -1 when a signal ended it
  int signal = 0;   ///< that signal
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

/// Runs `mockgpu` with these arguments, without MOCKGPU in its environment unless `machine` is given. `input`
/// becomes its standard input.
Ended mockgpu(const std::vector<std::string>& arguments, const std::string& input = {},
              const std::string& machine = {});

/// What a shell command prints on its standard output.
std::string output_of(const std::string& command);

/// The path of a prebuilt code object of tests/kernels: "gfx1100/vecadd".
std::string code_object(const std::string& name);

/// A folder that is removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Writes a file; its path.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::string path_;
};

}  // namespace mockgpu::test
