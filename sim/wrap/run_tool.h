// SPDX-License-Identifier: Apache-2.0
// Tools that are started by the program.
#pragma once

#include <string>
#include <vector>

namespace odonata::cli {

/// Runs a tool in this folder with its output in `log`; its exit code, 127 when there is no such tool. No shell: words
/// are what they are. While an InterruptGuard lives, what asks this program to end asks the tool, too.
int run_tool(const std::vector<std::string>& words, const std::string& folder, const std::string& log);

/// Whether a tool is on the PATH.
bool has_tool(const std::string& name);

}  // namespace odonata::cli
