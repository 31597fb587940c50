// SPDX-License-Identifier: Apache-2.0
// Traces of netrace (Hestness, Grot, Keckler 2010) with their dependencies (docs/workloads.md §5).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/workload/program.h"

namespace odonata::workload {

/// Whether these are the first bytes of an unpacked netrace file.
bool is_netrace(std::string_view bytes);

/// From an unpacked file. A packet is a message; it starts when those that it depends on have been delivered, as many
/// cycles later as in the trace. What depends on a packet between two other nodes does not wait for it (no message
/// carries that); the note says how often. Throws Error "record N: ..." (the header: "header: ...").
Job read_netrace(std::string_view bytes);

/// A file that is generated, not recorded, and says so: misses of the nodes' caches, each a request to a home node and
/// its answer, some via a memory node at the end of the numbers, with their dependencies; a node has up to four misses
/// open. `nodes` 4..255.
std::string generate_netrace(int nodes, uint32_t misses, uint64_t seed);

}  // namespace odonata::workload
