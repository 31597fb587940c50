// SPDX-License-Identifier: Apache-2.0
// `odonata jobs` (docs/cluster.md §3).
#pragma once

namespace CLI {
class App;
}

namespace odonata::cli {

void add_jobs_command(CLI::App& app);

}  // namespace odonata::cli
