#pragma once
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace mockgpu {

/// What went wrong, as a stable tag that people can grep for and tools can match. `tag_name` gives its
/// spelling.
enum class Tag : std::uint8_t {
  bad_usage,      ///< wrong command line, configuration or API use
  bad_file,       ///< a file that is missing, truncated, or not what it claims to be
  bad_packet,     ///< a malformed or truncated queue packet
  bad_request,    ///< an ioctl or mmap that the real driver refuses too
  unsupported,    ///< something real that this program does not implement: never a silent success
  undecodable,    ///< bytes that are no instruction of the target
  memory_fault,   ///< a GPU access to memory that is not mapped, or without the right
  hang,           ///< no progress: all waves stopped, or the instruction limit was reached
  trap,           ///< the kernel trapped (s_trap)
  out_of_memory,  ///< device or host memory ran out
  no_device,      ///< no such device on this machine
  timeout,        ///< a wait ran out of time
  io,             ///< the operating system refused
  failed,         ///< an expectation that did not hold
};

/// The spelling of a tag in messages: `memory-fault`, `bad-file`...
std::string_view tag_name(Tag tag);

/// One detail line of an error: `at   vecadd+0x68  global_load_b32 ...`.
struct Fact {
  std::string name;
  std::string text;
};

/// The one type for everything that a user, a file or a kernel can cause. It carries its facts; only tools
/// print it.
class Error : public std::exception {
 public:
  Error(Tag tag, std::string message, std::vector<Fact> facts = {});

  Tag tag() const { return tag_; }
  const std::string& message() const { return message_; }
  const std::vector<Fact>& facts() const { return facts_; }
  Error& add(std::string name, std::string text);
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Tag tag_;
  std::string message_;
  std::vector<Fact> facts_;
};

/// The message as people see it: `error[memory-fault]: message`, then one indented line for each fact. No
/// newline at the end.
std::string format_error(const Error& error);

}  // namespace mockgpu
