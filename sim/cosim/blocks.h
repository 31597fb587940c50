// SPDX-License-Identifier: Apache-2.0
// What the commands about units (cosim, wrap, vectors) have in common.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tb/harness/campaign.h"

namespace odonata::cli {

/// The names for --block.
std::vector<std::string> block_names();

/// --set KEY=VALUE. Throws Error.
std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& set);

/// A request for a unit at this size, with --set and --dims.
cosim::CampaignRequest request_of(const Dragonfly& dragonfly, const std::vector<std::string>& set, const std::string& dims);

}  // namespace odonata::cli
