// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/join.h"

#include "sim/common/program.h"
#include "sim/common/share_command.h"
#include "sim/network/mpi/mpi_exchange.h"

namespace odonata::cli {

std::unique_ptr<network::Exchange> join_command() {
  std::unique_ptr<network::Exchange> out = network::join_ranks();
  if (!out) return out;
  share_command(out->own(), network::leave_ranks);
  check_equal(*out, "the ranks run different programs", "build=" + build_id());
  return out;
}

}  // namespace odonata::cli
