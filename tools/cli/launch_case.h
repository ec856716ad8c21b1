#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/error.h"
#include "runtime/device.h"
#include "tools/cli/values.h"

namespace mockgpu::tools {

/// One argument of a kernel as the user gave it.
struct ArgumentText {
  enum class Kind : std::uint8_t {
    scalar,  ///< TYPE=VALUE: passed by value
    buffer,  ///< TYPE[COUNT]=VALUES: a device allocation with that content
    local,   ///< local=BYTES: dynamic group memory
  };
  Kind kind = Kind::scalar;
  ElementType type = ElementType::u32;
  std::size_t count = 1;    ///< elements; bytes for Kind::local
  std::string description;  ///< see make_values
  std::string text;         ///< all of it, for messages
};

/// Elements of an argument: [first, first + count), or from `first` to the end without a count.
struct Slice {
  unsigned argument = 0;
  std::size_t first = 0;
  std::optional<std::size_t> count;
};

/// What elements must be after the launch.
struct Expectation {
  Slice slice;
  std::string description;          ///< see make_values
  std::optional<double> tolerance;  ///< relative and absolute; nothing = the case's
};

/// Elements that are written to a file after the launch, as raw little-endian bytes.
struct Output {
  Slice slice;
  std::string path;
};

/// One launch with everything around it: the meaning of a `mockgpu run` command line, or of an entry of
/// "cases" in a case file.
struct LaunchCase {
  std::string name;         ///< for messages; may be empty
  std::string code_object;  ///< path
  std::string kernel;       ///< empty = the only one
  std::string folder;       ///< where relative paths of values start; empty = the current one
  runtime::Dim3 grid;       ///< work-items
  runtime::Dim3 block;      ///< work-items of a workgroup
  std::vector<ArgumentText> arguments;
  std::vector<Slice> shows;
  std::vector<Output> outputs;
  std::vector<Expectation> expectations;
  double tolerance =
      0;  ///< |value - expected| <= tolerance * max(1, |expected|); 0 = the same bits, or both NaN
  std::optional<Tag> expected_error;  ///< that the launch must end with
};

/// `1024`, `64,64` or `8,8,2`. `what` names it in messages. Throws Error(bad_usage), as all functions here
/// do.
runtime::Dim3 parse_dim3(std::string_view text, std::string_view what);

/// The work-items of `groups` workgroups of `block` work-items.
runtime::Dim3 grid_of_groups(const runtime::Dim3& groups, const runtime::Dim3& block);

/// `f32[1024]=iota`, `u32=7`, `local=4096`.
ArgumentText parse_argument(std::string_view text);

/// `2`, `2:16` (the first 16), `2:8..24` (elements 8 to 23).
Slice parse_slice(std::string_view text);

/// SLICE=VALUES.
Expectation parse_expectation(std::string_view text);

/// SLICE=FILE.
Output parse_output(std::string_view text);

/// `memory-fault`: a tag of errors.
Tag parse_tag(std::string_view text);

/// `tolerance` itself, which must be 0 or more.
double checked_tolerance(double tolerance);

/// The cases of a JSON file (tools/README.md describes it), in order. Throws Error(bad_file) that names the
/// place: `cases[2].grid`.
std::vector<LaunchCase> read_cases(const std::string& path);

}  // namespace mockgpu::tools
