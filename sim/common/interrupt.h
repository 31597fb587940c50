// SPDX-License-Identifier: Apache-2.0
// Ctrl-C: the one way in which long loops of every command are asked to end. What was interrupted is never a pass.
#pragma once

#include <csignal>

#include "sim/common/output.h"

namespace odonata::cli {

inline constexpr int kInterrupted = 130;  ///< exit code of a run that Ctrl-C (or SIGTERM) ended, as shells have it

/// While one lives, the first SIGINT or SIGTERM only sets interrupted(); the second ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction int_, term_;  // what was before
};

/// Whether the program was asked to end since the first guard was made.
bool interrupted();

/// Thrown out of a long loop by commands that have no half results to tell; run() turns it into one line and
/// kInterrupted.
struct Interrupted {};
/// Throws Interrupted when interrupted().
void stop_if_interrupted();

/// Verdict and headline of a result whose run was interrupted.
void mark_interrupted(Json& result);

}  // namespace odonata::cli
