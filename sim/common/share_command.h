// SPDX-License-Identifier: Apache-2.0
// A command that several processes (ranks) run together.
#pragma once

#include <functional>

namespace odonata::cli {

/// This process is one of them: only rank 0 prints, and `leave` is called when the command has ended without an error.
/// An error is told by rank 0; one that only another rank has, by that one, a little later.
void share_command(int rank, std::function<void()> leave);

}  // namespace odonata::cli
