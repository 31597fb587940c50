// SPDX-License-Identifier: Apache-2.0
// `--topology FILE.json`: a network of the user, with or without routing tables (docs/graph.md).
#pragma once

#include <memory>
#include <string>

#include "sim/network/topology.h"

namespace odonata::cli {

/// Throws Error that names the file, the key and what was expected.
std::shared_ptr<const network::Topology> read_graph(const std::string& path);

}  // namespace odonata::cli
