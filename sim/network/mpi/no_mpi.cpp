// SPDX-License-Identifier: Apache-2.0
// Without MPI at build time: one process, and more of them are told so.
#include "models/common/error.h"
#include "sim/network/mpi/launch.h"
#include "sim/network/mpi/mpi_exchange.h"

namespace odonata::network {

std::unique_ptr<Exchange> join_ranks() {
  if (launched_ranks() == 1) return nullptr;
  throw Error("started as " + std::to_string(launched_ranks()) +
              " ranks, but this program was built without MPI (libopenmpi-dev)");
}

void leave_ranks() {}

}  // namespace odonata::network
