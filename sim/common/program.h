// SPDX-License-Identifier: Apache-2.0
// The program `odonata`: parses the command line, runs one sub-command, turns every error into one line and an exit
// code.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace odonata::cli {

inline constexpr int kSuccess = 0;   ///< the command did its work and what it checks holds
inline constexpr int kFailed = 1;    ///< the command did its work and what it checks does not hold
inline constexpr int kBadInput = 2;  ///< command line, configuration or a file is wrong; nothing was written

/// Runs `odonata ARGS...`; returns the exit code. Nothing escapes.
int run(const std::vector<std::string>& arguments);

/// The command line being run, quoted so that a shell takes it back.
const std::string& command_line();

/// Ends a sub-command's callback with an exit code other than 0.
[[noreturn]] void finish_with(int exit_code);

/// Adds the sub-command `name` with its text, examples for the end of its --help, and --config.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& text, const std::string& examples);

/// All options of all sub-commands (also for tests and fuzzing).
void add_all_commands(CLI::App& app);

}  // namespace odonata::cli
