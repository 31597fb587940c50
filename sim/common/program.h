// SPDX-License-Identifier: Apache-2.0
// The program `odonata`: parses the command line, runs one sub-command, turns every error into one line and an exit
// code.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace odonata::cli {

inline constexpr int kSuccess = 0;   ///< the command did its work and what it checks holds
inline constexpr int kFailed = 1;    ///< the command did its work and what it checks does not hold
inline constexpr int kBadInput = 2;  ///< command line, configuration or a file is wrong; nothing was written

/// Runs `odonata ARGS...` with the sub-commands that `add_commands` adds; returns the exit code. Nothing escapes.
int run(const std::vector<std::string>& arguments, void (*add_commands)(CLI::App&));

/// This very program: its version and a checksum of its file. Processes that share a run have to agree on it.
const std::string& build_id();
/// Absolute path of the program's file.
std::string program_path();

/// The command line being run, quoted so that a shell takes it back.
const std::string& command_line();

/// Ends a sub-command's callback with an exit code other than 0.
[[noreturn]] void finish_with(int exit_code);

}  // namespace odonata::cli
