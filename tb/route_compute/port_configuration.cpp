// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/port_configuration.h"

#include <string>

#include "models/common/error.h"

namespace odonata::cosim {

std::vector<route_compute::RegisterWrite> port_configuration(const Dragonfly& d, RouterId own, int port) {
  const auto check = [&d](const char* what, int value, int count) {
    if (value < 0 || value >= count)
      throw Error(std::string(what) + " " + std::to_string(value) + ": " + d.name() + " has 0.." +
                  std::to_string(count - 1));
  };
  check("group", own.gid, d.g());
  check("router", own.bid, d.a());
  check("port", port, d.num_ports());
  return route_compute::configuration_writes(d, own, port, table::configure(d, own, port),
                                             route_compute::lfsr_seed(1, d, own, port));
}

}  // namespace odonata::cosim
