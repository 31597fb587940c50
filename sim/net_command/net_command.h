// SPDX-License-Identifier: Apache-2.0
// A result of `odonata net` as JSON; `odonata sweep` uses it, too.
#pragma once

#include "sim/common/output.h"
#include "sim/network/simulation.h"

namespace odonata::cli {

/// The numbers of a result with the keys of docs/network.md §6.
Json to_json(const network::Config& config, const network::Result& result);

}  // namespace odonata::cli
