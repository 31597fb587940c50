// SPDX-License-Identifier: Apache-2.0
// The network engine and a network built from the SystemC models, packet by packet: same grants, same ports, same
// cycles (docs/crosscheck.md).
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
  uint64_t cut = 0;                     ///< poisoned tails made
  uint64_t services = 0, messages = 0;  ///< of the fault planes
  uint64_t answers = 0, rewritten = 0;  ///< of own route-compute units (OwnRouteAnswers)
  std::vector<std::string> difference;  ///< in words, the first one; empty: none
  bool interrupted = false;             ///< `go_on` ended the run; nothing was compared
  // Whole routers with wires:
  int routers = 0;                            ///< that ran beside the engine
  uint64_t cycles = 0;                        ///< that they ran
  uint64_t configuration_edges = 0;           ///< before cycle 0
  double seconds = 0, processor_seconds = 0;  ///< both networks, from cycle 0 on
  bool passed() const { return difference.empty() && packets != 0 && !interrupted; }
};

class OwnFabricUnits;
class OwnRouteUnits;

/// Routers that are devices: their data path (hw/router/device_router.h), or all of them (hw/router/router_device.h);
/// or their route compute.
struct RouterDevices {
  std::string level;                  ///< golden, systemc (data path) or rtl; empty: none is
  std::function<bool(int)> chosen;    ///< by number of the router; empty: all
  std::string block = "router_data";  ///< or router
  /// Whole routers: in the SystemC network, or "engine": with nothing but wires between them, the routers of their
  /// groups golden parts, and what comes from other groups as the engine has it.
  std::string around = "systemc";
  std::string plant = {};  ///< a planted bug of the RTL; whole routers
  int threads = 1;         ///< of all whole routers with wires
  const OwnRouteUnits* own_routes =
      nullptr;  ///< somebody else's route compute in the routers chosen (tb/network/own_route_units.h)
  const OwnFabricUnits* own_fabric =
      nullptr;  ///< somebody else's route units in a torus or a fat-tree (tb/network/own_fabric_units.h)
};

/// The planted bugs of the SystemC side by name.
const std::vector<std::string>& crosscheck_plants();

/// Adds faults drawn from the configuration's seed: links that fail in the first half of `cycles` cycles and are
/// repaired in the second, one that flaps, a node's link, and a router that comes back when there is time for it
/// (Config::kLeastDeadTime).
void add_random_faults(network::Config& config, uint64_t cycles);

/// Runs cycles 0..cycles-1 of `config` in both; its warm-up, sample and drain do not count. `plant`: a planted bug or
/// empty. Throws Error for an unknown plant and for what the SystemC network cannot do. `go_on(share of the work that
/// is done)` is asked from time to time; false interrupts.
CrossCheckResult crosscheck(const network::Config& config, uint64_t cycles, const std::string& plant = "",
                            const std::function<bool(double)>& go_on = {}, const RouterDevices& devices = {});

}  // namespace odonata::cosim
