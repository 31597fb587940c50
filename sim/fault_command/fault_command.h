// SPDX-License-Identifier: Apache-2.0
// `odonata fault`: from a fault to the last right table, in cycles.
#pragma once

namespace CLI {
class App;
}

namespace odonata::cli {

void add_fault_command(CLI::App& app);

}  // namespace odonata::cli
