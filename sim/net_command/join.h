// SPDX-License-Identifier: Apache-2.0
// A command that the processes started by mpirun (or srun) run together.
#pragma once

#include <functional>
#include <memory>
#include <ostream>

#include "sim/network/exchange.h"
#include "tb/harness/files.h"

namespace odonata::cli {

/// Joins them: null when this process was started alone. From now on only rank 0 prints. Throws Error when they are not
/// the same program.
std::unique_ptr<network::Exchange> join_command();

/// Every rank writes its part of the file with `fill`, through a stream of its own that can seek; `file` is that of the
/// first rank, which renames it when all parts are written. Without `ranks` (null) write_with(). Throws Error on every
/// rank when one of them cannot see the file or could not write.
void write_together(const OutputFile& file, network::Exchange* ranks, const std::function<void(std::ostream&)>& fill);

}  // namespace odonata::cli
