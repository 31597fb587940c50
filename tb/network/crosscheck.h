// SPDX-License-Identifier: Apache-2.0
// The network engine and a network built from the SystemC models, packet by packet: same grants, same ports, same cycles (docs/crosscheck.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/network/config.h"

namespace odonata::cosim {

struct CrossCheckResult {
  uint64_t packets = 0;                 ///< whose whole way is the same on both sides
  uint64_t delivered = 0;               ///< of these
  uint64_t lost = 0;                    ///< of these
  uint64_t events = 0;                  ///< grants, deliveries, losses compared
  uint64_t services = 0, messages = 0;  ///< of the fault planes
  std::vector<std::string> difference;  ///< in words, the first one; empty: none
  bool interrupted = false;             ///< `go_on` ended the run; nothing was compared
  bool passed() const { return difference.empty() && packets != 0 && !interrupted; }
};

/// Routers of the SystemC side whose data path is a device (hw/router/device_router.h).
struct DataPathDevices {
  std::string level;                ///< golden, systemc or rtl; empty: none is
  std::function<bool(int)> chosen;  ///< by number of the router; empty: all
};

/// The planted bugs of the SystemC side by name.
const std::vector<std::string>& crosscheck_plants();

/// Adds faults drawn from the configuration's seed: links that fail in the first half of `cycles` cycles and are repaired in the second, one that
/// flaps, a node's link, and a router that comes back when there is time for it (Config::kLeastDeadTime).
void add_random_faults(network::Config& config, uint64_t cycles);

/// Runs cycles 0..cycles-1 of `config` in both; its warm-up, sample and drain do not count. `plant`: a planted bug or empty.
/// Throws Error for an unknown plant and for what the SystemC network cannot do.
/// `go_on(share of the work that is done)` is asked from time to time; false interrupts.
CrossCheckResult crosscheck(const network::Config& config, uint64_t cycles, const std::string& plant = "",
                            const std::function<bool(double)>& go_on = {}, const DataPathDevices& devices = {});

}  // namespace odonata::cosim
