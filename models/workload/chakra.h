// SPDX-License-Identifier: Apache-2.0
// Chakra execution traces of MLCommons, a file a rank (docs/workloads.md §5): protobuf messages with their lengths in
// front.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/workload/program.h"

namespace odonata::workload {

/// From the bytes of the ranks' files, in the order of the ranks. Collectives over all ranks become messages: trees for
/// broadcast, reduce, allreduce and barrier, rings for the others. Throws Error "rank R, record N: ..." (record 0: the
/// metadata).
Job read_chakra(const std::vector<std::string>& files);

/// The program of a rank, as such a file; calculations in whole microseconds, rounded up, with the nanoseconds in an
/// attribute of our own ("odonata_ns") that read_chakra() prefers. Throws Error when the job has several iterations.
std::string write_chakra(const Job& job, uint32_t rank);

}  // namespace odonata::workload
