// SPDX-License-Identifier: Apache-2.0
// The router under test: the same options, words and JSON wherever a fault plane is timed (fault, fault-timing,
// fault-study).
#pragma once

#include <string>

#include "models/fault/plane_parameters.h"
#include "sim/common/options.h"
#include "sim/common/output.h"

namespace odonata::cli {

struct RouterOptions {
  std::string hardware;  ///< full, native or STATIONS,ROWS; empty: the command's default
  uint64_t poll_width = 1, ring_hop = 1, banks = 1;
  bool pipelined = false;
};

/// --hardware, --poll-width, --ring-hop, --banks. `standard`: the default of --hardware in words.
void add_structure_options(Command& command, RouterOptions& options, const std::string& standard);
/// --pipelined
void add_pipelined_option(Command& command, RouterOptions& options);
/// The structure that the options describe, of `standard` hardware where they name none. Throws Error "--option ...".
fault::Timing make_timing(const RouterOptions& options, const Dragonfly& d, const std::string& standard);

/// {"text", "stations", "rows", "poll_width", "ring_hop", "banks", "pipelined", "load"}
Json to_json(const fault::Timing& timing);

}  // namespace odonata::cli
