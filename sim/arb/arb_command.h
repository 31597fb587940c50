// SPDX-License-Identifier: Apache-2.0
// The sub-commands about D2RA arbitration requests.
#pragma once

#include <string>

#include "models/arb_request/request.h"

namespace CLI {
class App;
}

namespace odonata::cli {

/// Adds `odonata deadlock` (add_arb_commands, in sim/commands.h, adds all).
void add_deadlock_command(CLI::App& app);
/// Adds `odonata arb-timing`.
void add_timing_command(CLI::App& app);

/// Reads --at, --to and --credits for a mesh of `dims` dimensions (0: as many as --at has) into a query; returns the
/// number of dimensions. Credits: one number a dimension (in the direction that the packet needs), or two
/// (x+,x-,y+,...), or named as in x+=1,y-=2 (others 0). Throws Error that names the option.
int parse_query(int dims, const std::string& at, const std::string& to, const std::string& credits,
                arb_request::Query& query);

}  // namespace odonata::cli
