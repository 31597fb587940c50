// SPDX-License-Identifier: Apache-2.0
// A command that the processes started by mpirun (or srun) run together.
#pragma once

#include <memory>

#include "sim/network/exchange.h"

namespace odonata::cli {

/// Joins them: null when this process was started alone. From now on only rank 0 prints. Throws Error when they are not
/// the same program.
std::unique_ptr<network::Exchange> join_command();

}  // namespace odonata::cli
