#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/base/error.h"

namespace mockgpu::tools {

/// Exit codes of the tools (design, section 9).
enum ExitCode : int { kSuccess = 0, kFinding = 1, kWrongUse = 2 };

/// Findings (what a kernel did wrong, or what is not implemented) and failed expectations are 1, all else 2.
ExitCode exit_code(const Error& error);

/// Writes `mockgpu: error[tag]: ...` to stderr.
void print_error(const Error& error);

// The subcommands and their options, as text from the command line (main.cpp says what each means). Each
// returns the exit code, and throws Error for what ends it at once.

struct RunOptions {
  std::string file, machine, kernel, grid, groups, block;
  unsigned device = 0;
  std::vector<std::string> arguments, shows, outputs, expectations;
  std::optional<double> tolerance;  ///< nothing = 0
};

int run_command(const RunOptions& options);

struct Watch;
/// As run_command, with somebody looking on (execute.h).
int run_watched(const RunOptions& options, const Watch& watch);

struct TraceCommandOptions {
  RunOptions run;
  bool ioctls = false, packets = false, instructions = false;
  std::string output, group;          ///< empty = the standard output, all workgroups
  std::optional<std::uint32_t> wave;  ///< nothing = all
};

int trace_command(const TraceCommandOptions& options);

struct DisOptions {
  std::string file, target, kernel;
  bool hex = false, wave64 = false;
};

int dis_command(const DisOptions& options);

struct AsmOptions {
  std::string file, target, output;
  std::vector<std::string> symbols;  ///< NAME=NUMBER
  std::vector<std::string> folders;  ///< where .include looks after the source's own
  bool hex = false, wave64 = false, listing = false;
};

int asm_command(const AsmOptions& options);

/// `machine` as of MOCKGPU; empty = the environment's.
int info_command(const std::string& machine);

}  // namespace mockgpu::tools
