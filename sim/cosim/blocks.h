// SPDX-License-Identifier: Apache-2.0
// What the commands about units (cosim, wrap, vectors) have in common.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/common/options.h"
#include "tb/units.h"

namespace odonata::cli {

/// Their names, for --block.
std::vector<std::string> block_names(std::span<const cosim::Unit> units);

/// --set KEY=VALUE, and options that are such a key (an empty value: not given). Throws Error.
std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& set,
                                                    const std::map<std::string, std::string>& options);

/// A request for a unit at this size, with --set and --dims. `given`: what chose the dragonfly (given_dragonfly()).
cosim::CampaignRequest request_of(const Dragonfly& dragonfly, const std::string& given,
                                  const std::vector<std::string>& set, const std::string& dims);

/// Throws Error for a --load that the unit's stimulus does not look at.
void check_load(const Command& command, const cosim::Unit& unit, const cosim::CampaignRequest& request);

}  // namespace odonata::cli
