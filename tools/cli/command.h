#pragma once
#include <CLI/CLI.hpp>

#include "isa/base/error.h"

namespace mockgpu::tools {

/// Exit codes of the tools (design, section 9).
enum ExitCode : int { kSuccess = 0, kFinding = 1, kWrongUse = 2 };

/// Findings (what a kernel did wrong, or what is not implemented) and failed expectations are 1, all else 2.
ExitCode exit_code(const Error& error);

/// Writes `mockgpu: error[tag]: ...` to stderr.
void print_error(const Error& error);

// Each adds its subcommand to `app`; the callback sets `code`, and throws Error for what ends it at once.
void add_run(CLI::App& app, int& code);
void add_dis(CLI::App& app, int& code);
void add_info(CLI::App& app, int& code);

}  // namespace mockgpu::tools
