// SPDX-License-Identifier: Apache-2.0
// A sweep's results as an SQLite database, for pandas, DuckDB and the like.
#pragma once

#include <string>

#include "sim/net_command/sweep/sweep_run.h"

namespace odonata::cli {

/// The bytes of a database file. Table `runs`: id, part, title, a column a setting (text; NULL: not set), then the
/// columns of the CSV that are numbers, digest, and the whole result as JSON; table `hops`: run, links, share of the
/// packets; table `saturation`: part, settings (text), load.
std::string sweep_sqlite(const SweepFile& sweep, const SweepResults& results);

}  // namespace odonata::cli
