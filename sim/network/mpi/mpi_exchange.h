// SPDX-License-Identifier: Apache-2.0
// The processes that mpirun (or srun --mpi=pmix) has started together. The only part of the program that knows MPI; it
// may be built without.
#pragma once

#include <memory>

#include "sim/network/exchange.h"

namespace odonata::network {

/// Joins the other processes, if there are any: null when this one was started alone. Throws Error when there are, but
/// the program was built without MPI. To be called once; leave_ranks() at the end of a run that all ranks finish.
std::unique_ptr<Exchange> join_ranks();
void leave_ranks();

}  // namespace odonata::network
