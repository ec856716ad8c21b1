#include "tests/cli/process.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace mockgpu::test {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

Ended mockgpu(const std::vector<std::string>& arguments, const std::string& input,
              const std::string& machine) {
  const TemporaryFolder folder;
  const std::string in = folder.write("in", input);
  // `exec`, so that a signal reaches us as one and not as the shell's exit code.
  std::string command = machine.empty() ? "unset MOCKGPU; " : "export MOCKGPU=" + quoted(machine) + "; ";
  command += "exec " + quoted(MOCKGPU_TOOL);
  for (const std::string& argument : arguments) command += fmt::format(" {}", quoted(argument));
  command += " <" + quoted(in) + " >" + quoted(folder.file("out")) + " 2>" + quoted(folder.file("err"));
  const int status = std::system(command.c_str());
  Ended ended;
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  ended.out = read_text(folder.file("out"));
  ended.err = read_text(folder.file("err"));
  return ended;
}

std::string code_object(const std::string& name) {
  return fmt::format("{}/kernels/{}.co", MOCKGPU_TEST_DATA, name);
}

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("popen: " + command);
  char chunk[4096];
  while (const std::size_t got = std::fread(chunk, 1, sizeof chunk, pipe)) text.append(chunk, got);
  pclose(pipe);
  return text;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "mockgpu-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("mkdtemp");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream(file(name), std::ios::binary) << content;
  return file(name);
}

}  // namespace mockgpu::test
